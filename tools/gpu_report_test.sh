#!/bin/sh
# The report of a GPU, with programs that stand in: what it runs, counts, says, and goes on with.
set -eu
report=$1
work=$TEST_TMPDIR/gpu
fail() {
  echo "failed: $*" >&2
  exit 1
}

# A bundle whose programs note that they were called, and give what $work/says/NAME says.
bundle() {
  rm -rf "$work"
  mkdir -p "$work/cases/edge" "$work/says" "$work/kernels"
  cp "$report" "$work/gpu_report.sh"
  cat > "$work/switchyard" <<'STANDIN'
#!/bin/sh
here=$(dirname "$0")
echo "switchyard $*" >> "$here/calls"
case $1 in
  devices)
    [ ! -e "$here/says/no_gpu" ] || { [ "${2:-}" = --json ] && echo '[{"name": "cpu"}]'; exit 0; }
    [ "${2:-}" = --json ] && echo '[{"name": "cuda"}]' || echo 'cuda: 1 device (cuda:0 a stand-in)'
    ;;
  replay)
    while [ $# -gt 0 ]; do
      case $1 in --report) to=$2 ;; --op) op=$2 ;; esac
      shift
    done
    case $op in
      a*)
        failed=$(cat "$here/says/replay_fails" 2> /dev/null || echo 0)
        [ "$failed" = 0 ] || printf 'FAILED add.Tensor(1, 2)\n  expected 3, got 4\n  cases-0:7\n'
        printf '{\n "passed": 3,\n "failed": %s,\n "missing": 0,\n "ops": {"add": {\n "passed": 3\n}}}\n' \
          "$failed" > "$to"
        [ "$failed" = 0 ] || exit 1
        ;;
      b*) kill -9 $$ ;;
      *)
        echo "none of the 3 cases in 'edge' is of an operator that matches '$op'" >&2
        exit 2
        ;;
    esac
    ;;
esac
STANDIN
  cat > "$work/gpu_tests" <<'STANDIN'
#!/bin/sh
here=$(dirname "$0")
echo "gpu_tests $*" >> "$here/calls"
case $* in
  *--gtest_list_tests*)
    printf 'AddTest.\n  Adds\n  AddsMore\nTypes/MulTest.\n  Muls/0  # GetParam()\n'
    [ ! -e "$here/says/growing" ] || printf 'GraphTest.\n  Replays\n'
    ;;
  *)
    [ ! -e "$here/says/tests_break" ] || kill -9 $$
    [ ! -e "$here/says/tests_hang" ] || sleep 100
    [ ! -e "$here/says/growing" ] || echo "growing ${SWITCHYARD_CUDA_GROWING_SEGMENTS:-0}" >> "$here/calls"
    for a; do case $a in --gtest_output=json:*) to=${a#--gtest_output=json:} ;; esac; done
    printf '{\n  "tests": 2,\n  "failures": 0,\n  "testsuites": [{\n  "tests": 2,\n  "failures": 0}]}\n' > "$to"
    ;;
esac
STANDIN
  cat > "$work/cuda" <<'STANDIN'
#!/bin/sh
here=$(dirname "$0")
echo "$(basename "$0") $*" >> "$here/calls"
case $* in
  *--benchmark_list_tests*)
    [ "$(basename "$0")" = cuda ] || [ ! -e "$here/says/no_torch" ] || {
      echo "peer_cuda: libtorch.so: cannot open shared object file" >&2
      exit 127
    }
    printf 'copy/iterations:5/manual_time\nsum dim 0/iterations:5/manual_time\n'
    ;;
  *)
    for a; do case $a in --benchmark_out=*) to=${a#--benchmark_out=} ;; esac; done
    rate=$(cat "$here/says/$(basename "$0")")
    printf '{\n  "context": {\n    "host_name": "here"\n  },\n  "benchmarks": [\n    {\n' > "$to"
    printf '      "name": "copy/iterations:5/manual_time",\n      "real_time": 5.0e+02,\n' >> "$to"
    printf '      "TB/s": %s,\n      "target": 4.2000e+00\n    }\n  ]\n}\n' "$rate" >> "$to"
    ;;
esac
STANDIN
  cp "$work/cuda" "$work/peer_cuda"
  echo 4.4e+00 > "$work/says/cuda"
  echo 4.1e+00 > "$work/says/peer_cuda"
  chmod +x "$work/switchyard" "$work/gpu_tests" "$work/cuda" "$work/peer_cuda"
}
# run STATUS ARGUMENT…: the report, which must end so.
run() {
  wanted=$1 status=0
  shift
  env -u SWITCHYARD_CUDA_CACHE "$work/gpu_report.sh" "$work/out" "$@" > "$work/said" 2>&1 ||
    status=$?
  [ "$status" = "$wanted" ] || fail "status $status for $wanted of $*: $(cat "$work/said")"
}
verdict_has() { grep -qxF "$1" "$work/out/verdict.txt" || fail "no '$1' in: $(cat "$work/out/verdict.txt")"; }
calls() { grep -c "$1" "$work/calls" || true; }

bundle
GPU_REPORT_OPS=a run 0 probe tests replay speed
verdict_has "tests: 4 passed, 0 failed, 0 skipped"
verdict_has "replay: 3 passed, 0 failed, 0 missing"
verdict_has "speed: copy: 4.400 TB/s, PyTorch 4.100, goal 4.2: met"
python3 -c '
import json, sys
for step in ["probe", "tests", "replay", "speed"]:
    json.load(open(f"{sys.argv[1]}/{step}.json"))' "$work/out" || fail "a file is no JSON"
[ "$(ls "$work/out" | wc -l)" -le 8 ] || fail "more than eight files: $(ls "$work/out")"

# What has its file is not done again.
before=$(wc -l < "$work/calls")
GPU_REPORT_OPS=a run 0 probe tests replay speed
[ "$(wc -l < "$work/calls")" = "$before" ] || fail "something ran again"

# A program that breaks is a failure of its part, and the other parts go on.
bundle
run 1 replay
verdict_has "replay: 3 passed, 1 failed, 0 missing"
bundle
touch "$work/says/tests_break"
run 1 tests
verdict_has "tests: 0 passed, 2 failed, 0 skipped"

# A case that fails is shown, and so is a goal that is missed, also by a call that has nothing to do.
bundle
echo 2 > "$work/says/replay_fails"
echo 4.0e+00 > "$work/says/cuda"
GPU_REPORT_OPS=a run 1 replay speed
verdict_has "replay: 3 passed, 2 failed, 0 missing"
verdict_has "speed: copy: 4.000 TB/s, PyTorch 4.100, goal 4.2: MISSED"
grep -q 'expected 3, got 4' "$work/out/failures.txt" || fail "the failure is not shown"
GPU_REPORT_OPS=a run 1 replay speed

# When time is up nothing is begun; called again it goes on with what is left.
bundle
GPU_REPORT_SECONDS=0 run 4 tests
[ ! -e "$work/out/tests.json" ] || fail "a step without time has a result"
run 0 tests
first=$(calls 'gtest_filter=AddTest')
rm "$work/out/tests.json" "$work/out.parts/tests/Types%MulTest.json"
run 0 tests
[ "$first" = 1 ] && [ "$(calls 'gtest_filter=AddTest')" = 1 ] || fail "a part ran again"
[ "$(calls 'gtest_filter=Types/MulTest')" = 2 ] || fail "what was left did not run"

# Suites that segments matter to run with those that grow as well.
bundle
touch "$work/says/growing"
GPU_REPORT_TESTS='^Graph' run 0 tests
verdict_has "tests: 4 passed, 0 failed, 0 skipped"
[ "$(calls 'growing 0')" = 1 ] && [ "$(calls 'growing 1')" = 1 ] || fail "$(cat "$work/calls")"

# A part that hangs has failed once it has had its time; one that the report's end cuts short is left
# for the next call.
bundle
touch "$work/says/tests_hang"
GPU_REPORT_TESTS=Add GPU_REPORT_PART=1 run 1 tests
verdict_has "tests: 0 passed, 1 failed, 0 skipped"
bundle
touch "$work/says/tests_hang"
GPU_REPORT_JOBS=1 GPU_REPORT_SECONDS=12 run 4 tests
[ -e "$work/out.parts/tests/AddTest.json" ] || fail "the first part had its time"
[ ! -e "$work/out.parts/tests/Types%MulTest.json" ] || fail "what was cut short counts"
rm "$work/says/tests_hang"
run 1 tests
verdict_has "tests: 2 passed, 1 failed, 0 skipped"

# What was killed while a step's file was written is written again.
bundle
run 0 tests
rm "$work/out/tests.json" "$work/out/verdict.txt"
echo '[' > "$work/out.parts/tests.all"
run 0 tests
verdict_has "tests: 4 passed, 0 failed, 0 skipped"

# PyTorch is missing from the bundle, or from the machine: that is said, and is no failure.
bundle
rm "$work/peer_cuda"
run 0 speed
verdict_has "speed: without PyTorch: the bundle was made without it (TORCH_DIR)"
verdict_has "speed: copy: 4.400 TB/s, goal 4.2: met"
bundle
touch "$work/says/no_torch"
run 0 speed
verdict_has "speed: without PyTorch: peer_cuda: libtorch.so: cannot open shared object file"

# No goal is held against an emulator.
bundle
touch "$work/emulated"
echo 4.0e-03 > "$work/says/cuda"
run 0 speed
verdict_has "speed: copy: 0.004 TB/s, PyTorch 4.100, goal 4.2: of a GPU"

# Folders may have blanks in their names.
bundle
mv "$work/gpu_report.sh" "$work/report of a gpu.sh"
status=0
GPU_REPORT_OPS=a "$work/report of a gpu.sh" "$work/out of it" probe tests replay speed \
  > "$work/said" 2>&1 || status=$?
[ "$status" = 0 ] || fail "status $status: $(cat "$work/said")"
grep -qxF "tests: 4 passed, 0 failed, 0 skipped" "$work/out of it/verdict.txt" || fail "$(cat "$work/said")"

# Programs that do not start, and choices that leave nothing, are failures.
bundle
printf '#!/bin/sh\necho "libmvec.so.1: cannot open shared object file" >&2\nexit 127\n' > "$work/switchyard"
run 1
verdict_has "probe: FAILED: libmvec.so.1: cannot open shared object file"
[ ! -e "$work/out/tests.json" ] || fail "it went on"
bundle
GPU_REPORT_TESTS=nothing GPU_REPORT_ROWS=nothing run 1 tests speed
verdict_has "tests: FAILED: gpu_tests lists none"
verdict_has "speed: FAILED: there are no rows"

bundle
touch "$work/says/no_gpu"
run 3
bundle
run 2 nothing
echo "passed"
