#!/bin/sh
# Builds everything on a fresh Debian machine and runs every test; the heart's, those of plugins,
# and of gradients, collectives and transforms in threads also under the thread sanitizer, and, but
# for the latter three and with the reference cases, under the address and undefined-behaviour
# sanitizers, in one build: a second one would take as long as its tests are worth. Cuda is none of
# it there. clang compiles the heart too. Then come programs that open an installation or are built
# with sanitizers against it, the samples of other projects, and of two backends, and the Python
# package as a wheel; then what files include, which must be a declared dependency, and clang-tidy
# on what the last commit changed.
# Ends with the line "N passed, N failed".
set -u
umask 022  # what others may write is refused, by the tests too
cd "$(dirname "$0")/.."
tools/setup.sh || exit 1
status=0
totals=$(mktemp)
heart="//core/... //registry/... //op/... //dispatcher/..."
plugins="//plugin/... //tests/plugin/... //tests/faults/plugins/..."
threads="//autograd:threads_test //collective:threads_test //transforms:threads_test"
run() {  # run NAME TARGETS [OPTIONS]
  name=$1
  targets=$2
  shift 2
  echo "== $name"
  # shellcheck disable=SC2086  # one word a target
  bazel test --keep_going "$@" -- $targets || status=1
  # shellcheck disable=SC2086
  python3 tools/test_totals.py "$name" $targets >> "$totals" || status=1
}
# Without line numbers, which take a fifth of the time: with them, run what fails again by its name.
run tsan "$heart $plugins $threads" --config=tsan --copt=-g0
run asan+ubsan "$heart $plugins //tests/conformance/..." --config=ubsan --config=asan --copt=-g0
echo "== clang"
# shellcheck disable=SC2086
bazel build --config=clang --output_groups=compilation_outputs $heart || status=1  # links nothing
run "all" "//..."

# What other projects build against an installation, which has been moved since it was made.
prefix=$(mktemp -d)
names=
outside() {  # outside NAME COMMAND…, which prints "NAME: N passed, N failed"; beside the others
  name=$1
  shift
  names="$names $name"
  "$@" > "$prefix/$name.log" 2>&1 &
}
emulator=bazel-bin/tools/install/libemulated_cuda.a
bazel build //tools/install:emulated_cuda || emulator=  # there is no toolkit
tools/install.sh --prefix "$prefix/made" && mv "$prefix/made" "$prefix/moved" || status=1
outside downstream examples/downstream/test.sh "$prefix/moved" ${emulator:+"$PWD/$emulator"}
outside hosts tests/faults/hosts/test.sh "$prefix/moved"
outside opencl examples/plugins/opencl/test.sh "$prefix/moved" tests/conformance/data/* \
  tests/conformance/gradients
outside xnnpack examples/plugins/xnnpack/test.sh "$prefix/moved" tests/conformance/data/*
outside wheel python/tests/wheel_test.sh
outside includes tools/check_includes.py
outside tidy tools/tidy.sh
wait
for name in $names; do
  echo "== $name"
  cat "$prefix/$name.log"
  line=$(grep "^$name: " "$prefix/$name.log" || echo "$name: 0 passed, 1 failed")
  echo "$line" >> "$totals"
  case $line in *" 0 failed") ;; *) status=1 ;; esac
done
rm -rf "$prefix"
cat "$totals"
awk '{ passed += $(NF - 3); failed += $(NF - 1) } END { print passed " passed, " failed " failed" }' \
  "$totals"
rm -f "$totals"
exit $status
