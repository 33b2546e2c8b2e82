// The functions that kernels may call, behind the table that plugins get. None throws.

#include <bit>

#include "plugin/calls.h"
#include "plugin/frame.h"
#include "plugin/kernel.h"
#include "plugin/state.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/philox_generator.h"
#include "switchyard/dispatcher/call.h"
#include "switchyard/dispatcher/layers.h"

namespace sy::plugin {
namespace {

Frame& FrameOf(SyCall* call) { return *static_cast<Frame*>(call); }

void HostLog(int32_t level, const char* text) noexcept {
  const int32_t known =
      level < SY_LOG_TRACE ? SY_LOG_TRACE : std::min<int32_t>(level, SY_LOG_ERROR);
  try {
    Log(static_cast<LogLevel>(known), text);
  } catch (...) {  // a sink of the program; nobody to tell
  }
}
static_assert(static_cast<int>(LogLevel::kError) == SY_LOG_ERROR);

const void* HostExtension(const char*) noexcept { return nullptr; }

int32_t HostFindOperator(const char* name, SyOperator* out, SyError* error) noexcept {
  return Guarded(error, [&] {
    OperatorEntry* op = Registry::Global().Find(name);
    if (op == nullptr) Fail(ErrorCode::kNotFound, {"no operator named '", name, "'"});
    *out = op;
  });
}

int32_t HostCallOperator(SyCall* from, SyOperator op, const SyValue* in, uint32_t n_in,
                         SyTensorRef* out, uint32_t n_out) noexcept {
  return Guarded(from->error, [&] { CallOperator(op, in, n_in, out, n_out); });
}

int32_t HostEmpty(SyCall* call, uint32_t dtype, uint32_t ndim, const int64_t* sizes,
                  SyTensorRef* owned) noexcept {
  return Guarded(call->error, [&] {
    if (dtype >= static_cast<uint32_t>(kNumDTypes))
      Fail(ErrorCode::kInvalidArgument, {"there is no dtype number ", dtype});
    const KeyWord key = WithDType(PlaceOfKey(FrameOf(call).key), static_cast<DType>(dtype));
    *owned = sy::internal::NewContiguous(key, {sizes, ndim});
  });
}

int32_t HostSetOut(SyCall* call, uint32_t i, SyTensorRef moved) noexcept {
  return Guarded(call->error, [&] {
    Tensor t(ImplOf(moved));
    Frame& f = FrameOf(call);
    if (i >= f.n_out || f.out[i] != nullptr) {
      Fail(ErrorCode::kInvalidArgument, f.record().op,
           {"output ", i, " is not one that the kernel gives"});
    }
    f.Ask().given[i] = std::move(t);
  });
}

int32_t HostView(SyCall* call, SyTensorRef ref, SyTensor* out) noexcept {
  const Tensor t(ImplOf(ref));
  ShowTensor(*out, t, FrameOf(call).record().own);
  const_cast<Tensor&>(t).release();  // borrowed
  return SY_OK;
}

void HostRetain(SyTensorRef ref) noexcept { ImplOf(ref)->refs.Increment(); }
void HostRelease(SyTensorRef ref) noexcept { Tensor(ImplOf(ref)); }

constexpr uint64_t kMostWorkspace = uint64_t{1} << 62;

int32_t HostWorkspace(SyCall* call, uint64_t bytes, uint64_t alignment,
                      const SyBuffer** borrowed) noexcept {
  return Guarded(call->error, [&] {
    Frame& f = FrameOf(call);
    if (!std::has_single_bit(alignment) || alignment > kMostWorkspace || bytes > kMostWorkspace) {
      Fail(ErrorCode::kInvalidArgument, f.record().op,
           {"a workspace of ", bytes, " bytes, aligned to ", alignment,
            ": expected a power of 2, and at most 2^62 of either"});
    }
    const uint64_t room = std::max<uint64_t>(bytes, 1);
    if (f.state != nullptr) {
      SyBuffer& b = f.Ask().device_memory.emplace_back();
      try {
        b = f.record().own->AllocateRaw(*f.state, room, alignment, f.stream);
      } catch (...) {
        f.Ask().device_memory.pop_back();
        throw;
      }
      *borrowed = &b;
      return;
    }
    if (RowOfKey(f.key) != kHostRow)
      Fail(ErrorCode::kNotImplemented, "workspace on a device of another plugin");
    // Room to move the start to the alignment.
    const int64_t total = static_cast<int64_t>(room + alignment);
    const Tensor& t = f.Ask().host_memory.emplace_back(Tensor::Empty({total}, DType::kUInt8));
    const auto start = reinterpret_cast<uintptr_t>(t.data());
    const uintptr_t aligned = (start + alignment - 1) / alignment * alignment;
    f.Ask().host_buffers.push_back(
        {sizeof(SyBuffer), 0, reinterpret_cast<void*>(aligned), bytes, nullptr});
    *borrowed = &f.Ask().host_buffers.back();
  });
}

int32_t HostPhilox(SyCall* call, const SyValue* generator, uint64_t counters, uint64_t* seed,
                   uint64_t* offset) noexcept {
  return Guarded(call->error, [&] {
    const bool given = generator != nullptr && generator->tag == SY_V_GENERATOR;
    Generator* g = given ? static_cast<Generator*>(const_cast<void*>(generator->u.list))
                         : &DefaultGenerator(DeviceOfKey(FrameOf(call).key));
    auto* philox = dynamic_cast<PhiloxGenerator*>(g);
    if (philox == nullptr) {
      Fail(ErrorCode::kInvalidArgument,
           {"the generator of ", g->device().str(), " is not a Philox generator"});
    }
    const PhiloxGenerator::Reservation r = philox->Reserve(counters);
    *seed = r.seed;
    *offset = r.offset;
  });
}

void HostParallelFor(int64_t n, int64_t grain, void (*body)(int64_t, int64_t, void*) noexcept,
                     void* context) noexcept {
  ParallelFor(n, std::max<int64_t>(grain, 1),
              [&](int64_t begin, int64_t end) { body(begin, end, context); });
}

void HostAsyncError(void* device_state, const SyAsyncError* error) noexcept {
  SyAsyncError copy{};
  std::memcpy(&copy, error, std::min<size_t>(error->size, sizeof(copy)));
  if (Device* d = Device::WithState(device_state)) d->Report(copy, device_state);
}

void* HostFindState(SyCall* call, const SyStateKey* key) noexcept {
  try {
    return FindState(FrameOf(call), ReadStruct<SyStateKey>(key, SY_MIN_SyStateKey, "a state key"));
  } catch (...) {  // no memory to look with: as if there were nothing
    return nullptr;
  }
}

int32_t HostKeepState(SyCall* call, const SyStateKey* key, void* state,
                      void (*destroy)(void*) noexcept, void** kept) noexcept {
  return Guarded(call->error, [&] {
    const auto k = ReadStruct<SyStateKey>(key, SY_MIN_SyStateKey, "a state key");
    *kept = KeepState(FrameOf(call), k, state, destroy);
  });
}

int32_t HostFindLayer(const char* name) noexcept { return FindLayer(name); }

int32_t HostAttachLayer(int32_t layer, SyTensorRef t, SyError* error) noexcept {
  return Guarded(error, [&] { AttachLayer(layer, Shared(t)); });
}
int32_t HostDetachLayer(int32_t layer, SyTensorRef t, SyError* error) noexcept {
  return Guarded(error, [&] { DetachLayer(layer, Shared(t)); });
}
int32_t HostHasLayer(int32_t layer, SyTensorRef t) noexcept {
  return layer >= 0 && layer < kMaxLayers && HasLayer(layer, Shared(t)) ? 1 : 0;
}

}  // namespace

void CallOperator(SyOperator op, const SyValue* in, uint32_t n_in, SyTensorRef* out,
                  uint32_t n_out) {
  const auto& entry = *static_cast<const OperatorEntry*>(op);
  if (n_out != entry.num_results || n_out > kMaxResults) {
    Fail(ErrorCode::kInvalidArgument,
         {entry.name(), "() has ", int{entry.num_results}, " results, there is room for ", n_out});
  }
  const ReceivedValues args(in, n_in);
  Result results[kMaxResults];
  CallBoxed(entry, args.values, {results, n_out});
  for (uint32_t i = 0; i < n_out; ++i) results[i].tensor();  // an error before anything is given
  for (uint32_t i = 0; i < n_out; ++i) out[i] = results[i].TakeTensor().release();
}

const SyHost kHostFunctions = {
    .size = sizeof(SyHost),
    .minor = SY_ABI_MINOR,
    .log = HostLog,
    .extension = HostExtension,
    .find_operator = HostFindOperator,
    .call_operator = HostCallOperator,
    .empty = HostEmpty,
    .set_out = HostSetOut,
    .view = HostView,
    .retain = HostRetain,
    .release = HostRelease,
    .workspace = HostWorkspace,
    .philox = HostPhilox,
    .parallel_for = HostParallelFor,
    .async_error = HostAsyncError,
    .find_state = HostFindState,
    .keep_state = HostKeepState,
    .find_layer = HostFindLayer,
    .attach_layer = HostAttachLayer,
    .detach_layer = HostDetachLayer,
    .has_layer = HostHasLayer,
};

}  // namespace sy::plugin
