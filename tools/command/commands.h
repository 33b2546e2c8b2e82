// The subcommands of `switchyard`. Each adds itself to the program and runs when it is named.
//
// A subcommand sets the exit status where it is not 0; errors are thrown as sy::Error and become
// text on stderr and status 2 in main.
// Owns: options live as long as the program.
#ifndef TOOLS_COMMAND_COMMANDS_H_
#define TOOLS_COMMAND_COMMANDS_H_

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "switchyard/core/device.h"
#include "switchyard/dispatcher/fallback.h"

namespace sy::command {

// The device of that name, if this machine has it. Errors: as ParseDevice's; kUnavailable.
Device PresentDevice(const std::string& text);
// Loads a plugin: a path as the shell's user means it, or a name. Errors: as load_plugin's.
void LoadNamedPlugin(const std::string& plugin);
// --fallback allow|forbid, whose default stands in `mode`.
void AddFallback(CLI::App& command, FallbackMode& mode);
inline constexpr const char* kPluginHelp =
    "Load a plugin first: a path, or a name in SWITCHYARD_PLUGIN_PATH; repeatable";

// A file of this text alone. Errors: kUnavailable.
void WriteText(const std::string& path, const std::string& text);

void AddOps(CLI::App& app);
void AddExplain(CLI::App& app);
// operands: arguments of the call that stand behind "--" and are no options.
void AddRun(CLI::App& app, const std::vector<std::string>& operands);
// show and convert.
void AddFiles(CLI::App& app);
void AddVersion(CLI::App& app);
void AddReplay(CLI::App& app, int* status);
void AddConform(CLI::App& app, int* status);
// Runs a program as several ranks.
void AddLaunch(CLI::App& app, int* status);
// What collectives and training cost on many machines.
void AddScaling(CLI::App& app, int* status);
// Also gives --plugin to the others, which must be there; replay has its own.
void AddPlugins(CLI::App& app);

}  // namespace sy::command

#endif  // TOOLS_COMMAND_COMMANDS_H_
