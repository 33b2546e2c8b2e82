// The log: what a message costs, and whether a child of a process whose threads log can log.
//   log            does nothing: for its start
//   log messages   into stderr
//   log forks

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string_view>
#include <thread>
#include <vector>

#include "switchyard/core/logging.h"

namespace {

void Messages() {
  constexpr int kMessages = 100'000;
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kMessages; ++i)
    sy::Log(sy::LogLevel::kError, "add.out(): out has sizes [2, 3] and is resized to [3, 2]");
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  std::printf("%.0f ns a message\n", took.count() / kMessages);
}

void Forks() {
  constexpr int kForks = 60;
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  threads.reserve(3);
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      while (!done) sy::Log(sy::LogLevel::kError, "of a thread");
    });
  }
  int hung = 0;
  for (int i = 0; i < kForks; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(1);
      sy::Log(sy::LogLevel::kError, "of a child");
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    hung += WIFSIGNALED(status) ? 1 : 0;
  }
  done = true;
  for (std::thread& t : threads) t.join();
  std::printf("%d of %d children hang\n", hung, kForks);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 0;
  std::string_view(argv[1]) == "forks" ? Forks() : Messages();
}
