//===- Machine.h - The threads of a workgroup -------------------*- C++ -*-===//
//
// What the handlers of ops work on: the values of all threads, which of them
// are active, and memory. The host is a machine of one thread.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_SIMT_MACHINE_H
#define TEST_LIB_SIMT_MACHINE_H

#include "SIMT/Interpreter.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"

#include <array>
#include <deque>
#include <functional>

namespace mlir::linalg_ext::simt {

class Machine;

/// One SSA value: `width` words for each thread, or once for all of them. A
/// vector has its elements in row-major order; a memref is described at View.
struct Register {
  int64_t width = 1;
  bool uniform = true;
  std::vector<uint64_t> words;

  const uint64_t *at(int thread) const {
    return words.data() + (uniform ? 0 : thread * width);
  }
  uint64_t *at(int thread) {
    return words.data() + (uniform ? 0 : thread * width);
  }
  int64_t signedAt(int thread) const {
    return static_cast<int64_t>(*at(thread));
  }
};
using RegisterRef = std::shared_ptr<const Register>;

/// A memref of one thread. Its words are: the buffer, the byte of it that
/// offset 0 means, offset, sizes, strides. The last three count elements.
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

/// How the elements of a memref lie in memory: scalars, or vectors of `count`.
struct ElementFormat {
  ScalarFormat scalar;
  int64_t count = 1;
  int64_t bytes() const { return scalar.bytes * count; }
};

/// Which op is executed how.
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
void populateNVGPU(Handlers &handlers);
void populateDevice(Handlers &handlers);
void populatePrint(Handlers &handlers);

/// What all machines of a run share.
struct Program {
  Program(ModuleOp module, Options options);

  ModuleOp module;
  Options options;
  Handlers handlers;
  Memory memory;
  SymbolTableCollection symbols;
  llvm::StringMap<KernelStatistics> statistics;
  /// Globals that live as long as the program.
  llvm::DenseMap<Operation *, int64_t> globals;
  uint32_t numGroups = 0;
  uint64_t numOps = 0;
  /// Of the host, in global memory.
  int64_t largestAllocation = 0;

  llvm::raw_ostream &os();
};

/// Where a workgroup is in its launch; x, y, z.
struct Geometry {
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1}, id = {0, 0, 0};
  int64_t numThreads() const { return block[0] * block[1] * block[2]; }
};

class Machine {
public:
  /// The host.
  explicit Machine(Program &program);
  /// A workgroup; values of `host` are visible in it.
  Machine(Program &program, const Machine *host, const Geometry &geometry,
          KernelStatistics *statistics);

  // Threads.
  bool isHost() const { return !statistics; }
  int numThreads() const { return threads; }
  ArrayRef<int> active() const { return activeThreads; }
  void setActive(SmallVector<int> set) { activeThreads = std::move(set); }
  bool allActive() const {
    return static_cast<int>(activeThreads.size()) == threads;
  }
  int subgroupSize() const {
    return static_cast<int>(program.options.subgroupSize);
  }
  /// Calls `body` with the active threads of each subgroup that has some.
  LogicalResult
  forEachSubgroup(llvm::function_ref<LogicalResult(int, ArrayRef<int>)> body);
  /// The same for a collective op, for which all threads of a subgroup must be
  /// active, and if `full`, the subgroup must have all its threads.
  LogicalResult forEachWholeSubgroup(
      Operation *op, bool full,
      llvm::function_ref<LogicalResult(int, ArrayRef<int>)> body);
  /// Fails with a message if not all threads of the workgroup are active.
  LogicalResult checkConverged(Operation *op);
  InFlightDiagnostic error(Operation *op, int thread);
  /// Without a thread.
  InFlightDiagnostic error(Operation *op);

  // Values.
  RegisterRef getRef(Value value) const;
  const Register &get(Value value) const { return *getRef(value); }
  void set(Value value, RegisterRef reg) { values[value] = std::move(reg); }
  std::shared_ptr<Register> make(int64_t width, bool uniform) const;
  /// Uniform words.
  RegisterRef constant(ArrayRef<uint64_t> words) const;
  /// `newer` for the threads `set`, `older` for the others.
  RegisterRef merge(RegisterRef older, RegisterRef newer,
                    ArrayRef<int> set) const;
  /// An integer that must be the same for all active threads.
  FailureOr<int64_t> getUniform(Operation *op, Value value, const char *what);
  /// Computes a result from operands for every active thread, once if they are
  /// uniform: body(thread, result words).
  LogicalResult
  compute(Value result, ValueRange operands, int64_t width,
          llvm::function_ref<LogicalResult(int, uint64_t *)> body);

  // Execution.
  LogicalResult run(Operation *op);
  /// Runs a region; `results` are what its terminator passes on.
  LogicalResult runRegion(Region &region, ArrayRef<RegisterRef> arguments,
                          SmallVectorImpl<RegisterRef> &results);
  LogicalResult runBody(Block &block, SmallVectorImpl<RegisterRef> &results);
  LogicalResult call(Operation *op, Region &body,
                     ArrayRef<RegisterRef> arguments,
                     SmallVectorImpl<RegisterRef> &results);

  // Memory.
  Accessor accessor(int thread) const;
  /// Reads or writes `count` adjacent elements from element `offset` of the
  /// view's buffer (the view's own offset not included).
  LogicalResult load(Operation *op, int thread, const View &view,
                     int64_t offset, const ElementFormat &format, int64_t count,
                     uint64_t *result);
  LogicalResult store(Operation *op, int thread, const View &view,
                      int64_t offset, const ElementFormat &format,
                      int64_t count, const uint64_t *source);
  /// The offset of an element, which must be within the view's sizes.
  FailureOr<int64_t> getOffset(Operation *op, int thread, const View &view,
                               ArrayRef<int64_t> indices);
  /// Fails if the address of an element is not a multiple of `alignment`.
  LogicalResult checkAlignment(Operation *op, int thread, const View &view,
                               int64_t offset, const ElementFormat &format,
                               int64_t alignment);
  /// The bytes of an element's range, checked against the allocation.
  FailureOr<int64_t> getByte(Operation *op, int thread, const View &view,
                             int64_t offset, const ElementFormat &format,
                             int64_t count, const char *verb);
  /// Adds to the trace of accesses from which bank conflicts are counted, and
  /// counts those of the op that is complete.
  void trace(const Buffer &buffer, int thread, int64_t byte, int64_t size);
  void finishAccess();
  /// A new memref on memory of its own.
  FailureOr<RegisterRef> allocate(Operation *op, MemRefType type,
                                  ValueRange dynamicSizes, int64_t alignment,
                                  bool inKernelDefault);
  /// The words of a contiguous memref.
  static std::vector<uint64_t> makeView(int64_t buffer,
                                        ArrayRef<int64_t> sizes);

  // Synchronisation.
  void workgroupBarrier();
  void subgroupBarrier(int subgroup);

  // Asynchronous copies of each thread: groups, oldest first.
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

  Program &program;
  Geometry geometry;
  KernelStatistics *statistics = nullptr;
  /// Workgroup globals and the dynamic memory of this workgroup.
  llvm::DenseMap<Operation *, int64_t> groupGlobals;
  int64_t dynamicBuffer = -1;

private:
  const Machine *host = nullptr;
  int threads = 1;
  SmallVector<int> activeThreads;
  llvm::DenseMap<Value, RegisterRef> values;
  uint32_t group = 0, groupTime = 0;
  std::vector<uint32_t> subgroupTimes;
  std::vector<LaneAccess> traced;
  /// The functions that are being executed.
  llvm::SmallPtrSet<Region *, 4> calls;
};

/// The elements of a scalar or a static vector; the words of a memref.
int64_t getWidth(Type type);
std::optional<ElementFormat> getElementFormat(Type type);
/// The space of a memref; std::nullopt if it is not known.
std::optional<MemorySpace> getMemorySpace(MemRefType type);

/// The numbers of threads along a dimension of their workgroup.
std::shared_ptr<Register> makeThreadId(Machine &machine, int dim);

/// Calls a function that has no body: one that prints.
LogicalResult callExternal(func::CallOp op, Machine &machine);

/// Runs a kernel's body over a grid.
LogicalResult
launch(Operation *op, Machine &host, StringRef name, const Geometry &geometry,
       int64_t dynamicBytes, Region &body,
       llvm::function_ref<FailureOr<SmallVector<RegisterRef>>(Machine &)>
           makeArguments);

} // namespace mlir::linalg_ext::simt

#endif // TEST_LIB_SIMT_MACHINE_H
