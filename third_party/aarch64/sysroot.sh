#!/bin/sh
# Makes DIR what programs for aarch64 are built against and run with: the libraries of
# tools/packages.txt and what they need, unpacked from Debian's arm64 packages. Nothing is installed,
# and no package of this machine changes.
#
#   third_party/aarch64/sysroot.sh DIR
#
# 50 MB are downloaded and 500 unpacked, once: a folder that has what the list says is left alone.
set -eu
[ $# = 1 ] || { echo "usage: $0 DIR" >&2; exit 2; }
mkdir -p "$1"
root=$(cd "$1" && pwd)
cd "$(dirname "$0")/../.."
packages=$(grep -E '^(lib|nlohmann|zlib)' tools/packages.txt)
[ "$(cat "$root/packages.txt" 2>/dev/null || true)" != "$packages" ] || exit 0

# An apt of its own, which knows of no installed package.
apt=$root/apt
mkdir -p "$apt/lists/partial" "$apt/archives/partial"
own_apt() {
  apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 \
    -o APT::Install-Recommends=false -o APT::Sandbox::User=root \
    -o Dir::State="$apt" -o Dir::State::status=/dev/null -o Dir::Cache="$apt" "$@"
}
own_apt update
# shellcheck disable=SC2086  # one word a package
own_apt install --download-only $packages
for package in "$apt"/archives/*.deb; do
  dpkg-deb -x "$package" "$root"
done
rm -rf "$apt"

# What packages do when they are installed: OpenBLAS is chosen as the BLAS.
for folder in lib include; do
  at=$root/usr/$folder/aarch64-linux-gnu
  for file in "$at"/openblas-pthread/*; do
    [ ! -f "$file" ] || ln -sf "openblas-pthread/${file##*/}" "$at/${file##*/}"
  done
done
# Links to absolute paths lead into this folder.
find "$root" -type l -lname '/*' | while read -r link; do
  ln -sfr "$root$(readlink "$link")" "$link"
done
echo "$packages" > "$root/packages.txt"
