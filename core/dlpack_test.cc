#include "switchyard/core/dlpack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>

#include "switchyard/core/literal.h"
#include "switchyard/core/printing.h"
#include "switchyard/core/testing.h"
#include "switchyard/core/view_as.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace sy {
namespace {

using ::testing::HasSubstr;

// Another library's tensor: int32 [2, 2] on the host, which counts the calls of its deleter.
struct Theirs {
  int32_t data[4] = {1, 2, 3, 4};
  int64_t sizes[2] = {2, 2};
  int64_t strides[2] = {2, 1};
  int deleted = 0;
  std::thread::id deleted_by;
  DLManagedTensorVersioned managed = {{1, 0},
                                      this,
                                      [](DLManagedTensorVersioned* self) {
                                        auto* me = static_cast<Theirs*>(self->manager_ctx);
                                        ++me->deleted;
                                        me->deleted_by = std::this_thread::get_id();
                                      },
                                      0,
                                      {data, {kDLCPU, 0}, 2, {kDLInt, 32, 1}, sizes, strides, 0}};
};

TEST(DlpackTest, ExportShowsTheTensor) {
  const Tensor t = tensor({{1., 2., 3.}, {4., 5., 6.}});
  DLManagedTensorVersioned* m = ToDlpack(t);
  EXPECT_EQ(m->version.major, 1u);
  EXPECT_EQ(m->dl_tensor.data, t.data());
  EXPECT_EQ(m->dl_tensor.device.device_type, kDLCPU);
  EXPECT_EQ(m->dl_tensor.dtype.bits, 32);
  EXPECT_THAT(std::vector<int64_t>(m->dl_tensor.shape, m->dl_tensor.shape + 2),
              ::testing::ElementsAre(2, 3));
  EXPECT_THAT(std::vector<int64_t>(m->dl_tensor.strides, m->dl_tensor.strides + 2),
              ::testing::ElementsAre(3, 1));
  m->deleter(m);
}

TEST(DlpackTest, ExportHoldsTheMemory) {
  DLManagedTensorVersioned* m = ToDlpack(tensor({1, 2, 3}));
  EXPECT_EQ(static_cast<int64_t*>(m->dl_tensor.data)[2], 3);
  EXPECT_EQ(LiveDlpackExports(kHost), 1);
  m->deleter(m);
  EXPECT_EQ(LiveDlpackExports(kHost), 0);
}

TEST(DlpackTest, ImportSharesTheMemory) {
  Theirs theirs;
  const Tensor t = FromDlpack(&theirs.managed);
  t.data<int32_t>()[3] = 40;
  EXPECT_EQ(theirs.data[3], 40);
  EXPECT_EQ(ToString(t), "tensor([[ 1,  2],\n        [ 3, 40]], dtype=torch.int32)");
}

TEST(DlpackTest, DeleterRunsOnceWithTheLastViewInAnyThread) {
  Theirs theirs;
  Tensor t = FromDlpack(&theirs.managed);
  Tensor view = t.AsStrided(std::vector<int64_t>{1}, std::vector<int64_t>{1}, 3);
  t = Tensor();
  EXPECT_EQ(theirs.deleted, 0);
  std::thread other([moved = std::move(view)]() mutable { moved = Tensor(); });
  const std::thread::id id = other.get_id();
  other.join();
  EXPECT_EQ(theirs.deleted, 1);
  EXPECT_EQ(theirs.deleted_by, id);
}

TEST(DlpackTest, EveryDTypeComesBack) {
  for (int i = 0; i < kNumDTypes; ++i) {
    const Tensor t = Tensor::Empty({2}, static_cast<DType>(i));
    EXPECT_EQ(FromDlpack(ToDlpack(t)).dtype(), t.dtype());
  }
}

TEST(DlpackTest, StridesAndOffsetComeBack) {
  const Tensor t = tensor({{1., 2., 3.}, {4., 5., 6.}});
  const Tensor column = t.AsStrided(std::vector<int64_t>{2}, std::vector<int64_t>{3}, 1);
  EXPECT_EQ(ToString(FromDlpack(ToDlpack(column))), "tensor([2., 5.])");
}

TEST(DlpackTest, OlderFormGoesOutAndComesIn) {
  const Tensor t = FromDlpack(ToDlpackUnversioned(tensor({1., 2.})));
  EXPECT_EQ(ToString(t), "tensor([1., 2.])");
}

TEST(DlpackTest, MissingStridesAreContiguous) {
  Theirs theirs;
  theirs.managed.dl_tensor.strides = nullptr;
  EXPECT_THAT(FromDlpack(&theirs.managed).strides(), ::testing::ElementsAre(2, 1));
}

TEST(DlpackTest, ByteOffsetIsAdded) {
  Theirs theirs;
  theirs.sizes[0] = 1;
  theirs.managed.dl_tensor.byte_offset = 8;
  EXPECT_EQ(FromDlpack(&theirs.managed).data(), &theirs.data[2]);
}

// --- What is refused; the deleter has run.

TEST(DlpackTest, OtherMajorVersionIsRefusedBeforeAnythingElseIsRead) {
  // A struct that ends behind `flags`: reading on would be found by a sanitizer.
  struct Future {
    DLPackVersion version;
    void* context;
    void (*deleter)(DLManagedTensorVersioned*);
    uint64_t flags;
  };
  static int deleted = 0;
  const auto future = std::make_unique<Future>(
      Future{{2, 5}, nullptr, [](DLManagedTensorVersioned*) { ++deleted; }, 0});
  EXPECT_EQ(ErrorOf([&] { FromDlpack(reinterpret_cast<DLManagedTensorVersioned*>(future.get())); }),
            "invalid argument: a DLPack tensor of version 2.5: expected 1.x");
  EXPECT_EQ(deleted, 1);
}

TEST(DlpackTest, UnknownElementTypeIsRefused) {
  Theirs theirs;
  theirs.managed.dl_tensor.dtype = {kDLInt, 4, 1};
  EXPECT_THAT(ErrorOf([&] { FromDlpack(&theirs.managed); }), HasSubstr("code 0, 4 bits, 1 lanes"));
  EXPECT_EQ(theirs.deleted, 1);
}

TEST(DlpackTest, NegativeStridesAreRefused) {
  Theirs theirs;
  theirs.strides[1] = -1;
  EXPECT_THAT(ErrorOf([&] { FromDlpack(&theirs.managed); }), HasSubstr("expected none below 0"));
}

TEST(DlpackTest, DeviceThatIsNotHereIsRefused) {
  Theirs theirs;
  theirs.managed.dl_tensor.device = {kDLVulkan, 0};
  EXPECT_EQ(ErrorOf([&] { FromDlpack(&theirs.managed); }),
            "unavailable: a DLPack tensor on vulkan: there is no such device in this program");
}

TEST(DlpackTest, DeviceTypesThatCameLaterAreRefusedByNumber) {
  Theirs theirs;
  const int later = 150;  // beyond what the enumeration's type could hold
  std::memcpy(&theirs.managed.dl_tensor.device.device_type, &later, sizeof(later));
  EXPECT_THAT(ErrorOf([&] { FromDlpack(&theirs.managed); }), HasSubstr("type 150"));
  EXPECT_EQ(theirs.deleted, 1);
}

TEST(DlpackTest, MemoryThatIsNotThereIsRefused) {
  Theirs theirs;
  theirs.managed.dl_tensor.data = nullptr;
  EXPECT_THAT(ErrorOf([&] { FromDlpack(&theirs.managed); }), HasSubstr("without memory"));
  Theirs empty;
  empty.managed.dl_tensor.data = nullptr;
  empty.sizes[0] = 0;
  EXPECT_EQ(FromDlpack(&empty.managed).numel(), 0);
}

TEST(DlpackTest, SizesWhoseBytesHaveNoNumberAreRefused) {
  Theirs wide;
  wide.sizes[0] = int64_t{1} << 61;
  EXPECT_THAT(ErrorOf([&] { FromDlpack(&wide.managed); }), HasSubstr("too large"));
  Theirs far;
  far.managed.dl_tensor.byte_offset = UINT64_MAX - 8;
  EXPECT_THAT(ErrorOf([&] { FromDlpack(&far.managed); }), HasSubstr("begins"));
}

TEST(DlpackTest, ConjugatesAndNegativesAreRefused) {
  const Tensor t = Tensor::Empty({2}, DType::kComplex64);
  EXPECT_THAT(ErrorOf([&] { ToDlpack(ViewWithBits(t, kConjBit)); }), HasSubstr("resolve_conj"));
  EXPECT_THAT(ErrorOf([&] { ToDlpack(ViewWithBits(t, kNegBit)); }), HasSubstr("resolve_neg"));
}
TEST(DlpackTest, UndefinedTensorIsRefused) {
  EXPECT_THAT(ErrorOf([] { ToDlpack(Tensor()); }), HasSubstr("undefined tensor"));
}

}  // namespace
}  // namespace sy
