// What ranks that are threads throw, for tests.
#ifndef SWITCHYARD_COLLECTIVE_TESTING_H_
#define SWITCHYARD_COLLECTIVE_TESTING_H_

#include <exception>
#include <functional>
#include <string>
#include <vector>

#include "switchyard/collective/group.h"

namespace sy::collective {

// Runs f on n ranks; what each throws, in the order of ranks: "" where nothing.
inline std::vector<std::string> MessagesOf(int n, const std::function<void(int)>& f,
                                           const GroupOptions& options) {
  std::vector<std::string> all(static_cast<size_t>(n));
  try {
    RunRanks(
        n,
        [&](int rank) {
          try {
            f(rank);
          } catch (const std::exception& e) {
            all[static_cast<size_t>(rank)] = e.what();
            throw;
          }
        },
        options);
  } catch (const std::exception&) {
  }
  return all;
}

}  // namespace sy::collective

#endif  // SWITCHYARD_COLLECTIVE_TESTING_H_
