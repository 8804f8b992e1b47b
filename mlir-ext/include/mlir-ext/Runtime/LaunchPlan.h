//===- LaunchPlan.h - Launches of a manifest, with all sizes known -*- C++ -*-//
//
// Reads the launches of a manifest (docs/Manifest.md) and evaluates their
// expressions.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_RUNTIME_LAUNCHPLAN_H
#define MLIR_EXT_RUNTIME_LAUNCHPLAN_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <array>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mlir::linalg_ext {

/// An argument that the user describes: its shape, or the value of a scalar.
struct ArgumentValue {
  bool isBuffer = false;
  llvm::SmallVector<int64_t> shape;
  /// The strides of a buffer in a plan: those of the argument's type, or
  /// row-major strides.
  llvm::SmallVector<int64_t> strides;
  /// The value of a scalar, or of the elements of a buffer of integers. A plan
  /// needs it for a buffer of one integer that is the bound of a loop around
  /// kernels.
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

/// The arguments of cuTensorMapEncodeTiled, the innermost dimension first. They
/// say how the hardware addresses boxes of a buffer.
struct TensorMap {
  std::string type;
  /// Strides are in bytes. There is none for the innermost dimension.
  llvm::SmallVector<int64_t> sizes, strides, box;
  /// The width of a swizzled row in bytes, or 0.
  int64_t swizzle = 0;
};

/// The argument of a kernel.
struct KernelArgument {
  enum Kind { Argument, Temporary, Constant, Scalar, Numbers } kind = Scalar;
  /// The number of the buffer, among the arguments of the function, the
  /// temporaries or the constants.
  unsigned index = 0;
  /// The bits of a scalar, in the lowest bytes; or the offset in bytes of the
  /// kernel's argument in its buffer.
  uint64_t bits = 0;
  /// Set if the kernel takes a tensor map of the buffer instead of the buffer.
  std::optional<TensorMap> map;
  /// For a collective operation: the shape of a buffer argument, or the
  /// elements of a buffer of numbers in memory of the host.
  llvm::SmallVector<int64_t> numbers;
};

struct PlannedLaunch {
  /// The name of the kernel. With `isCollective`, the name of a function in the
  /// library of collective operations, which all processes call here.
  std::string kernel;
  bool isCollective = false;
  std::array<int64_t, 3> grid, block;
  int64_t sharedBytes = 0;
  /// The workgroups of a cluster.
  std::array<int64_t, 3> cluster = {1, 1, 1};
  /// Whether the kernel itself waits for earlier launches.
  bool waits = false;
  /// If this is not 0, and the workgroups, distributed evenly, are at most so
  /// many on a processor, no processor should take more of them than that.
  int64_t workgroupsPerProcessor = 0;
  std::vector<KernelArgument> arguments;
};

/// A call of a function.
struct LaunchPlan {
  /// The arguments of the function. Scalars have no bytes.
  llvm::SmallVector<PlannedBuffer> arguments;
  llvm::SmallVector<PlannedBuffer> temporaries;
  /// The offset of each constant of the manifest in the image of constants.
  llvm::SmallVector<int64_t> constants;
  /// The launches, except those with an empty grid. Loops are unrolled.
  llvm::SmallVector<PlannedLaunch> launches;
};

/// Returns the call of `entry` with `values`. Fails if they do not fit; the
/// error has the expected values. `process` is the index of this process among
/// those that run the program. Functions of a single process ignore it.
/// checkManifest (Program.h) must accept `manifest`, or the compiler must have
/// written it in this process.
llvm::Expected<LaunchPlan> makeLaunchPlan(const llvm::json::Value &manifest,
                                          llvm::StringRef entry,
                                          llvm::ArrayRef<ArgumentValue> values,
                                          std::optional<int64_t> process = {});

/// Returns the shape of the grid of processes if `entry` needs the index of
/// this process.
std::optional<llvm::SmallVector<int64_t>>
getProcessGrid(const llvm::json::Value &manifest, llvm::StringRef entry);

/// Returns the values for `makeLaunchPlan` if all arguments of the entry are
/// buffers of static shape, and otherwise an empty list.
std::optional<llvm::SmallVector<ArgumentValue>>
getStaticArgumentValues(const llvm::json::Value &manifest,
                        llvm::StringRef entry);

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_RUNTIME_LAUNCHPLAN_H
