//===- CHeader.cpp - C declarations of functions --------------------------===//
//
// Writes declarations for MLIR's C interface. A function f is called as
// _mlir_ciface_f, with a pointer to a descriptor for each buffer. A result that
// is a buffer, and several results, are returned through a pointer, which is
// the first argument.
//
//===----------------------------------------------------------------------===//

#include "CHeader.h"

#include "mlir-ext/Support/BufferAccess.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringExtras.h"

#include <map>

using namespace mlir;
using namespace mlir::linalg_ext;

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

namespace {
struct CType {
  std::string name;
  /// In the names of descriptors.
  std::string suffix;
};
} // namespace

static FailureOr<CType> getElementCType(Type type) {
  if (type.isF32())
    return CType{"float", "f32"};
  if (type.isF64())
    return CType{"double", "f64"};
  // Their bits: C has no portable type for these.
  if (type.isF16())
    return CType{"uint16_t", "f16"};
  if (type.isBF16())
    return CType{"uint16_t", "bf16"};
  if (auto number = dyn_cast<FloatType>(type); number && number.getWidth() == 8) {
    std::string name;
    llvm::raw_string_ostream(name) << type;
    return CType{"uint8_t", StringRef(name).lower()};
  }
  if (type.isIndex())
    return CType{"intptr_t", "index"};
  if (auto integer = dyn_cast<IntegerType>(type)) {
    unsigned width = integer.getWidth();
    if (width == 1)
      return CType{"bool", "i1"};
    if (width == 8 || width == 16 || width == 32 || width == 64) {
      std::string bits = std::to_string(width);
      return CType{(integer.isUnsigned() ? "uint" : "int") + bits + "_t",
                   (integer.isUnsigned() ? "u" : "i") + bits};
    }
  }
  return failure();
}

static FailureOr<CType> getCType(Type type) {
  if (!isa<BaseMemRefType>(type))
    return getElementCType(type);
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.isStrided())
    return failure();
  FailureOr<CType> element = getElementCType(memref.getElementType());
  if (failed(element))
    return failure();
  std::string suffix =
      std::to_string(memref.getRank()) + "d_" + element->suffix;
  return CType{"linalg_ext_buffer_" + suffix, suffix};
}

/// Descriptors are the same whoever declares them, so that several headers may
/// be included together.
static void writeDescriptor(MemRefType type, llvm::raw_ostream &os) {
  CType element = *getElementCType(type.getElementType());
  CType descriptor = *getCType(type);
  int64_t rank = type.getRank();
  std::string guard = StringRef(descriptor.name).upper();
  os << "#ifndef " << guard << "\n#define " << guard << "\n"
     << "typedef struct {\n"
     << "  " << element.name << " *allocated; /* for free() */\n"
     << "  " << element.name << " *aligned;   /* the elements */\n"
     << "  int64_t offset;\n";
  if (rank > 0)
    os << "  int64_t sizes[" << rank << "];\n"
       << "  int64_t strides[" << rank << "];\n";
  os << "} " << descriptor.name << ";\n\n"
     << "/* Describes dense row-major elements at `data`. */\n"
     << "static inline " << descriptor.name << " linalg_ext_describe_"
     << descriptor.suffix << "(\n    " << element.name << " *data";
  for (int64_t i = 0; i < rank; ++i)
    os << ", int64_t size" << i;
  os << ") {\n  " << descriptor.name << " buffer;\n"
     << "  buffer.allocated = data;\n  buffer.aligned = data;\n"
     << "  buffer.offset = 0;\n";
  for (int64_t i = 0; i < rank; ++i)
    os << "  buffer.sizes[" << i << "] = size" << i << ";\n";
  for (int64_t i = rank - 1; i >= 0; --i) {
    os << "  buffer.strides[" << i << "] = ";
    if (i == rank - 1)
      os << "1;\n";
    else
      os << "buffer.strides[" << i + 1 << "] * size" << i + 1 << ";\n";
  }
  os << "  return buffer;\n}\n#endif\n\n";
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static void writeShape(Type type, llvm::raw_ostream &os) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref) {
    os << type;
    return;
  }
  for (int64_t size : memref.getShape()) {
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
    os << " x ";
  }
  os << memref.getElementType();
  if (memref.getLayout().isIdentity())
    return;
  auto [strides, offset] = memref.getStridesAndOffset();
  auto writeNumber = [&](int64_t number) {
    if (ShapedType::isDynamic(number))
      os << "?";
    else
      os << number;
  };
  os << " with the strides ";
  llvm::interleaveComma(strides, os, writeNumber);
  os << " and the offset ";
  writeNumber(offset);
}

/// Writes which sizes of arguments a caller must make equal.
static void writeEqualSizes(func::FuncOp func, const FunctionSizes &sizes,
                            llvm::raw_ostream &os) {
  // Results are arguments (out-params) only if there is one for each.
  unsigned numArguments = sizes.numArguments;
  if (func.getNumArguments() == numArguments + sizes.numResults)
    numArguments = func.getNumArguments();
  for (const EqualDims &equal : sizes.dims) {
    SmallVector<std::string> names;
    for (ArgumentDim dim : equal.dims)
      if (dim.argument < numArguments)
        names.push_back("arg" + std::to_string(dim.argument) + "->sizes[" +
                        std::to_string(dim.dim) + "]");
    if (equal.size)
      names.push_back(std::to_string(*equal.size));
    if (names.size() > 1)
      os << " *   must be equal: " << llvm::join(names, " = ") << "\n";
  }
}

static LogicalResult writeFunction(func::FuncOp func,
                                   const FunctionSizes &sizes,
                                   llvm::raw_ostream &os) {
  ArrayRef<Type> results = func.getResultTypes();
  StringRef name = func.getName();

  os << "/* " << name << "\n *\n";
  for (BlockArgument arg : func.getArguments()) {
    os << " *   arg" << arg.getArgNumber() << ": ";
    writeShape(arg.getType(), os);
    if (isa<MemRefType>(arg.getType()))
      os << (getBufferAccess(arg).mayWrite ? ", written" : ", read");
    os << "\n";
  }
  bool anyBuffer = false;
  for (auto [number, type] : llvm::enumerate(results)) {
    os << " *   result" << number << ": ";
    writeShape(type, os);
    if (isa<MemRefType>(type))
      os << ", allocated: free("
         << "result->"
         << (results.size() > 1 ? "result" + std::to_string(number) + "." : "")
         << "allocated)";
    os << "\n";
    anyBuffer |= isa<MemRefType>(type);
  }
  writeEqualSizes(func, sizes, os);
  os << " */\n";

  bool indirect = results.size() > 1 || anyBuffer;
  std::string resultType = "void", pointer;
  if (results.size() == 1) {
    resultType = getCType(results.front())->name;
  } else if (results.size() > 1) {
    resultType = (name + "_results").str();
    os << "typedef struct {\n";
    for (auto [number, type] : llvm::enumerate(results))
      os << "  " << getCType(type)->name << " result" << number << ";\n";
    os << "} " << resultType << ";\n";
  }
  os << (indirect ? "void" : resultType) << " _mlir_ciface_" << name << "(";
  SmallVector<std::string> parameters;
  if (indirect)
    parameters.push_back(resultType + " *result");
  for (auto [number, type] : llvm::enumerate(func.getArgumentTypes()))
    parameters.push_back(getCType(type)->name +
                         (isa<MemRefType>(type) ? " *arg" : " arg") +
                         std::to_string(number));
  if (parameters.empty())
    os << "void";
  else
    os << "\n    " << llvm::join(parameters, ",\n    ");
  os << ");\n\n";
  return success();
}

/// A C identifier made from `text`.
static std::string makeIdentifier(StringRef text) {
  std::string result;
  for (char c : text)
    result += llvm::isAlnum(c) ? llvm::toUpper(c) : '_';
  return result;
}

LogicalResult mlir::linalg_ext::writeCHeader(
    ModuleOp module, const llvm::StringMap<FunctionSizes> &sizes,
    StringRef input, bool usesOpenMP, llvm::raw_ostream &os) {
  SmallVector<func::FuncOp> functions;
  std::map<std::string, MemRefType> descriptors;
  std::string guard = "LINALG_EXT";
  for (auto func : module.getOps<func::FuncOp>()) {
    if (!func.isPublic() || func.isExternal())
      continue;
    if (!llvm::all_of(func.getName(),
                      [](char c) { return llvm::isAlnum(c) || c == '_'; }))
      return func.emitError("expected a name that is a C identifier, got '")
             << func.getName() << "'";
    functions.push_back(func);
    guard += "_" + makeIdentifier(func.getName());
    // Numbers of 16 bits are passed in registers of floats; their bits are not.
    for (Type type :
         func.getNumResults() == 1
             ? llvm::to_vector(llvm::concat<const Type>(
                   func.getArgumentTypes(), func.getResultTypes()))
             : llvm::to_vector(func.getArgumentTypes()))
      if (type.isF16() || type.isBF16())
        return func.emitError("expected buffers of f16 and bf16, which C has "
                              "no portable numbers of, got ")
               << type;
    for (Type type : llvm::concat<const Type>(func.getArgumentTypes(),
                                              func.getResultTypes())) {
      FailureOr<CType> cType = getCType(type);
      if (failed(cType))
        return func.emitError("expected integers and floats that C can "
                              "name, or buffers of them, got ")
               << type;
      if (auto memref = dyn_cast<MemRefType>(type))
        descriptors.emplace(cType->name, memref);
    }
  }

  os << "/* Generated by linalg-ext-compile from " << input << ".\n"
     << " *\n"
     << " * Buffers are dense and row-major, with offset 0, unless a function "
        "says which\n"
     << " * strides and offset they have, in elements (? is any). Nothing "
        "checks "
        "that sizes\n"
     << " * which must be equal are. f16 and bf16 elements are passed as their "
        "bits.\n";
  if (usesOpenMP)
    os << " *\n"
       << " * Link with LLVM's OpenMP runtime (-lomp). The environment "
          "variable\n"
       << " * OMP_NUM_THREADS says how many threads share the work; results do "
          "not\n"
       << " * depend on it.\n";
  os << " */\n\n"
     << "#ifndef " << guard << "_H\n#define " << guard << "_H\n\n"
     << "#include <stdbool.h>\n#include <stdint.h>\n\n"
     << "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n";
  for (auto &[name, type] : descriptors)
    writeDescriptor(type, os);
  for (func::FuncOp func : functions)
    if (failed(writeFunction(func, sizes.lookup(func.getName()), os)))
      return failure();
  os << "#ifdef __cplusplus\n}\n#endif\n\n"
     << "#endif /* " << guard << "_H */\n";
  return success();
}
