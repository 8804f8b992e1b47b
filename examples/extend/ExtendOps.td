//===- ExtendOps.td - Two ops of another project -----------*- tablegen -*-===//
//
// The dialect of the example. See README.md.
//
//===----------------------------------------------------------------------===//

#ifndef EXTEND_EXTENDOPS
#define EXTEND_EXTENDOPS

include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/IndexingMapOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

def ExtendDialect : Dialect {
  let name = "extend";
  let cppNamespace = "::mlir::extend";
}

/// Operand i is accessed by indexing map i, and result i is tied to init i.
class Extend_Op<string mnemonic> : Op<ExtendDialect, mnemonic, [
    DestinationStyleOpInterface, Pure,
    DeclareOpInterfaceMethods<IndexingMapOpInterface, ["getIndexingMaps"]>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let hasVerifier = 1;
  code baseClassDeclaration = [{
    ::mlir::RankedTensorType getInputType() {
      return ::llvm::cast<::mlir::RankedTensorType>(getInput().getType());
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
  let extraClassDeclaration = baseClassDeclaration;
}

def Extend_LogSoftmaxOp : Extend_Op<"log_softmax"> {
  let summary = "log-softmax, whose repair adds";
  let description = [{
    Along `dimension`, from the log-sum-exp that the second init holds:

    ```
    lse' = log(e^lse + sum e^x)
    result = x - lse', or -inf where lse' is -inf
    ```

    With `online`, the op accepts tiles along `dimension`. What earlier tiles
    computed is repaired by adding lse - lse'.

    - (C1) `dimension` is a dimension of `input`.
    - (C2) There are two outputs: one of the type of `input`, and one of that
      type without `dimension`.

    ```mlir
    %y, %lse = extend.log_softmax dimension(1)
      ins(%x : tensor<?x?xf32>) outs(%a, %b : tensor<?x?xf32>, tensor<?xf32>)
      -> tensor<?x?xf32>, tensor<?xf32>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input,
                       Variadic<AnyRankedTensor>:$outputs, I64Attr:$dimension,
                       UnitAttr:$online);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` (`online` $online^)? attr-dict
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $outputs `:` type($outputs) `)` `->` type($results)
  }];
}

def Extend_TopKOp : Extend_Op<"topk"> {
  let summary = "The k largest values and their positions";
  let description = [{
    Along `dimension`, the k largest of what the inits hold and of the values of
    `input`, and the position of each of them, largest first. Of equal values,
    the one met first comes first. k is the size of the last dimension of both
    results. Their other dimensions are those of `input` without `dimension`.
    `positions` has the shape of `input`, or only its `dimension` if positions
    are the same in all rows. NaN is never chosen.

    The iteration domain is that of `input`, and then k. Tiles may not cut k.

    - (C1) `dimension` is a dimension of `input`.
    - (C2) `positions` has the rank of `input`, or rank 1.
    - (C3) There are two outputs. Both have the rank of `input`.

    ```mlir
    %v, %p = extend.topk dimension(1)
      ins(%x, %positions : tensor<?x?xf32>, tensor<?xi64>)
      outs(%a, %b : tensor<?x2xf32>, tensor<?x2xi64>)
      -> tensor<?x2xf32>, tensor<?x2xi64>
    ```
  }];
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$positions,
                       Variadic<AnyRankedTensor>:$outputs, I64Attr:$dimension);
  let assemblyFormat = [{
    `dimension` `(` $dimension `)` attr-dict
    `ins` `(` $input `,` $positions `:` type($input) `,` type($positions) `)`
    `outs` `(` $outputs `:` type($outputs) `)` `->` type($results)
  }];
}

#endif // EXTEND_EXTENDOPS
