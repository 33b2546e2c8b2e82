#include "backends/cuda/runtime/caching_allocator.h"

#include <algorithm>
#include <utility>

#include "switchyard/core/error.h"
#include "third_party/fmt/format.h"

namespace sy::cuda {

struct CachingAllocator::Block {
  CachingAllocator* owner;
  char* data;
  size_t bytes;
  StreamHandle stream;
  uint64_t pool;
  bool small;
  MemoryBlock::State state = MemoryBlock::kFree;
  Block* previous = nullptr;  // neighbours in the segment
  Block* next = nullptr;
  std::vector<StreamHandle> used_by = {};  // besides `stream`
  std::vector<void*> marks = {};           // not yet reached
  Growing* growing = nullptr;              // the segment, where it is one that grows
};

// Addresses for as much as a device has, of which the first `mapped` bytes have memory.
struct CachingAllocator::Growing {
  char* data;
  size_t bytes, mapped;
  Block* last = nullptr;  // null: nothing is mapped
};

bool CachingAllocator::BySize::operator()(const Block* a, const Block* b) const {
  return a->bytes != b->bytes ? a->bytes < b->bytes : a->data < b->data;
}

CachingAllocator::~CachingAllocator() {
  for (const auto& [key, g] : growing_) {
    if (g->last != nullptr) {
      arena_.Take(g->data, g->mapped);
      for (Block* b = segments_.at(reinterpret_cast<uintptr_t>(g->data)); b != nullptr;)
        delete std::exchange(b, b->next);
      segments_.erase(reinterpret_cast<uintptr_t>(g->data));
    }
    arena_.ReleaseAddresses(g->data, g->bytes);
  }
  for (const auto& [address, first] : segments_) {
    arena_.Release(first->data);
    for (Block* b = first; b != nullptr;) delete std::exchange(b, b->next);
  }
}

void* CachingAllocator::DataOf(const Block* block) { return block->data; }

size_t CachingAllocator::SegmentBytes(size_t bytes) const {
  if (!caching_) return bytes;
  if (bytes <= kSmall) return kSmallSegment;
  if (bytes <= kMedium) return kMediumSegment;
  return (bytes + kGranularity - 1) / kGranularity * kGranularity;
}

CachingAllocator::Block* CachingAllocator::Allocate(size_t asked, StreamHandle stream,
                                                    uint64_t pool) {
  std::lock_guard lock(mutex_);
  if (asked > SIZE_MAX / 2) FailOutOfMemory(asked);
  const size_t unit = caching_ ? kAlignment : 1;
  const size_t bytes = std::max(unit, (asked + unit - 1) / unit * unit);
  Block* block = TakeRecent(bytes, stream, pool);
  if (block == nullptr) {
    const Key key{stream, pool, bytes <= kSmall};
    FreeReached(false);
    block = TakeFree(bytes, key);
    if (block == nullptr && FreeRecent()) block = TakeFree(bytes, key);
    if (block == nullptr) block = Reserve(bytes, key);
    if (block == nullptr) {
      FreeReached(true);
      block = TakeFree(bytes, key);
      if (block == nullptr && ReleaseSegments()) block = Reserve(bytes, key);
    }
    if (block == nullptr) {
      Note(MemoryEvent::kOutOfMemory, nullptr, asked, stream);
      FailOutOfMemory(asked);
    }
    Split(block, bytes);
  }
  block->state = MemoryBlock::kAlive;
  Note(MemoryEvent::kAllocated, block->data, block->bytes, stream);
  stats_.allocated_bytes += static_cast<int64_t>(block->bytes);
  stats_.peak_bytes = std::max(stats_.peak_bytes, stats_.allocated_bytes);
  ++stats_.allocations;
  return block;
}

CachingAllocator::Block* CachingAllocator::TakeRecent(size_t bytes, StreamHandle stream,
                                                      uint64_t pool) {
  Block*& recent = RecentOf(bytes);
  const bool serves = recent != nullptr && recent->bytes == bytes && recent->stream == stream &&
                      recent->pool == pool;
  return serves ? std::exchange(recent, nullptr) : nullptr;
}

// Whether there were any.
bool CachingAllocator::FreeRecent() {
  bool any = false;
  for (Block*& recent : recent_) {
    if (recent == nullptr) continue;
    MakeFree(std::exchange(recent, nullptr));
    any = true;
  }
  return any;
}

// The smallest free block that is large enough.
CachingAllocator::Block* CachingAllocator::TakeFree(size_t bytes, const Key& key) {
  const auto found = free_.find(key);
  if (found == free_.end()) return nullptr;
  Block least{};
  least.bytes = bytes;
  const auto it = found->second.lower_bound(&least);
  if (it == found->second.end()) return nullptr;
  Block* block = *it;
  found->second.erase(it);
  return block;
}

CachingAllocator::Block* CachingAllocator::Reserve(size_t bytes, const Key& key) {
  if (granule_ != 0 && !std::get<2>(key)) {
    if (Block* block = Grow(bytes, key)) return block;
  }
  const size_t segment = SegmentBytes(bytes);
  if (limit_ != 0 && static_cast<size_t>(stats_.reserved_bytes) + segment > limit_) return nullptr;
  void* data = arena_.Reserve(segment);
  if (data == nullptr) return nullptr;
  stats_.reserved_bytes += static_cast<int64_t>(segment);
  auto* block = new Block{.owner = this,
                          .data = static_cast<char*>(data),
                          .bytes = segment,
                          .stream = std::get<0>(key),
                          .pool = std::get<1>(key),
                          .small = std::get<2>(key)};
  segments_.emplace(reinterpret_cast<uintptr_t>(data), block);
  Note(MemoryEvent::kReserved, data, segment, block->stream);
  return block;
}

// A free block of so many bytes, of which no other is free, at the end of the segment that grows.
// Null where the device has no more, or no addresses.
CachingAllocator::Block* CachingAllocator::Grow(size_t bytes, const Key& key) {
  auto it = growing_.find(key);
  if (it == growing_.end()) {
    const size_t all = (arena_.TotalBytes() + granule_ - 1) / granule_ * granule_;
    void* data = arena_.ReserveAddresses(all);
    if (data == nullptr) return nullptr;
    const auto made = std::make_shared<Growing>(Growing{static_cast<char*>(data), all, 0});
    it = growing_.emplace(key, made).first;
  }
  Growing* const g = it->second.get();
  // A free block at the end is part of what is asked for.
  Block* last = g->last;
  const auto free = free_.find(key);
  const bool extends = last != nullptr && free != free_.end() && free->second.contains(last);
  const size_t there = extends ? last->bytes : 0;
  const size_t wanted = (bytes - there + granule_ - 1) / granule_ * granule_;
  if (wanted > g->bytes - g->mapped ||
      (limit_ != 0 && static_cast<size_t>(stats_.reserved_bytes) + wanted > limit_) ||
      !arena_.Put(g->data + g->mapped, wanted))
    return nullptr;
  stats_.reserved_bytes += static_cast<int64_t>(wanted);
  Note(MemoryEvent::kReserved, g->data + g->mapped, wanted, std::get<0>(key));
  if (extends) {
    free->second.erase(last);
    last->bytes += wanted;
  } else {
    auto* block = new Block{.owner = this,
                            .data = g->data + g->mapped,
                            .bytes = wanted,
                            .stream = std::get<0>(key),
                            .pool = std::get<1>(key),
                            .small = false,
                            .previous = last,
                            .growing = g};
    if (last == nullptr) {
      segments_.emplace(reinterpret_cast<uintptr_t>(g->data), block);
    } else {
      last->next = block;
    }
    g->last = last = block;
  }
  g->mapped += wanted;
  return last;
}

// Gives what a free block at the end of a segment that grows has of whole pieces back to the
// device. True: all of it, so that the block is gone.
bool CachingAllocator::Shrink(Block* last) {
  Growing& g = *last->growing;
  // Blocks need not begin where pieces do; the end does.
  const auto offset = static_cast<size_t>(last->data - g.data);
  const size_t keep = (offset + granule_ - 1) / granule_ * granule_;
  const size_t given = g.mapped - keep;
  if (given == 0 || !arena_.Take(g.data + keep, given)) return false;
  Note(MemoryEvent::kReleased, g.data + keep, given, last->stream);
  stats_.reserved_bytes -= static_cast<int64_t>(given);
  g.mapped = keep;
  last->bytes -= given;
  if (last->bytes != 0) return false;
  g.last = last->previous;
  if (g.last == nullptr) {
    segments_.erase(reinterpret_cast<uintptr_t>(g.data));
  } else {
    g.last->next = nullptr;
  }
  delete last;
  return true;
}

// Shrinks the key's segment that grows, where there is one and a free block is at its end. Whether
// the device got anything back. blocks: the key's free ones.
bool CachingAllocator::ShrinkEnd(const Key& key, FreeBlocks& blocks) {
  const auto it = growing_.find(key);
  Block* last = it == growing_.end() ? nullptr : it->second->last;
  if (last == nullptr || blocks.erase(last) == 0) return false;
  const size_t before = last->bytes;
  if (Shrink(last)) return true;
  blocks.insert(last);
  return last->bytes != before;
}

void CachingAllocator::SetObserver(MemoryObserver* observer) {
  std::lock_guard lock(mutex_);
  observer_ = observer;
}

// What the block has beyond `bytes` becomes a free block of its own, if that is worth one.
void CachingAllocator::Split(Block* block, size_t bytes) {
  const size_t rest = block->bytes - bytes;
  if (rest < (block->small ? kAlignment : kSmall)) return;
  auto* after = new Block{.owner = this,
                          .data = block->data + bytes,
                          .bytes = rest,
                          .stream = block->stream,
                          .pool = block->pool,
                          .small = block->small,
                          .growing = block->growing};
  if (block->growing != nullptr && block->growing->last == block) block->growing->last = after;
  block->bytes = bytes;
  after->next = block->next;
  after->previous = block;
  if (after->next != nullptr) after->next->previous = after;
  block->next = after;
  free_[{after->stream, after->pool, after->small}].insert(after);
}

void CachingAllocator::Free(Block* block) noexcept { block->owner->GiveBack(block); }

void CachingAllocator::GiveBack(Block* block) {
  std::lock_guard lock(mutex_);
  stats_.allocated_bytes -= static_cast<int64_t>(block->bytes);
  ++stats_.frees;
  Note(MemoryEvent::kFreed, block->data, block->bytes, block->stream);
  if (!block->used_by.empty()) {
    block->state = MemoryBlock::kAwaited;
    waiting_.push_back(block);
    return Await(block);
  }
  if (!caching_ || released_pools_.contains(block->pool)) return MakeFree(block);
  block->state = MemoryBlock::kFree;
  Block* before = std::exchange(RecentOf(block->bytes), block);
  if (before != nullptr) MakeFree(before);
}

// Sets the marks that can be set now.
void CachingAllocator::Await(Block* block) {
  std::erase_if(block->used_by, [&](StreamHandle s) {
    void* mark = arena_.Mark(s);
    if (mark != nullptr) block->marks.push_back(mark);
    return mark != nullptr;
  });
}

void CachingAllocator::FreeReached(bool wait) {
  for (size_t i = 0; i < waiting_.size();) {
    Block* b = waiting_[i];
    Await(b);
    std::erase_if(b->marks, [&](void* mark) { return arena_.Reached(mark, wait); });
    if (b->marks.empty() && b->used_by.empty()) {
      waiting_[i] = waiting_.back();
      waiting_.pop_back();
      MakeFree(b);
    } else {
      ++i;
    }
  }
}

void CachingAllocator::MakeFree(Block* block) {
  block->state = MemoryBlock::kFree;
  FreeBlocks& blocks = free_[{block->stream, block->pool, block->small}];
  const auto free_neighbour = [&](Block* b) { return b != nullptr && blocks.erase(b) != 0; };
  if (free_neighbour(block->next)) Merge(block, block->next);
  if (free_neighbour(block->previous)) {
    block = block->previous;
    Merge(block, block->next);
  }
  if (IsDone(block)) return ReleaseSegment(block);
  if (block->growing != nullptr && block->growing->last == block &&
      released_pools_.contains(block->pool) && Shrink(block))
    return;
  blocks.insert(block);
}

// Whether a free block is a segment that nobody will ask for.
bool CachingAllocator::IsDone(const Block* block) const {
  if (block->growing != nullptr) return false;  // which pools give back when they go
  if (block->previous != nullptr || block->next != nullptr) return false;
  return block->pool == 0 ? !caching_ : released_pools_.contains(block->pool);
}

void CachingAllocator::ReleaseSegment(Block* block) {
  arena_.Release(block->data);
  Note(MemoryEvent::kReleased, block->data, block->bytes, block->stream);
  stats_.reserved_bytes -= static_cast<int64_t>(block->bytes);
  segments_.erase(reinterpret_cast<uintptr_t>(block->data));
  delete block;
}

void CachingAllocator::Merge(Block* block, Block* next) {
  block->bytes += next->bytes;
  block->next = next->next;
  if (block->next != nullptr) block->next->previous = block;
  if (next->growing != nullptr && next->growing->last == next) next->growing->last = block;
  delete next;
}

void CachingAllocator::RecordStream(Block* block, StreamHandle stream) {
  block->owner->AlsoUsedBy(block, stream);
}

void CachingAllocator::AlsoUsedBy(Block* block, StreamHandle stream) {
  std::lock_guard lock(mutex_);
  if (stream == block->stream || std::ranges::find(block->used_by, stream) != block->used_by.end())
    return;
  block->used_by.push_back(stream);
}

void CachingAllocator::Trim() {
  std::lock_guard lock(mutex_);
  FreeReached(true);
  FreeRecent();
  ReleaseSegments();
}

bool CachingAllocator::ReleaseSegments() {
  bool any = false;
  for (auto& [key, blocks] : free_) {
    if (std::get<1>(key) != 0) continue;  // a captured graph knows its addresses
    // Of a segment that grows the free block at the end, of others those that are whole.
    std::erase_if(blocks, [&](Block* b) {
      if (b->growing != nullptr || b->previous != nullptr || b->next != nullptr) return false;
      ReleaseSegment(b);
      return any = true;
    });
    any |= ShrinkEnd(key, blocks);
  }
  return any;
}

void CachingAllocator::ReleasePool(uint64_t pool) {
  std::lock_guard lock(mutex_);
  FreeRecent();
  released_pools_.insert(pool);
  for (auto& [key, blocks] : free_) {
    if (std::get<1>(key) != pool) continue;
    std::erase_if(blocks, [&](Block* b) {
      const bool done = IsDone(b);
      if (done) ReleaseSegment(b);
      return done;
    });
    ShrinkEnd(key, blocks);
  }
}

MemoryStats CachingAllocator::Stats() const {
  std::lock_guard lock(mutex_);
  return stats_;
}

void CachingAllocator::ResetPeak() {
  std::lock_guard lock(mutex_);
  stats_.peak_bytes = stats_.allocated_bytes;
}

void CachingAllocator::SetLimit(size_t bytes) {
  std::lock_guard lock(mutex_);
  limit_ = bytes;
}

std::vector<MemorySegment> CachingAllocator::Snapshot() const {
  std::lock_guard lock(mutex_);
  std::vector<MemorySegment> all;
  for (const auto& [address, first] : segments_) {
    MemorySegment s{first->data, 0, first->stream, first->pool, {}};
    for (const Block* b = first; b != nullptr; b = b->next) {
      s.bytes += b->bytes;
      s.blocks.push_back({b->bytes, b->state});
    }
    all.push_back(std::move(s));
  }
  return all;
}

CachingAllocator::Block* CachingAllocator::Find(const void* address) const {
  std::lock_guard lock(mutex_);
  auto it = segments_.upper_bound(reinterpret_cast<uintptr_t>(address));
  if (it == segments_.begin()) return nullptr;
  const char* at = static_cast<const char*>(address);
  for (Block* b = (--it)->second; b != nullptr; b = b->next) {
    if (at >= b->data && at < b->data + b->bytes) return b;
  }
  return nullptr;
}

void CachingAllocator::FailOutOfMemory(size_t bytes) const {
  const auto kept = stats_.reserved_bytes - stats_.allocated_bytes;
  const std::string limit = limit_ == 0 ? "" : fmt::format(", limited to {}", limit_);
  Fail(ErrorCode::kOutOfMemory,
       {name_, " is out of memory: asked for ", bytes, " bytes; the device has ",
        arena_.FreeBytes(), " of ", arena_.TotalBytes(), " bytes free, this program ",
        stats_.allocated_bytes, " alive in ", stats_.allocations - stats_.frees, " blocks and ",
        kept, " kept for reuse", limit});
}

}  // namespace sy::cuda
