// Streams and events of a device that has them.

#include <chrono>
#include <functional>
#include <thread>

#include "switchyard/core/accelerator.h"
#include "switchyard/core/stream.h"
#include "testing/conform/trial.h"

namespace sy::conform {
namespace {

void RequireStreams(const Session& s) {
  if (Stream::New(s.device()).impl() == nullptr)
    NotApplicable({s.device().str(), " has no streams: its work is done when a call returns"});
}

// A tensor of float32 on the device, full of `number`, by copies on the current stream.
Tensor Full(const Session& s, int64_t n, float number) {
  const Tensor host = Tensor::Empty({n}, DType::kFloat32);
  std::fill_n(host.data<float>(), n, number);
  return s.There(host);
}

void CopyOn(const Session& s, const Stream& stream, const Tensor& to, const Tensor& from) {
  s.backend().CopyWithin(to.data(), from.data(), to.nbytes(), s.index(), stream.impl());
}

constexpr int64_t kMany = 1 << 16;

// One stream writes what the other reads, by turns, with events alone in between.
void WaitsAcrossStreams(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  const Stream a = Stream::New(s.device()), b = Stream::New(s.device());
  const Tensor x = Full(s, kMany, 0), y = Full(s, kMany, 0);
  Backlog backlog(s);
  Synchronize(s.device());
  for (int i = 1; i <= 30; ++i) {
    const Tensor source = Full(s, kMany, static_cast<float>(i));
    Synchronize(s.device());
    {
      const StreamGuard guard(a);
      backlog.Queue();
    }
    CopyOn(s, a, x, source);
    const Event written = a.RecordEvent();
    b.WaitEvent(written);
    CopyOn(s, b, y, x);
    a.WaitStream(b);  // the next round writes x again
    b.Synchronize();
    const std::string why = Differ({y}, {ToHost(source)});
    a.Synchronize();  // tensors go where the check ends
    Require(why.empty(),
            {"a stream that waits for an event of another reads too early, time ", i, ": ", why});
  }
}

void EventsAreUsedAgain(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  const Stream a = Stream::New(s.device());
  const Tensor x = Full(s, kMany, 1), y = Full(s, kMany, 2);
  Synchronize(s.device());
  Event event;
  Require(event.Query(), {"an event that was never recorded has not happened"});
  for (int i = 0; i < 100; ++i) {
    CopyOn(s, a, x, y);
    event.Record(a);
    event.Synchronize();
    Require(event.Query(), {"an event that was waited for has not happened"});
  }
  const std::string why = Differ({x}, {ToHost(y)});
  Require(why.empty(), {"after waiting for an event its stream's work is not done: ", why});
}

void SynchronizedStreamsAreDone(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  const Stream a = Stream::New(s.device());
  const Tensor x = Full(s, kMany, 1), y = Full(s, kMany, 2);
  Synchronize(s.device());
  CopyOn(s, a, x, y);
  a.Synchronize();
  Require(a.Query(), {"a stream that was waited for has work left"});
  CopyOn(s, a, y, x);
  Synchronize(s.device());
  Require(a.Query(), {"a device that was waited for has work left on a stream"});
}

void TimedEvents(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  const Stream a = Stream::New(s.device());
  const Tensor x = Full(s, kMany, 1), y = Full(s, kMany, 2);
  Synchronize(s.device());
  const Event start = a.RecordEvent(/*timed=*/true);
  for (int i = 0; i < 20; ++i) CopyOn(s, a, x, y);
  const Event end = a.RecordEvent(/*timed=*/true);
  end.Synchronize();
  const double ms = start.ElapsedTime(end);
  Require(ms >= 0 && ms < 60'000, {"twenty copies take ", ms, " ms between two events"});
}

// What queries and waits say is done can be read by others; an event is used again.
void WhatIsSaidToBeDoneIsDone(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  constexpr int64_t kLong = 1 << 20;  // elements: a copy takes a part of a millisecond
  const Stream a = Stream::New(s.device()), b = Stream::New(s.device());
  const Tensor x = Full(s, kLong, 0), y = Full(s, kLong, 0), z = Full(s, kLong, 0);
  Event event;
  // A driver may get on only where it is waited for.
  const auto until = [&](auto done) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(200);
    while (!done()) {
      if (std::chrono::steady_clock::now() > end) return a.Synchronize();
      std::this_thread::yield();
    }
  };
  const struct {
    const char* what;
    std::function<void()> wait;
  } kWays[] = {{"an event's query", [&] { until([&] { return event.Query(); }); }},
               {"a stream's query", [&] { until([&] { return a.Query(); }); }},
               {"waiting for an event", [&] { event.Synchronize(); }},
               {"waiting for a stream", [&] { a.Synchronize(); }}};
  for (int i = 1; i <= 20; ++i) {
    const Tensor source = Full(s, kLong, static_cast<float>(i));
    Synchronize(s.device());
    for (int k = 0; k < 40; ++k) CopyOn(s, a, y, x);  // b must overtake them, on a busy machine too
    CopyOn(s, a, z, source);
    event.Record(a);
    const auto& way = kWays[i % 4];
    way.wait();
    float last = -1;
    s.backend().CopyToHost(&last, z.data<float>() + kLong - 1, sizeof(last), s.index(), b.impl());
    b.Synchronize();
    a.Synchronize();
    if (last == static_cast<float>(i)) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // waits do not help here
    Broken({way.what, " says that work is done, which it is not"});
  }
}

// Streams and events go while work on them is queued.
void DroppedWhileQueued(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  const Tensor x = Full(s, kMany, 1), y = Full(s, kMany, 2), z = Full(s, kMany, 3);
  for (int i = 0; i < 20; ++i) {
    const Tensor source = Full(s, kMany, static_cast<float>(i + 4));
    Synchronize(s.device());
    const Stream b = Stream::New(s.device());
    {
      const Stream a = Stream::New(s.device());
      for (int k = 0; k < 20; ++k) CopyOn(s, a, x, y);
      CopyOn(s, a, x, source);
      b.WaitEvent(a.RecordEvent());
      CopyOn(s, b, z, x);
    }
    b.Synchronize();
    const std::string why = Differ({z}, {ToHost(source)});
    Require(why.empty(),
            {"a stream and an event that went before their work was done, time ", i, ": ", why});
  }
}

// Kernels on streams of their own in every thread.
void ThreadsOnTheirStreams(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  constexpr int kThreads = 4;
  std::vector<std::string> wrong(kThreads);
  std::vector<std::thread> threads;
  for (size_t t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      try {
        const StreamGuard guard(Stream::New(s.device()));
        for (int i = 0; i < 50 && wrong[t].empty(); ++i) {
          const Tensor host = PatternTensor(10'000, static_cast<int>(t) + i);
          const Tensor x = s.There(host), y = s.Empty({10'000}, DType::kUInt8);
          CopyOn(s, CurrentStream(s.device()), y, x);
          wrong[t] = Differ({y}, {host});
        }
      } catch (const Error& e) {
        wrong[t] = e.message();
      }
    });
  }
  for (std::thread& t : threads) t.join();
  for (const std::string& why : wrong) Require(why.empty(), {"a thread on its own stream: ", why});
}

// Memory that another stream still reads is not given to others when its tensor dies.
void FreedOnAnotherStream(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  const Stream a = Stream::New(s.device());
  for (int i = 0; i < 50; ++i) {
    const Tensor kept = Full(s, kMany, 0);
    const Tensor expected = Tensor::Empty({kMany}, DType::kFloat32);
    std::fill_n(expected.data<float>(), kMany, static_cast<float>(i));
    Synchronize(s.device());
    {
      const Tensor passing = s.There(expected);
      Synchronize(s.device());
      CopyOn(s, a, kept, passing);
      RecordStream(passing, a);
    }
    const Tensor other = Full(s, kMany, -1);
    a.Synchronize();
    const std::string why = Differ({kept}, {expected});
    Require(why.empty(), {"freed while another stream reads it, time ", i, ": ", why});
  }
}

void StreamsCountAsBusy(const Subject& subject) {
  const Session s(subject);
  RequireStreams(s);
  {
    const Stream alive = Stream::New(s.device());
    const UnloadAnswer a = unload_plugin(s.plugin().name);
    Require(!a.unloaded && a.streams >= 1,
            {"with a stream alive, unloading answers '", a.text, "'"});
  }
  s.Unload();
}

constexpr Check kChecks[] = {
    {"streams.waits", "a stream waits for events of another", WaitsAcrossStreams},
    {"streams.events_again", "events are recorded and waited for again and again",
     EventsAreUsedAgain},
    {"streams.synchronize", "what was waited for is done", SynchronizedStreamsAreDone},
    {"streams.done", "what queries and waits say is done is done", WhatIsSaidToBeDoneIsDone},
    {"streams.dropped", "streams and events may go while work is queued", DroppedWhileQueued},
    {"streams.elapsed", "time between events", TimedEvents},
    {"streams.threads", "threads work on streams of their own", ThreadsOnTheirStreams},
    {"streams.freed", "memory that another stream reads is not reused too soon",
     FreedOnAnotherStream},
    {"streams.busy", "unloading with a stream alive answers busy", StreamsCountAsBusy},
};

}  // namespace

std::span<const Check> StreamChecks() { return kChecks; }

}  // namespace sy::conform
