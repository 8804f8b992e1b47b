//===- Manifest.h - How to launch what was compiled -------------*- C++ -*-===//
//
// A launcher that knows no MLIR needs, for each function: its kernels in order,
// their grids and arguments as expressions over the sizes of the function's
// arguments, the temporary buffers, and the constants of the module.
// docs/Manifest.md describes the format.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_MANIFEST_H
#define MLIR_EXT_TARGET_GPU_MANIFEST_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace mlir::linalg_ext {

/// Returns what the manifest says about `func`, which is on buffers and whose
/// kernels have the arguments that linalg-ext-gpu-kernel-abi gives them. A
/// function that does anything but launch kernels, allocate buffers and compute
/// sizes is an error, emitted at the op.
FailureOr<llvm::json::Object> buildManifestEntry(func::FuncOp func);

/// The manifest's "entries": one for each public function of `module` with a
/// body, in order.
FailureOr<llvm::json::Array> buildManifestEntries(ModuleOp module);

/// The constants that functions of `module` give to kernels, in order.
SmallVector<memref::GlobalOp> getManifestConstants(ModuleOp module);

struct ManifestConstants {
  /// The manifest's "constants": by name, the type, the shape and where in
  /// `data` it starts.
  llvm::json::Object descriptions;
  /// Their elements, little endian, one behind the other.
  std::string data;
};

/// What a launcher has to copy to the device before the first call. A constant
/// whose elements are not known is an error.
FailureOr<ManifestConstants> buildManifestConstants(ModuleOp module);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_MANIFEST_H
