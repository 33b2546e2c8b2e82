// The profiler: a layer that counts calls and measures their time, by operator, device and dtype.
//
//   Profiler profiler;
//   { Profiler::Scope on(profiler);  RunModel(); }
//   std::cout << profiler.Table();
//   std::ofstream("trace.json") << profiler.ChromeTrace();   // chrome://tracing, ui.perfetto.dev
//
// Operators called by other operators are recorded too; "self" is an operator's time without
// theirs.
// Owns: what it recorded.
// Threads: scopes of one profiler may be open in several threads at once.
#ifndef SWITCHYARD_DISPATCHER_PROFILER_H_
#define SWITCHYARD_DISPATCHER_PROFILER_H_

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/dispatcher/layers.h"

namespace sy {

class SY_API Profiler final : public Layer {
 public:
  // One call. Times in ns since the profiler was made.
  struct Event {
    std::string_view op;  // "add.Tensor"
    KeyWord key;          // device and dtype of the result, or of the first tensor argument
    int64_t begin_ns, end_ns;
    int64_t children_ns;  // spent in operators it called
    int thread;           // 0, 1, … in order of appearance
  };
  struct Row {
    std::string op, device, dtype;
    int64_t calls = 0, total_ns = 0, self_ns = 0, min_ns = 0, max_ns = 0;
  };

  Profiler();
  ~Profiler() override;

  // Records this thread's calls for as long as it lives.
  class Scope {
   public:
    explicit Scope(const Profiler& p) : on_(p.id_) {}

   private:
    LayerScope on_;
  };

  std::vector<Event> Events() const;  // in order of their ends
  std::vector<Row> Rows() const;      // the most total time first
  std::string Table() const;
  std::string ChromeTrace() const;  // JSON
  int64_t lost() const;             // calls that there was no memory to record
  void Clear();

  void OnCall(LayerCall& call) override;

 private:
  int64_t Now() const;
  void Record(const LayerCall& call, int64_t begin_ns, int64_t end_ns) noexcept;
  LayerId id_;
  int64_t start_ns_;
  mutable std::mutex mutex_;
  std::vector<Event> events_;
  std::vector<uint64_t> threads_;
  int64_t lost_ = 0;
};

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_PROFILER_H_
