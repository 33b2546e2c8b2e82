#!/bin/sh
# test.sh PREFIX [ARCHIVE]: builds and runs what other projects build against an installation in
# PREFIX; on the cuda device too, where ARCHIVE is that of its emulator (//tools/install:emulated_cuda).
# Ends with "downstream: N passed, N failed".
set -u
umask 022 # a plugin that others may write is refused
cd "$(dirname "$0")" || exit 1
prefix=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# shellcheck source-path=SCRIPTDIR source=../../tools/checks.sh
. ../../tools/checks.sh

exports_one() { # OBJECT
  [ "$(nm -D --defined-only "$1" | cut -d ' ' -f 3)" = sy_plugin_v1 ]
}

in_bazel() { # COMMAND…
  (cd bazel && bazel "$@")
}
check "a Bazel workspace" in_bazel test \
  --override_repository=switchyard="$prefix/share/switchyard/bazel" //...
in_bazel shutdown

check "a CMake project is configured" cmake -S cmake -B "$work/cmake" \
  -DCMAKE_PREFIX_PATH="$prefix" -DEMULATED_CUDA="${2:-}"
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

# A plugin by hand: two headers to build it, a manifest to ship it.
samples=$prefix/share/switchyard/examples/plugins
skeleton=$samples/skeleton
check "a plugin by hand" compile libskeleton.so switchyard-plugin "-I$skeleton" -fPIC -shared \
  -fvisibility=hidden -fno-gnu-unique -Wl,-z,defs \
  "$skeleton/device.cc" "$skeleton/kernels.cc" "$skeleton/plugin.cc"
cp "$skeleton/skeleton.json" "$work/"

SWITCHYARD_PLUGIN_PATH="$work" check "a plugin is loaded" \
  "$prefix/bin/switchyard" run --plugin skeleton --device skeleton add '[1., 2.]' '[3., 4.]'

# The installed samples by CMake, as somebody who has no tree of Switchyard builds them.
for name in skeleton worker; do
  plugin=$work/$name/lib$name.so
  check "$name is configured" cmake -S "$samples/$name" -B "$work/$name" -DCMAKE_BUILD_TYPE=Release \
    -DCMAKE_PREFIX_PATH="$prefix"
  check "$name is built" cmake --build "$work/$name"
  check "$name exports one symbol" exports_one "$plugin"
  SWITCHYARD_PLUGIN_PATH="$work/$name" check "$name is found by its manifest" \
    "$prefix/bin/switchyard" run --plugin "$name" --device "$name" add '[1., 2.]' '[3., 4.]'
  check "$name conforms" "$prefix/bin/switchyard" conform --plugin "$plugin" --device "$name" \
    --cycles 200
done
# With a sanitizer: refused by a program that has no runtime of it, else it finds what is wrong.
asan=$work/asan
check "a plugin with AddressSanitizer is configured" cmake -S "$samples/skeleton" -B "$asan" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="-fsanitize=address -g -O1"
check "a plugin with AddressSanitizer is built" cmake --build "$asan"
run="$prefix/bin/switchyard run --plugin $asan/libskeleton.so --device skeleton"
preload="env LD_PRELOAD=$(gcc -print-file-name=libasan.so) ASAN_OPTIONS=allocator_may_return_null=1"
# shellcheck disable=SC2016,SC2086  # the sentence is for a shell; one word an argument
{
  check "it is refused, with the command that runs it" \
    says 'start it as LD_PRELOAD=$(gcc -print-file-name=libasan.so) switchyard' $run add '[1.]' '[2.]'
  check "it is loaded with the runtime preloaded" says 'tensor(\[3.\]' $preload $run add '[1.]' '[2.]'
  check "it conforms" $preload "$prefix/bin/switchyard" conform --plugin "$asan/libskeleton.so" \
    --device skeleton --check 'kernels.*'
}
mkdir "$work/overflow"
cp "$samples"/skeleton/* "$work/overflow/"
sed -i 's/out.data<T>()\[o\] = value/out.data<T>()[o + 1] = value/' "$work/overflow/kernels.cc"
check "one that writes past an end is configured" cmake -S "$work/overflow" -B "$work/overflow/build" \
  -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_FLAGS="-fsanitize=address -g -O1"
check "one that writes past an end is built" cmake --build "$work/overflow/build"
# shellcheck disable=SC2086
check "and caught" says 'heap-buffer-overflow' $preload "$prefix/bin/switchyard" run \
  --plugin "$work/overflow/build/libskeleton.so" --device skeleton full '[16]' 1.

# In C, and with what a plugin must not have.
check "the smallest plugins are configured" cmake -S plugin -B "$work/plugin" -DCMAKE_PREFIX_PATH="$prefix"
check "a plugin in C is built" cmake --build "$work/plugin" --target plain
check "a plugin in C is loaded" "$prefix/bin/switchyard" run --plugin "$work/plugin/libplain.so" \
  plain::nothing '[1., 2.]'
check "a plugin in C++ is built" cmake --build "$work/plugin" --target small
check "a plugin in C++ is loaded" says 'tensor(\[2., 4.\])' "$prefix/bin/switchyard" run \
  --plugin "$work/plugin/libsmall.so" small::twice '[1., 2.]'
check "what is undefined is refused" fails cmake --build "$work/plugin" --target undefined
check "a manifest of another object is refused" says 'libother.so' \
  cmake -S plugin -B "$work/other" -DCMAKE_PREFIX_PATH="$prefix" -DMANIFEST=other.json

# docs/write-a-backend.md, done as its reader would.
check "the guide" python3 guide.py "$prefix" ../../tests/conformance/data/kinds

echo "downstream: $passed passed, $failed failed"
[ "$failed" = 0 ]
