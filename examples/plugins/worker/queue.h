// A thread that does jobs in order, which is what this plugin calls a stream, and marks in such
// queues, its events.
//
//   Queue q;
//   q.Push(call.abi()->sequence, [=] { … });   // returns at once
//   SyAsyncError error = {…};
//   int32_t code = q.Wait(&error);             // of the first job that threw
//
// Owns: a queue owns its thread, and joins it, after all jobs, when it ends.
// Threads: any.
// Errors: what a job throws is kept, the first of it, and told by every wait; Push throws
// std::bad_alloc.
#ifndef WORKER_QUEUE_H_
#define WORKER_QUEUE_H_

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "switchyard/c/plugin.h"

namespace worker {

// A place in a queue, reached once.
class Mark {
 public:
  using Clock = std::chrono::steady_clock;
  // failure: the queue's, SY_OK where there is none.
  void Reach(const SyAsyncError& failure);
  // Returns when it is reached, with the failure's code.
  int32_t Wait(SyAsyncError* error);
  bool IsReached();
  Clock::time_point time();

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool reached_ = false;
  SyAsyncError failure_ = {};
  Clock::time_point time_;
};

class Queue {
 public:
  Queue() = default;
  ~Queue();
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;

  // sequence: of the call that the job belongs to, by which the host names the operator; 0: none.
  void Push(uint64_t sequence, std::function<void()> job);
  // A mark behind everything that has been pushed.
  std::shared_ptr<Mark> PushMark();
  // Returns when everything that was pushed is done.
  int32_t Wait(SyAsyncError* error);
  bool IsDone();
  // Queues there are, and so threads.
  static int NumAlive() { return num_alive; }

 private:
  struct Job {
    uint64_t sequence;
    std::function<void()> run;
  };
  void Work();
  void Run(const Job& job);
  void Fail(uint64_t sequence, const char* text);

  static inline std::atomic<int> num_alive = 0;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Job> jobs_;
  bool busy_ = false, ending_ = false;
  SyAsyncError failure_ = {};
  std::thread thread_{[this] { Work(); }};  // last: it uses the others
};

// What the host records again and again: the last of its marks counts, and none is as good as one
// that is reached.
class Event {
 public:
  void Record(Queue& queue);
  std::shared_ptr<Mark> mark();

 private:
  std::mutex mutex_;
  std::shared_ptr<Mark> mark_;
};

}  // namespace worker

#endif  // WORKER_QUEUE_H_
