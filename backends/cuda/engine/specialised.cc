#include "backends/cuda/engine/specialised.h"

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

Specialised& Specialised::Add(Kind kind, uint64_t value) {
  parameters_.at(count_++) = {kind, static_cast<uint16_t>(value)};
  return *this;
}

Specialised& Specialised::Type(const char* name) {
  names_.at(num_names_) = name;
  return Add(kName, num_names_++);
}

KernelKey Specialised::key() const {
  // Which parameters there are follows from the function: their values side by side tell its
  // instances apart.
  constexpr int kWidths[] = {5, 5, 1, 11, 1, 1};
  uint64_t values = 0;
  for (size_t i = 0; i < count_; ++i)
    values = values << kWidths[parameters_[i].kind] | parameters_[i].value;
  const auto address = [](const char* name) { return reinterpret_cast<uintptr_t>(name); };
  return {function_, {values, address(names_[0]), address(names_[1])}};
}

std::string Specialised::Text() const {
  std::string body = fmt::format("{}<", function_);
  for (size_t i = 0; i < count_; ++i) {
    const auto [kind, value] = parameters_[i];
    body += i == 0 ? "" : ", ";
    body += kind == kElement  ? ElementName(static_cast<DType>(value))
            : kind == kBits   ? BitsName(value)
            : kind == kFlag   ? (value != 0 ? "true" : "false")
            : kind == kNumber ? std::to_string(value)
            : kind == kIndex  ? (value != 0 ? "UInt64" : "unsigned")
                              : names_[value];
  }
  return KernelSource(header_, args_, body + ">(args)", bounds_);
}

}  // namespace sy::cuda
