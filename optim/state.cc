#include "switchyard/optim/state.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "switchyard/autograd/autograd.h"
#include "switchyard/core/error.h"
#include "switchyard/io/npy.h"
#include "switchyard/ops.h"

namespace sy::optim {

namespace {

namespace fs = std::filesystem;

constexpr const char* kExtension = ".npy";

bool IsTensorFile(const fs::directory_entry& e) {
  return e.is_regular_file() && e.path().extension() == kExtension;
}

void RequireFileNames(const NamedTensors& tensors) {
  std::set<std::string_view> seen;
  for (const auto& [name, t] : tensors) {
    if (name.empty() || name[0] == '.' || name.find('/') != std::string::npos) {
      Fail(ErrorCode::kInvalidArgument, "SaveTensors",
           {"expected names that files can have, got \"", name, "\""});
    }
    if (!seen.insert(name).second)
      Fail(ErrorCode::kInvalidArgument, "SaveTensors", {"two tensors are called ", name});
  }
}

// Nothing is lost but tensors.
void RequireOnlyTensors(const fs::path& folder) {
  for (const fs::directory_entry& e : fs::directory_iterator(folder)) {
    if (!IsTensorFile(e)) {
      Fail(ErrorCode::kInvalidArgument, "SaveTensors",
           {folder.string(), " is not replaced, since it holds ", e.path().filename().string(),
            ", which is no .npy file"});
    }
  }
}

}  // namespace

void Append(NamedTensors& all, std::string_view prefix, const NamedTensors& more) {
  for (const auto& [name, t] : more) all.emplace_back(std::string(prefix) + name, t);
}

NamedTensors WithPrefix(const NamedTensors& all, std::string_view prefix) {
  NamedTensors some;
  for (const auto& [name, t] : all) {
    if (name.starts_with(prefix)) some.emplace_back(name.substr(prefix.size()), t);
  }
  return some;
}

Tensor Find(const NamedTensors& all, std::string_view name) {
  const auto at =
      std::find_if(all.begin(), all.end(), [&](const auto& n) { return n.first == name; });
  return at == all.end() ? Tensor() : at->second;
}

void CopyInto(const NamedTensors& target, const NamedTensors& source) {
  for (const auto& [name, t] : source) {
    if (!Find(target, name).defined())
      Fail(ErrorCode::kInvalidArgument, "CopyInto", {"nothing is called ", name, " in the target"});
  }
  for (const auto& [name, t] : target) {
    const Tensor from = Find(source, name);
    if (!from.defined())
      Fail(ErrorCode::kInvalidArgument, "CopyInto", {"nothing is called ", name, " in the source"});
    if (!std::ranges::equal(from.sizes(), t.sizes())) {
      Fail(ErrorCode::kInvalidArgument, "CopyInto",
           {name, ": expected sizes ", t.sizes(), ", got ", from.sizes()});
    }
  }
  const NoGrad off;
  for (const auto& [name, t] : target) copy_(t, Find(source, name));
}

void SaveTensors(const std::string& folder, const NamedTensors& tensors) {
  RequireFileNames(tensors);
  try {
    const fs::path there = fs::path(folder), made = folder + ".new", former = folder + ".old";
    if (fs::exists(there)) RequireOnlyTensors(there);
    fs::remove_all(made);
    fs::create_directories(made);
    for (const auto& [name, t] : tensors) WriteNpy(made / (name + kExtension), t);
    if (fs::exists(there)) {
      fs::remove_all(former);
      fs::rename(there, former);
    }
    fs::rename(made, there);
    fs::remove_all(former);
  } catch (const fs::filesystem_error& e) {
    Fail(ErrorCode::kUnavailable, "SaveTensors", {e.what()});
  }
}

NamedTensors LoadTensors(const std::string& folder) {
  NamedTensors tensors;
  try {
    for (const fs::directory_entry& e : fs::directory_iterator(folder)) {
      if (IsTensorFile(e)) tensors.emplace_back(e.path().stem(), ReadNpy(e.path()));
    }
  } catch (const fs::filesystem_error& e) {
    Fail(ErrorCode::kNotFound, "LoadTensors", {e.what()});
  }
  std::sort(tensors.begin(), tensors.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return tensors;
}

}  // namespace sy::optim
