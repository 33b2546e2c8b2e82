// Functions that fail when a check says so: what a plugin calls of others, and what the host calls
// of its device.
//
//   RefuseMemory(ImportsOf(object));             // malloc, operator new and their like
//   {
//     const Refusing refusing(17, Refusing::kOnce);
//     …                                          // the 17th that this thread asks for is refused
//   }
//
// Owns: nothing; what is put in a slot stays there.
// Threads: each counts its own; one Refusing at a time in each.
// Errors: as Slot::Set's; kInvalidArgument for a text that says no refusal, kNotFound where nothing
// is called by it.
#ifndef TESTING_CONFORM_REFUSAL_H_
#define TESTING_CONFORM_REFUSAL_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "testing/conform/slots.h"

namespace sy::conform {

class Refusing {
 public:
  enum How { kOnce, kFromThenOn };
  explicit Refusing(int64_t nth, How how = kOnce);
  ~Refusing();
  Refusing(const Refusing&) = delete;
  Refusing& operator=(const Refusing&) = delete;

  // Of this thread's latest, while it lives and afterwards.
  static int64_t calls();
  static const char* refused();  // the first function that was refused; null: none

  static constexpr int64_t kNever = INT64_MAX;  // as nth: counts alone
};

// Memory: what is refused is null, or std::bad_alloc.
void RefuseMemory(const std::vector<Slot>& slots);

// What a driver's functions answer where they are refused: "clFlush=-5", "clEnqueue*=-5",
// "clCreateBuffer=0@5:-4", where the fifth argument is the address of an int that becomes -4. Of
// arguments, numbers and addresses count. Patterns as shells have them; the first that fits counts.
struct Refusal {
  std::string pattern;
  int64_t result = 0;
  int argument = 0;  // from 1; 0: none
  int32_t code = 0;  // written there
};
Refusal ParseRefusal(const std::string& text);
// How many functions it was that are refused from here on.
size_t RefuseCalls(const std::vector<Slot>& slots, std::span<const Refusal> refusals);
// What all of them answer from here on where they are refused.
void AnswerWith(int64_t result);

}  // namespace sy::conform

#endif  // TESTING_CONFORM_REFUSAL_H_
