#!/bin/sh
# Installs headers, libraries and the command:  tools/install.sh --prefix DIR
set -eu
cd "$(dirname "$0")/.."
[ $# = 2 ] && [ "$1" = --prefix ] || { sed -n 2p "$0" >&2; exit 2; }
case "$2" in /*) prefix=$2 ;; *) prefix=$OLDPWD/$2 ;; esac
version=$(sed -n 's/.*kVersion = "\(.*\)".*/\1/p' core/version.h)

bazel build //tools/install
built=bazel-bin/tools/install
install -d "$prefix/bin" "$prefix/include" "$prefix/lib"
rm -rf "$prefix/include/switchyard"
cp -RL "$built/include/switchyard" "$prefix/include/"
chmod -R u=rwX,go=rX "$prefix/include/switchyard"
install -m 755 bazel-bin/tools/switchyard "$prefix/bin/"
install -m 644 "$built"/libswitchyard*.a "$prefix/lib/"
install -m 755 "$built/libswitchyard.so" "$prefix/lib/libswitchyard.so.$version"
ln -sf "libswitchyard.so.$version" "$prefix/lib/libswitchyard.so.${version%.*}"
ln -sf "libswitchyard.so.${version%.*}" "$prefix/lib/libswitchyard.so"
install -d "$prefix/lib/switchyard"  # engines, opened when a group asks for one
for engine in gloo mpi; do
  install -m 755 "bazel-bin/collective/$engine/libswitchyard_$engine.so" "$prefix/lib/switchyard/"
done
install -d "$prefix/lib/cmake/Switchyard" "$prefix/lib/pkgconfig"
for file in SwitchyardConfig SwitchyardConfigVersion; do
  sed "s/@VERSION@/$version/" "tools/install/cmake/$file.cmake" \
    > "$prefix/lib/cmake/Switchyard/$file.cmake"
done
python3 tools/install/loop_flags.py backends/cpu/isa.bzl \
  < tools/install/cmake/SwitchyardFormulas.cmake \
  > "$prefix/lib/cmake/Switchyard/SwitchyardFormulas.cmake"
install -m 644 tools/install/cmake/SwitchyardPlugin.cmake "$prefix/lib/cmake/Switchyard/"
for file in switchyard switchyard-plugin switchyard-static; do
  sed "s/@VERSION@/$version/" "tools/install/pkgconfig/$file.pc" > "$prefix/lib/pkgconfig/$file.pc"
done

# A Bazel repository: targets, links to what lies above, and the repositories that Debian's Bazel
# asks for.
share=$prefix/share/switchyard/bazel
rm -rf "$share"
install -d "$share/include" "$share/lib" "$share/third_party"
install -m 644 tools/install/bazel/installed.BUILD "$share/BUILD.bazel"
install -m 644 tools/install/bazel/installed.WORKSPACE "$share/WORKSPACE"
install -m 644 tools/install/bazel/formulas.bzl backends/cpu/isa.bzl "$share/"
install -m 644 tools/install/bazel/plugin.bzl tools/install/bazel/plugin.lds "$share/"
install -m 644 ops/formulas/defs.bzl "$share/formula_sources.bzl"
cp -RL third_party/bazel "$share/third_party/"
ln -s ../../../../include/switchyard "$share/include/switchyard"
for library in "$prefix"/lib/libswitchyard*; do
  ln -s "../../../../lib/${library##*/}" "$share/lib/"
done

# Plugins to copy; their tests are this tree's.
for name in skeleton worker; do
  sample=$prefix/share/switchyard/examples/plugins/$name
  rm -rf "$sample"
  install -d "$sample"
  for file in examples/plugins/"$name"/*; do
    case $file in *_test.cc | */BUILD.bazel) ;; *) install -m 644 "$file" "$sample/" ;; esac
  done
done
echo "installed Switchyard $version in $prefix"
