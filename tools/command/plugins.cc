// switchyard plugins, switchyard devices, and --plugin for the commands that look at operators.

#include <absl/strings/str_join.h>

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/plugin/load.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"
#include "tools/command/crash.h"

namespace sy::command {

void LoadNamedPlugin(const std::string& plugin) {
  const During loading(fmt::format("the loading of plugin {}", plugin));
  const bool path = plugin.find('/') != plugin.npos || plugin.ends_with(".so");
  load_plugin(path ? std::filesystem::absolute(plugin).lexically_normal().string() : plugin);
}

namespace {

void AddPluginOption(CLI::App* command) {
  command
      ->add_option_function<std::vector<std::string>>(
          "--plugin",
          [](const std::vector<std::string>& plugins) {
            for (const std::string& p : plugins) LoadNamedPlugin(p);
          },
          kPluginHelp)
      ->allow_extra_args(false);
}

struct ListOptions {
  std::vector<std::string> directories;
  bool json = false;
};

void PrintPlugin(const PluginInfo& p) {
  const auto line = [](std::string_view name, std::string_view text) {
    if (!text.empty()) std::cout << fmt::format("    {}{}\n", name, text);
  };
  std::cout << fmt::format("{}{}{}  ({})\n", p.name, p.version.empty() ? "" : " ", p.version,
                           p.problem.empty() ? p.library : p.manifest);
  line("", p.description);
  line("devices: ", absl::StrJoin(p.devices, ", "));
  line("operators: ", absl::StrJoin(p.operators, ", "));
  line("C++ runtime: ", p.cxx_runtime);
  line("cannot be loaded: ", p.problem);
}

void ListPlugins(const ListOptions& o) {
  PluginSearch search;
  for (const std::string& d : o.directories)
    search.directories.push_back(std::filesystem::absolute(d).lexically_normal().string());
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const PluginInfo& p : list_plugins(search)) {
    if (!o.json) {
      PrintPlugin(p);
      continue;
    }
    all.push_back({{"name", p.name},
                   {"version", p.version},
                   {"description", p.description},
                   {"library", p.library},
                   {"manifest", p.manifest},
                   {"devices", p.devices},
                   {"operators", p.operators},
                   {"cxx_runtime", p.cxx_runtime},
                   {"problem", p.problem}});
  }
  if (o.json) std::cout << all.dump(1) << "\n";
}

struct DeviceLine {
  std::string name, source, reason;
  int count = 0;
  std::vector<MemoryStats> memory;  // by index
  std::vector<std::vector<DeviceBackend::Attribute>> attributes;
};

DeviceLine Look(DeviceType type) {
  DeviceLine line{std::string(type.name()), std::string(DeviceSource(type)), "", 0, {}, {}};
  DeviceBackend* backend = FindBackend(type);
  if (backend == nullptr) {
    line.reason = "no backend in this program";
    return line;
  }
  line.count = backend->Count(&line.reason);
  if (line.count > 0) line.reason.clear();
  for (int i = 0; i < line.count && backend->allocator() != nullptr; ++i)
    line.memory.push_back(backend->allocator()->Stats(i));
  for (int i = 0; i < line.count; ++i) line.attributes.push_back(backend->Attributes(i));
  return line;
}

void PrintDevice(const DeviceLine& d) {
  std::cout << fmt::format("{}: {} {}{}\n", d.name, d.count, d.count == 1 ? "device" : "devices",
                           d.source.empty() ? "" : fmt::format("  ({})", d.source));
  if (!d.reason.empty()) std::cout << fmt::format("    unavailable: {}\n", d.reason);
  for (size_t i = 0; i < d.memory.size(); ++i) {
    const MemoryStats& m = d.memory[i];
    std::cout << fmt::format("    {}:{}  {} bytes allocated, {} at most, {} reserved\n", d.name, i,
                             m.allocated_bytes, m.peak_bytes, m.reserved_bytes);
  }
  for (size_t i = 0; i < d.attributes.size(); ++i) {
    for (const auto& [key, value] : d.attributes[i])
      std::cout << fmt::format("    {}:{}  {}: {}\n", d.name, i, key, value);
  }
}

nlohmann::ordered_json ToJson(const DeviceLine& d) {
  nlohmann::ordered_json memory = nlohmann::ordered_json::array();
  for (const MemoryStats& m : d.memory) {
    memory.push_back(
        {{"allocated", m.allocated_bytes}, {"peak", m.peak_bytes}, {"reserved", m.reserved_bytes}});
  }
  nlohmann::ordered_json attributes = nlohmann::ordered_json::array();
  for (const auto& of_one : d.attributes) {
    nlohmann::ordered_json one = nlohmann::ordered_json::object();
    for (const auto& [key, value] : of_one) one[key] = value;
    attributes.push_back(std::move(one));
  }
  return {{"name", d.name},          {"source", d.source}, {"count", d.count},
          {"unavailable", d.reason}, {"memory", memory},   {"attributes", attributes}};
}

void ListDevices(bool json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (int row = kHostRow; row < NumRows(); ++row) {
    const DeviceLine line = Look({static_cast<Row>(row)});
    if (json) {
      all.push_back(ToJson(line));
    } else {
      PrintDevice(line);
    }
  }
  if (json) std::cout << all.dump(1) << "\n";
}

}  // namespace

void AddPlugins(CLI::App& app) {
  auto list = std::make_shared<ListOptions>();
  CLI::App* plugins =
      app.add_subcommand("plugins", "List plugins by their manifests, without opening them");
  plugins->add_option("directories", list->directories,
                      "Searched before those of SWITCHYARD_PLUGIN_PATH");
  plugins->add_flag("--json", list->json, "As JSON");
  plugins->callback([list] { ListPlugins(*list); });

  auto json = std::make_shared<bool>(false);
  CLI::App* devices = app.add_subcommand("devices", "List devices, and why some are unavailable");
  devices->add_flag("--json", *json, "As JSON");
  devices->callback([json] { ListDevices(*json); });

  for (const char* name : {"devices", "explain", "ops", "run"})
    AddPluginOption(app.get_subcommand(name));
}

}  // namespace sy::command
