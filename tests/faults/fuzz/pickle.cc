// Pickles: programs that are written from the input, an instruction a byte or two, so that most of
// them go on for a while; and any bytes at all. They lie in a legacy checkpoint, which needs no
// archive around them.
#include <string>
#include <string_view>

#include "switchyard/io/checkpoint.h"
#include "tests/faults/fuzz/fuzz.h"
#include "tests/faults/fuzz/tensors.h"

namespace {

using sy::fuzz::Bytes;

// The magic, the version and what is said of the machine.
constexpr char kStartBytes[] =
    "\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20j\xa8P\x19.\x80\x02M\xe9\x03.\x80\x02}q\x00.";
constexpr std::string_view kStart(kStartBytes, sizeof kStartBytes - 1);
// The list of one storage, of 16 bytes, and these.
constexpr char kEndBytes[] =
    "\x80\x02]X\x01\x00\x00\x00"
    "0a.\x04\x00\x00\x00\x00\x00\x00\x00"
    "0123456789abcdef";
constexpr std::string_view kEnd(kEndBytes, sizeof kEndBytes - 1);

std::string Number(uint64_t n, size_t bytes) { return {reinterpret_cast<const char*>(&n), bytes}; }
std::string Text(std::string_view text) { return "X" + Number(text.size(), 4) + std::string(text); }

constexpr std::string_view kNames[] = {"collections\nOrderedDict\n",
                                       "collections\ndefaultdict\n",
                                       "builtins\nset\n",
                                       "builtins\ncomplex\n",
                                       "builtins\nbytearray\n",
                                       "_codecs\nencode\n",
                                       "torch\nSize\n",
                                       "torch\ndevice\n",
                                       "torch\nFloatStorage\n",
                                       "torch\nfloat32\n",
                                       "torch\nuint16\n",
                                       "torch.storage\nUntypedStorage\n",
                                       "torch._utils\n_rebuild_tensor_v2\n",
                                       "torch._utils\n_rebuild_tensor_v3\n",
                                       "torch._utils\n_rebuild_parameter\n",
                                       "torch._tensor\n_rebuild_from_type_v2\n",
                                       "torch\nTensor\n",
                                       "numpy\ndtype\n",
                                       "numpy\nndarray\n",
                                       "numpy.core.multiarray\nscalar\n",
                                       "numpy.core.multiarray\n_reconstruct\n",
                                       "os\nsystem\n"};
constexpr std::string_view kWords[] = {"storage", "0", "cpu", "latin1", "f4", "<", ">", "a", "i8"};
// Opcodes without operands.
constexpr std::string_view kPlain =
    "(.012N]}):aelstudQRb\x81\x85\x86\x87\x88\x89\x8f\x90\x91\x93\x94";

// A storage, as a tensor is made of it.
std::string Storage() {
  return "(" + Text("storage") + "ctorch\nFloatStorage\n" + Text("0") + Text("cpu") + "K\x04tQ";
}

std::string Instruction(Bytes& in) {
  switch (in.Below(10)) {
    case 0:
    case 1:
      return std::string(1, in.Pick(kPlain));
    case 2:
      return "c" + std::string(in.Pick(kNames));
    case 3:
      return Text(in.Pick(kWords));
    case 4:
      return "K" + Number(in.Take(), 1);
    case 5:
      return "J" + Number(in.Take<uint32_t>(), 4);
    case 6:
      return (in.Take() & 1) != 0 ? "q" + Number(in.Below(8), 1) : "h" + Number(in.Below(8), 1);
    case 7:
      return Storage();
    case 8: {  // a tensor, right but for what the input says
      std::string sizes = "(", strides = "(";
      for (size_t n = in.Below(3); n > 0; --n) {
        sizes += "K" + Number(in.Below(6), 1);
        strides += "K" + Number(in.Below(4), 1);
      }
      return "ctorch._utils\n_rebuild_tensor_v2\n(" + Storage() + "K" + Number(in.Below(5), 1) +
             sizes + "t" + strides +
             "t\x89"
             "ccollections\nOrderedDict\n)RtR";
    }
    default:
      return "C" + Number(4, 1) + Number(in.Take<uint32_t>(), 4);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes in(data, size);
  std::string pickle("\x80\x02");
  if ((in.Take() & 1) != 0) {
    // What is left at the end becomes a tuple, and the storage is always asked for: else few
    // programs would end as they should.
    pickle += "(";
    while (!in.empty()) pickle += Instruction(in);
    pickle += Storage() + "t.";
  } else {
    pickle += in.Text();
  }
  const std::string file = std::string(kStart) + pickle + std::string(kEnd);
  sy::fuzz::ReadAsTensors(file);
  sy::Tree tree;
  const std::string refusal =
      sy::fuzz::MustKeepTheRules([&] { tree = sy::ReadCheckpoint(sy::fuzz::InMemory(file)); });
  if (!refusal.empty()) return 0;
  sy::fuzz::MustKeepTheRules([&] {
    sy::WriteCheckpoint(sy::fuzz::Written(), tree);
    sy::ReadCheckpoint(sy::fuzz::Written());
  });
  return 0;
}
