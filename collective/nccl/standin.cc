// A stand-in for libnccl.so.2, for tests without GPUs: ranks are threads of one process, streams
// are ignored, memory is the host's, and every call is done when it returns. It keeps to nccl.h.
//
// STANDIN_ASYNC_ERROR=1 makes ncclCommGetAsyncError say that the network has failed.

#include <nccl.h>

#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <tuple>
#include <vector>

namespace {

constexpr size_t kSizes[ncclNumTypes] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2, 1, 1};

// All ranks of one communicator.
struct Meeting {
  std::mutex mutex;
  std::condition_variable changed;
  int size = 0, here = 0;
  uint64_t generation = 0;
  std::vector<const void*> in;
  std::map<std::pair<int, int>, std::deque<std::string>> mail;
  bool aborted = false;

  // mine: null at the second meeting of a call, while others may still read the first's.
  bool Meet(int rank, const void* mine) {
    std::unique_lock lock(mutex);
    if (mine != nullptr) in[static_cast<size_t>(rank)] = mine;
    const uint64_t now = generation;
    if (++here == size) {
      here = 0;
      ++generation;
      changed.notify_all();
    }
    changed.wait(lock, [&] { return generation != now || aborted; });
    return !aborted;
  }
};

std::mutex all_mutex;
std::map<std::string, std::shared_ptr<Meeting>> all;
int next_id = 0;

template <class T>
void ReduceAs(const std::vector<const void*>& in, size_t at, void* out, size_t n, ncclRedOp_t op) {
  for (size_t i = 0; i < n; ++i) {
    T x = static_cast<const T*>(in[0])[at + i];
    for (size_t r = 1; r < in.size(); ++r) {
      const T y = static_cast<const T*>(in[r])[at + i];
      x = op == ncclProd  ? static_cast<T>(x * y)
          : op == ncclMax ? (x > y ? x : y)
          : op == ncclMin ? (x < y ? x : y)
                          : static_cast<T>(x + y);
    }
    if (op == ncclAvg) x = static_cast<T>(x / static_cast<T>(in.size()));
    static_cast<T*>(out)[i] = x;
  }
}
bool Reduce(const std::vector<const void*>& in, size_t at, void* out, size_t n, ncclDataType_t type,
            ncclRedOp_t op) {
  switch (type) {
    case ncclFloat32:
      ReduceAs<float>(in, at, out, n, op);
      return true;
    case ncclFloat64:
      ReduceAs<double>(in, at, out, n, op);
      return true;
    case ncclInt32:
      ReduceAs<int32_t>(in, at, out, n, op);
      return true;
    case ncclInt64:
      ReduceAs<int64_t>(in, at, out, n, op);
      return true;
    case ncclUint8:
      ReduceAs<uint8_t>(in, at, out, n, op);
      return true;
    default:
      return false;
  }
}

}  // namespace

struct ncclComm {
  std::shared_ptr<Meeting> meeting;
  int rank = 0;
};

namespace {

struct Message {
  bool send;
  ncclComm_t comm;
  int peer;
  const void* from;
  void* to;
  size_t bytes;
};
thread_local std::vector<Message> grouped;
thread_local int depth = 0;

ncclResult_t Exchange(const std::vector<Message>& messages) {
  for (const bool send : {true, false}) {
    for (const Message& m : messages) {
      if (m.send != send) continue;
      Meeting& all_of_it = *m.comm->meeting;
      std::unique_lock lock(all_of_it.mutex);
      if (send) {
        all_of_it.mail[{m.comm->rank, m.peer}].emplace_back(static_cast<const char*>(m.from),
                                                            m.bytes);
        all_of_it.changed.notify_all();
        continue;
      }
      auto& box = all_of_it.mail[{m.peer, m.comm->rank}];
      all_of_it.changed.wait(lock, [&] { return !box.empty() || all_of_it.aborted; });
      if (all_of_it.aborted) return ncclInternalError;
      if (box.front().size() != m.bytes) return ncclInvalidArgument;
      std::memcpy(m.to, box.front().data(), m.bytes);
      box.pop_front();
    }
  }
  return ncclSuccess;
}
ncclResult_t Add(const Message& m) {
  if (depth == 0) return Exchange({m});
  grouped.push_back(m);
  return ncclSuccess;
}

}  // namespace

extern "C" {

#define EXPORT __attribute__((visibility("default")))

EXPORT const char* ncclGetErrorString(ncclResult_t r) {
  return r == ncclSuccess ? "no error" : r == ncclRemoteError ? "the network has failed" : "error";
}
EXPORT ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  std::lock_guard lock(all_mutex);
  std::memset(id, 0, sizeof *id);
  std::strcpy(id->internal, std::to_string(++next_id).c_str());
  return ncclSuccess;
}
EXPORT ncclResult_t ncclCommInitRankConfig(ncclComm_t* comm, int n, ncclUniqueId id, int rank,
                                           ncclConfig_t* config) {
  if (config->magic != 0xcafebeef || config->blocking != 0) return ncclInvalidArgument;
  std::lock_guard lock(all_mutex);
  std::shared_ptr<Meeting>& m = all[id.internal];
  if (m == nullptr) {
    m = std::make_shared<Meeting>();
    m->size = n;
    m->in.resize(static_cast<size_t>(n));
  }
  *comm = new ncclComm{m, rank};
  return ncclInProgress;
}
EXPORT ncclResult_t ncclCommGetAsyncError(ncclComm_t, ncclResult_t* r) {
  *r = std::getenv("STANDIN_ASYNC_ERROR") != nullptr ? ncclRemoteError : ncclSuccess;
  return ncclSuccess;
}
EXPORT ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  delete comm;
  return ncclSuccess;
}
EXPORT ncclResult_t ncclCommAbort(ncclComm_t comm) {
  {
    std::lock_guard lock(comm->meeting->mutex);
    comm->meeting->aborted = true;
    comm->meeting->changed.notify_all();
  }
  delete comm;
  return ncclSuccess;
}
EXPORT ncclResult_t ncclAllReduce(const void* in, void* out, size_t n, ncclDataType_t type,
                                  ncclRedOp_t op, ncclComm_t comm, cudaStream_t) {
  Meeting& m = *comm->meeting;
  if (!m.Meet(comm->rank, in)) return ncclInternalError;
  std::string mine(n * kSizes[type], '\0');
  if (!Reduce(m.in, 0, mine.data(), n, type, op)) return ncclInvalidArgument;
  if (!m.Meet(comm->rank, nullptr)) return ncclInternalError;
  mine.copy(static_cast<char*>(out), mine.size());
  return ncclInProgress;  // as one that does not block may say
}
EXPORT ncclResult_t ncclReduceScatter(const void* in, void* out, size_t n, ncclDataType_t type,
                                      ncclRedOp_t op, ncclComm_t comm, cudaStream_t) {
  Meeting& m = *comm->meeting;
  if (!m.Meet(comm->rank, in)) return ncclInternalError;
  if (!Reduce(m.in, n * static_cast<size_t>(comm->rank), out, n, type, op))
    return ncclInvalidArgument;
  return m.Meet(comm->rank, nullptr) ? ncclSuccess : ncclInternalError;
}
EXPORT ncclResult_t ncclAllGather(const void* in, void* out, size_t n, ncclDataType_t type,
                                  ncclComm_t comm, cudaStream_t) {
  Meeting& m = *comm->meeting;
  const size_t bytes = n * kSizes[type];
  if (!m.Meet(comm->rank, in)) return ncclInternalError;
  for (size_t r = 0; r < m.in.size(); ++r) {
    char* const to = static_cast<char*>(out) + r * bytes;
    if (to != m.in[r]) std::memcpy(to, m.in[r], bytes);
  }
  return m.Meet(comm->rank, nullptr) ? ncclSuccess : ncclInternalError;
}
EXPORT ncclResult_t ncclBroadcast(const void* in, void* out, size_t n, ncclDataType_t type,
                                  int root, ncclComm_t comm, cudaStream_t) {
  Meeting& m = *comm->meeting;
  if (!m.Meet(comm->rank, in)) return ncclInternalError;
  const void* from = m.in[static_cast<size_t>(root)];
  if (from != out) std::memcpy(out, from, n * kSizes[type]);
  return m.Meet(comm->rank, nullptr) ? ncclSuccess : ncclInternalError;
}
EXPORT ncclResult_t ncclSend(const void* in, size_t n, ncclDataType_t type, int peer,
                             ncclComm_t comm, cudaStream_t) {
  return Add({true, comm, peer, in, nullptr, n * kSizes[type]});
}
EXPORT ncclResult_t ncclRecv(void* out, size_t n, ncclDataType_t type, int peer, ncclComm_t comm,
                             cudaStream_t) {
  return Add({false, comm, peer, nullptr, out, n * kSizes[type]});
}
EXPORT ncclResult_t ncclGroupStart() {
  ++depth;
  return ncclSuccess;
}
EXPORT ncclResult_t ncclGroupEnd() {
  if (--depth > 0) return ncclSuccess;
  const std::vector<Message> messages = std::move(grouped);
  grouped.clear();
  return Exchange(messages);
}

}  // extern "C"
