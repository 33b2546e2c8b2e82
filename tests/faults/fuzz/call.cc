// Calls of any operator with arguments of any kind, by its entry and by name. An error leaves all
// arguments as they were and is an sy::Error; a call that succeeds changes nothing but what the
// schema says, and returns tensors that lie in their memory.
#include <algorithm>
#include <map>

#include "switchyard/core/generator.h"
#include "switchyard/core/logging.h"
#include "switchyard/core/parallel.h"
#include "switchyard/core/shape.h"
#include "switchyard/dispatcher/profiler.h"
#include "switchyard/dispatcher/tracer.h"
#include "tests/faults/fuzz/arguments.h"

namespace {

using namespace sy;

// These take as many steps as a degree says, up to 2^63: no ten seconds are enough.
bool TakesItsDegree(const OperatorEntry& op) {
  return op.name().starts_with("special_laguerre") || op.name().starts_with("special_legendre");
}

// Operators by a number that their name has, so that inputs mean the same when others come or go.
const OperatorEntry& OperatorOf(uint16_t number) {
  static const auto* all = [] {
    auto* made = new std::map<uint16_t, const OperatorEntry*>;
    for (const OperatorEntry* op : Registry::Global().Entries()) {
      auto key = static_cast<uint16_t>(HashName(op->name()) >> 16);
      while (!made->emplace(key, op).second) ++key;
    }
    return made;
  }();
  const auto found = all->lower_bound(number);
  return *(found == all->end() ? all->begin() : found)->second;
}

// Elements that nobody may read would be found by the sanitizer.
void MustBeReadable(const Tensor& t) {
  if (!t.defined() || t.numel() == 0) return;
  const int64_t extent = StorageExtent(t.sizes(), t.strides());
  const StorageImpl& s = *t.impl()->storage;
  const auto have = static_cast<int64_t>(s.nbytes / t.itemsize());
  if (t.storage_offset() < 0 || t.storage_offset() > have || extent > have - t.storage_offset())
    fuzz::Break("a result reaches beyond its storage: " + Describe(t));
  if (s.data == nullptr) return;
  volatile uint8_t sum = 0;
  const auto* p = static_cast<const uint8_t*>(t.data());
  for (size_t i = 0; i < static_cast<size_t>(extent) * t.itemsize(); ++i) sum = sum + p[i];
}

void MustBeReadable(const Results& results) {
  for (int i = 0; i < results.size(); ++i) {
    const Value& v = results[i].value();
    if (v.tag == Tag::kTensor) MustBeReadable(v.tensor());
    if (v.tag != Tag::kTensorList) continue;
    for (const Tensor& t : v.list<Tensor>()) MustBeReadable(t);
  }
}

Results Call(const OperatorEntry& op, const fuzz::Arguments& arguments, bool by_name) {
  if (by_name) {
    const std::string_view name = op.name().substr(0, op.name().find('.'));
    return CallByName(name, arguments.positional(), arguments.keywords());
  }
  Results results;
  CallBoxed(op, arguments.values(), results.Reset(op.num_results));
  return results;
}

void Run(fuzz::Bytes& in) {
  const OperatorEntry& op = OperatorOf(in.Take<uint16_t>());
  if (TakesItsDegree(op)) return;
  const size_t way = in.Below(16);
  const bool by_name = way % 4 == 0;
  DefaultGenerator().manual_seed(0);
  const fuzz::Arguments arguments(op, in);
  const std::string refusal = fuzz::MustKeepTheRules([&] {
    Results results;
    if (way == 1) {
      Profiler profiler;
      const Profiler::Scope on(profiler);
      results = Call(op, arguments, by_name);
      (void)profiler.ChromeTrace();
    } else if (way == 2) {
      Tracer tracer;
      const Tracer::Scope on(tracer);
      results = Call(op, arguments, by_name);
      (void)tracer.Text();
      (void)tracer.Graphviz();
    } else {
      results = Call(op, arguments, by_name);
    }
    MustBeReadable(results);
  });
  // By name it may have been another overload.
  if (!refusal.empty()) {
    arguments.MustBeAsBefore();
  } else if (!by_name && !op.Has(OperatorTag::kMaybeAliasingOrMutating)) {
    arguments.OthersMustBeAsBefore();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const bool once =
      (SetNumThreads(1), SetLogLevel(LogLevel::kError), true);  // outputs are resized
  (void)once;
  fuzz::Bytes in(data, size);
  Run(in);
  return 0;
}
