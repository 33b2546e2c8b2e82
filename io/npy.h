// Tensors in NumPy's .npy files, by which the command and tests exchange data with Python.
//
//   Tensor t = ReadNpy("x.npy");
//   WriteNpy("y.npy", t);
//
// Format versions 1.0 to 3.0; row-major (C) and column-major (Fortran) order, which become strides;
// little-endian. Dtypes: bool, integers, float16 to float64, complex64, complex128: NumPy has no
// others of ours. A folder of its own and no part of core: programs that read no files carry none
// of it.
// Source: numpy/lib/format.py.
// Owns: a read tensor owns its bytes, on the host.
// Threads: any.
// Errors: kNotFound for a file that cannot be opened; kInvalidArgument for what is no .npy file, is
// cut short, or has a dtype or byte order of another kind; kUnavailable when writing fails.
#ifndef SWITCHYARD_IO_NPY_H_
#define SWITCHYARD_IO_NPY_H_

#include <string>

#include "switchyard/core/tensor.h"

namespace sy {

// The whole file, read into a new tensor; a column-major one has the strides that say so.
// float64[2, 3] of numpy.save("x.npy", numpy.zeros((2, 3))).
SY_API Tensor ReadNpy(const std::string& path);
// Column-major where the tensor lies so, else row-major. Tensors elsewhere are fetched first. A
// file that is there is overwritten. Errors also: kInvalidArgument for a dtype that NumPy lacks,
// kDataDependent for a meta tensor.
SY_API void WriteNpy(const std::string& path, const Tensor& t);

}  // namespace sy

#endif  // SWITCHYARD_IO_NPY_H_
