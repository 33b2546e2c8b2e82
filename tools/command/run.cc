// switchyard run: one call of an operator.

#include <iostream>
#include <memory>

#include "switchyard/core/device_backend.h"
#include "switchyard/core/error.h"
#include "switchyard/core/generator.h"
#include "switchyard/core/printing.h"
#include "tools/command/commands.h"
#include "tools/command/written_call.h"
#include "tools/npy/npy.h"

namespace sy::command {
namespace {

constexpr const char* kFooter =
    "Arguments are written as in Python: 2, 0.5, 1+2j, True, None, [1, 2], [[1., 2.], [3., 4.]],\n"
    "\"tensor([1, 2], dtype=int8)\", name=value; dtypes, devices and strings as they are; x.npy\n"
    "reads a file.";

struct Options {
  std::string op, device;
  std::optional<uint64_t> seed;
  std::vector<std::string> save;
};

// As Python prints it.
std::string Repr(const Value& v) {
  if (v.tag == Tag::kTensor) return ToString(v.tensor());
  if (v.tag != Tag::kTensorList) return v.str();
  std::string s;
  for (const Tensor& t : v.list<Tensor>()) s += (s.empty() ? "" : ", ") + ToString(t);
  return "[" + s + "]";
}

void Print(const Results& results) {
  if (results.size() == 1) {
    std::cout << Repr(results[0].value()) << "\n";
    return;
  }
  std::string s;
  for (int i = 0; i < results.size(); ++i) s += (i == 0 ? "" : ", ") + Repr(results[i].value());
  std::cout << "(" << s << ")\n";
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
  if (!o.device.empty()) SetDefaultDevice(PresentDevice(o.device));
  if (o.seed) manual_seed(*o.seed);
  std::vector<CallArgument> arguments;
  for (const std::string& text : texts) arguments.push_back(ParseArgument(text));
  WrittenCall call(std::move(arguments), DefaultDevice());
  const Results results = call.Run(o.op);
  Print(results);
  Save(results, o.save);
}

}  // namespace

void AddRun(CLI::App& app) {
  auto o = std::make_shared<Options>();
  CLI::App* c = app.add_subcommand("run", "Call an operator and print its results");
  c->add_option("op", o->op, "Operator or overload: add, add.Tensor")->required();
  c->add_option("--device", o->device, "Where tensors are made; the host unless given");
  c->add_option("--seed", o->seed, "Seed of the default generators");
  c->add_option("--save", o->save,
                "File for a tensor among the results; once for each of them, in order")
      ->allow_extra_args(false);
  c->allow_extras();  // the arguments, which the command line library would take apart
  c->footer(kFooter);
  c->callback([o, c] { Run(*o, c->remaining()); });
}

}  // namespace sy::command
