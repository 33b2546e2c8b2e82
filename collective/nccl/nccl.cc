// Engine "nccl": NCCL between NVIDIA's GPUs. The library is opened when a group first asks for it;
// what is compiled here is its header.
//
// Calls are queued on the stream that they name, and return: nothing here waits for the stream, so
// that one that is captured takes them into its graph. Whoever calls asks `poll` while it waits.
// What NCCL does not reduce (int16, bool, complex products, bits) is refused
// with SY_NOT_DONE before anything is queued: the caller goes by way of the host.
//
// Source: nccl.h of NCCL 2.28; user guide, "Creating a Communicator", "Fault Tolerance".

#include <dlfcn.h>
#include <nccl.h>

#include <atomic>
#include <cstring>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "switchyard/collective/engine_abi.h"
#include "switchyard/core/dtype_enum.h"

namespace {

using sy::DType;

// Every function that is used, by NCCL's name for it.
#define FOR_ALL_FUNCTIONS(X) \
  X(ncclGetErrorString)      \
  X(ncclGetUniqueId)         \
  X(ncclCommInitRankConfig)  \
  X(ncclCommGetAsyncError)   \
  X(ncclCommAbort)           \
  X(ncclCommDestroy)         \
  X(ncclAllReduce)           \
  X(ncclReduceScatter)       \
  X(ncclAllGather)           \
  X(ncclBroadcast)           \
  X(ncclSend)                \
  X(ncclRecv)                \
  X(ncclGroupStart)          \
  X(ncclGroupEnd)

struct Nccl {
#define MEMBER(name) decltype(&::name) name = nullptr;
  FOR_ALL_FUNCTIONS(MEMBER)
#undef MEMBER
  std::string missing;  // why it is not there
};

Nccl Open() {
  Nccl n;
  void* handle = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    n.missing = dlerror();  // NOLINT(concurrency-mt-unsafe): glibc's is a thread's own
    return n;
  }
#define LOAD(name)                                                    \
  n.name = reinterpret_cast<decltype(&::name)>(dlsym(handle, #name)); \
  if (n.name == nullptr) n.missing = "libnccl.so.2 has no " #name;
  FOR_ALL_FUNCTIONS(LOAD)
#undef LOAD
  return n;
}
const Nccl& nccl() {
  static const Nccl n = Open();
  return n;
}

struct Group {
  ncclComm_t comm = nullptr;
  int rank = 0, size = 0;
  int64_t timeout_ms = 0;
  decltype(SyEngineGroup::now_ms) now_ms = nullptr;
  decltype(SyEngineGroup::pause) pause = nullptr;
  std::atomic<bool> aborted{false};
  std::mutex mutex;  // an abort takes what others ask away
};

int Write(const std::string& text, char* error, size_t room) {
  std::strncpy(error, text.c_str(), room - 1);
  error[room - 1] = '\0';
  return 1;
}
bool IsFine(ncclResult_t r) { return r == ncclSuccess || r == ncclInProgress; }

int Available(char* error, size_t room) {
  return nccl().missing.empty() ? 0 : Write(nccl().missing, error, room);
}

// What the communicator says of itself.
ncclResult_t State(Group& g) {
  std::lock_guard lock(g.mutex);
  if (g.aborted) return ncclInvalidUsage;
  ncclResult_t r = ncclSuccess;
  const ncclResult_t asked = nccl().ncclCommGetAsyncError(g.comm, &r);
  return asked == ncclSuccess ? r : asked;
}
// A call that is under way is on its stream only when the communicator says so.
ncclResult_t Settled(Group& g, ncclResult_t r) {
  const int64_t begun = g.now_ms();
  while (r == ncclInProgress && g.now_ms() - begun < g.timeout_ms) {
    r = State(g);
    if (r == ncclInProgress) g.pause();
  }
  return r;
}

void* Make(const SyEngineGroup* g, char* error, size_t room) {
  if (Available(error, room) != 0) return nullptr;
  const std::string key = std::string("nccl/") + g->name;
  ncclUniqueId id;
  if (g->rank == 0) {
    if (const ncclResult_t r = nccl().ncclGetUniqueId(&id); r != ncclSuccess) {
      Write(nccl().ncclGetErrorString(r), error, room);
      return nullptr;
    }
    if (g->set(g->store, key.c_str(), &id, sizeof id) != 0) {
      Write("rank 0 does not answer", error, room);
      return nullptr;
    }
  } else if (g->get(g->store, key.c_str(), &id, sizeof id) != sizeof id) {
    Write("the group's first rank does not make it", error, room);
    return nullptr;
  }
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;  // so that a rank that does not come can be given up
  auto made = std::make_unique<Group>();
  made->rank = g->rank;
  made->size = g->size;
  made->timeout_ms = g->timeout_ms;
  made->now_ms = g->now_ms;
  made->pause = g->pause;
  ncclResult_t r = nccl().ncclCommInitRankConfig(&made->comm, g->size, id, g->rank, &config);
  r = Settled(*made, r);
  if (r != ncclSuccess) {
    Write(r == ncclInProgress ? "not all ranks have come in time" : nccl().ncclGetErrorString(r),
          error, room);
    if (made->comm != nullptr) nccl().ncclCommAbort(made->comm);
    return nullptr;
  }
  return made.release();
}

void Abort(void* engine, const char*) {
  Group& g = *static_cast<Group*>(engine);
  std::lock_guard lock(g.mutex);
  if (!g.aborted.exchange(true)) nccl().ncclCommAbort(g.comm);
}
// Nothing is queued any more. Others may still be in their last call: it is not aborted.
void End(void* engine) {
  auto* const g = static_cast<Group*>(engine);
  if (!g->aborted) nccl().ncclCommDestroy(g->comm);
  delete g;
}

std::optional<ncclDataType_t> TypeOf(int dtype) {
  switch (static_cast<DType>(dtype)) {
    case DType::kInt8:
      return ncclInt8;
    case DType::kUInt8:
      return ncclUint8;
    case DType::kInt32:
      return ncclInt32;
    case DType::kUInt32:
      return ncclUint32;
    case DType::kInt64:
      return ncclInt64;
    case DType::kUInt64:
      return ncclUint64;
    case DType::kFloat16:
      return ncclFloat16;
    case DType::kBFloat16:
      return ncclBfloat16;
    case DType::kFloat32:
      return ncclFloat32;
    case DType::kFloat64:
      return ncclFloat64;
    default:
      return std::nullopt;
  }
}

// What is reduced, and how many numbers of it an element is.
struct Reduction {
  ncclDataType_t type;
  ncclRedOp_t op;
  size_t parts;
};
std::optional<Reduction> ReductionOf(const SyCollective& c) {
  const bool adds = c.op == SY_SUM || c.op == SY_AVG;
  DType dtype = static_cast<DType>(c.dtype);
  const size_t parts = sy::IsComplex(dtype) ? 2 : 1;
  if (parts == 2 && !adds) return std::nullopt;
  dtype = sy::RealType(dtype);
  const std::optional<ncclDataType_t> type = TypeOf(static_cast<int>(dtype));
  if (!type) return std::nullopt;
  switch (c.op) {
    case SY_SUM:
      return Reduction{*type, ncclSum, parts};
    case SY_AVG:
      return Reduction{*type, ncclAvg, parts};
    case SY_PRODUCT:
      return Reduction{*type, ncclProd, parts};
    case SY_MIN:
    case SY_MAX:
      // Those of floats do not hand NaNs on.
      if (sy::IsFloating(dtype)) return std::nullopt;
      return Reduction{*type, c.op == SY_MIN ? ncclMin : ncclMax, parts};
    default:
      return std::nullopt;
  }
}

// Parts of `in` to the ranks, of `out` from them; counts in bytes, null for none.
template <class To, class From>
ncclResult_t Exchange(const Group& g, cudaStream_t stream, To to, From from) {
  ncclResult_t r = nccl().ncclGroupStart();
  for (int peer = 0; peer < g.size && IsFine(r); ++peer) {
    if (const auto [p, n] = to(peer); n > 0)
      r = nccl().ncclSend(p, n, ncclUint8, peer, g.comm, stream);
    if (!IsFine(r)) break;
    if (const auto [p, n] = from(peer); n > 0)
      r = nccl().ncclRecv(p, n, ncclUint8, peer, g.comm, stream);
  }
  const ncclResult_t ended = nccl().ncclGroupEnd();
  return IsFine(r) ? ended : r;
}

ncclResult_t Queue(const Group& g, const SyCollective& c, const std::optional<Reduction>& how) {
  auto* const stream = static_cast<cudaStream_t>(c.stream);
  const auto n = static_cast<size_t>(c.count), bytes = n * static_cast<size_t>(c.item_size);
  const auto* in = static_cast<const char*>(c.in);
  auto* out = static_cast<char*>(c.out);
  struct Sent {
    const char* p;
    size_t n;
  };
  struct Taken {
    char* p;
    size_t n;
  };
  const bool root = c.peer == g.rank;
  switch (c.kind) {
    case SY_ALL_REDUCE:
      return nccl().ncclAllReduce(in, out, n * how->parts, how->type, how->op, g.comm, stream);
    case SY_REDUCE_SCATTER:
      return nccl().ncclReduceScatter(in, out, n * how->parts, how->type, how->op, g.comm, stream);
    case SY_ALL_GATHER:
      return nccl().ncclAllGather(in, out, bytes, ncclUint8, g.comm, stream);
    case SY_BROADCAST:
      return nccl().ncclBroadcast(root ? in : out, out, bytes, ncclUint8, c.peer, g.comm, stream);
    case SY_ALL_TO_ALL: {
      const auto item = static_cast<size_t>(c.item_size);
      const auto part = [&](const int64_t* counts, int& next, size_t& at, int peer) {
        for (; next < peer; ++next) at += static_cast<size_t>(counts[next]) * item;
        return static_cast<size_t>(counts[peer]) * item;
      };
      int sent = 0, taken = 0;
      size_t in_at = 0, out_at = 0;
      return Exchange(
          g, stream,
          [&](int peer) {
            const size_t size = part(c.in_counts, sent, in_at, peer);
            return Sent{in + in_at, size};
          },
          [&](int peer) {
            const size_t size = part(c.out_counts, taken, out_at, peer);
            return Taken{out + out_at, size};
          });
    }
    case SY_SCATTER:
      return Exchange(
          g, stream,
          [&](int peer) {
            return Sent{in + bytes * static_cast<size_t>(peer), root ? bytes : 0};
          },
          [&](int peer) {
            return Taken{out, peer == c.peer ? bytes : 0};
          });
    case SY_GATHER:
      return Exchange(
          g, stream,
          [&](int peer) {
            return Sent{in, peer == c.peer ? bytes : 0};
          },
          [&](int peer) {
            return Taken{out + bytes * static_cast<size_t>(peer), root ? bytes : 0};
          });
    case SY_SEND:
      return nccl().ncclSend(in, bytes, ncclUint8, c.peer, g.comm, stream);
    case SY_RECV:
      return nccl().ncclRecv(out, bytes, ncclUint8, c.peer, g.comm, stream);
    default:
      return ncclInvalidArgument;
  }
}

int Run(void* engine, const SyCollective* call, char* error, size_t room) {
  Group& g = *static_cast<Group*>(engine);
  if (g.aborted) return Write("the group has been given up", error, room);
  std::optional<Reduction> how;
  if (call->kind == SY_ALL_REDUCE || call->kind == SY_REDUCE_SCATTER) {
    how = ReductionOf(*call);
    if (!how) return SY_NOT_DONE;
  }
  if (call->kind == SY_BARRIER) return SY_NOT_DONE;
  const ncclResult_t r = Settled(g, Queue(g, *call, how));
  if (r == ncclInProgress) return Write("NCCL has not queued it in time", error, room);
  return r == ncclSuccess ? 0 : Write(nccl().ncclGetErrorString(r), error, room);
}

int Poll(void* engine, char* error, size_t room) {
  Group& g = *static_cast<Group*>(engine);
  const ncclResult_t r = State(g);
  if (g.aborted) return Write("the group has been given up", error, room);
  return IsFine(r) ? 0 : Write(nccl().ncclGetErrorString(r), error, room);
}

constexpr SyEngine kEngine = {sizeof(SyEngine), "nccl", Available, Make, End, Run, Abort, Poll};

}  // namespace

extern "C" __attribute__((visibility("default"))) const SyEngine* sy_collective_engine() {
  return &kEngine;
}
