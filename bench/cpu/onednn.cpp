// Attention of oneDNN's Graph API. Causal attention is asked for both with a mask in memory
// and with one of indices, and the faster is taken.
#include "peer.h"
#include <memory>
#include <oneapi/dnnl/dnnl_graph.hpp>
#include <vector>

using namespace dnnl::graph;

static const char *name(void) {
  static char text[64];
  const dnnl_version_t *version = dnnl_version();
  snprintf(text, sizeof text, "oneDNN Graph %d.%d.%d", version->major, version->minor,
           version->patch);
  return text;
}

namespace {
enum class Mask { None, Memory, Indices };

// A partition that computes attention, and what it reads and writes.
class Attention {
public:
  Attention(Mask mask)
      : engine(dnnl::engine::kind::cpu, 0), stream(engine), attention(engine.get_kind()) {
    const Shape rows = {1, heads, length, dim}, scores = {1, heads, length, length};
    const auto f32 = logical_tensor::data_type::f32;
    const auto s32 = logical_tensor::data_type::s32;
    ops.reserve(16);
    scale = 1.0f / sqrtf((float)dim);
    auto query = input(f32, rows, q), key = input(f32, rows, k);
    auto score = value(f32, scores);
    add(op::kind::MatMul, {query, key}, score).set_attr<bool>(op::attr::transpose_b, true);
    auto scaled = value(f32, scores);
    add(op::kind::Multiply, {score, input(f32, {1}, &scale)}, scaled);
    auto masked = mask == Mask::None ? scaled : value(f32, scores);
    if (mask == Mask::Memory) {
      bias.resize(length * length);
      for (long i = 0; i < length; ++i)
        for (long j = 0; j < length; ++j)
          bias[i * length + j] = j > i ? -INFINITY : 0.0f;
      add(op::kind::Add, {scaled, input(f32, {1, 1, length, length}, bias.data())}, masked);
    } else if (mask == Mask::Indices) {
      hidden = -INFINITY;
      auto row = value(s32, scores), column = value(s32, scores);
      auto visible = value(logical_tensor::data_type::boolean, scores);
      add(op::kind::GenIndex, {scaled}, row).set_attr<int64_t>(op::attr::axis, -2);
      add(op::kind::GenIndex, {scaled}, column).set_attr<int64_t>(op::attr::axis, -1);
      add(op::kind::GreaterEqual, {row, column}, visible);
      add(op::kind::Select, {visible, scaled, input(f32, {1}, &hidden)}, masked);
    }
    auto weights = value(f32, scores);
    op &softmax = add(op::kind::SoftMax, {masked}, weights);
    softmax.set_attr<int64_t>(op::attr::axis, -1);
    softmax.set_attr<std::string>(op::attr::mode, "inf_as_zero");
    auto result = value(f32, rows);
    add(op::kind::MatMul, {weights, input(f32, rows, v)}, result);
    outputs.emplace_back(result, engine, out);
    for (op &each : ops)
      attention.add_op(each);
    attention.finalize();
    auto partitions = attention.get_partitions();
    if (partitions.size() != 1 || !partitions[0].is_supported())
      throw std::runtime_error("it is not one partition");
    compiled = partitions[0].compile(inputTypes, {result}, engine);
  }

  void run() {
    compiled.execute(stream, inputs, outputs);
    stream.wait();
  }

private:
  using Shape = logical_tensor::dims;

  logical_tensor value(logical_tensor::data_type type, const Shape &shape) {
    return logical_tensor(id++, type, shape, logical_tensor::layout_type::strided);
  }

  logical_tensor input(logical_tensor::data_type type, const Shape &shape, void *data) {
    inputTypes.push_back(value(type, shape));
    inputs.emplace_back(inputTypes.back(), engine, data);
    return inputTypes.back();
  }

  op &add(op::kind kind, const std::vector<logical_tensor> &from, const logical_tensor &to) {
    ops.emplace_back(id++, kind, "op" + std::to_string(id));
    ops.back().add_inputs(from);
    ops.back().add_outputs({to});
    return ops.back();
  }

  size_t id = 0;
  dnnl::engine engine;
  dnnl::stream stream;
  dnnl::graph::graph attention;
  float scale, hidden;
  std::vector<float> bias;
  std::vector<op> ops;
  std::vector<logical_tensor> inputTypes;
  std::vector<tensor> inputs, outputs;
  compiled_partition compiled;
};
} // namespace

static std::unique_ptr<Attention> attention;

static void call(void) { attention->run(); }

static void prepare(void) {
  double best = 1e30;
  std::unique_ptr<Attention> fastest;
  std::vector<Mask> masks = {Mask::None};
  if (causal)
    masks = {Mask::Memory, Mask::Indices};
  for (Mask mask : masks) {
    try {
      attention = std::make_unique<Attention>(mask);
      call();
      double start = now();
      call();
      double seconds = now() - start;
      if (seconds < best)
        best = seconds, fastest = std::move(attention);
    } catch (const std::exception &error) {
      fprintf(stderr, "onednn: mask %d: %s\n", (int)mask, error.what());
    }
  }
  if (!fastest)
    exit(1);
  attention = std::move(fastest);
}
