#include "examples/sentences/model.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

namespace sentences {

using nlohmann::json;
using sy::Tensor;

namespace {

constexpr size_t kBatch = 32;        // sentences at a time
constexpr size_t kMostTokens = 256;  // sentence-transformers' max_seq_length of these models

json ReadConfig(const std::string& path) {
  std::ifstream file(path);
  if (!file) sy::Fail(sy::ErrorCode::kNotFound, {"cannot open '", path, "'"});
  json config = json::parse(file, nullptr, /*allow_exceptions=*/false);
  if (!config.is_object())
    sy::Fail(sy::ErrorCode::kInvalidArgument, {"'", path, "' is no JSON object"});
  return config;
}

int64_t Number(const json& config, const char* key) {
  if (!config.contains(key) || !config[key].is_number_integer() || config[key] <= 0)
    sy::Fail(sy::ErrorCode::kInvalidArgument, {"config.json has no number '", key, "'"});
  return config[key].get<int64_t>();
}

void RequireWord(const json& config, const char* key, std::string_view word) {
  const std::string got = config.value(key, std::string(word));
  if (got != word) {
    sy::Fail(sy::ErrorCode::kInvalidArgument,
             {"config.json: expected ", key, " '", word, "', got '", got, "'"});
  }
}

}  // namespace

Tensor Model::Weight(const sy::TensorFile& file, const std::string& name,
                     std::initializer_list<int64_t> sizes) const {
  Tensor t = file.Get(name);
  if (!std::ranges::equal(t.sizes(), sizes) || t.dtype() != sy::DType::kFloat32) {
    sy::Fail(sy::ErrorCode::kInvalidArgument, {"the weight '", name, "': expected float32",
                                               sy::IntSpan(sizes), ", got ", sy::Describe(t)});
  }
  return t;
}

Model::Linear Model::ReadLinear(const sy::TensorFile& file, const std::string& name, int64_t out,
                                int64_t in) const {
  return {Weight(file, name + ".weight", {out, in}), Weight(file, name + ".bias", {out})};
}

Model::Norm Model::ReadNorm(const sy::TensorFile& file, const std::string& name) const {
  return {Weight(file, name + ".LayerNorm.weight", {width_}),
          Weight(file, name + ".LayerNorm.bias", {width_})};
}

Model::Model(const std::string& folder, sy::Device device)
    : tokens_(folder + "/vocab.txt"), device_(device) {
  const json config = ReadConfig(folder + "/config.json");
  RequireWord(config, "model_type", "bert");
  RequireWord(config, "hidden_act", "gelu");
  RequireWord(config, "position_embedding_type", "absolute");
  width_ = Number(config, "hidden_size");
  heads_ = Number(config, "num_attention_heads");
  if (width_ % heads_ != 0)
    sy::Fail(sy::ErrorCode::kInvalidArgument, {width_, " are not divided by ", heads_, " heads"});
  const int64_t positions = Number(config, "max_position_embeddings");
  const int64_t mlp = Number(config, "intermediate_size");
  epsilon_ = config.value("layer_norm_eps", 1e-12);
  most_tokens_ = std::min(kMostTokens, static_cast<size_t>(positions));

  const sy::TensorFile file(folder + "/model.safetensors", {.device = device});
  words_ =
      Weight(file, "embeddings.word_embeddings.weight", {Number(config, "vocab_size"), width_});
  positions_ = Weight(file, "embeddings.position_embeddings.weight", {positions, width_});
  segment_ = sy::select(Weight(file, "embeddings.token_type_embeddings.weight",
                               {Number(config, "type_vocab_size"), width_}),
                        0, 0);
  start_ = ReadNorm(file, "embeddings");
  for (int64_t i = 0; i < Number(config, "num_hidden_layers"); ++i) {
    const std::string at = "encoder.layer." + std::to_string(i) + ".";
    layers_.push_back({ReadLinear(file, at + "attention.self.query", width_, width_),
                       ReadLinear(file, at + "attention.self.key", width_, width_),
                       ReadLinear(file, at + "attention.self.value", width_, width_),
                       ReadLinear(file, at + "attention.output.dense", width_, width_),
                       ReadLinear(file, at + "intermediate.dense", mlp, width_),
                       ReadLinear(file, at + "output.dense", width_, mlp),
                       ReadNorm(file, at + "attention.output"), ReadNorm(file, at + "output")});
  }
}

Tensor Model::Normalized(const Tensor& x, const Norm& norm) const {
  return sy::layer_norm(x, {width_}, norm.weight, norm.bias, epsilon_);
}

Tensor Model::Run(const Tensor& ids, const Tensor& mask) const {
  const int64_t b = ids.size(0), l = ids.size(1);
  const auto by_heads = [&](const Tensor& x) {  // [b, heads, l, width / heads]
    return sy::transpose(sy::view(x, {b, l, heads_, width_ / heads_}), 1, 2);
  };
  Tensor x = sy::embedding(words_, ids);
  sy::add_(sy::add_(x, segment_), sy::narrow(positions_, 0, 0, l));
  x = Normalized(x, start_);
  for (const Layer& layer : layers_) {
    const Tensor heard = sy::scaled_dot_product_attention(
        by_heads(layer.query(x)), by_heads(layer.key(x)), by_heads(layer.value(x)), mask);
    const Tensor joined = sy::reshape(sy::transpose(heard, 1, 2), {b, l, width_});
    x = Normalized(sy::add_(layer.merge(joined), x), layer.after_attention);
    x = Normalized(sy::add_(layer.narrow(sy::gelu(layer.widen(x))), x), layer.after_perceptron);
  }
  return x;
}

Tensor Model::EncodeBatch(const std::vector<std::vector<int64_t>>& ids) const {
  size_t longest = 1;
  for (const auto& one : ids) longest = std::max(longest, one.size());
  const auto b = static_cast<int64_t>(ids.size()), l = static_cast<int64_t>(longest);
  const Tensor padded = sy::full({b, l}, tokens_.padding(), sy::DType::kInt64);
  const Tensor is_token = sy::zeros({b, l}, sy::DType::kBool);
  for (size_t i = 0; i < ids.size(); ++i) {
    std::ranges::copy(ids[i], padded.data<int64_t>() + i * longest);
    std::fill_n(is_token.data<bool>() + i * longest, ids[i].size(), true);
  }
  const Tensor here = is_token.to(device_);
  const Tensor x = Run(padded.to(device_), sy::view(here, {b, 1, 1, l}));
  const Tensor weights = sy::unsqueeze(here.to(sy::DType::kFloat32), 2);
  const Tensor mean = sy::div(sy::sum(sy::mul(x, weights), 1), sy::sum(weights, 1));
  return sy::div(mean, sy::clamp_min(sy::linalg_vector_norm(mean, 2, 1, true), 1e-12))
      .to(sy::Device{sy::kHost});
}

Tensor Model::Encode(const std::vector<std::string>& texts) const {
  std::vector<std::vector<int64_t>> ids;
  ids.reserve(texts.size());
  for (const std::string& text : texts) ids.push_back(tokens_.Encode(text, most_tokens_));
  // Short ones beside short ones: little is padding.
  std::vector<size_t> order(texts.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::stable_sort(order, {}, [&](size_t i) { return ids[i].size(); });
  const Tensor all = sy::zeros({static_cast<int64_t>(texts.size()), width_});
  for (size_t at = 0; at < order.size(); at += kBatch) {
    const size_t end = std::min(order.size(), at + kBatch);
    std::vector<std::vector<int64_t>> batch;
    batch.reserve(end - at);
    for (size_t i = at; i < end; ++i) batch.push_back(ids[order[i]]);
    const Tensor encoded = EncodeBatch(batch);
    for (size_t i = at; i < end; ++i) {
      sy::copy_(sy::select(all, 0, static_cast<int64_t>(order[i])),
                sy::select(encoded, 0, static_cast<int64_t>(i - at)));
    }
  }
  return all;
}

}  // namespace sentences
