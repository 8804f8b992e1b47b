//===- TestOps.td - Test-only ops --------------------------*- tablegen -*-===//
//
// Ops that exist to show that the drivers of fusion and of distribution know none
// by name.
//
//===----------------------------------------------------------------------===//

#ifndef TEST_LIB_TESTOPS
#define TEST_LIB_TESTOPS

include "mlir-ext/Dialect/VectorExt/IR/LayoutOpInterface.td"

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

def Test_TopKOp : Op<Test_Dialect, "topk", [
    DestinationStyleOpInterface, Pure,
    DeclareOpInterfaceMethods<IndexingMapOpInterface, ["getIndexingMaps"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "The k largest values and their positions: an accumulation of "
                "two results, of which one is repaired.";
  let description = [{
    Along `dimension`, the k largest of what the inits hold and of the values of
    `input`, and with each of them its position, largest first; of equal values
    the one met first comes first. k is the size of the last dimension of both
    results, whose others are those of `input` without `dimension`. `positions`
    is shaped like `input` or, if positions are the same in all rows, like its
    `dimension`. NaN is chosen never.

    The iteration domain is that of `input` and, behind it, k, which may not be
    cut: the best are chosen together.
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$positions,
                       Variadic<AnyRankedTensor>:$outputs, I64Attr:$dimension);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` attr-dict
    `ins` `(` $input `,` $positions `:` type($input) `,` type($positions) `)`
    `outs` `(` $outputs `:` type($outputs) `)` `->` type($results)
  }];
  let extraClassDeclaration = [{
    int64_t getRank() {
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

#endif // TEST_LIB_TESTOPS
