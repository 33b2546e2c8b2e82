// switchyard cuda tests: the tests that need a GPU, which a machine without one skips, and what
// each shows.

#include <iostream>

#include "third_party/fmt/format.h"
#include "tools/command/cuda/listed_tests.h"
#include "tools/command/cuda/subcommands.h"

namespace sy::cuda {

void AddTests(CLI::App& cuda) {
  CLI::App* tests = cuda.add_subcommand("tests", "List the tests that need a GPU");
  tests->callback([] {
    for (const ListedTest& t : kListedTests)
      std::cout << fmt::format("{}.{}\n    {}\n", t.suite, t.name, t.shows);
    std::cout
        << "\nbazel test --test_env=SWITCHYARD_REQUIRE_GPU=1 //backends/cuda:gpu_only_test, or "
           "gpu_tests of tools/gpu_bundle.sh\n";
  });
}

}  // namespace sy::cuda
