#include "tests/faults/recorded/recorded.h"

#include <array>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "switchyard/registry/registry.h"
#include "tools/replay/call.h"
#include "tools/replay/gzip.h"

namespace sy::testing {
namespace {

constexpr int kFirst = 3;  // cases of each overload of the libraries' operators, at least

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool IsLibraries(std::string_view op) {
  const std::string_view name = op.substr(0, op.find('.'));
  constexpr std::string_view kParts[] = {
      "linalg", "cholesky", "lstsq",  "svd",     "qr",      "conv",      "fft",  "matmul", "bmm",
      "addm",   "addr",     "einsum", "lu_",     "inverse", "attention", "dot",  "linear", "det",
      "lstm",   "gru",      "cdist",  "matrix_", "geqrf",   "ormqr",     "orgqr"};
  for (std::string_view part : kParts) {
    if (Contains(name, part)) return true;
  }
  constexpr std::string_view kNames[] = {"mm", "mv", "mm_", "mv_", "inner", "outer", "tensordot"};
  for (std::string_view n : kNames) {
    if (name == n) return true;
  }
  return false;
}

bool IsLong() {
  const char* const set = std::getenv("SWITCHYARD_LONG");
  return set != nullptr && std::string_view(set) == "1";
}

void ForEachCase(int step, const std::function<void(const RecordedCase&)>& f) {
  constexpr std::array<std::array<const char*, 3>, 3> kFiles = {{{"opinfo", "cases-0", "blob-0"},
                                                                 {"opinfo", "cases-1", "blob-1"},
                                                                 {"edge", "cases-0", "blob-0"}}};
  std::map<std::string, int> seen;
  int64_t others = 0;
  for (const auto& [folder, cases, bytes] : kFiles) {
    const std::string path = std::string("tests/conformance/data/") + folder + "/";
    const std::vector<char> blob = replay::ReadGzip(path + bytes + ".bin.gz");
    replay::GzipLines lines(path + cases + ".jsonl.gz");
    int number = 0;
    for (std::string_view line; lines.Next(&line);) {
      ++number;
      if (line.empty()) continue;
      const replay::Json call = replay::Json::parse(line);
      const std::string name = replay::OpOf(call);
      const OperatorEntry* const op = Registry::Global().Find(name);
      if (op == nullptr) continue;
      const bool first = IsLibraries(name) && seen[name]++ < kFirst;
      if (!first && others++ % step != 0) continue;
      f({call, blob, std::string(folder) + "/" + cases + ".jsonl.gz:" + std::to_string(number),
         *op});
    }
  }
}

}  // namespace sy::testing
