#include "backends/cuda/driver/cufft.h"

#include <memory>
#include <mutex>
#include <optional>

#include "backends/cuda/driver/library.h"
#include "backends/cuda/driver/plan_cache.h"
#include "backends/cuda/driver/switches.h"
#include "switchyard/core/error.h"
#include "switchyard/core/tensor.h"

namespace sy::cuda {
namespace {

std::optional<FourierTable>& Given() {
  static std::optional<FourierTable> given;
  return given;
}

struct Opened {
  FourierTable table;
  std::string problem;  // empty: all is there

  Opened() {
    if (Given()) {
      table = *Given();
    } else if (SwitchedOff("SWITCHYARD_CUDA_LIBRARIES")) {
      problem = "SWITCHYARD_CUDA_LIBRARIES is 0";
    } else {
      Library& library = LibraryOf(Lib::kCufft);
      if (library.open()) {
#define SY_CUFFT_FIND(name) \
  table.name = reinterpret_cast<decltype(table.name)>(library.Find(SY_CUDA_SYMBOL(cufft##name)));
        SY_CUFFT_FUNCTIONS(SY_CUFFT_FIND)
#undef SY_CUFFT_FIND
      }
      problem = library.problem();
    }
  }
};
const FourierTable& TableFor(std::string_view op) {
  static const Opened* opened = new Opened;
  if (!opened->problem.empty()) {
    Fail(ErrorCode::kUnavailable, op,
         {"needs cuFFT, ", FilesOf(Lib::kCufft, DriverMajor()).front(),
          ", which cannot be opened: ", opened->problem});
  }
  return opened->table;
}

void Check(std::string_view op, cufftResult result) {
  if (result == CUFFT_SUCCESS) return;
  Fail(ErrorCode::kUnavailable, op, {"cuFFT refuses with result ", static_cast<int>(result)});
}

// The device that it is of is the current one.
class Plan {
 public:
  Plan(std::string_view op, const FourierTable& lib, DeviceState& device, FourierShape shape)
      : lib_(lib), device_(device) {
    Check(op, lib_.Create(&handle_));
    try {
      Check(op, lib_.SetAutoAllocation(handle_, 0));
      Check(op,
            lib_.MakePlanMany64(handle_, shape.rank, shape.sizes, shape.in.embed, shape.in.stride,
                                shape.in.dist, shape.out.embed, shape.out.stride, shape.out.dist,
                                shape.type, shape.batch, &room_bytes_));
    } catch (...) {
      lib_.Destroy(handle_);
      throw;
    }
  }
  Plan(const Plan&) = delete;
  // What runs by it reads tables that it owns. Where that cannot be waited for, it stays.
  ~Plan() {
    if (device_.captures() != 0) return;
    const InUse on = device_.TryUse();
    if (on && Driver().CtxSynchronize() == CUDA_SUCCESS) lib_.Destroy(handle_);
  }
  cufftHandle handle() const { return handle_; }
  size_t room_bytes() const { return room_bytes_; }

 private:
  const FourierTable& lib_;
  DeviceState& device_;
  cufftHandle handle_ = CUFFT_PLAN_NULL;
  size_t room_bytes_ = 0;
};

cufftResult Execute(const FourierTable& lib, cufftType type, cufftHandle plan, void* in, void* out,
                    int direction) {
  const auto as = [](auto* to, void* data) { return static_cast<decltype(to)>(data); };
  cufftReal* const r = nullptr;
  cufftComplex* const c = nullptr;
  cufftDoubleReal* const d = nullptr;
  cufftDoubleComplex* const z = nullptr;
  switch (type) {
    case CUFFT_C2C:
      return lib.ExecC2C(plan, as(c, in), as(c, out), direction);
    case CUFFT_R2C:
      return lib.ExecR2C(plan, as(r, in), as(c, out));
    case CUFFT_C2R:
      return lib.ExecC2R(plan, as(c, in), as(r, out));
    case CUFFT_Z2Z:
      return lib.ExecZ2Z(plan, as(z, in), as(z, out), direction);
    case CUFFT_D2Z:
      return lib.ExecD2Z(plan, as(d, in), as(z, out));
    default:
      return lib.ExecZ2D(plan, as(z, in), as(d, out));
  }
}

}  // namespace

void UseFourier(const FourierTable& table) { Given() = table; }

void RunFourier(std::string_view op, CudaStream& stream, const FourierShape& shape, void* in,
                void* out, bool forward) {
  const FourierTable& lib = TableFor(op);
  const InUse on = stream.state().Use();
  auto& plans = PlanCache<FourierShape, Plan>::Of(stream.state());
  std::lock_guard lock(plans.mutex);
  const std::shared_ptr<Plan> plan = plans.Find(stream, shape, kPlans, [&] {
    stream.RequireNoCapture("making a plan of cuFFT for a shape that is new, on a stream");
    return std::make_shared<Plan>(op, lib, stream.state(), shape);
  });
  const Tensor room = Tensor::Empty({static_cast<int64_t>(plan->room_bytes())}, DType::kUInt8,
                                    stream.state().device());
  Check(op, lib.SetStream(plan->handle(), reinterpret_cast<cudaStream_t>(stream.handle())));
  if (plan->room_bytes() != 0) Check(op, lib.SetWorkArea(plan->handle(), room.data()));
  Launching launching(stream, op);
  Check(op,
        Execute(lib, shape.type, plan->handle(), in, out, forward ? CUFFT_FORWARD : CUFFT_INVERSE));
  launching.Done();
}

}  // namespace sy::cuda
