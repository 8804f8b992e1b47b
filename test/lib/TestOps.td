//===- TestOps.td - Test-only ops --------------------------*- tablegen -*-===//
//
// Ops that exist to show that the fusion driver knows none by name.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTOPS
#define TEST_LIB_TESTOPS

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/IndexingMapOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/IR/OpBase.td"

def Test_Dialect : Dialect {
  let name = "linalg_ext_test";
  let cppNamespace = "::mlir::linalg_ext::test";
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
                           "::mlir::tensor::TensorDialect",
                           "::mlir::math::MathDialect"];
}

def Test_LogSoftmaxOp : Op<Test_Dialect, "log_softmax", [
    DestinationStyleOpInterface, Pure,
    DeclareOpInterfaceMethods<IndexingMapOpInterface, ["getIndexingMaps"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "Online log-softmax: an additive repair.";
  let description = [{
    Along `dimension`, from the incoming log-sum-exp (init 1):
    lse' = log(e^lse + sum_d e^x), result = x - lse', or -inf where lse' is
    -inf. Its partial results are repaired by adding lse - lse'.
  }];
  let arguments = (ins AnyRankedTensor:$input, Variadic<AnyRankedTensor>:$outputs,
                       I64Attr:$dimension, UnitAttr:$online);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`online` $online^)? attr-dict
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $outputs `:` type($outputs) `)` `->` type($results)
  }];
  let extraClassDeclaration = [{
    int64_t getNumLoops() {
      return ::llvm::cast<::mlir::RankedTensorType>(getInput().getType())
          .getRank();
    }
    ::llvm::SmallVector<::mlir::utils::IteratorType> getIteratorTypesArray();
    ::llvm::ArrayRef<int64_t> getShape(::mlir::OpOperand *operand) {
      return ::llvm::cast<::mlir::RankedTensorType>(operand->get().getType())
          .getShape();
    }
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutputsMutable();
    }
  }];
}

#endif // TEST_LIB_TESTOPS
