//===- GraphsSpec.cpp - What a spec says ----------------------------------===//
//
// Its names, inputs and description. See Graphs.h.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include <cctype>
#include <sstream>

using namespace linalg_ext_test;
using oracle::DType;

const char *linalg_ext_test::getName(ContractionForm form) {
  switch (form) {
  case ContractionForm::Generic:
    return "generic";
  case ContractionForm::Named:
    return "named";
  case ContractionForm::Contract:
    return "contract";
  case ContractionForm::BatchMatmul:
    return "batch_matmul";
  }
  return "?";
}

const char *linalg_ext_test::getName(SoftmaxForm form) {
  switch (form) {
  case SoftmaxForm::Ext:
    return "ext";
  case SoftmaxForm::Named:
    return "named";
  case SoftmaxForm::Chain:
    return "chain";
  case SoftmaxForm::Guarded:
    return "guarded";
  case SoftmaxForm::Rms:
    return "rms";
  case SoftmaxForm::RmsInline:
    return "rms-inline";
  case SoftmaxForm::L1:
    return "l1";
  case SoftmaxForm::MaxAbs:
    return "max-abs";
  case SoftmaxForm::Center:
    return "center";
  case SoftmaxForm::LayerNorm:
    return "layer-norm";
  case SoftmaxForm::LayerNormBias:
    return "layer-norm-bias";
  case SoftmaxForm::LayerNormQuotient:
    return "layer-norm-quotient";
  }
  return "?";
}

const char *linalg_ext_test::getName(RootForm form) {
  static const char *names[] = {"sum",     "max",    "square",     "twice",
                                "shifted", "reduce", "log-sum-exp"};
  return names[static_cast<int>(form)];
}

const char *linalg_ext_test::getName(MaskForm form) {
  switch (form) {
  case MaskForm::None:
    return "none";
  case MaskForm::Additive:
    return "additive";
  case MaskForm::Boolean:
    return "boolean";
  case MaskForm::Causal:
    return "causal";
  case MaskForm::Window:
    return "window";
  case MaskForm::Prefix:
    return "prefix";
  case MaskForm::Lengths:
    return "lengths";
  }
  return "?";
}

std::vector<GraphInput> AttentionSpec::inputs() const {
  std::vector<GraphInput> all;
  if (scoresAreInput) {
    all.push_back({"scores", scores, scoreType});
  } else {
    all.push_back({"q", q, type});
    all.push_back({"k", storedDims(k), stored.value_or(type)});
  }
  all.push_back({"v", storedDims(v), stored.value_or(type)});
  if (hasMaskInput())
    all.push_back({"mask", maskDims,
                   mask == MaskForm::Boolean   ? DType::I1
                   : mask == MaskForm::Lengths ? DType::I8
                                               : scoreType});
  if (has('d'))
    all.push_back({"keep", scores, DType::I1});
  if (has('D'))
    all.push_back({"drop", scores, probType});
  if (has('m'))
    all.push_back({"mix", {'j', keys}, probType});
  if (softmaxForm == SoftmaxForm::Rms ||
      softmaxForm == SoftmaxForm::RmsInline || hasBias())
    all.push_back({"gamma", {keys}, scoreType});
  if (hasBias())
    all.push_back({"beta", {keys}, scoreType});
  if (initIsInput)
    all.push_back({"init", out, accType});
  return all;
}

size_t AttentionSpec::inputNumber(const std::string &name) const {
  std::vector<GraphInput> all = inputs();
  for (size_t i = 0; i < all.size(); ++i)
    if (all[i].name == name)
      return i;
  return all.size();
}

int64_t AttentionSpec::size(char letter) const {
  auto it = sizes.find(letter);
  if (it == sizes.end() && packed && std::isupper(letter))
    return sizes.at(static_cast<char>(std::tolower(letter))) / 2;
  return it != sizes.end() ? it->second : sizes.at(letter);
}

std::string AttentionSpec::storedDims(std::string dims) const {
  if (packed)
    dims.back() = static_cast<char>(std::toupper(dims.back()));
  return dims;
}

oracle::Shape AttentionSpec::shape(const std::string &letters) const {
  oracle::Shape shape;
  for (char letter : letters)
    shape.push_back(size(letter));
  return shape;
}

std::string AttentionSpec::reshaped(std::string dims,
                                    const std::string &reshape) {
  size_t arrow = reshape.find('>');
  return dims.replace(dims.find(reshape.substr(0, arrow)), arrow,
                      reshape.substr(arrow + 1));
}

std::string AttentionSpec::weightDims() const {
  std::string dims = scores;
  for (const std::string &reshape : reshapes)
    dims = reshaped(dims, reshape);
  return probDims.empty() ? dims : probDims;
}

std::string AttentionSpec::describe() const {
  std::ostringstream os;
  if (scoresAreInput)
    os << scores << "," << v << "->" << out;
  else
    os << q << "," << k << "->" << scores << "," << v << "->" << out;
  os << " keys=" << keys << " {";
  const char *separator = "";
  for (auto [letter, size] : sizes) {
    os << separator << letter << "=" << size
       << (dynamic.find(letter) != std::string::npos ? "?" : "");
    separator = " ";
  }
  os << "} " << oracle::getName(type) << "/" << oracle::getName(scoreType)
     << "/" << oracle::getName(probType) << "/" << oracle::getName(accType)
     << "/" << oracle::getName(outType);
  if (scale)
    os << " scale=" << *scale;
  if (stored)
    os << " stored=" << oracle::getName(*stored)
       << (packed ? " as two of 4 bits" : "");
  if (prologue)
    os << " prologue*" << *prologue;
  if (normalizeQK)
    os << " normalize-qk";
  if (flat)
    os << " flat";
  if (softcap)
    os << " softcap=" << *softcap;
  if (alibi)
    os << " alibi=" << *alibi;
  os << " mask=" << getName(mask);
  if (hasMaskInput())
    os << "[" << maskDims << "]";
  if (mask == MaskForm::Window || mask == MaskForm::Prefix)
    os << maskWidth;
  if (maskOffset != 0 || alignsEnds)
    os << (alignsEnds ? " from the ends" : "") << " + " << maskOffset;
  if (!path.empty())
    os << " path=" << path;
  for (const std::string &reshape : reshapes)
    os << " " << reshape;
  if (probFactor)
    os << " prob*" << *probFactor;
  if (!probDims.empty())
    os << " prob->" << probDims;
  os << " qk=" << getName(qkForm) << (qkSwapped ? "(swapped)" : "")
     << " softmax=" << getName(softmaxForm);
  const std::pair<bool, const char *> styles[] = {
      {style.base2, "base2"},
      {style.reciprocal, "reciprocal"},
      {style.keepDims, "keep-dims"},
      {style.broadcast, "broadcast"},
      {style.named, "named"},
      {style.wide, "wide"},
      {style.lse, "lse"},
      {style.noMax, "no-max"},
      {style.sink, "sink"},
      {style.divideAfter, "divide-after"}};
  for (auto [isSet, name] : styles)
    if (isSet)
      os << "," << name;
  os << " pv=" << getName(pvForm) << (pvSwapped ? "(swapped)" : "");
  if (!rootLoops.empty())
    os << " loops=" << rootLoops;
  if (initIsInput)
    os << " init-is-input";
  if (returnScores)
    os << " returns-scores";
  if (returnWeights)
    os << " returns-weights";
  if (returnState)
    os << " returns-state";
  if (secondRoot)
    os << " second-root";
  if (returnWeightSums)
    os << " returns-weight-sums";
  if (returnLogSumExp)
    os << " returns-log-sum-exp";
  if (rootForm != RootForm::Sum)
    os << " root-form=" << getName(rootForm);
  return os.str();
}
