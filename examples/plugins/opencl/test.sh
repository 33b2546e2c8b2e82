#!/bin/sh
# test.sh PREFIX CASES…: builds the plugin against the installation in PREFIX, runs its tests,
# looks at what it leaves in the process, loads it CYCLES times (1000 unless set), also in threads,
# cuts off its object and its manifest, lets its driver and its memory fail at 4 places of each kind
# (PLACES, 0 for all of them) and replays the reference cases in the folders CASES on it, gradients
# too.
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
# Beside its manifest.
cp -L bazel-bin/libswitchyard_opencl.so opencl.json "$work"
plugin=$work/libswitchyard_opencl.so
conform="$prefix/bin/switchyard conform --plugin $plugin --device opencl --limit 3600"
for pattern in hygiene.rounding hygiene.locale hygiene.terminate hygiene.threads lifecycle.cycles \
  faults.threads faults.object faults.manifest; do
  # shellcheck disable=SC2086  # one word an argument
  check "$pattern" $conform --check "$pattern" --cycles "${CYCLES:-1000}" \
    --known "hygiene.threads=PoCL keeps a thread for each processor"
done
# Functions of OpenCL and what they answer, those that say it by an argument with its position. Not
# those that wait or give back, after which the program could not go on.
driver="clCreateBuffer=0@5:-4,clCreateCommandQueue=0@4:-6,clCreateContext=0@6:-6"
driver="$driver,clCreateProgramWithSource=0@5:-6,clCreateKernel=0@3:-6,clBuildProgram=-11"
driver="$driver,clSetKernelArg=-6,clEnqueueMapBuffer=0@10:-5,clEnqueue[!U]*=-5,clFlush=-5"
for pattern in faults.driver faults.memory; do
  # shellcheck disable=SC2086
  check "$pattern" env GLIBC_TUNABLES=glibc.malloc.tcache_count=0 $conform --check "$pattern" \
    --places "${PLACES:-4}" --driver "$driver"
done
for folder in $cases; do
  check "replay of ${folder##*/}" "$prefix/bin/switchyard" replay "$folder" --device opencl \
    --plugin "$plugin" --report "$work/report.json"
  tail -n 1 "$work/log"
done

echo "opencl: $passed passed, $failed failed"
[ "$failed" = 0 ]
