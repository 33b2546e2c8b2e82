#!/bin/sh
# clang-tidy (.clang-tidy) on the sources and headers that differ from the commit before the last
# one, on those that are given, or with --all on every one. Of a commit of more than 60 files it
# takes every n-th, and says so: a file takes seconds. Ends with "tidy: N passed, N failed".
# Generated headers must be there; what includes them puts them there: bazel build //tools:switchyard.
set -u
cd "$(dirname "$0")/.."
most=60
case "${1:-}" in
  --all) files=$(git ls-files '*.cc' '*.h'); most=100000 ;;
  "") files=$(git diff --name-only --diff-filter=d HEAD~1 -- '*.cc' '*.h' 2> /dev/null) ;;
  *) files=$*; most=100000 ;;
esac
tree=$(mktemp -d)
python=$(/usr/bin/python3 -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
ln -s "$PWD" "$tree/switchyard"
# Not those that are compiled with flags of their own: loops for each instruction set, and what needs
# CUDA's or PyTorch's headers or is compiled by NVRTC; nor rows that a program includes after its own names.
not_alone='^((backends/(cpu/(loops|simd)|cuda)|collective/nccl|ops/formulas)/|bench/(.*_rows\.h$|peer_torch/))'
printf '%s\n' $files | grep -vE "$not_alone" > "$tree/files"
count=$(grep -c . "$tree/files")
every=$(((count + most - 1) / most))
[ "$every" -le 1 ] || echo "of $count changed files every ${every}th is looked at"
tidy() {  # tidy FILE NUMBER: a line in $tree/passed or $tree/failed, and what is wrong
  checks=
  language=
  case "$1" in *.h)  # whose implicit conversions are the API
    checks=--checks=-google-explicit-constructor
    language="-x c++" ;;
  esac
  # shellcheck disable=SC2086  # no word where there is none
  if clang-tidy --quiet $checks "$1" -- $language -std=c++20 -I. -Ibazel-bin \
    -Ibazel-bin/ops/api/_virtual_includes/functions -Ibazel-bin/ops/api/_virtual_includes/methods \
    -Ibazel-bin/ops/api/_virtual_includes/switchyard -Ibazel-bin/core/_virtual_includes/core \
    -I"$tree" -Iexamples/downstream -Ithird_party/kissfft -isystem "$python" \
    -DPy_LIMITED_API=0x030B0000 > "$tree/$2" 2>&1; then
    echo passed >> "$tree/passed"
  else
    echo failed >> "$tree/failed"
    grep -v "warnings\? generated" "$tree/$2"
  fi
}
n=0
: > "$tree/passed"
: > "$tree/failed"
for file in $(awk -v every="$every" 'every <= 1 || NR % every == 0' "$tree/files"); do
  n=$((n + 1))
  tidy "$file" "$n" &
  [ $((n % $(nproc))) != 0 ] || wait
done
wait
passed=$(wc -l < "$tree/passed")
failed=$(wc -l < "$tree/failed")
rm -rf "$tree"
echo "tidy: $passed passed, $failed failed"
[ "$failed" = 0 ]
