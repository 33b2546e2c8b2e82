// Engine "mpi": Open MPI, between processes that its launcher has started.
//
// It has no time-outs, and its launcher ends all ranks when one dies. What is to be an error
// elsewhere is therefore, where a rank waits in a call, a text on stderr and the end of the
// process: from the runtime's watch, by way of `abort`.
//
// Source: MPI 3.1; Open MPI 4.1.

#include <dlfcn.h>
#define OMPI_SKIP_MPICXX 1  // not the C++ of MPI 2
#include <mpi/mpi.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "switchyard/collective/engine_abi.h"
#include "switchyard/core/dtype_enum.h"

namespace {

using sy::DType;

// What MPI reduces itself. Not floats' minima, which are to hand NaNs on, nor bool.
struct Native {
  DType dtype;
  MPI_Datatype type;
  bool is_float;
};
std::vector<Native> NativeTypes() {
  return {{DType::kInt8, MPI_INT8_T, false},   {DType::kUInt8, MPI_UINT8_T, false},
          {DType::kInt16, MPI_INT16_T, false}, {DType::kUInt16, MPI_UINT16_T, false},
          {DType::kInt32, MPI_INT32_T, false}, {DType::kUInt32, MPI_UINT32_T, false},
          {DType::kInt64, MPI_INT64_T, false}, {DType::kUInt64, MPI_UINT64_T, false},
          {DType::kFloat32, MPI_FLOAT, true},  {DType::kFloat64, MPI_DOUBLE, true}};
}

// One for the process.
struct Library {
  MPI_Datatype types[sy::kNumDTypes];  // for reductions
  bool native[sy::kNumDTypes] = {}, is_float[sy::kNumDTypes] = {};
  MPI_Op native_ops[SY_AVG] = {};
  MPI_Op own_ops[SY_AVG] = {};
  decltype(SyEngineGroup::reduce) reduce = nullptr;
  std::atomic<bool> broken{false};
};
Library& library() {
  static auto* const l = new Library;
  return *l;
}

int DTypeOf(MPI_Datatype type) {
  const Library& l = library();
  for (int d = 0; d < sy::kNumDTypes; ++d) {
    if (l.types[d] == type) return d;
  }
  return -1;
}
template <int kOp>
void ReduceBy(void* in, void* to, int* n, MPI_Datatype* type) {
  library().reduce(kOp, DTypeOf(*type), to, in, *n);
}

// Ends MPI with the process. A status says that something went wrong: the others may not come.
void AtExit(int status, void*) {
  int over = 0;
  MPI_Finalized(&over);
  if (over != 0) return;
  if (status != 0 || library().broken) MPI_Abort(MPI_COMM_WORLD, status != 0 ? status : 1);
  MPI_Finalize();
}

// Errors: text.
std::string Start(const SyEngineGroup& g) {
  static std::mutex mutex;
  std::lock_guard lock(mutex);
  Library& l = library();
  if (l.reduce != nullptr) return "";
  int started = 0;
  MPI_Initialized(&started);
  if (started == 0) {
    // Its components look for its names in the program.
    dlopen("libmpi.so.40", RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
    int level = 0;
    if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &level) != MPI_SUCCESS)
      return "MPI_Init_thread has failed";
    if (level != MPI_THREAD_MULTIPLE) return "this MPI does not take calls from several threads";
    on_exit(AtExit, nullptr);
  }
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank != g.world_ranks[g.rank]) {
    return "MPI's launcher says rank " + std::to_string(rank) + ", the world rank " +
           std::to_string(g.world_ranks[g.rank]);
  }
  for (int d = 0; d < sy::kNumDTypes; ++d) {
    MPI_Type_contiguous(static_cast<int>(sy::ItemSize(static_cast<DType>(d))), MPI_BYTE,
                        &l.types[d]);
    MPI_Type_commit(&l.types[d]);
  }
  for (const Native& n : NativeTypes()) {
    const auto d = static_cast<int>(n.dtype);
    MPI_Type_free(&l.types[d]);
    l.types[d] = n.type;
    l.native[d] = true;
    l.is_float[d] = n.is_float;
  }
  const MPI_Op native[SY_AVG] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX, MPI_BAND, MPI_BOR, MPI_BXOR};
  std::copy(native, native + SY_AVG, l.native_ops);
  MPI_User_function* const own[SY_AVG] = {ReduceBy<SY_SUM>, ReduceBy<SY_PRODUCT>, ReduceBy<SY_MIN>,
                                          ReduceBy<SY_MAX>, ReduceBy<SY_BAND>,    ReduceBy<SY_BOR>,
                                          ReduceBy<SY_BXOR>};
  for (int i = 0; i < SY_AVG; ++i) MPI_Op_create(own[i], 1, &l.own_ops[i]);
  l.reduce = g.reduce;
  return "";
}

struct Group {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank = 0, size = 0;
  std::vector<int> numbers;  // of all_to_all: its counts and places, in and out
  // Whether a call waits: of collectives there is one at a time, of messages any number.
  std::atomic<bool> collects{false};
  std::atomic<int> messages{0};
  std::atomic<bool> aborted{false};
};

void Write(const std::string& text, char* error, size_t room) {
  std::strncpy(error, text.c_str(), room - 1);
  error[room - 1] = '\0';
}

void* Make(const SyEngineGroup* g, char* error, size_t room) {
  if (const std::string why = Start(*g); !why.empty()) {
    Write(why, error, room);
    return nullptr;
  }
  MPI_Group world, members;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_incl(world, g->size, g->world_ranks, &members);
  auto made = std::make_unique<Group>();
  made->rank = g->rank;
  made->size = g->size;
  made->numbers.resize(4 * static_cast<size_t>(g->size));
  // The tag keeps groups that are made at the same time apart.
  constexpr size_t kTags = 30000;
  const auto tag = static_cast<int>(std::hash<std::string>()(g->name) % kTags);
  MPI_Comm_create_group(MPI_COMM_WORLD, members, tag, &made->comm);
  MPI_Group_free(&members);
  MPI_Group_free(&world);
  MPI_Comm_set_errhandler(made->comm, MPI_ERRORS_RETURN);
  return made.release();
}

void End(void* engine) {
  auto* g = static_cast<Group*>(engine);
  // To free it is a call of all ranks, which may not be there.
  if (!g->aborted && !library().broken) MPI_Comm_free(&g->comm);
  delete g;
}

void Abort(void* engine, const char* why) {
  Group& g = *static_cast<Group*>(engine);
  g.aborted = true;
  library().broken = true;
  if (!g.collects && g.messages == 0) return;
  std::fprintf(stderr, "switchyard: %s\n", why);
  std::fflush(stderr);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

struct Reduction {
  MPI_Datatype type;
  MPI_Op op;
};
Reduction ReductionOf(const SyCollective& c) {
  const Library& l = library();
  const bool minmax = c.op == SY_MIN || c.op == SY_MAX;
  const bool native = l.native[c.dtype] && !(l.is_float[c.dtype] && minmax);
  return {l.types[c.dtype], native ? l.native_ops[c.op] : l.own_ops[c.op]};
}

// Of large calls, whose counts are no ints, all_reduce alone is cut in pieces. What MPI has no text
// for is written to `error`.
int Run(Group& g, const SyCollective& c, char* error, size_t room) {
  const int64_t bytes = c.count * c.item_size;
  if (c.kind != SY_ALL_REDUCE && c.kind != SY_ALL_TO_ALL && bytes > INT_MAX) {
    Write("over 2 GiB a rank at once is too much for MPI; call it for parts", error, room);
    return MPI_ERR_COUNT;
  }
  const int n = static_cast<int>(std::min<int64_t>(bytes, INT_MAX));
  switch (c.kind) {
    case SY_ALL_REDUCE: {
      const Reduction r = ReductionOf(c);
      constexpr int64_t kPiece = int64_t{1} << 30;
      for (int64_t i = 0; i < c.count || i == 0; i += kPiece) {
        const auto part = static_cast<int>(std::min(kPiece, c.count - i));
        char* const out = static_cast<char*>(c.out) + i * c.item_size;
        const void* in =
            c.in == c.out ? MPI_IN_PLACE : static_cast<const char*>(c.in) + i * c.item_size;
        const int failed = MPI_Allreduce(in, out, part, r.type, r.op, g.comm);
        if (failed != MPI_SUCCESS) return failed;
      }
      return MPI_SUCCESS;
    }
    case SY_ALL_GATHER: {
      const bool in_place = c.in == static_cast<const char*>(c.out) + bytes * g.rank;
      return MPI_Allgather(in_place ? MPI_IN_PLACE : c.in, n, MPI_BYTE, c.out, n, MPI_BYTE, g.comm);
    }
    case SY_REDUCE_SCATTER: {
      const Reduction r = ReductionOf(c);
      return MPI_Reduce_scatter_block(c.in, c.out, static_cast<int>(c.count), r.type, r.op, g.comm);
    }
    case SY_ALL_TO_ALL: {
      const auto k = static_cast<size_t>(g.size);
      int *in = g.numbers.data(), *in_at = in + k, *out = in_at + k, *out_at = out + k;
      int64_t sent = 0, taken = 0;
      for (size_t r = 0; r < k; ++r) {
        in[r] = static_cast<int>(c.in_counts[r]);
        in_at[r] = static_cast<int>(sent);
        out[r] = static_cast<int>(c.out_counts[r]);
        out_at[r] = static_cast<int>(taken);
        sent += c.in_counts[r];
        taken += c.out_counts[r];
      }
      if (std::max(sent, taken) > INT_MAX) {
        Write("over 2³¹ elements at once are too many for MPI; call it for parts", error, room);
        return MPI_ERR_COUNT;
      }
      MPI_Datatype type = library().types[c.dtype];
      return MPI_Alltoallv(c.in, in, in_at, type, c.out, out, out_at, type, g.comm);
    }
    case SY_BROADCAST:
      return MPI_Bcast(c.out, n, MPI_BYTE, c.peer, g.comm);
    case SY_SCATTER:
      return MPI_Scatter(c.in, n, MPI_BYTE, c.out, n, MPI_BYTE, c.peer, g.comm);
    case SY_GATHER:
      return MPI_Gather(c.in, n, MPI_BYTE, c.out, n, MPI_BYTE, c.peer, g.comm);
    case SY_BARRIER:
      return MPI_Barrier(g.comm);
    case SY_SEND:
      return MPI_Send(c.in, n, MPI_BYTE, c.peer, c.tag, g.comm);
    default: {
      MPI_Status status;
      const int failed = MPI_Recv(c.out, n, MPI_BYTE, c.peer, c.tag, g.comm, &status);
      if (failed != MPI_SUCCESS) return failed;
      int got = 0;
      MPI_Get_count(&status, MPI_BYTE, &got);
      if (got != n) {
        std::snprintf(error, room, "rank %d of the group has sent %d bytes, expected %d", c.peer,
                      got, n);
        return MPI_ERR_TRUNCATE;
      }
      return MPI_SUCCESS;
    }
  }
}

int RunAny(void* engine, const SyCollective* call, char* error, size_t room) {
  Group& g = *static_cast<Group*>(engine);
  if (g.aborted) {
    Write("the group has been given up", error, room);
    return 1;
  }
  const bool message = call->kind >= SY_SEND;
  if (message) {
    g.messages.fetch_add(1, std::memory_order_relaxed);
  } else {
    g.collects.store(true, std::memory_order_relaxed);
  }
  error[0] = '\0';
  const int failed = Run(g, *call, error, room);
  if (message) {
    g.messages.fetch_sub(1, std::memory_order_relaxed);
  } else {
    g.collects.store(false, std::memory_order_relaxed);
  }
  if (failed == MPI_SUCCESS) return 0;
  if (error[0] == '\0') {
    char text[MPI_MAX_ERROR_STRING];
    int n = 0;
    MPI_Error_string(failed, text, &n);
    Write(text, error, room);
  }
  return 1;
}

constexpr SyEngine kEngine = {sizeof(SyEngine), "mpi", nullptr, Make, End, RunAny, Abort, nullptr};

}  // namespace

extern "C" __attribute__((visibility("default"))) const SyEngine* sy_collective_engine() {
  return &kEngine;
}
