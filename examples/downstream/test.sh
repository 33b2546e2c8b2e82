#!/bin/sh
# test.sh PREFIX: builds and runs what other projects build against an installation in PREFIX.
# Ends with "downstream: N passed, N failed".
set -u
cd "$(dirname "$0")"
prefix=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
check() { # NAME COMMAND…
  name=$1
  shift
  if "$@" > "$work/log" 2>&1; then
    passed=$((passed + 1))
    echo "ok     $name"
  else
    failed=$((failed + 1))
    echo "FAILED $name"
    cat "$work/log"
  fi
}

in_bazel() { # COMMAND…
  (cd bazel && bazel "$@")
}
check "a Bazel workspace" in_bazel test \
  --override_repository=switchyard="$prefix/share/switchyard/bazel" //...
in_bazel shutdown

check "a CMake project is configured" cmake -S cmake -B "$work/cmake" -DCMAKE_PREFIX_PATH="$prefix"
check "a CMake project is built" cmake --build "$work/cmake"
check "a CMake project is tested" \
  ctest --test-dir "$work/cmake" --output-on-failure --no-tests=error

export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
compile() { # OUTPUT PACKAGE ARGUMENTS…
  output=$1
  package=$2
  shift 2
  # shellcheck disable=SC2046  # one word a flag
  g++ -std=c++20 -I. "$@" -o "$work/$output" $(pkg-config --cflags --libs "$package")
}
rms_norm="demo/check.cc demo/rms_norm.cc demo/rms_norm_cpu.cc"
# shellcheck disable=SC2086  # one word a file
check "pkg-config, static" compile static switchyard-static $rms_norm
check "the program" "$work/static"
# shellcheck disable=SC2086
check "pkg-config, shared" compile shared switchyard $rms_norm \
  "-Wl,-rpath,$prefix/lib"
check "the program" "$work/shared"

# A plugin: two headers to build it, a manifest to ship it.
skeleton=../plugins/skeleton
check "a plugin" compile libskeleton.so switchyard-plugin -I$skeleton -fPIC -shared \
  -fvisibility=hidden -fno-gnu-unique -Wl,-z,defs \
  $skeleton/device.cc $skeleton/kernels.cc $skeleton/plugin.cc
cp $skeleton/skeleton.json "$work/"
export SWITCHYARD_PLUGIN_PATH="$work"
check "a plugin is loaded" \
  "$prefix/bin/switchyard" run --plugin skeleton --device skeleton add '[1., 2.]' '[3., 4.]'

echo "downstream: $passed passed, $failed failed"
[ "$failed" = 0 ]
