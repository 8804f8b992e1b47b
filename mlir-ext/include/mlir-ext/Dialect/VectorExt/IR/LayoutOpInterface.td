//===- LayoutOpInterface.td - Ops on vectors with layouts --*- tablegen -*-===//
//
// What an op on vectors tells the layout analysis and distribution: how the
// layouts of its operands and results depend on each other, and what one thread
// does.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_DIALECT_VECTOREXT_IR_LAYOUTOPINTERFACE
#define MLIR_EXT_DIALECT_VECTOREXT_IR_LAYOUTOPINTERFACE

include "mlir/IR/OpBase.td"

def VectorExt_LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let description = [{
    Describes an op on vectors that can be distributed to the threads of a
    workgroup. The interface has two parts:

    - *The relation* (all methods but the last two) says how the layouts of the
      operands and results depend on each other. The layout analysis uses it to
      find a layout for each vector. Methods of the relation build no IR.
    - *Distribution* (`needsDistribution` and `distribute`) builds what one
      thread does once all layouts are known.

    One vector of the op is the *deciding* value. Its layout determines the
    layouts of all other vectors of the op. For most ops, it is the result. A
    layout has one dimension for each dimension of its vector, in the order of
    the vector type. The layouts of an op all have the lanes and subgroups of
    the workgroup. The methods that an op implements depend on the op:

    | the op                                       | implements                |
    |----------------------------------------------|---------------------------|
    | has a result and no vector operands          | `distribute`              |
    | has vector operands                          | also `getOperandLayout`   |
    | can follow the layout of an operand          | also `getDecidingLayout`  |
    | decides by an operand                        | also `getDecidingValue` and, if it has vector results, `getResultLayout` |
    | requests a layout of its own                 | also `getRequestedLayout` |
    | cannot follow all layouts                    | also `getPossibleLayout`  |
    | is cheap                                     | also `isRematerializable` |

    If an operand has another layout than `getOperandLayout` returns, the analysis
    inserts a `vector_ext.to_layout`, or clones the producer if that is
    rematerializable. When `distribute` is called, the operands have the layouts
    that `getOperandLayout` returns, and the results have those that
    `getResultLayout` returns.

    An op with regions also implements `RegionBranchOpInterface`, and its
    terminators implement `RegionBranchTerminatorOpInterface`. The analysis gives
    one layout to all values that control flow forwards to each other. It calls
    no method of the relation for such an op.
  }];
  let cppNamespace = "::mlir::vector_ext";
  let methods = [
    InterfaceMethod<[{
        Returns the deciding value: a vector that is an operand or a result of
        the op. Null if the layouts of the vectors of this op have no relation.
        The op then cannot be distributed. By default, it is the first vector
        among the results or, if there is none, among the operands. It is null
        for an op with regions.
      }],
      "::mlir::Value", "getDecidingValue", (ins), [{}],
      [{ return ::mlir::vector_ext::detail::getDefaultDecidingValue($_op); }]>,
    InterfaceMethod<[{
        Returns the layout that the vector `operand` must have if the deciding
        value has layout `deciding`. Returns std::nullopt if no layout of the
        operand fits.
      }],
      "std::optional<::mlir::layout::Layout>", "getOperandLayout",
      (ins "::mlir::OpOperand &":$operand,
           "const ::mlir::layout::Layout &":$deciding),
      [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<[{
        Returns the layout that the vector `result` has if the deciding value has
        layout `deciding`. By default, it is `deciding` if the result is the
        deciding value, and std::nullopt otherwise.
      }],
      "std::optional<::mlir::layout::Layout>", "getResultLayout",
      (ins "::mlir::OpResult":$result,
           "const ::mlir::layout::Layout &":$deciding),
      [{}], [{
        return ::mlir::vector_ext::detail::getDefaultResultLayout($_op, result,
                                                                 deciding);
      }]>,
    InterfaceMethod<[{
        The inverse of `getOperandLayout`: returns the layout of the deciding
        value for which the vector `operand` must have `layout`. Returns
        std::nullopt if there are several or none. The layout of the operand then
        does not determine the layout of the op.
      }],
      "std::optional<::mlir::layout::Layout>", "getDecidingLayout",
      (ins "::mlir::OpOperand &":$operand,
           "const ::mlir::layout::Layout &":$layout),
      [{}], [{ return std::nullopt; }]>,
    InterfaceMethod<[{
        Returns the layout of the deciding value that the op requests before the
        analysis propagates any. Returns std::nullopt if it requests none. Fails,
        with an error at the op, if the request does not fit the op or
        `workgroup`.
      }],
      "::llvm::FailureOr<std::optional<::mlir::layout::Layout>>",
      "getRequestedLayout",
      (ins "const ::mlir::vector_ext::Workgroup &":$workgroup), [{}],
      [{ return std::optional<::mlir::layout::Layout>(); }]>,
    InterfaceMethod<[{
        Returns the layout of the deciding value that suits the op best if
        neither its operands nor its users determine one. If it returns
        std::nullopt, the analysis chooses a blocked layout.
      }],
      "std::optional<::mlir::layout::Layout>", "getPreferredLayout",
      (ins "const ::mlir::vector_ext::Workgroup &":$workgroup), [{}],
      [{ return std::nullopt; }]>,
    InterfaceMethod<[{
        For an op that cannot follow every layout of its deciding value: returns
        one for which `getOperandLayout` returns a layout for each operand. The
        op gets it instead of a layout that does not fit, and the analysis
        converts the results.
      }],
      "std::optional<::mlir::layout::Layout>", "getPossibleLayout",
      (ins "const ::mlir::vector_ext::Workgroup &":$workgroup), [{}],
      [{ return std::nullopt; }]>,
    InterfaceMethod<[{
        Returns true if `operand` may have any layout. The layout that
        `getOperandLayout` returns, if any, is then only the one with which the
        op is cheapest.
      }],
      "bool", "acceptsAnyLayout", (ins "::mlir::OpOperand &":$operand), [{}],
      [{ return false; }]>,
    InterfaceMethod<[{
        Returns true if it is cheap to compute the op again in another layout,
        provided that its vector operands are rematerializable too. The op must
        have one result, which is its deciding value, and no side effects.
      }],
      "bool", "isRematerializable", (ins), [{}], [{ return false; }]>,
    InterfaceMethod<[{
        Returns false if a thread loads the results where they are used, so that
        they do not count as registers.
      }],
      "bool", "holdsResultsInRegisters", (ins), [{}], [{ return true; }]>,
    InterfaceMethod<[{
        Returns the number of products that a thread computes one by one if the
        deciding value has layout `deciding`. Each of them is an instruction of
        its own.
      }],
      "int64_t", "getNumProducts",
      (ins "const ::mlir::layout::Layout &":$deciding), [{}],
      [{ return 0; }]>,
    InterfaceMethod<[{
        Returns true if the op in the program of a thread differs from the op in
        the program of the workgroup. By default, this is so if an operand or a
        result is a vector. An op without vectors that only some threads may
        perform returns true as well. An op that does not need distribution stays,
        and so do those without the interface. The ops in their regions are
        distributed.
      }],
      "bool", "needsDistribution", (ins), [{}],
      [{ return ::mlir::vector_ext::hasVectors($_op); }]>,
    InterfaceMethod<[{
        Builds what one thread does, at the insertion point of
        `distributor.getRewriter()`, which is before the op. Then it calls
        `distributor.replace` with one value for each result. A vector with
        layout L becomes a vector with one dimension and one element for each
        register of L. Any other value is the same in all threads. An op without
        vector results may also be moved or kept. Fails, with an error at the op,
        if the op cannot be distributed. Operands have been distributed before:
        `distributor.getDistributed` returns their registers.
      }],
      "::llvm::LogicalResult", "distribute",
      (ins "::mlir::vector_ext::Distributor &":$distributor)>,
  ];
}

#endif // MLIR_EXT_DIALECT_VECTOREXT_IR_LAYOUTOPINTERFACE
