// What a C program does, from C++.

#include "switchyard/c/runtime.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "switchyard/core/storage.h"

namespace {

struct Text {
  char text[256] = "";
  SyError error = {sizeof(SyError), sizeof(text), text};
};

SyTensor Floats(const std::vector<int64_t>& sizes, const std::vector<float>& numbers) {
  SyTensor t;
  EXPECT_EQ(sy_empty(SY_FLOAT32, static_cast<uint32_t>(sizes.size()), sizes.data(), sy_host(), &t,
                     nullptr),
            SY_OK);
  EXPECT_EQ(sy_write(&t, numbers.data(), numbers.size() * sizeof(float), nullptr), SY_OK);
  return t;
}

std::vector<float> Read(const SyTensor* t) {
  std::vector<float> numbers(static_cast<size_t>(t->numel));
  EXPECT_EQ(sy_read(t, numbers.data(), numbers.size() * sizeof(float), nullptr), SY_OK);
  return numbers;
}

int64_t AliveBytes() { return sy::HostAllocator()->Stats(0).allocated_bytes; }

TEST(RuntimeTest, ACallByNameTakesAndGivesTensorsAndFreesThem) {
  const int64_t before = AliveBytes();
  SyTensor x = Floats({2, 2}, {1, 2, 3, 4});
  const SyValue args[] = {sy_tensor(&x), sy_int(1)};
  const SyKeyword alpha = {"alpha", sy_int(10)};
  SyValue y;
  uint32_t n = 1;
  Text e;
  ASSERT_EQ(sy_call("add", args, 2, &alpha, 1, &y, &n, &e.error), SY_OK) << e.text;
  ASSERT_EQ(n, 1u);
  EXPECT_EQ(Read(y.u.tensor), (std::vector<float>{11, 12, 13, 14}));
  const SyValue again[] = {y};  // a result is an argument as it is
  SyValue z;
  ASSERT_EQ(sy_call("neg", again, 1, nullptr, 0, &z, &n, &e.error), SY_OK) << e.text;
  EXPECT_EQ(Read(z.u.tensor)[0], -11);
  sy_free_results(&y, 1);
  sy_free_results(&z, 1);
  sy_release(&x);
  EXPECT_EQ(AliveBytes(), before);
}

TEST(RuntimeTest, ResultsOfEveryKindCome) {
  SyTensor x = Floats({4}, {4, 1, 3, 2});
  const SyValue args[] = {sy_tensor(&x), sy_int(3)};
  SyValue out[2];
  uint32_t n = 2;
  ASSERT_EQ(sy_call("sort", args, 1, nullptr, 0, out, &n, nullptr), SY_OK);
  ASSERT_EQ(n, 2u);
  EXPECT_EQ(Read(out[0].u.tensor), (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(out[1].u.tensor->dtype, static_cast<uint32_t>(SY_INT64));
  sy_free_results(out, n);

  n = 1;
  ASSERT_EQ(sy_call("split", args, 2, nullptr, 0, out, &n, nullptr), SY_OK);
  ASSERT_EQ(out->tag, static_cast<uint32_t>(SY_V_TENSORS));
  ASSERT_EQ(out->length, 2u);
  EXPECT_EQ(Read(static_cast<const SyTensor* const*>(out->u.list)[1]), std::vector<float>{2});
  sy_free_results(out, n);

  const SyValue one[] = {sy_double(2.5)};
  ASSERT_EQ(sy_call("scalar_tensor", one, 1, nullptr, 0, out, &n, nullptr), SY_OK);
  const SyValue item[] = {*out};
  SyValue number;
  ASSERT_EQ(sy_call("item", item, 1, nullptr, 0, &number, &n, nullptr), SY_OK);
  EXPECT_EQ(number.tag, static_cast<uint32_t>(SY_V_DOUBLE));
  EXPECT_EQ(number.u.d, 2.5);
  sy_free_results(out, 1);
  sy_free_results(&number, 1);
  sy_release(&x);
}

TEST(RuntimeTest, StridesAndDevicesDoNotMatterToWhoReads) {
  SyTensor x = Floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const SyValue args[] = {sy_tensor(&x)};
  SyValue t;
  uint32_t n = 1;
  ASSERT_EQ(sy_call("t", args, 1, nullptr, 0, &t, &n, nullptr), SY_OK);
  EXPECT_EQ(t.u.tensor->sizes[0], 3);
  EXPECT_EQ(Read(t.u.tensor), (std::vector<float>{1, 4, 2, 5, 3, 6}));
  const std::array<float, 6> other = {10, 40, 20, 50, 30, 60};
  ASSERT_EQ(sy_write(t.u.tensor, other.data(), sizeof(other), nullptr), SY_OK);
  EXPECT_EQ(Read(&x), (std::vector<float>{10, 20, 30, 40, 50, 60}));
  sy_free_results(&t, n);
  sy_release(&x);
}

TEST(RuntimeTest, ErrorsAreCodesWithText) {
  Text e;
  SyDevice d;
  EXPECT_EQ(sy_find_device("nowhere", &d, &e.error), SY_E_NOT_FOUND);
  EXPECT_NE(strstr(e.text, "nowhere"), nullptr) << e.text;
  SyValue out;
  uint32_t n = 1;
  EXPECT_EQ(sy_call("ad", nullptr, 0, nullptr, 0, &out, &n, &e.error), SY_E_NOT_FOUND);
  EXPECT_NE(strstr(e.text, "did you mean"), nullptr) << e.text;
  SyTensor x = Floats({2}, {1, 2});
  float numbers[3];
  EXPECT_EQ(sy_read(&x, numbers, sizeof(numbers), &e.error), SY_E_INVALID_ARGUMENT);
  const SyValue args[] = {sy_tensor(&x)};
  n = 1;
  EXPECT_EQ(sy_call("sort", args, 1, nullptr, 0, &out, &n, &e.error), SY_E_INVALID_ARGUMENT);
  EXPECT_NE(strstr(e.text, "2 results, there is room for 1"), nullptr) << e.text;
  sy_release(&x);
}

TEST(RuntimeTest, ARowThatNoDeviceHasIsAnError) {
  Text e;
  SyTensor t;
  const int64_t sizes[] = {2};
  EXPECT_EQ(sy_empty(SY_FLOAT32, 1, sizes, {60000, 0}, &t, &e.error), SY_E_DEVICE_LOST);
  const SyValue args[] = {sy_ints(sizes, 1)};
  const SyKeyword words[] = {{"device", sy_device({60000, 0})}};
  SyValue out;
  uint32_t n = 1;
  EXPECT_EQ(sy_call("zeros", args, 1, words, 1, &out, &n, &e.error), SY_E_DEVICE_LOST);
}

TEST(RuntimeTest, DevicesAndTextsAreArguments) {
  SyDevice meta;
  ASSERT_EQ(sy_find_device("meta", &meta, nullptr), SY_OK);
  const int64_t sizes[] = {2, 3};
  const SyValue args[] = {sy_ints(sizes, 2)};
  const SyKeyword words[] = {{"dtype", sy_text("int16")}, {"device", sy_device(meta)}};
  SyValue out;
  uint32_t n = 1;
  ASSERT_EQ(sy_call("zeros", args, 1, words, 2, &out, &n, nullptr), SY_OK);
  EXPECT_EQ(out.u.tensor->dtype, static_cast<uint32_t>(SY_INT16));
  EXPECT_EQ(out.u.tensor->device, meta.row);
  EXPECT_EQ(out.u.tensor->data, nullptr);
  char text[128];
  ASSERT_EQ(sy_print(out.u.tensor, text, sizeof(text), nullptr), SY_OK);
  EXPECT_STREQ(text, "tensor(..., device='meta', size=(2, 3), dtype=torch.int16)");
  sy_free_results(&out, n);
}

}  // namespace
