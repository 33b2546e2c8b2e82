// einsum: operands are brought into common dimensions, those of the output first, missing ones of
// size 1, and contracted in pairs (einsum_pair_composite.h).

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "ops/linalg/einsum_equation_composite.h"
#include "ops/linalg/einsum_pair_composite.h"
#include "switchyard/op/kernel.h"
#include "switchyard/ops.h"

namespace sy {
namespace {

using List = std::vector<Tensor>;

// Where labels are among the common dimensions; -1: nowhere. The ellipsis has `rest` in a row.
struct Places {
  std::array<int64_t, 128> of;
  int64_t rest = 0, num_output = 0, num = 0;

  void Put(const EinsumLabels& labels) {
    for (const char c : labels) {
      int64_t& place = of[static_cast<size_t>(c)];
      if (place >= 0) continue;
      place = num;
      num += c == '.' ? rest : 1;
    }
  }
};

// Dimensions that the ellipsis of an operand stands for.
int64_t RestOf(Call call, const EinsumLabels& labels, const Tensor& t, size_t position) {
  const bool has_rest = std::find(labels.begin(), labels.end(), '.') != labels.end();
  const auto letters = static_cast<int64_t>(labels.size()) - (has_rest ? 1 : 0);
  if (has_rest ? letters > t.dim() : letters != t.dim()) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"operand ", position, " has ", letters, " subscripts", has_rest ? " and an ellipsis" : "",
          " in the equation, which do not fit its sizes ", t.sizes()});
  }
  return t.dim() - letters;
}

Places PlacesOf(Call call, const EinsumEquation& e, TensorList tensors) {
  Places places;
  places.of.fill(-1);
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!tensors[i].defined())
      Fail(ErrorCode::kInvalidArgument, call.op(), {"operand ", i, " is undefined"});
    places.rest = ::std::max(places.rest, RestOf(call, e.operands[i], tensors[i], i));
  }
  places.Put(e.output);
  places.num_output = places.num;
  for (const EinsumLabels& labels : e.operands) places.Put(labels);
  return places;
}

// An operand in the common dimensions.
Tensor Placed(Call call, const Places& places, const EinsumLabels& labels, Tensor t) {
  const int64_t own_rest = t.dim() - static_cast<int64_t>(labels.size()) + 1;
  std::vector<int64_t> from(static_cast<size_t>(places.num), -1);
  int64_t dim = 0;
  for (const char c : labels) {
    const int64_t place = places.of[static_cast<size_t>(c)];
    if (c == '.') {
      for (int64_t k = places.rest - own_rest; k < places.rest; ++k)
        from[static_cast<size_t>(place + k)] = dim++;
      continue;
    }
    int64_t& before = from[static_cast<size_t>(place)];
    if (before < 0) {
      before = dim++;
      continue;
    }
    if (t.size(before) != t.size(dim)) {
      Fail(ErrorCode::kInvalidArgument, call.op(),
           {"subscript ", std::string_view(&c, 1), " is repeated for sizes that differ, ",
            t.size(before), " and ", t.size(dim)});
    }
    t = movedim(diagonal(t, 0, before, dim), -1, before);
  }
  for (int64_t& d : from) {
    if (d >= 0) continue;
    t = unsqueeze(t, -1);
    d = dim++;
  }
  return permute(t, from);
}

// In how many operands each common dimension is larger than 1.
std::vector<int> CountsOf(Call call, const List& operands) {
  const auto n = static_cast<size_t>(operands[0].dim());
  std::vector<int64_t> sizes(n, 1);
  std::vector<int> counts(n, 0);
  for (size_t i = 0; i < operands.size(); ++i) {
    for (size_t d = 0; d < n; ++d) {
      const int64_t size = operands[i].sizes()[d];
      if (size == 1) continue;
      ++counts[d];
      if (sizes[d] != 1 && sizes[d] != size) {
        Fail(ErrorCode::kInvalidArgument, call.op(),
             {"a subscript has size ", size, " for operand ", i,
              ", which does not broadcast with size ", sizes[d], " of one before"});
      }
      sizes[d] = size;
    }
  }
  return counts;
}

// The two operands that are contracted next: the first two, or as the path says.
std::pair<size_t, size_t> NextPair(Call call, std::optional<IntSpan> path, size_t step, size_t n) {
  if (!path) return {0, 1};
  const int64_t a = (*path)[2 * step], b = (*path)[2 * step + 1];
  const auto out_of_range = [n](int64_t i) { return i < 0 || i >= static_cast<int64_t>(n); };
  if (a == b || out_of_range(a) || out_of_range(b)) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"path must name two different ones of ", n, " operands, got ", a, " and ", b});
  }
  return std::minmax(static_cast<size_t>(a), static_cast<size_t>(b));
}

Tensor Einsum(Call call, std::string_view equation, TensorList tensors,
              std::optional<IntSpan> path) {
  if (tensors.empty())
    Fail(ErrorCode::kInvalidArgument, call.op(), {"expected operands, got none"});
  const EinsumEquation e = ReadEquation(call, equation, tensors.size());
  if (path && path->size() != 2 * (tensors.size() - 1) && tensors.size() > 1) {
    Fail(ErrorCode::kInvalidArgument, call.op(),
         {"path must have ", 2 * (tensors.size() - 1), " numbers, got ", path->size()});
  }
  const Places places = PlacesOf(call, e, tensors);
  List operands;
  for (size_t i = 0; i < tensors.size(); ++i)
    operands.push_back(Placed(call, places, e.operands[i], tensors[i]));
  std::vector<int> counts = CountsOf(call, operands);
  std::vector<int64_t> summed;
  for (int64_t d = places.num_output; d < places.num; ++d) summed.push_back(d);
  if (operands.size() == 1) return summed.empty() ? operands[0] : sum(operands[0], summed);
  for (size_t step = 0; operands.size() > 1; ++step) {
    const auto [i, j] = NextPair(call, path, step, operands.size());
    Tensor product = ContractPair(operands[i], operands[j], summed, counts);
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(j));
    operands.erase(operands.begin() + static_cast<std::ptrdiff_t>(i));
    operands.insert(path ? operands.end() : operands.begin(), std::move(product));
  }
  return summed.empty() ? operands[0] : squeeze(operands[0], summed);
}
const Composite einsum_body{"einsum", Einsum};

}  // namespace
}  // namespace sy
