//===- ManifestReader.h - Manifest entry of a function ----------*- C++ -*-===//
//
// Manifest.cpp has the launches, buffers and tensor maps of a function,
// ManifestExpressions.cpp the sizes and strides that they are made of.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_TARGET_GPU_MANIFESTREADER_H
#define MLIR_EXT_LIB_TARGET_GPU_MANIFESTREADER_H

#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mlir::linalg_ext {

/// Returns the element type of a buffer; an index has 64 bits.
std::string getManifestElementName(MemRefType type);

/// Returns {"op": [a, b]}, or its value where that is known.
llvm::json::Value makeManifestOp(StringRef op, llvm::json::Value a,
                                 llvm::json::Value b);

/// Returns `expression`, which has 64 bits, as an integer of `type`.
llvm::json::Value wrapManifestInteger(llvm::json::Value expression, Type type,
                                      bool isSigned);

/// Returns whether `op`, which may be null, allocates a temporary buffer.
bool isManifestAllocation(Operation *op);

/// Returns the constant buffer that `buffer` is; null if it is none.
memref::GlobalOp getManifestConstant(Value buffer);

/// Returns the elements of a constant buffer of integers.
FailureOr<llvm::json::Array> getManifestNumbers(Value buffer, Location loc);

/// One function, read in the order of its ops.
class EntryReader {
public:
  explicit EntryReader(func::FuncOp func) : func(func) {}
  FailureOr<llvm::json::Object> read();

private:
  FailureOr<llvm::json::Value> getExpression(Value value);
  FailureOr<llvm::json::Value> getExpressionOf(Operation *op, Value value);
  llvm::json::Value wrapCounted(llvm::json::Value expression, Type type,
                                bool isSigned) const;
  FailureOr<llvm::json::Value> getAffineExpression(AffineExpr expr,
                                                   ValueRange operands,
                                                   unsigned numDims,
                                                   Location loc);
  FailureOr<llvm::json::Value> getAffineExtremum(StringRef op, AffineMap map,
                                                 ValueRange operands,
                                                 Location loc);
  FailureOr<llvm::json::Value> getSize(Value buffer, int64_t dim, Location loc);
  FailureOr<llvm::json::Value> getMetadata(memref::ExtractStridedMetadataOp op,
                                           unsigned result);
  FailureOr<llvm::json::Value> getOffset(Value view, Location loc);
  FailureOr<llvm::json::Value> getBuffer(Value value, Location loc);
  FailureOr<llvm::json::Value> getTensorMap(Value value, Location loc);
  FailureOr<llvm::json::Array> getShape(Operation *allocation);
  FailureOr<llvm::json::Object> readLaunch(gpu::LaunchFuncOp launch);
  FailureOr<llvm::json::Object> readCollective(CallOpInterface call);
  FailureOr<llvm::json::Object> readTemporary(Operation *allocation);
  FailureOr<llvm::json::Array> readArguments();
  FailureOr<llvm::json::Array> addCounters(Operation *loop, ValueRange inits,
                                           ValueRange inside);
  LogicalResult addNext(llvm::json::Array &all, ValueRange next);
  FailureOr<llvm::json::Object> readFor(scf::ForOp loop);
  FailureOr<llvm::json::Object> readWhile(scf::WhileOp loop);
  LogicalResult readBlock(Block &block, llvm::json::Array &launches);
  /// The only element of an argument, which the launcher reads.
  FailureOr<llvm::json::Value> getElement(memref::LoadOp load);
  /// Whether an expression depends on the counter of a loop.
  bool isCounted(const llvm::json::Value &expression) const;
  /// What kernels do to argument `number` of the function.
  BufferAccess getArgumentAccess(unsigned number);

  func::FuncOp func;
  /// Temporary buffers by their allocation.
  llvm::DenseMap<Operation *, int64_t> temporaries;
  llvm::json::Array temporaryList, checks;
  /// The numbers of what loops carry.
  llvm::DenseMap<Value, int64_t> counters;
  int64_t numCounters = 0;
  /// Values that are others: what an `scf.while` hands on.
  llvm::DenseMap<Value, Value> handedOn;
  /// The terms so far of the expression that is being written.
  unsigned numTerms = 0;
  /// Expressions of many terms, which others name by their numbers.
  llvm::json::Array named;
  llvm::DenseMap<Value, int64_t> namedNumbers;
  /// Whether each of these depends on the counter of a loop.
  SmallVector<bool> namedIsCounted;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_TARGET_GPU_MANIFESTREADER_H
