//===- View.cpp - Collects what a page about a compilation shows ----------===//
//
// See View.h.
//
//===----------------------------------------------------------------------===//

#include "View.h"
#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::linalg_ext;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static constexpr StringRef kDataPrefix = "data: ";

View::View(MLIRContext *context, bool printsRemarks)
    : handler(context, [this, printsRemarks](Diagnostic &diagnostic) {
        bool isRemark = diagnostic.getSeverity() == DiagnosticSeverity::Remark;
        std::string text = diagnostic.str();
        if (isRemark && StringRef(text).starts_with(kDataPrefix)) {
          llvm::Expected<json::Value> value =
              json::parse(StringRef(text).drop_front(kDataPrefix.size()));
          if (!value) {
            llvm::consumeError(value.takeError());
            return failure();
          }
          json::Object &object = *value->getAsObject();
          if (json::Object *plan = object.getObject("plan"))
            data.plans.push_back(std::move(*plan));
          else if (json::Object *kernel = object.getObject("kernel"))
            data.kernels.push_back(std::move(*kernel));
          return success();
        }
        if (isRemark ||
            diagnostic.getSeverity() == DiagnosticSeverity::Warning) {
          auto file =
              diagnostic.getLocation()->findInstanceOf<FileLineColLoc>();
          data.remarks.push_back({isRemark ? "remark" : "warning", text,
                                  file ? file.getLine() : 0});
        }
        return success(isRemark && !printsRemarks);
      }) {}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// The bytes of a buffer; sizes that are not known are assumed.
static int64_t countBytes(MemRefType type, bool &assumesSizes) {
  Type element = type.getElementType();
  int64_t bits = element.isIndex()        ? 64
                 : element.isIntOrFloat() ? element.getIntOrFloatBitWidth()
                                          : 0;
  uint64_t bytes = llvm::divideCeil(bits, 8);
  for (int64_t size : type.getShape()) {
    assumesSizes |= ShapedType::isDynamic(size);
    bytes = llvm::SaturatingMultiply<uint64_t>(
        bytes, ShapedType::isDynamic(size) ? kAssumedSize : size);
  }
  return std::min<uint64_t>(bytes, INT64_MAX);
}

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto memref = cast<MemRefType>(type);
  for (int64_t size : memref.getShape())
    if (ShapedType::isDynamic(size))
      os << "?x";
    else
      os << size << "x";
  os << memref.getElementType();
  return text;
}

/// What a step of a function is called.
static std::string getLabel(Operation *op) {
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return "kernel " + launch.getKernelName().str();
  std::string text = op->getName().getStringRef().str();
  if (auto file = op->getLoc()->findInstanceOf<FileLineColLoc>())
    text += " of line " + std::to_string(file.getLine());
  return text;
}

/// The ops in the body of `func` that use `buffer` or a view of it, as its
/// ancestors there.
static void collectUsers(Value buffer, Block &body,
                         llvm::SetVector<Operation *> &users) {
  for (Operation *user : buffer.getUsers()) {
    Operation *step = body.findAncestorOpInBlock(*user);
    if (!step || isa<memref::DeallocOp>(user))
      continue;
    if (auto view = dyn_cast<ViewLikeOpInterface>(user);
        view && view.getViewSource() == buffer) {
      for (Value result : user->getResults())
        collectUsers(result, body, users);
      if (step == user)
        continue;
    }
    // What only describes the buffer, such as its sizes.
    if (isPure(user) && step == user) {
      for (Value result : user->getResults())
        collectUsers(result, body, users);
      continue;
    }
    users.insert(step);
  }
}

std::vector<ViewedMemory> mlir::linalg_ext::describeMemory(ModuleOp module) {
  std::vector<ViewedMemory> all;
  for (auto func : module.getOps<func::FuncOp>()) {
    if (func.isExternal() || !func.isPublic())
      continue;
    Block &body = func.getBody().front();
    ViewedMemory memory;
    memory.function = func.getName().str();

    // 1. Buffers: views of the block, or allocations of their own. What is
    // returned is none.
    llvm::SmallPtrSet<Value, 4> returned;
    func.walk([&](func::ReturnOp op) {
      for (Value value : op.getOperands())
        returned.insert(getViewedBuffer(value));
    });
    llvm::MapVector<Value, ViewedBuffer> buffers;
    for (auto alloc : body.getOps<memref::AllocOp>()) {
      if (returned.contains(alloc))
        continue;
      SmallVector<memref::ViewOp> views;
      for (Operation *user : alloc->getUsers())
        if (auto view = dyn_cast<memref::ViewOp>(user))
          views.push_back(view);
      auto add = [&](Value value, std::optional<int64_t> offset) {
        ViewedBuffer buffer;
        auto type = cast<MemRefType>(value.getType());
        buffer.type = printType(type);
        buffer.bytes = countBytes(type, memory.assumesSizes);
        buffer.offset = offset;
        buffers.insert({value, buffer});
      };
      if (views.empty()) {
        add(alloc, std::nullopt);
        continue;
      }
      MemRefType type = alloc.getType();
      if (type.hasStaticShape())
        memory.blockBytes = countBytes(type, memory.assumesSizes);
      else
        memory.assumesSizes = true;
      for (memref::ViewOp view : llvm::reverse(views))
        add(view, getConstantIntValue(view.getByteShift()));
    }

    // 2. Steps, in order, and the time of each buffer.
    llvm::MapVector<Value, llvm::SetVector<Operation *>> users;
    llvm::SetVector<Operation *> steps;
    for (auto &[value, buffer] : buffers)
      collectUsers(value, body, users[value]);
    for (Operation &op : body) {
      bool isStep = isa<gpu::LaunchFuncOp, LoopLikeOpInterface>(op);
      for (auto &[value, ofBuffer] : users)
        isStep |= ofBuffer.contains(&op) && !isa<func::ReturnOp>(op);
      if (isStep)
        steps.insert(&op);
    }
    auto getNumber = [&](Operation *op) {
      return static_cast<size_t>(llvm::find(steps, op) - steps.begin());
    };
    for (auto &[value, buffer] : buffers) {
      bool isUsed = false;
      for (Operation *op : users[value]) {
        if (!steps.contains(op))
          continue;
        size_t number = getNumber(op);
        buffer.first = isUsed ? std::min(buffer.first, number) : number;
        buffer.last = isUsed ? std::max(buffer.last, number) : number;
        isUsed = true;
      }
      if (isUsed)
        memory.buffers.push_back(buffer);
    }
    for (Operation *op : steps)
      memory.steps.push_back(getLabel(op));
    all.push_back(std::move(memory));
  }
  return all;
}

void View::afterPass(Pass *pass, Operation *op) {
  auto module = dyn_cast<ModuleOp>(op);
  if (module && llvm::is_contained({"linalg-ext-share-temporaries",
                                    "linalg-ext-gpu-place-memory"},
                                   pass->getArgument()))
    data.memory = describeMemory(module);
}
