#!/bin/sh
# Installs the Debian packages of a list, tools/packages.txt if none is named, that this machine lacks.
set -eu
cd "$(dirname "$0")/.."
missing=""
for package in $(grep -v '^#' "${1:-tools/packages.txt}"); do
  status=$(dpkg-query -W -f='${Status}' "$package" 2>/dev/null || true)
  [ "$status" = "install ok installed" ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing"
sudo=""
[ "$(id -u)" = 0 ] || sudo="sudo"
$sudo apt-get update -q
# shellcheck disable=SC2086  # one word a package
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -q -y --no-install-recommends $missing
