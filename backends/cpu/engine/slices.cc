#include "switchyard/backends/cpu/engine/slices.h"

#include <vector>

#include "switchyard/backends/cpu/engine/block.h"
#include "switchyard/backends/cpu/engine/copy_items.h"
#include "switchyard/backends/cpu/engine/outer_loops.h"
#include "switchyard/core/parallel.h"

namespace sy::cpu {
namespace {

constexpr int64_t kGrainBytes = 1 << 16;  // copied bytes worth a thread
constexpr int64_t kMinPart = 512;         // bytes of a row worth a thread of its own
constexpr int64_t kL1Bytes = 24 << 10;    // of a row that is put together in L1

struct Problem {
  char* to;
  const char* from;
  int64_t to_step, from_step;  // along dim, in bytes
  const int64_t* at;
  int64_t count;
  int64_t row_bytes;  // contiguous on both sides; one element where nothing else is
  size_t item;
  int64_t to_size;  // of the written tensor along dim
  Outer<2> outer;   // the other dimensions: to, from; in elements

  int64_t bytes() const { return outer.count() * count * row_bytes; }
  bool stream() const { return 2 * bytes() >= kStreamBytes; }
  int64_t to_offset(const int64_t (&at)[2]) const { return at[0] * static_cast<int64_t>(item); }
  int64_t from_offset(const int64_t (&at)[2]) const { return at[1] * static_cast<int64_t>(item); }
};

Problem ProblemOf(const Tensor& to, const Tensor& from, int64_t dim, const int64_t* at,
                  int64_t count) {
  Problem p;
  p.at = at;
  p.count = count;
  p.to = static_cast<char*>(to.data());
  p.from = static_cast<const char*>(from.data());
  p.item = to.itemsize();
  const int64_t item = static_cast<int64_t>(p.item);
  p.to_size = to.dim() == 0 ? 1 : to.sizes()[dim];
  p.to_step = to.dim() == 0 ? 0 : to.strides()[dim] * item;
  p.from_step = from.dim() == 0 ? 0 : from.strides()[dim] * item;
  for (int64_t d = to.dim() - 1; d >= 0 && from.dim() != 0; --d) {
    if (d != dim) p.outer.Add(to.sizes()[d], {to.strides()[d], from.strides()[d]});
  }
  p.outer.SortByFirst();
  p.row_bytes = item;
  if (p.outer.rank() > 0 && p.outer[0].strides == std::array<int64_t, 2>{1, 1})
    p.row_bytes *= p.outer.TakeInnermost().size;
  return p;
}

// Iterations of `bytes` each worth a thread.
int64_t Grain(int64_t bytes) {
  return std::max<int64_t>(1, kGrainBytes / std::max<int64_t>(bytes, 1));
}

// --- Rows

void SelectRows(const Problem& p) {
  const bool stream = p.stream();
  const auto run = [&](int64_t outer_begin, int64_t outer_end, int64_t begin, int64_t end) {
    p.outer.ForEach(outer_begin, outer_end, [&](const int64_t(&at)[2]) {
      char* to = p.to + p.to_offset(at);
      const char* from = p.from + p.from_offset(at);
      for (int64_t k = begin; k < end; ++k)
        CopyRow(to + k * p.to_step, from + p.at[k] * p.from_step, p.row_bytes, stream);
    });
    if (stream) StreamEnd();
  };
  const int64_t n = p.outer.count();
  if (n >= p.count) {
    ParallelFor(n, Grain(p.count * p.row_bytes),
                [&](int64_t b, int64_t e) { run(b, e, 0, p.count); });
  } else {
    ParallelFor(p.count, Grain(n * p.row_bytes), [&](int64_t b, int64_t e) { run(0, n, b, e); });
  }
}

// Bytes begin … end - 1 of the rows that go to positions first … last - 1.
void PutRows(const Problem& p, int64_t outer_begin, int64_t outer_end, int64_t begin, int64_t end,
             int64_t first, int64_t last) {
  const bool stream = p.stream();
  p.outer.ForEach(outer_begin, outer_end, [&](const int64_t(&at)[2]) {
    char* to = p.to + p.to_offset(at) + begin;
    const char* from = p.from + p.from_offset(at) + begin;
    for (int64_t k = 0; k < p.count; ++k) {
      if (p.at[k] < first || p.at[k] >= last) continue;
      CopyRow(to + p.at[k] * p.to_step, from + k * p.from_step, end - begin, stream);
    }
  });
  if (stream) StreamEnd();
}

// A position that occurs twice must be written twice in order, so by one thread: threads share the
// outer dimensions, or columns, or positions.
void PutRows(const Problem& p) {
  const int64_t n = p.outer.count(), threads = NumThreads();
  if (p.bytes() <= kGrainBytes) return PutRows(p, 0, n, 0, p.row_bytes, 0, p.to_size);
  if (n >= threads) {
    ParallelFor(n, Grain(p.count * p.row_bytes),
                [&](int64_t b, int64_t e) { PutRows(p, b, e, 0, p.row_bytes, 0, p.to_size); });
  } else if (p.row_bytes >= threads * kMinPart) {
    const int64_t lines = (p.row_bytes + 63) / 64;
    ParallelFor(lines, Grain(n * p.count * 64), [&](int64_t b, int64_t e) {
      PutRows(p, 0, n, b * 64, std::min(e * 64, p.row_bytes), 0, p.to_size);
    });
  } else {
    ParallelFor(threads, 1, [&](int64_t b, int64_t e) {
      PutRows(p, 0, n, 0, p.row_bytes, b * p.to_size / threads, e * p.to_size / threads);
    });
  }
}

// --- Elements

template <class U>
void SelectElements(const Problem& p) {
  const int64_t to_step = p.to_step / static_cast<int64_t>(sizeof(U));
  const int64_t from_step = p.from_step / static_cast<int64_t>(sizeof(U));
  const auto run = [&](int64_t outer_begin, int64_t outer_end, int64_t begin, int64_t end) {
    p.outer.ForEach(outer_begin, outer_end, [=, &p](const int64_t(&at)[2]) {
      U* to = reinterpret_cast<U*>(p.to) + at[0];
      const U* from = reinterpret_cast<const U*>(p.from) + at[1];
      const int64_t* place = p.at;
      if (to_step == 1 && from_step == 1) {
        for (int64_t k = begin; k < end; ++k) to[k] = from[place[k]];
      } else {
        for (int64_t k = begin; k < end; ++k) to[k * to_step] = from[place[k] * from_step];
      }
    });
  };
  const int64_t n = p.outer.count();
  if (n > 1) {
    ParallelFor(n, Grain(p.count * p.row_bytes),
                [&](int64_t b, int64_t e) { run(b, e, 0, p.count); });
  } else {
    ParallelFor(p.count, Grain(p.row_bytes), [&](int64_t b, int64_t e) { run(0, 1, b, e); });
  }
}

// Whether every position below size occurs.
bool Covers(const int64_t* at, int64_t count, int64_t size) {
  if (count < size) return false;
  std::vector<bool> seen(static_cast<size_t>(size));
  int64_t different = 0;
  for (int64_t k = 0; k < count; ++k) {
    different += !seen[at[k]];
    seen[at[k]] = true;
  }
  return different == size;
}

// Rows of the written tensor that lie densely are put together in L1, then stored as a whole: their
// lines are not read first, if all of them is new.
template <class U>
void PutDenseRows(const Problem& p) {
  const bool all = Covers(p.at, p.count, p.to_size), stream = p.stream();
  const size_t bytes = static_cast<size_t>(p.to_size) * sizeof(U);
  const int64_t from_step = p.from_step / static_cast<int64_t>(sizeof(U));
  ParallelFor(p.outer.count(), Grain(p.count * p.row_bytes), [&](int64_t begin, int64_t end) {
    alignas(64) char row[kL1Bytes];
    U* put = reinterpret_cast<U*>(row);
    p.outer.ForEach(begin, end, [&p, put, all, stream, bytes, from_step](const int64_t(&at)[2]) {
      char* to = p.to + p.to_offset(at);
      const U* from = reinterpret_cast<const U*>(p.from) + at[1];
      const int64_t* place = p.at;
      const int64_t count = p.count;
      if (!all) std::memcpy(put, to, bytes);
      for (int64_t k = 0; k < count; ++k) put[place[k]] = from[k * from_step];
      if (stream) {
        StreamCopy(to, reinterpret_cast<const char*>(put), bytes);
      } else {
        std::memcpy(to, put, bytes);
      }
    });
    if (stream) StreamEnd();
  });
}

template <class U>
void PutElements(const Problem& p) {
  const int64_t to_step = p.to_step / static_cast<int64_t>(sizeof(U));
  const int64_t from_step = p.from_step / static_cast<int64_t>(sizeof(U));
  if (p.outer.count() > 1 && to_step == 1 && 2 * p.count >= p.to_size &&
      p.to_size * static_cast<int64_t>(sizeof(U)) <= kL1Bytes) {
    return PutDenseRows<U>(p);
  }
  const auto run = [&](int64_t outer_begin, int64_t outer_end, int64_t first, int64_t last) {
    p.outer.ForEach(outer_begin, outer_end, [=, &p](const int64_t(&at)[2]) {
      U* to = reinterpret_cast<U*>(p.to) + at[0];
      const U* from = reinterpret_cast<const U*>(p.from) + at[1];
      const int64_t* place = p.at;
      const int64_t count = p.count;
      for (int64_t k = 0; k < count; ++k) {
        if (place[k] >= first && place[k] < last) to[place[k] * to_step] = from[k * from_step];
      }
    });
  };
  const int64_t n = p.outer.count();
  if (n > 1 || p.bytes() <= kGrainBytes) {
    ParallelFor(n, Grain(p.count * p.row_bytes),
                [&](int64_t b, int64_t e) { run(b, e, 0, p.to_size); });
  } else {
    const int64_t threads = NumThreads();
    ParallelFor(threads, 1, [&](int64_t b, int64_t e) {
      run(0, n, b * p.to_size / threads, e * p.to_size / threads);
    });
  }
}

}  // namespace

void SelectSlices(const Tensor& out, const Tensor& self, int64_t dim, const int64_t* at,
                  int64_t count) {
  if (out.numel() == 0) return;
  const Problem p = ProblemOf(out, self, dim, at, count);
  if (p.row_bytes > static_cast<int64_t>(p.item)) return SelectRows(p);
  VisitItem(p.item, [&](auto item) { SelectElements<decltype(item)>(p); });
}

void PutSlices(const Tensor& out, int64_t dim, const int64_t* at, int64_t count,
               const Tensor& source) {
  if (source.numel() == 0) return;
  const Problem p = ProblemOf(out, source, dim, at, count);
  if (p.row_bytes > static_cast<int64_t>(p.item)) return PutRows(p);
  VisitItem(p.item, [&](auto item) { PutElements<decltype(item)>(p); });
}

}  // namespace sy::cpu
