// The policy of memory that is slow to get: it is taken from the device in segments, cut into
// blocks, and kept for reuse.
//
//   CachingAllocator pool(arena, "cuda:0");
//   CachingAllocator::Block* b = pool.Allocate(bytes, stream, 0);  // in the stream's order
//   pool.RecordStream(b, another);                                 // used there as well
//   pool.Free(b);                                                  // reusable by `stream` at once
//
// A free block goes to requests of the stream (and private pool) that it was made for, in whose
// order everything that used it comes first; what other streams have used waits for marks in them.
// What was freed last serves the next request of its size as it is; else neighbours that are free
// merge. Segments may grow instead, where the device can put memory at addresses of its own choice:
// then a stream's large blocks lie in one. When the device has no more, segments without a block in
// use are given back before the request fails. It knows nothing of the driver: tests run it on the
// host.
// Owns: its blocks and segments. Streams are borrowed, and must outlive it.
// Threads: any; one lock.
// Errors: kOutOfMemory, saying what was asked, what is free, kept and alive.
#ifndef SWITCHYARD_BACKENDS_CUDA_RUNTIME_CACHING_ALLOCATOR_H_
#define SWITCHYARD_BACKENDS_CUDA_RUNTIME_CACHING_ALLOCATOR_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "backends/cuda/memory.h"
#include "switchyard/core/allocator.h"

namespace sy::cuda {

// Where segments come from, and how one knows what a stream has done.
class Arena {
 public:
  virtual ~Arena() = default;
  virtual void* Reserve(size_t bytes) = 0;  // null when there is not so much
  // Once the device has done what it was given.
  virtual void Release(void* data) noexcept = 0;
  virtual size_t FreeBytes() = 0;
  virtual size_t TotalBytes() = 0;
  // --- Segments that grow: addresses alone, at which memory is put piece by piece. granule: what
  // pieces are multiples of; 0: the device has no such thing.
  virtual size_t Granule() { return 0; }
  virtual void* ReserveAddresses(size_t /*bytes*/) { return nullptr; }
  virtual void ReleaseAddresses(void* /*data*/, size_t /*bytes*/) noexcept {}
  virtual bool Put(void* /*data*/, size_t /*bytes*/) {
    return false;
  }  // false: there is not so much
  // Of what was put there, in whole pieces; once the device has done what it was given. False: it
  // cannot be waited for now.
  virtual bool Take(void* /*data*/, size_t /*bytes*/) noexcept { return false; }
  // A mark behind everything that the stream has been given; null where none can be set now.
  virtual void* Mark(StreamHandle stream) = 0;
  // Whether the stream has got there, or, where `wait`, true once it has. The mark is gone then.
  virtual bool Reached(void* mark, bool wait) = 0;
};

// Told what becomes of memory, under the allocator's lock.
class MemoryObserver {
 public:
  virtual ~MemoryObserver() = default;
  virtual void Note(MemoryEvent::Kind kind, const void* address, size_t bytes,
                    StreamHandle stream) noexcept = 0;
};

class CachingAllocator {
 public:
  static constexpr size_t kAlignment = 512;
  static constexpr size_t kSmall = size_t{1} << 20;           // up to here blocks share
  static constexpr size_t kSmallSegment = size_t{2} << 20;    // these segments
  static constexpr size_t kMedium = size_t{16} << 20;         // and up to here
  static constexpr size_t kMediumSegment = size_t{32} << 20;  // these;
  static constexpr size_t kGranularity = size_t{2} << 20;     // others round up to this

  struct Block;

  // `arena` must outlive it. name: the device's, for messages.
  CachingAllocator(Arena& arena, std::string name) : arena_(arena), name_(std::move(name)) {}
  CachingAllocator(const CachingAllocator&) = delete;

  Block* Allocate(size_t bytes, StreamHandle stream, uint64_t pool);
  static void* DataOf(const Block* block);
  static void Free(Block* block) noexcept;
  static void RecordStream(Block* block, StreamHandle stream);
  // Gives segments without a block in use back, but for those of private pools.
  void Trim();
  // A private pool is used no more: its segments are given back as soon as no block is in use.
  void ReleasePool(uint64_t pool);
  // false: every block is a segment of the size asked for, so that tools which watch memory know
  // where it ends. Set before anything is allocated.
  void SetCaching(bool caching) { caching_ = caching; }

  // Large blocks of a stream and pool come from one segment that grows, so that blocks of sizes
  // that change do not leave holes between segments. Set before anything is allocated. Nothing
  // where the arena has no such segments.
  void SetGrowing(bool growing) { granule_ = growing && caching_ ? arena_.Granule() : 0; }
  // Null: nobody. Borrowed.
  void SetObserver(MemoryObserver* observer);

  MemoryStats Stats() const;
  void ResetPeak();
  // No more than this is held from the device. 0: no limit of one's own.
  void SetLimit(size_t bytes);
  std::vector<MemorySegment> Snapshot() const;
  // The block that the address lies in; null for memory of others.
  Block* Find(const void* address) const;

  ~CachingAllocator();

 private:
  using Key = std::tuple<StreamHandle, uint64_t, bool>;  // stream, pool, small
  struct BySize {
    bool operator()(const Block* a, const Block* b) const;
  };
  using FreeBlocks = std::set<Block*, BySize>;

  size_t SegmentBytes(size_t bytes) const;
  Block*& RecentOf(size_t bytes) { return recent_[bytes / kAlignment % recent_.size()]; }
  Block* TakeRecent(size_t bytes, StreamHandle stream, uint64_t pool);
  bool FreeRecent();
  bool IsDone(const Block* block) const;
  void ReleaseSegment(Block* block);
  Block* TakeFree(size_t bytes, const Key& key);
  Block* Reserve(size_t bytes, const Key& key);
  Block* Grow(size_t bytes, const Key& key);
  bool Shrink(Block* last);
  bool ShrinkEnd(const Key& key, FreeBlocks& blocks);
  void Note(MemoryEvent::Kind kind, const void* address, size_t bytes, StreamHandle stream) {
    if (observer_ != nullptr) observer_->Note(kind, address, bytes, stream);
  }
  void GiveBack(Block* block);
  void AlsoUsedBy(Block* block, StreamHandle stream);
  void Split(Block* block, size_t bytes);
  void MakeFree(Block* block);
  void Merge(Block* block, Block* next);
  void Await(Block* block);
  void FreeReached(bool wait);
  bool ReleaseSegments();
  [[noreturn]] void FailOutOfMemory(size_t bytes) const;

  Arena& arena_;
  const std::string name_;
  mutable std::mutex mutex_;
  bool caching_ = true;
  std::array<Block*, 32> recent_ = {};  // free, by size; not in free_
  std::map<Key, FreeBlocks> free_;
  std::map<uintptr_t, Block*> segments_;  // by address: the first block of each
  std::vector<Block*> waiting_;           // freed, used by other streams
  std::set<uint64_t> released_pools_;
  struct Growing;
  std::map<Key, std::shared_ptr<Growing>> growing_;
  size_t granule_ = 0;
  MemoryObserver* observer_ = nullptr;
  size_t limit_ = 0;
  MemoryStats stats_;
};

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_RUNTIME_CACHING_ALLOCATOR_H_
