// A tensor in NumPy's .npy file, by which the command and tests exchange data with Python. Archives
// of several, .npz, are read and written as all files of named tensors are (tensor_file.h).
//
//   Tensor t = ReadNpy("x.npy");                    // the file's own pages
//   Tensor own = ReadNpy("x.npy", {.copy = true});
//   WriteNpy("y.npy", t);
//
// Format versions 1.0 to 3.0; row-major (C) and column-major (Fortran) order, which become strides;
// big-endian numbers are turned in a copy. Dtypes: bool, integers, float16 to float64, complex64,
// complex128: NumPy has no others of ours. A folder of its own and no part of core: programs that
// read no files carry none of it.
// Source: numpy/lib/format.py.
// Owns: as tensor_file.h says.
// Threads: any.
// Errors: kNotFound for a file that cannot be opened; kInvalidArgument for what is no .npy file, is
// of another length than it says, or has elements that are no numbers; kUnavailable when writing
// fails.
#ifndef SWITCHYARD_IO_NPY_H_
#define SWITCHYARD_IO_NPY_H_

#include <string>

#include "switchyard/core/tensor.h"
#include "switchyard/io/tensor_file.h"

namespace sy {

// The array in the file; a column-major one has the strides that say so.
// float64[2, 3] of numpy.save("x.npy", numpy.zeros((2, 3))).
SY_API Tensor ReadNpy(const std::string& path, const LoadOptions& options = {});
// Column-major where the tensor lies so, else row-major. Tensors elsewhere are fetched first. A
// file that is there is replaced when the new one is whole. Errors also: kInvalidArgument for a
// dtype that NumPy lacks, kDataDependent for a meta tensor.
SY_API void WriteNpy(const std::string& path, const Tensor& t);

}  // namespace sy

#endif  // SWITCHYARD_IO_NPY_H_
