// A plugin that asks the host for everything it offers, and a device that counts what is alive.

#include <atomic>
#include <cstdlib>
#include <cstring>

#include "switchyard/c/plugin.hpp"

namespace {

using namespace sy::abi;

const SyHost* host = nullptr;

// --- A device with room for kRoom bytes, some of which its cache may hold ---

constexpr uint64_t kRoom = 1000;

struct Memory {
  uint64_t used = 0, cached = 0;
  int64_t buffers = 0, trims = 0;
} memory;

int32_t Open(void*, int32_t, void** device, SyError*) noexcept {
  memory = {};
  *device = &memory;
  return SY_OK;
}
int32_t Properties(void*, SyDeviceProperties* out, SyError*) noexcept {
  out->capabilities = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE | SY_DEVICE_ASYNC;
  out->alignment = 256;
  return SY_OK;
}
int32_t Allocate(void*, uint64_t bytes, uint64_t alignment, void*, SyBuffer* out,
                 SyError*) noexcept {
  if (memory.used + memory.cached + bytes > kRoom) return SY_E_OUT_OF_MEMORY;
  void* block = nullptr;
  if (posix_memalign(&block, alignment, bytes) != 0) return SY_E_OUT_OF_MEMORY;
  memory.used += bytes;
  ++memory.buffers;
  out->handle = block;
  out->bytes = bytes;
  return SY_OK;
}
void Free(void*, const SyBuffer* b, void*) noexcept {
  std::free(b->handle);
  memory.used -= b->bytes;
  memory.cached += b->bytes;
  --memory.buffers;
}
int32_t Trim(void*) noexcept {
  memory.cached = 0;
  ++memory.trims;
  return SY_OK;
}
int32_t Copy(void*, const SyCopy* c, void*, SyError*) noexcept {
  const void* from = c->kind == SY_COPY_HOST_TO_DEVICE
                         ? c->host_source
                         : static_cast<char*>(c->source->handle) + c->source_offset;
  void* to = c->kind == SY_COPY_DEVICE_TO_HOST
                 ? c->host_destination
                 : static_cast<char*>(c->destination->handle) + c->destination_offset;
  std::memcpy(to, from, c->bytes);
  return SY_OK;
}
int32_t Synchronize(void*, SyAsyncError*) noexcept { return SY_OK; }

const SyDeviceFunctions functions = [] {
  SyDeviceFunctions f{};
  f.size = sizeof(f);
  f.open = Open;
  f.properties = Properties;
  f.allocate = Allocate;
  f.free = Free;
  f.trim = Trim;
  f.copy = Copy;
  f.synchronize = Synchronize;
  return f;
}();

// --- Operators. Results are int64 tensors that say what the host answered ---

// Three numbers wherever x is.
void Answers(Outputs& outputs, Tensor) {
  constexpr int64_t kThree = 3;
  outputs.Add({&kThree, 1}, DType{SY_INT64});
}
void AnswersTo2(Outputs& outputs, Tensor x, int64_t, int64_t) { Answers(outputs, x); }
void AnswersTo1(Outputs& outputs, Tensor x, int64_t) { Answers(outputs, x); }

// → bytes that could be written, remainder of the address by the alignment, buffers alive.
void Workspace(Call call, Tensor out, Tensor, int64_t bytes, int64_t alignment) {
  const SyBuffer& b =
      call.Workspace(static_cast<uint64_t>(bytes), static_cast<uint64_t>(alignment));
  std::memset(b.handle, 1, static_cast<size_t>(bytes));
  int64_t* answer = out.data<int64_t>();
  answer[0] = static_cast<int64_t>(b.bytes);
  answer[1] = static_cast<int64_t>(reinterpret_cast<uintptr_t>(b.handle) %
                                   static_cast<uintptr_t>(alignment));
  answer[2] = memory.buffers;
}

// → buffers alive, trims, bytes in use.
void State(Call, Tensor out, Tensor) {
  int64_t* answer = out.data<int64_t>();
  answer[0] = memory.buffers;
  answer[1] = memory.trims;
  answer[2] = static_cast<int64_t>(memory.used);
}

// → seed, first counter, 0.
void Philox(Call call, Tensor out, Tensor, int64_t counters) {
  uint64_t seed = 0, offset = 0;
  SyCall* c = call.abi();
  const int32_t code = c->host->philox(c, nullptr, static_cast<uint64_t>(counters), &seed, &offset);
  if (code != SY_OK) throw Error(code, c->error->text);
  int64_t* answer = out.data<int64_t>();
  answer[0] = static_cast<int64_t>(seed);
  answer[1] = static_cast<int64_t>(offset);
  answer[2] = 0;
}

// → 0 + 1 + … + n - 1, elements seen, ranges.
void Parallel(Call call, Tensor out, Tensor, int64_t n) {
  std::atomic<int64_t> sum{0}, seen{0}, ranges{0};
  const auto add = [&](int64_t begin, int64_t end) noexcept {
    int64_t part = 0;
    for (int64_t i = begin; i < end; ++i) part += i;
    sum += part;
    seen += end - begin;
    ++ranges;
  };
  call.ParallelFor(n, 100, add);
  int64_t* answer = out.data<int64_t>();
  answer[0] = sum;
  answer[1] = seen;
  answer[2] = ranges;
}

// Fails later, as a driver's thread would tell: at the next call that synchronises.
void Later(Call call, Tensor out, Tensor) {
  std::memset(out.data(), 0, 3 * sizeof(int64_t));
  SyAsyncError e{};
  e.size = sizeof(e);
  e.code = SY_E_ASYNC;
  e.sequence = call.abi()->sequence;
  std::strcpy(e.text, "the queue has melted");
  host->async_error(call.abi()->device_state, &e);
}

// → how the host answers nonsense: an output that has been given, a dtype that is none, an operator
// called for more results than it has.
void Nonsense(Call call, Tensor out, Tensor x) {
  SyCall* c = call.abi();
  const int64_t size = 1;
  Ref spare = call.Empty({&size, 1}, DType{SY_INT64});
  SyTensorRef none = nullptr, two[2] = {};
  SyOperator add = nullptr;
  c->host->find_operator("add.Tensor", &add, c->error);
  const SyValue arguments[] = {Boxed(x.view()), Boxed(x.view()), Boxed(int64_t{1})};
  const int32_t codes[] = {c->host->set_out(c, 0, spare.release()),
                           c->host->empty(c, 99, 1, &size, &none),
                           c->host->call_operator(c, add, arguments, 3, two, 2)};
  for (int i = 0; i < 3; ++i) out.data<int64_t>()[i] = codes[i];
}

// Frees what is the host's: ends the process.
void FreesAForeignBuffer(Call call, Tensor, Tensor) {
  const SyBuffer& b = call.Workspace(64, 4096);
  char* volatile inside = static_cast<char*>(b.handle) + 16;  // volatile: the compiler would tell
  std::free(inside);
}

// Holds x for a while: → 1 where the host knows no extension and 0 otherwise, 0, 0.
void Holds(Call call, Tensor out, Tensor x) {
  const SyHost* h = call.abi()->host;
  h->retain(x.view().ref);
  h->release(x.view().ref);
  h->log(SY_LOG_TRACE, "asks: held");
  int64_t* answer = out.data<int64_t>();
  answer[0] = h->extension("no such thing") == nullptr;
  answer[1] = answer[2] = 0;
}

// More arguments than there is room for on the stack, and lists: → the sum of the first elements of
// xs, the sum of the numbers, arguments.
int32_t Lists(SyCall* c) noexcept {
  const auto* tensors = static_cast<const SyTensor* const*>(c->in[1].u.list);
  const auto* numbers = static_cast<const SyValue*>(c->in[2].u.list);
  auto* answer = static_cast<int64_t*>(c->out[0]->data);
  answer[0] = answer[1] = 0;
  for (uint32_t i = 0; i < c->in[1].length; ++i)
    answer[0] += static_cast<int64_t>(*static_cast<const float*>(tensors[i]->data));
  for (uint32_t i = 0; i < c->in[2].length; ++i) answer[1] += numbers[i].u.i;
  answer[2] = c->n_in;
  return SY_OK;
}
int32_t ListsShape(const SyValue*, uint32_t, SyMeta* out, uint32_t, void*, SyError*) noexcept {
  out->ndim = 1;
  out->sizes[0] = 3;
  out->dtype = SY_INT64;
  return SY_OK;
}

int32_t Init(const SyHost* given, SyError*) noexcept {
  host = given;
  return SY_OK;
}

const SyDeviceDef devices[] = {DeviceOf("asks", functions)};
constexpr SyOperatorDef operators[] = {
    Operator<AnswersTo2>("asks::workspace(Tensor x, int bytes, int alignment) -> Tensor"),
    Operator<Answers>("asks::state(Tensor x) -> Tensor"),
    Operator<AnswersTo1>("asks::philox(Tensor x, int counters) -> Tensor"),
    Operator<AnswersTo1>("asks::parallel(Tensor x, int n) -> Tensor"),
    Operator<Answers>("asks::later(Tensor x) -> Tensor"),
    Operator<Answers>("asks::nonsense(Tensor x) -> Tensor"),
    Operator<Answers>("asks::frees_a_foreign_buffer(Tensor x) -> Tensor"),
    Operator<Answers>("asks::holds(Tensor x) -> Tensor"),
    {sizeof(SyOperatorDef), 0,
     "asks::lists(Tensor x, Tensor[] xs, Scalar[] numbers, int a=0, int b=0, int c=0, int d=0, "
     "int e=0, int f=0, int g=0, int h=0, int i=0, int j=0, int k=0) -> Tensor",
     ListsShape, nullptr, __FILE__, __LINE__, 0, nullptr, nullptr},
};
constexpr SyKernelDef kernels[] = {
    Kernel<Workspace>("asks::workspace", "cpu"),
    Kernel<Workspace>("asks::workspace", "asks"),
    Kernel<State>("asks::state", "asks"),
    Kernel<Philox>("asks::philox", "cpu"),
    Kernel<Philox>("asks::philox", "asks"),
    Kernel<Parallel>("asks::parallel", "cpu"),
    Kernel<Later>("asks::later", "asks"),
    Kernel<Nonsense>("asks::nonsense", "cpu"),
    Kernel<FreesAForeignBuffer>("asks::frees_a_foreign_buffer", "cpu"),
    Kernel<Holds>("asks::holds", "cpu"),
    {sizeof(SyKernelDef), 0, "asks::lists", "cpu", SY_ANY_DTYPE, Lists, nullptr, __FILE__, __LINE__,
     0, nullptr},
};
const SyPlugin plugin = [] {
  SyPlugin p = MakePlugin("asks", "1.0", devices, operators, kernels);
  p.init = Init;
  return p;
}();

}  // namespace

SY_PLUGIN(plugin, "asks")
