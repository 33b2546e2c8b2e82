#!/bin/sh
# gpu_report.sh OUT [STEP…]: what the cuda backend does on this machine's GPU, step by step:
#
#   probe       driver, device and libraries, and where they were found    OUT/probe.json
#   tests       the backend's tests, a suite at a time                     OUT/tests.json
#   replay      the recorded cases, in parts side by side                  OUT/replay.json
#   speed       each row of the suite, beside PyTorch's where it is here   OUT/speed.json
#   sanitizers  a case of each overload under compute-sanitizer            OUT/sanitizers.json
#
# and OUT/verdict.txt, a line for each row and step, with the first failures in OUT/failures.txt. It
# runs from what tools/gpu_bundle.sh makes, beside the programs and their cases, and needs nothing
# else. It ends within GPU_REPORT_SECONDS (540) of the start; called again, also after it was killed,
# it goes on where it stopped, and what has its file in OUT is not done again. Parts lie in OUT.parts
# meanwhile.
#
# GPU_REPORT_JOBS (12): how many tests and replays run side by side; GPU_REPORT_TESTS,
# GPU_REPORT_OPS, GPU_REPORT_ROWS: only suites, operators and rows that match. GPU_REPORT_PART (240):
# the seconds after which a part counts as one that hangs, and has failed.
# Status: 0: everything passed; 1: something did not; 2: bad usage; 3: there is no GPU; 4: time is
# up, call it again.
set -u
here=$(cd "$(dirname "$0")" && pwd)

# Writes what one part of a step found to $parts/STEP/NAME.json, if that is not there; nothing once
# time is up. Runs in a process of its own, in which $parts, $deadline and $here are known.
part() {
  step=$1 name=$2
  result=$parts/$step/$name.json
  if [ -e "$result" ] || [ "$(date +%s)" -ge "$deadline" ]; then return 0; fi
  log=$parts/$step/$name.log
  rm -f "$result.new"
  "part_$step" "$name" "$result.new" > "$log" 2>&1
  [ ! -e "$log.late" ] || { rm -f "$log.late" "$result.new"; return 0; }
  [ ! -e "$result.new" ] || mv "$result.new" "$result"
}
# limited COMMAND…: ends it when the part has had its time, with status 124 or 137, or when there is
# none left for the report, which says nothing about the part.
limited() {
  left=$((deadline - $(date +%s))) status=0
  [ "$left" -gt 0 ] || left=1
  [ "$left" -lt "$most" ] && ends=$left || ends=$most
  timeout --foreground -k 5 "$ends" "$@" || status=$?
  if [ "$ends" -lt "$most" ] && { [ $status = 124 ] || [ $status = 137 ]; }; then : > "$log.late"; fi
  return $status
}

# NAME: SUITE, or SUITE+growing, with memory in segments that grow.
part_tests() {
  suite=$(echo "${1%+*}" | tr '%' '/')
  case $1 in *+growing) export SWITCHYARD_CUDA_GROWING_SEGMENTS=1 ;; esac
  limited "$here/gpu_tests" --gtest_filter="$suite.*" --gtest_output="json:$2" --gtest_brief=1
  status=$?
  # Status 1 is that of a test that fails; another one that of a program that breaks.
  [ $status -le 1 ] && [ -s "$2" ] ||
    printf '{\n"tests": 1,\n"failures": 1,\n"name": "%s",\n"status": %d\n}\n' "$1" $status > "$2"
}

# NAME: FOLDER%LETTER of the cases.
part_replay() {
  limited "$here/switchyard" replay "$here/cases/${1%%%*}" --device cuda --fallback forbid --verbose \
    --limit 60 --op "${1#*%}*" --report "$2.report" 2> "$2.error"
  status=$?
  cat "$2.error"
  if [ $status -gt 1 ]; then
    if grep -q 'is of an operator that matches' "$2.error"; then
      printf '{\n "passed": 0,\n "failed": 0,\n "missing": 0\n}\n' > "$2.report"
    else
      printf '{\n "passed": 0,\n "failed": 1,\n "missing": 0,\n "status": %d\n}\n' $status \
        > "$2.report"
    fi
  fi
  rm -f "$2.error"
  mv "$2.report" "$2"
}

# NAME: the number of a row.
part_speed() {
  row=$(sed -n "${1}p" "$parts/rows")
  exactly="^$(echo "$row" | sed 's/[^A-Za-z0-9_ ]/./g')\$"
  for program in cuda ${peer:+peer_cuda}; do
    limited "$here/$program" --benchmark_filter="$exactly" --benchmark_out="$2.$program" \
      --benchmark_out_format=json
    status=$?
    # What breaks leaves half a file.
    [ $status = 0 ] && [ "$(tail -n 1 "$2.$program")" = '}' ] ||
      printf '{"benchmarks": [{\n"name": "%s",\n"error_message": "it broke, status %d"\n}]}\n' \
        "$(echo "$row" | sed 's/["\\]/./g')" $status > "$2.$program"
  done
  theirs=null
  [ ! -e "$2.peer_cuda" ] || theirs=$(cat "$2.peer_cuda")
  printf '{"ours": %s,\n"peer": %s}\n' "$(cat "$2.cuda")" "$theirs" > "$2"
  rm -f "$2.cuda" "$2.peer_cuda"
}

# NAME: TOOL%FOLDER%LETTER.
part_sanitizers() {
  tool=${1%%%*} rest=${1#*%}
  limited env SWITCHYARD_CUDA_CACHING=0 "$sanitizer" --tool "$tool" --error-exitcode 9 \
    --print-limit 20 "$here/switchyard" replay "$here/cases/${rest%%%*}" --device cuda --fallback forbid --each 1 \
    --limit 0 --op "${rest#*%}*"
  status=$?
  [ $status -eq 9 ] && found=1 || found=0
  printf '{"tool": "%s",\n"part": "%s",\n"status": %d,\n"found": %d}\n' "$tool" "$rest" $status \
    $found > "$2"
}

if [ "${1:-}" = --part ]; then  # by xargs
  part "$2" "$3"
  exit
fi

[ $# -ge 1 ] || { sed -n 2p "$0" >&2; exit 2; }
out=$1
shift
steps=${*:-probe tests replay speed sanitizers}
for step in $steps; do
  case $step in
    probe | tests | replay | speed | sanitizers) ;;
    *)
      echo "there is no step '$step': probe, tests, replay, speed, sanitizers" >&2
      exit 2
      ;;
  esac
done
mkdir -p "$out" "$out.parts" || exit 2
out=$(cd "$out" && pwd)
parts=$out.parts
self=$here/$(basename "$0")
cd "$parts" || exit 2
seconds=${GPU_REPORT_SECONDS:-540}
deadline=$(($(date +%s) + seconds))
most=${GPU_REPORT_PART:-240}
# A part that begins with the report has the time that it can have at all.
[ "$most" -le $((seconds - 5)) ] || most=$((seconds - 5))
[ "$most" -gt 0 ] || most=1
jobs=${GPU_REPORT_JOBS:-12}
export LD_LIBRARY_PATH="$here/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
# Kernels that were compiled ahead lie beside the programs; others are shared through this.
export SWITCHYARD_CUDA_CACHE="${SWITCHYARD_CUDA_CACHE:-$parts/kernels}"
mkdir -p "$SWITCHYARD_CUDA_CACHE"
chmod go-w "$SWITCHYARD_CUDA_CACHE"
sanitizer=$(command -v compute-sanitizer ||
  find -L "${CUDA_HOME:-/usr/local/cuda}" -name compute-sanitizer -type f 2> /dev/null | head -n 1)
export here parts deadline most sanitizer
# A bundle of the emulator says so, and no goals are held against it; any other one's tests may not
# turn to it.
emulated=
if [ -e "$here/emulated" ]; then
  emulated=1
  export SWITCHYARD_CUDA_PACKAGE="${SWITCHYARD_CUDA_PACKAGE-$here/switchyard-kernels}"
  export SWITCHYARD_BENCH_SHRINK="${SWITCHYARD_BENCH_SHRINK:-128}"
  [ -e "$SWITCHYARD_CUDA_PACKAGE" ] || export SWITCHYARD_CUDA_PACKAGE=
else
  export SWITCHYARD_REQUIRE_GPU=1
fi

say() {  # say STEP TEXT
  echo "$1: $2"
  echo "$1: $2" >> "$out/verdict.txt"
}
# The numbers behind KEY in FILES, each file's first one, added up.
sum() {
  key=$1
  shift
  awk -v key="\"$key\":" 'FNR == 1 { seen = 0 }
    !seen && $1 == key { seen = 1; gsub(/,/, "", $2); total += $2 } END { print total + 0 }' "$@"
}
# The files of a step's parts as one list. Last of all that a step does: what has its file is done.
merge() {
  { echo '['; separator=
    while read -r name; do
      echo "$separator"
      cat "$parts/$1/$name.json"
      separator=,
    done < "$parts/$1.list"
    echo ']'; } > "$parts/$1.all"
  mv "$parts/$1.all" "$out/$1.json"
}
# The files of a step's parts, below $parts, where this runs.
files_of() { sed "s|.*|$1/&.json|" "$parts/$1.list"; }
# run STEP JOBS: the parts named on stdin; 4 where time was up before all were done.
run() {
  mkdir -p "$parts/$1"
  cat > "$parts/$1.list"
  xargs -P "$2" -I {} sh "$self" --part "$1" {} < "$parts/$1.list"
  while read -r name; do
    [ -e "$parts/$1/$name.json" ] || return 4
  done < "$parts/$1.list"
}
# Parts of the replay: each folder of cases by the first letter of its operators.
letters() {
  for folder in "$here"/cases/*/; do
    for letter in a b c d e f g h i j k l m n o p q r s t u v w x y z _; do
      echo "$(basename "$folder")%$letter"
    done
  done | if [ -n "${GPU_REPORT_OPS:-}" ]; then
    sed "s/%.*/%$GPU_REPORT_OPS/" | sort -u
  else
    cat
  fi
}

step_probe() {
  "$here/switchyard" devices --json > "$parts/devices.json" 2> "$parts/probe.error" || {
    say probe "FAILED: $(head -n 1 "$parts/probe.error")"
    return 5
  }
  grep -q '"name": *"cuda"' "$parts/devices.json" || return 3
  "$here/switchyard" devices | grep -q 'cuda:0' || { "$here/switchyard" devices >&2; return 3; }
  smi=$(nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm --format=csv,noheader \
    2> /dev/null | tr '"\n' "' ")
  libraries=$(for library in libcuda.so.1 libnvrtc.so.13 libcublasLt.so.13 libcusolver.so.12 \
    libcufft.so.12 libcudnn.so.9; do
    where=$(echo "$LD_LIBRARY_PATH" | tr ':' '\n' | sed "s|\$|/$library|" |
      while read -r path; do [ ! -e "$path" ] || { echo "$path"; break; }; done)
    [ -n "$where" ] || where=$(ldconfig -p 2> /dev/null | sed -n "s|.*$library .*=> ||p" | head -n 1)
    printf '%s"%s": "%s"' "${separator:-}" "$library" "$where"
    separator=', '
  done)
  printf '{"nvidia_smi": "%s",\n"system": "%s",\n"libraries": {%s},\n"kernels_ahead": %d,\n"devices": %s}\n' \
    "$smi" "$(uname -srm)" "$libraries" "$(find "$here/switchyard-kernels" -name '*.kernel' 2> /dev/null | wc -l)" \
    "$(cat "$parts/devices.json")" > "$parts/probe.new"
  say probe "${smi:-no nvidia-smi}; $("$here/switchyard" devices | grep -m 1 'cuda:0' | tr -s ' ')"
  mv "$parts/probe.new" "$out/probe.json"
}

step_tests() {
  "$here/gpu_tests" --gtest_list_tests | sed -n 's/^\([^ ]*\)\.\( .*\)\{0,1\}$/\1/p' | tr '/' '%' |
    sed '/^\(GraphTest\|RuntimeTest\)$/{p;s/$/+growing/;}' |
    grep -E "${GPU_REPORT_TESTS:-.}" | run tests "$jobs" || return
  [ -s "$parts/tests.list" ] || { say tests "FAILED: gpu_tests lists none"; return 1; }
  # shellcheck disable=SC2046  # names of parts have no blanks
  set -- $(files_of tests)
  failed=$(sum failures "$@")
  skipped=$(cat "$@" | grep -c '"result": "SKIPPED"')
  passed=$(($(sum tests "$@") - failed - skipped))
  for file in "$@"; do
    [ "$(sum failures "$file")" = 0 ] || { echo "== $file"; tail -n 40 "${file%.json}.log"; }
  done > "$parts/tests.failures"
  say tests "$passed passed, $failed failed, $skipped skipped"
  merge tests
  [ "$failed" = 0 ]
}

step_replay() {
  letters | run replay "$jobs" || return
  # shellcheck disable=SC2046
  set -- $(files_of replay)
  failed=$(sum failed "$@")
  for file in "$@"; do grep -A 2 '^FAILED' "${file%.json}.log"; done > "$parts/replay.failures"
  say replay "$(sum passed "$@") passed, $failed failed, $(sum missing "$@") missing"
  merge replay
  [ "$failed" = 0 ]
}

# One row's line, from the JSON of ours and the peer's.
verdict_of() {
  awk -v emulated="$emulated" '
    function number(s) { gsub(/[",]/, "", s); return s + 0 }
    /^"peer":/ { peer = 1 }
    $1 == "\"name\":" && !name { name = $0; sub(/^.*: "/, "", name); sub(/\/iterations.*/, "", name) }
    $1 == "\"error_message\":" && !peer { error = $0; sub(/^.*: /, "", error) }
    $1 == "\"real_time\":" { time[peer + 0] = number($2) }
    $1 == "\"TB/s\":" { unit = "TB/s"; rate[peer + 0] = number($2) }
    $1 == "\"TFLOP/s\":" { unit = "TFLOP/s"; rate[peer + 0] = number($2) }
    $1 == "\"target\":" && !peer { target = number($2) }
    END {
      if (error) { print name ": FAILED, " error; exit }
      if (!unit) { unit = "us"; for (p in time) rate[p] = time[p] }
      met = unit == "us" ? rate[0] <= target : rate[0] >= target
      line = sprintf("%s: %.3f %s", name, rate[0], unit)
      if (1 in rate) line = line sprintf(", PyTorch %.3f", rate[1])
      if (target) line = line sprintf(", goal %g: %s", target, emulated ? "of a GPU" : met ? "met" : "MISSED")
      print line
    }' "$1"
}

step_speed() {
  # Why there is no PyTorch to compare with; empty: there is one.
  without=
  if [ ! -x "$here/peer_cuda" ]; then
    without="the bundle was made without it (TORCH_DIR)"
  elif ! "$here/peer_cuda" --benchmark_list_tests > /dev/null 2> "$parts/peer.error"; then
    without=$(head -n 1 "$parts/peer.error")
  fi
  [ -n "$without" ] && peer= || peer=1
  export peer
  "$here/cuda" --benchmark_list_tests | grep -E "${GPU_REPORT_ROWS:-.}" > "$parts/rows"
  [ -s "$parts/rows" ] || { say speed "FAILED: there are no rows"; return 1; }
  seq 1 "$(wc -l < "$parts/rows")" | run speed 1 || return
  while read -r number; do verdict_of "$parts/speed/$number.json"; done < "$parts/speed.list" \
    > "$parts/speed.verdict"
  [ -z "$without" ] || say speed "without PyTorch: $without"
  while read -r line; do say speed "$line"; done < "$parts/speed.verdict"
  merge speed
  ! grep -qE 'MISSED|FAILED' "$parts/speed.verdict"
}

step_sanitizers() {
  if [ -z "$sanitizer" ]; then
    say sanitizers "NOT RUN: there is no compute-sanitizer"
    echo '[]' > "$out/sanitizers.json"
    return 1
  fi
  for tool in memcheck racecheck initcheck; do letters | sed "s/^/$tool%/"; done |
    run sanitizers "$jobs" || return
  # shellcheck disable=SC2046
  for file in $(files_of sanitizers); do
    [ "$(sum found "$file")" = 0 ] || { echo "== $file"; head -n 60 "${file%.json}.log"; }
  done > "$parts/sanitizers.failures"
  found=0
  for tool in memcheck racecheck initcheck; do
    # shellcheck disable=SC2046
    bad=$(sum found $(files_of sanitizers | grep "/$tool%"))
    say sanitizers "$tool found something in $bad parts"
    found=$((found + bad))
  done
  merge sanitizers
  [ "$found" = 0 ]
}

worst=0
for step in $steps; do
  [ ! -e "$out/$step.json" ] || continue
  status=0
  [ ! -e "$out/verdict.txt" ] || sed -i "/^$step: /d" "$out/verdict.txt"
  "step_$step" || status=$?
  cat "$parts"/*.failures 2> /dev/null | head -c 1000000 > "$out/failures.txt"
  case $status in
    0) ;;
    3) echo "there is no GPU" >&2; exit 3 ;;
    4) echo "$step: time is up; call it again to go on" >&2; exit 4 ;;
    5) echo "the programs do not start here" >&2; exit 1 ;;
    *) worst=1 ;;
  esac
done
# What earlier calls found counts too.
grep -qE 'MISSED|FAILED|NOT RUN|[1-9][0-9]* failed|in [1-9][0-9]* parts' "$out/verdict.txt" && worst=1
exit $worst
