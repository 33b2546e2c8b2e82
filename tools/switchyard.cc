// switchyard: what is registered, why a call goes where it goes, calls from a shell, conformance.
//
//   switchyard ops 'add*'
//   switchyard explain add cuda float16
//   switchyard run add [1,2] [3,4]
//   switchyard replay tests/conformance/data/edge --device meta
//   switchyard devices --plugin ./libtoy.so
//   switchyard conform --plugin ./libtoy.so --device toy
//
// Exit status: 0 success; 1 a replay or a check in which something failed; 2 errors and bad usage,
// with text on stderr.

#include <iostream>

#include "switchyard/core/error.h"
#include "tools/command/commands.h"
#include "tools/command/extension.h"

namespace {

constexpr int kErrorStatus = 2;

// Whether the program has the command that the first argument names, if it names one.
bool HasCommand(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return true;
  std::string names;
  for (const CLI::App* c : app.get_subcommands({})) {
    if (c->get_name() == argv[1]) return true;
    names += " " + c->get_name();
  }
  std::cerr << "switchyard: there is no command '" << argv[1] << "'; there are:" << names << "\n";
  return false;
}

int Run(int argc, char** argv) {
  CLI::App app("Switchyard: an operator dispatcher runtime");
  app.require_subcommand(1);
  int status = 0;
  sy::command::AddOps(app);
  sy::command::AddExplain(app);
  sy::command::AddRun(app);
  sy::command::AddReplay(app, &status);
  sy::command::AddConform(app, &status);
  sy::command::AddVersion(app);
  sy::command::Extension::AddAll(app);
  sy::command::AddPlugins(app);
  if (!HasCommand(app, argc, argv)) return kErrorStatus;
  try {
    app.parse(argc, argv);
    return status;
  } catch (const CLI::ParseError& e) {  // --help is one, of status 0
    return app.exit(e) == 0 ? 0 : kErrorStatus;
  } catch (const sy::Error& e) {
    std::cerr << "switchyard: " << sy::Name(e.code()) << ": " << e.message() << "\n";
  } catch (const std::exception& e) {
    std::cerr << "switchyard: " << e.what() << "\n";
  }
  return kErrorStatus;
}

}  // namespace

int main(int argc, char** argv) { return Run(argc, argv); }
