//===- Machine.h - The threads of a workgroup -------------------*- C++ -*-===//
//
// The state of a workgroup that the op handlers read and update: the values of
// all threads, the set of active threads, and memory. The host is a machine
// with one thread. A strand (Concurrency.h) is a machine with a part of the
// threads of a workgroup.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_MACHINE_H
#define LINALG_EXT_TEST_LIB_SIMT_MACHINE_H

#include "SIMT/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <array>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mlir::linalg_ext::simt {

class Machine;
struct Concurrency;

/// The product of a warpgroup that writes a register asynchronously: its group
/// (Concurrency.h) and its shape.
struct OpenProduct {
  int warpgroup;
  uint32_t group;
  std::array<int64_t, 3> shape;
};

/// One SSA value: `width` words for each thread from `first` on, or, if
/// `uniform`, `width` words for all threads. A vector has one word for each
/// element in row-major order. For a memref see View.
struct Register {
  int64_t width = 1;
  bool uniform = true;
  int first = 0;
  std::vector<uint64_t> words;
  /// The number of executed ops when it was written.
  uint64_t time = 0;
  std::shared_ptr<const OpenProduct> product;

  const uint64_t *at(int thread) const {
    return words.data() + (uniform ? 0 : (thread - first) * width);
  }
  uint64_t *at(int thread) {
    return words.data() + (uniform ? 0 : (thread - first) * width);
  }
  int64_t signedAt(int thread) const {
    return static_cast<int64_t>(*at(thread));
  }
};
using RegisterRef = std::shared_ptr<const Register>;

/// A memref of one thread. Its words are: the id of the buffer, the position of
/// offset 0 in the buffer in bytes, and the offset, the sizes and the strides
/// in elements.
struct View {
  static constexpr int64_t kHeader = 3;

  explicit View(const uint64_t *words, int64_t width)
      : words(reinterpret_cast<const int64_t *>(words)),
        rank((width - kHeader) / 2) {}

  int64_t buffer() const { return words[0]; }
  int64_t base() const { return words[1]; }
  int64_t offset() const { return words[2]; }
  int64_t size(int64_t dim) const { return words[kHeader + dim]; }
  int64_t stride(int64_t dim) const { return words[kHeader + rank + dim]; }

  const int64_t *words;
  int64_t rank;
};

/// The format of a memref element: a scalar, or a vector of `count` scalars.
struct ElementFormat {
  ScalarFormat scalar;
  int64_t count = 1;
  int64_t bytes() const { return scalar.bytes * count; }
};

/// Maps each supported op to the handler that executes it.
class Handlers {
public:
  template <typename OpT>
  void add(LogicalResult (*handler)(OpT, Machine &)) {
    add(TypeID::get<OpT>(), [handler](Operation *op, Machine &machine) {
      return handler(cast<OpT>(op), machine);
    });
  }
  using Function = std::function<LogicalResult(Operation *, Machine &)>;
  void add(TypeID id, Function function) { map[id] = std::move(function); }
  const Function *lookup(TypeID id) const {
    auto it = map.find(id);
    return it == map.end() ? nullptr : &it->second;
  }

private:
  llvm::DenseMap<TypeID, Function> map;
};

void populateControlFlow(Handlers &handlers);
void populateArith(Handlers &handlers);
void populateMath(Handlers &handlers);
void populateIndexing(Handlers &handlers);
void populateVector(Handlers &handlers);
void populateVectorMemory(Handlers &handlers);
void populateMemRef(Handlers &handlers);
void populateGPU(Handlers &handlers);
void populateBarriers(Handlers &handlers);
void populateMBarriers(Handlers &handlers);
void populateTMA(Handlers &handlers);
void populateWGMMA(Handlers &handlers);
void populateAMDGPU(Handlers &handlers);
void populateNVGPU(Handlers &handlers);
void populateDevice(Handlers &handlers);
void populatePrint(Handlers &handlers);

/// What a tensor map says. Dimension 0 is the innermost one. Strides and boxes
/// are in bytes and in elements.
struct TensorMap {
  int64_t buffer = 0, base = 0;
  ScalarFormat format;
  SmallVector<int64_t> sizes, strides, box;
  /// The bytes of the swizzle; 0 for none.
  int64_t swizzle = 0;
  /// What is read beyond the sizes.
  uint64_t filler = 0;
  /// Why no hardware takes it; empty if it does.
  std::string invalid;
};

/// The state of a run, which all machines share.
struct Program {
  Program(ModuleOp module, Options options);

  ModuleOp module;
  Options options;
  Handlers handlers;
  Memory memory;
  SymbolTableCollection symbols;
  llvm::StringMap<KernelStatistics> statistics;
  /// Buffer ids of the globals that live as long as the program.
  llvm::DenseMap<Operation *, int64_t> globals;
  std::vector<TensorMap> tensorMaps;
  uint32_t numGroups = 0;
  uint64_t numOps = 0;
  /// Largest allocation of the host in global memory, in bytes.
  int64_t largestAllocation = 0;

  llvm::raw_ostream &os();
};

/// The size of a launch and the position of a workgroup in it, as x, y, z.
struct Geometry {
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1}, id = {0, 0, 0},
                         cluster = {1, 1, 1};
  int64_t numInCluster() const { return cluster[0] * cluster[1] * cluster[2]; }
  int64_t numThreads() const { return block[0] * block[1] * block[2]; }
};

/// What the threads of a workgroup share.
struct Workgroup {
  Workgroup(Program &program, const Geometry &geometry,
            KernelStatistics *statistics, int64_t member = 0);
  /// Says which workgroup of its cluster it is, if it is in one.
  std::string describe() const;

  Geometry geometry;
  KernelStatistics *statistics;
  /// Its number in its cluster.
  int64_t member;
  /// Numbers the workgroups of the whole run from 1. Those of a cluster have
  /// one number, because clocks order what they do.
  uint32_t number;
  /// Numbers of barriers, for a workgroup in lockstep.
  uint32_t time = 0;
  std::vector<uint32_t> subgroupTimes;
  /// Of a kernel that waits for earlier launches: whether each thread still has
  /// to. Empty otherwise.
  std::vector<bool> isEarly;
  bool isThreadEarly(int thread) const {
    return !isEarly.empty() && isEarly[thread];
  }
  /// Set while the workgroup runs as several strands.
  Concurrency *concurrency = nullptr;

  // Asynchronous copies of each thread. The groups are in order, the oldest one
  // first.
  struct Copy {
    int64_t targetBuffer, target;
    std::vector<uint8_t> data, initialized;
  };
  struct CopyQueue {
    std::vector<Copy> open;
    std::deque<std::vector<Copy>> groups;
    int64_t numFinished = 0;
  };
  std::vector<CopyQueue> copies;
  /// Buffer ids of the globals in workgroup memory, and of the dynamic
  /// workgroup memory.
  llvm::DenseMap<Operation *, int64_t> globals;
  int64_t dynamicBuffer = -1;
};

/// Lets an asynchronous copy arrive, as an access of `by`.
void finishCopy(Program &program, const Workgroup::Copy &copy,
                const Accessor &by);

/// Executes the host code, a workgroup, or a strand of one.
class Machine {
public:
  /// Creates the machine of the host.
  explicit Machine(Program &program);
  /// Creates the machine of a workgroup. The values of `host` are visible in
  /// it.
  Machine(const Machine &host, Workgroup &workgroup);
  /// Creates the machine of a strand with the active threads `active` among
  /// `count` threads from `first` on. The values of `outer` are visible in it.
  Machine(const Machine &outer, int first, int count, ArrayRef<int> active);

  // Threads.
  bool isHost() const { return !workgroup; }
  /// Returns the number of threads of the workgroup.
  int numThreads() const {
    return workgroup ? static_cast<int>(geometry.numThreads()) : 1;
  }
  /// Returns the first of the threads that have values here, and their number.
  int firstThread() const { return first; }
  int numValues() const { return threads; }
  bool isStrand() const { return workgroup && workgroup->concurrency; }
  Concurrency &concurrency() const { return *workgroup->concurrency; }
  ArrayRef<int> active() const { return activeThreads; }
  void setActive(SmallVector<int> set) { activeThreads = std::move(set); }
  int subgroupSize() const {
    return static_cast<int>(program.options.subgroupSize);
  }
  /// Calls `body` for each subgroup that has active threads, with the number of
  /// the subgroup and these threads.
  LogicalResult
  forEachSubgroup(llvm::function_ref<LogicalResult(int, ArrayRef<int>)> body);
  /// The same for a collective op. Fails, with an error, if not all threads of
  /// such a subgroup are active. If `full`, also fails if the subgroup has
  /// fewer than `subgroupSize()` threads.
  LogicalResult forEachWholeSubgroup(
      Operation *op, bool full,
      llvm::function_ref<LogicalResult(int, ArrayRef<int>)> body);
  /// Fails, with an error, if not all threads of the workgroup are active.
  LogicalResult checkConverged(Operation *op);
  /// Emits an error at `op` that names the workgroup and the thread.
  InFlightDiagnostic error(Operation *op, int thread);
  /// Emits an error at `op` that names no thread.
  InFlightDiagnostic error(Operation *op);

  // Values.
  const RegisterRef &getRef(Value value) const;
  const Register &get(Value value) const { return *getRef(value); }
  void set(Value value, RegisterRef reg) { values[value] = std::move(reg); }
  std::shared_ptr<Register> make(int64_t width, bool uniform) const;
  /// Returns a uniform register with `words`.
  RegisterRef constant(ArrayRef<uint64_t> words) const;
  /// Returns `newer` for the threads in `set`, and `older` for the others.
  RegisterRef merge(RegisterRef older, RegisterRef newer,
                    ArrayRef<int> set) const;
  /// Returns an integer. Fails, with an error that calls it `what`, if it is
  /// not the same for all active threads.
  FailureOr<int64_t> getUniform(Operation *op, Value value, const char *what);
  /// Computes `result` by a call of body(thread, words of the result) for each
  /// active thread. Makes a single call if all operands are uniform.
  LogicalResult
  compute(Value result, ValueRange operands, int64_t width,
          llvm::function_ref<LogicalResult(int, uint64_t *)> body);

  // Execution.
  LogicalResult run(Operation *op);
  /// Runs a region. `results` are the operands that its terminator forwards.
  LogicalResult runRegion(Region &region, ArrayRef<RegisterRef> arguments,
                          SmallVectorImpl<RegisterRef> &results);
  LogicalResult runBody(Block &block, SmallVectorImpl<RegisterRef> &results);
  LogicalResult call(Operation *op, Region &body,
                     ArrayRef<RegisterRef> arguments,
                     SmallVectorImpl<RegisterRef> &results);

  // Memory.
  Accessor accessor(int thread) const;
  /// Reads or writes `count` adjacent elements from element `offset` of the
  /// buffer. The offset of `view` is not added.
  LogicalResult load(Operation *op, int thread, const View &view,
                     int64_t offset, const ElementFormat &format, int64_t count,
                     uint64_t *result);
  LogicalResult store(Operation *op, int thread, const View &view,
                      int64_t offset, const ElementFormat &format,
                      int64_t count, const uint64_t *source);
  /// Reads `count` adjacent elements of `memref`, a buffer with a descriptor
  /// (`isRawBuffer`). Elements beyond its valid bytes are 0. Fails if only some
  /// are.
  LogicalResult loadFromRawBuffer(Operation *op, int thread,
                                  const Register &memref,
                                  ArrayRef<int64_t> indices,
                                  const ElementFormat &format, int64_t count,
                                  std::optional<uint64_t> alignment,
                                  uint64_t *result);
  /// Returns the offset of an element. Fails if `indices` are outside of the
  /// sizes of `view`.
  FailureOr<int64_t> getOffset(Operation *op, int thread, const View &view,
                               ArrayRef<int64_t> indices);
  /// Fails if the address of an element is not a multiple of `alignment` bytes.
  LogicalResult checkAlignment(Operation *op, int thread, const View &view,
                               int64_t offset, const ElementFormat &format,
                               int64_t alignment);
  /// Returns the position in bytes of an element in its buffer. Fails, with an
  /// error that uses `verb`, if `count` elements from there on are not within
  /// the allocation.
  FailureOr<int64_t> getByte(Operation *op, int thread, const View &view,
                             int64_t offset, const ElementFormat &format,
                             int64_t count, const char *verb);
  /// Lets the oldest group of copies of `thread` arrive.
  void finishCopies(int thread);
  /// `trace` records an access of the current op. `finishAccess` counts the
  /// bank conflicts of the recorded accesses when the op is complete.
  void trace(const Buffer &buffer, int thread, int64_t byte, int64_t size);
  void finishAccess();
  /// Allocates a buffer and returns a memref on it.
  FailureOr<RegisterRef> allocate(Operation *op, MemRefType type,
                                  ValueRange dynamicSizes, int64_t alignment,
                                  bool inKernelDefault);
  /// Returns the words of a contiguous memref.
  static std::vector<uint64_t> makeView(int64_t buffer,
                                        ArrayRef<int64_t> sizes);

  // Synchronisation.
  void workgroupBarrier();
  void subgroupBarrier(int subgroup, ArrayRef<int> lanes);

  Program &program;
  Workgroup *workgroup = nullptr;
  Geometry geometry;
  KernelStatistics *statistics = nullptr;

private:
  /// The machine around this one, whose values are visible.
  const Machine *outer = nullptr;
  int first = 0, threads = 1;
  SmallVector<int> activeThreads;
  llvm::DenseMap<Value, RegisterRef> values;
  /// How often this strand has executed an op that allocates memory which
  /// strands share.
  llvm::DenseMap<Operation *, size_t> numAllocations;
  std::vector<LaneAccess> traced;
  /// The bodies of the functions on the call stack.
  llvm::SmallPtrSet<Region *, 4> calls;
};

/// Returns the number of words of a value: the number of elements of a scalar,
/// a static vector or a struct, or the number of words of a memref.
int64_t getWidth(Type type);
std::optional<ElementFormat> getElementFormat(Type type);
/// Returns whether a memref of this type goes through a descriptor of a buffer,
/// as `amdgpu.fat_raw_buffer_cast` makes it.
bool isRawBuffer(MemRefType type);
/// Returns the memory space of a memref, or std::nullopt if it is not
/// supported.
std::optional<MemorySpace> getMemorySpace(MemRefType type);

/// Returns the thread ids along dimension `dim` of the workgroup.
std::shared_ptr<Register> makeThreadId(Machine &machine, int dim);

/// Calls a function without a body. Only printing functions are supported.
LogicalResult callExternal(func::CallOp op, Machine &machine);

/// Runs the body of a kernel for each workgroup of a grid.
LogicalResult
launch(Operation *op, Machine &host, StringRef name, const Geometry &geometry,
       int64_t dynamicBytes, Region &body,
       llvm::function_ref<FailureOr<SmallVector<RegisterRef>>(Machine &)>
           makeArguments);

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_MACHINE_H
