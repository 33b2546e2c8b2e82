// Writing checkpoints: a zip archive of data.pkl, byteorder, data/0, data/1, …, version.
// Source: torch/serialization.py (_save), caffe2/serialize/inline_container.h (version 3).
#include "io/pickler.h"
#include "io/writers.h"
#include "io/zip.h"
#include "switchyard/io/checkpoint.h"

namespace sy {
namespace io {
namespace {

void PutText(ZipWriter& zip, const std::string& name, std::string_view text) {
  zip.Begin("archive/" + name, text.size());
  zip.Write(text.data(), text.size());
  zip.End();
}

void WriteNodes(FileWriter& out, const Nodes& nodes, const WriteOptions& options) {
  Pickler pickler(nodes);
  const std::string pickle = pickler.Write(nodes.root);
  NamedTensors storages;
  storages.reserve(pickler.storages().size());
  for (const Tensor& t : pickler.storages())
    storages.emplace_back(std::to_string(storages.size()), t);
  Progress progress(storages, options);
  out.Expect(progress.total() + pickle.size() + ArchiveOverhead(storages.size() + 3));
  ZipWriter zip(out, false);
  PutText(zip, "data.pkl", pickle);
  PutText(zip, "byteorder", "little");
  for (const auto& [key, t] : storages) {
    zip.Begin("archive/data/" + key, t.nbytes());
    PutTensor(t, false, progress, [&](const void* p, size_t n) { zip.Write(p, n); });
    zip.End();
  }
  PutText(zip, "version", "3\n");
  zip.Finish();
}

}  // namespace

void WriteCheckpointOf(FileWriter& out, const NamedTensors& tensors, const WriteOptions& options) {
  Nodes nodes;
  nodes.root = nodes.AddList(Kind::kDict);
  for (const auto& [name, t] : tensors) {
    nodes.tensors.push_back(t);
    const Id key = nodes.AddText(name);
    const Id value = nodes.Add(Kind::kTensor, static_cast<int64_t>(nodes.tensors.size() - 1));
    nodes.List(nodes.root).insert(nodes.List(nodes.root).end(), {key, value});
  }
  WriteNodes(out, nodes, options);
}

}  // namespace io

void WriteCheckpoint(const std::string& path, const Tree& tree,
                     const std::function<void(uint64_t done, uint64_t total)>& progress) {
  io::InFile(path, [&] {
    WriteOptions options;
    options.progress = progress;
    io::FileWriter out(path);
    io::WriteNodes(out, *tree.nodes_, options);
    out.Commit();
  });
}

}  // namespace sy
