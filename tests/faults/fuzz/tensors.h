// Reads any bytes as a file of tensors, in every way that there is.
#ifndef TESTS_FAULTS_FUZZ_TENSORS_H_
#define TESTS_FAULTS_FUZZ_TENSORS_H_

#include <string_view>

namespace sy::fuzz {

// Opens the bytes as a file and touches every tensor, in place and copied, and slices of it. What a
// file says is refused or lies inside the file.
void ReadAsTensors(std::string_view bytes);

}  // namespace sy::fuzz

#endif  // TESTS_FAULTS_FUZZ_TENSORS_H_
