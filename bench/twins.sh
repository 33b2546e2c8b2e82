#!/bin/sh
# Measures libraries against what the tree has in their place, for
# docs/design/2026-11-23-libraries-and-our-twins.md. It needs g++ and valgrind, and builds nothing else.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/headers" "$work/made/switchyard/core"
ln -s "$PWD" "$work/headers/switchyard"
sed s/@SANITIZED@/0/ core/options.h.in > "$work/made/switchyard/core/options.h"
flags="-std=c++20 -O2 -fPIC -fvisibility=hidden -fvisibility-inlines-hidden -ffunction-sections
  -fdata-sections -fno-stack-protector -I. -I$work/headers -I$work/made"
abseil="-Wl,--start-group"
for archive in base bad_optional_access bad_variant_access city civil_time debugging_internal \
    demangle_internal exponential_biased graphcycles_internal hash hashtablez_sampler int128 \
    log_severity low_level_hash malloc_internal raw_hash_set raw_logging_internal spinlock_wait \
    stacktrace strings strings_internal symbolize synchronization throw_delegate time time_zone; do
  abseil="$abseil -l:libabsl_$archive.a"
done
abseil="$abseil -Wl,--end-group"
# shellcheck disable=SC2086  # one word a flag
compile() { # OUTPUT ARGUMENTS…
  output=$1
  shift
  g++ $flags "$@" -o "$work/$output"
}
# shellcheck disable=SC2086
link() { # OUTPUT ARGUMENTS…
  compile "$@" $abseil
}

echo "== Without memory"
link memory bench/twins/memory.cc
"$work/memory"

echo "== The thread sanitizer's warnings: std::mutex, absl::Mutex"
link race -fsanitize=thread bench/twins/race.cc
for mutex in "" absl; do
  "$work/race" $mutex 2>&1 | grep -c WARNING || true
done

echo "== In a shared object: what the linker refuses"
while read -r header use; do
  echo "#include <string>
#include <vector>
#include <absl/$header>
__attribute__((visibility(\"default\"))) void f(const std::string& s) { $use; }" > "$work/use.cc"
  if link use.so -shared -Wl,-z,defs "$work/use.cc" 2> "$work/errors"; then
    echo "$header: links"
  else
    echo "$header: refused"
  fi
done << 'uses'
functional/function_ref.h absl::FunctionRef<size_t()> g = [&] { return s.size(); }; static_cast<void>(g())
cleanup/cleanup.h absl::Cleanup c = [&] { std::string(s).clear(); }
container/inlined_vector.h absl::InlinedVector<char, 4> v(s.begin(), s.end()); v.push_back('x')
container/btree_map.h absl::btree_map<std::string, int> m; m[s] = 1
strings/str_join.h std::string t = absl::StrJoin(std::vector<std::string>{s, s}, ",")
strings/str_cat.h std::string t = absl::StrCat(s, 1)
strings/str_split.h std::vector<std::string> v = absl::StrSplit(s, ':')
container/flat_hash_map.h absl::flat_hash_map<std::string, int> m; m[s] = 1
synchronization/mutex.h static absl::Mutex m; absl::MutexLock l(&m); static_cast<void>(s)
uses

echo "== A look-up"
grep -rhoE '\b[a-z_][a-z_0-9]+(\.[A-Za-z_0-9]+)?\((Tensor|Scalar|int|SymInt)' --include='*.cc' ops |
  sed 's/[.(].*//' | sort -u > "$work/names"
link lookup -DNDEBUG bench/twins/lookup.cc
"$work/lookup" < "$work/names"

echo "== Two checks: time to compile; bytes in the way of a call, and aside"
site() { # NAME FLAGS…
  name=$1
  shift
  begin=$(date +%s%N)
  compile site.o "$@" -c bench/twins/site.cc
  echo "$name: $((($(date +%s%N) - begin) / 1000000)) ms"
  nm -S --radix=d "$work/site.o" | awk '/ _Z[0-9]+Check/ && $3 ~ /[Tt]/ {
    name = $4 ~ /CheckDim/ ? "CheckDim" : "CheckShare"
    print "  " name ($4 ~ /cold/ ? ", aside: " : ": ") $2 + 0
  }'
}
site pieces
site fmt -DWITH_FMT
site "fmt, header-only" -DWITH_FMT -DFMT_HEADER_ONLY
site StrCat -DWITH_STRCAT

echo "== fmt in the heart: bytes of dispatcher/explain.cc with it"
compile explain.so -s -shared -Wl,--gc-sections dispatcher/explain.cc core/format/format.cc third_party/fmt/format.cc
wc -c < "$work/explain.so"

echo "== The log: plain, through our spdlog, through Debian's"
compile core.o -r core/logging.cc core/fork.cc bench/twins/log.cc
compile plain "$work/core.o"
compile own "$work/core.o" core/spdlog_sink/spdlog_sink.cc third_party/fmt/format.cc -Wl,--gc-sections
compile debians "$work/core.o" core/spdlog_sink/program_spdlog.cc -lspdlog -lfmt
for log in plain own debians; do
  strip "$work/$log"
  echo "$log: $(wc -c < "$work/$log") bytes"
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$work/$log" 2>&1 |
    awk '/Collected/ { print "  " $NF " instructions from the start to the end" }'
  echo "  $("$work/$log" messages 2> /dev/null)"
  echo "  $("$work/$log" forks 2> /dev/null)"
done
