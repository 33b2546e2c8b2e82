// What layers sort operators by: names in lists, and classes that calls find without a lock.
//
//   constexpr std::string_view kReads[] = {"item", "equal"};
//   IsOneOf(op.name(), kReads)
//
//   struct OpClass {
//     const OperatorEntry* op;
//     …
//   };
//   constinit RecentClasses<OpClass> recent;
//   const OpClass* c = recent.Find(op);
//   if (c == nullptr) recent.Put(*(c = &ClassifyUnderALock(op)));
//
// Owns: nothing; a class lives as long as calls may find it.
// Threads: any.
// Errors: none.
#ifndef SWITCHYARD_DISPATCHER_CLASSES_H_
#define SWITCHYARD_DISPATCHER_CLASSES_H_

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "switchyard/registry/entry.h"

namespace sy::internal {

// Whether a list, as long as it is, has the name.
template <size_t n>
bool IsOneOf(std::string_view name, const std::string_view (&names)[n]) {
  return std::ranges::find(names, name) != std::end(names);
}

// By operators' addresses: one that was put later takes the place of another.
template <class OpClass>
class RecentClasses {
 public:
  // Null where it was not put, or another has its place.
  const OpClass* Find(const OperatorEntry& op) const {
    const OpClass* c = places_[PlaceOf(op)].load(std::memory_order_acquire);
    return c != nullptr && c->op == &op ? c : nullptr;
  }
  void Put(const OpClass& c) { places_[PlaceOf(*c.op)].store(&c, std::memory_order_release); }
  // For classes that may be otherwise now.
  void Clear() {
    for (std::atomic<const OpClass*>& place : places_)
      place.store(nullptr, std::memory_order_release);
  }

 private:
  static constexpr size_t kPlaces = 4096;
  static size_t PlaceOf(const OperatorEntry& op) {
    const auto at = reinterpret_cast<uintptr_t>(&op);
    return (at >> 6 ^ at >> 18) % kPlaces;
  }
  std::atomic<const OpClass*> places_[kPlaces] = {};
};

}  // namespace sy::internal

#endif  // SWITCHYARD_DISPATCHER_CLASSES_H_
