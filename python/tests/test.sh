#!/bin/sh
# Runs the tests of the package in a folder, with Debian's Python:  test.sh FOLDER
set -u
PYTHONPATH=$PWD/$1
export PYTHONPATH PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")" || exit 1
/usr/bin/python3 -m pytest -q --no-header -p no:cacheprovider .
