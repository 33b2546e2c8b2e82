#!/bin/sh
# Formats every C++ file of the tree, or with --check says which are not formatted or have lines
# over 100 columns.
set -eu
cd "$(dirname "$0")/.."
files=$(git ls-files --cached --others --exclude-standard '*.h' '*.cc' '*.cu' '*.cuh' '*.c')
if [ "${1:-}" != "--check" ]; then
  echo "$files" | xargs clang-format -i
  exit 0
fi
status=0
echo "$files" | xargs clang-format --dry-run --Werror || status=1
long=$(echo "$files" | xargs python3 -c '
import sys
for path in sys.argv[1:]:
    for number, line in enumerate(open(path, encoding="utf-8"), 1):
        if len(line.rstrip("\n")) > 100 and "http" not in line:
            print(f"{path}:{number}: {len(line) - 1} columns")
')
if [ -n "$long" ]; then
  echo "$long"
  status=1
fi
exit $status
