// Subcommands that a backend brings along. One object at the bottom of its file registers it:
//
//   const Extension toy{[](CLI::App& app) { app.add_subcommand("toy", "…"); }};
//
// Owns: nothing; the object lives for the program. Threads: constructed before main.
#ifndef TOOLS_COMMAND_EXTENSION_H_
#define TOOLS_COMMAND_EXTENSION_H_

#include <CLI/CLI.hpp>

namespace sy::command {

class Extension {
 public:
  using Add = void (*)(CLI::App&);
  explicit Extension(Add add);
  static void AddAll(CLI::App& app);

 private:
  Add add_;
  const Extension* next_;
};

}  // namespace sy::command

#endif  // TOOLS_COMMAND_EXTENSION_H_
