// The writers of formats, which WriteTensors chooses from.
//
// Owns: nothing.
// Threads: as WriteTensors.
// Errors: as WriteTensors, without the path.
#ifndef IO_WRITERS_H_
#define IO_WRITERS_H_

#include "io/elements.h"
#include "io/file.h"
#include "switchyard/io/write_tensors.h"

namespace sy::io {

// Counts what is written for options.progress.
class Progress {
 public:
  Progress(const NamedTensors& tensors, const WriteOptions& options);
  void Add(uint64_t bytes);
  uint64_t total() const { return total_; }

 private:
  const WriteOptions& options_;
  uint64_t done_ = 0, total_ = 0;
};

void WriteSafetensors(FileWriter& out, const NamedTensors& tensors, const WriteOptions& options);
void WriteNpyOrNpz(FileWriter& out, const NamedTensors& tensors, const WriteOptions& options,
                   FileFormat format);
void WriteCheckpointOf(FileWriter& out, const NamedTensors& tensors, const WriteOptions& options);

// Refuses sparse and quantised tensors: files hold elements, and theirs say nothing by themselves.
void RequirePlain(const Tensor& t);

// t's elements, from wherever they are, to `write`, counted.
void PutTensor(const Tensor& t, bool as_it_lies, Progress& progress, const Sink& write);

}  // namespace sy::io

#endif  // IO_WRITERS_H_
