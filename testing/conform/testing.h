// switchyard conform as a shell runs it, for tests.
#ifndef TESTING_CONFORM_TESTING_H_
#define TESTING_CONFORM_TESTING_H_

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

namespace sy::conform {

struct Ran {
  int status;
  std::string out;
  nlohmann::json report;  // with --json
};

inline std::string Contents(const std::string& path) {
  std::ostringstream s;
  s << std::ifstream(path).rdbuf();
  return s.str();
}

inline Ran Conform(const std::string& arguments) {
  const std::string out = testing::TempDir() + "/out", file = testing::TempDir() + "/report.json";
  std::ofstream(file, std::ios::trunc).close();
  const std::string line =
      "tools/switchyard conform --json " + file + " " + arguments + " > " + out + " 2>&1";
  const int status = std::system(line.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, Contents(out),
          nlohmann::json::parse(Contents(file), nullptr, false)};
}

}  // namespace sy::conform

#endif  // TESTING_CONFORM_TESTING_H_
