// Loading to a device whose copies happen late: only when its stream, or an event in it, is waited
// for. A piece of pinned memory that is written again too early would show.
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>

#include "io/testing.h"
#include "switchyard/core/device_backend.h"
#include "switchyard/core/literal.h"
#include "switchyard/core/stream_impl.h"
#include "switchyard/core/transfer.h"
#include "switchyard/io/tensor_file.h"
#include "switchyard/io/write_tensors.h"

namespace sy::io {
namespace {

class LateStream final : public StreamImpl {
 public:
  using StreamImpl::StreamImpl;
  void* native() const override { return nullptr; }
  bool Query() override { return work_.empty(); }
  void Synchronize() override { RunTo(given_); }
  void Give(std::function<void()> work) {
    work_.push_back(std::move(work));
    ++given_;
  }
  void RunTo(size_t count) {
    for (; done_ < count; ++done_) {
      work_.front()();
      work_.pop_front();
    }
  }
  size_t given() const { return given_; }
  size_t under_way() const { return work_.size(); }

 private:
  std::deque<std::function<void()>> work_;
  size_t given_ = 0, done_ = 0;
};

class LateEvent final : public EventImpl {
 public:
  using EventImpl::EventImpl;
  void* native() const override { return nullptr; }
  void Record(StreamImpl& stream) override {
    stream_ = &static_cast<LateStream&>(stream);
    mark_ = stream_->given();
  }
  void MakeWait(StreamImpl&) override {}
  bool Query() override { return false; }
  void Synchronize() override { stream_->RunTo(mark_); }
  double ElapsedTime(EventImpl&) override { return 0; }

 private:
  LateStream* stream_ = nullptr;
  size_t mark_ = 0;
};

// The device's addresses are none of the host's.
constexpr uintptr_t kShift = uintptr_t{1} << 60;

class Memory final : public Allocator {
 public:
  explicit Memory(bool pinned) : pinned_(pinned) {}
  Allocation Allocate(const AllocationRequest& r) override {
    most = std::max(most, alive += r.bytes);
    void* p = std::aligned_alloc(64, (r.bytes + 63) / 64 * 64);
    return {reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(p) + (pinned_ ? 0 : kShift)), p};
  }
  void Free(const Allocation& a, size_t bytes) noexcept override {
    alive -= bytes;
    std::free(a.context);
  }
  bool is_pinned() const override { return pinned_; }
  MemoryStats Stats(int) const override { return {}; }
  size_t alive = 0, most = 0;

 private:
  bool pinned_;
};

class LateDevice final : public DeviceBackend {
 public:
  LateDevice() : type_(RegisterDevice("late", this, "test")), stream_({type_, 0}) {}
  int Count(std::string*) override { return 1; }
  Allocator* allocator() override { return &memory; }
  Allocator* pinned_allocator() override { return &pinned; }
  void CopyFromHost(void* to, const void* from, size_t n, int, StreamHandle stream) override {
    if (stream != nullptr) most_under_way = std::max(most_under_way, stream_.under_way() + 1);
    stream_.Give([to, from, n] { std::memcpy(Near(to), from, n); });
    if (stream == nullptr) stream_.Synchronize();
  }
  void CopyToHost(void* to, const void* from, size_t n, int, StreamHandle) override {
    stream_.Synchronize();
    std::memcpy(to, Near(from), n);
  }
  void CopyWithin(void*, const void*, size_t, int, StreamHandle) override {}
  StreamImpl* DefaultStream(int) override { return &stream_; }
  StreamImpl* NewStream(int, int) override { return nullptr; }
  EventImpl* NewEvent(int, bool) override { return new LateEvent({type_, 0}); }

  Memory memory{false}, pinned{true};
  size_t most_under_way = 0;

 private:
  static void* Near(const void* p) {
    return reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(p) - kShift);
  }
  const DeviceType type_;
  LateStream stream_;
};
LateDevice& Late() {
  static auto* device = new LateDevice;
  return *device;
}

TEST(Device, AFileGoesThereInPiecesOfPinnedMemoryTwoAtATime) {
  Late();
  const int64_t n = 5 << 20;  // 20 MB: three pieces
  const Tensor t = Tensor::Empty({n}, DType::kInt32);
  for (int64_t i = 0; i < n; ++i) t.data<int32_t>()[i] = static_cast<int32_t>(i * 2654435761u);
  const std::string path = TempFile("large.safetensors");
  WriteTensors(path, {{"t", t}, {"u", tensor({1.0f, 2.0f, 3.0f})}});
  const TensorFile f(path, {.device = ParseDevice("late")});
  const NamedTensors all = f.All();
  EXPECT_EQ(all[0].second.device().str(), "late:0");
  for (const auto& [name, there] : all) {
    const Tensor back = ToHost(there);
    if (name == "t") {
      EXPECT_EQ(std::memcmp(back.data(), t.data(), t.nbytes()), 0);
    } else {
      EXPECT_EQ(Values<float>(back), (std::vector<float>{1, 2, 3}));
    }
  }
  EXPECT_EQ(Late().most_under_way, 2u);
  EXPECT_LE(Late().pinned.most, size_t{2} << 23);
  // A part with gaps is put together here first.
  const Tensor rows = t.AsStrided({4, 5}, {5, 1});
  WriteTensors(path, {{"t", rows}});
  const Tensor part = ToHost(TensorFile(path, {.device = ParseDevice("late")}).Slice("t", 1, 1, 3));
  const int32_t* p = rows.data<int32_t>();
  EXPECT_EQ(Values<int32_t>(part),
            (std::vector<int32_t>{p[1], p[2], p[6], p[7], p[11], p[12], p[16], p[17]}));
}

TEST(Device, WhatIsDeflatedBigEndianOrSharedArrivesToo) {
  Late();
  const LoadOptions there = {.device = ParseDevice("late")};
  EXPECT_EQ(Values<float>(ToHost(TensorFile(Recorded("deflated.npz"), there).Get("a"))),
            (std::vector<float>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(Values<float>(ToHost(TensorFile(Recorded("big_endian.npy"), there).Get(""))),
            (std::vector<float>{0, 1, 2, 3, 4, 5}));
  const TensorFile f(Recorded("everything.pt"), there);
  const Tensor base = f.Get("base"), view = f.Get("view");
  EXPECT_TRUE(base.shares_storage_with(view));
  EXPECT_EQ(ToHost(view).at<float>(1, 2), 13.0f);
}

}  // namespace
}  // namespace sy::io
