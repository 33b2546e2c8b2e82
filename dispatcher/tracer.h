// The tracer: a layer that writes down calls, as text and as a graph of which result went where.
//
//   Tracer tracer;
//   { Tracer::Scope on(tracer);  y = sy::add(sy::mul(a, b), c); }
//   std::cout << tracer.Text();      // %3 = mul.Tensor(%1, %2) -> float32[2, 3] …
//   std::ofstream("g.dot") << tracer.Graphviz();
//
// Operators called by other operators are indented under them. Tensors are numbered in the order in
// which they are seen, from 1.
// Cost: texts of all arguments and results, under a lock.
// Owns: references on all tensors it has seen, so that their numbers stay theirs; their memory is
// kept until Clear.
// Threads: scopes of one tracer may be open in several threads at once; it outlives them all.
// Errors: as RegisterLayer's, where 26 layers are taken.
#ifndef SWITCHYARD_DISPATCHER_TRACER_H_
#define SWITCHYARD_DISPATCHER_TRACER_H_

#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "switchyard/dispatcher/layers.h"

namespace sy {

class SY_API Tracer final : public Layer {
 public:
  // One call, written when it begins and completed when it ends.
  struct Step {
    std::string_view op;
    int depth = 0;            // 0: called by the program
    std::vector<int> inputs;  // numbers of tensors
    std::vector<int> outputs;
    std::string arguments, results;  // as text
    std::string error;               // what it threw; empty if nothing
  };

  // A layer of order 200, inside the profiler's. Several may live side by side.
  Tracer();
  ~Tracer() override;

  // Records this thread's calls for as long as it lives.
  class Scope {
   public:
    explicit Scope(const Tracer& t) : on_(t.id_) {}

   private:
    LayerScope on_;
  };

  // Copies of what is recorded so far.
  std::vector<Step> Steps() const;  // in order of their begins
  // A line for each step; of an error the first line.
  std::string Text() const;
  // Calls made by the program itself as boxes, tensors as the arrows between them, those that no
  // call made as ellipses: input of `dot`.
  std::string Graphviz() const;
  int64_t lost() const;  // steps that there was no memory to record, or to record whole
  // Forgets steps, tensors and numbers.
  void Clear();

  // The dispatcher's.
  void OnCall(LayerCall& call) override;

 private:
  // Its place among the steps; -1 where there is no memory for it.
  int64_t Begin(const LayerCall& call) noexcept;
  void End(int64_t at, const LayerCall& call) noexcept;
  void Fail(int64_t at, const char* error) noexcept;
  int Number(const Tensor& t);  // under the mutex
  std::string Describe(const Value& v, std::vector<int>* numbers);
  LayerId id_;
  mutable std::mutex mutex_;
  std::vector<Step> steps_;
  std::vector<Tensor> tensors_;
  std::unordered_map<const TensorImpl*, int> numbers_;
  int64_t lost_ = 0;
};

}  // namespace sy

#endif  // SWITCHYARD_DISPATCHER_TRACER_H_
