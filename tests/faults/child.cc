#include "tests/faults/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <exception>

namespace sy::testing {
namespace {

std::string Run(absl::FunctionRef<std::string()> run) {
  try {
    return run();
  } catch (const std::exception& e) {
    return std::string("threw ") + e.what();
  }
}

}  // namespace

std::string InChild(absl::FunctionRef<std::string()> run, unsigned seconds) {
  int ends[2];
  if (pipe(ends) != 0) return "no pipe";
  const pid_t child = fork();
  if (child == 0) {
    alarm(seconds);
    const std::string said = Run(run);
    const ssize_t n = write(ends[1], said.data(), said.size());
    _exit(n == static_cast<ssize_t>(said.size()) ? 0 : 1);
  }
  close(ends[1]);
  std::string said;
  char buffer[4096];
  for (ssize_t n; (n = read(ends[0], buffer, sizeof(buffer))) > 0 || (n < 0 && errno == EINTR);) {
    if (n > 0) said.append(buffer, static_cast<size_t>(n));
  }
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    return said + "killed by signal " + std::to_string(signal) + " (" + strsignal(signal) + ")";
  }
  if (WEXITSTATUS(status) != 0) said += "exit " + std::to_string(WEXITSTATUS(status));
  return said;
}

}  // namespace sy::testing
