#!/bin/sh
# run.sh TARGET SECONDS PROCESSES: fuzzes a built target (in this folder, or where cargo fuzz leaves it) over a copy of its
# seeds, and says how many inputs were run, how many edges of the code they reach, and what crashed. Fails on a crash.
set -eu
target=$1 seconds=$2 processes=$3
here=$(cd "$(dirname "$0")" && pwd)
binary=$here/$target
[ -x "$binary" ] || binary=$here/target/x86_64-unknown-linux-gnu/release/$target
work=$here/work/$target
mkdir -p "$work/corpus" "$work/artifacts"
cp "$here/seeds/$target"/* "$work/corpus/"
cd "$work"
rm -f log-*
number=1
while [ "$number" -le "$processes" ]; do
    "$binary" -max_total_time="$seconds" -rss_limit_mb=4096 -timeout=20 -max_len=16384 -print_final_stats=1 \
        -artifact_prefix="$work/artifacts/" "$work/corpus" >"log-$number" 2>&1 &
    number=$((number + 1))
done
wait || true
units=$(cat log-* | awk '/number_of_executed_units/ { sum += $2 } END { print sum + 0 }')
edges=$(cat log-* | awk '/ cov: / { for (i = 1; i < NF; i++) if ($i == "cov:" && $(i + 1) > most) most = $(i + 1) } END { print most + 0 }')
# libFuzzer also keeps inputs that took ten seconds. They are named below, but only those over the limit are failures.
crashes=$(find artifacts -type f ! -name 'slow-unit-*' | wc -l)
echo "$target: $units inputs, $processes processes of $seconds s, $edges edges, $(ls corpus | wc -l) inputs kept, $crashes crashes"
find artifacts -type f
[ "$crashes" -eq 0 ]
