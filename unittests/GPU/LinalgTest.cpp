//===- LinalgTest.cpp - Ops around attention as kernels -------------------===//
//
// What is in no online reduction: products, norms, reductions, elementwise ops.
//
//===----------------------------------------------------------------------===//

#include "GPUTest.h"

using namespace linalg_ext_test;
using oracle::Bounded;
using oracle::DType;
using oracle::Random;
using oracle::Tensor;

namespace {
class LinalgTest : public GPUTest {};
} // namespace
