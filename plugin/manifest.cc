#include "plugin/manifest.h"

#include <absl/cleanup/cleanup.h>
#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <new>
#include <optional>
#include <set>

#include "plugin/elf.h"
#include "plugin/manifest_text.h"
#include "plugin/trusted_file.h"
#include "switchyard/c/plugin.h"
#include "switchyard/core/error.h"
#include "switchyard/core/logging.h"
#include "third_party/fmt/format.h"

namespace sy::plugin {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void Refuse(const std::string& path, std::string_view why) {
  Fail(ErrorCode::kRegistration, {"manifest '", path, "': ", why});
}

std::string Text(const std::string& path, const ManifestText& m, std::string_view key) {
  const auto it = m.texts.find(key);
  if (it == m.texts.end() || it->second.empty())
    Refuse(path, fmt::format("\"{}\" must be a text", key));
  return it->second;
}

std::vector<std::string> Texts(const std::string& path, const ManifestText& m,
                               std::string_view key) {
  if (const auto it = m.lists.find(key); it != m.lists.end()) return it->second;
  if (m.texts.contains(key) || m.others.contains(key))
    Refuse(path, fmt::format("\"{}\" must be a list of texts", key));
  return {};
}

}  // namespace

PluginInfo ReadManifest(const std::string& path) {
  constexpr size_t kMostBytes = size_t{1} << 20;
  const std::optional<ManifestText> m =
      ParseManifest(TrustedFile("manifest", path).Text(kMostBytes));
  if (!m) Refuse(path, "not a JSON object");
  PluginInfo info;
  info.manifest = path;
  info.name = Text(path, *m, "name");
  info.version = Text(path, *m, "version");
  const std::string library = Text(path, *m, "library");
  if (library.find('/') != library.npos || library == "..")
    Refuse(path,
           fmt::format("\"library\" must be a file name without directory, got '{}'", library));
  info.library = (fs::path(path).parent_path() / library).string();
  if (m->texts.contains("description") || m->lists.contains("description") ||
      m->others.contains("description")) {
    info.description = Text(path, *m, "description");
  }
  info.devices = Texts(path, *m, "devices");
  info.operators = Texts(path, *m, "operators");
  if (!m->abi_major) Refuse(path, R"("abi" must be an object with a number "major")");
  if (*m->abi_major != SY_ABI_MAJOR) {
    Refuse(path, fmt::format("made for version {} of the plugin ABI, this program serves {}",
                             *m->abi_major, SY_ABI_MAJOR));
  }
  return info;
}

std::optional<PluginInfo> ManifestBeside(const std::string& library) {
  const fs::path object(library);
  std::string stem = object.stem().string();
  for (int i = 0; i < 2; ++i) {
    const fs::path json = object.parent_path() / (stem + ".json");
    if (std::error_code error; fs::exists(fs::symlink_status(json, error)))
      return ReadManifest(json.string());
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
          fmt::format("plugins are not searched in '{}': it is not an absolute path", d));
    }
  }
  return absolute;
}

}  // namespace sy::plugin

namespace sy {
namespace {

namespace fs = std::filesystem;

// Paths of the manifests in a folder; none where it cannot be read. By the C library's functions:
// std::filesystem's iterators end the process when there is no memory.
std::vector<std::string> ManifestsIn(const std::string& folder) {
  std::vector<std::string> all;
  DIR* const names = opendir(folder.c_str());
  if (names == nullptr) {
    if (errno == ENOMEM) throw std::bad_alloc();
    return all;
  }
  const absl::Cleanup close = [names] { closedir(names); };
  while (const dirent* entry = readdir(names)) {
    const std::string_view name = entry->d_name;
    if (name.ends_with(".json")) all.push_back((fs::path(folder) / name).string());
  }
  return all;
}

// What a manifest says, or what is wrong with it or with its object.
PluginInfo Listed(const std::string& manifest) {
  PluginInfo info;
  info.name = fs::path(manifest).stem().string();
  info.manifest = manifest;
  try {
    info = plugin::ReadManifest(manifest);
    info.cxx_runtime = plugin::ElfFile(info.library).CxxRuntime();
  } catch (const Error& e) {
    info.problem = e.message();
  }
  return info;
}

}  // namespace

std::vector<PluginInfo> list_plugins(const PluginSearch& search) {
  std::vector<PluginInfo> all;
  std::set<std::string> seen;
  for (const std::string& directory : plugin::Directories(search)) {
    for (const std::string& manifest : ManifestsIn(directory)) {
      if (seen.insert(manifest).second) all.push_back(Listed(manifest));
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
