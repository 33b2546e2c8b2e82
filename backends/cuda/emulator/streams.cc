#include "backends/cuda/emulator/streams.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <set>
#include <utility>
#include <vector>

#include "backends/cuda/emulator/devices.h"
#include "backends/cuda/emulator/memory.h"

namespace sy::cuda::emulated {

// What is told when the last graph that holds it goes.
struct UserObject {
  void* data;
  CUhostFn destroy;
  ~UserObject() { destroy(data); }
};

struct Graph {
  std::vector<Work> work;
  std::vector<std::shared_ptr<UserObject>> objects;
};
struct Capture {
  CUstreamCaptureMode mode;
  cuuint64_t id;
  std::unique_ptr<Graph> graph;
  std::vector<Stream*> streams;  // the first is the one that was captured, others have joined it
  std::set<Stream*> ahead;       // with work that the first one does not wait for
  bool good = true;
};

struct Event {
  int device;
  Stream* stream = nullptr;    // where it was recorded
  Capture* capture = nullptr;  // in which it was recorded
  std::shared_ptr<Mark> mark = {};
};
Event* Of(CUevent e) { return reinterpret_cast<Event*>(e); }

namespace {

std::vector<Stream*> streams;

// The next piece of a stream's work, and what it waits for of others.
void Step(Stream* s) {
  Work work = std::move(s->queue.front());
  s->queue.pop_front();
  if (work.mark != nullptr) {
    work.mark->done = true;
    work.mark->at = std::chrono::steady_clock::now();
  } else if (work.wait != nullptr) {
    while (!work.wait->done) Step(work.wait->stream);
  } else {
    const DeviceWorks works(work.device, work.looks_behind);
    work.run();
  }
}

}  // namespace

Stream* Of(CUstream handle) {
  auto* s = reinterpret_cast<Stream*>(handle);
  if (!s->gone) return s;
  std::fprintf(stderr, "emulator: a stream is used that has been destroyed\n");
  std::abort();
}

void Finish(Stream* s) {
  while (!s->queue.empty()) Step(s);
}
void FinishAll(int device) {
  for (Stream* s : streams) {
    if (device == kAllDevices || s->device == device) Finish(s);
  }
}

void Do(CUstream stream, Work work) {
  Capture* c = Of(stream)->capture;
  if (c != nullptr) {
    if (Of(stream) != c->streams.front()) c->ahead.insert(Of(stream));
    return c->graph->work.push_back(std::move(work));
  }
  Of(stream)->queue.push_back(std::move(work));
}
// Work is given to streams of the current device.
CUresult ReadyFor(CUstream stream) {
  if (Ready() != CUDA_SUCCESS) return Ready();
  return Of(stream)->device == current ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

namespace {

CUresult MemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s) {
  if (ReadyFor(s) != CUDA_SUCCESS) return ReadyFor(s);
  const bool captured = Of(s)->capture != nullptr;
  if (!captured && IsPageable(from)) {
    const auto* bytes = reinterpret_cast<const char*>(from);
    Do(s, {kAllDevices, [to, staged = std::vector<char>(bytes, bytes + n)] {
             std::memcpy(reinterpret_cast<void*>(to), staged.data(), staged.size());
           }});
  } else {
    Do(s, {kAllDevices,
           [=] { std::memmove(reinterpret_cast<void*>(to), reinterpret_cast<void*>(from), n); }});
  }
  if (!captured && IsPageable(to)) Finish(Of(s));
  return CUDA_SUCCESS;
}
CUresult MemcpyPeerAsync(CUdeviceptr to, CUcontext to_context, CUdeviceptr from,
                         CUcontext from_context, size_t n, CUstream s) {
  const auto lies_there = [n](CUdeviceptr p, CUcontext context) {
    return LiesOn(DeviceOf(context), reinterpret_cast<const void*>(p), n);
  };
  if (!lies_there(to, to_context) || !lies_there(from, from_context))
    return CUDA_ERROR_INVALID_VALUE;
  return MemcpyAsync(to, from, n, s);
}
CUresult MemsetD8Async(CUdeviceptr to, unsigned char value, size_t n, CUstream s) {
  if (ReadyFor(s) != CUDA_SUCCESS) return ReadyFor(s);
  Do(s, {current, [=] { std::memset(reinterpret_cast<void*>(to), value, n); }});
  return CUDA_SUCCESS;
}

CUresult StreamCreate(CUstream* s, unsigned, int) {
  streams.push_back(new Stream{current});
  *s = reinterpret_cast<CUstream>(streams.back());
  return Ready();
}
CUresult ReadyToLookAt(CUstream s) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (Capture* c = Of(s)->capture) {
    c->good = false;
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return devices[Of(s)->device].failed;
}
CUresult StreamSynchronize(CUstream s) {
  const CUresult ready = ReadyToLookAt(s);
  if (ready == CUDA_SUCCESS) Finish(Of(s));
  return ready;
}
// Who asks lets some of it be done.
CUresult StreamQuery(CUstream s) {
  const CUresult ready = ReadyToLookAt(s);
  if (ready != CUDA_SUCCESS || Of(s)->queue.empty()) return ready;
  Step(Of(s));
  return CUDA_ERROR_NOT_READY;
}

void Join(Capture* c, Stream* s) {
  s->capture = c;
  c->streams.push_back(s);
  ++devices[s->device].captures;
}
CUresult StreamBeginCapture(CUstream s, CUstreamCaptureMode mode) {
  static cuuint64_t last = 0;
  if (Of(s)->capture != nullptr) return CUDA_ERROR_ILLEGAL_STATE;
  if (mode == CU_STREAM_CAPTURE_MODE_GLOBAL) ++global_captures;
  Join(new Capture{mode, ++last, std::make_unique<Graph>(), {}, {}}, Of(s));
  return Ready();
}
CUresult StreamIsCapturing(CUstream s, CUstreamCaptureStatus* status) {
  *status = Of(s)->capture == nullptr ? CU_STREAM_CAPTURE_STATUS_NONE
            : Of(s)->capture->good    ? CU_STREAM_CAPTURE_STATUS_ACTIVE
                                      : CU_STREAM_CAPTURE_STATUS_INVALIDATED;
  return ReadyFor(s);
}
CUresult StreamGetCaptureInfo(CUstream s, CUstreamCaptureStatus* status, cuuint64_t* id,
                              CUgraph* graph, const CUgraphNode**, size_t*) {
  const CUresult ready = StreamIsCapturing(s, status);
  if (const Capture* c = Of(s)->capture) {
    *id = c->id;
    *graph = reinterpret_cast<CUgraph>(c->graph.get());
  }
  return ready;
}
CUresult UserObjectCreate(CUuserObject* object, void* data, CUhostFn destroy, unsigned, unsigned) {
  *object = reinterpret_cast<CUuserObject>(new UserObject{data, destroy});
  return CUDA_SUCCESS;
}
CUresult GraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned, unsigned) {
  reinterpret_cast<Graph*>(graph)->objects.emplace_back(reinterpret_cast<UserObject*>(object));
  return CUDA_SUCCESS;
}
CUresult StreamEndCapture(CUstream s, CUgraph* graph) {
  Capture* c = Of(s)->capture;
  *graph = nullptr;
  if (c == nullptr || c->streams.front() != Of(s)) return CUDA_ERROR_ILLEGAL_STATE;
  for (Stream* stream : c->streams) {
    stream->capture = nullptr;
    --devices[stream->device].captures;
  }
  // The capture stays: events may know it.
  const std::unique_ptr<Graph> captured = std::move(c->graph);
  if (c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL) {
    --global_captures;
    c->good &= !std::exchange(global_capture_broken, false);
  }
  if (!c->good) return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (!c->ahead.empty()) return CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  *graph = reinterpret_cast<CUgraph>(new Graph(std::move(*captured)));
  return CUDA_SUCCESS;
}
CUresult GraphInstantiate(CUgraphExec* exec, CUgraph graph, unsigned long long) {
  *exec = reinterpret_cast<CUgraphExec>(new Graph(*reinterpret_cast<Graph*>(graph)));
  return CUDA_SUCCESS;
}
CUresult GraphLaunch(CUgraphExec exec, CUstream s) {
  if (ReadyFor(s) != CUDA_SUCCESS) return ReadyFor(s);
  for (const Work& work : reinterpret_cast<Graph*>(exec)->work) Do(s, work);
  return CUDA_SUCCESS;
}
CUresult GraphDestroy(CUgraph graph) {
  delete reinterpret_cast<Graph*>(graph);
  return CUDA_SUCCESS;
}
CUresult GraphExecDestroy(CUgraphExec exec) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  delete reinterpret_cast<Graph*>(exec);
  return CUDA_SUCCESS;
}

CUresult EventCreate(CUevent* e, unsigned) {
  *e = reinterpret_cast<CUevent>(new Event{current});
  return Ready();
}
CUresult EventDestroy(CUevent e) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  delete Of(e);
  return CUDA_SUCCESS;
}
CUresult EventRecord(CUevent e, CUstream s) {
  if (Of(e)->device != Of(s)->device) return CUDA_ERROR_INVALID_HANDLE;
  Of(e)->stream = Of(s);
  Of(e)->capture = Of(s)->capture;
  Of(e)->mark = nullptr;
  if (Of(s)->capture == nullptr) {
    Of(e)->mark = std::make_shared<Mark>(Mark{Of(s)});
    Do(s, {Of(s)->device, {}, Of(e)->mark, {}});
  }
  return devices[Of(s)->device].failed;
}
CUresult ReadyToLookAt(CUevent e) {
  if (current < 0) return CUDA_ERROR_INVALID_CONTEXT;
  if (Capture* c = Of(e)->capture) {
    c->good = false;
    return CUDA_ERROR_CAPTURED_EVENT;
  }
  return devices[Of(e)->device].failed;
}
CUresult EventSynchronize(CUevent e) {
  const CUresult ready = ReadyToLookAt(e);
  if (ready != CUDA_SUCCESS || Of(e)->mark == nullptr) return ready;
  while (!Of(e)->mark->done) Step(Of(e)->mark->stream);
  return CUDA_SUCCESS;
}
CUresult EventQuery(CUevent e) {
  if (ReadyForUnsafe() != CUDA_SUCCESS) return ReadyForUnsafe();
  const CUresult ready = ReadyToLookAt(e);
  if (ready != CUDA_SUCCESS || Of(e)->mark == nullptr || Of(e)->mark->done) return ready;
  Step(Of(e)->mark->stream);
  return CUDA_ERROR_NOT_READY;
}
CUresult EventElapsedTime(float* ms, CUevent a, CUevent b) {
  *ms = std::chrono::duration<float, std::milli>(Of(b)->mark->at - Of(a)->mark->at).count();
  return CUDA_SUCCESS;
}
CUresult StreamWaitEvent(CUstream s, CUevent e, unsigned) {
  Capture *mine = Of(s)->capture, *its = Of(e)->capture;
  if (mine == its) {
    if (mine != nullptr && Of(e)->stream != Of(s) && mine->ahead.erase(Of(e)->stream) != 0 &&
        Of(s) != mine->streams.front())
      mine->ahead.insert(Of(s));
    const std::shared_ptr<Mark> mark = Of(e)->mark;
    if (mark != nullptr && !mark->done) Do(s, {Of(s)->device, {}, {}, mark});
    return CUDA_SUCCESS;
  }
  if (mine != nullptr) {
    mine->good = false;
    return its == nullptr ? CUDA_ERROR_STREAM_CAPTURE_ISOLATION : CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  Join(its, Of(s));
  return CUDA_SUCCESS;
}

}  // namespace

void AddStreams(DriverTable& t) {
  t.MemcpyAsync = MemcpyAsync;
  t.MemcpyPeerAsync = MemcpyPeerAsync;
  t.MemsetD8Async = MemsetD8Async;
  t.StreamCreateWithPriority = StreamCreate;
  t.StreamQuery = StreamQuery;
  t.StreamSynchronize = StreamSynchronize;
  t.StreamWaitEvent = StreamWaitEvent;
  t.StreamBeginCapture = StreamBeginCapture;
  t.StreamEndCapture = StreamEndCapture;
  t.StreamIsCapturing = StreamIsCapturing;
  t.StreamGetCaptureInfo = StreamGetCaptureInfo;
  t.UserObjectCreate = UserObjectCreate;
  t.GraphRetainUserObject = GraphRetainUserObject;
  t.GraphInstantiate = GraphInstantiate;
  t.GraphLaunch = GraphLaunch;
  t.GraphDestroy = GraphDestroy;
  t.GraphExecDestroy = GraphExecDestroy;
  t.EventCreate = EventCreate;
  t.EventDestroy = EventDestroy;
  t.EventRecord = EventRecord;
  t.EventQuery = EventQuery;
  t.EventSynchronize = EventSynchronize;
  t.EventElapsedTime = EventElapsedTime;
}

}  // namespace sy::cuda::emulated
