#include "plugin/manifest_text.h"

#include <nlohmann/json.hpp>
#include <utility>

namespace sy::plugin {
namespace {

using Json = nlohmann::json;

// What the parser tells, in the order of the text. False ends it.
class Reader final : public Json::json_sax_t {
 public:
  ManifestText result;

  bool null() override { return Other(); }
  bool boolean(bool) override { return Other(); }
  bool number_float(double, const std::string&) override { return Other(); }
  bool binary(Json::binary_t&) override { return Other(); }
  bool number_unsigned(uint64_t n) override { return number_integer(static_cast<int64_t>(n)); }
  bool number_integer(int64_t n) override {
    if (depth_ != 2 || key_ != "abi" || inner_key_ != "major") return Other();
    result.abi_major = n;
    return true;
  }
  bool string(std::string& text) override {
    if (depth_ == 1) {
      Forget();
      result.texts[key_] = std::move(text);
      return true;
    }
    const auto list = result.lists.find(key_);
    if (depth_ != 2 || list == result.lists.end()) return Other();
    list->second.push_back(std::move(text));
    return true;
  }
  bool key(std::string& name) override {
    if (depth_ == 1) key_ = std::move(name);
    if (depth_ == 2) inner_key_ = std::move(name);
    return true;
  }
  bool start_object(size_t) override {
    if (depth_ > 0) Other();
    return ++depth_ > 0;
  }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(size_t) override {
    if (depth_ == 0) return false;
    if (depth_ == 1) {
      Forget();
      result.lists[key_];
    } else {
      Other();
    }
    return ++depth_ > 0;
  }
  bool end_array() override { return --depth_ >= 0; }
  bool parse_error(size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  // The last of equal keys counts.
  void Forget() {
    result.texts.erase(key_);
    result.lists.erase(key_);
    result.others.erase(key_);
  }
  // Something that is no text: in a list, the list is none of texts.
  bool Other() {
    if (depth_ == 0) return false;
    const bool inside = depth_ > 1 && result.lists.count(key_) == 0;
    if (!inside) Forget();
    result.others.insert(key_);
    return true;
  }

  int depth_ = 0;
  std::string key_, inner_key_;  // of the outermost object, and of one in it
};

}  // namespace

std::optional<ManifestText> ParseManifest(std::string_view json) {
  Reader reader;
  if (!Json::sax_parse(json, &reader)) return std::nullopt;
  return std::move(reader.result);
}

}  // namespace sy::plugin
