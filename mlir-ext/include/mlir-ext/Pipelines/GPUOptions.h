//===- GPUOptions.h - Options of pipelines for GPUs -------------*- C++ -*-===//
//
// The options that linalg-ext-to-nvvm and linalg-ext-to-rocdl share.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_GPUOPTIONS_H
#define MLIR_EXT_PIPELINES_GPUOPTIONS_H

#include "mlir-ext/Pipelines/GPUTileOptions.h"

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::linalg_ext {

struct GPUPipelineOptions : public GPUTilePipelineOptions {
  GPUPipelineOptions() : GPUTilePipelineOptions(GPUTileDefaults()) {}

  Option<int64_t> processors{
      *this, "processors",
      llvm::cl::desc(
          "Processors (SMs, CUs) of the device, or of the part of it "
          "that kernels have; 0: those of the largest device of the "
          "chip"),
      llvm::cl::init(0)};
  Option<unsigned> indexBitwidth{
      *this, "index-bitwidth",
      llvm::cl::desc("Width of index in kernels in bits: 64, or 32 if all "
                     "offsets in buffers fit"),
      llvm::cl::init(64)};
  Option<bool> narrowLoops{
      *this, "narrow-loops",
      llvm::cl::desc(
          "In kernels whose tiles TMA copies, count loops in 32 bits, "
          "with the positions that they carry"),
      llvm::cl::init(true)};
  Option<bool> contract{*this, "contract",
                        llvm::cl::desc("Allow fused multiply-adds"),
                        llvm::cl::init(true)};
  Option<bool> excessPrecision{
      *this, "excess-precision",
      llvm::cl::desc("Compute in f32 between the elementwise ops of a kernel, "
                     "even where the program rounds to f16 or bf16"),
      llvm::cl::init(true)};
  Option<bool> approximateExponents{
      *this, "approximate-exponents",
      llvm::cl::desc("Where only weights that are rounded to 16 bits depend on "
                     "them, compute tanh of scores (a soft cap) to within "
                     "2^-21; where all that depends on an exp is rounded to 16 "
                     "bits, compute it by one instruction"),
      llvm::cl::init(true)};
  Option<bool> mergeMasks{
      *this, "merge-masks",
      llvm::cl::desc(
          "Mask each score once, by one condition, instead of twice: "
          "for the maximum of its row and for the sum of weights"),
      llvm::cl::init(true)};
  Option<bool> exactDivision{
      *this, "exact-division",
      llvm::cl::desc(
          "Round divisions correctly instead of to within 2 ulp (AMD: "
          "2.5), at several times the cost"),
      llvm::cl::init(false)};

  Option<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("Threads of a workgroup, a multiple of the lanes of a "
                     "subgroup; doubled where accumulators need the registers"),
      llvm::cl::init(128)};
  Option<int64_t> stages{
      *this, "stages",
      llvm::cl::desc(
          "Buffers of each tile in shared memory: with 1, a tile is copied "
          "while another one is used; with more, the tiles of the next "
          "iterations are copied while one computes; 0 chooses 1 to 4"),
      llvm::cl::init(0)};
  Option<std::string> f32Products{
      *this, "f32-products",
      llvm::cl::desc(
          "What multiplies f32: fma (products of f32), tf32 (tensor cores, "
          "with 10 bits of each operand's fraction) or tf32x3 "
          "(three products of tensor cores, with nearly all bits)"),
      llvm::cl::init("fma")};
  Option<std::string> f8Products{
      *this, "f8-products",
      llvm::cl::desc("What multiplies f8: f8 (its own instruction, where the "
                     "chip has one; "
                     "on NVIDIA GPUs, sums of up to 128 products have about 13 "
                     "bits), f16 "
                     "(that of f16, after an exact conversion) or rounded (f8, "
                     "and weights of a softmax are rounded to f8 for products "
                     "with values of f8)"),
      llvm::cl::init("f8")};
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_GPUOPTIONS_H
