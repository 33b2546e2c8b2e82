#!/bin/sh
# tls_test.sh LIBSWITCHYARD: what it asks of a program that opens it while it runs.
set -eu
# Each thread's data. The C library sets aside some hundred bytes for all libraries that are opened
# after the start (glibc's rtld.optional_static_tls: 512), and others need some as well.
most=512
size=$(readelf -lW "$1" | awk '$1 == "TLS" { print $6 }')
echo "data of each thread: $((size)) bytes, at most $most"
[ $((size)) -le $most ]
# Neither a stack that code may run on, nor code that is changed, nor a search path of its own.
readelf -lW "$1" | grep -q 'GNU_STACK .* RW '
if readelf -dW "$1" | grep -E 'RPATH|RUNPATH|TEXTREL'; then exit 1; fi
# It stays when it is closed: threads that have called it end in its code.
readelf -dW "$1" | grep -q 'FLAGS_1.*NODELETE'
# A program's fmt, spdlog and Abseil are none of what is linked into it.
if nm -DC --defined-only "$1" | grep -E '\b(fmt|absl|spdlog|switchyard_spdlog)::'; then exit 1; fi
