// The sentence encoder of examples/transformer on 128 tokens, all threads. A first run, which is
// not timed, takes the memory that the others reuse.

#include "bench/case.h"
#include "switchyard/examples/transformer/encoder.h"

namespace bench {
namespace {

template <int64_t kBatch>
auto Prepare() {
  auto run = [encoder = std::make_shared<transformer::Encoder>(transformer::Sizes{}, 0),
              ids = sy::randint(30522, {kBatch, 128})] { Keep((*encoder)(ids)); };
  run();
  return run;
}

const Case one{"encoder_batch_1", [] { return Prepare<1>(); }};
const Case many{"encoder_batch_32", [] { return Prepare<32>(); }};

}  // namespace
}  // namespace bench
