// What docs/from-aten.md shows: each line of libtorch, and ours below it.

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "switchyard/core/parallel.h"
#include "switchyard/methods.h"
#include "switchyard/switchyard.h"

namespace sy {
namespace {

TEST(FromATen, Making) {
  const std::vector<float> v = {1, 2};
  float p[6] = {1, 2, 3, 4, 5, 6};
  const sy::Device dev = "meta";

  // torch::zeros({2, 3});  torch::zeros(3)
  sy::Tensor x = sy::zeros({2, 3}), z = sy::zeros(3);
  // torch::rand({2, 2}, torch::dtype(torch::kF64).device(dev))
  x = sy::rand({2, 2}, {.dtype = sy::DType::kFloat64, .device = dev});
  // torch::rand({2}, "cuda:0")
  x = sy::rand({2}, "meta");
  // torch::tensor({{1, 2}, {3, 4}}, torch::kFloat)
  x = sy::tensor({{1, 2}, {3, 4}}, sy::DType::kFloat32);
  // torch::tensor(v): of its elements' dtype here, of the default one there
  x = sy::tensor(v);
  // torch::from_blob(p, {2, 3}, torch::kFloat32)
  x = sy::Tensor::FromBlob(p, {2, 3});
  // torch::manual_seed(1729)
  sy::manual_seed(1729);
  EXPECT_EQ(x.at<float>(1, 2), 6);
}

TEST(FromATen, Looking) {
  const sy::Tensor x = sy::ones({2, 3}), y = x;

  // x.sizes() == y.sizes();  x.size(0);  x.dim();  x.numel();  x.stride(0)
  EXPECT_TRUE(x.sizes() == y.sizes() && x.size(0) == 2 && x.dim() == 2 && x.stride(0) == 3);
  // x.dtype();  x.device();  x.is_floating_point()
  EXPECT_TRUE(x.dtype() == sy::DType::kFloat32 && x.device() == "cpu" && sy::is_floating_point(x));
  // x.data_ptr<float>();  x.accessor<float, 2>()[0][1]
  EXPECT_EQ((x.data<float>()[0]), (x.accessor<float, 2>()[0][1]));
  // torch::max(x).item<double>()
  EXPECT_EQ(sy::max(x).item<double>(), 1);
  // x.is_same(y);  x.is_contiguous();  x.defined();  x.use_count()
  EXPECT_TRUE(x.is_same(y) && x.is_contiguous() && x.defined() && x.use_count() == 2);
  // std::numeric_limits<at::Half>::max();  torch.finfo(torch.bfloat16).eps
  EXPECT_GT(std::numeric_limits<sy::Half>::max(), sy::finfo(sy::DType::kBFloat16).eps);
}

TEST(FromATen, Subscripts) {
  const sy::Tensor x = sy::zeros({4, 3}), mask = x[0] == 0, index = sy::tensor({0, 2});
  const sy::Tensor y = sy::ones({2, 3});

  // x[0][1] = 561;  x.index_put_({1, 1}, 17)
  x[0][1] = 561;
  x(1, 1) = 17;
  // x.index({Slice(1, 3), 0});  x.index({"...", None, -1})
  sy::Tensor t = x(sy::Slice{1, 3}, 0), u = x(sy::kDots, sy::kNewAxis, -1);
  // x.index({Slice(), mask});  x.index_put_({index}, 5)
  t = x(sy::kAll, mask);
  x(index) = 5;
  // x.index_put_({Slice(1, 3)}, y);  x.index_put_({index}, x.index({index}) + 1)
  x(sy::Slice{1, 3}) = y;
  x(index) += 1;
  // for (int64_t i = 0; i < x.size(0); ++i) f(x[i])
  for (const sy::Tensor& row : x) EXPECT_EQ(row.dim(), 1);
  EXPECT_EQ(x[2][0].item<int>(), 2);
}

TEST(FromATen, Computing) {
  const sy::Tensor a = sy::tensor({5, 7}), b = sy::tensor({1, 2});
  const sy::Tensor x = sy::rand({1, 1, 5, 5}), w = sy::rand({1, 1, 3, 3});

  // a.add(b);  a.add_(b);  at::add_out(out, a, b);  a.transpose(0, 1): methods are functions
  sy::Tensor c = sy::add(a, b);
  sy::add_(c, b);
  sy::add_out(c, a, b);
  // a | b;  ~a;  a % 2;  a && b;  1 < a;  a.pow(2)
  c = a | b, c = ~a, c = a % 2, c = a && b, c = 1 < a, c = sy::pow(a, 2);
  // torch::conv2d(x, w, {}, 1, 1)
  c = sy::conv2d(x, w, {}, 1, 1);
  // std::get<0>(at::_unique2(a))
  c = sy::unique(a);
  // auto [values, indices] = torch::sort(a)
  const auto [values, indices] = sy::sort(a);
  EXPECT_TRUE(sy::equal(values, a));
}

TEST(FromATen, Methods) {
  const sy::Tensor a = sy::rand({2, 3}), b = sy::rand({2, 4});

  // a.transpose(0, 1).matmul(b).relu().sum(-1)
  sy::Tensor c = sy::M(a).transpose(0, 1).matmul(b).relu().sum(-1);
  // (a - 1).abs().to(torch::kDouble).mean({0, 1}, /*keepdim=*/true)
  c = sy::M(a - 1).abs().to(sy::DType::kFloat64).mean({0, 1}, true);
  // torch::Tensor x = a;  x.add_(1).mul_(x);  x[0].zero_();  x.sizes()
  sy::M x = a;
  x.add_(1).mul_(x);
  x[0].zero_();
  EXPECT_TRUE(x.is_same(a) && x.sizes() == a.sizes() && sy::sum(a[0]).item<int>() == 0);
  // auto [values, indices] = a.max(0)
  const auto [values, indices] = x.max(0);
  EXPECT_EQ(sy::M(values).sum().item<float>(), x.amax(0).sum().item<float>());
}

TEST(FromATen, Elsewhere) {
  sy::Tensor y = sy::ones({2});

  // y.to(dev);  y.to(torch::kInt);  y.to(dev, torch::kInt)
  y = y.to("cpu").to(sy::DType::kInt32).to(sy::kCpu, sy::DType::kFloat32);
  // torch::cuda::is_available() ? torch::kCUDA : torch::kCPU
  const sy::Device dev = sy::HasAccelerator() ? sy::CurrentAccelerator() : sy::kCpu;
  // at::set_num_threads(2)
  const int before = sy::NumThreads();
  sy::SetNumThreads(2);
  sy::SetNumThreads(before);
  // c10::Dispatcher::singleton().findSchemaOrThrow("aten::add", "Tensor").callBoxed(&stack)
  const sy::Tensor c = sy::call("add", y, 1);
  // catch (const c10::Error& e)
  EXPECT_THROW(sy::add(y, sy::ones({3})), sy::Error);
  EXPECT_TRUE(dev.type == sy::kHost && c.at<float>(0) == 2);
}

}  // namespace
}  // namespace sy
