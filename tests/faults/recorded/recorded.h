// The reference cases (tests/conformance/README.md), one after the other, for suites that do
// something else with each call than compare its results.
//
//   ForEachCase(IsLong() ? 1 : 20, [](const RecordedCase& c) { ReplayCall(c.call, c.blob, …); });
//
// Owns: one blob at a time, which lines share; a case lives as long as the function that is given
// it.
// Threads: one at a time.
// Errors: as testing/replay/folder.h's.
#ifndef TESTS_FAULTS_RECORDED_RECORDED_H_
#define TESTS_FAULTS_RECORDED_RECORDED_H_

#include <absl/functional/function_ref.h>

#include <initializer_list>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/registry/entry.h"
#include "testing/replay/recorded.h"

namespace sy::testing {

// A case as it lies in its file; asks nothing of the registry.
struct RecordedLine {
  replay::Json call;
  std::shared_ptr<const std::vector<char>> bytes;  // its blob
  std::string place;                               // "opinfo/cases-0.jsonl.gz:12"
};

// All of these folders, in order: "opinfo", "edge". Each has a part 0, and may have more.
void ForEachLine(std::initializer_list<std::string_view> folders,
                 absl::FunctionRef<void(RecordedLine&)> f);

struct RecordedCase {
  const replay::Json& call;
  replay::Blob blob;
  const std::string& place;
  const OperatorEntry& op;
};

// The registered operators' cases; of each operator that IsLibraries the first ones, and of the
// others every `step`-th case.
void ForEachCase(int step, absl::FunctionRef<void(const RecordedCase&)> f);

// Whether a library may compute it: products, factorisations, convolutions, and what is made of
// them.
bool IsLibraries(std::string_view op);

}  // namespace sy::testing

#endif  // TESTS_FAULTS_RECORDED_RECORDED_H_
