#!/bin/sh
# Writes compile_commands.json, which clangd and clang-tidy read, from what Bazel would run.
set -eu
cd "$(dirname "$0")/.."
bazel build --keep_going //... > /dev/null 2>&1 || true  # generated headers and include trees
root=$(bazel info execution_root 2> /dev/null)
bazel aquery 'mnemonic("CppCompile", //...)' --output=jsonproto 2> /dev/null |
  python3 -c '
import json, sys
root = sys.argv[1]
commands = []
for action in json.load(sys.stdin)["actions"]:
    arguments = action["arguments"]
    source = arguments[arguments.index("-c") + 1]
    commands.append({"directory": root, "file": source, "arguments": arguments})
commands.sort(key=lambda c: c["file"])
json.dump(commands, open("compile_commands.json", "w"), indent=1)
print(f"compile_commands.json: {len(commands)} files")
' "$root"
