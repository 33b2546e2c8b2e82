// The first of each row's elements in their order, or the k-th of them, a block for each row,
// without sorting all: digits of the keys are counted, the highest first, until what shares its
// digits with the k-th, and, for the first k, what comes before, fits a list in shared memory. That
// is sorted. Equal elements come in the order of their places. Where k is small one pass does: what
// is behind the k-th of those seen so far is not looked at further.
//
// NVRTC compiles this header, and so do tests that run kernels on the host (SY_EMULATED).
#ifndef SWITCHYARD_BACKENDS_CUDA_DEVICE_SELECT_H_
#define SWITCHYARD_BACKENDS_CUDA_DEVICE_SELECT_H_

#include "switchyard/backends/cuda/device/block.h"
#include "switchyard/backends/cuda/device/search.h"

namespace sy::cuda {

inline constexpr int kSelectDigitBits = 11;
inline constexpr int kSelectDigits = 1 << kSelectDigitBits;

// f(element, place) of a row's n elements, spread over the block, 16 bytes at a time.
template <class T, class F>
SY_FN void ForEachOfRow(const T* x, long long n, F f) {
  constexpr int kEach = 16 / static_cast<int>(sizeof(T)), kAhead = 4;
  using Block = Pack<T, kEach>;
  const auto beyond = reinterpret_cast<UInt64>(x) % 16 / sizeof(T);
  const long long head = beyond == 0 ? 0 : static_cast<long long>(kEach - beyond);
  const long long begin = head < n ? head : n, packs = (n - begin) / kEach;
  const int t = static_cast<int>(threadIdx.x);
  if (t < begin) f(x[t], t);
  const Block* const blocks = reinterpret_cast<const Block*>(x + begin);
  for (long long first = t; first < packs; first += kAhead * kOrderThreads) {
    Block ahead[kAhead];
#pragma unroll
    for (int a = 0; a < kAhead; ++a) {
      const long long p = first + a * kOrderThreads;
      ahead[a] = blocks[p < packs ? p : first];
    }
#pragma unroll
    for (int a = 0; a < kAhead; ++a) {
      const long long p = first + a * kOrderThreads;
      if (p >= packs) continue;
#pragma unroll
      for (int e = 0; e < kEach; ++e) f(ahead[a].v[e], begin + p * kEach + e);
    }
  }
  const long long rest = begin + packs * kEach + t;
  if (rest < n) f(x[rest], rest);
}

// Which k: of a median, by how many of the n elements are NaN.
SY_FN long long MedianOf(Median median, long long n, long long nans) {
  const long long numbers = n - nans;
  if (median == Median::kWithNaN && nans > 0) return numbers + 1;
  return numbers == 0 ? 1 : (numbers - 1) / 2 + 1;
}

// What a block looks at: n elements of a row, from `begin` on.
template <class T>
struct RowPart {
  long long row, begin, n;
  const T* x;
};
// A row is cut into args.chunks parts.
template <class T>
SY_FN RowPart<T> PartOfBlock(const SelectArgs& args) {
  const long long row = blockIdx.x / args.chunks, chunk = blockIdx.x % args.chunks;
  const long long begin = chunk * args.n / args.chunks;
  const long long n = (chunk + 1) * args.n / args.chunks - begin;
  return {row, begin, n, static_cast<const T*>(args.values) + row * args.n + begin};
}

// Element i of the part.
template <class T>
SY_FN void WriteSelected(const SelectArgs& args, const RowPart<T>& part, long long at,
                         long long i) {
  if (args.to_values != nullptr) static_cast<T*>(args.to_values)[at] = part.x[i];
  const long long place = part.begin + i;
  if (args.to_places != nullptr)
    args.to_places[at] = args.names == nullptr ? place : args.names[part.row * args.n + place];
}

// The bin that the want-th (from 1) of those counted is in, how many are before it and in it.
struct Bin {
  unsigned at, before, inside;
};
SY_FN Bin BinOfRank(const unsigned* counts, unsigned want) {
  __shared__ Bin found;
  constexpr int kEach = kSelectDigits / kOrderThreads;
  const unsigned* const own = counts + threadIdx.x * kEach;
  unsigned sum = 0, all;
  for (int k = 0; k < kEach; ++k) sum += own[k];
  unsigned before = BlockSumBefore<kOrderThreads>(sum, all);
  if (before < want && want <= before + sum) {
    int k = 0;
    for (; before + own[k] < want; ++k) before += own[k];
    found = {threadIdx.x * kEach + static_cast<unsigned>(k), before, own[k]};
  }
  __syncthreads();
  return found;
}

// A list of keys with places in shared memory, sorted by both; n is filled up to a power of two.
// Source: K. E. Batcher, "Sorting networks and their applications", AFIPS 1968.
template <class K>
SY_FN void SortList(K* keys, unsigned* places, int n) {
  int size = 1;
  while (size < n) size *= 2;
  const int t = static_cast<int>(threadIdx.x);
  for (int i = n + t; i < size; i += kOrderThreads) {
    keys[i] = static_cast<K>(~0ull);
    places[i] = 0xffffffffu;
  }
  for (int run = 2; run <= size; run *= 2) {
    for (int apart = run / 2; apart > 0; apart /= 2) {
      __syncthreads();
      for (int pair = t; pair < size / 2; pair += kOrderThreads) {
        const int i = pair / apart * 2 * apart + pair % apart, j = i + apart;
        const bool after = keys[i] > keys[j] || (keys[i] == keys[j] && places[i] > places[j]);
        if (after != ((i & run) == 0)) continue;
        const K key = keys[i];
        keys[i] = keys[j];
        keys[j] = key;
        const unsigned place = places[i];
        places[i] = places[j];
        places[j] = place;
      }
    }
  }
  __syncthreads();
}

// Goes on as with a row in a list of those whose digits from `shift` on come before the pattern's
// or are these, of which the want-th is looked for, until no more than `most` are left: sorting
// costs more than looking at all once more.
template <bool kKth, class K>
SY_FN void NarrowList(K* keys, unsigned* places, unsigned& size, unsigned* counts, unsigned most,
                      K& pattern, int& shift, unsigned& want) {
  const int t = static_cast<int>(threadIdx.x);
  while (size > most && shift > 0) {
    const int bits = shift < kSelectDigitBits ? shift : kSelectDigitBits;
    const unsigned n = size;
    const auto upper = [&](K key) {
      return shift == static_cast<int>(8 * sizeof(K)) ? K(0) : static_cast<K>(key >> shift);
    };
    for (int i = t; i < kSelectDigits; i += kOrderThreads) counts[i] = 0;
    __syncthreads();
    const K before = upper(pattern);
    for (unsigned i = threadIdx.x; i < n; i += kOrderThreads) {
      if (upper(keys[i]) == before)
        atomicAdd(&counts[static_cast<unsigned>(keys[i] >> (shift - bits)) & ((1u << bits) - 1)],
                  1u);
    }
    __syncthreads();
    const Bin bin = BinOfRank(counts, want);
    shift -= bits;
    pattern |= static_cast<K>(bin.at) << shift;
    want -= bin.before;
    const K known = upper(pattern);
    if (t == 0) size = 0;
    __syncthreads();
    for (unsigned first = 0; first < n; first += kOrderThreads) {  // what stays moves to the front
      const unsigned i = first + threadIdx.x;
      K key = 0;
      unsigned place = 0;
      if (i < n) {
        key = keys[i];
        place = places[i];
      }
      __syncthreads();
      if (i < n && (kKth ? upper(key) == known : upper(key) <= known)) {
        const unsigned at = atomicAdd(&size, 1u);
        keys[at] = key;
        places[at] = place;
      }
    }
    __syncthreads();
  }
}

// kKth: the k-th alone, else the first k, at most kSelectList. Each part of a row has a block and k
// results of its own.
template <class T, bool kDescending, bool kKth>
SY_FN void Select(const SelectArgs& args) {
  __shared__ unsigned counts[kSelectDigits];
  constexpr unsigned kList = sizeof(Key<T>) == 8 ? kSelectList : 2 * kSelectList;
  __shared__ Key<T> keys[kList];
  __shared__ unsigned places[kList];
  __shared__ unsigned size;
  const int t = static_cast<int>(threadIdx.x);
  const RowPart<T> part = PartOfBlock<T>(args);
  const T* const x = part.x;
  const long long n = part.n;
  const auto key_of = [](T v) { return OrderKey<T, kDescending>(v); };

  auto want = static_cast<unsigned>(args.k);
  if (args.median != Median::kNone) {
    int nans = 0, all;
    ForEachOfRow(x, n, [&](T v, long long) { nans += IsNaN(v) ? 1 : 0; });
    BlockSumBefore<kOrderThreads>(nans, all);
    want = static_cast<unsigned>(MedianOf(args.median, n, all));
  }
  // The digits from `shift` on of the k-th key are known: those of `pattern`.
  Key<T> pattern = 0;
  unsigned less = 0, inside = static_cast<unsigned>(n);
  int shift = kKeyBits<T>;
  const auto fits = [&] { return (kKth ? inside : less + inside) <= kList; };
  const auto upper = [&](Key<T> key) { return shift == kKeyBits<T> ? Key<T>(0) : key >> shift; };
  while (shift > 0 && !fits()) {
    const int bits = shift < kSelectDigitBits ? shift : kSelectDigitBits;
    for (int i = t; i < kSelectDigits; i += kOrderThreads) counts[i] = 0;
    __syncthreads();
    const Key<T> known = upper(pattern);
    ForEachOfRow(x, n, [&](T v, long long) {
      const Key<T> key = key_of(v);
      if (upper(key) != known) return;
      atomicAdd(&counts[static_cast<unsigned>(key >> (shift - bits)) & ((1u << bits) - 1)], 1u);
    });
    __syncthreads();
    const Bin bin = BinOfRank(counts, want);
    __syncthreads();
    shift -= bits;
    pattern |= static_cast<Key<T>>(bin.at) << shift;
    less += bin.before;
    want -= bin.before;
    inside = bin.inside;
  }

  if (t == 0) size = 0;
  __syncthreads();
  const bool all_fit = fits();
  const Key<T> known = upper(pattern);
  ForEachOfRow(x, n, [&](T v, long long i) {
    const Key<T> key = key_of(v), high = upper(key);
    const bool taken = all_fit ? (kKth ? high == known : high <= known) : !kKth && key < pattern;
    if (!taken) return;
    const unsigned at = atomicAdd(&size, 1u);
    keys[at] = key;
    places[at] = static_cast<unsigned>(i);
  });
  __syncthreads();
  if (!all_fit) {  // of those that equal the k-th, the first ones
    unsigned seen = 0;
    for (long long first = 0; seen < want; first += kOrderThreads) {
      const long long i = first + t;
      const bool same = i < n && key_of(x[i]) == pattern;
      unsigned all;
      const unsigned rank = seen + BlockSumBefore<kOrderThreads>(same ? 1u : 0u, all);
      if (same && rank < want) {
        if constexpr (kKth) {
          if (rank + 1 == want) WriteSelected(args, part, static_cast<long long>(blockIdx.x), i);
        } else {
          keys[less + rank] = pattern;
          places[less + rank] = static_cast<unsigned>(i);
        }
      }
      seen += all;
    }
    if constexpr (kKth) return;
    __syncthreads();
  }
  if (all_fit) {
    constexpr unsigned kFew = 256;
    const auto k = static_cast<unsigned>(kKth ? 1 : args.k);
    NarrowList<kKth>(keys, places, size, counts, 2 * k < kFew ? kFew : 2 * k, pattern, shift, want);
  }
  SortList(keys, places, static_cast<int>(all_fit ? size : less + want));
  if constexpr (kKth) {
    if (t == 0) WriteSelected(args, part, static_cast<long long>(blockIdx.x), places[want - 1]);
  } else {
    const auto k = static_cast<int>(args.k);
    for (int j = t; j < k; j += kOrderThreads)
      WriteSelected(args, part, static_cast<long long>(blockIdx.x) * k + j, places[j]);
  }
}

// --- The first k of few, at most kSelectList / 8, in one pass.

// How a block goes over a row between two looks at its list, which has room for twice as many.
template <class T>
struct FewRound {
  static constexpr int kList = sizeof(Key<T>) == 8 ? kSelectList : 2 * kSelectList;
  static constexpr int kOfThread = kList / (2 * kOrderThreads);
  static constexpr int kOfPack = 16 / static_cast<int>(sizeof(T));
  static constexpr int kEach = kOfPack < kOfThread ? kOfPack : kOfThread;
  static constexpr int kAhead = kOfThread / kEach;
  // With what lies before the first pack and after the last one.
  static constexpr int kMost = kOfThread * kOrderThreads + 2 * kEach;
};

template <class T, bool kDescending>
SY_FN void SelectFew(const SelectArgs& args) {
  using Round = FewRound<T>;
  using Block = Pack<T, Round::kEach>;
  __shared__ unsigned counts[kSelectDigits];
  __shared__ Key<T> keys[Round::kList];
  __shared__ unsigned places[Round::kList];
  __shared__ unsigned size;
  const int t = static_cast<int>(threadIdx.x);
  const RowPart<T> part = PartOfBlock<T>(args);
  const T* const x = part.x;
  const long long n = part.n;
  const auto k = static_cast<unsigned>(args.k);
  constexpr unsigned kFew = 256;
  const unsigned most = 2 * k < kFew ? kFew : 2 * k;

  Key<T> last = kAllOnes<T>;  // keys above are not among the first k
  const auto take = [&](long long i) {
    const unsigned at = atomicAdd(&size, 1u);
    keys[at] = OrderKey<T, kDescending>(x[i]);
    places[at] = static_cast<unsigned>(i);
  };
  // All call it, after a barrier: at most `most` stay, the first k among them.
  const auto narrow = [&] {
    if (size <= most) return;
    Key<T> pattern = 0;
    int shift = kKeyBits<T>;
    unsigned want = k;
    NarrowList<false>(keys, places, size, counts, most, pattern, shift, want);
    last = pattern | (shift == kKeyBits<T> ? kAllOnes<T> : (Key<T>(1) << shift) - 1);
    const bool many = size > most;
    __syncthreads();  // before others append
    if (!many) return;
    // Many equal the k-th: the first of them stay, and those that come later do not count.
    SortList(keys, places, static_cast<int>(size));
    if (t == 0) size = k;
    last = pattern == 0 ? pattern : pattern - 1;
    __syncthreads();
  };

  constexpr int kBytes = Round::kEach * static_cast<int>(sizeof(T));
  const auto beyond = reinterpret_cast<UInt64>(x) % kBytes / sizeof(T);
  const long long head = beyond == 0 ? 0 : static_cast<long long>(Round::kEach - beyond);
  const long long start = head < n ? head : n, packs = (n - start) / Round::kEach;
  const Block* const blocks = reinterpret_cast<const Block*>(x + start);
  if (t == 0) size = 0;
  __syncthreads();
  if (t < start) take(t);
  for (long long first = 0; first < packs;) {
    bool full;
    do {  // rounds, until there is no room for another one
      const long long own = first + t;
      Block ahead[Round::kAhead];
#pragma unroll
      for (int a = 0; a < Round::kAhead; ++a) {
        const long long p = own + a * kOrderThreads;
        ahead[a] = blocks[p < packs ? p : first];
      }
      // Few are taken: which ones first, then those.
      unsigned taken = 0;
#pragma unroll
      for (int j = 0; j < Round::kOfThread; ++j) {
        const int a = j / Round::kEach;
        const Key<T> key = OrderKey<T, kDescending>(ahead[a].v[j % Round::kEach]);
        if (own + a * kOrderThreads < packs && key <= last) taken |= 1u << j;
      }
      for (; taken != 0; taken &= taken - 1) {
        const int j = __ffs(static_cast<int>(taken)) - 1;
        const long long p = own + j / Round::kEach * kOrderThreads;
        take(start + p * Round::kEach + j % Round::kEach);
      }
      first += Round::kAhead * kOrderThreads;
      __syncthreads();
      full = size + Round::kMost > Round::kList;
      __syncthreads();
    } while (!full && first < packs);
    if (full) narrow();
  }
  const long long rest = start + packs * Round::kEach + t;
  if (rest < n) take(rest);
  __syncthreads();
  narrow();
  SortList(keys, places, static_cast<int>(size));
  for (unsigned j = threadIdx.x; j < k; j += kOrderThreads)
    WriteSelected(args, part, static_cast<long long>(blockIdx.x) * args.k + j, places[j]);
}

// --- Of rows that are sorted, with the places where elements were as names: a thread for each.
template <class T>
SY_FN void SelectSorted(const SelectArgs& args) {
  const long long row = ThreadIndex();
  if (row >= args.rows) return;
  const T* const x = static_cast<const T*>(args.values) + row * args.n;
  long long k = args.k;
  if (args.median != Median::kNone) {
    const long long numbers = CountBefore(args.n, [&](long long i) { return !IsNaN(x[i]); });
    k = MedianOf(args.median, args.n, args.n - numbers);
  }
  WriteSelected(args, RowPart<T>{row, 0, args.n, x}, row, k - 1);
}

// The smallest of the most frequent elements, at its last place; NaN differs from itself. A block
// for each row.
template <class T>
SY_FN void ModeOfSorted(const SelectArgs& args) {
  __shared__ UInt64 best;  // how often, then the least number of the first of them
  const long long row = blockIdx.x, n = args.n;
  const T* const x = static_cast<const T*>(args.values) + row * n;
  if (threadIdx.x == 0) best = 0;
  __syncthreads();
  for (long long i = threadIdx.x; i < n; i += kOrderThreads) {
    const Key<T> key = KeyOf(x[i]);
    const bool nan = IsNaN(x[i]);
    if (i > 0 && !nan && KeyOf(x[i - 1]) == key) continue;
    const long long run =
        nan ? 1 : CountBefore(n - i, [&](long long k) { return KeyOf(x[i + k]) <= key; });
    atomicMax(&best, static_cast<UInt64>(run) << 32 | (0xffffffffu - static_cast<unsigned>(i)));
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  const long long first = 0xffffffffu - static_cast<unsigned>(best);
  const long long at = first + static_cast<long long>(best >> 32) - 1;
  WriteSelected(args, RowPart<T>{row, 0, n, x}, row, at);
}

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DEVICE_SELECT_H_
