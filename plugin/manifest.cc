#include "plugin/manifest.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "plugin/elf.h"
#include "switchyard/c/plugin.h"
#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"

namespace sy::plugin {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

[[noreturn]] void Refuse(const std::string& path, std::string_view why) {
  Fail(ErrorCode::kRegistration, {"manifest '", path, "': ", why});
}

std::string Text(const std::string& path, const Json& j, const char* key) {
  if (!j.contains(key) || !j[key].is_string() || j[key].get<std::string>().empty())
    Refuse(path, Join({"\"", key, "\" must be a text"}));
  return j[key].get<std::string>();
}

std::vector<std::string> Texts(const std::string& path, const Json& j, const char* key) {
  if (!j.contains(key)) return {};
  const bool texts = j[key].is_array() && std::all_of(j[key].begin(), j[key].end(),
                                                      [](const Json& t) { return t.is_string(); });
  if (!texts) Refuse(path, Join({"\"", key, "\" must be a list of texts"}));
  return j[key].get<std::vector<std::string>>();
}

}  // namespace

PluginInfo ReadManifest(const std::string& path) {
  std::ifstream file(path);
  if (!file) Refuse(path, "cannot be read");
  const Json j = Json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!j.is_object()) Refuse(path, "not a JSON object");
  PluginInfo info;
  info.manifest = path;
  info.name = Text(path, j, "name");
  info.version = Text(path, j, "version");
  const std::string library = Text(path, j, "library");
  if (library.find('/') != library.npos || library == "..")
    Refuse(path, Join({"\"library\" must be a file name without directory, got '", library, "'"}));
  info.library = (fs::path(path).parent_path() / library).string();
  if (j.contains("description")) info.description = Text(path, j, "description");
  info.devices = Texts(path, j, "devices");
  info.operators = Texts(path, j, "operators");
  const bool has_abi = j.contains("abi") && j["abi"].is_object() && j["abi"].contains("major") &&
                       j["abi"]["major"].is_number_integer();
  if (!has_abi) Refuse(path, R"("abi" must be an object with a number "major")");
  if (const int64_t major = j["abi"]["major"].get<int64_t>(); major != SY_ABI_MAJOR) {
    Refuse(path, Join({"made for version ", major, " of the plugin ABI, this program serves ",
                       SY_ABI_MAJOR}));
  }
  return info;
}

std::optional<PluginInfo> ManifestBeside(const std::string& library) {
  const fs::path object(library);
  std::string stem = object.stem().string();
  for (int i = 0; i < 2; ++i) {
    const fs::path json = object.parent_path() / (stem + ".json");
    std::error_code error;
    if (fs::is_regular_file(json, error)) return ReadManifest(json.string());
    if (!stem.starts_with("lib")) break;
    stem = stem.substr(3);
  }
  return std::nullopt;
}

std::vector<std::string> Directories(const PluginSearch& search) {
  std::vector<std::string> all = search.directories;
  const char* variable = search.environment ? secure_getenv("SWITCHYARD_PLUGIN_PATH") : nullptr;
  std::string_view rest(variable == nullptr ? "" : variable);
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    if (end != 0) all.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  std::vector<std::string> absolute;
  for (std::string& d : all) {
    if (d.starts_with('/')) {
      absolute.push_back(std::move(d));
    } else {
      Log(LogLevel::kWarning,
          Join({"plugins are not searched in '", d, "': it is not an absolute path"}));
    }
  }
  return absolute;
}

}  // namespace sy::plugin

namespace sy {

std::vector<PluginInfo> list_plugins(const PluginSearch& search) {
  namespace fs = std::filesystem;
  std::vector<PluginInfo> all;
  std::set<std::string> seen;
  for (const std::string& directory : plugin::Directories(search)) {
    std::error_code error;
    for (const auto& file : fs::directory_iterator(directory, error)) {
      const std::string path = file.path().string();
      if (file.path().extension() != ".json" || !seen.insert(path).second) continue;
      PluginInfo info;
      info.name = file.path().stem().string();
      info.manifest = path;
      try {
        info = plugin::ReadManifest(path);
        if (!fs::exists(info.library, error))
          Fail(ErrorCode::kNotFound, {"there is no file '", info.library, "'"});
        info.cxx_runtime = plugin::ElfFile(info.library).CxxRuntime();
      } catch (const Error& e) {
        info.problem = e.message();
      }
      all.push_back(std::move(info));
    }
  }
  const std::vector<PluginInfo> loaded = loaded_plugins();
  for (PluginInfo& p : all) {
    p.loaded = std::any_of(loaded.begin(), loaded.end(), [&](const PluginInfo& l) {
      return l.name == p.name && l.library == p.library;
    });
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const PluginInfo& a, const PluginInfo& b) { return a.name < b.name; });
  return all;
}

}  // namespace sy
