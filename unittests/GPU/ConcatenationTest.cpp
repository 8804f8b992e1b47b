//===- ConcatenationTest.cpp - Reductions over concatenations, executed ---===//
//
// Attention sinks, caches of keys and values, prefixes and rotary embeddings by
// slices, as importers write them: nothing of the size of the scores or of what
// is concatenated may be left, and results must be right, on the CPU and on the
// interpreted GPU.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

#include "Support/ErrorBound.h"

#include "mlir-ext/Pipelines/ToLLVM.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
/// A program; keys are `past` and `now`, one behind the other, if `cache`.
struct Spec {
  int64_t batch = 2, heads = 3, queries = 20, past = 70, now = 20, columns = 16;
  DType type = DType::F32;
  bool cache = false, sink = false, rope = false, mask = false, causal = false;
  /// Sizes of keys are unknown; caches are put together by insert_slice; the
  /// sink comes first.
  bool dynamic = false, byInsertSlice = false, sinkFirst = false;
  /// Keys and values are padded by so many, which are masked out.
  int64_t padding = 0;

  int64_t keys() const { return past + (cache ? now : 0) + padding; }
  std::string describe() const {
    std::string text = std::to_string(batch) + "x" + std::to_string(heads) +
                       "x" + std::to_string(queries) + "x" +
                       std::to_string(columns) + " keys " +
                       std::to_string(past) + "+" + std::to_string(now) + " " +
                       oracle::getName(type);
    for (auto [flag, name] :
         {std::pair(cache, " cache"), std::pair(sink, " sink"),
          std::pair(rope, " rope"), std::pair(mask, " mask"),
          std::pair(causal, " causal"), std::pair(dynamic, " dynamic"),
          std::pair(byInsertSlice, " insert_slice"),
          std::pair(sinkFirst, " sink first"),
          std::pair(padding > 0, " padded")})
      if (flag)
        text += name;
    return text;
  }
};

/// Writes the program line by line.
class Writer {
public:
  explicit Writer(const Spec &spec) : spec(spec) {
    element = spec.type == DType::F16    ? "f16"
              : spec.type == DType::BF16 ? "bf16"
                                         : "f32";
  }

  std::string write() {
    std::string past = size(spec.past), now = size(spec.now),
                keys = size(spec.keys()), wide = size(spec.keys() + 1),
                queries = std::to_string(spec.queries);
    std::string q = type({queries, columns()}), scores = state(keys),
                seen = state(wide);
    std::string arguments = "%q: " + q + ", %k0: " + type({past, columns()}) +
                            ", %v0: " + type({past, columns()});
    if (spec.cache)
      arguments += ", %k1: " + type({now, columns()}) +
                   ", %v1: " + type({now, columns()});
    if (spec.rope)
      for (const char *of : {"q", "k"})
        for (const char *name : {"cos", "sin"})
          arguments += ", %" + std::string(name) + of + ": " +
                       angles(*of == 'q'   ? queries
                              : spec.cache ? now
                                           : past);
    if (spec.sink)
      arguments += ", %logit: tensor<" + std::to_string(spec.heads) + "xf32>";
    if (spec.mask)
      arguments += ", %mask: tensor<" + queries + "x" + keys + "xi1>";
    std::string result = state(columns());
    line("func.func @main(" + arguments + ") -> " + result + " {");
    line("%zero = arith.constant 0.0 : f32");
    line("%nothing = arith.constant 0.0 : " + element);
    line("%ninf = arith.constant 0xFF800000 : f32");
    for (int i = 0; i < 4; ++i)
      line("%c" + std::to_string(i) + " = arith.constant " + std::to_string(i) +
           " : index");
    line("%past = tensor.dim %k0, %c2 : " + type({past, columns()}));
    if (spec.cache) {
      line("%now = tensor.dim %k1, %c2 : " + type({now, columns()}));
      line("%keys = arith.addi %past, %now : index");
    } else {
      line("%padding = arith.constant " + std::to_string(spec.padding) +
           " : index");
      line("%keys = arith.addi %past, %padding : index");
    }
    line("%wide = arith.addi %keys, %c1 : index");

    // 1. Queries, keys, values.
    std::string qs = "%q", ks = "%k0", vs = "%v0";
    if (spec.rope) {
      qs = rotate("q", "%q", queries, "%c0");
      (spec.cache ? rotated : ks) =
          rotate("k", spec.cache ? "%k1" : "%k0", spec.cache ? now : past,
                 spec.cache ? "%now" : "%past");
    }
    std::string all = type({keys, columns()});
    if (spec.cache) {
      ks = join("%k", ks, spec.rope ? rotated : "%k1");
      vs = join("%v", vs, "%v1");
    }

    for (std::string *value : {&ks, &vs})
      if (spec.padding > 0) {
        std::string name = value == &ks ? "%kp" : "%vp";
        line(name + " = tensor.pad " + *value + " low[0, 0, 0, 0] high[0, 0, " +
             std::to_string(spec.padding) + ", 0] {");
        line("^bb0(%b: index, %h: index, %n: index, %d: index):");
        line("tensor.yield %nothing : " + element);
        line("} : " + type({past, columns()}) + " to " + all);
        *value = name;
      }

    // 2. Scores.
    line("%s0 = tensor.empty(" + given("%keys") + ") : " + scores);
    line("%s1 = linalg.fill ins(%zero : f32) outs(%s0 : " + scores + ") -> " +
         scores);
    line("%s2 = linalg.contract indexing_maps = [affine_map<(b,h,m,n,d)->"
         "(b,h,m,d)>, affine_map<(b,h,m,n,d)->(b,h,n,d)>, "
         "affine_map<(b,h,m,n,d)->(b,h,m,n)>] ins(" +
         qs + ", " + ks + " : " + q + ", " + all + ") outs(%s1 : " + scores +
         ") -> " + scores);
    std::string last = "%s2";
    if (spec.mask || spec.causal || spec.padding > 0) {
      line("%s3 = linalg.generic {indexing_maps = [" + identity() +
           (spec.mask ? ", affine_map<(b,h,m,n)->(m,n)>" : "") + ", " +
           identity() + "], " + parallel() + "} ins(" + last +
           (spec.mask ? ", %mask" : "") + " : " + scores +
           (spec.mask ? ", tensor<" + queries + "x" + keys + "xi1>" : "") +
           ") outs(%s0 : " + scores + ") {");
      line(std::string("^bb0(%x: f32, ") + (spec.mask ? "%keep: i1, " : "") +
           "%o: f32):");
      if (spec.causal) {
        line("%m = linalg.index 2 : index");
        line("%n = linalg.index 3 : index");
        line("%end = arith.addi %m, " +
             std::string(spec.cache ? "%past" : "%c0") + " : index");
        line("%sees = arith.cmpi sle, %n, %end : index");
      }
      if (spec.padding > 0) {
        line("%key = linalg.index 3 : index");
        line("%exists = arith.cmpi slt, %key, %past : index");
      }
      std::string keep;
      for (auto [isThere, name] :
           {std::pair(spec.mask, "%keep"), std::pair(spec.causal, "%sees"),
            std::pair(spec.padding > 0, "%exists")}) {
        if (!isThere)
          continue;
        if (keep.empty()) {
          keep = name;
          continue;
        }
        line(keep + "2 = arith.andi " + keep + ", " + name + " : i1");
        keep += "2";
      }
      line("%r = arith.select " + keep + ", %x, %ninf : f32");
      line("linalg.yield %r : f32");
      line("} -> " + scores);
      last = "%s3";
    }

    // 3. Softmax, of which the sink's column is dropped.
    std::string from = scores, at = "%keys";
    if (spec.sink) {
      std::string column = state("1");
      line("%e = tensor.empty() : " + column);
      line("%column = linalg.broadcast ins(%logit : tensor<" +
           std::to_string(spec.heads) + "xf32>) outs(%e : " + column +
           ") dimensions = [0, 2, 3]");
      line("%s4 = tensor.concat dim(3) " +
           (spec.sinkFirst ? "%column, " + last : last + ", %column") + " : (" +
           (spec.sinkFirst ? column + ", " + scores : scores + ", " + column) +
           ") -> " + seen);
      last = "%s4";
      from = seen;
      at = "%wide";
    }
    line("%p0 = tensor.empty(" + given(at) + ") : " + from);
    line("%p1 = linalg.softmax dimension(3) ins(" + last + " : " + from +
         ") outs(%p0 : " + from + ") -> " + from);
    std::string weights = "%p1";
    if (spec.type != DType::F32) {
      std::string narrow = replace(from);
      line("%t0 = tensor.empty(" + given(at) + ") : " + narrow);
      line("%t1 = linalg.generic {indexing_maps = [" + identity() + ", " +
           identity() + "], " + parallel() + "} ins(%p1 : " + from +
           ") outs(%t0 : " + narrow + ") {");
      line("^bb0(%x: f32, %o: " + element + "):");
      line("%r = arith.truncf %x : f32 to " + element);
      line("linalg.yield %r : " + element);
      line("} -> " + narrow);
      weights = "%t1";
    }
    std::string narrowScores = replace(scores), narrowFrom = replace(from);
    if (spec.sink) {
      line("%p2 = tensor.extract_slice " + weights + "[0, 0, 0, " +
           (spec.sinkFirst ? "1" : "0") + "] [" + std::to_string(spec.batch) +
           ", " + std::to_string(spec.heads) + ", " + queries + ", " +
           (spec.dynamic ? "%keys" : std::to_string(spec.keys())) +
           "] [1, 1, 1, 1] : " + narrowFrom + " to " + narrowScores);
      weights = "%p2";
    }

    // 4. The product.
    line("%o0 = tensor.empty() : " + result);
    line("%o1 = linalg.fill ins(%zero : f32) outs(%o0 : " + result + ") -> " +
         result);
    line("%o2 = linalg.contract indexing_maps = [affine_map<(b,h,m,d,n)->"
         "(b,h,m,n)>, affine_map<(b,h,m,d,n)->(b,h,n,d)>, "
         "affine_map<(b,h,m,d,n)->(b,h,m,d)>] ins(" +
         weights + ", " + vs + " : " + narrowScores + ", " + all +
         ") outs(%o1 : " + result + ") -> " + result);
    line("return %o2 : " + result);
    line("}");
    return text;
  }

private:
  void line(const std::string &what) { text += what + "\n"; }
  std::string size(int64_t keys) const {
    return spec.dynamic ? "?" : std::to_string(keys);
  }
  std::string given(const std::string &value) const {
    return spec.dynamic ? value : "";
  }
  std::string columns() const { return std::to_string(spec.columns); }
  std::string head() const {
    return "tensor<" + std::to_string(spec.batch) + "x" +
           std::to_string(spec.heads) + "x";
  }
  std::string type(std::array<std::string, 2> shape) const {
    return head() + shape[0] + "x" + shape[1] + "x" + element + ">";
  }
  std::string state(const std::string &columns) const {
    return head() + std::to_string(spec.queries) + "x" + columns + "xf32>";
  }
  /// A type of f32 with the elements of the program.
  std::string replace(std::string type) const {
    return type.substr(0, type.size() - 4) + element + ">";
  }
  std::string angles(const std::string &rows) const {
    return "tensor<" + rows + "x" + columns() + "x" + element + ">";
  }
  static std::string identity() { return "affine_map<(b,h,m,n)->(b,h,m,n)>"; }
  static std::string parallel() {
    return "iterator_types = [\"parallel\", \"parallel\", \"parallel\", "
           "\"parallel\"]";
  }

  /// `first` and `second` along the keys.
  std::string join(const std::string &name, const std::string &first,
                   const std::string &second) {
    std::string past = type({size(spec.past), columns()}),
                now = type({size(spec.now), columns()}),
                all = type({size(spec.keys()), columns()});
    if (!spec.byInsertSlice) {
      line(name + " = tensor.concat dim(2) " + first + ", " + second + " : (" +
           past + ", " + now + ") -> " + all);
      return name;
    }
    std::string outer =
        std::to_string(spec.batch) + ", " + std::to_string(spec.heads) + ", ";
    auto number = [&](int64_t keys, const std::string &value) {
      return spec.dynamic ? value : std::to_string(keys);
    };
    line(name + "e = tensor.empty(" + given("%keys") + ") : " + all);
    line(name + "f = tensor.insert_slice " + first + " into " + name +
         "e[0, 0, 0, 0] [" + outer + number(spec.past, "%past") + ", " +
         columns() + "] [1, 1, 1, 1] : " + past + " into " + all);
    line(name + " = tensor.insert_slice " + second + " into " + name +
         "f[0, 0, " + number(spec.past, "%past") + ", 0] [" + outer +
         number(spec.now, "%now") + ", " + columns() +
         "] [1, 1, 1, 1] : " + now + " into " + all);
    return name;
  }

  /// x cos + (-x2, x1) sin.
  std::string rotate(const std::string &of, const std::string &x,
                     const std::string &rows, const std::string &value) {
    std::string half = std::to_string(spec.columns / 2);
    std::string whole = type({rows, columns()}), part = type({rows, half});
    std::string n = "%" + of + "r";
    std::string dynamic = rows == "?" ? value : "";
    for (int i : {0, 1})
      line(n + std::to_string(i) + " = tensor.extract_slice " + x +
           "[0, 0, 0, " + (i ? half : "0") + "] [" +
           std::to_string(spec.batch) + ", " + std::to_string(spec.heads) +
           ", " + (rows == "?" ? value : rows) + ", " + half +
           "] [1, 1, 1, 1] : " + whole + " to " + part);
    auto elementwise = [&](const std::string &result, const std::string &type,
                           const std::string &lhs, const std::string &rhs,
                           const std::string &rhsType,
                           const std::string &rhsMap, const std::string &op) {
      line(result + "e = tensor.empty(" + dynamic + ") : " + type);
      line(result + " = linalg.generic {indexing_maps = [" + identity() +
           (rhs.empty() ? "" : ", " + rhsMap) + ", " + identity() + "], " +
           parallel() + "} ins(" + lhs + (rhs.empty() ? "" : ", " + rhs) +
           " : " + type + (rhs.empty() ? "" : ", " + rhsType) + ") outs(" +
           result + "e : " + type + ") {");
      line("^bb0(%x: " + element + (rhs.empty() ? "" : ", %y: " + element) +
           ", %o: " + element + "):");
      line("%r = " + op + " %x" + (rhs.empty() ? "" : ", %y") + " : " +
           element);
      line("linalg.yield %r : " + element);
      line("} -> " + type);
    };
    elementwise(n + "n", part, n + "1", "", "", "", "arith.negf");
    line(n + "h = tensor.concat dim(3) " + n + "n, " + n + "0 : (" + part +
         ", " + part + ") -> " + whole);
    std::string rowMap = "affine_map<(b,h,m,n)->(m,n)>";
    elementwise(n + "c", whole, x, "%cos" + of, angles(rows), rowMap,
                "arith.mulf");
    elementwise(n + "s", whole, n + "h", "%sin" + of, angles(rows), rowMap,
                "arith.mulf");
    elementwise(n + "a", whole, n + "c", n + "s", whole, identity(),
                "arith.addf");
    return n + "a";
  }

  const Spec &spec;
  std::string element, text, rotated;
};

Bounded concatenate(const Bounded &lhs, const Bounded &rhs, int64_t dim) {
  oracle::Shape shape = lhs.value.shape;
  shape[dim] += rhs.value.shape[dim];
  Bounded result{Tensor(shape), Tensor(shape)};
  oracle::forEachIndex(shape, [&](const oracle::Index &index) {
    oracle::Index at = index;
    const Bounded *from = &lhs;
    if (at[dim] >= lhs.value.shape[dim]) {
      at[dim] -= lhs.value.shape[dim];
      from = &rhs;
    }
    result.value.at(index) = from->value.at(at);
    result.error.at(index) = from->error.at(at);
  });
  return result;
}

Bounded slice(const Bounded &x, int64_t dim, int64_t offset, int64_t size) {
  oracle::Shape shape = x.value.shape;
  shape[dim] = size;
  Bounded result{Tensor(shape), Tensor(shape)};
  oracle::forEachIndex(shape, [&](const oracle::Index &index) {
    oracle::Index at = index;
    at[dim] += offset;
    result.value.at(index) = x.value.at(at);
    result.error.at(index) = x.error.at(at);
  });
  return result;
}

/// The inputs of a program and what its result is to be, with keys in tiles of
/// `tile`.
struct Case {
  std::vector<Tensor> inputs;
  Bounded want;

  Case(const Spec &spec, Random &random, int64_t tile) {
    auto draw = [&](const oracle::Shape &shape, double range = 1) {
      inputs.push_back(oracle::random(random, shape, -range, range, spec.type));
      return Bounded(inputs.back());
    };
    auto heads = [&](int64_t rows) {
      return oracle::Shape{spec.batch, spec.heads, rows, spec.columns};
    };
    Bounded q = draw(heads(spec.queries)), k = draw(heads(spec.past)),
            v = draw(heads(spec.past)), k1, v1;
    if (spec.cache) {
      k1 = draw(heads(spec.now));
      v1 = draw(heads(spec.now));
    }
    if (spec.rope) {
      auto rotate = [&](const Bounded &x, const Bounded &cos,
                        const Bounded &sin) {
        int64_t half = spec.columns / 2;
        Bounded turned = concatenate(
            oracle::multiply(slice(x, 3, half, half), -1, DType::F64),
            slice(x, 3, 0, half), 3);
        return oracle::add(
            oracle::product(x, "bhmd", cos, "md", spec.type), "bhmd",
            oracle::product(turned, "bhmd", sin, "md", spec.type), "bhmd",
            spec.type);
      };
      int64_t rows = spec.cache ? spec.now : spec.past;
      Bounded cosQ = draw({spec.queries, spec.columns}),
              sinQ = draw({spec.queries, spec.columns}),
              cosK = draw({rows, spec.columns}),
              sinK = draw({rows, spec.columns});
      q = rotate(q, cosQ, sinQ);
      (spec.cache ? k1 : k) = rotate(spec.cache ? k1 : k, cosK, sinK);
    }
    if (spec.cache) {
      k = concatenate(k, k1, 2);
      v = concatenate(v, v1, 2);
    }
    if (spec.padding > 0) {
      Bounded nothing(Tensor(heads(spec.padding)));
      k = concatenate(k, nothing, 2);
      v = concatenate(v, nothing, 2);
    }
    Bounded column;
    if (spec.sink) {
      inputs.push_back(oracle::random(random, {spec.heads}, -3, 3, DType::F32));
      column =
          Bounded(oracle::rearrange(inputs.back(), "h", "bhmn",
                                    {spec.batch, spec.heads, spec.queries, 1}));
    }
    Tensor keep({spec.queries, spec.keys()}, 1.0);
    if (spec.mask) {
      oracle::forEachIndex(keep.shape, [&](const oracle::Index &index) {
        // Rows of which nothing is visible, among them.
        keep.at(index) = index[0] % 7 != 3 && random.chance(0.7);
      });
      inputs.push_back(keep);
    }
    if (spec.causal)
      oracle::forEachIndex(keep.shape, [&](const oracle::Index &index) {
        if (index[1] > index[0] + (spec.cache ? spec.past : 0))
          keep.at(index) = 0;
      });
    oracle::forEachIndex(keep.shape, [&](const oracle::Index &index) {
      if (index[1] >= spec.keys() - spec.padding)
        keep.at(index) = 0;
    });
    Bounded scores = oracle::contract("bhmd,bhnd->bhmn", q, k, DType::F32);
    if (spec.mask || spec.causal || spec.padding > 0)
      scores = oracle::maskOut(scores, "bhmn", keep, "mn");
    if (spec.sink)
      scores = spec.sinkFirst ? concatenate(column, scores, 3)
                              : concatenate(scores, column, 3);
    // A seam and the sink may cost a tile each.
    int64_t steps = (spec.keys() + tile - 1) / tile + 3;
    Bounded weights = oracle::softmax(scores, 3, DType::F32, DType::F32, steps);
    if (spec.sink)
      weights = slice(weights, 3, spec.sinkFirst, spec.keys());
    weights = oracle::cast(weights, spec.type);
    want = oracle::contract("bhmn,bhnd->bhmd", weights, v, DType::F32, steps);
  }
};

class ConcatenationTest : public GPUTest {
protected:
  static void SetUpTestSuite() {
    GPUTest::SetUpTestSuite();
    executor = new Executor(context);
  }
  static void TearDownTestSuite() { delete executor; }

  static OwningOpRef<ModuleOp> parse(const std::string &text) {
    return parseSourceString<ModuleOp>(text, ParserConfig(context));
  }

  /// Nothing but the result, tiles and keys that are rotated before they are
  /// put into a cache, of any number then, is in memory. `keys` is the size of
  /// tiles, at most.
  static void expectSmallBuffers(ModuleOp module, const Spec &spec,
                                 int64_t keys) {
    if (spec.rope && spec.cache && spec.dynamic)
      return;
    int64_t rows = std::max(spec.queries, spec.columns);
    int64_t allowed =
        std::max(spec.batch * spec.heads * spec.queries * spec.columns,
                 std::max(std::max(keys, spec.columns), spec.queries) * rows);
    module.walk([&](memref::AllocOp op) {
      ASSERT_TRUE(op.getType().hasStaticShape()) << print(op);
      EXPECT_LE(op.getType().getNumElements(), allowed) << print(op);
    });
  }

  static void checkOnCPU(const Spec &spec, uint64_t seed, int64_t keys = 0,
                         int64_t split = 0) {
    SCOPED_TRACE(spec.describe());
    std::string text = Writer(spec).write();
    Random random(seed);
    Case inputs(spec, random, keys > 0 ? keys : 16);
    OwningOpRef<ModuleOp> module = parse(text);
    ASSERT_TRUE(module) << text;
    ToLLVMPipelineOptions options;
    options.keys = keys;
    options.split = split;
    if (split == 0) {
      OwningOpRef<ModuleOp> buffers = module->clone();
      PassManager passes(context);
      buildToBuffersPipeline(passes, options);
      ASSERT_TRUE(succeeded(runAndVerify(passes, *buffers))) << text;
      expectSmallBuffers(*buffers, spec, keys > 0 ? keys : 512);
    }
    PassManager passes(context);
    buildFusionPipeline(passes, options);
    ASSERT_TRUE(succeeded(runAndVerify(passes, *module))) << text;
    Execution execution = executor->run(*module, "main", inputs.inputs);
    ASSERT_TRUE(execution.ok()) << execution.error << text << print(*module);
    oracle::Comparison comparison =
        oracle::compare(execution.outputs.front(), inputs.want);
    EXPECT_TRUE(comparison.ok) << comparison.message << print(*module);
    EXPECT_LT(comparison.looseness, 1);
  }

  static void checkOnGPU(const Spec &spec, uint64_t seed,
                         GPUOptions options = {}) {
    SCOPED_TRACE(spec.describe());
    Random random(seed);
    Case inputs(spec, random, options.keys > 0 ? options.keys : 32);
    GPUOutcome outcome =
        check(Writer(spec).write(), options, inputs.inputs, {inputs.want});
    EXPECT_FALSE(outcome.isScalar()) << outcome.remarks;
    // Chunks of few rows are merged by a kernel of their own.
    if (spec.queries < 16)
      return;
    // Everything is in one kernel.
    ASSERT_TRUE(outcome.device);
    outcome.device->walk([&](Operation *op) {
      if (isa<memref::AllocOp, gpu::AllocOp>(op))
        EXPECT_FALSE(isa<func::FuncOp>(op->getParentOp())) << print(op);
    });
    unsigned numLaunches = 0;
    outcome.device->walk([&](gpu::LaunchFuncOp) { ++numLaunches; });
    EXPECT_EQ(numLaunches, 1u) << print(*outcome.device);
  }

  static inline Executor *executor = nullptr;
};
} // namespace

TEST_F(ConcatenationTest, SinksOnCPU) {
  for (bool dynamic : {false, true})
    for (bool first : {false, true})
      for (DType type : {DType::F32, DType::F16}) {
        Spec spec;
        spec.sink = true;
        spec.dynamic = dynamic;
        spec.sinkFirst = first;
        spec.type = type;
        spec.mask = first;
        spec.causal = dynamic;
        checkOnCPU(spec, 1, /*keys=*/dynamic == first ? 16 : 0);
      }
}

TEST_F(ConcatenationTest, CachesOnCPU) {
  uint64_t seed = 1;
  // With this seed each flag is drawn for sizes that are known and unknown.
  Random random(7);
  for (auto [past, now] : std::vector<std::pair<int64_t, int64_t>>{
           {70, 20}, {64, 32}, {3, 40}, {95, 1}, {1, 1}, {17, 64}})
    for (bool dynamic : {false, true}) {
      Spec spec;
      spec.cache = true;
      spec.past = past;
      spec.now = spec.queries = now;
      spec.dynamic = dynamic;
      spec.causal = random.chance(0.5);
      spec.mask = random.chance(0.4);
      spec.sink = random.chance(0.4);
      spec.byInsertSlice = random.chance(0.4);
      spec.type = random.chance(0.4) ? DType::F16 : DType::F32;
      checkOnCPU(spec, seed++, /*keys=*/random.chance(0.6) ? 16 : 0);
    }
}

TEST_F(ConcatenationTest, RotatedOnCPU) {
  for (bool cache : {false, true})
    for (bool dynamic : {false, true}) {
      Spec spec;
      spec.rope = true;
      spec.cache = cache;
      spec.dynamic = dynamic;
      spec.type = dynamic == cache ? DType::F32 : DType::F16;
      spec.columns = 10;
      spec.causal = dynamic;
      spec.sink = !dynamic;
      // A rotated part of a cache is one buffer.
      if (cache)
        spec.now = 5;
      checkOnCPU(spec, 3, /*keys=*/16);
    }
}

TEST_F(ConcatenationTest, PaddedOnCPU) {
  uint64_t seed = 1;
  for (int64_t padding : {1, 10, 26})
    for (bool dynamic : {false, true}) {
      Spec spec;
      spec.padding = padding;
      spec.dynamic = dynamic;
      spec.causal = padding == 10;
      spec.sink = padding == 1;
      spec.type = dynamic ? DType::F16 : DType::F32;
      checkOnCPU(spec, seed++, /*keys=*/16);
    }
}

TEST_F(ConcatenationTest, PaddedOnGPU) {
  for (bool dynamic : {false, true}) {
    Spec spec;
    spec.batch = 1;
    spec.heads = 2;
    spec.queries = 40;
    spec.past = 100;
    spec.padding = 28;
    spec.columns = 32;
    spec.type = DType::F16;
    spec.dynamic = dynamic;
    checkOnGPU(spec, 7);
  }
}

TEST_F(ConcatenationTest, SinksOnGPU) {
  uint64_t seed = 1;
  for (bool dynamic : {false, true})
    for (bool first : {false, true}) {
      Spec spec;
      spec.heads = 2;
      spec.sink = true;
      spec.dynamic = dynamic;
      spec.sinkFirst = first;
      spec.queries = 70;
      spec.past = 130;
      spec.columns = 32;
      spec.type = first ? DType::BF16 : DType::F16;
      spec.causal = dynamic;
      spec.mask = first;
      checkOnGPU(spec, seed++);
    }
}

TEST_F(ConcatenationTest, CachesOnGPU) {
  uint64_t seed = 1;
  // With this seed each flag is drawn for sizes that are known and unknown.
  Random random(7);
  for (auto [past, now] : std::vector<std::pair<int64_t, int64_t>>{
           {128, 64}, {70, 20}, {100, 130}, {127, 1}, {3, 90}})
    for (bool dynamic : {false, true}) {
      Spec spec;
      spec.batch = 1;
      spec.heads = 2;
      spec.cache = true;
      spec.past = past;
      spec.now = spec.queries = now;
      spec.columns = 32;
      spec.type = DType::F16;
      spec.dynamic = dynamic;
      spec.causal = random.chance(0.5);
      spec.sink = random.chance(0.4);
      spec.byInsertSlice = random.chance(0.4);
      checkOnGPU(spec, seed++);
    }
}

// Few rows, whose keys several workgroups share: a state that the softmax
// starts from is taken up once.
TEST_F(ConcatenationTest, SplitOnGPU) {
  uint64_t seed = 1;
  for (bool sink : {false, true})
    for (bool dynamic : {false, true}) {
      Spec spec;
      spec.batch = 1;
      spec.heads = 2;
      spec.cache = true;
      spec.past = 230;
      spec.now = spec.queries = sink ? 1 : 3;
      spec.columns = 32;
      spec.type = DType::F16;
      spec.sink = sink;
      spec.dynamic = dynamic;
      GPUOptions options;
      options.split = 128;
      checkOnGPU(spec, seed++, options);
    }
}

TEST_F(ConcatenationTest, SplitOnCPU) {
  uint64_t seed = 1;
  for (bool sink : {false, true})
    for (bool dynamic : {false, true}) {
      Spec spec;
      spec.cache = true;
      spec.past = 70;
      spec.now = spec.queries = 3;
      spec.sink = sink;
      spec.dynamic = dynamic;
      checkOnCPU(spec, seed++, /*keys=*/8, /*split=*/32);
    }
}

TEST_F(ConcatenationTest, RotatedOnGPU) {
  for (bool dynamic : {false, true}) {
    Spec spec;
    spec.batch = 1;
    spec.heads = 2;
    spec.rope = true;
    spec.dynamic = dynamic;
    spec.queries = 40;
    spec.past = 100;
    spec.columns = 32;
    spec.type = DType::F16;
    spec.causal = dynamic;
    checkOnGPU(spec, 5);
  }
}
