#include "tests/collective/shell.h"

#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace sy::collective {

Ended Shell(const std::string& command) {
  const auto start = std::chrono::steady_clock::now();
  Ended e = {};
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer;
  for (size_t n; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    e.text.append(buffer.data(), n);
  const int status = pclose(pipe);
  e.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  e.took = std::chrono::steady_clock::now() - start;
  return e;
}

std::string Environment() {
  return "SWITCHYARD_ENGINE_PATH=$PWD/collective/gloo:$PWD/collective/mpi OMP_NUM_THREADS=1 ";
}

int Count(const std::string& text, const std::string& what) {
  int n = 0;
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size()) ++n;
  return n;
}

}  // namespace sy::collective
