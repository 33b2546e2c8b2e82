#include <pthread.h>
#include <signal.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <vector>

#include "switchyard/backends/cpu/blas/openblas.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

std::atomic<bool> runs_in_several{false};
int started = 1;  // threads that OpenBLAS has, the calling one among them; written by one at a time

// OpenBLAS waits for ever for a thread that it could not start, and ends the process where it gets
// no memory to share work with: both are tried before.
bool CanStart(int threads) {
  constexpr size_t kShared = size_t{4} << 20;  // bytes that a product's threads share
  void* const memory = std::malloc(kShared);
  std::free(memory);
  if (memory == nullptr) return false;
  std::vector<pthread_t> tried;
  tried.reserve(static_cast<size_t>(threads));
  bool can = true;
  for (int i = started; i < threads && can; ++i) {
    pthread_t thread;
    can = pthread_create(
              &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr) == 0;
    if (can) tried.push_back(thread);
  }
  for (const pthread_t t : tried) pthread_join(t, nullptr);
  return can;
}

// Threads that it starts take no signals: those are the program's threads' business.
void SetThreads(const OpenBlas& blas, int threads) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  blas.set_num_threads(threads);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

const OpenBlas* Start() {
  const OpenBlas* const blas = OpenBlas::Get();
  const int threads = NumThreads();
  if (blas == nullptr || blas->set_num_threads == nullptr || threads == 1) return nullptr;
  if (runs_in_several.exchange(true)) return nullptr;
  if (!CanStart(threads)) {
    runs_in_several = false;
    return nullptr;
  }
  SetThreads(*blas, threads);
  started = std::max(started, threads);
  return blas;
}

}  // namespace

void ForgetBlasThreads() {
  runs_in_several = false;
  started = 1;
}

BlasThreads::BlasThreads() : several_(Start()) {}
BlasThreads::~BlasThreads() {
  if (several_ == nullptr) return;
  several_->set_num_threads(1);
  runs_in_several = false;
}

}  // namespace sy::cpu
