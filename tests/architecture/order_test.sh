#!/bin/sh
set -eu
cd "$(dirname "$(readlink -f WORKSPACE)")"
exec python3 tests/architecture/order_test.py
