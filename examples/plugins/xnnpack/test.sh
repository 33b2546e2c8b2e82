#!/bin/sh
# test.sh PREFIX CASES…: builds the plugin against the installation in PREFIX, runs its tests,
# checks it with the conformance kit, which loads it CYCLES times (10000 unless set), and replays
# the reference cases in the folders CASES on it.
# Ends with "xnnpack: N passed, N failed".
set -u
umask 022 # a plugin that others may write is refused
cases=""
prefix=$1
shift
for folder in "$@"; do cases="$cases $(realpath "$folder")"; done
cd "$(dirname "$0")" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plugin=$work/build/libswitchyard_xnnpack.so
# shellcheck source-path=SCRIPTDIR source=../../../tools/checks.sh
. ../../../tools/checks.sh

check "it is configured" cmake -S . -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix"
check "it is built" cmake --build "$work/build" -j "$(nproc)"
check "tests" ctest --test-dir "$work/build" --output-on-failure --no-tests=error
check "networks are measured" "$work/build/xnnpack_benchmark" --benchmark_min_time=0.01
check "conformance" "$prefix/bin/switchyard" conform --plugin "$plugin" --device xnnpack \
  --json "$work/conform.json" --cycles "${CYCLES:-10000}" --limit 3600
tail -n 2 "$work/log" | cut -c -100
for folder in $cases; do
  check "replay of ${folder##*/}" "$prefix/bin/switchyard" replay "$folder" --device xnnpack \
    --plugin "$plugin" --report "$work/report.json"
  tail -n 1 "$work/log"
done

echo "xnnpack: $passed passed, $failed failed"
[ "$failed" = 0 ]
