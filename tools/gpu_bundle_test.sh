#!/bin/sh
# gpu_bundle_test.sh [FOLDER]: what tools/gpu_bundle.sh makes, taken to a machine that has nothing
# else: a root with the C and C++ libraries and a shell's usual programs, no compiler, no toolkit.
#
#   1. the bundle for a GPU: its size, and that its report says there that there is no GPU;
#   2. the bundle of the emulator: its report on this machine, which compiles kernels; the same with
#      those kernels in it, in the root: killed on its way, called again, to its end.
#
# FOLDER: where it works and leaves everything; else a temporary one. The root is FOLDER/root, made of
# this machine's own files, or, with GPU_ROOT=debootstrap, Debian's minimal system.
# GPU_REPORT_TESTS, GPU_REPORT_OPS, GPU_REPORT_ROWS: as the report's; a few of each.
# It needs root. Minutes.
set -eu
cd "$(dirname "$0")/.."
[ "$(id -u)" = 0 ] || { echo "gpu_bundle_test.sh: chroot needs root" >&2; exit 2; }
if [ $# -eq 0 ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
else
  mkdir -p "$1"
  work=$(cd "$1" && pwd)
fi
root=$work/root
export GPU_REPORT_TESTS="${GPU_REPORT_TESTS:-^(GpuOnlyTest|GraphTest|SharingTest|ReduceShapeTest)}"
export GPU_REPORT_OPS="${GPU_REPORT_OPS:-cumsum}"
export GPU_REPORT_ROWS="${GPU_REPORT_ROWS:-^(launch/add|copy|exp|sum)}"
fail() {
  echo "failed: $*" >&2
  exit 1
}

# make_root: libraries and programs of this machine.
make_root() {
  mkdir -p "$root/bin" "$root/dev" "$root/tmp" "$root/root"
  for name in sh awk basename cat chmod cp cut date dirname echo env expr find grep head id ls mkdir mv \
    printf rm sed seq sleep sort tail timeout touch tr uname wc xargs; do
    program=$(command -v "$name") || fail "$name is missing here"
    case $program in /*) ;; *) program=/bin/$name ;; esac
    cp -L "$program" "$root/bin/$name"
  done
  # All of the C library's package, and the C++ library.
  for name in libc libm libmvec libdl librt libpthread libresolv libgcc_s libstdc++; do
    ldconfig -p | sed -n "s|.*[[:space:]]$name[.]so[.][0-9]* (libc6,x86-64.*=> ||p" | head -n 1
  done > "$work/wanted"
  for file in "$root"/bin/* $(cat "$work/wanted"); do ldd "$file" 2> /dev/null || true; done |
    grep -o '/[^ )]*' | cat - "$work/wanted" | sort -u > "$work/libraries"
  while read -r library; do
    mkdir -p "$root$(dirname "$library")"
    cp -L "$library" "$root$library"
  done < "$work/libraries"
  [ -e "$root/dev/null" ] || mknod -m 666 "$root/dev/null" c 1 3
  [ -e "$root/dev/urandom" ] || mknod -m 666 "$root/dev/urandom" c 1 9
}
rm -rf "$root"
if [ "${GPU_ROOT:-}" = debootstrap ]; then
  debootstrap --variant=minbase --include=libstdc++6 bookworm "$root" > "$work/debootstrap.log"
else
  make_root
fi
# inside COMMAND…: in the root, where nothing of this machine is known.
inside() {
  # shellcheck disable=SC2086  # words, or nothing
  env -i PATH=/bin:/usr/bin:/sbin:/usr/sbin TMPDIR=/tmp GPU_REPORT_TESTS="$GPU_REPORT_TESTS" \
    GPU_REPORT_OPS="$GPU_REPORT_OPS" GPU_REPORT_ROWS="$GPU_REPORT_ROWS" GPU_REPORT_JOBS=2 \
    ${session:-} chroot "$root" "$@"
}
for compiler in cc c++ g++ gcc clang python3 bazel; do
  ! inside sh -c "command -v $compiler" > /dev/null || fail "the root has $compiler"
done
# unpack BUNDLE FOLDER
unpack() {
  rm -rf "$2/switchyard-gpu"
  mkdir -p "$2"
  tar -C "$2" -xf "$1"
}
small() {
  bytes=$(stat -c %s "$1")
  [ "$bytes" -le $((64 << 20)) ] || fail "$1 has $bytes bytes: more than 64 MiB"
}
steps="probe tests replay speed"
# check_report OUT: all files, whole, and verdicts.
check_report() {
  python3 -c '
import json, sys
for step in sys.argv[2:]:
    json.load(open(f"{sys.argv[1]}/{step}.json"))' "$1" $steps || fail "a file of $1 is no JSON"
  [ "$(ls "$1" | wc -l)" -le 8 ] || fail "more than eight files: $(ls "$1")"
  cat "$1/verdict.txt"
  grep -qE '^tests: [1-9][0-9]* passed, 0 failed' "$1/verdict.txt" || fail "no tests have passed"
  grep -qE '^replay: [1-9][0-9]* passed, 0 failed' "$1/verdict.txt" || fail "no cases have passed"
  grep -q '^speed: copy: .* TB/s' "$1/verdict.txt" || fail "no row was measured"
  grep -q '^speed: without PyTorch: ' "$1/verdict.txt" || fail "it does not say that PyTorch is missing"
}

echo "== 1. for a GPU"
env -u TORCH_DIR tools/gpu_bundle.sh "$work/gpu.tar.xz"
small "$work/gpu.tar.xz"
unpack "$work/gpu.tar.xz" "$root/opt"
status=0
inside /opt/switchyard-gpu/gpu_report.sh /tmp/gpu > "$work/said" 2>&1 || status=$?
cat "$work/said"
[ $status = 3 ] || fail "status $status, 3 was expected of a machine without a GPU"
grep -q "there is no GPU" "$work/said" || fail "it does not say that there is no GPU"
rm -rf "$root/opt/switchyard-gpu"

echo "== 2. of the emulator, here"
tools/gpu_bundle.sh --emulated "$work/first.tar.xz"
unpack "$work/first.tar.xz" "$work/here"
rm -rf "$work/out" "$work/out.parts"
for call in 1 2 3 4 5 6 7 8; do
  status=0
  GPU_REPORT_JOBS=2 "$work/here/switchyard-gpu/gpu_report.sh" "$work/out" $steps || status=$?
  [ $status = 4 ] || break
done
[ $status = 0 ] || { cat "$work/out/failures.txt"; fail "status $status here"; }
check_report "$work/out"

echo "== 3. of the emulator, where there is nothing"
GPU_KERNELS_LIKE="$work/out.parts/kernels" tools/gpu_bundle.sh --emulated "$work/second.tar.xz"
small "$work/second.tar.xz"
unpack "$work/second.tar.xz" "$root/opt"
rm -rf "$root/tmp/out" "$root/tmp/out.parts"
# Killed as soon as some parts of the tests are done, and others are not.
session="setsid -w"  # a process group of its own
inside /opt/switchyard-gpu/gpu_report.sh /tmp/out $steps > "$work/killed" 2>&1 &
watched=$!
session=
while [ "$(ls "$root/tmp/out.parts/tests" 2> /dev/null | grep -c 'json$')" = 0 ]; do
  kill -0 $watched 2> /dev/null || { cat "$work/killed"; fail "it ended before it was killed"; }
  sleep 0.1
done
group=$(ps -o pgid= --ppid $watched | head -n 1 | tr -d ' ')
[ -n "$group" ] && [ "$group" != "$(ps -o pgid= -p $$ | tr -d ' ')" ] || fail "it has no group of its own"
kill -9 -- "-$group"
wait $watched || true
[ ! -e "$root/tmp/out/tests.json" ] || fail "it was killed too late"
early=$(ls "$root/tmp/out.parts/tests"/*.json)
stat -c '%n %Y %i' $early > "$work/early"
for call in 1 2 3 4 5 6 7 8; do
  status=0
  inside /opt/switchyard-gpu/gpu_report.sh /tmp/out $steps || status=$?
  [ $status = 4 ] || break
done
[ $status = 0 ] || { cat "$root/tmp/out/failures.txt"; fail "status $status in the root"; }
check_report "$root/tmp/out"
[ "$(stat -c '%n %Y %i' $early)" = "$(cat "$work/early")" ] || fail "what was done was done again"
[ "$(find "$root/tmp/out.parts/kernels" -type f | wc -l)" = 0 ] || fail "kernels were compiled there"
inside /opt/switchyard-gpu/gpu_report.sh /tmp/out sanitizers > /dev/null && fail "no sanitizer is no success"
grep -q '^sanitizers: NOT RUN: there is no compute-sanitizer' "$root/tmp/out/verdict.txt" ||
  fail "it does not say that there is no sanitizer"
echo "passed"
