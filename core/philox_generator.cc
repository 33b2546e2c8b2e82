#include "switchyard/core/philox_generator.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cstring>

namespace sy {

PhiloxGenerator::Reservation PhiloxGenerator::Reserve(uint64_t counters) {
  std::lock_guard lock(mutex());
  const Reservation r{seed_, counter_};
  counter_ += counters;
  return r;
}

void PhiloxGenerator::Draw(std::span<uint32_t> words) {
  const r123::Philox4x32 philox;
  const r123::Philox4x32::key_type key = {
      {static_cast<uint32_t>(seed_), static_cast<uint32_t>(seed_ >> 32)}};
  for (size_t i = 0; i < words.size(); i += 4, ++counter_) {
    const r123::Philox4x32::ctr_type counter = {
        {static_cast<uint32_t>(counter_), static_cast<uint32_t>(counter_ >> 32), 0, 0}};
    const r123::Philox4x32::ctr_type four = philox(counter, key);
    std::copy_n(four.v, std::min<size_t>(4, words.size() - i), words.data() + i);
  }
}

void PhiloxGenerator::SeedStream(uint64_t seed) {
  seed_ = seed;
  counter_ = 0;
}

Tensor PhiloxGenerator::State() const {
  Tensor state = Tensor::Empty({16}, DType::kUInt8);
  std::memcpy(state.data<uint8_t>(), &seed_, 8);
  std::memcpy(state.data<uint8_t>() + 8, &counter_, 8);
  return state;
}

void PhiloxGenerator::SetState(const Tensor& state) {
  RequireStateSize(state, 16, "Philox");
  std::memcpy(&seed_, state.data<uint8_t>(), 8);
  std::memcpy(&counter_, state.data<uint8_t>() + 8, 8);
}

void PhiloxGenerator::SetStreamOffset(uint64_t offset) {
  if (offset % 4 != 0) {
    Fail(ErrorCode::kInvalidArgument,
         {"set_offset(): expected a multiple of 4, the words of a counter, got ", offset});
  }
  counter_ = offset / 4;
}

}  // namespace sy
