// One drawn call on the device, held against what is right: the host's kernel (a reference that
// the plugin or another one registers for cpu, where the operator is the plugin's own), or, where
// the host has none, a second run on the same elements in another layout.
//
//   Measure m(session, trial, elements);
//   switch (m.Take(call)) { … }            // Broken where the device is wrong
//
// Owns: nothing. Threads: one. Errors: leaves the check by Broken.
#ifndef TESTING_CONFORM_MEASURE_H_
#define TESTING_CONFORM_MEASURE_H_

#include "testing/conform/made.h"
#include "testing/conform/trial.h"
#include "testing/replay/special.h"

namespace sy::conform {

enum class Taken : uint8_t { kRefused /* not a call to make */, kDeclined, kServed };

// What the host says of a call.
struct HostAnswer {
  enum { kRefuses, kHasNoKernel, kGives } kind = kRefuses;
  Given given;
};
HostAnswer AskHost(const DrawnCall& call);

// "" or how the results of op differ, as far as they are determined.
std::string Disagree(const Session& s, const OperatorEntry& op, std::span<const Value> arguments,
                     const std::vector<Tensor>& got, const std::vector<Tensor>& expected);

class Measure {
 public:
  Measure(const Session& session, const Trial& trial) : s_(session), t_(trial) {}
  // call: of the trial's operator; form: one of its variants, which writes; null: itself.
  Taken Take(const DrawnCall& call, const OperatorEntry* form = nullptr);

 private:
  Taken AgainstHost(const DrawnCall& call, const OperatorEntry& form);
  Taken AgainstItself(const DrawnCall& call);
  Given Run(const OperatorEntry& op, std::span<const Value> values);

  const Session& s_;
  const Trial& t_;
  bool declined_ = false;  // a kernel of the plugin's has passed the last call on
};

}  // namespace sy::conform

#endif  // TESTING_CONFORM_MEASURE_H_
