#include "tests/faults/recorded/recorded.h"

#include <filesystem>
#include <map>

#include "switchyard/registry/registry.h"
#include "testing/replay/call.h"
#include "testing/replay/gzip.h"

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

void ForEachLine(std::initializer_list<std::string_view> folders,
                 absl::FunctionRef<void(RecordedLine&)> f) {
  for (const std::string_view folder : folders) {
    for (int part = 0;; ++part) {
      const std::string number = std::to_string(part);
      const std::string name = std::string(folder) + "/cases-" + number + ".jsonl.gz";
      const std::string data = "tests/conformance/data/";
      if (part > 0 && !std::filesystem::exists(data + name)) break;
      const auto bytes = std::make_shared<const std::vector<char>>(
          replay::ReadGzip(data + std::string(folder) + "/blob-" + number + ".bin.gz"));
      replay::GzipLines lines(data + name);
      int n = 0;
      for (std::string_view text; lines.Next(&text);) {
        ++n;
        if (text.empty()) continue;
        RecordedLine line{replay::Json::parse(text), bytes, name + ":" + std::to_string(n)};
        f(line);
      }
    }
  }
}

void ForEachCase(int step, absl::FunctionRef<void(const RecordedCase&)> f) {
  std::map<std::string, int> seen;
  int64_t others = 0;
  ForEachLine({"opinfo", "edge"}, [&](const RecordedLine& line) {
    const std::string name = replay::OpOf(line.call);
    const OperatorEntry* const op = Registry::Global().Find(name);
    if (op == nullptr) return;
    const bool first = IsLibraries(name) && seen[name]++ < kFirst;
    if (first || others++ % step == 0) f({line.call, *line.bytes, line.place, *op});
  });
}

}  // namespace sy::testing
