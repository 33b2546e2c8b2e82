#!/bin/sh
# The headers alone, in a folder of their own: a plugin in C++17 and one in C11 are built from
# them by the compilers that there are, and a program loads them.
#   outside_tree_test.sh COMMAND TOY_CC TOY_C HEADER…
set -eu
command=$PWD/$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/include/switchyard/c"
cp "$2" "$3" "$folder/"
shift 3
cp "$@" "$folder/include/switchyard/c/"
cd "$folder"

warnings="-Wall -Wextra -Wpedantic -Werror"
shared="-O1 -fPIC -shared -fvisibility=hidden -Wl,-z,defs -Iinclude"

loads() { # object: its operator runs in a program
  got=$("$command" run --plugin "$folder/$1" toy::twice '[1., 2.]' 2>&1) || true
  if [ "$got" != "tensor([2., 4.])" ]; then
    echo "$1: expected tensor([2., 4.]), got: $got" >&2
    exit 1
  fi
}

# shellcheck disable=SC2086  # one word an option
build() { # output, then the compiler with its own options
  output=$1
  shift
  "$@" $warnings $shared -o "$output"
  loads "$output"
}

build libtoy17.so g++ -std=c++17 -fno-gnu-unique toy.cc
build libtoy20.so g++ -std=c++20 -fno-gnu-unique toy.cc
build libtoyc.so gcc -std=c11 toy.c
if command -v clang++ > /dev/null 2>&1; then
  build libtoy17_clang.so clang++ -std=c++17 toy.cc
  build libtoyc_clang.so clang -std=c11 toy.c
fi
echo "passed"
