//===- TestOps.td - Test-only dialect ----------------------*- tablegen -*-===//
//
// The dialect of attributes and ops that exist for tests only. The ops that show
// that the fusion driver knows none by name are those of examples/extend.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTOPS
#define TEST_LIB_TESTOPS

include "mlir/IR/OpBase.td"

def Test_Dialect : Dialect {
  let name = "linalg_ext_test";
  let cppNamespace = "::mlir::linalg_ext::test";
}

#endif // TEST_LIB_TESTOPS
