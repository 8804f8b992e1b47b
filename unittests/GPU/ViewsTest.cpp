//===- ViewsTest.cpp - Attention of what lies elsewhere -------------------===//
//
// Heads that are repeated, slices of one product, results that are merged: as
// importers write them, all of it is one kernel that reads where things lie.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Tensor;

namespace {
class ViewsTest : public GPUTest {
protected:
  /// `text` with each name in brackets replaced.
  static std::string
  fill(std::string text,
       const std::vector<std::pair<std::string, std::string>> &names) {
    for (const auto &[name, value] : names)
      for (size_t at; (at = text.find("[" + name + "]")) != std::string::npos;)
        text.replace(at, name.size() + 2, value);
    return text;
  }

  static Tensor reshape(Tensor x, oracle::Shape shape) {
    x.shape = std::move(shape);
    return x;
  }
  static Bounded reshape(Bounded x, const oracle::Shape &shape) {
    x.value.shape = x.error.shape = shape;
    return x;
  }

  static AttentionSpec makeSpec(DType type) {
    AttentionSpec spec;
    spec.type = spec.probType = spec.outType = type;
    return spec;
  }

  /// One kernel, which multiplies with tensor cores.
  static void expectFused(const GPUOutcome &outcome) {
    EXPECT_FALSE(outcome.fellBack() || outcome.isScalar()) << outcome.remarks;
    EXPECT_EQ(outcome.total().launches, 1) << outcome.kernels;
    EXPECT_GT(outcome.total().mmas, 0);
  }
};
} // namespace

/// As Gemma 2 has it: keys and values of a head are repeated for a group of
/// queries, scores are capped, and products have the type of their operands.
TEST_F(ViewsTest, RepeatedHeads) {
  const char *text = R"(
#id3 = affine_map<(h, i, j) -> (h, i, j)>
#in = affine_map<(b, h, g, i, d) -> (b, h, i, d)>
#id5 = affine_map<(b, h, g, i, d) -> (b, h, g, i, d)>
func.func @main(%q: tensor<1x[H]x[M]x[D]xbf16>, %k: tensor<1x[G]x[N]x[D]xbf16>,
                %v: tensor<1x[G]x[N]x[D]xbf16>) -> tensor<1x[H]x[M]x[D]xbf16> {
  %zero = arith.constant 0.0 : [ACC]
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant 0.0625 : f32
  %cap = arith.constant 8.0 : f32
  %e5 = tensor.empty() : tensor<1x[G]x[R]x[N]x[D]xbf16>
  %kr = linalg.generic {indexing_maps = [#in, #id5],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%k : tensor<1x[G]x[N]x[D]xbf16>) outs(%e5 : tensor<1x[G]x[R]x[N]x[D]xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    linalg.yield %x : bf16
  } -> tensor<1x[G]x[R]x[N]x[D]xbf16>
  %vr = linalg.generic {indexing_maps = [#in, #id5],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
      ins(%v : tensor<1x[G]x[N]x[D]xbf16>) outs(%e5 : tensor<1x[G]x[R]x[N]x[D]xbf16>) {
  ^bb0(%x: bf16, %y: bf16):
    linalg.yield %x : bf16
  } -> tensor<1x[G]x[R]x[N]x[D]xbf16>
  %kc = tensor.collapse_shape %kr [[0, 1, 2], [3], [4]] : tensor<1x[G]x[R]x[N]x[D]xbf16> into tensor<[H]x[N]x[D]xbf16>
  %vc = tensor.collapse_shape %vr [[0, 1, 2], [3], [4]] : tensor<1x[G]x[R]x[N]x[D]xbf16> into tensor<[H]x[N]x[D]xbf16>
  %qc = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x[H]x[M]x[D]xbf16> into tensor<[H]x[M]x[D]xbf16>
  %et = tensor.empty() : tensor<[H]x[D]x[N]xbf16>
  %kt = linalg.transpose ins(%kc : tensor<[H]x[N]x[D]xbf16>) outs(%et : tensor<[H]x[D]x[N]xbf16>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<[H]x[M]x[N]x[ACC]>
  %fs = linalg.fill ins(%zero : [ACC]) outs(%es : tensor<[H]x[M]x[N]x[ACC]>) -> tensor<[H]x[M]x[N]x[ACC]>
  %s = linalg.batch_matmul ins(%qc, %kt : tensor<[H]x[M]x[D]xbf16>, tensor<[H]x[D]x[N]xbf16>)
      outs(%fs : tensor<[H]x[M]x[N]x[ACC]>) -> tensor<[H]x[M]x[N]x[ACC]>
  %ef = tensor.empty() : tensor<[H]x[M]x[N]xf32>
  %x = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s : tensor<[H]x[M]x[N]x[ACC]>) outs(%ef : tensor<[H]x[M]x[N]xf32>) {
  ^bb0(%a: [ACC], %o: f32):
    [WIDE]
    %b = arith.mulf %w, %scale : f32
    %c = arith.divf %b, %cap : f32
    %t = math.tanh %c : f32
    %u = arith.mulf %t, %cap : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %m = arith.cmpi sle, %j, %i : index
    %r = arith.select %m, %u, %low : f32
    linalg.yield %r : f32
  } -> tensor<[H]x[M]x[N]xf32>
  %p = linalg.softmax dimension(2) ins(%x : tensor<[H]x[M]x[N]xf32>) outs(%ef : tensor<[H]x[M]x[N]xf32>) -> tensor<[H]x[M]x[N]xf32>
  %eh = tensor.empty() : tensor<[H]x[M]x[N]xbf16>
  %ph = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<[H]x[M]x[N]xf32>) outs(%eh : tensor<[H]x[M]x[N]xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<[H]x[M]x[N]xbf16>
  %eo = tensor.empty() : tensor<[H]x[M]x[D]xbf16>
  %zo = arith.constant 0.0 : bf16
  %fo = linalg.fill ins(%zo : bf16) outs(%eo : tensor<[H]x[M]x[D]xbf16>) -> tensor<[H]x[M]x[D]xbf16>
  %o = linalg.batch_matmul ins(%ph, %vc : tensor<[H]x[M]x[N]xbf16>, tensor<[H]x[N]x[D]xbf16>)
      outs(%fo : tensor<[H]x[M]x[D]xbf16>) -> tensor<[H]x[M]x[D]xbf16>
  %res = tensor.expand_shape %o [[0, 1], [2], [3]] output_shape [1, [H], [M], [D]] : tensor<[H]x[M]x[D]xbf16> into tensor<1x[H]x[M]x[D]xbf16>
  return %res : tensor<1x[H]x[M]x[D]xbf16>
})";
  for (auto [depth, isNarrow] :
       {std::pair<int64_t, bool>(256, true), {256, false}, {64, true}}) {
    AttentionSpec spec = makeSpec(DType::BF16);
    spec.q = "bhgmd";
    spec.k = "bhnd";
    spec.v = "bhne";
    spec.scores = "bhgmn";
    spec.out = "bhgme";
    spec.sizes = {{'b', 1},  {'h', 2},     {'g', 2},    {'m', 37},
                  {'n', 70}, {'d', depth}, {'e', depth}};
    spec.scale = 0.0625;
    spec.softcap = 8;
    spec.mask = MaskForm::Causal;
    // What is rounded between products is rounded less here.
    if (isNarrow)
      spec.scoreType = DType::BF16;
    AttentionGraph graph = buildAttention(context, spec);
    oracle::Random random(1);
    std::vector<Tensor> inputs = graph.randomInputs(random);
    std::vector<Bounded> want = graph.evaluate(inputs, 3);
    oracle::Shape shape = {1, 4, 37, depth};
    inputs[0] = reshape(inputs[0], shape);
    std::string program =
        fill(text, {{"ACC", isNarrow ? "bf16" : "f32"},
                    {"WIDE", isNarrow ? "%w = arith.extf %a : bf16 to f32"
                                      : "%z = arith.constant 1.0 : f32\n"
                                        "    %w = arith.mulf %a, %z : f32"},
                    {"H", "4"},
                    {"G", "2"},
                    {"R", "2"},
                    {"M", "37"},
                    {"N", "70"},
                    {"D", std::to_string(depth)}});
    GPUOptions options;
    options.rows = options.columns = options.keys = 0;
    expectFused(check(program, options, inputs, {reshape(want[0], shape)}));
  }
}

/// As a ViT has it: queries, keys and values are slices of one tensor, of which
/// heads are transposed at once; heads of the result are merged.
TEST_F(ViewsTest, PackedQueriesKeysAndValues) {
  const char *text = R"(
#id3 = affine_map<(h, i, j) -> (h, i, j)>
func.func @main(%x: tensor<2x[S]x[P]xf16>) -> tensor<2x[S]x[C]xf16> {
  %zero = arith.constant 0.0 : f32
  %x5 = tensor.expand_shape %x [[0], [1], [2, 3, 4]] output_shape [2, [S], 3, 3, 16] : tensor<2x[S]x[P]xf16> into tensor<2x[S]x3x3x16xf16>
  %e5 = tensor.empty() : tensor<3x2x3x[S]x16xf16>
  %t5 = linalg.transpose ins(%x5 : tensor<2x[S]x3x3x16xf16>) outs(%e5 : tensor<3x2x3x[S]x16xf16>) permutation = [2, 0, 3, 1, 4]
  %q5 = tensor.extract_slice %t5[0, 0, 0, 0, 0] [1, 2, 3, [S], 16] [1, 1, 1, 1, 1] : tensor<3x2x3x[S]x16xf16> to tensor<1x2x3x[S]x16xf16>
  %k5 = tensor.extract_slice %t5[1, 0, 0, 0, 0] [1, 2, 3, [S], 16] [1, 1, 1, 1, 1] : tensor<3x2x3x[S]x16xf16> to tensor<1x2x3x[S]x16xf16>
  %v5 = tensor.extract_slice %t5[2, 0, 0, 0, 0] [1, 2, 3, [S], 16] [1, 1, 1, 1, 1] : tensor<3x2x3x[S]x16xf16> to tensor<1x2x3x[S]x16xf16>
  %q = tensor.collapse_shape %q5 [[0, 1, 2], [3], [4]] : tensor<1x2x3x[S]x16xf16> into tensor<6x[S]x16xf16>
  %k = tensor.collapse_shape %k5 [[0, 1, 2], [3], [4]] : tensor<1x2x3x[S]x16xf16> into tensor<6x[S]x16xf16>
  %v = tensor.collapse_shape %v5 [[0, 1, 2], [3], [4]] : tensor<1x2x3x[S]x16xf16> into tensor<6x[S]x16xf16>
  %et = tensor.empty() : tensor<6x16x[S]xf16>
  %kt = linalg.transpose ins(%k : tensor<6x[S]x16xf16>) outs(%et : tensor<6x16x[S]xf16>) permutation = [0, 2, 1]
  %es = tensor.empty() : tensor<6x[S]x[S]xf32>
  %fs = linalg.fill ins(%zero : f32) outs(%es : tensor<6x[S]x[S]xf32>) -> tensor<6x[S]x[S]xf32>
  %s = linalg.batch_matmul ins(%q, %kt : tensor<6x[S]x16xf16>, tensor<6x16x[S]xf16>)
      outs(%fs : tensor<6x[S]x[S]xf32>) -> tensor<6x[S]x[S]xf32>
  %p = linalg.softmax dimension(2) ins(%s : tensor<6x[S]x[S]xf32>) outs(%es : tensor<6x[S]x[S]xf32>) -> tensor<6x[S]x[S]xf32>
  %eh = tensor.empty() : tensor<6x[S]x[S]xf16>
  %ph = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%p : tensor<6x[S]x[S]xf32>) outs(%eh : tensor<6x[S]x[S]xf16>) {
  ^bb0(%a: f32, %o: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<6x[S]x[S]xf16>
  %eo = tensor.empty() : tensor<6x[S]x16xf32>
  %fo = linalg.fill ins(%zero : f32) outs(%eo : tensor<6x[S]x16xf32>) -> tensor<6x[S]x16xf32>
  %o = linalg.batch_matmul ins(%ph, %v : tensor<6x[S]x[S]xf16>, tensor<6x[S]x16xf16>)
      outs(%fo : tensor<6x[S]x16xf32>) -> tensor<6x[S]x16xf32>
  %er = tensor.empty() : tensor<6x[S]x16xf16>
  %r = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%o : tensor<6x[S]x16xf32>) outs(%er : tensor<6x[S]x16xf16>) {
  ^bb0(%a: f32, %z: f16):
    %t = arith.truncf %a : f32 to f16
    linalg.yield %t : f16
  } -> tensor<6x[S]x16xf16>
  %r4 = tensor.expand_shape %r [[0, 1], [2], [3]] output_shape [2, 3, [S], 16] : tensor<6x[S]x16xf16> into tensor<2x3x[S]x16xf16>
  %em = tensor.empty() : tensor<2x[S]x3x16xf16>
  %m = linalg.transpose ins(%r4 : tensor<2x3x[S]x16xf16>) outs(%em : tensor<2x[S]x3x16xf16>) permutation = [0, 2, 1, 3]
  %res = tensor.collapse_shape %m [[0], [1], [2, 3]] : tensor<2x[S]x3x16xf16> into tensor<2x[S]x[C]xf16>
  return %res : tensor<2x[S]x[C]xf16>
})";
  AttentionSpec spec = makeSpec(DType::F16);
  spec.q = "bmhd";
  spec.k = "bnhd";
  spec.v = "bnhe";
  spec.scores = "bhmn";
  spec.out = "bmhe";
  const int64_t length = 77;
  spec.sizes = {{'b', 2},      {'h', 3},  {'m', length},
                {'n', length}, {'d', 16}, {'e', 16}};
  AttentionGraph graph = buildAttention(context, spec);
  oracle::Random random(1);
  std::vector<Tensor> inputs = graph.randomInputs(random);
  std::vector<Bounded> want = graph.evaluate(inputs, 2);
  Tensor packed(oracle::Shape{2, length, 3, 3, 16});
  for (int64_t b = 0; b < 2; ++b)
    for (int64_t i = 0; i < length; ++i)
      for (int64_t part = 0; part < 3; ++part)
        for (int64_t h = 0; h < 3; ++h)
          for (int64_t d = 0; d < 16; ++d)
            packed.at({b, i, part, h, d}) = inputs[part].at({b, i, h, d});
  std::string program =
      fill(text, {{"S", std::to_string(length)}, {"P", "144"}, {"C", "48"}});
  expectFused(check(program, {}, {reshape(packed, {2, length, 144})},
                    {reshape(want[0], {2, length, 48})}));
}
