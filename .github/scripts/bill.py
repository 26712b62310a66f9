"""The bill of materials of a package: every crate that is linked into it for a target, as CycloneDX 1.5.

bill.py TRIPLE PACKAGE
"""

import json
import subprocess
import sys

triple, name = sys.argv[1:]
said = subprocess.run(
    ["cargo", "metadata", "--format-version", "1", "--locked", "--filter-platform", triple], capture_output=True, text=True, check=True
)
metadata = json.loads(said.stdout)
packages = {package["id"]: package for package in metadata["packages"]}
nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
root = next(package["id"] for package in metadata["packages"] if package["name"] == name)

linked, waiting = set(), [root]
while waiting:
    package = waiting.pop()
    if package in linked:
        continue
    linked.add(package)
    # What only builds or tests is not in the program.
    waiting += [one["pkg"] for one in nodes[package]["deps"] if any(kind["kind"] is None for kind in one["dep_kinds"])]


def reference(package):
    """Its name and version: an id of cargo holds the folder of this machine."""
    return f"{package['name']}@{package['version']}"


def component(package, kind="library"):
    found = {"type": kind, "bom-ref": reference(package), "name": package["name"], "version": package["version"]}
    if package["license"]:
        found["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
    if package["source"]:
        found["purl"] = f"pkg:cargo/{package['name']}@{package['version']}"
    return found


order = sorted(linked, key=lambda one: (packages[one]["name"], packages[one]["version"]))
bill = {
    "bomFormat": "CycloneDX",
    "specVersion": "1.5",
    "version": 1,
    "metadata": {"component": component(packages[root], "application")},
    "components": [component(packages[one]) for one in order if one != root],
    "dependencies": [
        {
            "ref": reference(packages[one]),
            "dependsOn": sorted({reference(packages[other["pkg"]]) for other in nodes[one]["deps"] if other["pkg"] in linked}),
        }
        for one in order
    ],
}
print(json.dumps(bill, indent=1))
