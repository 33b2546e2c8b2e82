// A plugin's files when something is wrong with them: refused, with nothing of it left.

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "switchyard/registry/registry.h"
#include "testing/conform/session.h"
#include "third_party/fmt/format.h"

namespace sy::conform {
namespace {

namespace fs = std::filesystem;

std::string ReadFile(const fs::path& path) {
  std::ostringstream s;
  s << std::ifstream(path, std::ios::binary).rdbuf();
  return std::move(s).str();
}

// A copy of the plugin's two files in a folder of its own, which goes at the end.
class Copy {
 public:
  explicit Copy(const PluginInfo& plugin) : whole_(plugin.library) {
    std::string name = (fs::temp_directory_path() / "switchyard.XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr)
      Fail(ErrorCode::kUnavailable, {"there is no folder '", name, "' to be had"});
    folder_ = name;
    object_ = folder_ / fs::path(plugin.library).filename();
    fs::copy_file(fs::canonical(plugin.library), object_);
    chmod(object_.c_str(), 0755);
    if (plugin.manifest.empty()) return;
    manifest_ = folder_ / fs::path(plugin.library).stem().concat(".json");
    text_ = ReadFile(plugin.manifest);
    Write(text_);
  }
  ~Copy() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  Copy(const Copy&) = delete;
  Copy& operator=(const Copy&) = delete;

  const fs::path& folder() const { return folder_; }
  const fs::path& object() const { return object_; }
  const fs::path& manifest() const { return manifest_; }
  const std::string& text() const { return text_; }
  // The object anew, as another file: what is in memory of the one before stays as it is.
  void CutObject(uintmax_t bytes) const {
    fs::remove(object_);
    fs::copy_file(fs::canonical(whole_), object_);
    fs::resize_file(object_, bytes);
    chmod(object_.c_str(), 0755);
  }
  void Write(const std::string& manifest) const {
    std::ofstream(manifest_, std::ios::binary | std::ios::trunc) << manifest;
    chmod(manifest_.c_str(), 0644);
  }

 private:
  const fs::path whole_;
  fs::path folder_, object_, manifest_;
  std::string text_;
};

std::string LoadError(const std::string& path) {
  try {
    load_plugin(path);
    return "";
  } catch (const Error& e) {
    return e.message().empty() ? "an error without a text" : e.message();
  }
}

// Its manifest may have a name of its own, by which only who lists the folder finds it.
PluginInfo Known(const Subject& subject) {
  PluginInfo plugin = load_plugin(subject.plugin);
  Require(unload_plugin(plugin.name).unloaded, {"it does not unload"});
  const std::string folder = fs::path(plugin.library).parent_path().string();
  for (const PluginInfo& p : list_plugins({.directories = {folder}, .environment = false})) {
    if (plugin.manifest.empty() && p.library == plugin.library) plugin.manifest = p.manifest;
  }
  return plugin;
}

// What loading may change.
size_t Registered() {
  Registry& r = Registry::Global();
  size_t n = r.Entries().size() + r.Problems().size();
  for (const OperatorEntry* op : r.Entries()) n += r.KernelsOf(*op).size();
  return n;
}

// Where a plugin finds what it needs beside itself, a copy does not load.
void RequireCopyLoads(const Copy& copy, const PluginInfo& plugin) {
  if (const std::string why = LoadError(copy.object()); !why.empty())
    NotApplicable({"a copy of it in another folder does not load: ", why});
  Require(unload_plugin(plugin.name).unloaded, {"a copy of it does not unload"});
}

void RequireRefused(const Copy& copy, const std::string& what) {
  const size_t before = Registered();
  SayCalled(what);
  const std::string why = LoadError(copy.object());
  Require(!why.empty(), {what, ": it is loaded"});
  Require(why.find(copy.folder().string()) != why.npos,
          {what, ": the error does not name the file: ", why});
  const auto listed = list_plugins({.directories = {copy.folder().string()}, .environment = false});
  Require(loaded_plugins().empty() && Registered() == before,
          {what, ": it is refused, and something of it stays"});
  Require(listed.size() <= 1, {what, ": it is listed ", listed.size(), " times"});
}

void Manifests(const Subject& subject) {
  const PluginInfo plugin = Known(subject);
  if (plugin.manifest.empty()) NotApplicable({"no manifest in the object's folder is of it"});
  const Copy copy(plugin);
  RequireCopyLoads(copy, plugin);
  const PluginSearch there{.directories = {copy.folder().string()}, .environment = false};
  const auto listed = list_plugins(there);
  Require(listed.size() == 1 && listed[0].problem.empty(),
          {"its manifest is listed with a problem: ", listed.empty() ? "" : listed[0].problem});
  load_plugin(plugin.name, there);
  Require(unload_plugin(plugin.name).unloaded, {"found by its name, it does not unload"});

  const std::string& text = copy.text();
  const size_t end = text.find_last_of('}');
  constexpr size_t kCuts = 16;
  for (size_t i = 0; i < kCuts; ++i) {
    copy.Write(text.substr(0, end * i / kCuts));
    RequireRefused(copy, fmt::format("a manifest of {} of {} bytes", end * i / kCuts, text.size()));
  }
  const auto changed = [&](const std::string& what, auto change) {
    auto json = nlohmann::json::parse(text);
    change(json);
    copy.Write(json.dump());
    RequireRefused(copy, "a manifest " + what);
  };
  using Json = nlohmann::json;
  changed("of another name", [](Json& j) { j["name"] = "another_one"; });
  changed("without a name", [](Json& j) { j.erase("name"); });
  changed("without a library", [](Json& j) { j.erase("library"); });
  changed("of another object", [](Json& j) { j["library"] = "another_one.so"; });
  changed("of an object elsewhere",
          [](Json& j) { j["library"] = "../" + j["library"].get<std::string>(); });
  changed("of another version of the ABI", [](Json& j) { j["abi"]["major"] = 2; });
  changed("with a text as its version of the ABI", [](Json& j) { j["abi"] = "1"; });
  changed("with a device that is not there", [](Json& j) { j["devices"].push_back("no_device"); });
  changed("with an operator that is not there",
          [](Json& j) { j["operators"].push_back("no::operator"); });
  copy.Write(text);
  chmod(copy.manifest().c_str(), 0666);
  RequireRefused(copy, "a manifest that anybody may write");
  copy.Write(text);
  RequireCopyLoads(copy, plugin);
}

// Cut off anywhere, it is refused or, where what is missing is not needed, works.
void Objects(const Subject& subject) {
  const PluginInfo plugin = Known(subject);
  const Copy copy(plugin);
  RequireCopyLoads(copy, plugin);
  const uintmax_t whole = fs::file_size(copy.object());
  const int cuts = subject.places == 0 ? 1024 : 64;
  for (int i = cuts - 1; i >= 0; --i) {
    const uintmax_t bytes = whole * static_cast<uintmax_t>(i) / static_cast<uintmax_t>(cuts);
    copy.CutObject(bytes);
    SayCalled(fmt::format("an object of {} of {} bytes", bytes, whole));
    if (LoadError(copy.object()).empty()) {
      Require(unload_plugin(plugin.name).unloaded,
              {"cut off at ", bytes, " of ", whole, " bytes it loads and does not unload"});
    }
    Require(loaded_plugins().empty(), {"cut off at ", bytes, " bytes, something of it stays"});
  }
  copy.CutObject(whole);
  chmod(copy.object().c_str(), 0777);
  RequireRefused(copy, "an object that anybody may write");
  chmod(copy.object().c_str(), 0755);
  RequireCopyLoads(copy, plugin);
}

constexpr Check kChecks[] = {
    {"faults.manifest", "manifests that are cut off or say what is not so are refused", Manifests},
    {"faults.object", "an object that is cut off, or that anybody may write, does no harm",
     Objects},
};

}  // namespace

std::span<const Check> FileChecks() { return kChecks; }

}  // namespace sy::conform
