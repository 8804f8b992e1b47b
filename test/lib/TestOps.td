//===- TestOps.td - Test-only ops --------------------------*- tablegen -*-===//
//
// An op that exists to show that the driver of distribution knows none by name,
// and a dialect for attributes of tests.
//
//===----------------------------------------------------------------------===//

#ifndef LINALG_EXT_TEST_LIB_TESTOPS
#define LINALG_EXT_TEST_LIB_TESTOPS

include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.td"

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/IR/OpBase.td"

def Test_Dialect : Dialect {
  let name = "linalg_ext_test";
  let cppNamespace = "::mlir::linalg_ext::test";
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def Test_AddTransposedOp : Op<Test_Dialect, "add_transposed", [
    Pure, AllTypesMatch<["lhs", "result"]>,
    DeclareOpInterfaceMethods<VectorExt_LayoutOpInterface,
                              ["getOperandLayout", "getDecidingLayout"]>]> {
  let summary = "The sum of a vector and of the transpose of another one.";
  let description = [{
    `result[i, j] = lhs[i, j] + rhs[j, i]`. It is distributed by
    `LayoutOpInterface` alone: the layouts of the operands are those of the result
    and of its transpose, and a thread adds its registers.
  }];
  let arguments = (ins VectorOfRankAndType<[2], [AnyFloat]>:$lhs,
                       VectorOfRankAndType<[2], [AnyFloat]>:$rhs);
  let results = (outs VectorOfRankAndType<[2], [AnyFloat]>:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs)
  }];
  let hasVerifier = 1;
}

#endif // LINALG_EXT_TEST_LIB_TESTOPS
