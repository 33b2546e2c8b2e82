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
echo "installed Switchyard $version in $prefix"
