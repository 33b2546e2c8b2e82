// Tensors of the device given to others without copying, by DLPack.

#include "switchyard/core/dlpack.h"

#include <thread>

#include "switchyard/core/accelerator.h"
#include "testing/conform/trial.h"
#include "third_party/dlpack/dlpack_v1.h"

namespace sy::conform {
namespace {

constexpr int64_t kElements = 1000;

void RoundTrip(const Subject& subject) {
  const Session s(subject);
  const Tensor host = PatternTensor(kElements, 1);
  Tensor t = s.There(host);
  const void* data = t.data();
  const Tensor back = FromDlpack(ToDlpack(t));
  t = Tensor();  // the export holds the memory
  Require(back.data() == data || !IsAddress(data), {"it comes back at another place"});
  Require(back.device() == s.Empty({1}, DType::kUInt8).device(),
          {"it comes back on '", back.device().str(), "'"});
  const std::string why = Differ({back}, {host});
  Require(why.empty(), {"it comes back changed: ", why});
}

void ForAStream(const Subject& subject) {
  const Session s(subject);
  const Tensor host = PatternTensor(kElements, 2), source = s.There(host);
  const Tensor t = s.Empty({kElements}, DType::kUInt8), copy = s.Empty({kElements}, DType::kUInt8);
  const auto copy_on = [&](const Stream& stream, const Tensor& to, const Tensor& from) {
    s.backend().CopyWithin(to.data(), from.data(), to.nbytes(), s.index(), stream.impl());
  };
  const Stream producer = CurrentStream(s.device());  // at work still when it is exported
  for (int i = 0; i < 10; ++i) copy_on(producer, t, copy);
  copy_on(producer, t, source);
  const Stream consumer = Stream::New(s.device());
  const Tensor back = FromDlpack(ToDlpack(t, consumer));
  copy_on(consumer, copy, back);
  consumer.Synchronize();
  Synchronize(s.device());
  const std::string why = Differ({copy}, {host});
  Require(why.empty(), {"read on the consumer's stream: ", why});
}

void DeleterInAnotherThread(const Subject& subject) {
  const Session s(subject);
  const int64_t before = s.allocator().Stats(s.index()).allocated_bytes;
  DLManagedTensorVersioned* exported = ToDlpack(s.There(PatternTensor(kElements, 3)));
  std::thread([exported] { exported->deleter(exported); }).join();
  Synchronize(s.device());
  const int64_t after = s.allocator().Stats(s.index()).allocated_bytes;
  Require(after == before, {"after the deleter ", after - before, " bytes are still allocated"});
  s.Unload();
}

void ExportsCountAsBusy(const Subject& subject) {
  const Session s(subject);
  DLManagedTensorVersioned* exported = ToDlpack(s.There(PatternTensor(kElements, 4)));
  const UnloadAnswer a = unload_plugin(s.plugin().name);
  Require(!a.unloaded, {"with an export alive it is unloaded"});
  exported->deleter(exported);
  s.Unload();
}

bool deleted = false;

void OtherMajorVersion(const Subject& subject) {
  const Session s(subject);
  DLManagedTensorVersioned* exported = ToDlpack(s.There(PatternTensor(kElements, 5)));
  exported->version.major += 1;
  deleted = false;
  static void (*ours)(DLManagedTensorVersioned*) = nullptr;
  ours = exported->deleter;
  exported->deleter = [](DLManagedTensorVersioned* self) {
    deleted = true;
    ours(self);
  };
  try {
    FromDlpack(exported);
  } catch (const Error&) {
    Require(deleted, {"it is refused, and its deleter not called"});
    return s.Unload();
  }
  Broken({"a tensor of another major version is taken"});
}

constexpr Check kChecks[] = {
    {"dlpack.round_trip", "an exported tensor comes back, at the same place", RoundTrip},
    {"dlpack.stream", "an export is ready on the consumer's stream", ForAStream},
    {"dlpack.deleter", "a deleter called in another thread frees", DeleterInAnotherThread},
    {"dlpack.busy", "unloading with an export alive answers busy", ExportsCountAsBusy},
    {"dlpack.other_major", "another major version is refused and deleted", OtherMajorVersion},
};

}  // namespace

std::span<const Check> DlpackChecks() { return kChecks; }

}  // namespace sy::conform
