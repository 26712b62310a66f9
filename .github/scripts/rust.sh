#!/usr/bin/env bash
# Installs the stable toolchain with the components that are named, and with --target a target. rustup is on GitHub's machines.
set -euo pipefail
words=()
while [ $# -gt 0 ]; do
  if [ "$1" = --target ]; then words+=(--target "$2"); shift 2; else words+=(--component "$1"); shift; fi
done
rustup toolchain install stable --profile minimal --no-self-update "${words[@]}"
rustup default stable
rustc --version
