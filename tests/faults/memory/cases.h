// Calls to make with and without memory: recorded ones, one an overload.
//
//   Cases cases(150);                       // spread over all overloads
//   replay::Arguments a = …cases.all()[0]   // made without touching the process's registry
//
// Owns: what the calls point to.
// Threads: one at a time.
#ifndef TESTS_FAULTS_MEMORY_CASES_H_
#define TESTS_FAULTS_MEMORY_CASES_H_

#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

#include "switchyard/registry/registry.h"
#include "testing/replay/arguments.h"

namespace sy::testing {

struct Case {
  std::string op;      // "add.Tensor"
  std::string schema;  // behind def
  replay::Json call;
  replay::Blob blob;
  OperatorDef def;
};

class Cases {
 public:
  // About n of the recorded calls that succeed: the first of each overload, evenly spread.
  explicit Cases(size_t n);
  // These overloads.
  explicit Cases(const std::vector<std::string>& ops);

  const std::deque<Case>& all() const { return cases_; }
  // By an entry of a registry of their own, so that the process's is as cold as it was.
  std::unique_ptr<replay::Arguments> Make(const Case& c);

 private:
  void Read();
  void Prepare();

  std::vector<std::shared_ptr<const std::vector<char>>> bytes_;
  std::deque<Case> cases_;
  Registry registry_;
};

}  // namespace sy::testing

#endif  // TESTS_FAULTS_MEMORY_CASES_H_
