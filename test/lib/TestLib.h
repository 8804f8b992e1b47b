//===- TestLib.h - What only tests register ---------------------*- C++ -*-===//
//
// Passes that print or emit what tile-and-fuse decides, and the ops of
// examples/extend.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTLIB_H
#define TEST_LIB_TESTLIB_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::linalg_ext::test {
/// Registers the dialect of examples/extend, and the passes of tests.
void registerTestLib(DialectRegistry &registry);
} // namespace mlir::linalg_ext::test

#endif // TEST_LIB_TESTLIB_H
