//===- RoleRegisters.h - Registers of the roles of a kernel -----*- C++ -*-===//
//
// A kernel with roles has groups of threads that compute, and one that copies.
// A group changes its number of registers as a whole. Distribution shares them
// out, and the choice of kernels asks what there will be.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_SUPPORT_ROLEREGISTERS_H
#define MLIR_EXT_SUPPORT_ROLEREGISTERS_H

#include "mlir-ext/Support/GPUTarget.h"

namespace mlir::linalg_ext {

/// Registers of a thread of each role.
struct RoleRegisters {
  int64_t copying = 0, computing = 0;
};

/// Divides the registers of a workgroup among its roles: `parts` groups that
/// compute, and one group that copies. The copying group gets more registers if
/// a tile comes from several places (`numPlaces` > 1), and if a loop over tiles
/// is around the loops that copy (`persist` > 0, as in KernelMark). The latter
/// does not hold if three groups compute, and tiles are dealt in one direction
/// or two: it has enough, or spills 16 bytes, and the others would not
/// (docs/Decisions/0130, 0149 and 0156).
inline RoleRegisters shareRegisters(int64_t parts, int64_t numPlaces,
                                    int64_t persist, const GPUTarget &target) {
  int64_t groups = parts + 1;
  int64_t copying = numPlaces > 4   ? 56
                    : parts >= 3    ? 32
                    : numPlaces > 1 ? 40
                                    : 24;
  if (persist > (parts >= 3 && numPlaces <= 4 ? 2 : 0))
    copying += 16;
  int64_t computing =
      (groups * target.getLaunchedRegisters(groups * target.groupThreads) -
       copying) /
      (target.registerStep * parts) * target.registerStep;
  return {copying, std::min(computing, target.groupRegisters)};
}

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_SUPPORT_ROLEREGISTERS_H
