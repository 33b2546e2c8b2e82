#include "plugin/validate.h"

#include <algorithm>
#include <optional>

#include "plugin/frame.h"
#include "plugin/kernel.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/op/shape_context.h"
#include "switchyard/registry/registry.h"

namespace sy::plugin {
namespace {

[[noreturn]] void Refuse(std::initializer_list<Piece> pieces) {
  Fail(ErrorCode::kRegistration, pieces);
}

template <class T>
std::vector<T> ReadArray(const T* first, uint32_t n, uint32_t stride, uint32_t least,
                         std::string_view what) {
  std::vector<T> all;
  if (n == 0) return all;
  if (first == nullptr) Refuse({n, " ", what, "s at address 0"});
  if (stride < least || stride % alignof(T) != 0)
    Refuse({what, "s are ", stride, " bytes apart, expected at least ", least});
  for (uint32_t i = 0; i < n; ++i) {
    const char* p = reinterpret_cast<const char*>(first) + size_t{i} * stride;
    const std::string name = Join({what, " ", i});
    all.push_back(ReadStruct<T>(p, least, name));
    uint32_t size;
    std::memcpy(&size, p, sizeof(size));
    if (size > stride)
      Refuse({name, " says that it has ", size, " bytes, but they are ", stride, " apart"});
  }
  return all;
}

void CheckDevice(const SyDeviceDef& d, const std::vector<SyDeviceDef>& before) {
  if (d.name == nullptr) Refuse({"a device without name"});
  for (const SyDeviceDef& b : before) {
    if (&b == &d) break;
    if (std::string_view(b.name) == d.name) Refuse({"device '", d.name, "' is given twice"});
  }
  const DeviceType type = FindDeviceType(d.name);
  if (type.row != kNoRow && FindBackend(type) != nullptr)
    Refuse({"device '", d.name, "' is registered already, by ", DeviceSource(type)});
  if (d.functions == nullptr) Refuse({"device '", d.name, "' has no functions"});
  const std::string what = Join({"the function table of device '", d.name, "'"});
  const auto f = ReadStruct<SyDeviceFunctions>(d.functions, SY_MIN_SyDeviceFunctions, what);
  if (f.allocate == nullptr || f.free == nullptr || f.copy == nullptr)
    Refuse({"device '", d.name, "' lacks one of allocate, free and copy"});
  const bool streams[] = {f.stream_create != nullptr,      f.stream_destroy != nullptr,
                          f.stream_synchronize != nullptr, f.event_create != nullptr,
                          f.event_destroy != nullptr,      f.event_record != nullptr,
                          f.event_wait != nullptr,         f.event_synchronize != nullptr,
                          f.event_query != nullptr,        f.event_elapsed != nullptr};
  if (std::count(std::begin(streams), std::end(streams), streams[0]) != std::ssize(streams))
    Refuse({"device '", d.name, "' has some of the stream and event functions, but not all"});
  const auto both = [&](bool one, bool other, std::string_view names) {
    if (one != other) Refuse({"device '", d.name, "' has one of ", names, ", but not both"});
  };
  both(f.host_allocate != nullptr, f.host_free != nullptr, "host_allocate and host_free");
  both(f.share != nullptr, f.unshare != nullptr, "share and unshare");
  both(f.adopt != nullptr, f.abandon != nullptr, "adopt and abandon");
  both(f.timing_start != nullptr, f.timing_stop != nullptr, "timing_start and timing_stop");
}

// What a rule's answers have room for.
void CheckRoom(const Schema& s, const std::string& name) {
  const auto count = [&](auto is) {
    return std::count_if(s.arguments.begin(), s.arguments.end(),
                         [&](const Argument& a) { return is(a.type); });
  };
  const auto at_most = [&](ptrdiff_t n, int most, std::string_view what) {
    if (n > most)
      Refuse({"operator '", name, "' has ", n, " ", what, ", at most ", most, " with a rule"});
  };
  at_most(count([](const Type& t) { return t.is_tensor(); }), ShapeContext::kMaxTensors,
          "tensor arguments");
  at_most(count([](const Type& t) { return t.is_tensor_list(); }), ShapeContext::kMaxLists,
          "lists of tensors");
  at_most(std::ssize(s.returns), ShapeContext::kMaxOutputs, "results");
}

// What an operator's results may share with its arguments.
void CheckResults(const SyOperatorDef& o, const Schema& s, const std::string& name) {
  const bool is_view = std::any_of(s.returns.begin(), s.returns.end(),
                                   [](const Argument& r) { return !r.type.alias.text.empty(); });
  if (!is_view) return;
  if (s.ReturnsWritten())
    Refuse({"operator '", name, "' writes its arguments: state the functional variant and ",
            "SY_OPERATOR_IN_PLACE or SY_OPERATOR_OUT"});
  if (o.rule == nullptr)
    Refuse({"operator '", name, "' returns ", s.returns[0].type.str(),
            ", a view: it needs a rule that states it"});
  if (s.returns.size() != 1 || o.flags != 0)
    Refuse({"operator '", name, "' returns a view: one, and without other variants"});
}

void CheckNumbers(const SyOperatorDef& o, const Schema& s, const std::string& name) {
  if (o.numbers_for == nullptr) return;
  if (o.rule != nullptr || o.shape != nullptr)
    Refuse(
        {"operator '", name, "' is '", o.numbers_for, "' with numbers: it has no rule of its own"});
  if (ParseSchema(o.schema).name != std::string_view(o.numbers_for).substr(0, s.name.size()))
    Refuse({"operator '", name, "' cannot be '", o.numbers_for, "' with numbers: another name"});
}

void CheckOperator(const SyOperatorDef& o, const std::vector<SyOperatorDef>& before) {
  if (o.schema == nullptr) Refuse({"an operator without schema"});
  const Schema s = ParseSchema(o.schema);
  const std::string name = s.full_name();
  if (s.name.find("::") == s.name.npos)
    Refuse({"operator '", name, "' needs a namespace, as in 'toy::scale'"});
  for (const SyOperatorDef& b : before) {
    if (&b == &o) break;
    if (ParseSchema(b.schema).full_name() == name) Refuse({"operator '", name, "' is given twice"});
  }
  if (const OperatorEntry* there = Registry::Global().Find(name); there != nullptr)
    Refuse({"operator '", name, "' is registered already, at ", there->def()->source()});
  for (const Argument& r : s.returns) {
    if (!r.type.is_tensor() || r.type.optional)
      Refuse({"operator '", name, "' must return tensors, not ", r.type.str()});
  }
  if (s.returns.empty() || s.returns.size() > Frame::kMaxOuts)
    Refuse({"operator '", name, "' returns ", s.returns.size(), " tensors, expected 1 to ",
            Frame::kMaxOuts});
  if (o.rule != nullptr && o.shape != nullptr)
    Refuse({"operator '", name, "' has both a rule and a shape function"});
  if (o.rule != nullptr || o.shape != nullptr) CheckRoom(s, name);
  CheckResults(o, s, name);
  CheckNumbers(o, s, name);
}

bool Has(const std::vector<SyDeviceDef>& devices, std::string_view name) {
  return std::any_of(devices.begin(), devices.end(),
                     [&](const SyDeviceDef& d) { return name == d.name; });
}

class KernelCheck {
 public:
  explicit KernelCheck(const Tables& t) : t_(t) {
    for (const SyOperatorDef& o : t.operators) {
      own_schemas_.push_back(ParseSchema(o.schema));
      own_operators_.push_back(own_schemas_.back().full_name());
    }
  }

  // False: skip it.
  bool Accepts(SyKernelDef& k) const {
    if (k.op == nullptr || k.fn == nullptr) Refuse({"a kernel without operator or function"});
    const bool optional = (k.flags & SY_KERNEL_OPTIONAL) != 0;
    const std::string_view op(k.op);
    const auto at = static_cast<size_t>(
        std::find(own_operators_.begin(), own_operators_.end(), op) - own_operators_.begin());
    const bool own = at < own_operators_.size();
    OperatorEntry* entry = own ? nullptr : Registry::Global().Find(op);
    if (!own && entry == nullptr) {
      if (optional) return false;
      Refuse({"kernel for '", op, "': no operator of that name is registered"});
    }
    if (k.device != nullptr && !Has(t_.devices, k.device) && !Registered(k.device)) {
      if (optional) return false;
      Refuse({"kernel for '", op, "' on '", k.device, "': no device of that name is registered"});
    }
    if (k.dtypes != SY_ANY_DTYPE) k.dtypes &= kAllTypes;
    if (k.dtypes == 0) {
      if (optional) return false;
      Refuse({"kernel for '", op, "' serves no dtype that this program has"});
    }
    if (entry != nullptr) CheckEntry(k, *entry);
    if (own) CheckOwn(k, at);
    return true;
  }

 private:
  static bool Registered(const char* device) {
    const DeviceType type = FindDeviceType(device);
    return type.row != kNoRow && FindBackend(type) != nullptr;
  }

  // outputs: those the kernel is given.
  static void CheckSignature(const SyKernelDef& k, const Schema& schema, size_t outputs) {
    if (k.signature == nullptr) return;
    std::string expected = schema.Code();
    expected.resize(expected.find('>') + 1);
    expected.append(outputs, 'T');
    const std::string_view got(k.signature);
    const auto fits = [](char a, char b) { return a == '?' || a == b; };
    if (got.size() == expected.size() && std::equal(got.begin(), got.end(), expected.begin(), fits))
      return;
    Refuse({"kernel for '", k.op, "': its function takes '", got, "', expected '", expected,
            "', since the operator is ", schema.str(),
            outputs == 0 ? ", whose kernels give the outputs" : ""});
  }
  void CheckOwn(const SyKernelDef& k, size_t i) const {
    const SyOperatorDef& o = t_.operators[i];
    const Schema& s = own_schemas_[i];
    if (o.numbers_for != nullptr)
      Refuse({"kernel for '", k.op, "': the kernels of '", o.numbers_for, "' serve it"});
    if (!s.returns.empty() && !s.returns[0].type.alias.text.empty())
      Refuse({"kernel for '", k.op, "': a view on every device, it needs none"});
    const bool given = o.rule != nullptr || o.shape != nullptr;
    CheckSignature(k, s, given ? s.returns.size() : 0);
  }

  static void CheckEntry(const SyKernelDef& k, const OperatorEntry& entry) {
    if (entry.kind == Variant::kView || entry.kind == Variant::kViewInPlace)
      Refuse({"kernel for '", k.op, "': a view on every device, it needs none"});
    if (entry.kernels->entry().name() != k.op) {
      Refuse({"kernel for '", k.op, "': kernels register for the base variant, '",
              entry.kernels->entry().name(), "'"});
    }
    for (const Argument& r : entry.schema().returns) {
      if (!r.type.is_tensor())
        Refuse({"kernel for '", k.op, "': plugins cannot return ", r.type.str()});
    }
    // By a typed shape function, or the rule of another plugin.
    const OperatorRecord* of_plugin = RecordOf(entry);
    const bool given = entry.shape_function.load(std::memory_order_relaxed) != nullptr ||
                       (of_plugin != nullptr && of_plugin->has_rule());
    CheckSignature(k, entry.schema(), given ? entry.num_results : 0);
    for (const KernelDef* there : Registry::Global().KernelsOf(entry)) {
      if (SameKey(k, there->device, there->dtypes, there->priority)) {
        Refuse({"kernel for '", k.op, "' on ", k.device == nullptr ? "any device" : k.device,
                " is registered already, at ", there->source()});
      }
    }
  }

 public:
  static bool SameKey(const SyKernelDef& k, const char* device, uint64_t dtypes, int priority) {
    const bool same_device = k.device == nullptr || device == nullptr
                                 ? k.device == device
                                 : std::string_view(k.device) == device;
    const bool same_rank = (k.dtypes == SY_ANY_DTYPE) == (dtypes == SY_ANY_DTYPE);
    return same_device && same_rank && k.priority == priority && (k.dtypes & dtypes) != 0;
  }

 private:
  const Tables& t_;
  std::vector<Schema> own_schemas_;
  std::vector<std::string> own_operators_;
};

void CheckKernels(Tables& t, std::vector<SyKernelDef> given) {
  const KernelCheck check(t);
  for (SyKernelDef& k : given) {
    t.accepted.push_back(check.Accepts(k) ? 1 : 0);
    if (t.accepted.back() == 0) continue;
    for (const SyKernelDef& b : t.kernels) {
      if (std::string_view(b.op) == k.op &&
          KernelCheck::SameKey(k, b.device, b.dtypes, b.priority)) {
        Refuse({"kernel for '", k.op, "' on ", k.device == nullptr ? "any device" : k.device,
                " is given twice for one dtype"});
      }
    }
    t.kernels.push_back(k);
  }
}

PackingDef ReadPacking(const SyPackingDef& p) {
  if (p.name == nullptr || p.pack == nullptr || p.unpack == nullptr)
    Refuse({"a packing without name, or without operators that pack and unpack"});
  PackingDef def{.name = p.name, .pack = p.pack, .unpack = p.unpack};
  const std::string what = Join({"packing '", def.name, "': call"});
  for (const SyPackedCall& c :
       ReadArray(p.calls, p.n_calls, p.call_stride, SY_MIN_SyPackedCall, what)) {
    if (c.op == nullptr || c.by == nullptr) Refuse({what, " without operators"});
    def.calls.push_back({c.op, c.packed, c.by, c.gives_parts != 0});
  }
  return def;
}

void CheckLayer(const SyLayerDef& l) {
  if (l.name == nullptr || std::string_view(l.name).find("::") == std::string_view::npos)
    Refuse({"layer '", l.name == nullptr ? "" : l.name, "': expected a name with a namespace"});
  if (l.fn == nullptr) Refuse({"layer '", l.name, "' has no function"});
}

void CheckGradient(const SyGradientDef& g, const std::vector<SyOperatorDef>& operators) {
  if (g.op == nullptr || g.by == nullptr) Refuse({"a gradient without operators"});
  const bool own = std::any_of(operators.begin(), operators.end(), [&](const SyOperatorDef& o) {
    return ParseSchema(o.schema).full_name() == g.op;
  });
  if (!own) Refuse({"gradient of '", g.op, "', which is not an operator of the plugin's"});
}

}  // namespace

Tables Validate(const SyPlugin& given, const SyNote& note) {
  Tables t;
  t.plugin = ReadStruct<SyPlugin>(&given, SY_MIN_SyPlugin, "the plugin's table");
  if (t.plugin.requires_minor > SY_ABI_MINOR) {
    Refuse({"needs version ", SY_ABI_MAJOR, ".", t.plugin.requires_minor,
            " of the plugin ABI, this program serves ", SY_ABI_MAJOR, ".", SY_ABI_MINOR});
  }
  if (t.plugin.name == nullptr || std::string_view(t.plugin.name) != note.name) {
    Refuse({"its table says that it is '", t.plugin.name == nullptr ? "" : t.plugin.name,
            "', its note '", note.name, "'"});
  }
  t.devices = ReadArray(t.plugin.devices, t.plugin.n_devices, t.plugin.device_stride,
                        SY_MIN_SyDeviceDef, "device");
  t.operators = ReadArray(t.plugin.operators, t.plugin.n_operators, t.plugin.operator_stride,
                          SY_MIN_SyOperatorDef, "operator");
  auto kernels = ReadArray(t.plugin.kernels, t.plugin.n_kernels, t.plugin.kernel_stride,
                           SY_MIN_SyKernelDef, "kernel");
  for (const SyDeviceDef& d : t.devices) CheckDevice(d, t.devices);
  for (const SyOperatorDef& o : t.operators) CheckOperator(o, t.operators);
  CheckKernels(t, std::move(kernels));
  for (const SyPackingDef& p : ReadArray(t.plugin.packings, t.plugin.n_packings,
                                         t.plugin.packing_stride, SY_MIN_SyPackingDef, "packing"))
    t.packings.push_back(ReadPacking(p));
  t.layers = ReadArray(t.plugin.layers, t.plugin.n_layers, t.plugin.layer_stride, SY_MIN_SyLayerDef,
                       "layer");
  for (const SyLayerDef& l : t.layers) CheckLayer(l);
  t.gradients = ReadArray(t.plugin.gradients, t.plugin.n_gradients, t.plugin.gradient_stride,
                          SY_MIN_SyGradientDef, "gradient");
  for (const SyGradientDef& g : t.gradients) CheckGradient(g, t.operators);
  return t;
}

}  // namespace sy::plugin
