// Loading and unloading: everything that runs under the loader's lock.

#include <dlfcn.h>

#include <algorithm>
#include <cfenv>
#include <chrono>
#include <filesystem>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "plugin/calls.h"
#include "plugin/elf.h"
#include "plugin/frame.h"
#include "plugin/kernel.h"
#include "plugin/manifest.h"
#include "plugin/note.h"
#include "plugin/validate.h"
#include "switchyard/core/device_removal.h"
#include "switchyard/core/dlpack.h"
#include "switchyard/core/logging.h"
#include "switchyard/plugin/plugin.h"

namespace sy::plugin {
namespace {

// Plugins may be linked with code that changes the rounding of the thread that opens them
// (-ffast-math: flush to zero).
class KeepRounding {
 public:
  KeepRounding() { std::fegetenv(&before_); }
  ~KeepRounding() { std::fesetenv(&before_); }
  KeepRounding(const KeepRounding&) = delete;
  KeepRounding& operator=(const KeepRounding&) = delete;

 private:
  std::fenv_t before_;
};

#ifdef _LIBCPP_VERSION
constexpr std::string_view kCxxRuntime = "libc++.so.1";
#else
constexpr std::string_view kCxxRuntime = "libstdc++.so.6";
#endif

// Rule 8 of docs/plugin-abi.md: reported, not refused.
std::string ReportRuntime(const std::string& path, const std::string& name) {
  const std::string its = ElfFile(path).CxxRuntime();
  if (its != kCxxRuntime && its != "none") {
    Log(LogLevel::kInfo, Join({"plugin '", name, "' has the C++ runtime '", its,
                               "', this program '", kCxxRuntime, "'"}));
  }
  return its;
}

// noexcept: an exception of a static constructor must not unwind through the dynamic linker, which
// holds its lock. volatile: glibc declares that dlopen throws nothing, and compilers believe it.
void* OpenObject(const char* path, int flags) noexcept {
  void* (*volatile open)(const char*, int) = &dlopen;
  return open(path, flags);
}

// An open shared object.
class Object {
 public:
  Object(const std::string& path, bool may_unmap) : path_(path) {
    handle_ = OpenObject(path.c_str(), RTLD_NOW | RTLD_LOCAL | (may_unmap ? 0 : RTLD_NODELETE));
    if (handle_ == nullptr)
      Fail(ErrorCode::kUnavailable, {"plugin '", path, "' cannot be opened: ", dlerror()});
  }
  ~Object() { Close(); }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  SyPluginEntry Entry() const {
    void* entry = dlsym(handle_, SY_PLUGIN_ENTRY_NAME);
    if (entry == nullptr) {
      Fail(ErrorCode::kRegistration,
           {"plugin '", path_, "': it exports no symbol ", SY_PLUGIN_ENTRY_NAME});
    }
    return reinterpret_cast<SyPluginEntry>(entry);
  }
  // Whether its code is out of memory.
  bool Close() {
    if (handle_ == nullptr) return true;
    dlclose(std::exchange(handle_, nullptr));
    void* still = dlopen(path_.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NOLOAD);
    if (still == nullptr) return true;
    dlclose(still);
    return false;
  }

 private:
  std::string path_;
  void* handle_;
};

struct Loaded {
  PluginInfo info;
  int slot = 0;
  bool may_unmap = false;
  std::unique_ptr<Object> object;
  SyPlugin table = {};
  std::vector<Device*> devices;  // registered
  std::vector<OperatorRecord*> operators;
  std::vector<KernelRecord*> kernels;
};

std::recursive_mutex& loader_mutex() {
  static auto* m = new std::recursive_mutex;
  return *m;
}
std::list<Loaded>& loaded() {
  static auto* l = new std::list<Loaded>;
  return *l;
}

// --- Loading ---

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
    thrown = Join({"its entry point throws an exception: ", e.what()});
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

void Close(Loaded& p) {
  for (KernelRecord* k : p.kernels) k->fn.store(nullptr, std::memory_order_release);
  for (OperatorRecord* o : p.operators) o->loaded.store(false, std::memory_order_release);
  for (Device* d : p.devices) d->Close();
}

void Resume(Loaded& p) {
  for (Device* d : p.devices) d->Resume();
  for (OperatorRecord* o : p.operators) o->loaded.store(true, std::memory_order_release);
  for (KernelRecord* k : p.kernels) k->fn.store(k->loaded_fn, std::memory_order_release);
}

void Deregister(Loaded& p) {
  Registry& registry = Registry::Global();
  for (KernelRecord* k : p.kernels) registry.Remove(k->def);
  for (OperatorRecord* o : p.operators) {
    if (o->shape != nullptr) registry.Remove(o->meta);
    registry.Remove(o->def);
  }
  for (Device* d : p.devices) UnregisterDevice(FindDeviceType(d->name()));
  p.kernels.clear();
  p.operators.clear();
  p.devices.clear();
}

void RegisterAll(Loaded& p, const Tables& t) {
  Registry& registry = Registry::Global();
  for (const SyDeviceDef& def : t.devices) {
    Device& d = Device::Of(def.name);
    d.Attach(def, p.info.name);
    RegisterDevice(def.name, &d, Join({"plugin '", p.info.name, "'"}));
    p.devices.push_back(&d);
  }
  for (const SyOperatorDef& def : t.operators) {
    OperatorRecord& o = OperatorRecordOf(p.info.name, p.slot, def);
    o.shape = def.shape;
    o.user = def.user;
    o.loaded.store(true, std::memory_order_release);
    registry.Add(o.def);
    if (o.shape != nullptr) registry.Add(o.meta);
    p.operators.push_back(&o);
  }
  for (const SyKernelDef& def : t.kernels) {
    KernelRecord& k = KernelRecordOf(p.info.name, p.slot, def);
    const auto of_device = [&](Device* d) {
      return def.device != nullptr && d->name() == def.device;
    };
    const auto own = std::find_if(p.devices.begin(), p.devices.end(), of_device);
    k.own = own == p.devices.end() ? nullptr : *own;
    k.viewed.own.store(k.own, std::memory_order_relaxed);
    k.user = def.user;
    k.loaded_fn = def.fn;
    k.declined.store(0, std::memory_order_relaxed);
    k.fn.store(def.fn, std::memory_order_release);
    registry.Add(k.def);
    p.kernels.push_back(&k);
  }
  // What only the registry can say of forms and names.
  for (OperatorRecord* o : p.operators) registry.Find(o->name);
  for (Device* d : p.devices) d->Resume();  // last: who finds it open finds its kernels
}

void Commit(Loaded& p, const Tables& t) {
  ErrorText error;
  if (t.plugin.init != nullptr)
    Check(t.plugin.init(&kHostFunctions, error.abi()), error, {"its init fails"});
  try {
    RegisterAll(p, t);
  } catch (...) {
    Close(p);
    Deregister(p);
    if (t.plugin.shutdown != nullptr) t.plugin.shutdown(error.abi());
    throw;
  }
  if (t.plugin.committed != nullptr)
    t.plugin.committed(t.accepted.data(), static_cast<uint32_t>(t.accepted.size()));
}

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

PluginInfo Describe(const Loaded& p) {
  PluginInfo info = p.info;
  info.loaded = true;
  info.devices.clear();
  info.operators.clear();
  for (const Device* d : p.devices) info.devices.push_back(d->name());
  for (const OperatorRecord* o : p.operators) info.operators.push_back(o->name);
  info.kernels = static_cast<int64_t>(p.kernels.size());
  for (const KernelRecord* k : p.kernels)
    info.declined += k->declined.load(std::memory_order_relaxed);
  return info;
}

PluginInfo Load(std::string_view wanted, const PluginSearch& search) {
  Loaded p;
  p.info = Locate(wanted, search);
  const std::string& path = p.info.library;
  for (const Loaded& there : loaded()) {
    if (there.info.library == path || (!p.info.name.empty() && there.info.name == p.info.name))
      Fail(ErrorCode::kRegistration,
           {"plugin '", there.info.name, "' is loaded already, from '", there.info.library, "'"});
  }
  const SyNote note = ReadNote(path);
  if (!p.info.manifest.empty() && p.info.name != note.name) {
    Fail(ErrorCode::kRegistration, {"plugin '", path, "': its manifest says that it is '",
                                    p.info.name, "', its note '", note.name, "'"});
  }
  p.info.name = note.name;
  for (const Loaded& there : loaded()) {
    if (there.info.name == p.info.name)
      Fail(ErrorCode::kRegistration, {"plugin '", path, "': a plugin named '", p.info.name,
                                      "' is loaded already, from '", there.info.library, "'"});
  }
  p.info.cxx_runtime = ReportRuntime(path, p.info.name);
  p.slot = SlotOf(p.info.name);
  p.may_unmap = (note.flags & SY_NOTE_UNMAP_OK) != 0;
  const KeepRounding keep;
  WatchForks();
  p.object = std::make_unique<Object>(path, p.may_unmap);
  const SyPlugin& table = CallEntry(*p.object, path);
  try {
    const Tables t = Validate(table, note);
    p.table = t.plugin;
    if (t.plugin.version != nullptr) p.info.version = t.plugin.version;
    Commit(p, t);
  } catch (const Error& e) {
    Fail(e.code(), {"plugin '", p.info.name, "' (", path, "): ", e.message()});
  }
  loaded().push_back(std::move(p));
  return Describe(loaded().back());
}

// --- Unloading ---

std::string Count(int64_t n, const char* what) {
  return n == 0 ? "" : Join({", ", n, " ", what, n == 1 ? "" : "s"});
}

void CountAlive(const Loaded& p, UnloadAnswer& a) {
  a.tensors = a.bytes = a.streams = a.events = a.exports = 0;
  for (Device* d : p.devices) {
    d->Settle();
    a.tensors += d->live_blocks();
    a.bytes += d->live_bytes();
    a.streams += d->live_streams();
    a.events += d->live_events();
    a.exports += LiveDlpackExports(FindDeviceType(d->name()));
  }
}

bool IsAlive(const UnloadAnswer& a) { return a.tensors + a.streams + a.events != 0; }

bool IsDefaultDevice(const Loaded& p) {
  const std::string_view name = DefaultDevice().type.name();
  return std::any_of(p.devices.begin(), p.devices.end(),
                     [&](const Device* d) { return d->name() == name; });
}

UnloadAnswer Busy(UnloadAnswer a, std::string more = "") {
  const std::string what = Count(a.tensors, "tensor") +
                           (a.tensors == 0 ? "" : Join({" (", a.bytes, " bytes)"})) +
                           Count(a.streams, "stream") + Count(a.events, "event") +
                           Count(a.exports, "DLPack export") + Count(a.calls, "call") + more;
  a.text = "busy: " + what.substr(std::min<size_t>(2, what.size()));
  return a;
}

// Calls inside once no new one can start; waits a second for them, unless this thread is inside.
int64_t WaitForCalls(const Loaded& p) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while (true) {
    int64_t mine = 0;
    int64_t calls = CallsInside(p.slot, &mine);
    for (const Device* d : p.devices) {
      int64_t mine_there = 0;
      calls += CallsInside(d->slot(), &mine_there);
      mine += mine_there;
    }
    if (calls == 0 || mine != 0 || std::chrono::steady_clock::now() > end) return calls;
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
}

UnloadAnswer Unload(std::string_view name) {
  const auto it = std::find_if(loaded().begin(), loaded().end(),
                               [&](const Loaded& p) { return p.info.name == name; });
  if (it == loaded().end()) Fail(ErrorCode::kNotFound, {"no plugin named '", name, "' is loaded"});
  Loaded& p = *it;
  UnloadAnswer a;
  if (Forked()) return Busy(a, ", loaded before fork: this process is the child");
  CountAlive(p, a);
  if (IsAlive(a)) return Busy(a);
  if (IsDefaultDevice(p)) return Busy(a, ", its device is the default device");
  Close(p);
  a.calls = WaitForCalls(p);
  CountAlive(p, a);
  if (a.calls != 0 || IsAlive(a)) {
    Resume(p);
    return Busy(a);
  }
  const KeepRounding keep;
  for (Device* d : p.devices) d->CloseAll();
  ErrorText error;
  const int32_t code = p.table.shutdown == nullptr ? SY_OK : p.table.shutdown(error.abi());
  if (code != SY_OK) {
    const std::string_view why = error.text().empty() ? NameOfAbi(code) : error.text();
    Resume(p);
    return Busy(a, Join({", its shutdown says: ", why}));
  }
  Deregister(p);
  a.unloaded = true;
  a.unmapped = p.object->Close() && p.may_unmap;
  a.text = "unloaded";
  if (!p.may_unmap) {
    a.text += "; the object stays in memory, as it asks";
  } else if (!a.unmapped) {
    a.text += "; the object stays in memory: build it with -fno-gnu-unique";
  }
  loaded().erase(it);
  return a;
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

UnloadAnswer unload_plugin(std::string_view name) {
  std::lock_guard lock(plugin::loader_mutex());
  return plugin::Unload(name);
}

}  // namespace sy
