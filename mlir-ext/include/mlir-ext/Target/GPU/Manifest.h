//===- Manifest.h - Launch manifest of a module -----------------*- C++ -*-===//
//
// Describes a compiled module for launchers that know no MLIR. For each
// function the manifest lists the kernel launches in order, their grids and
// arguments as expressions over the sizes of the function's arguments, and the
// temporary buffers. It also lists the constants of the module.
// docs/Manifest.md describes the format.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TARGET_GPU_MANIFEST_H
#define MLIR_EXT_TARGET_GPU_MANIFEST_H

#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace mlir::linalg_ext {

/// Returns what the manifest says about an argument or a result of `func` that
/// has `type`: its kind and its element type, and of a buffer its shape and, if
/// it is not dense, its strides and its offset. Fails, with an error at `func`,
/// if it is neither a number nor a buffer of numbers with strides.
FailureOr<llvm::json::Object> describeManifestValue(func::FuncOp func,
                                                    Type type);

/// Returns the word of the manifest for `access` to a buffer: "read", "write",
/// "read_write" or "none".
llvm::StringRef describeManifestAccess(BufferAccess access);

/// Returns the manifest entry of `func`. `func` must be on buffers, and its
/// kernels must have the arguments that linalg-ext-gpu-outline-kernels creates.
/// Fails, with an error at the op, if an op does anything but launch a kernel,
/// allocate a buffer, compute a size or loop around these.
FailureOr<llvm::json::Object> buildManifestEntry(func::FuncOp func);

/// Returns the "entries" of the manifest: one for each public function of
/// `module` with a body, in order. Fails like buildManifestEntry.
FailureOr<llvm::json::Array> buildManifestEntries(ModuleOp module);

/// Returns the constants that functions of `module` pass to kernels, in order.
SmallVector<memref::GlobalOp> getManifestConstants(ModuleOp module);

struct ManifestConstants {
  /// The "constants" of the manifest: for each name the element type, the
  /// shape, and the offset in `data` in bytes.
  llvm::json::Object descriptions;
  /// The elements of all constants, little endian. Each constant starts at a
  /// multiple of 256 bytes.
  std::string data;
};

/// Returns the constants that a launcher must copy to the device before the
/// first call. Fails, with an error at the memref.global, if a constant has no
/// initial value, no identity layout, or elements that are not numbers.
FailureOr<ManifestConstants> buildManifestConstants(ModuleOp module);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TARGET_GPU_MANIFEST_H
