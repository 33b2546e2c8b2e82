#!/bin/sh
# test.sh PREFIX CASES…: builds the plugin against the installation in PREFIX, runs its tests and
# replays the reference cases in the folders CASES on it.
# Ends with "opencl: N passed, N failed".
set -u
cases=""
prefix=$1
shift
for folder in "$@"; do cases="$cases $(realpath "$folder")"; done
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export POCL_CACHE_DIR="$work/pocl" # PoCL's, not that of the user; others ignore it
mkdir "$POCL_CACHE_DIR"
# shellcheck source-path=SCRIPTDIR source=../../../tools/checks.sh
. ../../../tools/checks.sh

check "tests" bazel test --override_repository=switchyard="$prefix/share/switchyard/bazel" //...
bazel shutdown
for folder in $cases; do
  check "replay of ${folder##*/}" "$prefix/bin/switchyard" replay "$folder" --device opencl \
    --plugin bazel-bin/libswitchyard_opencl.so --report "$work/report.json"
  tail -n 1 "$work/log"
done

echo "opencl: $passed passed, $failed failed"
[ "$failed" = 0 ]
