//===- Importer.cpp - Writes graphs as importers do -----------------------===//
//
// See Importer.h.
//
//===----------------------------------------------------------------------===//

#include "Importer.h"

#include <cassert>
#include <cmath>
#include <cstdio>

using namespace linalg_ext_test;
using oracle::DType;

//===----------------------------------------------------------------------===//
// Payloads
//===----------------------------------------------------------------------===//

std::string Payload::emit(const std::string &op) {
  std::string name = "%x" + std::to_string(count++);
  text += "    " + name + " = " + op + "\n";
  return name;
}

std::string Payload::arith(const std::string &op, const std::string &a,
                           const std::string &b, const std::string &type) {
  return emit("arith." + op + " " + a + ", " + b + " : " + type);
}

std::string Payload::index(char letter) {
  return emit("linalg.index " + std::to_string(loops.find(letter)) +
              " : index");
}

static std::string printNumber(double value, DType type) {
  if (std::isnan(value)) {
    switch (type) {
    case DType::F16:
      return "0x7E00";
    case DType::BF16:
      return "0x7FC0";
    case DType::F32:
      return "0x7FC00000";
    default:
      return "0x7FF8000000000000";
    }
  }
  if (std::isinf(value)) {
    assert(value < 0);
    switch (type) {
    case DType::F16:
      return "0xFC00";
    case DType::BF16:
      return "0xFF80";
    case DType::F32:
      return "0xFF800000";
    default:
      return "0xFFF0000000000000";
    }
  }
  char buffer[64];
  std::snprintf(buffer, sizeof(buffer), "%.17e", value);
  return buffer;
}

std::string Payload::constant(double value, DType type) {
  if (!oracle::isFloat(type))
    return emit(std::string("arith.constant ") + (value ? "1" : "0") + " : " +
                oracle::getName(type));
  return emit("arith.constant " + printNumber(value, type) + " : " +
              oracle::getName(type));
}

std::string Payload::constantIndex(int64_t value) {
  return emit("arith.constant " + std::to_string(value) + " : index");
}

std::string Payload::convert(const std::string &scalar, DType from, DType to) {
  if (from == to)
    return scalar;
  std::string types =
      std::string(oracle::getName(from)) + " to " + oracle::getName(to);
  if (oracle::getByteWidth(from) < oracle::getByteWidth(to))
    return emit("arith.extf " + scalar + " : " + types);
  if (oracle::getByteWidth(from) > oracle::getByteWidth(to))
    return emit("arith.truncf " + scalar + " : " + types);
  // f16 and bf16.
  return convert(convert(scalar, from, DType::F32), DType::F32, to);
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string Importer::freshName() { return "%t" + std::to_string(count++); }

std::string Importer::typeOf(const std::string &dims, DType type) const {
  std::string text = "tensor<";
  for (char letter : dims)
    text +=
        (isDynamic(letter) ? "?" : std::to_string(staticSize(letter))) + "x";
  return text + oracle::getName(type) + ">";
}

std::string Importer::size(char letter) {
  std::string &name = sizeNames[letter];
  if (name.empty()) {
    assert(!isDynamic(letter) && "nothing has this size yet");
    name = freshName();
    appendOp(name + " = arith.constant " + std::to_string(staticSize(letter)) +
             " : index");
  }
  return name;
}

Importer::Value Importer::argument(const std::string &dims, DType type) {
  Value value = {"%a" + std::to_string(numArguments++), dims, type};
  arguments +=
      (arguments.empty() ? "" : ", ") + value.name + ": " + typeOf(value);
  for (size_t i = 0; i < dims.size(); ++i)
    if (isDynamic(dims[i]) && sizeNames[dims[i]].empty()) {
      std::string at = freshName(), name = freshName();
      appendOp(at + " = arith.constant " + std::to_string(i) + " : index");
      appendOp(name + " = tensor.dim " + value.name + ", " + at + " : " +
               typeOf(value));
      sizeNames[dims[i]] = name;
    }
  return value;
}

Importer::Value Importer::empty(const std::string &dims, DType type) {
  std::string operands;
  for (char letter : dims)
    if (isDynamic(letter))
      operands += (operands.empty() ? "" : ", ") + size(letter);
  Value value = {freshName(), dims, type};
  appendOp(value.name + " = tensor.empty(" + operands +
           ") : " + typeOf(dims, type));
  return value;
}

Importer::Value Importer::fill(const std::string &dims, DType type,
                               double number) {
  Value init = empty(dims, type), value = {freshName(), dims, type};
  std::string scalar = freshName();
  std::string element = oracle::getName(type);
  appendOp(scalar + " = arith.constant " +
           (oracle::isFloat(type) ? printNumber(number, type)
                                  : std::string(number ? "1" : "0")) +
           " : " + element);
  if (genericFills) {
    std::string loops, iterators;
    for (size_t i = 0; i < dims.size(); ++i) {
      loops += (i ? ", d" : "d") + std::to_string(i);
      iterators += i ? ", \"parallel\"" : "\"parallel\"";
    }
    appendOp(value.name + " = linalg.generic {indexing_maps = [affine_map<(" +
             loops + ") -> (" + loops + ")>], iterator_types = [" + iterators +
             "]} outs(" + init.name + " : " + typeOf(init) + ") {");
    appendOp("^bb0(%old: " + element + "):");
    appendOp("  linalg.yield " + scalar + " : " + element);
    appendOp("} -> " + typeOf(init));
    return value;
  }
  appendOp(value.name + " = linalg.fill ins(" + scalar + " : " + element +
           ") outs(" + init.name + " : " + typeOf(init) + ") -> " +
           typeOf(init));
  return value;
}

//===----------------------------------------------------------------------===//
// Structured ops
//===----------------------------------------------------------------------===//

/// Returns the map from `loops` to `dims`. Dimensions of size 1 are read at 0.
/// With `isIdentity`, `dims` are the loops.
static std::string printMap(const std::string &loops, const std::string &dims,
                            bool isIdentity) {
  std::string domain, range;
  for (size_t i = 0; i < loops.size(); ++i)
    domain += (i ? ", d" : "d") + std::to_string(i);
  for (size_t i = 0; i < dims.size(); ++i) {
    range += i ? ", " : "";
    if (isIdentity)
      range += "d" + std::to_string(i);
    else if (dims[i] == '1')
      range += "0";
    else
      range += "d" + std::to_string(loops.find(dims[i]));
  }
  return "affine_map<(" + domain + ") -> (" + range + ")>";
}

Importer::Value Importer::generic(const std::vector<Value> &inputs,
                                  const Value &init, const std::string &loops,
                                  const Body &body) {
  std::string maps, names, types, blockArguments;
  std::vector<std::string> elements;
  bool isReduction = false;
  auto separate = [](std::string &text, const std::string &item) {
    text += (text.empty() ? "" : ", ") + item;
  };
  std::string iterators, outDims = init.dims;
  for (char letter : loops) {
    bool isReduced = outDims.find(letter) == std::string::npos;
    isReduction |= isReduced;
    separate(iterators, isReduced ? "\"reduction\"" : "\"parallel\"");
  }
  for (const Value &input : inputs) {
    separate(maps, printMap(loops, input.dims, /*isIdentity=*/false));
    separate(names, input.name);
    separate(types, typeOf(input));
  }
  separate(maps, printMap(loops, outDims, /*isIdentity=*/!isReduction));
  std::vector<Value> all = inputs;
  all.push_back(init);
  for (size_t i = 0; i < all.size(); ++i) {
    std::string element = "%e" + std::to_string(i);
    separate(blockArguments, element + ": " + oracle::getName(all[i].type));
    if (i < inputs.size() || isReduction)
      elements.push_back(element);
  }
  Payload payload(loops);
  std::string yielded = body(payload, elements);
  Value result = {freshName(), init.dims, init.type};
  appendOp(result.name + " = linalg.generic {indexing_maps = [" + maps +
           "], iterator_types = [" + iterators + "]}" +
           (inputs.empty() ? "" : " ins(" + names + " : " + types + ")") +
           " outs(" + init.name + " : " + typeOf(init) + ") {");
  appendOp("^bb0(" + blockArguments + "):");
  this->body += payload.text;
  appendOp("  linalg.yield " + yielded + " : " +
           std::string(oracle::getName(init.type)));
  appendOp("} -> " + typeOf(init));
  return result;
}

Importer::Value Importer::elementwise(const std::vector<Value> &inputs,
                                      const std::string &outDims, DType type,
                                      const Body &body) {
  return generic(inputs, empty(outDims, type), outDims, body);
}

Importer::Value Importer::convert(const Value &input, DType type) {
  if (input.type == type)
    return input;
  return elementwise({input}, input.dims, type,
                     [&](Payload &p, std::vector<std::string> in) {
                       return p.convert(in[0], input.type, type);
                     });
}

Importer::Value Importer::multiply(const Value &input, double factor) {
  return elementwise({input}, input.dims, input.type,
                     [&](Payload &p, std::vector<std::string> in) {
                       return p.arith("mulf", in[0],
                                      p.constant(factor, input.type),
                                      oracle::getName(input.type));
                     });
}

Importer::Value Importer::reduce(const Value &input, char letter, bool keepDim,
                                 double init, const Body &body) {
  std::string outDims = input.dims;
  size_t at = outDims.find(letter);
  if (keepDim)
    outDims[at] = '1';
  else
    outDims.erase(at, 1);
  return generic({input}, fill(outDims, input.type, init), input.dims, body);
}

Importer::Value Importer::reduceWithIndex(const Value &input, char letter,
                                          double init) {
  std::string outDims = input.dims;
  outDims.erase(outDims.find(letter), 1);
  Value max = fill(outDims, input.type, init),
        at = fill(outDims, DType::I64, 0);
  std::string iterators;
  for (char loop : input.dims)
    iterators += std::string(iterators.empty() ? "" : ", ") +
                 (loop == letter ? "\"reduction\"" : "\"parallel\"");
  std::string read = printMap(input.dims, input.dims, /*isIdentity=*/false),
              written = printMap(input.dims, outDims, /*isIdentity=*/false);
  std::string element = oracle::getName(input.type), name = freshName();
  appendOp(name + ":2 = linalg.generic {indexing_maps = [" + read + ", " +
           written + ", " + written + "], iterator_types = [" + iterators +
           "]} ins(" + input.name + " : " + typeOf(input) + ") outs(" +
           max.name + ", " + at.name + " : " + typeOf(max) + ", " + typeOf(at) +
           ") {");
  appendOp("^bb0(%e0: " + element + ", %e1: " + element + ", %e2: i64):");
  Payload payload(input.dims);
  std::string index = payload.emit("arith.index_cast " + payload.index(letter) +
                                   " : index to i64");
  std::string larger = payload.arith("maximumf", "%e0", "%e1", element);
  std::string isLarger = payload.emit("arith.cmpf ogt, %e0, %e1 : " + element);
  std::string where =
      payload.emit("arith.select " + isLarger + ", " + index + ", %e2 : i64");
  body += payload.text;
  appendOp("  linalg.yield " + larger + ", " + where + " : " + element +
           ", i64");
  appendOp("} -> (" + typeOf(max) + ", " + typeOf(at) + ")");
  return {name + "#0", outDims, input.type};
}

Importer::Value Importer::contraction(const Value &lhs, const Value &rhs,
                                      const std::string &outDims, DType type) {
  return contractOnto(lhs, rhs, fill(outDims, type, 0.0));
}

Importer::Value Importer::contractOnto(const Value &lhs, const Value &rhs,
                                       const Value &init) {
  oracle::Einsum einsum(lhs.dims + "," + rhs.dims + "->" + init.dims);
  std::string element = oracle::getName(init.type);
  return generic({lhs, rhs}, init, init.dims + einsum.reduced,
                 [&](Payload &p, std::vector<std::string> in) {
                   std::string a = p.convert(in[0], lhs.type, init.type);
                   std::string b = p.convert(in[1], rhs.type, init.type);
                   return p.arith("addf", in[2], p.arith("mulf", a, b, element),
                                  element);
                 });
}

Importer::Value Importer::batchMatmul(const Value &lhs, const Value &rhs,
                                      DType type) {
  std::string outDims = lhs.dims.substr(0, 2) + rhs.dims[2];
  Value init = fill(outDims, type, 0.0), result = {freshName(), outDims, type};
  appendOp(result.name + " = linalg.batch_matmul ins(" + lhs.name + ", " +
           rhs.name + " : " + typeOf(lhs) + ", " + typeOf(rhs) + ") outs(" +
           init.name + " : " + typeOf(init) + ") -> " + typeOf(init));
  return result;
}

Importer::Value Importer::softmax(const Value &input, char letter) {
  Value init = empty(input.dims, input.type),
        result = {freshName(), input.dims, input.type};
  appendOp(result.name + " = linalg.softmax dimension(" +
           std::to_string(input.dims.find(letter)) + ") ins(" + input.name +
           " : " + typeOf(input) + ") outs(" + init.name + " : " +
           typeOf(init) + ") -> " + typeOf(init));
  return result;
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

Importer::Value Importer::transpose(const Value &input,
                                    const std::string &dims) {
  Value init = empty(dims, input.type),
        result = {freshName(), dims, input.type};
  std::string permutation;
  for (char letter : dims)
    permutation += (permutation.empty() ? "" : ", ") +
                   std::to_string(input.dims.find(letter));
  appendOp(result.name + " = linalg.transpose ins(" + input.name + " : " +
           typeOf(input) + ") outs(" + init.name + " : " + typeOf(init) +
           ") permutation = [" + permutation + "]");
  return result;
}

/// Returns, for example, "[[0], [1, 2], [3]]": dimension `at` has `numParts`
/// parts.
static std::string printReassociation(size_t numDims, size_t at,
                                      size_t numParts) {
  std::string text;
  int64_t next = 0;
  for (size_t i = 0; i < numDims; ++i) {
    text += text.empty() ? "[" : ", ";
    text += "[" + std::to_string(next++);
    for (size_t part = 1; i == at && part < numParts; ++part)
      text += ", " + std::to_string(next++);
    text += "]";
  }
  return text + "]";
}

Importer::Value Importer::expand(const Value &input, char letter,
                                 const std::string &parts) {
  size_t at = input.dims.find(letter);
  std::string dims = input.dims;
  dims.replace(at, 1, parts);
  Value result = {freshName(), dims, input.type};
  std::string shape;
  for (char part : dims)
    shape += (shape.empty() ? "" : ", ") +
             (isDynamic(part) ? size(part) : std::to_string(staticSize(part)));
  appendOp(result.name + " = tensor.expand_shape " + input.name + " " +
           printReassociation(input.dims.size(), at, parts.size()) +
           " output_shape [" + shape + "] : " + typeOf(input) + " into " +
           typeOf(result));
  return result;
}

Importer::Value Importer::collapse(const Value &input, const std::string &parts,
                                   char letter) {
  size_t at = input.dims.find(parts);
  std::string dims = input.dims;
  dims.replace(at, parts.size(), 1, letter);
  if (isDynamic(letter) && sizeNames[letter].empty()) {
    std::string product = size(parts[0]);
    for (char part : parts.substr(1)) {
      std::string factor = size(part), next = freshName();
      appendOp(next + " = arith.muli " + product + ", " + factor + " : index");
      product = next;
    }
    sizeNames[letter] = product;
  }
  Value result = {freshName(), dims, input.type};
  appendOp(result.name + " = tensor.collapse_shape " + input.name + " " +
           printReassociation(dims.size(), at, parts.size()) + " : " +
           typeOf(input) + " into " + typeOf(result));
  return result;
}

Importer::Value Importer::pad(const Value &input, char letter, char longer,
                              double value) {
  std::string dims = input.dims;
  assert(dims.back() == letter && "expected to pad the last dim");
  dims.back() = longer;
  Value result = {freshName(), dims, input.type};
  std::string amount = freshName(), low, high, indices;
  std::string from = size(letter), to = size(longer);
  appendOp(amount + " = arith.subi " + to + ", " + from + " : index");
  for (size_t i = 0; i < dims.size(); ++i) {
    const char *separator = i ? ", " : "";
    low += std::string(separator) + "0";
    high += separator + (i + 1 == dims.size() ? amount : std::string("0"));
    indices += std::string(separator) + "%i" + std::to_string(i) + ": index";
  }
  Payload payload(dims);
  std::string yielded = payload.constant(value, input.type);
  appendOp(result.name + " = tensor.pad " + input.name + " low[" + low +
           "] high[" + high + "] {");
  appendOp("^bb0(" + indices + "):");
  body += payload.text;
  appendOp("  tensor.yield " + yielded + " : " + oracle::getName(input.type));
  appendOp("} : " + typeOf(input) + " to " + typeOf(result));
  return result;
}

Importer::Value Importer::slice(const Value &input, char letter, char part,
                                int64_t offset) {
  std::string dims = input.dims;
  size_t at = dims.find(letter);
  dims[at] = part;
  Value result = {freshName(), dims, input.type};
  std::string offsets, shape, strides;
  for (size_t i = 0; i < dims.size(); ++i) {
    const char *separator = i ? ", " : "";
    offsets += separator + std::to_string(i == at ? offset : 0);
    shape +=
        separator + (isDynamic(dims[i]) ? size(dims[i])
                                        : std::to_string(staticSize(dims[i])));
    strides += std::string(separator) + "1";
  }
  appendOp(result.name + " = tensor.extract_slice " + input.name + "[" +
           offsets + "] [" + shape + "] [" + strides + "] : " + typeOf(input) +
           " to " + typeOf(result));
  return result;
}

Importer::Value Importer::rename(const Value &input, const std::string &dims) {
  for (size_t i = 0; i < dims.size(); ++i)
    if (isDynamic(dims[i]) && sizeNames[dims[i]].empty())
      sizeNames[dims[i]] = size(input.dims[i]);
  Value result = {input.name, dims, input.type};
  assert(typeOf(result) == typeOf(input) && "expected the same sizes");
  return result;
}

Importer::Value Importer::concat(const Value &first, const Value &second,
                                 const std::string &outDims,
                                 bool byInsertSlice) {
  size_t at = 0;
  while (first.dims[at] == second.dims[at])
    ++at;
  char whole = outDims[at];
  if (isDynamic(whole) && sizeNames[whole].empty()) {
    std::string from = size(first.dims[at]), more = size(second.dims[at]);
    sizeNames[whole] = freshName();
    appendOp(sizeNames[whole] + " = arith.addi " + from + ", " + more +
             " : index");
  }
  Value result = {freshName(), outDims, first.type};
  if (!byInsertSlice) {
    appendOp(result.name + " = tensor.concat dim(" + std::to_string(at) + ") " +
             first.name + ", " + second.name + " : (" + typeOf(first) + ", " +
             typeOf(second) + ") -> " + typeOf(result));
    return result;
  }
  auto sizeOf = [&](char letter) {
    return isDynamic(letter) ? size(letter)
                             : std::to_string(staticSize(letter));
  };
  auto insert = [&](const Value &source, const Value &into,
                    const std::string &offset) {
    Value inserted = {freshName(), outDims, first.type};
    std::string offsets, shape, strides;
    for (size_t i = 0; i < outDims.size(); ++i) {
      const char *separator = i ? ", " : "";
      offsets += separator + (i == at ? offset : std::string("0"));
      shape += separator + sizeOf(source.dims[i]);
      strides += std::string(separator) + "1";
    }
    appendOp(inserted.name + " = tensor.insert_slice " + source.name +
             " into " + into.name + "[" + offsets + "] [" + shape + "] [" +
             strides + "] : " + typeOf(source) + " into " + typeOf(into));
    return inserted;
  };
  Value both = empty(outDims, first.type);
  both = insert(first, both, "0");
  return insert(second, both, sizeOf(first.dims[at]));
}

//===----------------------------------------------------------------------===//
// The function
//===----------------------------------------------------------------------===//

std::string Importer::finish(const std::vector<Value> &results) const {
  std::string names, types;
  for (const Value &result : results) {
    names += (names.empty() ? "" : ", ") + result.name;
    types += (types.empty() ? "" : ", ") + typeOf(result);
  }
  return "func.func @main(" + arguments + ") -> (" + types + ") {\n" + body +
         "  return " + names + " : " + types + "\n}\n";
}
