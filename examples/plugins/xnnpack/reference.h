// The operators of this plugin in plain loops: their kernels for cpu, by which `switchyard conform`
// measures those for xnnpack, and which serve programs that have no such device.
//
// Owns: nothing. Threads: any. Errors: as quantized.h has them.
#ifndef XNNPACK_REFERENCE_H_
#define XNNPACK_REFERENCE_H_

#include "kernels.h"

namespace xnnpack::reference {

void Quantize(Call, Tensor out, Tensor x, double scale, int64_t zero);
void Dequantize(Call, Tensor out, Tensor x, double scale, int64_t zero);
void QuantizeWeight(Call, Tensor out, Tensor scales, Tensor weight);
void AddQuantized(Call, Tensor out, Tensor a, double a_scale, int64_t a_zero, Tensor b,
                  double b_scale, int64_t b_zero, double out_scale, int64_t out_zero);
void Conv2d(Call, Tensor out, Tensor x, double x_scale, int64_t x_zero, Tensor weight,
            Tensor weight_scale, Tensor bias, double out_scale, int64_t out_zero,
            Span<const int64_t> stride, Span<const int64_t> padding, Span<const int64_t> dilation,
            int64_t groups, int64_t low, int64_t high);
void Linear(Call, Tensor out, Tensor x, double x_scale, int64_t x_zero, Tensor weight,
            Tensor weight_scale, Tensor bias, double out_scale, int64_t out_zero, int64_t low,
            int64_t high);

}  // namespace xnnpack::reference

#endif  // XNNPACK_REFERENCE_H_
