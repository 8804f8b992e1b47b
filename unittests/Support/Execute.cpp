//===- Execute.cpp - Runs a function on the host --------------------------===//
//
// See Execute.h. KernelCall.cpp calls what is compiled here.
//
//===----------------------------------------------------------------------===//

#include "Execute.h"
#include "KernelCall.h"

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
#include "mlir/Pass/Pass.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
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
// Lowering
//===----------------------------------------------------------------------===//

/// Writes ops that neither libm nor LLVM has. Upstream's expansion of a clamp
/// (22.1.8) takes its bounds for each other.
static LogicalResult expandMath(Operation *op, PatternRewriter &rewriter) {
  Location loc = op->getLoc();
  if (auto clamp = dyn_cast<math::ClampFOp>(op)) {
    Value larger = arith::MaximumFOp::create(rewriter, loc, clamp.getValue(),
                                             clamp.getMin());
    rewriter.replaceOpWithNewOp<arith::MinimumFOp>(op, larger, clamp.getMax());
    return success();
  }
  if (!isa<math::IsInfOp, math::IsNormalOp>(op))
    return rewriter.notifyMatchFailure(op, "has a lowering");
  auto type = dyn_cast<FloatType>(op->getOperand(0).getType());
  if (!type)
    return rewriter.notifyMatchFailure(op, "is not of scalars");
  const llvm::fltSemantics &format = type.getFloatSemantics();
  auto compare = [&](arith::CmpFPredicate predicate, const APFloat &number) {
    Value size = math::AbsFOp::create(rewriter, loc, op->getOperand(0));
    Value bound = arith::ConstantOp::create(
        rewriter, loc, rewriter.getFloatAttr(type, number));
    return arith::CmpFOp::create(rewriter, loc, predicate, size, bound)
        .getResult();
  };
  APFloat infinity = APFloat::getInf(format);
  if (isa<math::IsInfOp>(op)) {
    rewriter.replaceOp(op, compare(arith::CmpFPredicate::OEQ, infinity));
    return success();
  }
  Value isLarge = compare(arith::CmpFPredicate::OGE,
                          APFloat::getSmallestNormalized(format));
  Value isFinite = compare(arith::CmpFPredicate::OLT, infinity);
  rewriter.replaceOpWithNewOp<arith::AndIOp>(op, isLarge, isFinite);
  return success();
}

namespace {
struct Expansion : RewritePattern {
  Expansion(StringRef name, MLIRContext *context)
      : RewritePattern(name, /*benefit=*/1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    return expandMath(op, rewriter);
  }
};

/// Calls libm for functions that it has. LLVM has the rest, and upstream's pass
/// (22.1.8) fails for it.
struct ConvertToLibm : PassWrapper<ConvertToLibm, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertToLibm)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<func::FuncDialect, vector::VectorDialect>();
  }
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMathToLibmConversionPatterns(patterns);
    for (StringRef name :
         {math::ClampFOp::getOperationName(), math::IsInfOp::getOperationName(),
          math::IsNormalOp::getOperationName()})
      patterns.add<Expansion>(name, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

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
  pm.addPass(std::make_unique<ConvertToLibm>());
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
