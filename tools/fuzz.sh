#!/bin/sh
# Fuzzes a target, or all of them one after the other: clang's libFuzzer, with the sanitizers.
#
#   tools/fuzz.sh TARGET SECONDS [LIBFUZZER OPTION]...     a target of tests/faults/fuzz, or "all"
#
# Inputs that are found stay in build/fuzz/TARGET, beside what breaks (crash-*, timeout-*, oom-*);
# tests/faults/fuzz/corpus/TARGET is read and left as it is. Prints for each target the number of
# executions, also in a second, adds it to build/fuzz/executions, and ends with 1 where something
# broke.
set -u
cd "$(dirname "$0")/.."
if [ $# -lt 2 ]; then
  sed -n '2,9s/^# \{0,1\}//p' "$0"
  exit 2
fi
target=$1 seconds=$2
shift 2
all=$(sed -n 's/^    name = "\(.*\)",$/\1/p' tests/faults/fuzz/BUILD.bazel |
  grep -vE '^(fuzz|tensors|.*_test)$')
[ "$target" = all ] || all=$target

# Two frames of where a block was allocated and no more: thirty take half of the time. Blocks that are
# freed wait for 8 MB of others.
sanitizer=allocator_may_return_null=1:detect_leaks=1:malloc_context_size=2:quarantine_size_mb=8
status=0
for t in $all; do
  bazel build --config=fuzz "//tests/faults/fuzz:${t}_fuzzer" || exit 2
  work=build/fuzz/$t
  mkdir -p "$work/found"
  # What is long costs time, and says little that short inputs do not: a byte of pickle is an
  # instruction, of files whole ones are needed.
  case $t in
    pickle) longest=192 ;;
    elf | tensor_file) longest=4096 ;;
    *) longest=1024 ;;
  esac
  # Targets limit their processor time themselves (time_limit.h): by the clock a busy machine is late.
  ASAN_OPTIONS=$sanitizer:${ASAN_OPTIONS:-} \
    "bazel-bin/tests/faults/fuzz/${t}_fuzzer" -max_total_time="$seconds" -max_len=$longest \
    -entropic=0 -timeout=300 -rss_limit_mb=2560 -print_final_stats=1 -artifact_prefix="$work/" "$@" \
    "$work/found" "tests/faults/fuzz/corpus/$t" > "$work/log" 2>&1
  if [ $? -ne 0 ]; then
    status=1
    tail -n 40 "$work/log"
    echo "$t: something broke; see $work"
  fi
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log")
  each=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$work/log")
  echo "$t ${executions:-0}" >> build/fuzz/executions
  echo "$t: ${executions:-0} executions, ${each:-0} a second"
done
exit $status
