//===- Print.cpp - What a program prints ----------------------------------===//
//
// vector.print, and the functions of MLIR's runner library that print memrefs,
// in the form that they print.
//
//===----------------------------------------------------------------------===//

#include "SIMT/Elementwise.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::linalg_ext;
using namespace mlir::linalg_ext::simt;

/// As a stream of C++ prints by default: six significant digits.
static void printScalar(llvm::raw_ostream &os, uint64_t word,
                        const ScalarFormat &format, Type type) {
  if (format.isFloat())
    os << llvm::format("%g", decode(word, format.kind));
  else if (type.isInteger(1) || type.isIndex() || type.isUnsignedInteger())
    os << word;
  else
    os << signExtend(word, format.bits);
}

static void printVector(llvm::raw_ostream &os, const uint64_t *&words,
                        ArrayRef<int64_t> shape, const ScalarFormat &format,
                        Type type) {
  if (shape.empty())
    return printScalar(os, *words++, format, type);
  os << "( ";
  for (int64_t i = 0; i < shape.front(); ++i) {
    if (i)
      os << ", ";
    printVector(os, words, shape.drop_front(), format, type);
  }
  os << " )";
}

static void printPunctuation(llvm::raw_ostream &os,
                             vector::PrintPunctuation punctuation) {
  switch (punctuation) {
  case vector::PrintPunctuation::NoPunctuation:
    break;
  case vector::PrintPunctuation::NewLine:
    os << "\n";
    break;
  case vector::PrintPunctuation::Comma:
    os << ", ";
    break;
  case vector::PrintPunctuation::Open:
    os << "( ";
    break;
  case vector::PrintPunctuation::Close:
    os << " )";
    break;
  }
}

static LogicalResult runPrint(vector::PrintOp op, Machine &machine) {
  llvm::raw_ostream &os = machine.program.os();
  for (int thread : machine.active()) {
    if (std::optional<StringRef> literal = op.getStringLiteral()) {
      os << *literal;
    } else if (Value source = op.getSource()) {
      Type type = getElementTypeOrSelf(source.getType());
      std::optional<ScalarFormat> format = getScalarFormat(type);
      if (!format)
        return op.emitError()
               << "printing " << source.getType() << " is not supported";
      const uint64_t *words = machine.get(source).at(thread);
      ArrayRef<int64_t> shape;
      if (auto vector = dyn_cast<VectorType>(source.getType()))
        shape = vector.getShape();
      printVector(os, words, shape, *format, type);
    }
    printPunctuation(os, op.getPunctuation());
  }
  return success();
}

namespace {
struct MemRefPrinter {
  Operation *op;
  Machine &machine;
  const View &view;
  ElementFormat format;
  Type type;
  int thread;

  LogicalResult print(int64_t dim, int64_t offset) {
    llvm::raw_ostream &os = machine.program.os();
    if (dim == view.rank) {
      SmallVector<uint64_t> word(format.count);
      if (failed(
              machine.load(op, thread, view, offset, format, 1, word.data())))
        return failure();
      printScalar(os, word.front(), format.scalar, type);
      return success();
    }
    os << "[";
    for (int64_t i = 0; i < view.size(dim); ++i) {
      // The runner library's spaces.
      bool innermost = dim + 1 == view.rank;
      if (i)
        (os << (innermost ? ", " : ", \n "))
            .indent(static_cast<unsigned>(innermost ? view.rank : dim));
      if (failed(print(dim + 1, offset + i * view.stride(dim))))
        return failure();
    }
    os << "]";
    return success();
  }
};
} // namespace

static LogicalResult printMemRef(func::CallOp op, Machine &machine, Type type) {
  const Register &memref = machine.get(op.getOperand(0));
  for (int thread : machine.active()) {
    View view(memref.at(thread), memref.width);
    llvm::raw_ostream &os = machine.program.os();
    os << "Unranked Memref base@ = 0x0 rank = " << view.rank
       << " offset = " << view.offset();
    for (const char *what : {"sizes", "strides"}) {
      os << " " << what << " = [";
      for (int64_t dim = 0; dim < view.rank; ++dim)
        os << (dim ? ", " : "")
           << (what[1] == 'i' ? view.size(dim) : view.stride(dim));
      os << "]";
    }
    os << " data = \n";
    MemRefPrinter printer{op,   machine, view, *getElementFormat(type),
                          type, thread};
    if (failed(printer.print(0, view.offset())))
      return failure();
    os << "\n";
  }
  return success();
}

LogicalResult simt::callExternal(func::CallOp op, Machine &machine) {
  Builder b(op.getContext());
  StringRef name = op.getCallee();
  llvm::raw_ostream &os = machine.program.os();
  Type type = llvm::StringSwitch<Type>(name)
                  .Case("printMemrefF16", b.getF16Type())
                  .Case("printMemrefBF16", b.getBF16Type())
                  .Case("printMemrefF32", b.getF32Type())
                  .Case("printMemrefF64", b.getF64Type())
                  .Case("printMemrefI8", b.getI8Type())
                  .Case("printMemrefI16", b.getI16Type())
                  .Case("printMemrefI32", b.getI32Type())
                  .Case("printMemrefI64", b.getI64Type())
                  .Case("printMemrefInd", b.getIndexType())
                  .Default(Type());
  if (type && op->getNumOperands() == 1 && op->getNumResults() == 0) {
    auto argument = dyn_cast<BaseMemRefType>(op.getOperand(0).getType());
    if (argument && argument.getElementType() == type)
      return printMemRef(op, machine, type);
  }
  if (name == "printNewline" && op->getNumOperands() == 0) {
    os << "\n";
    return success();
  }
  return op.emitError() << "call of '" << name << "', which has no body";
}

void simt::populatePrint(Handlers &handlers) {
  handlers.add<vector::PrintOp>(runPrint);
}
