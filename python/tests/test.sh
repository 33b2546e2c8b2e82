#!/bin/sh
# Runs the tests of the package in a folder, with Debian's Python:  test.sh FOLDER PLUGIN
# PLUGIN: examples/plugins/skeleton's library, whose folder others may not write.
set -u
PYTHONPATH=$PWD/$1
SKELETON=$(readlink -f "$2")
IO_TESTDATA=$PWD/io/testdata
export IO_TESTDATA SKELETON PYTHONPATH PYTHONDONTWRITEBYTECODE=1
cd "$(dirname "$0")" || exit 1
/usr/bin/python3 -m pytest -q --no-header -p no:cacheprovider .
