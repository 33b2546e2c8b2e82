#include "switchyard/core/openmp.h"

#include <atomic>

#include "switchyard/core/error.h"
#include "switchyard/core/find_function.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/on_demand.h"
#include "switchyard/core/private_library.h"

namespace sy {
namespace {

bool Load(OpenMp& omp) {
  void* const library = OpenShared("libgomp.so.1");
  const auto find = [library](const char* name, auto& f) { return FindFunction(library, name, f); };
  const bool complete =
      library != nullptr && find("GOMP_parallel", omp.parallel) &&
      find("omp_get_thread_num", omp.thread_num) && find("omp_get_num_threads", omp.num_threads) &&
      find("omp_in_parallel", omp.in_parallel) && find("omp_get_max_threads", omp.max_threads);
  if (!complete)
    Log(LogLevel::kWarning, "cpu: libgomp.so.1 is not there: operators use one thread");
  return complete;
}

constinit OnDemand<OpenMp> runtime(Load);

// Set in a child whose parent had threads of OpenMP's, which are not there.
constinit std::atomic<bool> threads_are_gone{false};

const sy::internal::AtFork at_fork{
    sy::internal::ForkRank::kLibraries, [](sy::internal::ForkPhase phase) {
      runtime.OnFork(phase, /*keeps=*/true);
      if (phase == sy::internal::ForkPhase::kInChild && runtime.IfOpened() != nullptr)
        threads_are_gone = true;
    }};

}  // namespace

bool OpenMpThreadsAreGone() noexcept { return threads_are_gone.load(std::memory_order_relaxed); }

const OpenMp* OpenMpRuntime() noexcept {
  if (OpenMpThreadsAreGone()) return nullptr;
  try {
    return runtime.Get();
  } catch (const std::exception&) {
    return nullptr;
  }
}

}  // namespace sy
