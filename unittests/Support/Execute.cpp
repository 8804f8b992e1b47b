//===- Execute.cpp - Runs a function on the host --------------------------===//
//
// See Execute.h.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"

#include "mlir-ext/Codegen/Common/Passes.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ComplexToStandard/ComplexToStandard.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/MathToFuncs/MathToFuncs.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Conversion/VectorToSCF/VectorToSCF.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/Transforms/Passes.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/CompileUtils.h"
#include "llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/ExecutionEngine/Orc/RTDyldObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/SectionMemoryManager.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

#include <cstring>
#include <deque>

using namespace mlir;
using namespace linalg_ext_test;
using oracle::DType;

/// The function that a kernel calls.
static constexpr char kEntryName[] = "linalg_ext_test_entry";

//===----------------------------------------------------------------------===//
// Context
//===----------------------------------------------------------------------===//

LogicalResult linalg_ext_test::runAndVerify(PassManager &passes,
                                            ModuleOp module) {
  passes.enableVerifier(false);
  return success(succeeded(passes.run(module)) && succeeded(verify(module)));
}

std::unique_ptr<MLIRContext> linalg_ext_test::makeContext(
    llvm::function_ref<void(DialectRegistry &)> extend) {
  // All of upstream, with all its models, as in stock mlir-opt: transformations
  // may behave differently where a model is missing.
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerBuiltinDialectTranslation(registry);
  registerLLVMDialectTranslation(registry);
  if (extend)
    extend(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // What graphs are built of; the rest is loaded by the passes that need it.
  context
      ->loadDialect<affine::AffineDialect, arith::ArithDialect,
                    bufferization::BufferizationDialect, func::FuncDialect,
                    linalg::LinalgDialect, LLVM::LLVMDialect, math::MathDialect,
                    scf::SCFDialect, tensor::TensorDialect>();
  return context;
}

bool linalg_ext_test::convertElementType(Type type, DType &result) {
  if (isa<Float4E2M1FNType>(type))
    result = DType::F4E2M1FN;
  else if (isa<Float8E4M3FNType>(type))
    result = DType::F8E4M3FN;
  else if (isa<Float8E5M2Type>(type))
    result = DType::F8E5M2;
  else if (isa<Float8E4M3FNUZType>(type))
    result = DType::F8E4M3FNUZ;
  else if (isa<Float8E5M2FNUZType>(type))
    result = DType::F8E5M2FNUZ;
  else if (isa<Float8E8M0FNUType>(type))
    result = DType::F8E8M0FNU;
  else if (type.isF16())
    result = DType::F16;
  else if (type.isBF16())
    result = DType::BF16;
  else if (type.isF32())
    result = DType::F32;
  else if (type.isF64())
    result = DType::F64;
  else if (type.isInteger(1))
    result = DType::I1;
  else if (type.isInteger(8))
    result = DType::I8;
  else if (type.isInteger(32))
    result = DType::I32;
  else if (type.isInteger(64))
    result = DType::I64;
  else
    return false;
  return true;
}

Type linalg_ext_test::convertElementType(MLIRContext *context, DType type) {
  Builder b(context);
  switch (type) {
  case DType::F4E2M1FN:
    return Float4E2M1FNType::get(context);
  case DType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case DType::F8E5M2:
    return Float8E5M2Type::get(context);
  case DType::F8E4M3FNUZ:
    return Float8E4M3FNUZType::get(context);
  case DType::F8E5M2FNUZ:
    return Float8E5M2FNUZType::get(context);
  case DType::F8E8M0FNU:
    return Float8E8M0FNUType::get(context);
  case DType::F16:
    return b.getF16Type();
  case DType::BF16:
    return b.getBF16Type();
  case DType::F32:
    return b.getF32Type();
  case DType::F64:
    return b.getF64Type();
  case DType::I1:
    return b.getI1Type();
  case DType::I8:
    return b.getI8Type();
  case DType::I32:
    return b.getI32Type();
  case DType::I64:
    return b.getI64Type();
  }
  return {};
}

//===----------------------------------------------------------------------===//
// The memory of a run
//===----------------------------------------------------------------------===//

namespace {
/// Owns what a run allocates. Blocks lie between red zones of a known pattern,
/// wide enough to take most stray writes before they do harm.
class Arena {
public:
  void *allocate(size_t size) {
    Block &block = blocks.emplace_back();
    block.size = size;
    block.storage.reset(static_cast<char *>(
        std::aligned_alloc(kZone, roundUp(size) + 2 * kZone)));
    char *base = block.storage.get();
    std::memset(base, kZonePattern, roundUp(size) + 2 * kZone);
    // All ones: a NaN in each of the float formats.
    std::memset(base + kZone, 0xff, size);
    return base + kZone;
  }

  /// True if no red zone was written to.
  bool isIntact() const {
    for (const Block &block : blocks) {
      const char *base = block.storage.get();
      size_t total = roundUp(block.size) + 2 * kZone;
      for (size_t i = 0; i < total; ++i) {
        bool inside = i >= kZone && i < kZone + block.size;
        if (!inside && base[i] != kZonePattern)
          return false;
      }
    }
    return true;
  }

  /// The size of the largest block that none of `pointers` points into.
  int64_t getLargestBut(ArrayRef<const char *> pointers) const {
    size_t largest = 0;
    for (const Block &block : blocks) {
      const char *begin = block.storage.get() + kZone;
      bool isUsed = llvm::any_of(pointers, [&](const char *pointer) {
        return begin <= pointer && pointer < begin + block.size;
      });
      if (!isUsed)
        largest = std::max(largest, block.size);
    }
    return static_cast<int64_t>(largest);
  }

  int64_t getNumBlocks() const { return blocks.size(); }
  int64_t getNumBytes() const {
    int64_t bytes = 0;
    for (const Block &block : blocks)
      bytes += block.size;
    return bytes;
  }

private:
  static constexpr size_t kZone = 1024;
  static constexpr char kZonePattern = 0x5a;
  static size_t roundUp(size_t size) {
    return (size + kZone - 1) / kZone * kZone;
  }

  struct Block {
    struct Free {
      void operator()(char *pointer) const { std::free(pointer); }
    };
    std::unique_ptr<char, Free> storage;
    size_t size;
  };
  std::deque<Block> blocks;
};
} // namespace

/// The arena of the run in progress on this thread.
static thread_local Arena *currentArena = nullptr;

//===----------------------------------------------------------------------===//
// What the compiled code calls
//===----------------------------------------------------------------------===//

static void *runtimeMalloc(size_t size) { return currentArena->allocate(size); }
static void runtimeFree(void *) {}

/// Copies between strided buffers; `memref.copy` becomes a call of it.
static void runtimeMemrefCopy(int64_t elementSize, const void *sourceUnranked,
                              void *targetUnranked) {
  struct Unranked {
    int64_t rank;
    void *descriptor;
  };
  struct Buffer {
    explicit Buffer(const Unranked &unranked) : rank(unranked.rank) {
      auto *words = static_cast<int64_t *>(unranked.descriptor);
      data = reinterpret_cast<char *>(words[1]);
      offset = words[2];
      sizes = words + 3;
      strides = words + 3 + rank;
    }
    int64_t rank;
    char *data;
    int64_t offset;
    int64_t *sizes, *strides;
  };
  Buffer source(*static_cast<const Unranked *>(sourceUnranked));
  Buffer target(*static_cast<const Unranked *>(targetUnranked));
  oracle::Shape shape(source.sizes, source.sizes + source.rank);
  oracle::forEachIndex(shape, [&](const oracle::Index &index) {
    int64_t from = source.offset, to = target.offset;
    for (int64_t i = 0; i < source.rank; ++i) {
      from += index[i] * source.strides[i];
      to += index[i] * target.strides[i];
    }
    std::memcpy(target.data + to * elementSize,
                source.data + from * elementSize, elementSize);
  });
}

// Conversions of the 16-bit formats, which the compiled code calls where the
// processor lacks them. The numbers travel in the low bits of a floating-point
// register; declaring them as float puts them there with every compiler.

static float bitsToRegister(uint16_t bits) {
  uint32_t word = bits;
  float result;
  std::memcpy(&result, &word, sizeof(result));
  return result;
}

static uint16_t registerToBits(float value) {
  uint32_t word;
  std::memcpy(&word, &value, sizeof(word));
  return static_cast<uint16_t>(word);
}

static float runtimeTruncSFHF(float value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::F16), DType::F16));
}
static float runtimeTruncDFHF(double value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::F16), DType::F16));
}
static float runtimeTruncSFBF(float value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::BF16), DType::BF16));
}
static float runtimeTruncDFBF(double value) {
  return bitsToRegister(
      oracle::encode16(oracle::roundTo(value, DType::BF16), DType::BF16));
}
static float runtimeExtendHFSF(float half) {
  return static_cast<float>(oracle::decode16(registerToBits(half), DType::F16));
}
static double runtimeExtendHFDF(float half) {
  return oracle::decode16(registerToBits(half), DType::F16);
}

static llvm::orc::SymbolMap
getRuntimeSymbols(llvm::orc::MangleAndInterner interner) {
  llvm::orc::SymbolMap symbols;
  auto add = [&](StringRef name, auto *function) {
    symbols[interner(name)] = {llvm::orc::ExecutorAddr::fromPtr(function),
                               llvm::JITSymbolFlags::Exported};
  };
  add("malloc", &runtimeMalloc);
  add("free", &runtimeFree);
  add("memrefCopy", &runtimeMemrefCopy);
  add("__truncsfhf2", &runtimeTruncSFHF);
  add("__truncdfhf2", &runtimeTruncDFHF);
  add("__truncsfbf2", &runtimeTruncSFBF);
  add("__truncdfbf2", &runtimeTruncDFBF);
  add("__extendhfsf2", &runtimeExtendHFSF);
  add("__extendhfdf2", &runtimeExtendHFDF);
  return symbols;
}

//===----------------------------------------------------------------------===//
// Lowering
//===----------------------------------------------------------------------===//

static void buildPipeline(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createLinalgGeneralizeNamedOpsPass());
  // Upstream's bufferization gives loop-carried tensors with one uninitialised
  // start one buffer (test/Integration/CPU/shared-destinations.mlir).
  linalg_ext::LinalgExtPrepareDestinationsPassOptions privatize;
  privatize.steps = {"privatize"};
  pm.addNestedPass<func::FuncOp>(
      linalg_ext::createLinalgExtPrepareDestinationsPass(privatize));
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  bufferize.allowReturnAllocsFromLoops = true;
  // The harness aligns; slack for alignment would blur the red zones.
  bufferize.bufferAlignment = 0;
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addNestedPass<func::FuncOp>(createForallToForLoopPass());
  pm.addNestedPass<func::FuncOp>(vector::createLowerVectorMultiReductionPass());
  VectorTransferToSCFOptions transfers;
  pm.addPass(createConvertVectorToSCFPass(transfers.enableFullUnroll()));
  pm.addPass(createSCFToControlFlowPass());
  // Upstream's crashes where a dimension is split into several dynamic ones.
  linalg_ext::LinalgExtLegalizeBuffersPassOptions reshapes;
  reshapes.steps = {"resolve-expand-shape"};
  pm.addPass(linalg_ext::createLinalgExtLegalizeBuffersPass(reshapes));
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createConvertComplexToStandardPass());
  math::MathExpandOpsPassOptions expand;
  expand.opMnemonics = {"rsqrt"};
  pm.addPass(math::createMathExpandOpsPass(expand));
  // math.fpowi, which LLVM's intrinsic takes exponents of 32 bits of.
  pm.addPass(createConvertMathToFuncs());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createConvertVectorToLLVMPass());
  // The other has no memref.reshape.
  pm.addPass(createFinalizeMemRefToLLVMConversionPass());
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

/// Replaces upstream's ops that are not structured by their decomposition.
static LogicalResult decomposeAggregates(ModuleOp module) {
  SmallVector<linalg::AggregatedOpInterface> ops;
  module.walk([&](linalg::AggregatedOpInterface op) { ops.push_back(op); });
  OpBuilder b(module.getContext());
  for (linalg::AggregatedOpInterface op : ops) {
    b.setInsertionPoint(op);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(b);
    if (failed(results))
      return op->emitError("cannot be decomposed");
    op->replaceAllUsesWith(*results);
    op->erase();
  }
  return success();
}

/// Writes |x| of integers as the larger one of x and -x: upstream's conversion to
/// functions of libm fails for ops that libm has not.
static void expandAbsolute(ModuleOp module) {
  SmallVector<math::AbsIOp> ops;
  module.walk([&](math::AbsIOp op) { ops.push_back(op); });
  OpBuilder b(module.getContext());
  for (math::AbsIOp op : ops) {
    b.setInsertionPoint(op);
    Location loc = op.getLoc();
    Value zero =
        arith::ConstantOp::create(b, loc, b.getZeroAttr(op.getType()));
    Value negated = arith::SubIOp::create(b, loc, zero, op.getOperand());
    Value larger =
        arith::MaxSIOp::create(b, loc, op.getOperand(), negated);
    op.replaceAllUsesWith(larger);
    op.erase();
  }
}

static bool convertSignature(TypeRange types,
                             SmallVectorImpl<Kernel::Argument> &arguments,
                             std::string &error) {
  for (Type type : types) {
    Kernel::Argument argument;
    if (!convertElementType(getElementTypeOrSelf(type), argument.type) ||
        isa<UnrankedTensorType, VectorType>(type)) {
      llvm::raw_string_ostream(error)
          << "expected tensors, buffers or scalars of f16, bf16, f32, f64, i1, "
             "i8, i32 or i64, got "
          << type;
      return false;
    }
    auto shaped = dyn_cast<ShapedType>(type);
    argument.kind = !shaped            ? Kernel::Argument::Kind::Scalar
                    : shaped.hasRank() ? Kernel::Argument::Kind::Ranked
                                       : Kernel::Argument::Kind::Unranked;
    if (argument.kind == Kernel::Argument::Kind::Ranked)
      argument.shape.assign(shaped.getShape().begin(), shaped.getShape().end());
    if (auto memref = dyn_cast<MemRefType>(type);
        memref && !memref.getLayout().isIdentity() &&
        failed(memref.getStridesAndOffset(argument.strides, argument.offset))) {
      llvm::raw_string_ostream(error)
          << "expected buffers with strides, got " << type;
      return false;
    }
    arguments.push_back(std::move(argument));
  }
  return true;
}

Executor::Executor(MLIRContext *context, ExecutionOptions options)
    : context(context), options(options),
      passes(context, ModuleOp::getOperationName()) {
  // Once a process; nothing but the host's target is needed.
  static bool initialized = [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  passes.enableVerifier(options.verifyEach);
  buildPipeline(passes);
}

/// A target machine for the host, or the baseline of its architecture.
static std::unique_ptr<llvm::TargetMachine>
makeTargetMachine(const ExecutionOptions &options, std::string &error) {
  llvm::orc::JITTargetMachineBuilder builder{
      llvm::Triple(llvm::sys::getProcessTriple())};
  if (options.forHost) {
    auto host = llvm::orc::JITTargetMachineBuilder::detectHost();
    if (!host) {
      error = llvm::toString(host.takeError());
      return nullptr;
    }
    builder = *host;
  }
  builder.setCodeGenOptLevel(
      static_cast<llvm::CodeGenOptLevel>(options.optLevel));
  auto machine = builder.createTargetMachine();
  if (!machine) {
    error = llvm::toString(machine.takeError());
    return nullptr;
  }
  return std::move(*machine);
}

std::unique_ptr<Kernel> Executor::compile(ModuleOp module, StringRef name,
                                          std::string &error) {
  std::string diagnostics;
  ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
    llvm::raw_string_ostream(diagnostics) << "\n  " << diagnostic;
    return success();
  });
  auto fail = [&](const Twine &reason) {
    error = (reason + diagnostics).str();
    return nullptr;
  };

  OwningOpRef<ModuleOp> clone = module.clone();
  auto func = clone->lookupSymbol<func::FuncOp>(name);
  if (!func || func.isExternal())
    return fail("no body of function '" + name + "'");
  SmallVector<Type> inputs(func.getArgumentTypes());
  SmallVector<Type> outputs(func.getResultTypes());
  for (Type type : llvm::concat<Type>(inputs, outputs))
    if (!isa<RankedTensorType>(type))
      return fail("expected ranked tensors");
  if (outputs.empty())
    return fail("expected the function to return tensors");
  func->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                UnitAttr::get(context));

  if (failed(verify(*clone)))
    return fail("invalid IR:");
  expandAbsolute(*clone);
  if (failed(decomposeAggregates(*clone)) || failed(passes.run(*clone)))
    return fail("lowering failed:");
  std::unique_ptr<Kernel> kernel = load(*clone, name, inputs, outputs, error);
  error += kernel ? "" : diagnostics;
  return kernel;
}

/// Defines a function of `module` that calls `function` with the arguments that
/// an array of pointers points to. Functions have one result at most, which
/// comes last.
static void defineEntry(llvm::Module &module, llvm::Function *function) {
  llvm::IRBuilder<> b(module.getContext());
  auto *entry = llvm::Function::Create(
      llvm::FunctionType::get(b.getVoidTy(), b.getPtrTy(), /*isVarArg=*/false),
      llvm::Function::ExternalLinkage, kEntryName, module);
  b.SetInsertPoint(llvm::BasicBlock::Create(module.getContext(), "", entry));
  auto getPointer = [&](size_t i) {
    return b.CreateLoad(
        b.getPtrTy(), b.CreateConstGEP1_64(b.getPtrTy(), entry->getArg(0), i));
  };
  SmallVector<llvm::Value *> arguments;
  for (const llvm::Argument &argument : function->args())
    arguments.push_back(
        b.CreateLoad(argument.getType(), getPointer(argument.getArgNo())));
  llvm::Value *result = b.CreateCall(function, arguments);
  if (!result->getType()->isVoidTy())
    b.CreateStore(result, getPointer(function->arg_size()));
  b.CreateRetVoid();
}

/// Removes what the lowering leaves behind: descriptors that are built and
/// taken apart again, indices that are computed twice, blocks that only branch.
/// LLVM's fast instruction selection does not take aggregates.
static void simplify(llvm::Module &module) {
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager callGraph;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(callGraph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, callGraph, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      passes.run(function, functions);
}

/// Creates a compiler without upstream's support for initialisers and
/// thread-local data: that is a module of its own, compiled for each kernel,
/// and no test needs it.
static llvm::Expected<std::unique_ptr<llvm::orc::LLJIT>>
makeJIT(std::unique_ptr<llvm::TargetMachine> machine) {
  using namespace llvm::orc;
  JITTargetMachineBuilder builder(machine->getTargetTriple());
  llvm::DataLayout layout = machine->createDataLayout();
  return LLJITBuilder()
      .setJITTargetMachineBuilder(builder)
      .setDataLayout(layout)
      .setPlatformSetUp(setUpInactivePlatform)
      .setCompileFunctionCreator(
          [&](JITTargetMachineBuilder)
              -> llvm::Expected<std::unique_ptr<IRCompileLayer::IRCompiler>> {
            return std::make_unique<TMOwningSimpleCompiler>(std::move(machine));
          })
      .setObjectLinkingLayerCreator([&](ExecutionSession &session) {
        // There, code and what it refers to must be close to each other.
        bool together = builder.getTargetTriple().isAArch64();
        return std::make_unique<RTDyldObjectLinkingLayer>(
            session, [together](const llvm::MemoryBuffer &) {
              return std::make_unique<llvm::SectionMemoryManager>(
                  /*MM=*/nullptr, /*ReserveAlloc=*/together);
            });
      })
      .create();
}

std::unique_ptr<Kernel> Executor::load(ModuleOp lowered, StringRef name,
                                       TypeRange inputs, TypeRange outputs,
                                       std::string &error) {
  auto fail = [&](const Twine &reason) {
    error = reason.str();
    return nullptr;
  };
  std::unique_ptr<Kernel> kernel(new Kernel());
  if (!convertSignature(inputs, kernel->inputs, error) ||
      !convertSignature(outputs, kernel->outputs, error))
    return nullptr;
  std::unique_ptr<llvm::TargetMachine> machine =
      makeTargetMachine(options, error);
  if (!machine)
    return nullptr;
  // 1. LLVM IR.
  auto llvmContext = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module =
      translateModuleToLLVMIR(lowered, *llvmContext);
  if (!module)
    return fail("translation to LLVM IR failed");
  module->setTargetTriple(machine->getTargetTriple());
  module->setDataLayout(machine->createDataLayout());
  llvm::Function *function =
      module->getFunction(("_mlir_ciface_" + name).str());
  if (!function || function->isDeclaration())
    return fail("no function '" + name + "' with a C interface");
  defineEntry(*module, function);
  if (options.optLevel == 0)
    simplify(*module);
  else if (llvm::Error failed = makeOptimizingTransformer(
               options.optLevel, /*sizeLevel=*/0, machine.get())(module.get()))
    return fail(llvm::toString(std::move(failed)));
  // 2. Machine code.
  auto jit = makeJIT(std::move(machine));
  if (!jit)
    return fail(llvm::toString(jit.takeError()));
  kernel->jit = std::move(*jit);
  llvm::orc::JITDylib &symbols = kernel->jit->getMainJITDylib();
  llvm::orc::MangleAndInterner interner(kernel->jit->getExecutionSession(),
                                        kernel->jit->getDataLayout());
  llvm::cantFail(
      symbols.define(llvm::orc::absoluteSymbols(getRuntimeSymbols(interner))));
  if (llvm::Error failed = kernel->jit->addIRModule(llvm::orc::ThreadSafeModule(
          std::move(module), std::move(llvmContext))))
    return fail(llvm::toString(std::move(failed)));
  auto entry = kernel->jit->lookup(kEntryName);
  if (!entry)
    return fail(llvm::toString(entry.takeError()));
  kernel->entry = entry->toPtr<void (*)(void **)>();
  return kernel;
}

Execution Executor::run(ModuleOp module, StringRef name,
                        ArrayRef<oracle::Tensor> inputs) {
  // Tests run few programs of dynamic sizes with several sizes or data. Memory
  // that outlives a run has its initial contents in a new kernel only.
  constexpr size_t maxKernels = 64;
  bool keepsState = llvm::any_of(
      module.getOps<memref::GlobalOp>(),
      [](memref::GlobalOp global) { return !global.getConstant(); });
  std::string key = name.str();
  llvm::raw_string_ostream os(key);
  module.print(os);
  auto known = llvm::find_if(
      kernels, [&](const auto &kernel) { return kernel.first == key; });
  if (known != kernels.end() && !keepsState)
    return known->second->run(inputs);
  Execution result;
  std::unique_ptr<Kernel> kernel = compile(module, name, result.error);
  if (!kernel)
    return result;
  if (keepsState)
    return kernel->run(inputs);
  kernels.emplace_back(key, std::move(kernel));
  if (kernels.size() > maxKernels)
    kernels.pop_front();
  return kernels.back().second->run(inputs);
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

Kernel::Kernel() = default;
Kernel::~Kernel() = default;

static void store(char *at, double value, DType type) {
  switch (type) {
  case DType::F4E2M1FN:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0FNU:
    *reinterpret_cast<uint8_t *>(at) = oracle::encode8(value, type);
    return;
  case DType::F16:
  case DType::BF16: {
    uint16_t bits = oracle::encode16(value, type);
    std::memcpy(at, &bits, sizeof(bits));
    return;
  }
  case DType::F32: {
    float narrow = static_cast<float>(value);
    std::memcpy(at, &narrow, sizeof(narrow));
    return;
  }
  case DType::F64:
    std::memcpy(at, &value, sizeof(value));
    return;
  case DType::I1:
  case DType::I8:
    *reinterpret_cast<int8_t *>(at) = static_cast<int8_t>(value);
    return;
  case DType::I32: {
    int32_t narrow = static_cast<int32_t>(value);
    std::memcpy(at, &narrow, sizeof(narrow));
    return;
  }
  case DType::I64: {
    int64_t integer = static_cast<int64_t>(value);
    std::memcpy(at, &integer, sizeof(integer));
    return;
  }
  }
}

static double load(const char *at, DType type) {
  switch (type) {
  case DType::F4E2M1FN:
  case DType::F8E4M3FN:
  case DType::F8E5M2:
  case DType::F8E4M3FNUZ:
  case DType::F8E5M2FNUZ:
  case DType::F8E8M0FNU:
    return oracle::decode8(*reinterpret_cast<const uint8_t *>(at), type);
  case DType::F16:
  case DType::BF16: {
    uint16_t bits;
    std::memcpy(&bits, at, sizeof(bits));
    return oracle::decode16(bits, type);
  }
  case DType::F32: {
    float narrow;
    std::memcpy(&narrow, at, sizeof(narrow));
    return narrow;
  }
  case DType::F64: {
    double value;
    std::memcpy(&value, at, sizeof(value));
    return value;
  }
  case DType::I1:
    return *at & 1;
  case DType::I8:
    return *reinterpret_cast<const int8_t *>(at);
  case DType::I32: {
    int32_t narrow;
    std::memcpy(&narrow, at, sizeof(narrow));
    return narrow;
  }
  case DType::I64: {
    int64_t integer;
    std::memcpy(&integer, at, sizeof(integer));
    return static_cast<double>(integer);
  }
  }
  return 0;
}

static std::string shapeToString(ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, size] : llvm::enumerate(shape))
    text += (i ? ", " : "") +
            (ShapedType::isDynamic(size) ? "?" : std::to_string(size));
  return text + "]";
}

/// The strides and the offset of an input of `shape`; what `argument` leaves open
/// is as `layout` says.
static BufferLayout getLayout(const Kernel::Argument &argument,
                              ArrayRef<int64_t> shape,
                              const BufferLayout &layout) {
  BufferLayout result;
  result.strides.resize(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    result.strides[d - 1] = result.strides[d] * shape[d];
  if (argument.strides.empty())
    return result;
  result.offset = ShapedType::isDynamic(argument.offset) ? layout.offset
                                                         : argument.offset;
  for (size_t d = 0; d < shape.size(); ++d)
    if (!ShapedType::isDynamic(argument.strides[d]))
      result.strides[d] = argument.strides[d];
    else if (!layout.strides.empty())
      result.strides[d] = layout.strides[d];
  return result;
}

/// Calls `fn` with the number of each element of a tensor of `shape`, and its
/// position in memory.
template <typename FnT>
static void forEachElement(const oracle::Shape &shape,
                           const BufferLayout &layout, FnT fn) {
  int64_t count = oracle::getNumElements(shape), at = layout.offset;
  oracle::Index index(shape.size(), 0);
  for (int64_t number = 0; number < count; ++number) {
    fn(number, at);
    // The next index, of which the last dimension moves fastest.
    for (size_t d = shape.size(); d-- > 0;) {
      at += layout.strides[d];
      if (++index[d] < shape[d])
        break;
      at -= shape[d] * layout.strides[d];
      index[d] = 0;
    }
  }
}

Execution Kernel::run(ArrayRef<oracle::Tensor> tensors,
                      ArrayRef<BufferLayout> layouts) {
  Execution result;
  if (tensors.size() != inputs.size()) {
    result.error = "expected " + std::to_string(inputs.size()) +
                   " inputs, got " + std::to_string(tensors.size());
    return result;
  }

  // Buffers and descriptors of the inputs. A descriptor is two pointers, the
  // offset, the sizes and the strides, a word each.
  Arena inputMemory, arena;
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<char *> inputData;
  std::vector<BufferLayout> used;
  for (auto [i, input, tensor] : llvm::enumerate(inputs, tensors)) {
    bool isRanked = input.kind == Argument::Kind::Ranked;
    bool fits = !isRanked || tensor.shape.size() == input.shape.size();
    for (size_t d = 0; fits && d < input.shape.size(); ++d)
      fits = ShapedType::isDynamic(input.shape[d]) ||
             input.shape[d] == tensor.shape[d];
    if (!fits) {
      result.error = "input " + std::to_string(i) + ": expected shape " +
                     shapeToString(input.shape) + ", got " +
                     shapeToString(tensor.shape);
      return result;
    }
    int64_t width = oracle::getByteWidth(input.type);
    inputData.push_back(nullptr);
    auto *&data = inputData.back();
    const BufferLayout &open = i < layouts.size() ? layouts[i] : BufferLayout();
    if (!open.strides.empty() && open.strides.size() != tensor.shape.size()) {
      result.error = "input " + std::to_string(i) +
                     ": expected a stride for each dimension";
      return result;
    }
    const BufferLayout &layout =
        used.emplace_back(getLayout(input, tensor.shape, open));
    int64_t extent = 0;
    forEachElement(tensor.shape, layout, [&](int64_t, int64_t at) {
      extent = std::max(extent, at + 1);
    });
    data = static_cast<char *>(inputMemory.allocate(width * extent));
    for (double value : tensor.data)
      if (!std::isnan(value) && oracle::roundTo(value, input.type) != value) {
        result.error = "input " + std::to_string(i) + " is not a tensor of " +
                       oracle::getName(input.type);
        return result;
      }
    forEachElement(tensor.shape, layout,
                   [&, &tensor = tensor, &input = input](int64_t e, int64_t at) {
                     store(data + at * width, tensor.data[e], input.type);
                   });
    std::vector<int64_t> words = {reinterpret_cast<int64_t>(data),
                                  reinterpret_cast<int64_t>(data),
                                  layout.offset};
    words.insert(words.end(), tensor.shape.begin(), tensor.shape.end());
    words.insert(words.end(), layout.strides.begin(), layout.strides.end());
    descriptors.push_back(std::move(words));
  }

  // The C interface takes pointers to the struct of result descriptors and to
  // each descriptor; the packed call takes pointers to its arguments.
  size_t resultWords = 0;
  for (const Argument &output : outputs)
    resultWords += 3 + 2 * output.shape.size();
  std::vector<int64_t> resultDescriptors(resultWords, 0);
  std::vector<void *> pointers = {resultDescriptors.data()};
  std::vector<std::pair<int64_t, void *>> unranked(inputs.size());
  for (auto [input, words, data, pair, tensor] :
       llvm::zip_equal(inputs, descriptors, inputData, unranked, tensors)) {
    pair = {tensor.rank(), words.data()};
    switch (input.kind) {
    case Argument::Kind::Ranked:
      pointers.push_back(words.data());
      break;
    case Argument::Kind::Unranked:
      pointers.push_back(&pair);
      break;
    case Argument::Kind::Scalar:
      pointers.push_back(data);
      break;
    }
  }
  // Scalars are passed as they are: the packed call points to them.
  std::vector<void *> packed;
  for (auto [i, pointer] : llvm::enumerate(pointers)) {
    if (i == 0 && outputs.empty())
      continue;
    bool isScalar = i > 0 && inputs[i - 1].kind == Argument::Kind::Scalar;
    packed.push_back(isScalar ? pointer : &pointer);
  }

  currentArena = &arena;
  entry(packed.data());
  currentArena = nullptr;

  result.numAllocations = arena.getNumBlocks();
  result.allocatedBytes = arena.getNumBytes();
  if (!arena.isIntact() || !inputMemory.isIntact()) {
    result.error = "the program wrote outside of its buffers";
    return result;
  }
  for (auto [input, data, tensor, layout] :
       llvm::zip(inputs, inputData, tensors, used)) {
    oracle::Tensor after(tensor.shape);
    int64_t width = oracle::getByteWidth(input.type), extent = 0;
    forEachElement(tensor.shape, layout,
                   [&, data = data, &input = input](int64_t e, int64_t at) {
                     after.data[e] = load(data + at * width, input.type);
                     extent = std::max(extent, at + 1);
                   });
    // What is between the elements is as the arena filled it.
    std::vector<bool> isElement(extent);
    forEachElement(tensor.shape, layout,
                   [&](int64_t, int64_t at) { isElement[at] = true; });
    for (int64_t byte = 0; byte < extent * width; ++byte)
      if (!isElement[byte / width] && data[byte] != char(0xff)) {
        result.error = "the program wrote between the elements of a buffer";
        return result;
      }
    result.inputs.push_back(std::move(after));
  }
  const int64_t *words = resultDescriptors.data();
  SmallVector<const char *> returned;
  for (const Argument &output : outputs) {
    size_t rank = output.shape.size();
    auto *data = reinterpret_cast<const char *>(words[1]);
    returned.push_back(data);
    int64_t offset = words[2];
    oracle::Tensor tensor(oracle::Shape(words + 3, words + 3 + rank));
    const int64_t *strides = words + 3 + rank;
    int64_t width = oracle::getByteWidth(output.type);
    oracle::forEachIndex(tensor.shape, [&](const oracle::Index &index) {
      int64_t at = offset;
      for (size_t d = 0; d < rank; ++d)
        at += index[d] * strides[d];
      tensor.at(index) = load(data + at * width, output.type);
    });
    result.outputs.push_back(std::move(tensor));
    words += 3 + 2 * rank;
  }
  result.largestTemporary = arena.getLargestBut(returned);
  return result;
}
