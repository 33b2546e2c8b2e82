// Times collectives of a group beside the engine that carries them, in one process a rank, by
// turns.
//
//   mpirun -n 2 bench/collective mpi
//   switchyard launch -n 2 bench/collective gloo FOLDER     # where raw Gloo's ranks meet
//   mpirun -n 2 bench/collective mpi - 4                    # rows of 4 bytes at the most
//
// Rank 0 prints a line for each row: ENGINE RANKS ROW BYTES RAW THERE NEW, in microseconds, medians
// of rounds that begin together; of 4 bytes the best mean of a thousand calls in a row, which take
// turns as well. THERE: into
// tensors that are there, as RAW does; NEW: results are new tensors, which are waited for.
// bench/compare.py makes a table of them.

#define OMPI_SKIP_MPICXX 1  // not the C++ of MPI 2
#include <gloo/allgather.h>
#include <gloo/allreduce.h>
#include <gloo/alltoall.h>
#include <gloo/barrier.h>
#include <gloo/broadcast.h>
#include <gloo/rendezvous/context.h>
#include <gloo/rendezvous/file_store.h>
#include <gloo/transport/tcp/device.h>
#include <mpi/mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "switchyard/collective/group.h"
#include "switchyard/collective/handles.h"
#include "switchyard/core/parallel.h"
#include "switchyard/ops.h"

namespace {

using sy::Tensor;
using Clock = std::chrono::steady_clock;
using namespace sy::collective::handles;

constexpr int64_t kLarge = int64_t{64} << 20, kMedium = 64 << 10, kSmall = 4;

// What an engine's own interface offers, of float32.
struct Raw {
  std::function<void()> barrier;
  std::function<void(const float*, float*, int64_t)> all_reduce;
  std::function<void(const float*, float*, int64_t)> reduce_scatter;  // numbers of a part; may lack
  std::function<void(const float*, float*, int64_t)> all_gather;      // of a part
  std::function<void(const float*, float*, int64_t)> all_to_all;      // of a part
  std::function<void(float*, int64_t)> broadcast;
};

Raw Mpi() {
  const auto n = [](int64_t count) { return static_cast<int>(count); };
  return {[] { MPI_Barrier(MPI_COMM_WORLD); },
          [=](const float* in, float* out, int64_t k) {
            MPI_Allreduce(in, out, n(k), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
          },
          [=](const float* in, float* out, int64_t k) {
            MPI_Reduce_scatter_block(in, out, n(k), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
          },
          [=](const float* in, float* out, int64_t k) {
            MPI_Allgather(in, n(k), MPI_FLOAT, out, n(k), MPI_FLOAT, MPI_COMM_WORLD);
          },
          [=](const float* in, float* out, int64_t k) {
            MPI_Alltoall(in, n(k), MPI_FLOAT, out, n(k), MPI_FLOAT, MPI_COMM_WORLD);
          },
          [=](float* data, int64_t k) { MPI_Bcast(data, n(k), MPI_FLOAT, 0, MPI_COMM_WORLD); }};
}

void Add(void* to, const void* a, const void* b, size_t n) {
  auto* z = static_cast<float*>(to);
  const auto *x = static_cast<const float*>(a), *y = static_cast<const float*>(b);
  for (size_t i = 0; i < n; ++i) z[i] = x[i] + y[i];
}
Raw Gloo(int rank, int size, const std::string& folder) {
  static gloo::rendezvous::FileStore store(folder);
  gloo::transport::tcp::attr at("127.0.0.1");
  auto device = gloo::transport::tcp::CreateDevice(at);
  auto context = std::make_shared<gloo::rendezvous::Context>(rank, size);
  context->connectFullMesh(store, device);
  const auto n = [](int64_t count) { return static_cast<size_t>(count); };
  const auto k = static_cast<size_t>(size);
  return {[=] {
            gloo::BarrierOptions o(context);
            gloo::barrier(o);
          },
          [=](const float* in, float* out, int64_t count) {
            gloo::AllreduceOptions o(context);
            o.setInput(const_cast<float*>(in), n(count));
            o.setOutput(out, n(count));
            o.setReduceFunction(Add);
            gloo::allreduce(o);
          },
          nullptr,
          [=](const float* in, float* out, int64_t count) {
            gloo::AllgatherOptions o(context);
            o.setInput(const_cast<float*>(in), n(count));
            o.setOutput(out, n(count) * k);
            gloo::allgather(o);
          },
          [=](const float* in, float* out, int64_t count) {
            gloo::AlltoallOptions o(context);
            o.setInput(const_cast<float*>(in), n(count) * k);
            o.setOutput(out, n(count) * k);
            gloo::alltoall(o);
          },
          [=](float* data, int64_t count) {
            gloo::BroadcastOptions o(context);
            o.setRoot(0);
            o.setOutput(data, n(count));
            gloo::broadcast(o);
          }};
}

double Microseconds(Clock::duration d) {
  return std::chrono::duration<double, std::micro>(d).count();
}

class Bench {
 public:
  Bench(std::string engine, Raw raw, int rank, int size)
      : engine_(std::move(engine)), raw_(std::move(raw)), rank_(rank), size_(size) {}

  using Call = std::function<void()>;
  // raw and there may be empty.
  void Row(const char* name, int64_t bytes, const Call& raw, const Call& there, const Call& made) {
    const Call* calls[] = {&raw, &there, &made};
    double times[std::size(calls)] = {};
    if (bytes <= kSmall) {
      constexpr int kRounds = 15;
      for (int round = 0; round < kRounds; ++round) {
        for (size_t i = 0; i < std::size(calls); ++i) {
          const double mean = *calls[i] ? InARow(*calls[i]) : 0;
          times[i] = round == 0 ? mean : std::min(times[i], mean);
        }
      }
    } else {
      std::vector<double> rounds[std::size(calls)];
      for (int round = bytes >= kLarge ? 7 : 60; round > 0; --round) {
        for (size_t i = 0; i < std::size(calls); ++i) {
          if (*calls[i]) rounds[i].push_back(Once(*calls[i]));
        }
      }
      for (size_t i = 0; i < std::size(calls); ++i) times[i] = *calls[i] ? Median(rounds[i]) : 0;
    }
    if (rank_ == 0) {
      std::printf("%s %d %s %ld %.3f %.3f %.3f\n", engine_.c_str(), size_, name,
                  static_cast<long>(bytes), times[0], times[1], times[2]);
      std::fflush(stdout);
    }
  }
  // most: bytes.
  void All(int64_t most) {
    Row(
        "barrier", 0, raw_.barrier, [] { barrier("world"); }, [] { barrier("world"); });
    for (const int64_t bytes : {kSmall, kMedium, kLarge}) {
      if (bytes <= most) Rows(bytes);
    }
  }

 private:
  void Rows(int64_t bytes) {
    const int64_t n = bytes / 4, part = n / size_;
    const Tensor x = sy::ones({n}), y = sy::ones({n});
    const float* in = x.data<float>();
    float* out = y.data<float>();
    const auto ours = [&] { all_reduce(x, "sum", "world"); };  // there at once where it is small
    const auto waited = [&] { wait_tensor(all_reduce(x, "sum", "world")); };
    Row(
        "all_reduce", bytes, [&] { raw_.all_reduce(in, out, n); },
        [&] { all_reduce_(y, "sum", "world"); }, bytes <= kSmall ? Call(ours) : Call(waited));
    if (part == 0) return;
    const Tensor mine = sy::ones({part});
    const std::vector<int64_t> splits(static_cast<size_t>(size_), part);
    Row(
        "reduce_scatter", bytes,
        raw_.reduce_scatter ? [&] { raw_.reduce_scatter(in, out, part); } : Call(),
        [&] { reduce_scatter_out(x, "sum", size_, "world", mine); },
        [&] { wait_tensor(reduce_scatter(x, "sum", size_, "world")); });
    Row(
        "all_gather", bytes, [&] { raw_.all_gather(mine.data<float>(), out, part); },
        [&] { all_gather_out(mine, size_, "world", y); },
        [&] { wait_tensor(all_gather(mine, size_, "world")); });
    Row(
        "all_to_all", bytes, [&] { raw_.all_to_all(in, out, part); },
        [&] { all_to_all_(y, x, {}, {}, "world"); },
        [&] { wait_tensor(all_to_all(x, splits, splits, "world")); });
    Row(
        "broadcast", bytes, [&] { raw_.broadcast(out, n); }, [&] { broadcast_(y, 0, "world"); },
        [&] { wait_tensor(broadcast(x, 0, "world")); });
  }
  double Once(const std::function<void()>& f) const {
    raw_.barrier();
    const auto start = Clock::now();
    f();
    return Microseconds(Clock::now() - start);
  }
  double InARow(const std::function<void()>& f) const {
    constexpr int kCalls = 1000;
    raw_.barrier();
    const auto start = Clock::now();
    for (int k = 0; k < kCalls; ++k) f();
    return Microseconds(Clock::now() - start) / kCalls;
  }
  static double Median(std::vector<double> v) {
    std::sort(v.begin(), v.end());
    return v[v.size() / 2];
  }

  const std::string engine_;
  const Raw raw_;
  const int rank_, size_;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string engine = argc > 1 ? argv[1] : "mpi";
  sy::SetNumThreads(1);
  const sy::collective::Group& world = sy::collective::InitWorld({.group = {.engine = engine}});
  const int rank = sy::collective::RankIn(world), size = sy::collective::SizeOf(world);
  {
    Bench bench(engine, engine == "mpi" ? Mpi() : Gloo(rank, size, argv[2]), rank, size);
    bench.All(argc > 3 ? std::stoll(argv[3]) : kLarge);
  }
  sy::collective::EndWorld();
}
