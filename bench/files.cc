// How long files of tensors take, warm (their pages are in memory): the suite "files".
//
//   files --make FOLDER    writes what the rows read: 91 MB in 103 tensors, of MiniLM's sizes
//   files FOLDER           runs every row; prints {"row": nanoseconds, …}, the least of 15 runs
//
// peer_files.py is the same by Python's libraries.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>

#include "switchyard/core/generator.h"
#include "switchyard/core/parallel.h"
#include "switchyard/io/npy.h"
#include "switchyard/io/tensor_file.h"
#include "switchyard/io/write_tensors.h"
#include "switchyard/ops.h"

namespace {

using sy::NamedTensors;
using sy::Tensor;

constexpr int kRuns = 15, kWrites = 5;

NamedTensors Weights() {
  sy::manual_seed(0);
  NamedTensors all = {{"embeddings.word_embeddings.weight", sy::randn({30522, 384})},
                      {"embeddings.position_embeddings.weight", sy::randn({512, 384})},
                      {"embeddings.token_type_embeddings.weight", sy::randn({2, 384})}};
  for (int i = 0; i < 6; ++i) {
    const std::string at = "encoder.layer." + std::to_string(i) + ".";
    const auto linear = [&](const std::string& name, int64_t out, int64_t in) {
      all.emplace_back(at + name + ".weight", sy::randn({out, in}));
      all.emplace_back(at + name + ".bias", sy::randn({out}));
    };
    for (const char* name : {"query", "key", "value"})
      linear(std::string("attention.self.") + name, 384, 384);
    linear("attention.output.dense", 384, 384);
    linear("intermediate.dense", 1536, 384);
    linear("output.dense", 384, 1536);
    for (const char* name : {"attention.output.LayerNorm", "output.LayerNorm"}) {
      all.emplace_back(at + name + ".weight", sy::randn({384}));
      all.emplace_back(at + name + ".bias", sy::randn({384}));
    }
  }
  all.emplace_back("pooler.weight", sy::randn({384, 384}));
  all.emplace_back("pooler.bias", sy::randn({384}));
  return all;
}

// A header of 100,000 tensors, without elements.
NamedTensors Many() {
  NamedTensors all;
  const Tensor none = sy::empty({0, 4096});
  for (int i = 0; i < 100'000; ++i)
    all.emplace_back("model.layers." + std::to_string(i) + ".self_attn.q_proj.weight", none);
  return all;
}

void Make(const std::string& folder) {
  const NamedTensors weights = Weights();
  for (const char* name : {"/w.safetensors", "/w.pt", "/w.npz"})
    sy::WriteTensors(folder + name, weights);
  sy::WriteTensors(folder + "/w_deflated.npz", weights, {.deflate = true});
  std::vector<Tensor> flat;
  for (const auto& [name, t] : weights) flat.push_back(sy::flatten(t));
  sy::WriteNpy(folder + "/w.npy", sy::cat(flat));
  sy::WriteTensors(folder + "/many.safetensors", Many());
}

// settled: each run begins when what was written before is on the disk, for whose pages a run would
// wait that gives them up.
double Least(int runs, bool settled, const std::function<void()>& f) {
  using Clock = std::chrono::steady_clock;
  double least = 1e300;
  f();
  for (int i = 0; i < runs; ++i) {
    if (settled) sync();
    const auto start = Clock::now();
    f();
    least = std::min(least, std::chrono::duration<double, std::nano>(Clock::now() - start).count());
  }
  return least;
}

void Touch(const char* p, size_t bytes) {
  unsigned sum = 0;
  for (size_t i = 0; i < bytes; i += 4096) sum += static_cast<unsigned char>(p[i]);
  volatile unsigned kept = sum;
  (void)kept;
}
void TouchAll(const NamedTensors& all) {
  for (const auto& [name, t] : all) Touch(static_cast<const char*>(t.data()), t.nbytes());
}

// What there is no going below: mapping the file, privately and to be written, and every page.
void MapAndTouch(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status = {};
  fstat(fd, &status);
  const auto bytes = static_cast<size_t>(status.st_size);
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
  Touch(static_cast<const char*>(p), bytes);
  munmap(p, bytes);
  close(fd);
}
// write(2) of as many bytes, into the pages that the file gives up.
void WriteBytes(const std::string& path, const Tensor& bytes) {
  const int fd = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  size_t done = 0;
  while (done < bytes.nbytes()) {
    const ssize_t n = write(fd, static_cast<const char*>(bytes.data()) + done,
                            std::min<size_t>(8 << 20, bytes.nbytes() - done));
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  close(fd);
}

void Run(const std::string& folder) {
  const char* comma = "{";
  const auto row = [&](const char* name, int runs, const std::function<void()>& f) {
    std::printf("%s\"%s\": %.0f", comma, name, Least(runs, runs == kWrites, f));
    std::fflush(stdout);
    comma = ",\n ";
  };
  const auto read = [&](const char* name) {
    return [path = folder + name] { sy::ReadTensors(path); };
  };
  row("load safetensors", kRuns, read("/w.safetensors"));
  row("load safetensors, touch", kRuns,
      [&] { TouchAll(sy::ReadTensors(folder + "/w.safetensors")); });
  row("load safetensors, prefetch, touch", kRuns,
      [&] { TouchAll(sy::ReadTensors(folder + "/w.safetensors", {.prefetch = true})); });
  row("load safetensors, copy", kRuns,
      [&] { sy::ReadTensors(folder + "/w.safetensors", {.copy = true}); });
  row("load safetensors, sum", kRuns, [&] {
    for (const auto& [name, t] : sy::ReadTensors(folder + "/w.safetensors")) sy::sum(t);
  });
  row("mmap, touch", kRuns, [&] { MapAndTouch(folder + "/w.safetensors"); });
  row("load pt", kRuns, read("/w.pt"));
  row("load npy", kRuns, [&] { sy::ReadNpy(folder + "/w.npy"); });
  row("load npy, copy", kRuns, [&] { sy::ReadNpy(folder + "/w.npy", {.copy = true}); });
  row("load npz", kRuns, read("/w.npz"));
  row("load npz, deflated", 2, read("/w_deflated.npz"));
  row("header of 100,000 tensors", 3, [&] { sy::TensorFile f(folder + "/many.safetensors"); });
  const NamedTensors all = sy::ReadTensors(folder + "/w.safetensors", {.copy = true});
  const Tensor one = sy::ReadNpy(folder + "/w.npy", {.copy = true});
  row("write(2)", kWrites, [&] { WriteBytes(folder + "/out.bin", one); });
  // As a file that replaces another is written: the other's pages are there until it is whole.
  row("write(2), rename", kWrites, [&] {
    WriteBytes(folder + "/out.tmp", one);
    std::rename((folder + "/out.tmp").c_str(), (folder + "/out.bin").c_str());
  });
  const auto save = [&](const char* name) {
    return [&all, path = folder + name] { sy::WriteTensors(path, all); };
  };
  row("save safetensors", kWrites, save("/out.safetensors"));
  row("save pt", kWrites, save("/out.pt"));
  row("save npz", kWrites, save("/out.npz"));
  row("save npy", kWrites, [&] { sy::WriteNpy(folder + "/out.npy", one); });
  std::printf("}\n");
}

}  // namespace

int main(int argc, char** argv) {
  sy::SetNumThreads(1);
  if (argc == 3 && std::strcmp(argv[1], "--make") == 0) {
    Make(argv[2]);
  } else if (argc == 2) {
    Run(argv[1]);
  } else {
    std::fprintf(stderr, "usage: files [--make] FOLDER\n");
    return 2;
  }
  return 0;
}
