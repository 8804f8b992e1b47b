//===- RuntimeCalls.h - Calls of the runtime library ------------*- C++ -*-===//
//
// Builds calls of liblinalg_ext_mpi (LinalgExtMPI.c), and the buffers that they
// take. A declaration of a function that communicates has the attribute
// `collective`: the name of the operation, for the manifest.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_LIB_SHARDING_RUNTIMECALLS_H
#define MLIR_EXT_LIB_SHARDING_RUNTIMECALLS_H

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Shard/IR/ShardOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/SymbolTable.h"

namespace mlir::linalg_ext {

class RuntimeCalls {
public:
  explicit RuntimeCalls(ModuleOp module) : module(module), symbols(module) {}

  /// Returns the name of an element type in names of functions. Empty if the
  /// library does not support it.
  static StringRef getTypeName(Type type);

  shard::GridOp getGrid(FlatSymbolRefAttr name) {
    return symbols.lookup<shard::GridOp>(name.getAttr());
  }

  /// Allocates a buffer for a tensor of this type with these sizes.
  Value allocate(ImplicitLocOpBuilder &b, RankedTensorType type,
                 ArrayRef<OpFoldResult> sizes);

  /// Copies `tensor` to a new buffer.
  Value materialize(ImplicitLocOpBuilder &b, Value tensor);

  /// Copies `tensor` to `buffer`.
  void materialize(ImplicitLocOpBuilder &b, Value tensor, Value buffer);

  /// Reads `buffer` as a tensor of type `type`.
  Value toTensor(ImplicitLocOpBuilder &b, Type type, Value buffer);

  /// Returns the index of this process in the grid, of index type.
  Value getProcessIndex(ImplicitLocOpBuilder &b, FlatSymbolRefAttr grid);

  /// Calls linalg_ext_mpi_NAME_TYPE(buffers..., grid, axes, parameters...).
  /// TYPE is the element type of the buffers. No axes stand for all.
  void callCollective(ImplicitLocOpBuilder &b, StringRef name,
                      ValueRange buffers, FlatSymbolRefAttr grid,
                      ArrayRef<shard::GridAxis> axes,
                      ValueRange parameters = {});

  /// Builds a check that dimension `dim` of `argument` has the same size in all
  /// processes along `axes`, which are bits.
  void checkSize(ImplicitLocOpBuilder &b, BlockArgument argument, int64_t dim,
                 int64_t axes, FlatSymbolRefAttr grid);

private:
  Value getShape(ImplicitLocOpBuilder &b, FlatSymbolRefAttr name);
  Operation *call(ImplicitLocOpBuilder &b, const Twine &name,
                  StringRef collective, TypeRange results, ValueRange operands);

  ModuleOp module;
  SymbolTable symbols;
  llvm::DenseMap<Operation *, memref::GlobalOp> globals;
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_LIB_SHARDING_RUNTIMECALLS_H
