// A plugin that misbehaves in the way that the environment variable FAULT names: one object for the
// whole fault suite.

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <thread>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

bool Is(const char* fault) {
  const char* wanted = std::getenv("FAULT");
  return wanted != nullptr && std::strcmp(wanted, fault) == 0;
}

struct Constructor {
  Constructor() {
    if (Is("constructor throws")) throw std::runtime_error("thrown before the entry point");
  }
} constructor;

// --- A device whose functions fail on demand ---

int left_to_allocate = 3;

int32_t Open(void*, int32_t, void** device, SyError* error) noexcept {
  *device = &left_to_allocate;
  left_to_allocate = 3;
  if (!Is("open fails")) return SY_OK;
  WriteText(error, "the driver is too old");
  return SY_E_UNSUPPORTED;
}
int32_t Count(void*, int32_t* n, SyError* error) noexcept {
  *n = Is("no device") ? 0 : 1;
  WriteText(error, "nothing is plugged in");
  return SY_OK;
}
int32_t Properties(void*, SyDeviceProperties* out, SyError*) noexcept {
  out->capabilities = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE;
  return SY_OK;
}
int32_t Allocate(void*, uint64_t bytes, uint64_t, void*, SyBuffer* out, SyError*) noexcept {
  if (Is("allocate fails") && left_to_allocate-- == 0) return SY_E_OUT_OF_MEMORY;
  out->handle = Is("no handle") ? nullptr : std::malloc(bytes);
  out->bytes = bytes;
  return SY_OK;
}
void Free(void*, const SyBuffer* b, void*) noexcept { std::free(b->handle); }
int32_t Trim(void*) noexcept {
  if (Is("allocate fails")) return SY_E_INTERNAL;
  return SY_OK;
}
int32_t Copy(void*, const SyCopy* c, void*, SyError* error) noexcept {
  if (Is("copy fails")) {
    std::memset(error->text, 'x', error->capacity);  // text without end
    return SY_E_DEVICE_LOST;
  }
  const void* from = c->kind == SY_COPY_HOST_TO_DEVICE
                         ? c->host_source
                         : static_cast<char*>(c->source->handle) + c->source_offset;
  void* to = c->kind == SY_COPY_DEVICE_TO_HOST
                 ? c->host_destination
                 : static_cast<char*>(c->destination->handle) + c->destination_offset;
  std::memcpy(to, from, c->bytes);
  return SY_OK;
}
int32_t Synchronize(void*, SyAsyncError* error) noexcept {
  if (!Is("synchronize fails")) return SY_OK;
  std::memset(error->text, 'y', sizeof(error->text));
  return SY_E_DEVICE_LOST;
}

SyDeviceFunctions MakeFunctions() {
  SyDeviceFunctions f{};
  f.size = Is("device table too small") ? 32 : sizeof(f);
  f.open = Open;
  f.count = Count;
  f.properties = Properties;
  f.allocate = Is("no allocate") ? nullptr : Allocate;
  f.free = Free;
  f.trim = Trim;
  f.copy = Copy;
  f.synchronize = Synchronize;
  if (Is("some of the streams"))
    f.stream_create = [](void*, int32_t, void**, SyError*) noexcept { return int32_t{SY_OK}; };
  return f;
}

// --- Kernels ---

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  if (Is("kernel throws")) throw std::runtime_error("no such luck");
  if (Is("kernel throws anything")) throw 1;
  if (Is("kernel declines")) throw Declined();
  if (Is("kernel crashes")) raise(SIGSEGV);
  if (Is("kernel aborts")) std::abort();
  if (Is("kernel asks for an unknown operator")) call.Run("no_such_operator", {});
  float* data = out.data<float>();
  for (int64_t i = 0; i < out.numel(); ++i) data[i] = value.To<float>();
  if (Is("kernel fails after writing")) throw Error(SY_E_INTERNAL, "too late");
}

// Not the sums, but the dimension it was given.
int32_t Cumsum(SyCall* c) noexcept {
  if (Is("kernel declines")) return SY_DECLINED;
  static_cast<float*>(c->out[0]->data)[0] = static_cast<float>(c->in[1].u.i);
  return SY_OK;
}

void TwiceShape(Outputs& outputs, Tensor x) {
  if (Is("shape fails")) throw Error("x is not to its taste");
  constexpr int64_t kNegative[] = {-3}, kTooMany[] = {int64_t{1} << 40, int64_t{1} << 40};
  if (Is("shape states a negative size")) return outputs.Add(kNegative, x.dtype());
  if (Is("shape states too many elements")) return outputs.Add(kTooMany, x.dtype());
  if (Is("shape states nonsense")) return outputs.Add(x.sizes(), DType{77});
  outputs.Add(x.sizes(), x.dtype());
}
// x + x, by the host's operator.
void Twice(Call call, Tensor out, Tensor x) {
  const SyValue arguments[] = {Boxed(x.view()), Boxed(x.view()), Boxed(int64_t{1})};
  const Ref sum = call.Run("add.Tensor", arguments);
  const SyTensor view = call.View(sum);
  std::memcpy(out.data(), view.data, static_cast<size_t>(view.numel) * sizeof(float));
}
// An operator whose results' sizes depend on data: the elements above 0.
void Positive(Call call, Tensor x) {
  if (Is("output not given")) return;
  int64_t n = 0;
  for (int64_t i = 0; i < x.numel(); ++i) n += x.data<float>()[i] > 0;
  Ref out = call.Empty(std::span<const int64_t>(&n, 1), x.dtype());
  float* to = static_cast<float*>(call.View(out).data);
  for (int64_t i = 0; i < x.numel(); ++i) {
    if (x.data<float>()[i] > 0) *to++ = x.data<float>()[i];
  }
  call.SetOut(0, std::move(out));
}
void PositiveOnAny(Call call, Tensor x) { Positive(call, x); }

// --- The table, made when asked for ---

int32_t Init(const SyHost*, SyError* error) noexcept {
  if (Is("init aborts")) std::abort();
  if (Is("init exits")) _exit(7);
  if (Is("init crashes")) raise(SIGSEGV);
  if (Is("init hangs")) pause();
  if (!Is("init fails")) return SY_OK;
  WriteText(error, "the driver cannot be found");
  return SY_E_UNSUPPORTED;
}
// Goes on after shutdown, in code that may be gone by then.
void Outlive() {
  std::thread([] {
    for (;;) {
      volatile int work = 0;
      for (int i = 0; i < 1000; ++i) work = work + i;
      usleep(100);
    }
  }).detach();
}

int32_t Shutdown(SyError* error) noexcept {
  if (Is("a thread survives")) Outlive();
  if (!Is("shutdown is busy")) return SY_OK;
  WriteText(error, "a callback of the driver is pending");
  return SY_E_BUSY;
}

const SyPlugin* MakeTable() {
  static SyDeviceFunctions functions;
  static SyDeviceDef devices[2];
  static SyOperatorDef operators[3];
  static SyKernelDef kernels[6];
  static SyPlugin plugin;
  functions = MakeFunctions();
  devices[0] = DeviceOf(Is("device of another") ? "cpu" : "fault", functions);
  devices[1] = DeviceOf("fault", functions);
  operators[0] = Operator<TwiceShape>(Is("bad schema")     ? "fault::twice(Tensor x -> Tensor"
                                      : Is("no namespace") ? "fault_twice(Tensor x) -> Tensor"
                                                           : "fault::twice(Tensor x) -> Tensor");
  operators[1] = {sizeof(SyOperatorDef),
                  0,
                  "fault::positive(Tensor x) -> Tensor",
                  nullptr,
                  nullptr,
                  __FILE__,
                  __LINE__,
                  0,
                  nullptr,
                  nullptr};
  if (Is("view without a rule")) operators[1].schema = "fault::positive(Tensor(a) x) -> Tensor(a)";
  operators[2] = operators[0];
  kernels[0] = Kernel<Fill>(Is("kernel for an unknown operator") ? "fault::nothing" : "fill.Scalar",
                            Is("kernel for an unknown device") ? "nowhere" : "fault",
                            Is("unknown dtypes") ? uint64_t{1} << 60 : SY_BIT(SY_FLOAT32));
  kernels[1] = Kernel<Twice>("fault::twice", "cpu");
  kernels[2] = Kernel<Positive, 0>("fault::positive", "cpu");
  kernels[3] = Kernel<PositiveOnAny, 0>("fault::positive", "fault");
  kernels[4] = {sizeof(SyKernelDef),
                0,
                "cumsum",
                "fault",
                SY_BIT(SY_FLOAT32),
                Cumsum,
                nullptr,
                __FILE__,
                __LINE__,
                0,
                nullptr};
  kernels[5] = kernels[0];
  if (Is("kernel of another") || Is("kernel before another's")) {
    kernels[5] = Kernel<Fill>("add.Tensor", "cpu", SY_BIT(SY_FLOAT32));
    kernels[5].signature = nullptr;  // not looked at
    kernels[5].priority = Is("kernel of another") ? 0 : 1;
  } else if (Is("kernel for a form")) {
    kernels[5] = Kernel<Fill>("add_.Tensor", "fault");
  } else if (Is("kernel for a view")) {
    kernels[5] = Kernel<Fill>("t", "fault");
  }
  const bool six = Is("kernel twice") || Is("kernel of another") || Is("kernel for a form") ||
                   Is("kernel for a view") || Is("kernel before another's");
  plugin = MakePlugin(Is("other name") ? "somebody else" : "fault", "1.0",
                      {devices, size_t{Is("device twice") ? 2u : 1u}},
                      {operators, size_t{Is("operator twice") ? 3u : 2u}},
                      {kernels, size_t{six ? 6u : 5u}});
  if (Is("device twice")) devices[0] = devices[1];
  if (Is("table too small")) plugin.size = 8;
  if (Is("kernel of other types")) kernels[1].signature = "i>T";
  if (Is("kernel given an output")) kernels[2].signature = "T>T";
  if (Is("kernel too small")) kernels[1].size = 8;
  if (Is("kernel too large")) kernels[1].size = 4096;
  if (Is("stride too small")) plugin.kernel_stride = 8;
  if (Is("array at 0")) plugin.kernels = nullptr;
  if (Is("needs a newer host")) plugin.requires_minor = 1000;
  plugin.init = Init;
  plugin.shutdown = Shutdown;
  return &plugin;
}

}  // namespace

#ifndef FAULT_NOTE_FLAGS
#define FAULT_NOTE_FLAGS SY_NOTE_UNMAP_OK
#endif
SY_PLUGIN_NOTE("fault", FAULT_NOTE_FLAGS);

// Not noexcept, whatever its type says.
extern "C" SY_EXPORT const SyPlugin* sy_plugin_v1(uint32_t, SyError* error) {
  if (Is("entry throws")) throw std::runtime_error("thrown in the entry point");
  if (Is("entry throws anything")) throw 1;
  if (Is("entry refuses")) {
    WriteText(error, "this host is too old");
    return nullptr;
  }
  return MakeTable();
}
