//===- Interpreter.cpp - Executes distributed IR --------------------------===//
//
// See Interpreter.h. Here: running ops, regions and launches.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Interpreter.h"

#include "SIMT/Concurrency.h"
#include "SIMT/Machine.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

/// What dynamic workgroup memory starts at a multiple of, in bytes
/// (docs/Manifest.md).
static constexpr int64_t kDynamicAlignment = 1024;

//===----------------------------------------------------------------------===//
// Program
//===----------------------------------------------------------------------===//

Program::Program(ModuleOp module, Options options)
    : module(module), options(options),
      memory(static_cast<int32_t>(options.subgroupSize)) {
  populateControlFlow(handlers);
  populateArith(handlers);
  populateMath(handlers);
  populateIndexing(handlers);
  populateVector(handlers);
  populateVectorMemory(handlers);
  populateMemRef(handlers);
  populateGPU(handlers);
  populateBarriers(handlers);
  populateMBarriers(handlers);
  populateTMA(handlers);
  populateWGMMA(handlers);
  populateAMDGPU(handlers);
  populateNVGPU(handlers);
  populateDevice(handlers);
  populatePrint(handlers);
}

llvm::raw_ostream &Program::os() {
  return options.output ? *options.output : llvm::outs();
}

void KernelStatistics::print(llvm::raw_ostream &os, StringRef name) const {
  os << "kernel " << name << ": launches " << launches << ", workgroups "
     << workgroups << ", threads " << threads << ", barriers " << barriers
     << ", subgroup barriers " << subgroupBarriers << ", shuffles " << shuffles
     << ", mma " << mmas << ", ldmatrix " << ldmatrices << ", async copies "
     << asyncCopies << ", workgroup bytes " << workgroupBytes << ", wavefronts "
     << wavefronts.actual << " (ideal " << wavefronts.ideal << ")";
  if (boxCopies || wgmmas)
    os << ", box copies " << boxCopies << ", wgmma " << wgmmas;
  if (bufferLoads)
    os << ", buffer loads " << bufferLoads << " (" << bufferZeros
       << " of zeros)";
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

LogicalResult Machine::run(Operation *op) {
  const Handlers::Function *handler =
      program.handlers.lookup(op->getName().getTypeID());
  if (!handler || !op->isRegistered())
    return op->emitError() << "'" << op->getName()
                           << "' is not supported by the SIMT interpreter";
  if (++program.numOps > program.options.maxOps)
    return op->emitError() << "more than " << program.options.maxOps
                           << " ops were executed";
  if (isStrand() && failed(concurrency().checkRegisters(op, *this)))
    return failure();
  if (failed((*handler)(op, *this)))
    return failure();
  if (!traced.empty())
    finishAccess();
  return success();
}

LogicalResult Machine::runBody(Block &block,
                               SmallVectorImpl<RegisterRef> &results) {
  for (Operation &op : block.without_terminator())
    if (failed(run(&op)))
      return failure();
  results.clear();
  for (Value operand : block.getTerminator()->getOperands())
    results.push_back(getRef(operand));
  return success();
}

LogicalResult Machine::runRegion(Region &region,
                                 ArrayRef<RegisterRef> arguments,
                                 SmallVectorImpl<RegisterRef> &results) {
  Block *block = &region.front();
  SmallVector<RegisterRef> passed(arguments);
  while (true) {
    for (auto [argument, value] :
         llvm::zip_equal(block->getArguments(), passed))
      set(argument, value);
    if (failed(runBody(*block, results)))
      return failure();
    Operation *terminator = block->getTerminator();
    if (terminator->getNumSuccessors() == 0)
      return success();
    if (++program.numOps > program.options.maxOps)
      return terminator->emitError()
             << "more than " << program.options.maxOps << " ops were executed";
    // Unstructured control flow: all active threads must go the same way.
    if (auto branch = dyn_cast<cf::BranchOp>(terminator)) {
      passed.assign(results.begin(), results.end());
      block = branch.getDest();
      continue;
    }
    auto branch = dyn_cast<cf::CondBranchOp>(terminator);
    if (!branch)
      return terminator->emitError()
             << "'" << terminator->getName()
             << "' is not supported by the SIMT interpreter";
    FailureOr<int64_t> condition = getUniform(terminator, branch.getCondition(),
                                              "the condition of a branch");
    if (failed(condition))
      return failure();
    passed.clear();
    for (Value value :
         *condition ? branch.getTrueOperands() : branch.getFalseOperands())
      passed.push_back(getRef(value));
    block = *condition ? branch.getTrueDest() : branch.getFalseDest();
  }
}

LogicalResult Machine::call(Operation *op, Region &body,
                            ArrayRef<RegisterRef> arguments,
                            SmallVectorImpl<RegisterRef> &results) {
  // The values of an outer call would be lost.
  if (!calls.insert(&body).second)
    return error(op) << "recursion is not supported";
  LogicalResult result = runRegion(body, arguments, results);
  calls.erase(&body);
  return result;
}

namespace {
/// What all workgroups of a launch have in common.
struct LaunchedKernel {
  Operation *op;
  Machine &host;
  KernelStatistics &statistics;
  int64_t dynamicBytes;
  Region &body;
  llvm::function_ref<FailureOr<SmallVector<RegisterRef>>(Machine &)>
      makeArguments;
  /// Whether threads wait for earlier launches, and whether they are strands.
  bool waits, runsAsStrands;
};
} // namespace

/// Runs the workgroups of a cluster whose first one is at `where`, or one.
static LogicalResult runCluster(const LaunchedKernel &kernel,
                                const Geometry &where) {
  Program &program = kernel.host.program;
  int64_t count = where.numInCluster();
  int64_t mark = program.memory.numBuffers();
  program.memory.startGroup(/*isExact=*/kernel.runsAsStrands, count);
  std::vector<std::unique_ptr<Workgroup>> workgroups;
  std::vector<std::unique_ptr<Machine>> machines;
  std::vector<SmallVector<RegisterRef>> arguments;
  for (int64_t member = 0; member < count; ++member) {
    ++kernel.statistics.workgroups;
    Geometry here = where;
    here.id[0] += member % where.cluster[0];
    here.id[1] += member / where.cluster[0] % where.cluster[1];
    here.id[2] += member / (where.cluster[0] * where.cluster[1]);
    workgroups.push_back(std::make_unique<Workgroup>(
        program, here, &kernel.statistics, member));
    Workgroup &workgroup = *workgroups.back();
    if (kernel.waits)
      workgroup.isEarly.assign(here.numThreads(), true);
    machines.push_back(std::make_unique<Machine>(kernel.host, workgroup));
    FailureOr<SmallVector<RegisterRef>> made =
        kernel.makeArguments(*machines.back());
    if (failed(made))
      return failure();
    arguments.push_back(std::move(*made));
    if (kernel.dynamicBytes > 0)
      workgroup.dynamicBuffer = program.memory.allocate(
          MemorySpace::Workgroup, kernel.dynamicBytes, kDynamicAlignment,
          /*initialized=*/false, member);
    if (program.memory.getWorkgroupBytes(member) >
        program.options.maxWorkgroupBytes)
      return kernel.op->emitError()
             << "expected at most " << program.options.maxWorkgroupBytes
             << " bytes of workgroup memory, got "
             << program.memory.getWorkgroupBytes(member);
  }
  SmallVector<RegisterRef> results;
  if (kernel.runsAsStrands) {
    if (failed(runStrands(kernel.op, machines, kernel.body, arguments)))
      return failure();
  } else if (failed(machines.front()->runRegion(
                 kernel.body, arguments.front(), results))) {
    return failure();
  }
  // Who waits for this launch takes it for the end of all before.
  for (auto [workgroup, machine] : llvm::zip_equal(workgroups, machines))
    for (int thread = 0; thread < where.numThreads(); ++thread)
      if (workgroup->isThreadEarly(thread))
        return machine->error(kernel.op, thread)
               << "has ended, and not waited for earlier launches, as "
                  "others have";
  kernel.statistics.workgroupBytes = std::max(
      kernel.statistics.workgroupBytes, program.memory.getWorkgroupBytes());
  program.memory.releaseFrom(mark);
  return success();
}

LogicalResult
simt::launch(Operation *op, Machine &host, StringRef name,
             const Geometry &geometry, int64_t dynamicBytes, Region &body,
             llvm::function_ref<FailureOr<SmallVector<RegisterRef>>(Machine &)>
                 makeArguments) {
  Program &program = host.program;
  for (int64_t size : geometry.grid)
    if (size < 0)
      return op->emitError() << "expected a grid of at least 0, got " << size;
  for (int64_t size : geometry.block)
    if (size <= 0)
      return op->emitError()
             << "expected workgroups of at least 1, got " << size;
  if (geometry.numThreads() > 1024)
    return op->emitError() << "expected at most 1024 threads, got "
                           << geometry.numThreads();
  for (auto [size, count] : llvm::zip_equal(geometry.grid, geometry.cluster))
    if (count < 1 || size % count != 0)
      return op->emitError()
             << "expected a grid of a multiple of the " << count
             << " workgroups of a cluster, got " << size;
  // As a launcher, which launches no empty grids.
  if (llvm::is_contained(geometry.grid, 0))
    return success();
  KernelStatistics &statistics = program.statistics[name];
  ++statistics.launches;
  statistics.threads = geometry.numThreads();
  program.memory.startLaunch(program.numGroups + 1);
  bool runsAsStrands = hasConcurrentOps(body, program.symbols);
  bool waits = body.walk([](NVVM::GriddepcontrolOp wait) {
                     return wait.getKind() == NVVM::GridDepActionKind::wait
                                ? WalkResult::interrupt()
                                : WalkResult::advance();
                   })
                   .wasInterrupted();
  bool isCluster = geometry.numInCluster() > 1;
  LaunchedKernel kernel{op,           host,
                        statistics,   dynamicBytes,
                        body,         makeArguments,
                        waits,        runsAsStrands || isCluster};
  Geometry where = geometry;
  auto &[x, y, z] = where.id;
  for (z = 0; z < geometry.grid[2]; z += geometry.cluster[2])
    for (y = 0; y < geometry.grid[1]; y += geometry.cluster[1])
      for (x = 0; x < geometry.grid[0]; x += geometry.cluster[0])
        if (failed(runCluster(kernel, where)))
          return failure();
  program.memory.startLaunch(program.numGroups + 1);
  return success();
}

//===----------------------------------------------------------------------===//
// The interface
//===----------------------------------------------------------------------===//

Interpreter::Interpreter(ModuleOp module, Options options)
    : module(module), program(std::make_unique<Program>(module, options)) {}

Interpreter::~Interpreter() = default;

const llvm::StringMap<KernelStatistics> &Interpreter::getStatistics() const {
  return program->statistics;
}

int64_t Interpreter::getLargestAllocation() const {
  return program->largestAllocation;
}

void Interpreter::printStatistics(llvm::raw_ostream &os) const {
  std::map<StringRef, const KernelStatistics *> sorted;
  for (const auto &entry : program->statistics)
    sorted[entry.getKey()] = &entry.getValue();
  for (auto [name, statistics] : sorted)
    statistics->print(os, name);
}

/// Calls `body` with the element offset of each index, the last dimension
/// fastest.
static void forEachOffset(const View &view,
                          llvm::function_ref<void(int64_t)> body) {
  SmallVector<int64_t> index(view.rank);
  for (int64_t dim = 0; dim < view.rank; ++dim)
    if (view.size(dim) == 0)
      return;
  while (true) {
    int64_t offset = view.offset();
    for (int64_t dim = 0; dim < view.rank; ++dim)
      offset += index[dim] * view.stride(dim);
    body(offset);
    int64_t dim = view.rank - 1;
    while (dim >= 0 && ++index[dim] == view.size(dim))
      index[dim--] = 0;
    if (dim < 0)
      return;
  }
}

FailureOr<HostValue> Interpreter::makeBuffer(MemRefType type,
                                             ArrayRef<int64_t> shape,
                                             ArrayRef<uint64_t> contents,
                                             ArrayRef<int64_t> openStrides,
                                             int64_t openOffset) {
  std::optional<ElementFormat> format = getElementFormat(type.getElementType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (!format || failed(type.getStridesAndOffset(strides, offset)))
    return module.emitError()
           << "arguments of type " << type << " are not supported";
  if (shape.size() != strides.size())
    return module.emitError()
           << "expected " << strides.size() << " sizes, got " << shape.size();
  HostValue value{Machine::makeView(0, shape)};
  int64_t rank = type.getRank();
  if (ShapedType::isDynamic(offset))
    offset = openOffset;
  value.words[2] = offset;
  int64_t first = offset, elements = offset + 1;
  for (int64_t dim = 0; dim < rank; ++dim) {
    if (!type.isDynamicDim(dim) && type.getDimSize(dim) != shape[dim])
      return module.emitError()
             << "expected a buffer of type " << type << ", got size "
             << shape[dim] << " of dimension " << dim;
    uint64_t &stride = value.words[View::kHeader + rank + dim];
    if (!ShapedType::isDynamic(strides[dim]))
      stride = strides[dim];
    else if (!openStrides.empty())
      stride = openStrides[dim];
    int64_t length = (shape[dim] - 1) * static_cast<int64_t>(stride);
    (length < 0 ? first : elements) += length;
  }
  if (llvm::is_contained(shape, 0))
    elements = first = 0;
  if (first < 0)
    return module.emitError()
           << "expected an offset of at least " << offset - first
           << " for a buffer of type " << type << ", got " << offset;
  Memory &memory = program->memory;
  value.words[0] =
      memory.allocate(MemorySpace::Global, elements * format->bytes(), 256);
  if (contents.empty())
    return value;
  Buffer &buffer = memory.get(static_cast<int64_t>(value.words[0]));
  const uint64_t *next = contents.begin();
  forEachOffset(View(value.words.data(), value.words.size()), [&](int64_t at) {
    for (int64_t i = 0; i < format->count; ++i) {
      int64_t byte = at * format->bytes() + i * format->scalar.bytes;
      std::memcpy(buffer.data.data() + byte, next++, format->scalar.bytes);
      std::fill_n(buffer.initialized.begin() + byte, format->scalar.bytes, 1);
    }
  });
  return value;
}

int64_t Interpreter::countWrittenBytes(const HostValue &value) {
  View view(value.words.data(), value.words.size());
  return llvm::count(program->memory.get(view.buffer()).initialized, 1);
}

std::vector<uint64_t> Interpreter::readBuffer(MemRefType type,
                                              const HostValue &value,
                                              SmallVectorImpl<int64_t> &shape) {
  std::optional<ElementFormat> format = getElementFormat(type.getElementType());
  View view(value.words.data(), value.words.size());
  shape.clear();
  for (int64_t dim = 0; dim < view.rank; ++dim)
    shape.push_back(view.size(dim));
  const Buffer &buffer = program->memory.get(view.buffer());
  std::vector<uint64_t> words;
  forEachOffset(view, [&](int64_t at) {
    for (int64_t i = 0; i < format->count; ++i) {
      uint64_t word = 0;
      int64_t byte = view.base() + at * format->bytes() +
                     i * static_cast<int64_t>(format->scalar.bytes);
      if (byte >= 0 && byte + format->scalar.bytes <= buffer.size())
        std::memcpy(&word, buffer.data.data() + byte, format->scalar.bytes);
      words.push_back(word & format->scalar.mask());
    }
  });
  return words;
}

FailureOr<SmallVector<HostValue>>
Interpreter::run(StringRef entry, ArrayRef<HostValue> arguments) {
  auto function = module.lookupSymbol<func::FuncOp>(entry);
  if (!function || function.isExternal())
    return module.emitError() << "no body of function '" << entry << "'";
  if (function.getNumArguments() != arguments.size())
    return function.emitError() << "expected " << function.getNumArguments()
                                << " arguments, got " << arguments.size();
  Machine host(*program);
  SmallVector<RegisterRef> values, results;
  for (auto [value, type] :
       llvm::zip_equal(arguments, function.getArgumentTypes())) {
    if (isa<ShapedType>(type) && !isa<MemRefType, VectorType>(type))
      return function.emitError()
             << "arguments of type " << type << " are not supported";
    if (static_cast<int64_t>(value.words.size()) != getWidth(type))
      return function.emitError() << "expected an argument of type " << type;
    values.push_back(host.constant(value.words));
  }
  if (failed(host.call(function, function.getBody(), values, results)))
    return failure();
  SmallVector<HostValue> outputs;
  for (const RegisterRef &result : results)
    outputs.push_back({result->words});
  return outputs;
}
