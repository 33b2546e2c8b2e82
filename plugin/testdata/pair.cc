// Two devices of host memory that know their attributes, take options, time their work and copy to
// each other; what they were asked for is an attribute.

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string>

#include "switchyard/c/device.hpp"

namespace {

using namespace sy::abi;

int64_t Now() {
  return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
}

class Pair {
 public:
  explicit Pair(int32_t index) : index_(index) {}
  static int32_t Count() { return 2; }
  static void Properties(SyDeviceProperties& out) {
    out.capabilities = SY_DEVICE_ADDRESSES | SY_DEVICE_HOST_VISIBLE;
  }
  static void* Allocate(uint64_t bytes, uint64_t, void*) {
    void* p = std::malloc(bytes);
    return p == nullptr ? throw std::bad_alloc() : p;
  }
  static void Free(const SyBuffer& buffer, void*) { std::free(buffer.handle); }
  static void Copy(const SyCopy& c, void*) {
    const void* from = c.source == nullptr ? c.host_source : c.source->handle;
    void* to = c.destination == nullptr ? c.host_destination : c.destination->handle;
    std::memcpy(static_cast<char*>(to) + c.destination_offset,
                static_cast<const char*>(from) + c.source_offset, c.bytes);
  }
  static void CopyBetween(Pair& from, void*, Pair& to, void*, const SyCopy& c) {
    if (c.kind != SY_COPY_BETWEEN_INDICES || &from == &to) throw Error("not between two");
    if (c.bytes == 3) throw Error(SY_E_UNSUPPORTED, "not so few");
    Copy(c, nullptr);
    ++to.copies_;
  }
  std::vector<std::pair<std::string, std::string>> Attributes() const {
    return {{"index", std::to_string(index_)},
            {"speed", speed_},
            {"warm_ups", std::to_string(warm_ups_)},
            {"copies", std::to_string(copies_)}};
  }
  bool SetOption(std::string_view key, std::string_view value) {
    if (key != "speed") return false;
    if (value != "slow" && value != "fast") throw Error("a speed is slow or fast");
    speed_ = value;
    return true;
  }
  void WarmUp() { ++warm_ups_; }
  void TimingStart() { timed_.clear(); }
  std::vector<SyTimedWork> TimingStop() { return std::move(timed_); }
  void Note(uint64_t sequence, int64_t begin) {
    timed_.push_back({sizeof(SyTimedWork), 0, "fill", sequence, begin, Now(), nullptr});
  }

 private:
  const int32_t index_;
  std::string speed_ = "slow";
  int warm_ups_ = 0, copies_ = 0;
  std::vector<SyTimedWork> timed_;
};

void Fill(Call call, Tensor out, Tensor, Scalar value) {
  const int64_t begin = Now();
  for (int64_t i = 0; i < out.numel(); ++i) Store(out, i, value.To<double>());
  call.device<Pair>().Note(call.abi()->sequence, begin);
}

constexpr SyDeviceFunctions kFunctions = DeviceFunctions<Pair>();
constexpr SyDeviceDef kDevices[] = {DeviceOf("pair", kFunctions)};
constexpr SyKernelDef kKernels[] = {Kernel<Fill>("fill.Scalar", "pair")};
constexpr SyPlugin kPlugin = MakePlugin("pair", "1.0", kDevices, {}, kKernels);

}  // namespace

SY_PLUGIN(kPlugin, "pair")
