#!/bin/sh
# clang-tidy (.clang-tidy) on the sources that differ from the commit before the last one, on those
# that are given, or with --all on every one. Ends with "tidy: N passed, N failed".
# Generated headers must be there; what includes them puts them there: bazel build //tools:switchyard.
set -u
cd "$(dirname "$0")/.."
case "${1:-}" in
  --all) files=$(git ls-files '*.cc') ;;
  "") files=$(git diff --name-only --diff-filter=d HEAD~1 -- '*.cc' 2> /dev/null) ;;
  *) files=$* ;;
esac
# Compiled with flags of their own: loops for each instruction set, and what needs CUDA's headers.
files=$(echo "$files" | grep -vE '^backends/(cpu/(loops|simd)|cuda)/')
tree=$(mktemp -d)
ln -s "$PWD" "$tree/switchyard"
passed=0
failed=0
for file in $files; do
  if clang-tidy --quiet "$file" -- -std=c++20 -I. -Ibazel-bin \
    -Ibazel-bin/ops/api/_virtual_includes/functions -Ibazel-bin/ops/api/_virtual_includes/methods \
    -Ibazel-bin/ops/api/_virtual_includes/switchyard -Ibazel-bin/core/_virtual_includes/core \
    -I"$tree" -Iexamples/downstream -Ithird_party/kissfft 2> "$tree/noise"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    grep -v "warnings\? generated" "$tree/noise"
  fi
done
rm -rf "$tree"
echo "tidy: $passed passed, $failed failed"
[ "$failed" = 0 ]
