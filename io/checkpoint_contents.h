// A checkpoint as it lies in a file: the pickle's values, and where the storages are.
//
// Owns: itself; nothing of the file.
// Threads: as any value.
// Errors: as contents.h.
#ifndef IO_CHECKPOINT_CONTENTS_H_
#define IO_CHECKPOINT_CONTENTS_H_

#include <string>
#include <string_view>
#include <vector>

#include "io/contents.h"
#include "io/nodes.h"
#include "io/zip.h"

namespace sy::io {

struct CheckpointContents {
  FileFormat format = FileFormat::kCheckpoint;
  Nodes nodes;                  // infos: of each tensor
  std::vector<Source> sources;  // nodes.source_of: each tensor's
};

// Where the archive has its data.pkl: the folder with its slash, "archive/". Empty where it is no
// checkpoint.
std::string CheckpointFolder(const ZipIndex& zip);
CheckpointContents ReadZipCheckpoint(std::string_view file, const ZipIndex& zip,
                                     const std::string& folder);

bool LooksLikeLegacyCheckpoint(std::string_view file);
CheckpointContents ReadLegacyCheckpoint(std::string_view file);

// The tensors by dotted names, what else there is as text. Errors: values that are nested too deep,
// contain themselves, or are too many; keys of a dict that stand twice.
Contents NameTensors(const CheckpointContents& c);

}  // namespace sy::io

#endif  // IO_CHECKPOINT_CONTENTS_H_
