#!/bin/sh
# test.sh PREFIX: what Switchyard, installed in PREFIX, is to the program that it is part of: opened
# while it runs, from C, C++ and Python; built with sanitizers; with more rights than its user.
#
# PYTHON names the Python that is the host (python3): one that has PyTorch is tested with it. Ends
# with "hosts: N passed, N failed".
set -u
tree=$(cd "$(dirname "$0")/../../.." && pwd)
cd "$(dirname "$0")" || exit 1
prefix=$1
python=${PYTHON:-python3}
work=$(mktemp -d)
chmod 755 "$work"
trap 'rm -rf "$work"' EXIT
# shellcheck source-path=SCRIPTDIR source=../../../tools/checks.sh
. "$tree/tools/checks.sh"
skip() { # NAME REASON
  echo "skipped $1: $2"
}
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig"
flags() { # PACKAGE
  pkg-config --cflags --libs "$1"
}

# --- Opened while the program runs

# shellcheck disable=SC2046  # one word a flag
{
  check "the shim is built" g++ -std=c++20 -O1 -fPIC -shared -fvisibility=hidden -Wl,-z,defs \
    shim.cc -o "$work/shim.so" $(flags switchyard) "-Wl,-rpath,$prefix/lib"
  check "a host in C is built" gcc -std=c11 -Wall -Wextra -Werror host.c settings.c -o "$work/host" \
    -lm -ldl -pthread
  check "a host in C++ is built" g++ -std=c++20 host_cxx.cc -o "$work/host_cxx" -ldl
}
shim=$work/shim.so
check "a host in C" "$work/host" "$shim"
check "a host in C that uses OpenMP" "$work/host" "$shim" libgomp.so.1
check "a host in C that uses OpenBLAS" "$work/host" "$shim" libgomp.so.1 libopenblas.so.0
check "a host in C++" "$work/host_cxx" "$shim"
check "a host in Python" "$python" host.py "$shim"
for module in numpy torch; do
  if "$python" -c "import $module" 2> /dev/null; then
    check "after $module in Python" "$python" host.py "$shim" $module
    check "before $module in Python" "$python" host.py "$shim" +$module
  else
    skip "$module" "$python does not have it (PYTHON names another)"
  fi
done

# shellcheck disable=SC2046
{
  check "an object with operators is built" g++ -std=c++20 -I"$tree/examples/downstream" -fPIC \
    -shared -fvisibility=hidden -fno-gnu-unique "$tree/examples/downstream/demo/rms_norm.cc" \
    "$tree/examples/downstream/demo/rms_norm_cpu.cc" -o "$work/rms_norm.so" $(flags switchyard)
  check "a program that closes it is built" g++ -std=c++20 closed.cc -o "$work/closed" \
    $(flags switchyard) "-Wl,-rpath,$prefix/lib"
}
check "operators of an object that was closed" "$work/closed" "$work/rms_norm.so"

# --- Built with sanitizers

for sanitizer in address thread undefined leak; do
  for package in switchyard switchyard-static; do
    program=$work/$sanitizer-$package
    # shellcheck disable=SC2046
    check "-fsanitize=$sanitizer, $package, is built" g++ -std=c++20 -g1 -O1 \
      -fsanitize=$sanitizer -fno-sanitize-recover=all sanitized.cc -o "$program" \
      $(flags $package) "-Wl,-rpath,$prefix/lib" -pthread
    check "-fsanitize=$sanitizer, $package" env ASAN_OPTIONS=detect_leaks=1 \
      TSAN_OPTIONS=halt_on_error=1 "$program"
  done
done

# --- What is opened

if strace -o "$work/none" true 2> /dev/null; then
  traced() { # ARGUMENTS…
    strace -f -qq -o "$work/trace" -e trace=%file,%network,%process,memfd_create,bpf \
      -e signal=none "$@" > "$work/output" &&
      sed -i -e '/ exit(\|exit_group(\|clone\|wait4(\|+++\|resumed>/d' "$work/trace" &&
      python3 opens.py "$tree/docs/security.md" "$work/trace" "$prefix" "$work"
  }
  check "what a host opens" traced "$work/host_cxx" "$shim"
  check "what the command opens" traced "$prefix/bin/switchyard" run matmul '[[1., 2.]]' '[[3.], [4.]]'
else
  skip "what is opened" "strace may not be used here"
fi

# --- A plugin with a library of its own, which lies beside it; by a symbolic link as well

skeleton=$tree/examples/plugins/skeleton
build_plugin() { # FOLDER ARGUMENTS…
  folder=$1
  shift
  # shellcheck disable=SC2046
  mkdir -p "$folder" && g++ -std=c++20 -fPIC -shared -fvisibility=hidden -fno-gnu-unique \
    -I"$skeleton" "$skeleton/device.cc" "$skeleton/kernels.cc" "$skeleton/plugin.cc" "$@" \
    $(flags switchyard-plugin) -o "$folder/libskeleton.so"
}
mkdir -p "$work/beside"
echo 'int beside(void) { return 1; }' > "$work/beside.c"
gcc -shared -fPIC "$work/beside.c" -o "$work/beside/libbeside.so"
# shellcheck disable=SC2016  # the dynamic linker's
check "a plugin with a library beside it is built" build_plugin "$work/beside" \
  -Wl,--no-as-needed -L"$work/beside" -lbeside '-Wl,-rpath,$ORIGIN'
ln -s libskeleton.so "$work/beside/libother.so"
for name in libskeleton libother; do
  check "$name.so is loaded" says 'tensor(\[3.\]' "$prefix/bin/switchyard" run \
    --plugin "$work/beside/$name.so" --device skeleton add '[1.]' '[2.]'
done

# --- With more rights than its user

somebody=65534
as_somebody() { # COMMAND…
  setpriv --reuid=$somebody --regid=100 --clear-groups env HOME="$work" "$@"
}
set_group() { # FILE: those who run it have one group more
  chgrp $somebody "$1" && chmod 2755 "$1"
}
privileged() {
  [ "$(id -u)" = 0 ] && gcc secure.c -o "$work/secure" && set_group "$work/secure" &&
    as_somebody "$work/secure"
}
if privileged 2> /dev/null; then
  install -m 755 "$prefix/bin/switchyard" "$work/plain"
  install -m 755 "$prefix/bin/switchyard" "$work/special"
  set_group "$work/special"
  mkdir -p "$work/cuda/lib64"
  check "a plugin is built" build_plugin "$work/plugins"
  cp "$skeleton/skeleton.json" "$work/plugins/"
  chmod -R go=rX "$work/plugins"
  check "a user's folders are looked in" says skeleton \
    as_somebody env SWITCHYARD_PLUGIN_PATH="$work/plugins" "$work/plain" plugins
  check "but not by a program with more rights" fails says skeleton \
    as_somebody env SWITCHYARD_PLUGIN_PATH="$work/plugins" "$work/special" plugins
  run="run --plugin $work/plugins/libskeleton.so --device skeleton add [1.] [2.]"
  # shellcheck disable=SC2086
  {
    check "a plugin of root's is loaded" says 'tensor(\[3.\]' as_somebody "$work/plain" $run
    check "and by a program with more rights" says 'tensor(\[3.\]' as_somebody "$work/special" $run
    chown -R $somebody "$work/plugins"
    check "a plugin of the user's is loaded" says 'tensor(\[3.\]' as_somebody "$work/plain" $run
    check "but not by a program with more rights" says 'expected root: this process has rights' \
      as_somebody "$work/special" $run
    check "nor by root" says "belongs to user $somebody, expected root or user 0" "$work/plain" $run
  }
  check "log levels are the user's" says 'are not searched in' as_somebody env \
    SWITCHYARD_PLUGIN_PATH=relative SWITCHYARD_LOG_LEVEL=warning "$work/plain" plugins
  check "but not in a program with more rights" fails says 'searched in' as_somebody env \
    SWITCHYARD_PLUGIN_PATH=relative SWITCHYARD_LOG_LEVEL=trace "$work/special" plugins
  if "$work/plain" version | grep -q "driver is not installed"; then
    gcc -shared -fPIC touched.c -o "$work/cuda/lib64/libcuda.so.1"
    opened="a library of the user's was opened"
    check "CUDA_HOME is the user's" says "$opened" \
      as_somebody env CUDA_HOME="$work/cuda" "$work/plain" version
    check "but not in a program with more rights" fails says "$opened" \
      as_somebody env CUDA_HOME="$work/cuda" "$work/special" version
    cd "$work" || exit 1
    check "nor where it is relative" says "CUDA_HOME, 'cuda': it is not an absolute path" \
      as_somebody env CUDA_HOME=cuda "$work/plain" version
    check "when it is not looked in" fails says "$opened" \
      as_somebody env CUDA_HOME=cuda "$work/plain" version
  else
    skip "CUDA_HOME" "there is a driver, or no cuda backend"
  fi
else
  skip "more rights than the user" "only root can give them, and not on every file system"
fi

echo "hosts: $passed passed, $failed failed"
[ "$failed" = 0 ]
