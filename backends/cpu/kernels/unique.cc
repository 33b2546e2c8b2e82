// Source of the results' order and sizes: _unique2_cpu, ATen/native/Unique.cpp. Values come in
// ascending order whether sorted was asked for or not.
#include "backends/cpu/kernels/dense.h"
#include "backends/cpu/kernels/move.h"
#include "backends/cpu/kernels/unique_sort.h"
#include "switchyard/registry/kernel.h"

namespace sy::cpu {
namespace {

using Three = std::tuple<Tensor, Tensor, Tensor>;

Three Unique2(Call, const Tensor& self, bool /*sorted*/, bool return_inverse, bool return_counts) {
  const Tensor t = Contiguous(self);
  const Sorted s = SortElements(t);
  int64_t groups = 0;
  std::vector<int64_t> group(s.index.size());
  for (size_t i = 0; i < s.index.size(); ++i) {
    groups += s.first[i];
    group[s.index[i]] = groups - 1;
  }
  Tensor values = Tensor::Empty({groups}, t.dtype());
  VisitItem(t.itemsize(), [&](auto item) {
    using U = decltype(item);
    U* to = static_cast<U*>(values.data());
    for (size_t i = 0; i < s.index.size(); ++i) {
      if (s.first[i]) *to++ = static_cast<const U*>(t.data())[s.index[i]];
    }
  });
  Groups g = DescribeGroups(group, groups, self.sizes(), return_inverse, return_counts);
  return {std::move(values), std::move(g.inverse), std::move(g.counts)};
}

std::tuple<Tensor, Tensor> Unique(Call call, const Tensor& self, bool sorted, bool return_inverse) {
  auto [values, inverse, counts] = Unique2(call, self, sorted, return_inverse, false);
  return {std::move(values), std::move(inverse)};
}

const Kernel unique_kernel{"_unique", "cpu", kUniqueTypes, Unique};
const Kernel unique2_kernel{"_unique2", "cpu", kUniqueTypes, Unique2};

}  // namespace
}  // namespace sy::cpu
