// The conformance kit: named checks of a plugin's device, beyond replaying values.
//
//   for (const Check* c : AllChecks()) report.push_back({c->name, RunApart(*c, subject, 60s)});
//
// A check loads the plugin itself, in a process of its own: one that crashes, hangs or leaves the
// process spoilt fails, and the others go on. It returns where everything holds, calls Broken where
// something does not, and NotApplicable where the plugin lacks what it looks at.
// Owns: nothing. Checks live for the process.
// Threads: RunApart before kernels have run in this process, since a fork takes no threads along.
// Errors: RunApart: kUnavailable where there is no process to be had.
#ifndef TESTING_CONFORM_CHECK_H_
#define TESTING_CONFORM_CHECK_H_

#include <chrono>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/core/error.h"

namespace sy::conform {

// What is checked, and how thoroughly.
struct Subject {
  std::string plugin;   // path of the object
  std::string device;   // "skeleton", "skeleton:1"
  std::string other;    // path of a second plugin, with a device of its own; may be empty
  int cycles = 10'000;  // of loading, using and unloading
  bool large = false;   // also what needs gigabytes
  // Operators of one tensor of the device that make it fail on purpose: a call whose queued work
  // fails later, and one that loses the device. May be empty.
  std::string fail, lose;
  // Operators of the plugin's own that are not called, as patterns; "OPERATOR@CHECK": by these
  // checks.
  std::vector<std::string> skip;
  std::string reference;  // path of a plugin whose cpu kernels say what they give; may be empty
  int draws = 60;         // calls at random of each kernel and dtype, in each check
  uint64_t seed = 1;      // of what is drawn
  // Functions of the plugin's driver, and what they answer where they are refused
  // (testing/conform/refusal.h).
  std::vector<std::string> driver;
  int places = 20;  // at which each kind of fault is tried; 0: at every one
};

struct Check {
  const char* name;  // "memory.offset_views"
  const char* what;  // in a sentence
  void (*run)(const Subject&);
  bool exits = false;  // passes by ending its process with status 0
};

enum class Verdict { kPassed, kFailed, kNotApplicable };
std::string_view Name(Verdict v);  // "pass", "fail", "n/a"

// How often a check has called a kernel of the plugin's on a dtype.
struct Exercise {
  std::string op, dtype;    // "add.Tensor", "float32"
  int64_t calls = 0;        // that it served
  int64_t declined = 0;     // that it passed on
  bool second_run = false;  // measured by another run of itself: there is no reference
};

struct Outcome {
  Verdict verdict = Verdict::kPassed;
  std::string why = {};
  std::vector<Exercise> exercised = {};  // every kernel that the check knows of, called or not
};

// In a check's process: its name.
std::string_view RunningCheck();

// In a check's process: what is about to be called, for the report where that kills it or hangs.
void SayCalled(std::string_view call);

// In a check's process: the counts of an operator and dtype, made where there are none.
Exercise& Counted(const std::string& op, const std::string& dtype);

// Leave a check.
[[noreturn]] void Broken(std::initializer_list<Piece> why);
[[noreturn]] void NotApplicable(std::initializer_list<Piece> why);
inline void Require(bool holds, std::initializer_list<Piece> why) {
  if (!holds) Broken(why);
}

// Runs the check in a child of this process, for at most `limit`.
Outcome RunApart(const Check& check, const Subject& subject, std::chrono::milliseconds limit);

// By group, in the order in which they are run.
std::span<const Check> MemoryChecks();
std::span<const Check> OrderChecks();
std::span<const Check> StreamChecks();
std::span<const Check> KernelChecks();
std::span<const Check> DrawnChecks();
std::span<const Check> QueuedChecks();
std::span<const Check> RandomChecks();
std::span<const Check> HygieneChecks();
std::span<const Check> DlpackChecks();
std::span<const Check> FailureChecks();
std::span<const Check> LifecycleChecks();
std::span<const Check> FaultChecks();
std::span<const Check> FileChecks();
std::vector<const Check*> AllChecks();

}  // namespace sy::conform

#endif  // TESTING_CONFORM_CHECK_H_
