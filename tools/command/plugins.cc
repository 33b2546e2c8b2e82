// switchyard plugins, switchyard devices, and --plugin for the commands that look at operators.

#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/plugin/plugin.h"
#include "tools/command/commands.h"

namespace sy::command {

void LoadNamedPlugin(const std::string& plugin) {
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

std::string Joined(const std::vector<std::string>& texts) {
  std::string s;
  for (const std::string& t : texts) s += (s.empty() ? "" : ", ") + t;
  return s;
}

void PrintPlugin(const PluginInfo& p) {
  std::cout << p.name << (p.version.empty() ? "" : " " + p.version) << "  ("
            << (p.problem.empty() ? p.library : p.manifest) << ")\n";
  if (!p.description.empty()) std::cout << "    " << p.description << "\n";
  if (!p.devices.empty()) std::cout << "    devices: " << Joined(p.devices) << "\n";
  if (!p.operators.empty()) std::cout << "    operators: " << Joined(p.operators) << "\n";
  if (!p.cxx_runtime.empty()) std::cout << "    C++ runtime: " << p.cxx_runtime << "\n";
  if (!p.problem.empty()) std::cout << "    cannot be loaded: " << p.problem << "\n";
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
};

DeviceLine Look(DeviceType type) {
  DeviceLine line{std::string(type.name()), std::string(DeviceSource(type)), "", 0, {}};
  DeviceBackend* backend = FindBackend(type);
  if (backend == nullptr) {
    line.reason = "no backend in this program";
    return line;
  }
  line.count = backend->Count(&line.reason);
  if (line.count > 0) line.reason.clear();
  for (int i = 0; i < line.count && backend->allocator() != nullptr; ++i)
    line.memory.push_back(backend->allocator()->Stats(i));
  return line;
}

void PrintDevice(const DeviceLine& d) {
  std::cout << d.name << ": " << d.count << (d.count == 1 ? " device" : " devices");
  if (!d.source.empty()) std::cout << "  (" << d.source << ")";
  std::cout << "\n";
  if (!d.reason.empty()) std::cout << "    unavailable: " << d.reason << "\n";
  for (size_t i = 0; i < d.memory.size(); ++i) {
    const MemoryStats& m = d.memory[i];
    std::cout << "    " << d.name << ":" << i << "  " << m.allocated_bytes << " bytes allocated, "
              << m.peak_bytes << " at most, " << m.reserved_bytes << " reserved\n";
  }
}

nlohmann::ordered_json ToJson(const DeviceLine& d) {
  nlohmann::ordered_json memory = nlohmann::ordered_json::array();
  for (const MemoryStats& m : d.memory) {
    memory.push_back(
        {{"allocated", m.allocated_bytes}, {"peak", m.peak_bytes}, {"reserved", m.reserved_bytes}});
  }
  return {{"name", d.name},
          {"source", d.source},
          {"count", d.count},
          {"unavailable", d.reason},
          {"memory", memory}};
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
