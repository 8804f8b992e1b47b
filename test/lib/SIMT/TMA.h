//===- TMA.h - The swizzles of TMA and wgmma --------------------*- C++ -*-===//
//
// What TMA and wgmma share.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_SIMT_TMA_H
#define LINALG_EXT_TEST_LIB_SIMT_TMA_H

#include <cstdint>

namespace mlir::linalg_ext::simt {

/// Returns where the byte of an address in workgroup memory is under a swizzle
/// of `width` bytes (32, 64, 128; 0 for none).
int64_t swizzleAddress(int64_t address, int64_t width);

} // namespace mlir::linalg_ext::simt

#endif // LINALG_EXT_TEST_LIB_SIMT_TMA_H
