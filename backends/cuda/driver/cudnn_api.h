// What is used of cuDNN 9, its graph API and batch norm, declared here since the CUDA toolkit,
// which this backend is built with, does not have cuDNN's headers. Names and numbers are those of
// cudnn_graph.h and cudnn_ops.h; driver/cudnn_api_test.cc compares them where those are installed.
//
// Owns: nothing. Threads: any.
#ifndef SWITCHYARD_BACKENDS_CUDA_DRIVER_CUDNN_API_H_
#define SWITCHYARD_BACKENDS_CUDA_DRIVER_CUDNN_API_H_

#include <cuda.h>

#include <cstddef>
#include <cstdint>

namespace sy::cuda {

using cudnnHandle_t = struct cudnnContext*;
using cudnnBackendDescriptor_t = void*;
using cudnnTensorDescriptor_t = struct cudnnTensorStruct*;

enum cudnnStatus_t : int {
  CUDNN_STATUS_SUCCESS = 0,
  CUDNN_STATUS_NOT_INITIALIZED = 1001,
  CUDNN_STATUS_BAD_PARAM = 2000,
  CUDNN_STATUS_BAD_PARAM_NULL_POINTER = 2002,
  CUDNN_STATUS_BAD_PARAM_MISALIGNED_POINTER = 2003,
  CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED = 2004,
  CUDNN_STATUS_BAD_PARAM_SIZE_INSUFFICIENT = 2006,
  CUDNN_STATUS_BAD_PARAM_SHAPE_MISMATCH = 2008,
  CUDNN_STATUS_BAD_PARAM_DUPLICATED_ENTRIES = 2009,
  CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE = 2010,
  CUDNN_STATUS_NOT_SUPPORTED = 3000,
  CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN = 3001,
  CUDNN_STATUS_NOT_SUPPORTED_SHAPE = 3002,
  CUDNN_STATUS_NOT_SUPPORTED_DATA_TYPE = 3003,
  CUDNN_STATUS_NOT_SUPPORTED_LAYOUT = 3004,
};

enum cudnnDataType_t : int {
  CUDNN_DATA_FLOAT = 0,
  CUDNN_DATA_DOUBLE = 1,
  CUDNN_DATA_HALF = 2,
  CUDNN_DATA_INT32 = 4,
  CUDNN_DATA_BFLOAT16 = 9,
  CUDNN_DATA_BOOLEAN = 11,
};

enum cudnnConvolutionMode_t : int { CUDNN_CROSS_CORRELATION = 1 };
// One number for each channel.
enum cudnnBatchNormMode_t : int { CUDNN_BATCHNORM_SPATIAL = 1 };
enum cudnnBackendHeurMode_t : int { CUDNN_HEUR_MODE_FALLBACK = 2, CUDNN_HEUR_MODE_A = 3 };
enum cudnnBackendNormMode_t : int {
  CUDNN_LAYER_NORM = 0,
  CUDNN_BATCH_NORM = 2,
  CUDNN_RMS_NORM = 4,
};
enum cudnnBackendNormFwdPhase_t : int {
  CUDNN_NORM_FWD_INFERENCE = 0,
  CUDNN_NORM_FWD_TRAINING = 1,
};
enum cudnnBackendNumericalNote_t : int {
  CUDNN_NUMERICAL_NOTE_TENSOR_CORE = 0,
  CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS = 1,
  CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION = 2,
  CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC = 4,
  CUDNN_NUMERICAL_NOTE_TYPE_COUNT = 10,
};
enum cudnnPointwiseMode_t : int {
  CUDNN_POINTWISE_ADD = 0,
  CUDNN_POINTWISE_MUL = 1,
  CUDNN_POINTWISE_DIV = 6,
  CUDNN_POINTWISE_SUB = 9,
  CUDNN_POINTWISE_EXP = 13,
  CUDNN_POINTWISE_LOG = 15,
  CUDNN_POINTWISE_IDENTITY = 21,
  CUDNN_POINTWISE_CMP_GE = 303,
  CUDNN_POINTWISE_GEN_INDEX = 501,
  CUDNN_POINTWISE_BINARY_SELECT = 601,
};
enum cudnnReduceTensorOp_t : int { CUDNN_REDUCE_TENSOR_ADD = 0, CUDNN_REDUCE_TENSOR_MAX = 3 };

enum cudnnBackendDescriptorType_t : int {
  CUDNN_BACKEND_POINTWISE_DESCRIPTOR = 0,
  CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR = 1,
  CUDNN_BACKEND_ENGINE_DESCRIPTOR = 2,
  CUDNN_BACKEND_ENGINECFG_DESCRIPTOR = 3,
  CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR = 4,
  CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR = 5,
  CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR = 10,
  CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR = 11,
  CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR = 12,
  CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR = 13,
  CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR = 15,
  CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR = 16,
  CUDNN_BACKEND_TENSOR_DESCRIPTOR = 17,
  CUDNN_BACKEND_MATMUL_DESCRIPTOR = 18,
  CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR = 19,
  CUDNN_BACKEND_REDUCTION_DESCRIPTOR = 21,
  CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR = 22,
  CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR = 29,
  CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR = 31,
};

enum cudnnBackendAttributeType_t : int {
  CUDNN_TYPE_HANDLE = 0,
  CUDNN_TYPE_DATA_TYPE = 1,
  CUDNN_TYPE_BOOLEAN = 2,
  CUDNN_TYPE_INT64 = 3,
  CUDNN_TYPE_FLOAT = 4,
  CUDNN_TYPE_DOUBLE = 5,
  CUDNN_TYPE_VOID_PTR = 6,
  CUDNN_TYPE_CONVOLUTION_MODE = 7,
  CUDNN_TYPE_HEUR_MODE = 8,
  CUDNN_TYPE_NUMERICAL_NOTE = 11,
  CUDNN_TYPE_POINTWISE_MODE = 14,
  CUDNN_TYPE_BACKEND_DESCRIPTOR = 15,
  CUDNN_TYPE_REDUCTION_OPERATOR_TYPE = 18,
  CUDNN_TYPE_NORM_MODE = 27,
  CUDNN_TYPE_NORM_FWD_PHASE = 28,
};

enum cudnnBackendAttributeName_t : int {
  CUDNN_ATTR_POINTWISE_MODE = 0,
  CUDNN_ATTR_POINTWISE_MATH_PREC = 1,
  CUDNN_ATTR_POINTWISE_AXIS = 9,
  CUDNN_ATTR_CONVOLUTION_COMP_TYPE = 100,
  CUDNN_ATTR_CONVOLUTION_CONV_MODE = 101,
  CUDNN_ATTR_CONVOLUTION_DILATIONS = 102,
  CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES = 103,
  CUDNN_ATTR_CONVOLUTION_POST_PADDINGS = 104,
  CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS = 105,
  CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS = 106,
  CUDNN_ATTR_ENGINEHEUR_MODE = 200,
  CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH = 201,
  CUDNN_ATTR_ENGINEHEUR_RESULTS = 202,
  CUDNN_ATTR_ENGINECFG_ENGINE = 300,
  CUDNN_ATTR_EXECUTION_PLAN_HANDLE = 400,
  CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG = 401,
  CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE = 402,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA = 700,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA = 701,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC = 702,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W = 703,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X = 704,
  CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y = 705,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA = 706,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA = 707,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC = 708,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W = 709,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX = 710,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY = 711,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA = 712,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_BETA = 713,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_CONV_DESC = 714,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DW = 715,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_X = 716,
  CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_DY = 717,
  CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR = 750,
  CUDNN_ATTR_OPERATION_POINTWISE_XDESC = 751,
  CUDNN_ATTR_OPERATION_POINTWISE_BDESC = 752,
  CUDNN_ATTR_OPERATION_POINTWISE_YDESC = 753,
  CUDNN_ATTR_OPERATION_POINTWISE_TDESC = 758,
  CUDNN_ATTR_OPERATIONGRAPH_HANDLE = 800,
  CUDNN_ATTR_OPERATIONGRAPH_OPS = 801,
  CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT = 900,
  CUDNN_ATTR_TENSOR_DATA_TYPE = 901,
  CUDNN_ATTR_TENSOR_DIMENSIONS = 902,
  CUDNN_ATTR_TENSOR_STRIDES = 903,
  CUDNN_ATTR_TENSOR_UNIQUE_ID = 906,
  CUDNN_ATTR_TENSOR_IS_VIRTUAL = 907,
  CUDNN_ATTR_TENSOR_IS_BY_VALUE = 908,
  CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS = 1000,
  CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS = 1001,
  CUDNN_ATTR_VARIANT_PACK_WORKSPACE = 1003,
  CUDNN_ATTR_ENGINE_GLOBAL_INDEX = 1301,
  CUDNN_ATTR_ENGINE_NUMERICAL_NOTE = 1303,
  CUDNN_ATTR_MATMUL_COMP_TYPE = 1500,
  CUDNN_ATTR_OPERATION_MATMUL_ADESC = 1520,
  CUDNN_ATTR_OPERATION_MATMUL_BDESC = 1521,
  CUDNN_ATTR_OPERATION_MATMUL_CDESC = 1522,
  CUDNN_ATTR_OPERATION_MATMUL_DESC = 1523,
  CUDNN_ATTR_REDUCTION_OPERATOR = 1600,
  CUDNN_ATTR_REDUCTION_COMP_TYPE = 1601,
  CUDNN_ATTR_OPERATION_REDUCTION_XDESC = 1610,
  CUDNN_ATTR_OPERATION_REDUCTION_YDESC = 1611,
  CUDNN_ATTR_OPERATION_REDUCTION_DESC = 1612,
  CUDNN_ATTR_OPERATION_NORM_FWD_MODE = 2000,
  CUDNN_ATTR_OPERATION_NORM_FWD_PHASE = 2001,
  CUDNN_ATTR_OPERATION_NORM_FWD_XDESC = 2002,
  CUDNN_ATTR_OPERATION_NORM_FWD_MEAN_DESC = 2003,
  CUDNN_ATTR_OPERATION_NORM_FWD_INV_VARIANCE_DESC = 2004,
  CUDNN_ATTR_OPERATION_NORM_FWD_SCALE_DESC = 2005,
  CUDNN_ATTR_OPERATION_NORM_FWD_BIAS_DESC = 2006,
  CUDNN_ATTR_OPERATION_NORM_FWD_EPSILON_DESC = 2007,
  CUDNN_ATTR_OPERATION_NORM_FWD_YDESC = 2013,
  CUDNN_ATTR_OPERATION_RESHAPE_XDESC = 2200,
  CUDNN_ATTR_OPERATION_RESHAPE_YDESC = 2201,
};

// The attribute type of a C++ type; others have none.
template <class T>
inline constexpr cudnnBackendAttributeType_t kDnnTypeOf = T::kHasNone;
#define SY_CUDNN_TYPE(type, name) \
  template <>                     \
  inline constexpr cudnnBackendAttributeType_t kDnnTypeOf<type> = name;
SY_CUDNN_TYPE(cudnnHandle_t, CUDNN_TYPE_HANDLE)
SY_CUDNN_TYPE(cudnnDataType_t, CUDNN_TYPE_DATA_TYPE)
SY_CUDNN_TYPE(bool, CUDNN_TYPE_BOOLEAN)
SY_CUDNN_TYPE(int64_t, CUDNN_TYPE_INT64)
SY_CUDNN_TYPE(float, CUDNN_TYPE_FLOAT)
SY_CUDNN_TYPE(double, CUDNN_TYPE_DOUBLE)
SY_CUDNN_TYPE(cudnnConvolutionMode_t, CUDNN_TYPE_CONVOLUTION_MODE)
SY_CUDNN_TYPE(cudnnBackendHeurMode_t, CUDNN_TYPE_HEUR_MODE)
SY_CUDNN_TYPE(cudnnBackendNumericalNote_t, CUDNN_TYPE_NUMERICAL_NOTE)
SY_CUDNN_TYPE(cudnnPointwiseMode_t, CUDNN_TYPE_POINTWISE_MODE)
SY_CUDNN_TYPE(cudnnBackendDescriptor_t, CUDNN_TYPE_BACKEND_DESCRIPTOR)
SY_CUDNN_TYPE(cudnnReduceTensorOp_t, CUDNN_TYPE_REDUCTION_OPERATOR_TYPE)
SY_CUDNN_TYPE(cudnnBackendNormMode_t, CUDNN_TYPE_NORM_MODE)
SY_CUDNN_TYPE(cudnnBackendNormFwdPhase_t, CUDNN_TYPE_NORM_FWD_PHASE)
#undef SY_CUDNN_TYPE

// The library's functions: name, result, arguments.
#define SY_CUDNN_FUNCTIONS(X)                                                                      \
  X(GetVersion, size_t())                                                                          \
  X(Create, cudnnStatus_t(cudnnHandle_t*))                                                         \
  X(SetStream, cudnnStatus_t(cudnnHandle_t, CUstream))                                             \
  X(BackendCreateDescriptor,                                                                       \
    cudnnStatus_t(cudnnBackendDescriptorType_t, cudnnBackendDescriptor_t*))                        \
  X(BackendDestroyDescriptor, cudnnStatus_t(cudnnBackendDescriptor_t))                             \
  X(BackendSetAttribute, cudnnStatus_t(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,      \
                                       cudnnBackendAttributeType_t, int64_t, const void*))         \
  X(BackendGetAttribute, cudnnStatus_t(cudnnBackendDescriptor_t, cudnnBackendAttributeName_t,      \
                                       cudnnBackendAttributeType_t, int64_t, int64_t*, void*))     \
  X(BackendFinalize, cudnnStatus_t(cudnnBackendDescriptor_t))                                      \
  X(BackendExecute,                                                                                \
    cudnnStatus_t(cudnnHandle_t, cudnnBackendDescriptor_t, cudnnBackendDescriptor_t))              \
  X(CreateTensorDescriptor, cudnnStatus_t(cudnnTensorDescriptor_t*))                               \
  X(DestroyTensorDescriptor, cudnnStatus_t(cudnnTensorDescriptor_t))                               \
  X(SetTensor4dDescriptorEx, cudnnStatus_t(cudnnTensorDescriptor_t, cudnnDataType_t, int, int,     \
                                           int, int, int, int, int, int))                          \
  X(DeriveBNTensorDescriptor,                                                                      \
    cudnnStatus_t(cudnnTensorDescriptor_t, cudnnTensorDescriptor_t, cudnnBatchNormMode_t))         \
  X(BatchNormalizationForwardTraining,                                                             \
    cudnnStatus_t(cudnnHandle_t, cudnnBatchNormMode_t, const void* alpha, const void* beta,        \
                  cudnnTensorDescriptor_t, const void* x, cudnnTensorDescriptor_t, void* y,        \
                  cudnnTensorDescriptor_t, const void* scale, const void* bias, double momentum,   \
                  void* running_mean, void* running_variance, double epsilon, void* saved_mean,    \
                  void* saved_factor))                                                             \
  X(BatchNormalizationForwardInference,                                                            \
    cudnnStatus_t(cudnnHandle_t, cudnnBatchNormMode_t, const void* alpha, const void* beta,        \
                  cudnnTensorDescriptor_t, const void* x, cudnnTensorDescriptor_t, void* y,        \
                  cudnnTensorDescriptor_t, const void* scale, const void* bias, const void* mean,  \
                  const void* variance, double epsilon))                                           \
  X(BatchNormalizationBackward,                                                                    \
    cudnnStatus_t(cudnnHandle_t, cudnnBatchNormMode_t, const void* alpha, const void* beta,        \
                  const void* alpha_of_parameters, const void* beta_of_parameters,                 \
                  cudnnTensorDescriptor_t, const void* x, cudnnTensorDescriptor_t, const void* dy, \
                  cudnnTensorDescriptor_t, void* dx, cudnnTensorDescriptor_t, const void* scale,   \
                  void* dscale, void* dbias, double epsilon, const void* saved_mean,               \
                  const void* saved_factor))

}  // namespace sy::cuda

#endif  // SWITCHYARD_BACKENDS_CUDA_DRIVER_CUDNN_API_H_
