// Where an object in memory keeps addresses of functions: those that it calls of others, and those
// that its devices' tables give the host. Something else can be put there.
//
//   void* object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
//   for (const Slot& slot : ImportsOf(object)) {
//     if (slot.name == "malloc") slot.Set(reinterpret_cast<void*>(&Mine));
//   }
//
// The object's own code, and what it has inline of templates, is reached by that; what a library
// that it calls asks others for is not.
// Owns: nothing. What was set stays until the object is out of memory.
// Threads: one, while nobody is in the object.
// Errors: kUnavailable where memory cannot be made writable, or the object has no table.
#ifndef TESTING_CONFORM_SLOTS_H_
#define TESTING_CONFORM_SLOTS_H_

#include <string>
#include <vector>

namespace sy::conform {

struct Slot {
  std::string name;  // "malloc", "allocate"
  void** at;
  void Set(void* function) const;
};

// object: as dlopen gave it, with everything bound.
std::vector<Slot> ImportsOf(void* object);
// What answers with a code, of the device that is named so. The plugin's entry point is called.
std::vector<Slot> DeviceFunctionsOf(void* object, const std::string& device);

}  // namespace sy::conform

#endif  // TESTING_CONFORM_SLOTS_H_
