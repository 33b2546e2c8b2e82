// Loading, in three steps: what the files say and what the plugin's tables say is checked, then
// everything is made that needs memory, then it is registered, piece by piece. Whatever fails,
// nothing of it stays.

#include <algorithm>
#include <filesystem>
#include <optional>

#include "plugin/calls.h"
#include "plugin/elf.h"
#include "plugin/frame.h"
#include "plugin/loaded.h"
#include "plugin/manifest.h"
#include "plugin/note.h"
#include "plugin/validate.h"
#include "switchyard/core/logging.h"
#include "switchyard/dispatcher/explain.h"
#include "switchyard/registry/derivative.h"
#include "third_party/fmt/format.h"

namespace sy::plugin {
namespace {

#ifdef _LIBCPP_VERSION
constexpr std::string_view kCxxRuntime = "libc++.so.1";
#else
constexpr std::string_view kCxxRuntime = "libstdc++.so.6";
#endif

// Rule 8 of docs/plugin-abi.md: reported, not refused.
std::string ReportRuntime(const ElfFile& file, const std::string& name) {
  const std::string its = file.CxxRuntime();
  if (its != kCxxRuntime && its != "none") {
    Log(LogLevel::kInfo, fmt::format("plugin '{}' has the C++ runtime '{}', this program '{}'",
                                     name, its, kCxxRuntime));
  }
  return its;
}

// What the manifest promises must be there: tools have shown it. What it leaves out they did not
// show, which is no reason to refuse.
void CompareWithManifest(const PluginInfo& info, std::string_view what,
                         const std::vector<std::string>& promised,
                         const std::vector<std::string>& brought) {
  const auto lacks = [](const std::vector<std::string>& all, const std::string& name) {
    return std::find(all.begin(), all.end(), name) == all.end();
  };
  for (const std::string& name : promised) {
    if (!lacks(brought, name)) continue;
    Fail(ErrorCode::kRegistration,
         {"plugin '", info.name, "' (", info.library, "): its manifest '", info.manifest,
          "' names the ", what, " '", name, "', which it does not bring"});
  }
  for (const std::string& name : brought) {
    if (!lacks(promised, name)) continue;
    Log(LogLevel::kWarning, fmt::format("plugin '{}': it brings the {} '{}', which its manifest "
                                        "'{}' does not name",
                                        info.name, what, name, info.manifest));
  }
}

void CompareWithManifest(const PluginInfo& info, const Tables& t) {
  if (info.manifest.empty()) return;
  std::vector<std::string> devices, operators;
  devices.reserve(t.devices.size());
  operators.reserve(t.operators.size());
  for (const SyDeviceDef& d : t.devices) devices.emplace_back(d.name);
  for (const SyOperatorDef& o : t.operators) operators.push_back(ParseSchema(o.schema).full_name());
  CompareWithManifest(info, "device", info.devices, devices);
  CompareWithManifest(info, "operator", info.operators, operators);
}

// The entry's type promises that it does not throw. It is called through one that promises nothing,
// so that a C++ plugin which shares our runtime and breaks the promise is an error.
const SyPlugin& CallEntry(const Object& object, const std::string& path) {
  using Unsure = const SyPlugin* (*)(uint32_t, SyError*);
  const auto entry = reinterpret_cast<Unsure>(object.Entry());
  ErrorText error;
  const SyPlugin* table = nullptr;
  std::string thrown;
  try {
    table = entry(SY_ABI_MINOR, error.abi());
  } catch (const std::exception& e) {  // its text, and type, go with the object
    thrown = fmt::format("its entry point throws an exception: {}", e.what());
  } catch (...) {
    thrown = "its entry point throws an exception";
  }
  if (!thrown.empty()) Fail(ErrorCode::kRegistration, {"plugin '", path, "': ", thrown});
  if (table == nullptr) {
    Fail(ErrorCode::kUnavailable, {"plugin '", path, "' does not serve this program: ",
                                   error.text().empty() ? "it gives no reason" : error.text()});
  }
  return *table;
}

// --- What is registered

// Everything there will be, and room for it in `p`, which stays empty.
struct Prepared {
  std::vector<Device*> devices;
  std::vector<OperatorRecord*> operators;
  std::vector<KernelRecord*> kernels;
};

KernelRecord& PrepareKernel(const Loaded& p, const SyKernelDef& def,
                            const std::vector<Device*>& devices) {
  KernelRecord& k = KernelRecordOf(p.info.name, p.slot, def);
  const auto of_device = [&](Device* d) {
    return def.device != nullptr && d->name() == def.device;
  };
  const auto own = std::find_if(devices.begin(), devices.end(), of_device);
  k.own = own == devices.end() ? nullptr : *own;
  k.viewed.own.store(k.own, std::memory_order_relaxed);
  k.user = def.user;
  k.loaded_fn = def.fn;
  k.declined.store(0, std::memory_order_relaxed);
  return k;
}

void Prepare(Loaded& p, const Tables& t, Prepared& all) {
  p.registry = &Registry::Global();
  sy::internal::SetKernelNotes(DeclineNote);
  for (const SyDeviceDef& def : t.devices) {
    Device& d = Device::Of(def.name);
    d.Attach(def, p.info.name);
    all.devices.push_back(&d);
  }
  for (const SyOperatorDef& def : t.operators) {
    OperatorRecord& o = OperatorRecordOf(p.info.name, p.slot, def);
    o.shape = def.shape;
    o.rule = def.rule;
    o.user = def.user;
    all.operators.push_back(&o);
  }
  for (const SyKernelDef& def : t.kernels)
    all.kernels.push_back(&PrepareKernel(p, def, all.devices));
  p.devices.reserve(all.devices.size());
  p.operators.reserve(all.operators.size());
  p.kernels.reserve(all.kernels.size());
  p.packings.reserve(t.packings.size());
  p.layers.reserve(t.layers.size());
  p.gradients.reserve(t.gradients.size());
  for (const SyLayerDef& def : t.layers)
    p.layers.push_back(&PluginLayer::Of(p.info.name, p.slot, def));
}

// The operators are there by now.
void RegisterGradient(Loaded& p, const SyGradientDef& def) {
  const OperatorEntry *op = p.registry->Find(def.op), *by = p.registry->Find(def.by);
  std::string problem;
  if (by == nullptr) {
    problem = Join({"the gradient of ", def.op, ": there is no operator '", def.by, "'"});
  } else {
    DerivativeMatch unused;
    problem = MatchDerivative(op->schema(), by->schema(), &unused);
  }
  if (!problem.empty()) Fail(ErrorCode::kRegistration, {"plugin '", p.info.name, "': ", problem});
  std::string name = def.op;
  AddDerivative(def.op, def.by);
  p.gradients.push_back(std::move(name));  // in room that is there
}

// Each piece is noted in `p` before it can be seen, in room that is there already.
void Register(Loaded& p, const Tables& t, const Prepared& all) {
  Registry& registry = *p.registry;
  const std::string source = fmt::format("plugin '{}'", p.info.name);
  for (Device* d : all.devices) {
    RegisterDevice(d->name(), d, source);
    p.devices.push_back(d);
  }
  for (OperatorRecord* o : all.operators) {
    o->loaded.store(true, std::memory_order_release);
    registry.Add(o->def);
    p.operators.push_back(o);
    if (o->has_rule()) {
      registry.Add(o->meta);
      o->meta_registered = true;
    }
    if (o->outputs_from == OutputsFrom::kRule || o->outputs_from == OutputsFrom::kNumbersFor) {
      registry.Add(o->any);
      o->any_registered = true;
    }
  }
  for (KernelRecord* k : all.kernels) {
    k->fn.store(k->loaded_fn, std::memory_order_release);
    registry.Add(k->def);
    p.kernels.push_back(k);
  }
  // What only the registry can say of variants and names.
  for (OperatorRecord* o : p.operators) registry.Find(o->name);
  for (const PackingDef& def : t.packings) {
    p.packings.push_back(def.name);
    try {
      RegisterPacking(def);
    } catch (...) {
      p.packings.pop_back();  // another's may have this name
      throw;
    }
  }
  for (const SyGradientDef& def : t.gradients) RegisterGradient(p, def);
  for (PluginLayer* l : p.layers) l->Open();
}

// A kernel on a device that is not the plugin's may be taken before one of the program's: that is
// allowed, and said.
void ReportReplaced(const Loaded& p) {
  if (!LogEnabled(LogLevel::kInfo)) return;
  for (const KernelRecord* k : p.kernels) {
    if (k->own != nullptr) continue;
    const Row row = k->device.empty() ? kHostRow : FindDeviceType(k->device).row;
    const OperatorEntry* op = p.registry->Find(k->op);
    for (int i = 0; i < kNumDTypes; ++i) {
      const auto dtype = static_cast<DType>(i);
      if (!Contains(k->def.dtypes, dtype)) continue;
      const std::vector<Candidate> all = p.registry->Candidates(*op, MakeKey(row, dtype));
      if (all.size() < 2 || all[0].kernel != &k->def || !all[1].usable) continue;
      Log(LogLevel::kInfo,
          fmt::format(
              "plugin '{}': on {} its kernel for '{}' is taken before the one at {}, for {}",
              p.info.name, DeviceType{row}.name(), k->op, all[1].kernel->source(), Name(dtype)));
      break;
    }
  }
}

// Other threads may have found some of it already: they are waited for, and if one stays, so does
// the object.
void TakeBack(Loaded& p, const Prepared& all) noexcept {
  for (KernelRecord* k : all.kernels) k->fn.store(nullptr, std::memory_order_release);
  for (OperatorRecord* o : all.operators) o->loaded.store(false, std::memory_order_release);
  for (PluginLayer* l : p.layers) l->Close();
  const int64_t calls = WaitForCalls(p);
  Deregister(p);
  ErrorText ignored;
  if (p.table.shutdown != nullptr) p.table.shutdown(ignored.abi());
  if (calls != 0) p.object->Keep();
}

// --- Loading

// The manifest of what was asked for; one with nothing but `library` where there is no manifest.
PluginInfo Locate(std::string_view wanted, const PluginSearch& search) {
  const std::string name(wanted);
  if (name.find('/') != name.npos) {
    if (!name.starts_with('/')) {
      Fail(ErrorCode::kInvalidArgument,
           {"plugin '", name, "': give an absolute path, or a name that is looked for in ",
            "SWITCHYARD_PLUGIN_PATH"});
    }
    std::error_code error;
    if (!std::filesystem::exists(name, error))
      Fail(ErrorCode::kNotFound, {"plugin '", name, "': there is no such file"});
    std::optional<PluginInfo> manifest = ManifestBeside(name);
    if (!manifest) {
      manifest.emplace();
      manifest->library = name;
    } else if (manifest->library != name) {
      Fail(ErrorCode::kRegistration, {"plugin '", name, "': the manifest beside it, '",
                                      manifest->manifest, "', is of ", manifest->library});
    }
    return *std::move(manifest);
  }
  std::string searched;
  for (const std::string& d : Directories(search)) searched += (searched.empty() ? "" : ", ") + d;
  for (PluginInfo& p : list_plugins(search)) {
    if (p.name != name) continue;
    if (!p.problem.empty()) Fail(ErrorCode::kRegistration, p.problem);
    return std::move(p);
  }
  Fail(ErrorCode::kNotFound, {"no plugin named '", name, "' in ",
                              searched.empty() ? "the search path, which is empty" : searched});
}

void RequireNotLoaded(const PluginInfo& wanted) {
  for (const Loaded& there : loaded()) {
    const bool same_file = there.info.library == wanted.library;
    if (!same_file && there.info.name != wanted.name) continue;
    Fail(ErrorCode::kRegistration,
         {same_file ? "" : fmt::format("'{}': ", wanted.library), "plugin '", there.info.name,
          "' is loaded already, from '", there.info.library, "'"});
  }
}

// Checks the file, opens the object and reads its tables. What is opened is what was checked: only
// who may write the file can have put another there meanwhile, and that is looked for.
Tables Open(Loaded& p) {
  const std::string& path = p.info.library;
  const ElfFile file(path);
  const SyNote note = ReadNote(file);
  if (!p.info.manifest.empty() && p.info.name != note.name) {
    file.Refuse(
        fmt::format("its manifest says that it is '{}', its note '{}'", p.info.name, note.name));
  }
  p.info.name = note.name;
  RequireNotLoaded(p.info);
  p.info.cxx_runtime = ReportRuntime(file, p.info.name);
  p.slot = SlotOf(p.info.name);
  p.may_unmap = (note.flags & SY_NOTE_UNMAP_OK) != 0;
  p.object = std::make_unique<Object>(path, p.may_unmap);
  if (!file.file().IsStillThere()) file.Refuse("another file was put in its place meanwhile");
  const SyPlugin& table = CallEntry(*p.object, path);
  try {
    return Validate(table, note);
  } catch (const Error& e) {
    Fail(e.code(), {"plugin '", p.info.name, "' (", path, "): ", e.message()});
  }
}

// What it registers is there when this returns, with what to tell the program.
PluginInfo Commit(Loaded& p, const Tables& t) {
  ErrorText error;
  if (t.plugin.init != nullptr)
    Check(t.plugin.init(&kHostFunctions, error.abi()), error, {"its init fails"});
  Prepared all;
  PluginInfo info;
  try {
    Prepare(p, t, all);
    Register(p, t, all);
    info = Describe(p);
    ReportReplaced(p);
  } catch (...) {
    TakeBack(p, all);
    throw;
  }
  for (Device* d : p.devices) d->Resume();  // last: who finds it open finds its kernels
  if (t.plugin.committed != nullptr)
    t.plugin.committed(t.accepted.data(), static_cast<uint32_t>(t.accepted.size()));
  return info;
}

PluginInfo Load(std::string_view wanted, const PluginSearch& search) {
  std::list<Loaded> made(1);
  Loaded& p = made.back();
  p.info = Locate(wanted, search);
  const KeepRounding keep;
  const Tables t = Open(p);
  CompareWithManifest(p.info, t);
  p.table = t.plugin;
  if (t.plugin.version != nullptr) p.info.version = t.plugin.version;
  PluginInfo info;
  try {
    info = Commit(p, t);
  } catch (const Error& e) {
    Fail(e.code(), {"plugin '", p.info.name, "' (", p.info.library, "): ", e.message()});
  }
  loaded().splice(loaded().end(), made);
  return info;
}

}  // namespace
}  // namespace sy::plugin

namespace sy {

PluginInfo load_plugin(std::string_view path_or_name, const PluginSearch& search) {
  std::lock_guard lock(plugin::loader_mutex());
  return plugin::Load(path_or_name, search);
}

std::vector<PluginInfo> loaded_plugins() {
  std::lock_guard lock(plugin::loader_mutex());
  std::vector<PluginInfo> all;
  for (const plugin::Loaded& p : plugin::loaded()) all.push_back(plugin::Describe(p));
  return all;
}

}  // namespace sy
