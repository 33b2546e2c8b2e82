// What a program does with a plugin, from loading to unloading, again and again while something is
// refused at one place of it: its end must be an error or right, and afterwards all is as before.
//
//   Script script(subject);
//   RefuseMemory(ImportsOf(object));
//   script.RefuseEach("refused: allocation");     // Broken where something does not hold
//
// Owns: calls with what they give.
// Threads: one.
// Errors: Broken and NotApplicable; as Session's where the plugin does not work with nothing
// refused.
#ifndef TESTING_CONFORM_SCRIPT_H_
#define TESTING_CONFORM_SCRIPT_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "testing/conform/made.h"
#include "testing/conform/refusal.h"

namespace sy::conform {

class Script {
 public:
  // Finds calls that the device serves and the host computes, while the plugin is loaded here.
  explicit Script(const Subject& subject);
  ~Script();

  // Each call of a refused function fails once, and with all after it; `places` of the subject says
  // at how many. what: begins what is told, before the call's number.
  void RefuseEach(std::string_view what);

 private:
  struct Step;
  void Learn(const Session& s);
  void Use(const Session& s) const;
  void UseStreams(const Session& s, const Tensor& host, const Tensor& there) const;
  // Loads, uses and unloads it. The error where there was one; Broken where something is left.
  std::string Cycle(int64_t nth, Refusing::How how);
  // Bytes of the process's memory that such cycles lose, each.
  int64_t Lost(int times, int64_t nth, Refusing::How how);
  // The same once they lose no less; stops as soon as it is allowed.
  int64_t LostForGood(int64_t nth, Refusing::How how, int64_t allowed);
  // By cycles in which nothing is refused, not below 0.
  int64_t LostAnyway();
  void RefuseOne(int64_t nth, Refusing::How how);

  Subject subject_;
  std::vector<Step> steps_;
  std::string what_, place_;
  int64_t lost_anyway_ = 0;  // by a cycle in which nothing is refused
};

}  // namespace sy::conform

#endif  // TESTING_CONFORM_SCRIPT_H_
