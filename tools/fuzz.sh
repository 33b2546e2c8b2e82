#!/bin/sh
# Fuzzes a target, or all of them one after the other: clang's libFuzzer, with the sanitizers.
#
#   tools/fuzz.sh TARGET SECONDS [LIBFUZZER OPTION]...     a target of tests/faults/fuzz, or "all"
#
# Inputs that are found stay in build/fuzz/TARGET, beside what breaks (crash-*, timeout-*, oom-*);
# tests/faults/fuzz/corpus/TARGET is read and left as it is. Prints for each target the number of
# executions, and ends with 1 where something broke.
set -u
cd "$(dirname "$0")/.."
if [ $# -lt 2 ]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exit 2
fi
target=$1 seconds=$2
shift 2
all=$(sed -n 's/^    name = "\(.*\)",$/\1/p' tests/faults/fuzz/BUILD.bazel | grep -vE '^(fuzz|tensors)$')
[ "$target" = all ] || all=$target

status=0
for t in $all; do
  bazel build --config=fuzz "//tests/faults/fuzz:${t}_fuzzer" || exit 2
  work=build/fuzz/$t
  mkdir -p "$work/found"
  ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1:${ASAN_OPTIONS:-} \
    "bazel-bin/tests/faults/fuzz/${t}_fuzzer" -max_total_time="$seconds" -max_len=4096 -timeout=10 \
    -rss_limit_mb=2560 -print_final_stats=1 -artifact_prefix="$work/" "$@" \
    "$work/found" "tests/faults/fuzz/corpus/$t" > "$work/log" 2>&1
  if [ $? -ne 0 ]; then
    status=1
    tail -n 40 "$work/log"
    echo "$t: something broke; see $work"
  fi
  echo "$t: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log") executions"
done
exit $status
