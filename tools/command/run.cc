// switchyard run: one call of an operator.

#include <absl/strings/str_join.h>

#include <iostream>
#include <memory>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/printing.h"
#include "switchyard/io/npy.h"
#include "third_party/fmt/format.h"
#include "tools/command/commands.h"
#include "tools/command/crash.h"
#include "tools/command/written_call.h"

namespace sy::command {
namespace {

constexpr const char* kFooter =
    "Arguments are written as in Python: 2, 0.5, 1+2j, True, None, [1, 2], [[1., 2.], [3., 4.]],\n"
    "\"tensor([1, 2], dtype=int8)\", 'zeros(3, 3)', name=value; dtypes, devices and strings as "
    "they are; x.npy\n"
    "reads a file. Behind -- nothing is an option.";

struct Options {
  std::string op, device;
  std::optional<uint64_t> seed;
  std::vector<std::string> save;
  FallbackMode fallback = FallbackMode::kForbid;
};

// As Python prints it.
std::string Repr(const Value& v) {
  if (v.tag == Tag::kTensor) return ToString(v.tensor());
  if (v.tag != Tag::kTensorList) return v.str();
  const auto print = [](std::string* out, const Tensor& t) { *out += ToString(t); };
  return fmt::format("[{}]", absl::StrJoin(v.list<Tensor>(), ", ", print));
}

void Print(const Results& results) {
  if (results.size() == 1) {
    std::cout << Repr(results[0].value()) << "\n";
    return;
  }
  std::vector<std::string> all;
  all.reserve(static_cast<size_t>(results.size()));
  for (int i = 0; i < results.size(); ++i) all.push_back(Repr(results[i].value()));
  std::cout << fmt::format("({})\n", absl::StrJoin(all, ", "));
}

void Save(const Results& results, const std::vector<std::string>& files) {
  std::vector<Tensor> tensors;
  for (int i = 0; i < results.size(); ++i) {
    const Value& v = results[i].value();
    if (v.tag == Tag::kTensor) tensors.push_back(v.tensor());
    if (v.tag == Tag::kTensorList)
      tensors.insert(tensors.end(), v.list<Tensor>().begin(), v.list<Tensor>().end());
  }
  if (files.size() > tensors.size()) {
    Fail(ErrorCode::kInvalidArgument, {"--save names ", files.size(),
                                       " files, but the results are ", tensors.size(), " tensors"});
  }
  for (size_t i = 0; i < files.size(); ++i) WriteNpy(files[i], tensors[i]);
}

void Run(const Options& o, const std::vector<std::string>& texts) {
  const During call(fmt::format("the call of {} with {}{}", o.op, absl::StrJoin(texts, " "),
                                o.device.empty() ? "" : " on " + o.device));
  if (!o.device.empty()) SetDefaultDevice(PresentDevice(o.device));
  if (o.seed) manual_seed(*o.seed);
  SetFallbackPolicy({.mode = o.fallback});
  std::vector<CallArgument> arguments;
  for (const std::string& text : texts) {
    arguments.push_back(ParseArgument(text));
    Evaluate(arguments.back().value, DefaultDevice());
  }
  WrittenCall written(std::move(arguments), DefaultDevice());
  const Results results = written.Run(o.op);
  Print(results);
  Save(results, o.save);
}

}  // namespace

void AddRun(CLI::App& app, const std::vector<std::string>& operands) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("run", "Call an operator and print its results");
  c->add_option("op", o->op, "Operator or overload: add, add.Tensor")->required();
  c->add_option("--device", o->device, "Where tensors are made; the host unless given");
  c->add_option("--seed", o->seed, "Seed of the default generators");
  c->add_option("--save", o->save,
                "File for a tensor among the results; once for each of them, in order")
      ->allow_extra_args(false);
  AddFallback(*c, o->fallback);
  c->allow_extras();  // the arguments, which the command line library would take apart
  c->footer(kFooter);
  c->callback([o, c, operands] {
    std::vector<std::string> texts = c->remaining();
    texts.insert(texts.end(), operands.begin(), operands.end());
    Run(*o, texts);
  });
}

}  // namespace sy::command
