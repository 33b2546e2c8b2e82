#include "backends/cuda/emulator/dnn.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <set>

#include "backends/cuda/driver/cudnn.h"
#include "backends/cuda/driver/library.h"
#include "backends/cuda/emulator/emulator.h"
#include "backends/cuda/emulator/solver.h"

namespace sy::cuda {
namespace {

using Status = cudnnStatus_t;
constexpr int64_t kMostDims = 8, kMostOperations = 64, kWorkspace = 256;

struct Handle {
  CUstream stream = nullptr;
};
std::map<void*, std::shared_ptr<DnnDescriptor>> all;
int last_engine = -1, executed = 0;

// --- The library itself, as far as it works without a device

struct Real {
  DnnTable table;
  bool complete = false;

  Real() {
    Library& library = LibraryOf(Lib::kCudnn);
    if (!library.open()) return;
    table = DnnTableOf(library);
    complete = library.problem().empty() && table.GetVersion() >= 90000;
  }
};

// --- What descriptors have

struct Rule {
  cudnnBackendDescriptorType_t of;
  cudnnBackendAttributeName_t name;
  cudnnBackendAttributeType_t type;
  int64_t most;  // elements
  bool needed;
};
constexpr auto kTensorType = CUDNN_BACKEND_TENSOR_DESCRIPTOR;
constexpr auto kPointwise = CUDNN_BACKEND_POINTWISE_DESCRIPTOR;
constexpr auto kConvolution = CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR;
constexpr auto kForward = CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR;
constexpr auto kOfInput = CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
constexpr auto kOfWeight = CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR;
constexpr auto kPointwiseOp = CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR;
constexpr auto kMatmulOp = CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR;
constexpr auto kReduceOp = CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR;
constexpr auto kNormOp = CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR;
constexpr auto kReshapeOp = CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR;
constexpr auto kGraph = CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR;
constexpr auto kHeuristics = CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR;
constexpr auto kConfig = CUDNN_BACKEND_ENGINECFG_DESCRIPTOR;
constexpr auto kPlan = CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR;
constexpr auto kPack = CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR;
constexpr auto kD = CUDNN_TYPE_BACKEND_DESCRIPTOR;

constexpr Rule kRules[] = {
    {kTensorType, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, true},
    {kTensorType, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, true},
    {kTensorType, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, true},
    {kTensorType, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, kMostDims, true},
    {kTensorType, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, kMostDims, true},
    {kTensorType, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, false},
    {kTensorType, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, false},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 3, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 3, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 3, true},
    {kConvolution, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 3, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, kD, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, kD, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, kD, 1, true},
    {kForward, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, kD, 1, true},
    {kOfInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_TYPE_FLOAT, 1, true},
    {kOfInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_TYPE_FLOAT, 1, true},
    {kOfInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, kD, 1, true},
    {kOfInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, kD, 1, true},
    {kOfInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, kD, 1, true},
    {kOfInput, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, kD, 1, true},
    {kOfWeight, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA, CUDNN_TYPE_FLOAT, 1, true},
    {kOfWeight, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA, CUDNN_TYPE_FLOAT, 1, true},
    {kOfWeight, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC, kD, 1, true},
    {kOfWeight, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X, kD, 1, true},
    {kOfWeight, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW, kD, 1, true},
    {kOfWeight, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY, kD, 1, true},
    {kPointwise, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, true},
    {kPointwise, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, true},
    {kPointwise, CUDNN_ATTR_POINTWISE_AXIS, CUDNN_TYPE_INT64, 1, false},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, kD, 1, true},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, kD, 1, true},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, kD, 1, false},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_TDESC, kD, 1, false},
    {kPointwiseOp, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, kD, 1, true},
    {CUDNN_BACKEND_MATMUL_DESCRIPTOR, CUDNN_ATTR_MATMUL_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, true},
    {kMatmulOp, CUDNN_ATTR_OPERATION_MATMUL_ADESC, kD, 1, true},
    {kMatmulOp, CUDNN_ATTR_OPERATION_MATMUL_BDESC, kD, 1, true},
    {kMatmulOp, CUDNN_ATTR_OPERATION_MATMUL_CDESC, kD, 1, true},
    {kMatmulOp, CUDNN_ATTR_OPERATION_MATMUL_DESC, kD, 1, true},
    {CUDNN_BACKEND_REDUCTION_DESCRIPTOR, CUDNN_ATTR_REDUCTION_OPERATOR,
     CUDNN_TYPE_REDUCTION_OPERATOR_TYPE, 1, true},
    {CUDNN_BACKEND_REDUCTION_DESCRIPTOR, CUDNN_ATTR_REDUCTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1,
     true},
    {kReduceOp, CUDNN_ATTR_OPERATION_REDUCTION_XDESC, kD, 1, true},
    {kReduceOp, CUDNN_ATTR_OPERATION_REDUCTION_YDESC, kD, 1, true},
    {kReduceOp, CUDNN_ATTR_OPERATION_REDUCTION_DESC, kD, 1, true},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_MODE, CUDNN_TYPE_NORM_MODE, 1, true},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_PHASE, CUDNN_TYPE_NORM_FWD_PHASE, 1, true},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, kD, 1, true},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC, kD, 1, false},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC, kD, 1, false},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC, kD, 1, true},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC, kD, 1, false},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC, kD, 1, false},
    {kNormOp, CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, kD, 1, true},
    {kReshapeOp, CUDNN_ATTR_OPERATION_RESHAPE_XDESC, kD, 1, true},
    {kReshapeOp, CUDNN_ATTR_OPERATION_RESHAPE_YDESC, kD, 1, true},
    {kGraph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, false},
    {kGraph, CUDNN_ATTR_OPERATIONGRAPH_OPS, kD, kMostOperations, true},
    {kHeuristics, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, kD, 1, true},
    {kHeuristics, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, true},
    {kPlan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, true},
    {kPlan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, kD, 1, true},
    {kPack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, INT32_MAX, true},
    {kPack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, INT32_MAX, true},
    {kPack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, false},
};

size_t BytesOf(cudnnBackendAttributeType_t type) {
  switch (type) {
    case CUDNN_TYPE_HANDLE:
    case CUDNN_TYPE_INT64:
    case CUDNN_TYPE_DOUBLE:
    case CUDNN_TYPE_VOID_PTR:
    case CUDNN_TYPE_BACKEND_DESCRIPTOR:
      return 8;
    case CUDNN_TYPE_BOOLEAN:
      return 1;
    default:
      return 4;
  }
}

// --- Sizes that fit one another

bool Broadcasts(const std::vector<int64_t>& from, const std::vector<int64_t>& to) {
  if (from.size() != to.size()) return false;
  for (size_t i = 0; i < to.size(); ++i) {
    if (from[i] != to[i] && from[i] != 1) return false;
  }
  return true;
}

Status CheckTensor(const DnnDescriptor& t) {
  const auto sizes = t.sizes(), strides = t.strides();
  const int64_t align = t.One<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
  if (sizes.size() != strides.size() || align <= 0 || (align & (align - 1)) != 0)
    return CUDNN_STATUS_BAD_PARAM;
  const auto positive = [](int64_t n) { return n > 0; };
  return std::ranges::all_of(sizes, positive) && std::ranges::all_of(strides, positive)
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_BAD_PARAM;
}

Status CheckConvolutionNumbers(const DnnDescriptor& c) {
  const auto dims = static_cast<size_t>(c.One<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
  for (auto name : {CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES,
                    CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS}) {
    const auto numbers = c.All<int64_t>(name);
    const bool padding =
        name == CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS || name == CUDNN_ATTR_CONVOLUTION_POST_PADDINGS;
    if (dims < 2 || numbers.size() != dims ||
        std::ranges::any_of(numbers, [&](int64_t n) { return n < (padding ? 0 : 1); }))
      return CUDNN_STATUS_BAD_PARAM;
  }
  return CUDNN_STATUS_SUCCESS;
}

// x: what windows slide over, y: a number for each of them.
Status CheckConvolution(const DnnDescriptor& c, const DnnDescriptor& x, const DnnDescriptor& w,
                        const DnnDescriptor& y, cudnnBackendAttributeType_t alpha) {
  const auto xs = x.sizes(), ws = w.sizes(), ys = y.sizes();
  const auto dims = static_cast<size_t>(c.One<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
  if (xs.size() != dims + 2 || ws.size() != dims + 2 || ys.size() != dims + 2)
    return CUDNN_STATUS_BAD_PARAM;
  if (x.data_type() != w.data_type() || x.data_type() != y.data_type() ||
      (alpha == CUDNN_TYPE_DOUBLE) != (x.data_type() == CUDNN_DATA_DOUBLE))
    return CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE;
  if (xs[0] != ys[0] || ws[0] != ys[1] || xs[1] % ws[1] != 0 || ws[0] % (xs[1] / ws[1]) != 0)
    return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  const auto step = c.All<int64_t>(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES),
             gap = c.All<int64_t>(CUDNN_ATTR_CONVOLUTION_DILATIONS),
             pre = c.All<int64_t>(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS),
             post = c.All<int64_t>(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS);
  for (size_t d = 0; d < dims; ++d) {
    const int64_t room = xs[d + 2] + pre[d] + post[d] - (ws[d + 2] - 1) * gap[d] - 1;
    if (room < 0 || room / step[d] + 1 != ys[d + 2]) return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  }
  // Packed, with channels first or last.
  for (const DnnDescriptor* t : {&x, &w, &y}) {
    const auto sizes = t->sizes(), strides = t->strides();
    std::vector<size_t> first(sizes.size()), last = {1};
    for (size_t i = 0; i < sizes.size(); ++i) first[i] = sizes.size() - 1 - i;
    for (size_t i = sizes.size() - 1; i >= 2; --i) last.push_back(i);
    last.push_back(0);
    const auto packed = [&](const std::vector<size_t>& order) {
      int64_t at = 1;
      for (size_t d : order) {
        if (sizes[d] != 1 && strides[d] != at) return false;
        at *= sizes[d];
      }
      return true;
    };
    if (!packed(first) && !packed(last)) return CUDNN_STATUS_NOT_SUPPORTED_LAYOUT;
  }
  return CUDNN_STATUS_SUCCESS;
}

Status CheckPointwise(const DnnDescriptor& d) {
  const DnnOperands o = OperandsOf(d);
  const DnnDescriptor& pointwise = *d.Other(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  size_t wanted = 2;
  switch (pointwise.One<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE)) {
    case CUDNN_POINTWISE_EXP:
    case CUDNN_POINTWISE_LOG:
    case CUDNN_POINTWISE_IDENTITY:
      wanted = 1;
      break;
    case CUDNN_POINTWISE_GEN_INDEX:
      wanted = 1;
      if (!pointwise.Has(CUDNN_ATTR_POINTWISE_AXIS)) return CUDNN_STATUS_BAD_PARAM;
      break;
    case CUDNN_POINTWISE_BINARY_SELECT:
      wanted = 3;
      break;
    default:
      break;
  }
  if (o.in.size() != wanted) return CUDNN_STATUS_BAD_PARAM;
  for (const DnnDescriptor* in : o.in) {
    if (!Broadcasts(in->sizes(), o.out[0]->sizes())) return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  }
  if (wanted == 3 && o.in[2]->data_type() != CUDNN_DATA_BOOLEAN) return CUDNN_STATUS_BAD_PARAM;
  return CUDNN_STATUS_SUCCESS;
}

Status CheckMatmul(const DnnDescriptor& d) {
  const DnnOperands o = OperandsOf(d);
  const auto a = o.in[0]->sizes(), b = o.in[1]->sizes(), c = o.out[0]->sizes();
  if (a.size() < 3 || a.size() != b.size() || a.size() != c.size()) return CUDNN_STATUS_BAD_PARAM;
  const size_t n = a.size();
  if (a[n - 1] != b[n - 2] || c[n - 2] != a[n - 2] || c[n - 1] != b[n - 1])
    return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  for (size_t i = 0; i + 2 < n; ++i) {
    if (a[i] != c[i] || c[i] % b[i] != 0) return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  }
  return CUDNN_STATUS_SUCCESS;
}

// Heads may be added up in groups of neighbours.
Status CheckReduce(const DnnDescriptor& d) {
  const DnnOperands o = OperandsOf(d);
  const auto x = o.in[0]->sizes(), y = o.out[0]->sizes();
  if (x.size() != y.size()) return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  for (size_t i = 0; i < x.size(); ++i) {
    if (x[i] % y[i] != 0) return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  }
  return CUDNN_STATUS_SUCCESS;
}

// As many elements, and the same memory.
Status CheckReshape(const DnnDescriptor& d) {
  const DnnOperands o = OperandsOf(d);
  int64_t each[2] = {1, 1};
  for (int64_t s : o.in[0]->sizes()) each[0] *= s;
  for (int64_t s : o.out[0]->sizes()) each[1] *= s;
  return each[0] == each[1] ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
}

Status CheckNorm(const DnnDescriptor& d) {
  const auto mode = d.One<cudnnBackendNormMode_t>(CUDNN_ATTR_OPERATION_NORM_FWD_MODE);
  const bool training = d.One<cudnnBackendNormFwdPhase_t>(CUDNN_ATTR_OPERATION_NORM_FWD_PHASE) ==
                        CUDNN_NORM_FWD_TRAINING;
  const DnnDescriptor &x = *d.Other(CUDNN_ATTR_OPERATION_NORM_FWD_XDESC),
                      &y = *d.Other(CUDNN_ATTR_OPERATION_NORM_FWD_YDESC),
                      &scale = *d.Other(CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC);
  if (x.sizes() != y.sizes() || !Broadcasts(scale.sizes(), x.sizes()))
    return CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH;
  if (!d.Has(CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC)) return CUDNN_STATUS_BAD_PARAM;
  if (mode == CUDNN_LAYER_NORM && !d.Has(CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC))
    return CUDNN_STATUS_BAD_PARAM;
  if (mode == CUDNN_BATCH_NORM) return CUDNN_STATUS_NOT_SUPPORTED;
  if (training && !d.Has(CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC))
    return CUDNN_STATUS_BAD_PARAM;
  return CUDNN_STATUS_SUCCESS;
}

// What it computes there are engines for: a convolution, a norm, attention, or what attention
// passes back; what is in memory, and multiplied, are 16-bit floats.
Status CheckGraph(const DnnDescriptor& g) {
  const auto& operations = g.attributes.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).others;
  std::set<int64_t> made, used, in_memory;
  for (const auto& op : operations) {
    const DnnOperands o = OperandsOf(*op);
    for (const DnnDescriptor* t : o.in) {
      if (t->is_virtual() && !made.contains(t->id())) return CUDNN_STATUS_BAD_PARAM;
      (t->is_virtual() ? used : in_memory).insert(t->id());
    }
    for (const DnnDescriptor* t : o.out) {
      if (!(t->is_virtual() ? made : in_memory).insert(t->id()).second)
        return CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES;
    }
  }
  if (made != used) return CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN;
  const DnnDescriptor &first = *operations.front(), &last = *operations.back();
  if (operations.size() == 1 && (first.type == kForward || first.type == kOfInput ||
                                 first.type == kOfWeight || first.type == kNormOp))
    return CUDNN_STATUS_SUCCESS;
  const auto products =
      std::ranges::count_if(operations, [](const auto& op) { return op->type == kMatmulOp; });
  const bool forward = products == 2 && first.type == kMatmulOp && last.type == kMatmulOp,
             backward = products == 5 && first.type == kPointwiseOp;
  if (!forward && !backward) return CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN;
  for (const auto& op : operations) {
    if (op->type != kMatmulOp) continue;
    for (const DnnDescriptor* t : OperandsOf(*op).in) {
      const cudnnDataType_t type = t->data_type();
      const bool half = type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16;
      if (!half && !(backward && t->is_virtual())) return CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE;
    }
  }
  // Rows of queries, keys and values are of whole 16 bytes.
  for (const DnnDescriptor* t : {OperandsOf(first).in[0], OperandsOf(last).in.back()}) {
    if (!t->is_virtual() && t->sizes().back() % 8 != 0) return CUDNN_STATUS_NOT_SUPPORTED_SHAPE;
  }
  return CUDNN_STATUS_SUCCESS;
}

Status CheckWhole(const DnnDescriptor& d) {
  const auto other = [&](cudnnBackendAttributeName_t name) -> const DnnDescriptor& {
    return *d.Other(name);
  };
  const auto convolution = [&](cudnnBackendAttributeName_t c, cudnnBackendAttributeName_t x,
                               cudnnBackendAttributeName_t w, cudnnBackendAttributeName_t y,
                               cudnnBackendAttributeName_t alpha) {
    return CheckConvolution(other(c), other(x), other(w), other(y), d.attributes.at(alpha).type);
  };
  switch (d.type) {
    case kTensorType:
      return CheckTensor(d);
    case kConvolution:
      return CheckConvolutionNumbers(d);
    case kForward:
      return convolution(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA);
    case kOfInput:
      return convolution(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA);
    case kOfWeight:
      return convolution(CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY,
                         CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA);
    case kPointwiseOp:
      return CheckPointwise(d);
    case kMatmulOp:
      return CheckMatmul(d);
    case kReduceOp:
      return CheckReduce(d);
    case kReshapeOp:
      return CheckReshape(d);
    case kNormOp:
      return CheckNorm(d);
    case kGraph:
      return CheckGraph(d);
    case kPack:
      return d.All<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS).size() ==
                     d.All<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).size()
                 ? CUDNN_STATUS_SUCCESS
                 : CUDNN_STATUS_BAD_PARAM;
    default:
      return CUDNN_STATUS_SUCCESS;
  }
}

// --- The library's functions

size_t GetVersion() { return 91900; }
Status Create(cudnnHandle_t* handle) {
  *handle = reinterpret_cast<cudnnHandle_t>(new Handle);
  return CUDNN_STATUS_SUCCESS;
}
Status SetStream(cudnnHandle_t handle, CUstream stream) {
  reinterpret_cast<Handle*>(handle)->stream = stream;
  return CUDNN_STATUS_SUCCESS;
}
Status CreateDescriptor(cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t* d) {
  auto made = std::make_shared<DnnDescriptor>(type);
  *d = made.get();
  Status real = CUDNN_STATUS_SUCCESS;
  const bool alone = type == kHeuristics || type == kConfig || type == kPlan || type == kPack ||
                     type == CUDNN_BACKEND_ENGINE_DESCRIPTOR;
  if (FindRealDnn() != nullptr && !alone)
    real = FindRealDnn()->BackendCreateDescriptor(type, &made->real);
  all[*d] = std::move(made);
  return AgreedDnn(CUDNN_STATUS_SUCCESS, real, "make descriptor", type);
}
Status DestroyDescriptor(cudnnBackendDescriptor_t d) {
  return all.erase(d) == 1 ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

Status SetAttribute(cudnnBackendDescriptor_t d, cudnnBackendAttributeName_t name,
                    cudnnBackendAttributeType_t type, int64_t count, const void* values) {
  const auto it = all.find(d);
  if (it == all.end() || values == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  DnnDescriptor& to = *it->second;
  if (to.finalized) return CUDNN_STATUS_BAD_PARAM;
  const auto rule = std::ranges::find_if(
      kRules, [&](const Rule& r) { return r.of == to.type && r.name == name; });
  if (rule == std::end(kRules)) return CUDNN_STATUS_BAD_PARAM;
  // Alpha and beta are double where the data are.
  const bool fits =
      type == rule->type || (rule->type == CUDNN_TYPE_FLOAT && type == CUDNN_TYPE_DOUBLE);
  if (!fits) return CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE;
  if (count < 1 || count > rule->most) return CUDNN_STATUS_BAD_PARAM;
  DnnDescriptor::Attribute a{type, count, std::vector<char>(BytesOf(type) * count), {}};
  std::memcpy(a.bytes.data(), values, a.bytes.size());
  if (type == kD) {
    for (int64_t i = 0; i < count; ++i) {
      const auto other = all.find(static_cast<const cudnnBackendDescriptor_t*>(values)[i]);
      if (other == all.end()) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
      if (!other->second->finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
      a.others.push_back(other->second);
    }
  }
  Status real = CUDNN_STATUS_SUCCESS;
  if (to.real != nullptr && type == kD) {
    std::vector<cudnnBackendDescriptor_t> others;
    for (const auto& other : a.others) others.push_back(other->real);
    real = FindRealDnn()->BackendSetAttribute(to.real, name, type, count, others.data());
  } else if (to.real != nullptr && type != CUDNN_TYPE_HANDLE) {  // which needs a device
    real = FindRealDnn()->BackendSetAttribute(to.real, name, type, count, values);
  }
  to.attributes[name] = std::move(a);
  return AgreedDnn(CUDNN_STATUS_SUCCESS, real, "take attribute", name);
}

Status Finalize(cudnnBackendDescriptor_t descriptor) {
  const auto it = all.find(descriptor);
  if (it == all.end()) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  DnnDescriptor& d = *it->second;
  if (d.finalized) return CUDNN_STATUS_BAD_PARAM;
  for (const Rule& r : kRules) {
    if (r.of == d.type && r.needed && !d.Has(r.name)) return CUDNN_STATUS_BAD_PARAM;
  }
  const Status ours = CheckWhole(d);
  const bool both = d.real != nullptr && ours == CUDNN_STATUS_SUCCESS;
  const Status status =
      both ? AgreedDnn(ours, FindRealDnn()->BackendFinalize(d.real), "finalise descriptor", d.type)
           : ours;
  d.finalized = status == CUDNN_STATUS_SUCCESS;
  return status;
}

// An engine is a number in its descriptor's first attribute, a configuration has the graph, too.
constexpr auto kEngineNumber = CUDNN_ATTR_ENGINE_GLOBAL_INDEX;
enum Engine : int64_t { kRounds, kAnyOrder, kExact };

std::vector<int64_t> EnginesFor(const DnnDescriptor& graph, cudnnBackendHeurMode_t mode) {
  const auto& operations = graph.attributes.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).others;
  const DnnDescriptor& first = *operations.front();
  if (mode == CUDNN_HEUR_MODE_FALLBACK) return {kExact};
  if (operations.size() > 1) return {kRounds};
  if (first.type == kNormOp) return {kExact};
  return {kRounds, kAnyOrder, kExact};
}

template <class T>
Status Answer(const std::vector<T>& values, int64_t room, int64_t* count, void* to) {
  *count = static_cast<int64_t>(values.size());
  if (to != nullptr)
    std::memcpy(to, values.data(), sizeof(T) * static_cast<size_t>(std::min(room, *count)));
  return CUDNN_STATUS_SUCCESS;
}

void Number(DnnDescriptor& d, int64_t number) {
  DnnDescriptor::Attribute a{CUDNN_TYPE_INT64, 1, std::vector<char>(sizeof number), {}};
  std::memcpy(a.bytes.data(), &number, sizeof number);
  d.attributes[kEngineNumber] = std::move(a);
  d.finalized = true;
}

Status GetAttribute(cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                    cudnnBackendAttributeType_t type, int64_t room, int64_t* count, void* to) {
  const auto it = all.find(descriptor);
  if (it == all.end() || count == nullptr) return CUDNN_STATUS_BAD_PARAM_NULL_POINTER;
  const DnnDescriptor& d = *it->second;
  if (!d.finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  const auto given = [&](int64_t i) { return all.at(static_cast<void**>(to)[i]); };
  if (d.type == kHeuristics && name == CUDNN_ATTR_ENGINEHEUR_RESULTS && type == kD) {
    const auto graph = d.attributes.at(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH).others[0];
    const auto engines =
        EnginesFor(*graph, d.One<cudnnBackendHeurMode_t>(CUDNN_ATTR_ENGINEHEUR_MODE));
    *count = static_cast<int64_t>(engines.size());
    for (int64_t i = 0; to != nullptr && i < std::min(room, *count); ++i) {
      DnnDescriptor& config = *given(i);
      if (config.type != kConfig || config.finalized) return CUDNN_STATUS_BAD_PARAM;
      Number(config, engines[static_cast<size_t>(i)]);
      config.attributes[CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH] = {kD, 1, {}, {graph}};
    }
    return CUDNN_STATUS_SUCCESS;
  }
  if (d.type == kConfig && name == CUDNN_ATTR_ENGINECFG_ENGINE && type == kD && room == 1) {
    if (given(0)->type != CUDNN_BACKEND_ENGINE_DESCRIPTOR) return CUDNN_STATUS_BAD_PARAM;
    Number(*given(0), d.One<int64_t>(kEngineNumber));
    *count = 1;
    return CUDNN_STATUS_SUCCESS;
  }
  if (d.type == CUDNN_BACKEND_ENGINE_DESCRIPTOR) {
    const auto engine = d.One<int64_t>(kEngineNumber);
    if (name == kEngineNumber && type == CUDNN_TYPE_INT64)
      return Answer(std::vector<int64_t>{engine}, room, count, to);
    if (name == CUDNN_ATTR_ENGINE_NUMERICAL_NOTE && type == CUDNN_TYPE_NUMERICAL_NOTE) {
      std::vector<cudnnBackendNumericalNote_t> notes;
      if (engine == kRounds) notes = {CUDNN_NUMERICAL_NOTE_TENSOR_CORE};
      if (engine == kAnyOrder) notes = {CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC};
      return Answer(notes, room, count, to);
    }
  }
  if (d.type == kPlan && name == CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE &&
      type == CUDNN_TYPE_INT64)
    return Answer(std::vector<int64_t>{kWorkspace}, room, count, to);
  return CUDNN_STATUS_BAD_PARAM;
}

Status Execute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan_given,
               cudnnBackendDescriptor_t pack_given) {
  const auto plan = all.at(plan_given), pack = all.at(pack_given);
  if (!plan->finalized || !pack->finalized) return CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED;
  const auto config = plan->attributes.at(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG).others[0];
  const auto graph = config->attributes.at(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH).others[0];
  const auto ids = pack->All<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
  const auto pointers = pack->All<void*>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
  const CUstream stream = reinterpret_cast<Handle*>(handle)->stream;
  void* const room = pack->One<void*>(CUDNN_ATTR_VARIANT_PACK_WORKSPACE);
  if (room == nullptr || !LiesOnDevice(stream, room, kWorkspace)) return CUDNN_STATUS_BAD_PARAM;
  std::map<int64_t, void*> where;
  std::map<int64_t, DnnValues> numbers;  // that the host gives, now
  const auto& operations = graph->attributes.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).others;
  for (const auto& op : operations) {
    const DnnOperands o = OperandsOf(*op);
    for (const auto* side : {&o.in, &o.out}) {
      for (const DnnDescriptor* t : *side) {
        if (t->is_virtual()) continue;
        const auto at = std::ranges::find(ids, t->id());
        if (at == ids.end()) return CUDNN_STATUS_BAD_PARAM;
        void* const p = pointers[static_cast<size_t>(at - ids.begin())];
        if (t->by_value()) {
          numbers[t->id()] = ReadDnn(*t, p);
          continue;
        }
        const auto align = t->One<int64_t>(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT);
        if (reinterpret_cast<intptr_t>(p) % align != 0)
          return CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER;
        if (!LiesOnDevice(stream, p, DnnExtent(*t))) return CUDNN_STATUS_BAD_PARAM;
        where[t->id()] = p;
      }
    }
  }
  const auto engine = config->One<int64_t>(kEngineNumber);
  last_engine = static_cast<int>(engine);
  ++executed;
  QueueOnHost(stream, [graph, where, values = std::move(numbers), room, engine]() mutable {
    std::memset(room, 0xff, kWorkspace);
    for (const auto& op : graph->attributes.at(CUDNN_ATTR_OPERATIONGRAPH_OPS).others) {
      const DnnOperands o = OperandsOf(*op);
      for (const DnnDescriptor* t : o.in) {
        if (!values.contains(t->id())) values[t->id()] = ReadDnn(*t, where.at(t->id()));
      }
      ComputeDnn(*op, engine == kRounds, values);
      for (const DnnDescriptor* t : o.out) {
        RoundDnn(*t, values.at(t->id()));
        if (!t->is_virtual()) WriteDnn(*t, values.at(t->id()), where.at(t->id()));
      }
    }
  });
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace

const DnnTable* FindRealDnn() {
  static const Real* real = new Real;
  return real->complete ? &real->table : nullptr;
}
Status AgreedDnn(Status ours, Status real, const char* what, int which) {
  if (ours != CUDNN_STATUS_SUCCESS || real == CUDNN_STATUS_SUCCESS) return ours;
  std::fprintf(stderr, "emulator: cuDNN itself refuses to %s %d: status %d\n", what, which, real);
  return real;
}

size_t DnnExtent(const DnnDescriptor& t) {
  int64_t last = 0;
  for (size_t i = 0; i < t.sizes().size(); ++i) last += (t.sizes()[i] - 1) * t.strides()[i];
  return static_cast<size_t>(last + 1) * DnnItemSize(t.data_type());
}

DnnOperands OperandsOf(const DnnDescriptor& op) {
  const auto those = [&](std::initializer_list<cudnnBackendAttributeName_t> names) {
    std::vector<const DnnDescriptor*> there;
    for (auto name : names) {
      if (op.Has(name)) there.push_back(op.Other(name));
    }
    return there;
  };
  switch (op.type) {
    case kForward:
      return {those({CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X,
                     CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W}),
              those({CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y})};
    case kOfInput:
      return {those({CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY,
                     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W}),
              those({CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX})};
    case kOfWeight:
      return {those({CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X,
                     CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY}),
              those({CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW})};
    case kPointwiseOp:
      return {those({CUDNN_ATTR_OPERATION_POINTWISE_XDESC, CUDNN_ATTR_OPERATION_POINTWISE_BDESC,
                     CUDNN_ATTR_OPERATION_POINTWISE_TDESC}),
              those({CUDNN_ATTR_OPERATION_POINTWISE_YDESC})};
    case kMatmulOp:
      return {those({CUDNN_ATTR_OPERATION_MATMUL_ADESC, CUDNN_ATTR_OPERATION_MATMUL_BDESC}),
              those({CUDNN_ATTR_OPERATION_MATMUL_CDESC})};
    case kReduceOp:
      return {those({CUDNN_ATTR_OPERATION_REDUCTION_XDESC}),
              those({CUDNN_ATTR_OPERATION_REDUCTION_YDESC})};
    case kReshapeOp:
      return {those({CUDNN_ATTR_OPERATION_RESHAPE_XDESC}),
              those({CUDNN_ATTR_OPERATION_RESHAPE_YDESC})};
    default:
      return {those({CUDNN_ATTR_OPERATION_NORM_FWD_XDESC, CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC,
                     CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC,
                     CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC}),
              those({CUDNN_ATTR_OPERATION_NORM_FWD_YDESC, CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC,
                     CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC})};
  }
}

DnnDescriptor::~DnnDescriptor() {
  if (real != nullptr) FindRealDnn()->BackendDestroyDescriptor(real);
}

int EmulatedDnnEngine() { return last_engine; }
int EmulatedDnnCalls() { return executed; }
void CountDnnCall() { ++executed; }
CUstream StreamOfDnn(cudnnHandle_t handle) { return reinterpret_cast<Handle*>(handle)->stream; }

void EmulateDnn() {
  DnnTable table{.GetVersion = GetVersion,
                 .Create = Create,
                 .SetStream = SetStream,
                 .BackendCreateDescriptor = CreateDescriptor,
                 .BackendDestroyDescriptor = DestroyDescriptor,
                 .BackendSetAttribute = SetAttribute,
                 .BackendGetAttribute = GetAttribute,
                 .BackendFinalize = Finalize,
                 .BackendExecute = Execute};
  EmulateDnnBatchNorm(table);
  UseDnn(table);
}

}  // namespace sy::cuda
