// Memory and copies of a device.

#include <dlfcn.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <fstream>
#include <memory>
#include <thread>

#include "switchyard/core/accelerator.h"
#include "switchyard/dispatcher/call.h"
#include "testing/conform/session.h"

namespace sy::conform {
namespace {

void ZeroSizes(const Subject& subject) {
  const Session s(subject);
  for (const std::vector<int64_t>& sizes :
       {std::vector<int64_t>{0}, std::vector<int64_t>{3, 0}, std::vector<int64_t>{0, 5}}) {
    for (const Tensor& there : {s.There(Tensor::Empty(IntSpan(sizes), DType::kFloat32)),
                                s.Empty(IntSpan(sizes), DType::kFloat32)}) {
      Require(ToHost(there).numel() == 0,
              {"a tensor of sizes ", IntSpan(sizes), " comes back with elements"});
    }
  }
}

void Alignment(const Subject& subject) {
  const Session s(subject);
  for (size_t alignment = 1; alignment <= 4096; alignment *= 2) {
    for (const size_t bytes : {1, 3, 63, 65, 4097}) {
      const Block b(s, bytes, alignment);
      if (b.has_address()) {
        Require(b.address() % alignment == 0,
                {bytes, " bytes aligned to ", alignment, " lie at an address that is not"});
      }
      const std::vector<char> sent = Pattern(bytes, 1);
      b.Write(0, sent);
      Require(b.Read(0, bytes) == sent,
              {bytes, " bytes aligned to ", alignment, " come back changed"});
    }
  }
}

void OddOffsets(const Subject& subject) {
  const Session s(subject);
  constexpr size_t kBytes = 1000;
  const Block b(s, kBytes);
  for (const size_t offset : {1, 3, 7, 13, 63, 65}) {
    for (const size_t bytes : {1, 5, 64, 500}) {
      std::vector<char> expected = Pattern(kBytes, 1);
      b.Write(0, expected);
      const std::vector<char> sent = Pattern(bytes, 2);
      b.Write(offset, sent);
      Require(b.Read(offset, bytes) == sent,
              {bytes, " bytes written at byte ", offset, " are not read there"});
      std::copy(sent.begin(), sent.end(), expected.begin() + static_cast<int64_t>(offset));
      Require(b.Read(0, kBytes) == expected,
              {bytes, " bytes written at byte ", offset, " changed others"});
    }
  }
}

void CopiesWithin(const Subject& subject) {
  const Session s(subject);
  constexpr size_t kBytes = 1000;
  const Block from(s, kBytes), to(s, kBytes);
  for (const size_t offset : {0, 1, 7, 100}) {
    for (const size_t bytes : {1, 5, 64, 500}) {
      const std::vector<char> source = Pattern(kBytes, 1);
      std::vector<char> expected = Pattern(kBytes, 2);
      from.Write(0, source);
      to.Write(0, expected);
      s.backend().CopyWithin(to.at(2 * offset), from.at(offset), bytes, s.index(), nullptr);
      std::copy_n(source.begin() + static_cast<int64_t>(offset), bytes,
                  expected.begin() + 2 * static_cast<int64_t>(offset));
      Require(to.Read(0, kBytes) == expected, {bytes, " bytes from byte ", offset, " to byte ",
                                               2 * offset, " of another block did not arrive"});
    }
  }
}

void OffsetViews(const Subject& subject) {
  const Session s(subject);
  const Tensor host = PatternTensor(100, 3), there = s.There(host);
  for (const int64_t offset : {1, 3, 64, 99}) {
    const int64_t n = 100 - offset;
    const int64_t stride = 1;
    const Tensor view = ToHost(there.AsStrided(IntSpan(&n, 1), IntSpan(&stride, 1), offset));
    const char *got = static_cast<const char*>(view.data()),
               *expected = static_cast<const char*>(host.data()) + offset;
    Require(std::equal(got, got + n, expected),
            {"a view that starts at byte ", offset, " shows other bytes"});
  }
}

void LargeCopies(const Subject& subject) {
  const Session s(subject);
  constexpr size_t kBytes = (size_t{64} << 20) + 3;
  const Block b(s, kBytes);
  const std::vector<char> sent = Pattern(kBytes, 5);
  b.Write(0, sent);
  Require(b.Read(0, kBytes) == sent, {kBytes, " bytes come back changed"});
}

// Errors: Broken unless allocating throws kOutOfMemory.
void RequireOutOfMemory(const Session& s, size_t bytes) {
  try {
    const Block b(s, bytes);
  } catch (const Error& e) {
    Require(
        e.code() == ErrorCode::kOutOfMemory,
        {"asked for ", bytes, " bytes, expected the error out_of_memory, got '", e.message(), "'"});
    return;
  }
  Broken({"asked for ", bytes, " bytes, it says that it has them"});
}

void TooManyBytes(const Subject& subject) {
  const Session s(subject);
  const int64_t before = s.allocator().Stats(s.index()).allocated_bytes;
  for (const size_t bytes : {size_t{1} << 62, SIZE_MAX / 2, SIZE_MAX - 10})
    RequireOutOfMemory(s, bytes);
  Require(s.allocator().Stats(s.index()).allocated_bytes == before,
          {"failing allocations are counted as allocated"});
  const Block b(s, 100);
  b.Write(0, Pattern(100, 1));
}

size_t AddressSpace() {  // of this process, in bytes
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * 4096;
}

// AddressSanitizer holds back what was freed, more than there is room for here.
void LetGoOfFreedMemory() {
  if (void* purge = dlsym(RTLD_DEFAULT, "__sanitizer_purge_allocator"); purge != nullptr)
    reinterpret_cast<void (*)()>(purge)();
}

// For devices that live in the process's memory the limit is the process's; of others a gigabyte is
// asked for.
void OutOfMemoryAndRetry(const Subject& subject) {
  const Session s(subject);
  constexpr size_t kBlock = size_t{16} << 20, kRoom = size_t{256} << 20, kMost = 64;
  const Block first(s, 100);  // what the device needs anyway is there before the limit
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = AddressSpace() + kRoom;
  setrlimit(RLIMIT_AS, &limit);
  std::deque<std::unique_ptr<Block>> blocks;
  bool full = false;
  while (!full && blocks.size() < kMost) {
    try {
      blocks.push_back(std::make_unique<Block>(s, kBlock));
    } catch (const Error& e) {
      Require(e.code() == ErrorCode::kOutOfMemory,
              {"expected the error out_of_memory, got '", e.message(), "'"});
      full = true;
    }
  }
  if (!full) NotApplicable({"it has more than ", kMost, " blocks of 16 MiB"});
  Require(!blocks.empty(), {"not one block of 16 MiB could be had"});
  // What was freed must be there again, in one piece and in pieces of another size.
  const size_t had = blocks.size();
  blocks.clear();
  s.backend().Synchronize(s.index());  // frees may be queued
  s.allocator().Trim();
  LetGoOfFreedMemory();
  for (size_t i = 0; i < had; ++i) {
    blocks.push_back(std::make_unique<Block>(s, kBlock / 2));
    blocks.push_back(std::make_unique<Block>(s, kBlock / 4));
  }
  blocks.back()->Write(0, Pattern(100, 1));
}

void OtherThreads(const Subject& subject) {
  const Session s(subject);
  constexpr int kThreads = 4, kTensors = 200;
  std::vector<std::vector<Tensor>> made(kThreads);
  const auto each = [](auto f) {
    std::vector<std::thread> threads;
    for (size_t t = 0; t < kThreads; ++t) threads.emplace_back(f, t);
    for (std::thread& t : threads) t.join();
  };
  each([&](size_t t) {
    for (int i = 0; i < kTensors; ++i)
      made[t].push_back(s.There(PatternTensor(100 + i, static_cast<int>(t))));
  });
  std::vector<int> wrong(kThreads);
  each([&](size_t t) {
    const size_t of = (t + 1) % kThreads;  // another thread's
    for (Tensor& x : made[of]) {
      const Tensor host = ToHost(x), expected = PatternTensor(x.numel(), static_cast<int>(of));
      wrong[t] += std::memcmp(host.data(), expected.data(), host.nbytes()) != 0;
      x = Tensor();
    }
  });
  for (const int n : wrong) Require(n == 0, {n, " tensors made in one thread differ in another"});
}

void Shared(const Subject& subject) {
  const Session s(subject);
  constexpr size_t kBytes = 1000;
  {
    const Block from(s, kBytes), to(s, kBytes);
    for (const size_t offset : {0, 1, 100}) {
      const std::vector<char> source = Pattern(kBytes, 1);
      std::vector<char> expected = Pattern(kBytes, 2);
      from.Write(0, source);
      to.Write(0, expected);
      const bool can = s.backend().CopyFromDevice(to.at(2 * offset), s.index(), s.backend(),
                                                  from.at(offset), s.index(), 500);
      if (!can) NotApplicable({"it does not adopt what itself shares"});
      std::copy_n(source.begin() + static_cast<int64_t>(offset), 500,
                  expected.begin() + 2 * static_cast<int64_t>(offset));
      Require(to.Read(0, kBytes) == expected,
              {"500 bytes of a block that was shared, from byte ", offset, ", to byte ", 2 * offset,
               " of another one, did not arrive"});
    }
  }
  s.Unload();
}

void Pinned(const Subject& subject) {
  const Session s(subject);
  if (s.backend().pinned_allocator() == nullptr) NotApplicable({"it offers no pinned memory"});
  constexpr int64_t kBytes = 1 << 20;
  const DeviceType type = s.device().type;
  {
    std::vector<Tensor> tensors;
    tensors.reserve(8);
    for (int i = 0; i < 8; ++i) tensors.push_back(PinnedCopy(PatternTensor(kBytes, i), s.device()));
    for (int i = 0; i < 8; ++i) {
      Require(std::memcmp(tensors[static_cast<size_t>(i)].data(), PatternTensor(kBytes, i).data(),
                          kBytes) == 0,
              {"of 8 tensors in pinned memory, number ", i, " has changed"});
    }
    for (int i = 0; i < 50; ++i) {
      const Tensor there = s.Empty({kBytes}, DType::kUInt8),
                   back = EmptyPinned({kBytes}, DType::kUInt8, s.device());
      // Each is dropped while it may still be copied from.
      call("copy_", there, PinnedCopy(PatternTensor(kBytes, i), s.device()), true);
      call("copy_", back, there, true);
      Synchronize(s.device());
      Require(std::memcmp(back.data(), PatternTensor(kBytes, i).data(), kBytes) == 0,
              {"copied there from pinned memory and back, time ", i, ": other bytes"});
    }
  }
  Synchronize(s.device());
  EmptyPinnedCache(type);
  const MemoryStats after = GetPinnedMemoryStats(type);
  Require(after.reserved_bytes == 0 && after.allocations == after.frees,
          {"every pinned tensor is freed, ", after.reserved_bytes, " bytes are left"});
  s.Unload();
}

void Statistics(const Subject& subject) {
  const Session s(subject);
  Allocator& a = s.allocator();
  const MemoryStats before = a.Stats(s.index());
  {
    std::vector<Tensor> tensors;
    tensors.reserve(10);
    for (int i = 0; i < 10; ++i) tensors.push_back(s.Empty({1000}, DType::kFloat32));
    const MemoryStats now = a.Stats(s.index());
    const int64_t grown = now.allocated_bytes - before.allocated_bytes;
    Require(grown >= 40'000, {"10 tensors of 4000 bytes, allocated bytes grow by ", grown});
    Require(now.peak_bytes >= now.allocated_bytes,
            {now.allocated_bytes, " bytes are allocated, the peak says ", now.peak_bytes});
    Require(now.allocations - before.allocations >= 10,
            {"10 tensors, ", now.allocations - before.allocations, " allocations"});
  }
  const MemoryStats after = a.Stats(s.index());
  Require(after.allocated_bytes == before.allocated_bytes,
          {"every tensor is freed, allocated bytes are ", after.allocated_bytes, ", before ",
           before.allocated_bytes});
  Require(after.allocations - before.allocations == after.frees - before.frees,
          {after.allocations - before.allocations, " allocations, ", after.frees - before.frees,
           " frees"});
  s.Unload();
}

constexpr Check kChecks[] = {
    {"memory.zero_sizes", "tensors without elements go there and back", ZeroSizes},
    {"memory.alignment", "memory is aligned as asked, for every power of 2 to 4096", Alignment},
    {"memory.odd_offsets", "copies at odd byte offsets write there and nowhere else", OddOffsets},
    {"memory.copies_within", "copies within the device, at odd offsets", CopiesWithin},
    {"memory.offset_views", "views that start inside their memory are read there", OffsetViews},
    {"memory.large_copies", "64 MiB go there and back", LargeCopies},
    {"memory.too_many_bytes", "more bytes than there can be are out_of_memory", TooManyBytes},
    {"memory.out_of_memory", "memory that is used up, freed and trimmed is there again",
     OutOfMemoryAndRetry},
    {"memory.other_threads", "what one thread made, others read and free", OtherThreads},
    {"memory.shared", "what it shares and adopts itself holds the same bytes", Shared},
    {"memory.pinned", "pinned memory is the tensor's own until copies are done", Pinned},
    {"memory.statistics", "statistics grow with what is alive and go back", Statistics},
};

}  // namespace

std::span<const Check> MemoryChecks() { return kChecks; }

}  // namespace sy::conform
