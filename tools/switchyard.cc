// switchyard: what is registered, why a call goes where it goes, calls from a shell, conformance.
//
//   switchyard help [COMMAND]
//   switchyard ops 'add*'
//   switchyard explain add cuda float16
//   switchyard run add [1,2] 'ones(2)'
//   switchyard replay tests/conformance/data/edge --device meta
//   switchyard devices --plugin ./libtoy.so
//   switchyard conform --plugin ./libtoy.so --device toy
//   switchyard show model.safetensors
//   switchyard convert model.pt model.safetensors
//   switchyard launch -n 4 ./train digits
//   switchyard scaling step encoder --machine ethernet
//
// Exit status: 0 success; 1 a replay, a check or a rank in which something failed; 2 errors and bad
// usage, with text on stderr.

#include <absl/algorithm/container.h>
#include <absl/strings/str_join.h>

#include <algorithm>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "core/format/format.h"
#include "switchyard/core/error.h"
#include "tools/command/commands.h"
#include "tools/command/crash.h"
#include "tools/command/extension.h"

namespace {

constexpr int kErrorStatus = 2;

// `help COMMAND` is `COMMAND --help`.
void TurnHelpIntoOption(int argc, char** argv) {
  static char option[] = "--help";
  if (argc != 3 || std::string_view(argv[1]) != "help") return;
  argv[1] = argv[2];
  argv[2] = option;
}

// Whether the program has the command that the first argument names, if it names one.
bool HasCommand(const CLI::App& app, char** argv) {
  if (argv[1][0] == '-') return true;
  std::vector<std::string> names;
  for (const CLI::App* c : app.get_subcommands({})) names.push_back(c->get_name());
  if (absl::c_linear_search(names, argv[1])) return true;
  std::cerr << fmt::format("switchyard: there is no command '{}'; there are: {}\n", argv[1],
                           absl::StrJoin(names, " "));
  return false;
}

// What stands behind the first "--" of `run`, which is not for the command line library: there, the
// rest would be the program's and not the subcommand's.
std::vector<std::string> TakeOperands(int* argc, char** argv) {
  if (*argc < 2 || std::string_view(argv[1]) != "run") return {};
  char** const end = argv + *argc;
  char** const mark = std::find(argv, end, std::string_view("--"));
  *argc = static_cast<int>(mark - argv);
  return {mark == end ? end : mark + 1, end};
}

int Run(int argc, char** argv) {
  const std::vector<std::string> operands = TakeOperands(&argc, argv);
  if (argc > 1 && std::string_view(argv[1]) == "run") sy::command::ReportCrashes();
  CLI::App app("Switchyard: an operator dispatcher runtime");
  app.require_subcommand(1);
  int status = 0;
  sy::command::AddOps(app);
  sy::command::AddExplain(app);
  sy::command::AddRun(app, operands);
  sy::command::AddReplay(app, &status);
  sy::command::AddConform(app, &status);
  sy::command::AddFiles(app);
  sy::command::AddLaunch(app, &status);
  sy::command::AddScaling(app, &status);
  sy::command::AddVersion(app);
  sy::command::Extension::AddAll(app);
  sy::command::AddPlugins(app);
  if (argc < 2 || (argc == 2 && std::string_view(argv[1]) == "help")) {
    std::cout << app.help();
    return 0;
  }
  TurnHelpIntoOption(argc, argv);
  if (!HasCommand(app, argv)) return kErrorStatus;
  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::ParseError& e) {  // --help is one, of status 0
    return app.exit(e) == 0 ? 0 : kErrorStatus;
  } catch (const sy::Error& e) {
    std::cerr << fmt::format("switchyard: {}: {}\n", e.code(), e.message());
  } catch (const std::exception& e) {
    std::cerr << "switchyard: " << e.what() << "\n";
  }
  return kErrorStatus;
}

}  // namespace

int main(int argc, char** argv) { return Run(argc, argv); }
