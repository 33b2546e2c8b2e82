// switchyard replay: reference cases against a device.

#include <cmath>
#include <iostream>
#include <memory>

#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"
#include "switchyard/plugin/load.h"
#include "testing/replay/folder.h"
#include "testing/replay/gradients.h"
#include "tools/command/commands.h"

namespace sy::command {
namespace {

constexpr int kSomethingFailed = 1;
constexpr double kLongestLimit = 1e6;  // seconds; in milliseconds it fits an int, as poll() takes

struct Options {
  std::string folder, device = "cpu", pattern, report;
  std::vector<std::string> plugins;
  FallbackMode fallback = FallbackMode::kAllow;
  bool verbose = false;
  int64_t each = 0;
  double limit = 30;
};

// Plugins count what their kernels serve on their own devices.
replay::KernelCalls KernelCallsOf(Device device) {
  for (const PluginInfo& p : loaded_plugins()) {
    for (const std::string& name : p.devices) {
      if (name == device.type.name()) return CallsServedByDevices;
    }
  }
  return nullptr;
}

int Replay(const Options& o) {
  SetLogLevel(LogLevel::kError);  // resized outputs are part of the cases
  SetFallbackPolicy({.mode = o.fallback});
  replay::FolderOptions options{.device = {},
                                .pattern = o.pattern,
                                .each = o.each,
                                .kernel_calls = &KernelCallsOf,
                                .gradients = &replay::ReplayGradient};
  // Most plugins do not go through a fork: each is loaded where its kernels are called.
  options.open = [&o] {
    for (const std::string& plugin : o.plugins) LoadNamedPlugin(plugin);
    return PresentDevice(o.device);
  };
  if (o.verbose) options.failures = &std::cout;
  if (o.limit > 0) options.limit = std::chrono::milliseconds(std::llround(o.limit * 1e3));
  const replay::Report report = replay::ReplayFolder(o.folder, options);
  if (!o.report.empty()) WriteText(o.report, report.ToJson());
  std::cout << report.Table();
  return report.total().failed == 0 ? 0 : kSomethingFailed;
}

}  // namespace

void AddReplay(CLI::App& app, int* status) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("replay", "Replay a folder of reference cases");
  c->add_option("folder", o->folder, "Folder with cases-K.jsonl.gz and the like")->required();
  c->add_option("--device", o->device, "Device that the calls are made on")->capture_default_str();
  c->add_option("--op", o->pattern, "Only operators that match, as shells match: 'add*'");
  c->add_option("--each", o->each, "Only the first so many cases of each overload; 0: all")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  c->add_option("--report", o->report, "File for the counts as JSON");
  c->add_option("--plugin", o->plugins, kPluginHelp)->allow_extra_args(false);
  AddFallback(*c, o->fallback);
  c->add_flag("--verbose", o->verbose, "Show each failure: the call, expected, got");
  c->add_option(
       "--limit", o->limit,
       "Seconds a case may take; a case that crashes or takes longer fails and the others\n"
       "go on; 0: all in this process, for debuggers")
      ->check(CLI::Range(0.0, kLongestLimit))
      ->capture_default_str();
  c->callback([o, status] { *status = Replay(*o); });
}

}  // namespace sy::command
