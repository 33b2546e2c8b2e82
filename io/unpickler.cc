#include "io/unpickler.h"

#include <bit>
#include <cstring>

namespace sy::io {
namespace {

// More entries than any training's checkpoint has.
constexpr size_t kMostCopied = 10'000'000;

// Opcodes, by their names in pickletools.
enum Op : uint8_t {
  kMark = '(',
  kStop = '.',
  kPop = '0',
  kPopMark = '1',
  kDup = '2',
  kBinFloat = 'G',
  kBinInt = 'J',
  kBinInt1 = 'K',
  kBinInt2 = 'M',
  kNone = 'N',
  kBinPersId = 'Q',
  kReduce = 'R',
  kBinString = 'T',
  kShortBinString = 'U',
  kBinUnicode = 'X',
  kAppend = 'a',
  kBuild = 'b',
  kGlobal = 'c',
  kDictOp = 'd',
  kAppends = 'e',
  kBinGet = 'h',
  kLongBinGet = 'j',
  kListOp = 'l',
  kBinPut = 'q',
  kLongBinPut = 'r',
  kSetItem = 's',
  kTupleOp = 't',
  kSetItems = 'u',
  kEmptyTuple = ')',
  kEmptyList = ']',
  kEmptyDict = '}',
  kBinBytes = 'B',
  kShortBinBytes = 'C',
  kProto = 0x80,
  kNewObj = 0x81,
  kTuple1 = 0x85,
  kTuple2 = 0x86,
  kTuple3 = 0x87,
  kNewTrue = 0x88,
  kNewFalse = 0x89,
  kLong1 = 0x8a,
  kLong4 = 0x8b,
  kShortBinUnicode = 0x8c,
  kBinUnicode8 = 0x8d,
  kBinBytes8 = 0x8e,
  kEmptySet = 0x8f,
  kAddItems = 0x90,
  kFrozenSet = 0x91,
  kStackGlobal = 0x93,
  kMemoize = 0x94,
  kFrame = 0x95,
  kByteArray8 = 0x96,
};

}  // namespace

void Unpickler::FailAt(std::initializer_list<Piece> why) const {
  Refuse({"pickle, byte ", at_, ": ", Join(why)});
}

void Unpickler::Charge(size_t entries) {
  charged_ += entries;
  if (charged_ > kMostCopied) FailAt({"it makes more than ", kMostCopied, " entries of few"});
}

uint64_t Unpickler::Number(size_t bytes) {
  if (bytes_.size() - at_ < bytes) FailAt({"it is cut short"});
  uint64_t n = 0;
  for (size_t i = 0; i < bytes; ++i)
    n |= static_cast<uint64_t>(static_cast<unsigned char>(bytes_[at_ + i])) << 8 * i;
  at_ += bytes;
  return n;
}

std::string Unpickler::Text(uint64_t bytes) {
  if (bytes_.size() - at_ < bytes) FailAt({"a text of ", bytes, " bytes reaches behind the end"});
  std::string text(bytes_.substr(at_, bytes));
  at_ += bytes;
  return text;
}

std::string_view Unpickler::Line() {
  const size_t end = bytes_.find('\n', at_);
  if (end == bytes_.npos) FailAt({"a line has no end"});
  const std::string_view line = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  return line;
}

Id Unpickler::Pop() {
  const Id id = Top();
  stack_.pop_back();
  return id;
}

Id Unpickler::Top() const {
  if (stack_.size() <= (marks_.empty() ? 0 : marks_.back())) FailAt({"the stack is empty"});
  return stack_.back();
}

std::vector<Id> Unpickler::PopMark() {
  if (marks_.empty()) FailAt({"there is no mark"});
  const auto first = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
  std::vector<Id> entries(first, stack_.end());
  stack_.erase(first, stack_.end());
  marks_.pop_back();
  return entries;
}

// Little-endian, two's complement.
void Unpickler::AddLong(uint64_t bytes) {
  if (bytes > 8) return Push(nodes_.AddText(Text(bytes), Kind::kBigInt));
  uint64_t n = Number(bytes);
  if (bytes > 0 && bytes < 8 && (n >> (8 * bytes - 1) & 1) != 0) n |= ~uint64_t{0} << 8 * bytes;
  Push(nodes_.Add(Kind::kInt, static_cast<int64_t>(n)));
}

void Unpickler::Append(Id list, const std::vector<Id>& entries) {
  std::vector<Id>& all = nodes_.List(list);
  all.insert(all.end(), entries.begin(), entries.end());
}

void Unpickler::SetItems(Id dict, const std::vector<Id>& items) {
  if (!nodes_.Is(dict, Kind::kDict) || items.size() % 2 != 0) FailAt({"items are set of no dict"});
  for (size_t i = 0; i < items.size(); i += 2) {
    const Kind k = nodes_[items[i]].kind;
    if (k == Kind::kList || k == Kind::kDict || k == Kind::kSet || k >= kFunction)
      FailAt({"a dict's key can be no list, dict or set"});
  }
  Append(dict, items);
}

void Unpickler::Recall(uint64_t key) {
  const auto at = memo_.find(key);
  if (at == memo_.end()) FailAt({"nothing is remembered as ", key});
  Push(at->second);
}

bool Unpickler::StepValue(uint8_t op) {
  switch (op) {
    case kNone:
      Push(nodes_.Add(Kind::kNone));
      return true;
    case kNewTrue:
    case kNewFalse:
      Push(nodes_.Add(Kind::kBool, op == kNewTrue ? 1 : 0));
      return true;
    case kBinInt:
      Push(nodes_.Add(Kind::kInt, static_cast<int32_t>(Number(4))));
      return true;
    case kBinInt1:
      Push(nodes_.Add(Kind::kInt, static_cast<int64_t>(Number(1))));
      return true;
    case kBinInt2:
      Push(nodes_.Add(Kind::kInt, static_cast<int64_t>(Number(2))));
      return true;
    case kLong1:
      AddLong(Number(1));
      return true;
    case kLong4:
      AddLong(Number(4));
      return true;
    case kBinFloat:  // big-endian, alone among numbers
      Push(nodes_.AddFloat(std::bit_cast<double>(__builtin_bswap64(Number(8)))));
      return true;
    case kShortBinUnicode:
    case kShortBinString:
      Push(nodes_.AddText(Text(Number(1))));
      return true;
    case kBinUnicode:
    case kBinString:
      Push(nodes_.AddText(Text(Number(4))));
      return true;
    case kBinUnicode8:
      Push(nodes_.AddText(Text(Number(8))));
      return true;
    case kShortBinBytes:
      Push(nodes_.AddText(Text(Number(1)), Kind::kBytes));
      return true;
    case kBinBytes:
      Push(nodes_.AddText(Text(Number(4)), Kind::kBytes));
      return true;
    case kBinBytes8:
      Push(nodes_.AddText(Text(Number(8)), Kind::kBytes));
      return true;
    case kByteArray8:
      Push(WithVariant(nodes_.AddText(Text(Number(8)), Kind::kBytes), Variant::kByteArray));
      return true;
    default:
      return false;
  }
}

bool Unpickler::StepContainer(uint8_t op) {
  switch (op) {
    case kEmptyList:
      Push(nodes_.AddList(Kind::kList));
      return true;
    case kEmptyTuple:
      Push(nodes_.AddList(Kind::kTuple));
      return true;
    case kEmptyDict:
      Push(nodes_.AddList(Kind::kDict));
      return true;
    case kEmptySet:
      Push(nodes_.AddList(Kind::kSet));
      return true;
    case kListOp:
      Push(nodes_.AddList(Kind::kList, PopMark()));
      return true;
    case kTupleOp:
      Push(nodes_.AddList(Kind::kTuple, PopMark()));
      return true;
    case kFrozenSet:
      Push(WithVariant(nodes_.AddList(Kind::kSet, PopMark()), Variant::kFrozenSet));
      return true;
    case kTuple1:
    case kTuple2:
    case kTuple3: {
      std::vector<Id> entries(op - kTuple1 + 1u);
      for (size_t i = entries.size(); i-- > 0;) entries[i] = Pop();
      Push(nodes_.AddList(Kind::kTuple, std::move(entries)));
      return true;
    }
    case kDictOp: {
      const std::vector<Id> items = PopMark();
      Push(nodes_.AddList(Kind::kDict));
      SetItems(Top(), items);
      return true;
    }
    case kAppend:
    case kAppends:
    case kAddItems: {
      const std::vector<Id> entries = op == kAppend ? std::vector<Id>{Pop()} : PopMark();
      if (!nodes_.Is(Top(), op == kAddItems ? Kind::kSet : Kind::kList))
        FailAt({"entries are added to no list or set"});
      Append(Top(), entries);
      return true;
    }
    case kSetItem: {
      const Id value = Pop(), key = Pop();
      SetItems(Top(), {key, value});
      return true;
    }
    case kSetItems: {
      const std::vector<Id> items = PopMark();
      SetItems(Top(), items);
      return true;
    }
    default:
      return false;
  }
}

void Unpickler::Step(uint8_t op) {
  if (StepValue(op) || StepContainer(op)) return;
  switch (op) {
    case kProto:
      if (const uint64_t version = Number(1); version < 2 || version > 5)
        FailAt({"it is of protocol ", version, ", expected 2 to 5"});
      return;
    case kFrame:
      Number(8);
      return;
    case kMark:
      marks_.push_back(stack_.size());
      return;
    case kPop:
      Pop();
      return;
    case kPopMark:
      PopMark();
      return;
    case kDup:
      Push(Top());
      return;
    case kBinPut:
      return Memoize(Number(1));
    case kLongBinPut:
      return Memoize(Number(4));
    case kMemoize:
      return Memoize(memo_.size());
    case kBinGet:
      return Recall(Number(1));
    case kLongBinGet:
      return Recall(Number(4));
    case kGlobal: {
      const std::string_view module = Line(), name = Line();
      return Global(module, name);
    }
    case kStackGlobal: {
      const Id name = Pop(), module = Pop();
      if (!nodes_.Is(name, Kind::kText) || !nodes_.Is(module, Kind::kText))
        FailAt({"a name is no text"});
      const std::string m = nodes_.Text(module), n = nodes_.Text(name);
      return Global(m, n);
    }
    case kReduce:
    case kNewObj: {
      const Id arguments = Pop(), function = Pop();
      return Push(Call(function, arguments));
    }
    case kBuild: {
      const Id state = Pop();
      return Build(Top(), state);
    }
    case kBinPersId:
      return Push(Persistent(Pop()));
    default:
      FailAt({"opcode ", static_cast<int>(op), " is none that data needs"});
  }
}

Id Unpickler::Run() {
  stack_.clear();
  marks_.clear();
  memo_.clear();
  for (;;) {
    const auto op = static_cast<uint8_t>(Number(1));
    if (op == kStop) break;
    Step(op);
  }
  const Id value = Pop();
  if (!stack_.empty() || !marks_.empty()) FailAt({"it ends with more than one value"});
  return value;
}

}  // namespace sy::io
