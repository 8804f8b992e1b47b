//===- HopperKernels.cpp - Kernels with roles and rings -------------------===//
//
// See HopperKernels.h.
//
//===----------------------------------------------------------------------===//

#include "HopperKernels.h"

#include <sstream>

using namespace linalg_ext_test;

namespace {
/// Writes ops, and numbers their results.
class Writer {
public:
  void line(const std::string &text) { out << text << "\n"; }
  std::string op(const std::string &text) {
    std::string name = "%v" + std::to_string(next++);
    line(name + " = " + text);
    return name;
  }
  std::string index(int64_t value) {
    return op("arith.constant " + std::to_string(value) + " : index");
  }
  std::string i64(uint64_t value) {
    return op("arith.constant " + std::to_string(static_cast<int64_t>(value)) +
              " : i64");
  }
  std::string i32(int64_t value) {
    return op("arith.constant " + std::to_string(value) + " : i32");
  }
  std::string f32(const std::string &value) {
    return op("arith.constant " + value + " : f32");
  }
  /// A binary op on index, or on another type.
  std::string arith(const std::string &name, const std::string &a,
                    const std::string &b, const std::string &type = "index") {
    return op("arith." + name + " " + a + ", " + b + " : " + type);
  }
  /// The first result of a shuffle.
  std::string shuffle(const std::string &value, const std::string &offset,
                      const std::string &width) {
    std::string name = "%v" + std::to_string(next++);
    line(name + ":2 = gpu.shuffle xor " + value + ", " + offset + ", " + width +
         " : f32");
    return name + "#0";
  }
  std::string str() const { return out.str(); }

private:
  std::ostringstream out;
  int next = 0;
};

/// A kernel with a copying role behind `parts` computing warpgroups.
class KernelWriter : public Writer {
public:
  KernelWriter(int parts, int slots) : parts(parts), slots(slots) {}

  std::string barrierType(int count) const {
    return "!nvgpu.mbarrier.group<memorySpace = #gpu.address_space<workgroup>, "
           "num_barriers = " +
           std::to_string(count) + ">";
  }
  static std::string tile(int rows, int columns, const std::string &type) {
    return "memref<" + std::to_string(rows) + "x" + std::to_string(columns) +
           "x" + type + ", 3>";
  }
  static std::string mapType(int rows, int columns, const std::string &type,
                             int swizzle) {
    std::string name =
        swizzle == 0 ? "none" : "swizzle_" + std::to_string(swizzle) + "b";
    return "!nvgpu.tensormap.descriptor<tensor = " + tile(rows, columns, type) +
           ", swizzle = " + name +
           ", l2promo = none, oob = zero, interleave = none>";
  }
  /// A tensor map of the memref `%name` : ?x?xtype.
  std::string map(const std::string &name, int rows, int columns,
                  const std::string &type, int swizzle) {
    std::string cast = op("memref.cast " + name + " : memref<?x?x" + type +
                          "> to memref<*x" + type + ">");
    return op("nvgpu.tma.create.descriptor " + cast + " box[" + index(rows) +
              ", " + index(columns) + "] : memref<*x" + type + "> -> " +
              mapType(rows, columns, type, swizzle));
  }
  static std::string global(const std::string &name, const std::string &type) {
    return "memref.global \"private\" @" + name + " : " + type +
           " {alignment = 1024}\n";
  }
  std::string getGlobal(const std::string &name, const std::string &type) {
    return op("memref.get_global @" + name + " : " + type);
  }

  /// Starts the launch, and initialises the barriers of `rings` rings, and, if
  /// `hasSingle`, one more barrier of one arrival.
  void beginKernel(const std::string &gridX, const std::string &gridY,
                   int rings, bool hasSingle) {
    std::string one = index(1), threads = index(128 * (parts + 1));
    line("gpu.launch blocks(%bx, %by, %bz) in (%gx = " + gridX +
         ", %gy = " + gridY + ", %gz = " + one +
         ") threads(%tx, %ty, %tz) in (%sx = " + threads + ", %sy = " + one +
         ", %sz = " + one + ") {");
    c0 = index(0);
    c1 = index(1);
    // For changes of what follows.
    line("%flip = arith.constant true");
    line("%sixteen = arith.constant 16 : index");
    line("%unit = arith.constant 1 : index");
    std::string first = op("arith.cmpi eq, %tx, " + c0 + " : index");
    if (hasSingle)
      single = op("nvgpu.mbarrier.create -> " + barrierType(1));
    for (int ring = 0; ring < rings; ++ring) {
      full.push_back(op("nvgpu.mbarrier.create -> " + barrierType(slots)));
      empty.push_back(op("nvgpu.mbarrier.create -> " + barrierType(slots)));
    }
    line("scf.if " + first + " {");
    auto init = [&](const std::string &barrier, int size, const std::string &at,
                    const std::string &count) {
      line("nvgpu.mbarrier.init " + barrier + "[" + at + "], " + count + " : " +
           barrierType(size) + " // @init");
    };
    if (hasSingle)
      init(single, 1, c0, c1);
    std::string warps = index(4 * parts);
    for (int ring = 0; ring < rings; ++ring)
      for (int slot = 0; slot < slots; ++slot) {
        std::string at = index(slot);
        init(full[ring], slots, at, c1);
        init(empty[ring], slots, at, warps);
      }
    line("nvvm.fence.mbarrier.init // @fence");
    line("}");
    line("gpu.barrier // @barrier");
    warpgroup = arith("divui", "%tx", index(128));
    lane = arith("remui", "%tx", index(32));
    thread = arith("remui", "%tx", index(128));
    ticks = index(10000000);
  }
  void beginCopy() {
    std::string copies =
        op("arith.cmpi eq, " + warpgroup + ", " + index(parts) + " : index");
    line("scf.if " + copies + " {");
    // One part has enough without what this gives back.
    line(std::string("nvvm.setmaxregister decrease 24") +
         (parts > 1 ? " // @decrease" : ""));
    std::string warp = arith("divui", thread, index(32));
    line("scf.if " + op("arith.cmpi eq, " + warp + ", " + c0 + " : index") +
         " {");
    line("scf.if " + op("nvvm.elect.sync -> i1") + " {");
  }
  void beginCompute() {
    line("}\n}\n} else {");
    int registers = parts == 1 ? 240 : parts == 2 ? 240 : 160;
    line("nvvm.setmaxregister increase " + std::to_string(registers));
  }
  void endKernel() { line("}\ngpu.terminator\n}"); }

  /// Slot and parity of position `n`.
  void place(const std::string &n, std::string &slot, std::string &parity) {
    slot = arith("remui", n, index(slots));
    std::string round = arith("divui", n, index(slots));
    std::string odd = arith("remui", round, index(2));
    parity = op("arith.cmpi eq, " + odd + ", " + c1 + " : index");
  }
  void waitFor(const std::string &barrier, int count, const std::string &slot,
               const std::string &parity, const std::string &mark) {
    line("nvgpu.mbarrier.try_wait.parity " + barrier + "[" + slot + "], " +
         parity + ", " + ticks + " : " + barrierType(count) + " // @" + mark);
  }
  void expect(const std::string &barrier, int count, const std::string &slot,
              int64_t bytes, const std::string &mark) {
    std::string number = index(bytes);
    line("nvgpu.mbarrier.arrive.expect_tx " + barrier + "[" + slot + "], " +
         number + " : " + barrierType(count) + " // @" + mark);
  }
  void waitForFull(int ring, const std::string &n, std::string &slot) {
    std::string parity;
    place(n, slot, parity);
    waitFor(full[ring], slots, slot, parity, "full" + std::to_string(ring));
  }
  void waitForEmpty(int ring, const std::string &n, std::string &slot) {
    std::string parity;
    place(n, slot, parity);
    std::string yes = op("arith.constant true");
    waitFor(empty[ring], slots, slot, arith("xori", parity, yes, "i1"),
            "empty" + std::to_string(ring));
  }
  /// One thread of each warp arrives.
  void release(int ring, const std::string &slot) {
    line("scf.if " + op("arith.cmpi eq, " + lane + ", " + c0 + " : index") +
         " {");
    op("nvgpu.mbarrier.arrive " + empty[ring] + "[" + slot +
       "] : " + barrierType(slots) + " -> !nvgpu.mbarrier.token // @release" +
       std::to_string(ring));
    line("}");
  }
  /// Copies a box to the memref `to`, whose type is `toType`.
  void load(const std::string &map, const std::string &mapType,
            const std::string &column, const std::string &row,
            const std::string &barrier, int count, const std::string &slot,
            const std::string &to, const std::string &toType) {
    line("nvgpu.tma.async.load " + map + "[" + column + ", " + row + "], " +
         barrier + "[" + slot + "] to " + to + " : " + mapType + ", " +
         barrierType(count) + " -> " + toType + " // @load");
  }
  /// Box `at` of `count` boxes in the memref `name`; sets its type.
  std::string box(const std::string &name, int count, int rows, int columns,
                  const std::string &type, const std::string &at,
                  std::string &boxType) {
    std::string r = std::to_string(rows), c = std::to_string(columns);
    boxType = "memref<" + r + "x" + c + "x" + type + ", strided<[" + c +
              ", 1], offset: ?>, 3>";
    return op("memref.subview " + name + "[" + at + ", 0, 0] [1, " + r + ", " +
              c + "] [1, 1, 1] : " + boxes(count, rows, columns, type) +
              " to " + boxType);
  }
  static std::string boxes(int count, int rows, int columns,
                           const std::string &type) {
    return "memref<" + std::to_string(count) + "x" + std::to_string(rows) +
           "x" + std::to_string(columns) + "x" + type + ", 3>";
  }

  /// The address of a memref, as i64.
  std::string address(const std::string &name, const std::string &type) {
    std::string at = op("memref.extract_aligned_pointer_as_index " + name +
                        " : " + type + " -> index");
    return op("arith.index_cast " + at + " : index to i64");
  }
  /// The descriptor of what is `bytes` (index) behind `address`.
  std::string descriptor(const std::string &address, const std::string &bytes,
                         int64_t leading, int64_t stride, int swizzle) {
    uint64_t mode = swizzle == 128 ? 1 : swizzle == 64 ? 2 : swizzle ? 3 : 0;
    std::string behind = op("arith.index_cast " + bytes + " : index to i64");
    std::string start = arith("addi", address, behind, "i64");
    start = arith("andi", start, i64(0x3ffff), "i64");
    start = arith("shrui", start, i64(4), "i64");
    uint64_t high = static_cast<uint64_t>(leading / 16) << 16 |
                    static_cast<uint64_t>(stride / 16) << 32 | mode << 62;
    return arith("ori", start, i64(high), "i64");
  }
  static std::string structOf(int count) {
    std::string type = "!llvm.struct<(";
    for (int i = 0; i < count; ++i)
      type += i ? ", f32" : "f32";
    return type + ")>";
  }
  /// The name of a type in an instruction.
  static std::string getInstructionType(const std::string &type) {
    return type == "f32"        ? "tf32"
           : type == "f8E4M3FN" ? "e4m3"
           : type == "f8E5M2"   ? "e5m2"
                                : type;
  }
  std::string wgmma(const std::string &a, const std::string &b,
                    const std::string &acc, int k, const std::string &type,
                    const std::string &typeB, bool isKMajorA, bool isKMajorB,
                    bool zero) {
    std::string scale = ", #nvvm.wgmma_scale_in<one>, ";
    return op("nvvm.wgmma.mma_async " + a + ", " + b + ", " + acc +
              ", #nvvm.shape<m = 64, n = 64, k = " + std::to_string(k) +
              ">, D [<f32>, #nvvm.wgmma_scale_out<" + (zero ? "zero" : "one") +
              ">], A [<" + getInstructionType(type) + ">" + scale +
              (isKMajorA ? "<row>" : "<col>") + "], B [<" +
              getInstructionType(typeB) + ">" + scale +
              (isKMajorB ? "<col>" : "<row>") + "] : " + structOf(32) + " -> " +
              structOf(32));
  }
  void fenceProducts(const std::string &mark) {
    line("nvvm.wgmma.fence.aligned // @" + mark);
  }
  void waitForProducts(const std::string &mark) {
    line("nvvm.wgmma.commit.group.sync.aligned // @commit-" + mark);
    line("nvvm.wgmma.wait.group.sync.aligned 0 // @wait-" + mark);
  }
  std::string element(const std::string &fragment, int i) {
    return op("llvm.extractvalue " + fragment + "[" + std::to_string(i) +
              "] : " + structOf(32));
  }
  /// Row of element 0 in the 64 rows of the warpgroup, and its column.
  void fragment(std::string &row, std::string &column) {
    std::string warp = arith("divui", thread, index(32));
    row = arith("addi", arith("muli", warp, index(16)),
                arith("divui", lane, index(4)));
    column = arith("muli", arith("remui", lane, index(4)), index(2));
  }

  int parts, slots;
  std::vector<std::string> full, empty;
  std::string single, c0, c1, warpgroup, lane, thread, ticks;
};
} // namespace

std::vector<std::string>
linalg_ext_test::getMarkedLines(const std::string &text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.find("// @") != std::string::npos)
      lines.push_back(line);
  return lines;
}

//===----------------------------------------------------------------------===//
// The product
//===----------------------------------------------------------------------===//

namespace {
/// An operand in a ring, with `size` rows (A) or columns (B) of the tile of C.
/// If k is contiguous, a slot is one box, else a panel of boxes side by side.
struct ProductOperand {
  ProductOperand(KernelWriter &w, const ProductKernel &kernel,
                 const std::string &name, const std::string &type, int size,
                 bool isKMajor)
      : w(w), name(name), type(type), swizzle(kernel.swizzle), size(size),
        isKMajor(isKMajor) {
    bytes = type == "f32" ? 4 : type.substr(0, 2) == "f8" ? 1 : 2;
    depth = swizzle / bytes;
    boxRows = isKMajor ? size : depth;
    panels = isKMajor ? 1 : size / depth;
    count = kernel.slots * panels;
  }

  std::string ringType() const { return w.boxes(count, boxRows, depth, type); }
  int slotBytes() const { return size * swizzle; }
  void makeMap() { map = w.map("%" + name, boxRows, depth, type, swizzle); }
  void getRing() { ring = w.getGlobal("s" + name, ringType()); }

  /// Copies the elements from `first` and `k0` on to a slot.
  void load(const std::string &slot, const std::string &first,
            const std::string &k0) {
    for (int i = 0; i < panels; ++i) {
      std::string boxType, at = w.arith("muli", slot, w.index(panels));
      at = w.arith("addi", at, w.index(i));
      std::string to = w.box(ring, count, boxRows, depth, type, at, boxType);
      std::string column = w.arith("addi", first, w.index(i * depth));
      w.load(map, w.mapType(boxRows, depth, type, swizzle),
             isKMajor ? k0 : column, isKMajor ? first : k0, w.full[0], w.slots,
             slot, to, boxType);
    }
  }
  /// The descriptor of instruction `i` of part `part`; `at` is the address of
  /// the ring.
  std::string descriptor(const std::string &at, const std::string &slot,
                         const std::string &part, int i) {
    std::string behind = w.arith("muli", slot, w.index(slotBytes()));
    behind =
        w.arith("addi", behind, w.arith("muli", part, w.index(64 * swizzle)));
    int step = 32 / bytes;
    behind = w.arith("addi", behind,
                     w.index(isKMajor ? 32 * i : step * swizzle * i));
    return w.descriptor(at, behind, isKMajor ? 16 : depth * swizzle,
                        8 * swizzle, swizzle);
  }

  KernelWriter &w;
  std::string name, type, map, ring;
  int swizzle, size, bytes, depth, boxRows, panels, count;
  bool isKMajor;
};
} // namespace

/// Stores the accumulator %d where there is an element of C.
static void storeProduct(KernelWriter &w, const std::string &m,
                         const std::string &n, const std::string &m0,
                         const std::string &n0) {
  std::string row, column;
  w.fragment(row, column);
  row = w.arith("addi", row, w.arith("muli", w.warpgroup, w.index(64)));
  row = w.arith("addi", row, m0);
  column = w.arith("addi", column, n0);
  for (int i = 0; i < 32; ++i) {
    std::string r = w.arith("addi", row, w.index(i / 2 % 2 * 8));
    std::string c = w.arith("addi", column, w.index(i / 4 * 8 + i % 2));
    std::string inM = w.op("arith.cmpi slt, " + r + ", " + m + " : index");
    std::string inN = w.op("arith.cmpi slt, " + c + ", " + n + " : index");
    std::string value = w.element("%d", i);
    w.line("scf.if " + w.arith("andi", inM, inN, "i1") + " {");
    w.line("memref.store " + value + ", %c[" + r + ", " + c +
           "] : memref<?x?xf32>");
    w.line("}");
  }
}

std::string ProductKernel::build() const {
  KernelWriter w(parts, slots);
  const std::string &second = typeB.empty() ? type : typeB;
  ProductOperand a(w, *this, "a", type, 64 * parts, !transposedA);
  ProductOperand b(w, *this, "b", second, 64, transposed);
  std::string memref = "memref<?x?x" + type + ">",
              memrefB = "memref<?x?x" + second + ">";
  w.line(w.global("sa", a.ringType()) + w.global("sb", b.ringType()) +
         "func.func @main(%a : " + memref + ", %b : " + memrefB +
         ", %c : memref<?x?xf32>) {");
  a.makeMap();
  b.makeMap();
  std::string h0 = w.index(0), h1 = w.index(1);
  std::string m = w.op("memref.dim %c, " + h0 + " : memref<?x?xf32>");
  std::string n = w.op("memref.dim %c, " + h1 + " : memref<?x?xf32>");
  std::string k =
      w.op("memref.dim %a, " + (transposedA ? h0 : h1) + " : " + memref);
  std::string gy = w.arith("ceildivui", m, w.index(a.size));
  std::string gx = w.arith("ceildivui", n, w.index(b.size));
  std::string steps = w.arith("ceildivui", k, w.index(a.depth));
  w.beginKernel(gx, gy, /*rings=*/1, /*hasSingle=*/false);
  a.getRing();
  b.getRing();
  std::string m0 = w.arith("muli", "%by", w.index(a.size));
  std::string n0 = w.arith("muli", "%bx", w.index(b.size));

  w.beginCopy();
  std::string slot;
  w.line("scf.for %i = " + w.c0 + " to " + steps + " step " + w.c1 + " {");
  w.waitForEmpty(0, "%i", slot);
  w.expect(w.full[0], slots, slot, a.slotBytes() + b.slotBytes(), "expect");
  std::string k0 = w.arith("muli", "%i", w.index(a.depth));
  a.load(slot, m0, k0);
  b.load(slot, n0, k0);
  w.line("}");

  w.beginCompute();
  std::string atA = w.address(a.ring, a.ringType());
  std::string atB = w.address(b.ring, b.ringType());
  std::string zero = w.f32("0.0"),
              acc = w.op("llvm.mlir.undef : " + w.structOf(32));
  for (int i = 0; i < 32; ++i)
    acc = w.op("llvm.insertvalue " + zero + ", " + acc + "[" +
               std::to_string(i) + "] : " + w.structOf(32));
  w.line("%d = scf.for %i = " + w.c0 + " to " + steps + " step " + w.c1 +
         " iter_args(%acc = " + acc + ") -> (" + w.structOf(32) + ") {");
  w.waitForFull(0, "%i", slot);
  w.fenceProducts("fence-products");
  std::string d = "%acc";
  for (int i = 0; i < swizzle / 32; ++i)
    d = w.wgmma(a.descriptor(atA, slot, w.warpgroup, i),
                b.descriptor(atB, slot, w.c0, i), d, 32 / a.bytes, type, second,
                !transposedA, transposed, /*zero=*/false);
  w.waitForProducts("product");
  w.release(0, slot);
  w.line("scf.yield " + d + " : " + w.structOf(32) + "\n}");
  storeProduct(w, m, n, m0, n0);
  w.endKernel();
  w.line("return\n}");
  return w.str();
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

/// The maximum or the sum of a value over the four lanes of a row.
static std::string reduceRow(KernelWriter &w, const std::string &name,
                             std::string value) {
  for (int offset : {1, 2}) {
    std::string o = w.i32(offset), width = w.i32(32);
    value = w.arith(name, value, w.shuffle(value, o, width), "f32");
  }
  return value;
}

namespace {
/// Writes an AttentionKernel, piece by piece.
class AttentionWriter {
public:
  explicit AttentionWriter(const AttentionKernel &kernel)
      : w(kernel.parts, kernel.slots), turns(kernel.turns), parts(kernel.parts),
        slots(kernel.slots) {}
  std::string build();

private:
  void begin();
  void copy();
  void beginCompute();
  void beginLoop();
  std::string computeScores();
  void computeSoftmax(const std::string &scores);
  void storeWeights();
  std::string computeResult();
  void storeResult();

  void barrier(const std::string &mark) {
    w.line("nvvm.barrier id = " + named + " number_of_threads = " + size +
           " // @" + mark);
  }
  void fenceProxy(const std::string &mark) {
    w.line("nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = "
           "#nvvm.shared_space<cta>} // @" +
           mark);
  }
  void turn(const std::string &op, const std::string &id,
            const std::string &mark) {
    if (turns)
      w.line("nvvm.barrier" + op + " id = " + id +
             " number_of_threads = " + both + " // @" + mark);
  }
  /// Row and column of element `i` of a fragment, in the tile of the part.
  void place(int i, std::string &r, std::string &c) {
    r = w.arith("addi", row, w.index(i / 2 % 2 * 8));
    c = w.arith("addi", column, w.index(i / 4 * 8 + i % 2));
  }

  KernelWriter w;
  bool turns;
  int parts, slots;
  const std::string memref = "memref<?x?xf16>",
                    mapType = KernelWriter::mapType(64, 64, "f16", 128);
  // Types and names of the tiles of Q, K, V and the weights P.
  std::string qType, kType, pType, sq, sk, sv, sp, aq, ak, av, ap;
  std::string tq, tk, tv, to, n, steps, m0, no;
  // In the role that computes.
  std::string tile, part, row, column, zero, low, undefined, named, size, both;
  std::string isFirst, own, other, slot;
  std::vector<std::string> p, max, sum, scale;
};
} // namespace

void AttentionWriter::begin() {
  qType = w.boxes(parts, 64, 64, "f16");
  kType = w.boxes(slots, 64, 64, "f16");
  // Core matrices of 8x8, one after the other, by columns.
  pType = "memref<" + std::to_string(parts) + "x8x8x8x8xf16, 3>";
  w.line(w.global("sq", qType) + w.global("sk", kType) + w.global("sv", kType) +
         w.global("sp", pType) + "func.func @main(%q : " + memref +
         ", %k : " + memref + ", %v : " + memref + ", %o : " + memref + ") {");
  tq = w.map("%q", 64, 64, "f16", 128);
  tk = w.map("%k", 64, 64, "f16", 128);
  tv = w.map("%v", 64, 64, "f16", 128);
  to = w.map("%o", 64, 64, "f16", 128);
  std::string h0 = w.index(0), h1 = w.index(1);
  std::string m = w.op("memref.dim %q, " + h0 + " : " + memref);
  n = w.op("memref.dim %k, " + h0 + " : " + memref);
  std::string gx = w.arith("ceildivui", m, w.index(64 * parts));
  steps = w.arith("ceildivui", n, w.index(64));
  w.beginKernel(gx, h1, /*rings=*/2, /*hasSingle=*/true);
  sq = w.getGlobal("sq", qType);
  sk = w.getGlobal("sk", kType);
  sv = w.getGlobal("sv", kType);
  sp = w.getGlobal("sp", pType);
  m0 = w.arith("muli", "%bx", w.index(64 * parts));
  no = w.op("arith.constant false");
}

/// The role that copies.
void AttentionWriter::copy() {
  w.beginCopy();
  std::string boxType, box;
  w.expect(w.single, 1, w.c0, 64 * parts * 128, "expect-q");
  for (int i = 0; i < parts; ++i) {
    box = w.box(sq, parts, 64, 64, "f16", w.index(i), boxType);
    w.load(tq, mapType, w.c0, w.arith("addi", m0, w.index(64 * i)), w.single, 1,
           w.c0, box, boxType);
  }
  w.line("scf.for %i = " + w.c0 + " to " + steps + " step " + w.c1 + " {");
  std::string n0 = w.arith("muli", "%i", w.index(64));
  for (int ring : {0, 1}) {
    w.waitForEmpty(ring, "%i", slot);
    w.expect(w.full[ring], slots, slot, 64 * 128,
             "expect" + std::to_string(ring));
    box = w.box(ring ? sv : sk, slots, 64, 64, "f16", slot, boxType);
    w.load(ring ? tv : tk, mapType, w.c0, n0, w.full[ring], slots, slot, box,
           boxType);
  }
  w.line("}");
}

/// What the role that computes has in front of its loop.
void AttentionWriter::beginCompute() {
  w.beginCompute();
  tile = w.index(64 * 128);
  part = w.arith("muli", w.warpgroup, tile);
  aq = w.address(sq, qType);
  ak = w.address(sk, kType);
  av = w.address(sv, kType);
  ap = w.address(sp, pType);
  w.fragment(row, column);
  zero = w.f32("0.0");
  low = w.f32("0xFF800000");
  undefined = w.op("llvm.mlir.undef : " + w.structOf(32));
  named = w.op("arith.index_cast " + w.arith("addi", w.warpgroup, w.c1) +
               " : index to i32");
  size = w.i32(128);
  // Barrier 3 is the turn of the first part, barrier 4 that of the second.
  both = w.i32(256);
  std::string three = w.i32(3), four = w.i32(4);
  isFirst = w.op("arith.cmpi eq, " + w.warpgroup + ", " + w.c0 + " : index");
  auto select = [&](const std::string &a, const std::string &b) {
    return w.op("arith.select " + isFirst + ", " + a + ", " + b + " : i32");
  };
  own = select(three, four);
  other = select(four, three);
  std::string yes = w.op("arith.constant true");
  w.line("scf.if " + w.arith("xori", isFirst, yes, "i1") + " {");
  turn(".arrive", other, "first-turn");
  w.line("}");
}

void AttentionWriter::beginLoop() {
  std::string acc = undefined;
  for (int i = 0; i < 32; ++i)
    acc = w.op("llvm.insertvalue " + zero + ", " + acc + "[" +
               std::to_string(i) + "] : " + w.structOf(32));
  w.waitFor(w.single, 1, w.c0, no, "full-q");
  w.line("%r:5 = scf.for %i = " + w.c0 + " to " + steps + " step " + w.c1 +
         " iter_args(%acc = " + acc + ", %max0 = " + low + ", %max1 = " + low +
         ", %sum0 = " + zero + ", %sum1 = " + zero + ") -> (" + w.structOf(32) +
         ", f32, f32, f32, f32) {");
}

std::string AttentionWriter::computeScores() {
  w.waitForFull(0, "%i", slot);
  std::string at = w.arith("muli", slot, tile);
  turn("", own, "take-turn");
  w.fenceProducts("fence-scores");
  std::string s = undefined;
  for (int i = 0; i < 4; ++i) {
    std::string dq =
        w.descriptor(aq, w.arith("addi", part, w.index(32 * i)), 16, 1024, 128);
    std::string dk =
        w.descriptor(ak, w.arith("addi", at, w.index(32 * i)), 16, 1024, 128);
    s = w.wgmma(dq, dk, s, 16, "f16", "f16", /*isKMajorA=*/true,
                /*isKMajorB=*/true,
                /*zero=*/i == 0);
  }
  turn(".arrive", other, "pass-turn");
  w.waitForProducts("scores");
  w.release(0, slot);
  return s;
}

/// The weights of the scores, and the maxima and sums so far.
void AttentionWriter::computeSoftmax(const std::string &scores) {
  std::string left = w.arith("subi", n, w.arith("muli", "%i", w.index(64)));
  p.resize(32);
  max.resize(2);
  sum.resize(2);
  scale.resize(2);
  for (int i = 0; i < 32; ++i) {
    std::string c = w.arith("addi", column, w.index(i / 4 * 8 + i % 2));
    std::string in = w.op("arith.cmpi slt, " + c + ", " + left + " : index");
    p[i] = w.op("arith.select " + in + ", " + w.element(scores, i) + ", " +
                low + " : f32");
  }
  for (int half : {0, 1}) {
    std::string old = "%max" + std::to_string(half);
    max[half] = old;
    for (int i = 0; i < 32; ++i)
      if (i / 2 % 2 == half)
        max[half] = w.arith("maximumf", max[half], p[i], "f32");
    max[half] = reduceRow(w, "maximumf", max[half]);
    scale[half] =
        w.op("math.exp " + w.arith("subf", old, max[half], "f32") + " : f32");
    sum[half] = zero;
    for (int i = 0; i < 32; ++i)
      if (i / 2 % 2 == half) {
        p[i] = w.op("math.exp " + w.arith("subf", p[i], max[half], "f32") +
                    " : f32");
        sum[half] = w.arith("addf", sum[half], p[i], "f32");
      }
    sum[half] = reduceRow(w, "addf", sum[half]);
    sum[half] = w.arith(
        "addf", sum[half],
        w.arith("mulf", "%sum" + std::to_string(half), scale[half], "f32"),
        "f32");
  }
}

/// In the order of core matrices.
void AttentionWriter::storeWeights() {
  for (int i = 0; i < 32; ++i) {
    std::string r, c, e8 = w.index(8);
    place(i, r, c);
    std::string half = w.op("arith.truncf " + p[i] + " : f32 to f16");
    w.line("memref.store " + half + ", " + sp + "[" + w.warpgroup + ", " +
           w.arith("divui", c, e8) + ", " + w.arith("divui", r, e8) + ", " +
           w.arith("remui", r, e8) + ", " + w.arith("remui", c, e8) +
           "] : " + pType);
  }
  fenceProxy("fence-weights");
  barrier("barrier-weights");
}

std::string AttentionWriter::computeResult() {
  std::string d = undefined;
  for (int i = 0; i < 32; ++i)
    d = w.op("llvm.insertvalue " +
             w.arith("mulf", w.element("%acc", i), scale[i / 2 % 2], "f32") +
             ", " + d + "[" + std::to_string(i) + "] : " + w.structOf(32));
  w.waitForFull(1, "%i", slot);
  std::string at = w.arith("muli", slot, tile);
  w.fenceProducts("fence-result");
  for (int i = 0; i < 4; ++i) {
    std::string dp = w.descriptor(ap, w.arith("addi", part, w.index(2048 * i)),
                                  1024, 128, 0);
    std::string dv = w.descriptor(av, w.arith("addi", at, w.index(2048 * i)),
                                  8192, 1024, 128);
    d = w.wgmma(dp, dv, d, 16, "f16", "f16", /*isKMajorA=*/true,
                /*isKMajorB=*/false,
                /*zero=*/false);
  }
  w.waitForProducts("result");
  w.release(1, slot);
  return d;
}

/// Through the memory of the queries, with the swizzle.
void AttentionWriter::storeResult() {
  for (int i = 0; i < 32; ++i) {
    std::string r, c, e8 = w.index(8);
    place(i, r, c);
    std::string chunk =
        w.arith("xori", w.arith("divui", c, e8), w.arith("remui", r, e8));
    c = w.arith("addi", w.arith("muli", chunk, e8), w.arith("remui", c, e8));
    std::string value = w.arith("divf", w.element("%r#0", i),
                                i / 2 % 2 ? "%r#4" : "%r#3", "f32");
    w.line("memref.store " + w.op("arith.truncf " + value + " : f32 to f16") +
           ", " + sq + "[" + w.warpgroup + ", " + r + ", " + c +
           "] : " + qType);
  }
  fenceProxy("fence-store");
  barrier("barrier-store");
  w.line("scf.if " +
         w.op("arith.cmpi eq, " + w.thread + ", " + w.c0 + " : index") + " {");
  std::string boxType;
  std::string box = w.box(sq, parts, 64, 64, "f16", w.warpgroup, boxType);
  std::string first =
      w.arith("addi", m0, w.arith("muli", w.warpgroup, w.index(64)));
  w.line("nvgpu.tma.async.store " + box + " to " + to + "[" + w.c0 + ", " +
         first + "] : " + boxType + " -> " + mapType + " // @store");
  w.line("nvvm.cp.async.bulk.commit.group // @commit-store");
  w.line("nvvm.cp.async.bulk.wait_group 0 // @wait-store");
  w.line("}");
}

std::string AttentionWriter::build() {
  begin();
  copy();
  beginCompute();
  beginLoop();
  computeSoftmax(computeScores());
  storeWeights();
  std::string d = computeResult();
  w.line("scf.yield " + d + ", " + max[0] + ", " + max[1] + ", " + sum[0] +
         ", " + sum[1] + " : " + w.structOf(32) + ", f32, f32, f32, f32\n}");
  w.line("scf.if " + isFirst + " {");
  turn("", own, "last-turn");
  w.line("}");
  storeResult();
  w.endKernel();
  w.line("return\n}");
  return w.str();
}

std::string AttentionKernel::build() const {
  return AttentionWriter(*this).build();
}
