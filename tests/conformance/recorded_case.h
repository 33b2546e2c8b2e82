// Recorded calls, which can be made again with other tensors, and lists of operators beside them.
//
//   ForEachRecorded(folder, gradients, [&](auto line, const auto& blob) { … });
//   const Case c(op, arguments.values());
//   c.Call(tensors);    // as many as c.size(), in the order of the arguments
//
// Owns: nothing. Threads: as the operator. Errors: the operator's, and GzipLines'.
#ifndef TESTS_CONFORMANCE_RECORDED_CASE_H_
#define TESTS_CONFORMANCE_RECORDED_CASE_H_

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "switchyard/dispatcher/call.h"
#include "switchyard/ops.h"
#include "testing/replay/gzip.h"

namespace sy::replay {

// Of a file of this folder, name → the rest of its line; '#' begins a comment.
inline std::map<std::string, std::string> ReadList(const std::string& file) {
  std::map<std::string, std::string> list;
  std::ifstream in("tests/conformance/" + file);
  EXPECT_TRUE(in.good()) << file;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.find(' ');
    list[line.substr(0, space)] = space == line.npos ? "" : line.substr(space + 1);
  }
  return list;
}

// f(line, blob) of each call in a folder's cases, or recorded gradients.
template <class F>
void ForEachRecorded(const std::string& folder, bool gradients, F f) {
  const std::string kind = gradients ? "grad" : "cases", of = gradients ? "grad-" : "";
  for (int k = 0;; ++k) {
    const std::string calls = folder + "/" + kind + "-" + std::to_string(k) + ".jsonl.gz";
    if (!std::filesystem::exists(calls)) return;
    const std::vector<char> blob =
        ReadGzip(folder + "/" + of + "blob-" + std::to_string(k) + ".bin.gz");
    GzipLines lines(calls);
    for (std::string_view line; lines.Next(&line);) f(line, blob);
  }
}

class Case {
 public:
  Case(const OperatorEntry& op, std::span<const Value> values) : op_(op), values_(values) {
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i].tag == Tag::kTensor) places_.push_back({i, 0});
      if (values[i].tag != Tag::kTensorList) continue;
      const TensorList list = values[i].list<Tensor>();
      for (size_t k = 0; k < list.size(); ++k) {
        if (list[k].defined()) places_.push_back({i, k});
      }
    }
  }
  size_t size() const { return places_.size(); }
  Tensor At(size_t p) const {
    const Value& v = values_[places_[p].argument];
    return v.tag == Tag::kTensor ? v.tensor() : v.list<Tensor>()[places_[p].element];
  }
  std::vector<Tensor> Call(TensorList tensors) const {
    std::vector<Value> args(values_.begin(), values_.end());
    std::vector<std::vector<Tensor>> lists(args.size());
    for (size_t p = 0; p < places_.size(); ++p) {
      const auto [i, k] = places_[p];
      if (values_[i].tag == Tag::kTensor) {
        // Written ones are the call's own.
        const bool write = op_.schema().arguments[i].type.alias.write;
        lists[i] = {write ? clone(tensors[p]) : tensors[p]};
        args[i] = Value(lists[i][0]);
        continue;
      }
      const TensorList given = values_[i].list<Tensor>();
      if (lists[i].empty()) lists[i].assign(given.begin(), given.end());
      lists[i][k] = tensors[p];
      args[i] = Value(lists[i]);
    }
    Results results;
    CallBoxed(op_, args, results.Reset(op_.num_results));
    std::vector<Tensor> all;
    for (int k = 0; k < results.size(); ++k) {
      const Value& v = results[k].value();
      if (v.tag == Tag::kTensor) all.push_back(v.tensor());
      if (v.tag != Tag::kTensorList) continue;
      for (const Tensor& t : v.list<Tensor>()) all.push_back(t);
    }
    return all;
  }

 private:
  struct Place {
    size_t argument, element;
  };
  const OperatorEntry& op_;
  std::span<const Value> values_;
  std::vector<Place> places_;
};

}  // namespace sy::replay

#endif  // TESTS_CONFORMANCE_RECORDED_CASE_H_
