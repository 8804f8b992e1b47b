//===- LaunchPlan.h - Launches of a manifest, with all sizes known -*- C++ -*-//
//
// What docs/Manifest.md describes, read and evaluated.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_LAUNCHPLAN_H
#define MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_LAUNCHPLAN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mlir::linalg_ext {

/// What the user says of an argument: its shape, or the value of a scalar.
struct ArgumentValue {
  bool isBuffer = false;
  llvm::SmallVector<int64_t> shape;
  /// Of a buffer in a plan: as its type has them, else row-major.
  llvm::SmallVector<int64_t> strides;
  /// Of a scalar; of a buffer of integers, what it is filled with.
  std::variant<int64_t, double> value = int64_t(0);
  bool hasValue = false;
};

/// Parses "16x1024x64,16x64=3,8,0.5": a shape, with the value of its elements
/// where one is given, or a scalar. A buffer of one dimension is "8x", and one
/// of no dimension "x".
llvm::Expected<llvm::SmallVector<ArgumentValue>>
parseArgumentValues(llvm::StringRef text);

/// A buffer to allocate.
struct PlannedBuffer {
  /// The element type, "f16".
  std::string type;
  int64_t numElements = 0, numBytes = 0;
  bool isRead = true, isWritten = true;
};

/// How the hardware addresses boxes of a buffer: what cuTensorMapEncodeTiled
/// takes, the innermost dimension first.
struct TensorMap {
  std::string type;
  /// Strides are in bytes, without the innermost one.
  llvm::SmallVector<int64_t> sizes, strides, box;
  /// The width of a swizzled row in bytes, or 0.
  int64_t swizzle = 0;
};

/// The argument of a kernel.
struct KernelArgument {
  enum Kind { Argument, Temporary, Constant, Scalar } kind = Scalar;
  /// Of the buffer: of the function's arguments, of the temporaries, or of the
  /// constants.
  unsigned index = 0;
  /// The bits of a scalar, in its least bytes; of a buffer the bytes from where
  /// it starts to where the kernel's argument does.
  uint64_t bits = 0;
  /// If the kernel takes not the buffer but a tensor map of it.
  std::optional<TensorMap> map;
};

struct PlannedLaunch {
  std::string kernel;
  std::array<int64_t, 3> grid, block;
  int64_t sharedBytes = 0;
  std::vector<KernelArgument> arguments;
};

/// A call of a function.
struct LaunchPlan {
  /// Of the function's arguments, scalars among them with no bytes.
  llvm::SmallVector<PlannedBuffer> arguments;
  llvm::SmallVector<PlannedBuffer> temporaries;
  /// Where each constant of the manifest starts in the image of constants.
  llvm::SmallVector<int64_t> constants;
  /// Without those whose grid is empty.
  llvm::SmallVector<PlannedLaunch> launches;
};

/// The call of `entry` with `values`. Fails with what is expected instead.
llvm::Expected<LaunchPlan> makeLaunchPlan(const llvm::json::Value &manifest,
                                          llvm::StringRef entry,
                                          llvm::ArrayRef<ArgumentValue> values);

/// What `makeLaunchPlan` takes for an entry all of whose arguments are buffers
/// of static shape; nothing for others.
std::optional<llvm::SmallVector<ArgumentValue>>
getStaticArgumentValues(const llvm::json::Value &manifest,
                        llvm::StringRef entry);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_TOOLS_LINALG_EXT_COMPILE_LAUNCHPLAN_H
