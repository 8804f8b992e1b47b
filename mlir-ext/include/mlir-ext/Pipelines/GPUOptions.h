//===- GPUOptions.h - Options of pipelines for GPUs -------------*- C++ -*-===//
//
// The options that linalg-ext-to-nvvm and linalg-ext-to-rocdl share.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_GPUOPTIONS_H
#define MLIR_EXT_PIPELINES_GPUOPTIONS_H

#include "mlir-ext/Pipelines/FusionOptions.h"

#include "mlir/Pass/PassOptions.h"

#include <string>

namespace mlir::linalg_ext {

struct GPUPipelineOptions : public FusionPipelineOptions {
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
      llvm::cl::desc("Count loops of kernels that tensor maps are passed to in "
                     "32 bits, with the positions that they carry"),
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
      llvm::cl::desc("Compute functions of scores, such as a soft cap, to within "
                     "2^-21 where only powers of them are used, rounded to 16 "
                     "bits"),
      llvm::cl::init(true)};
  Option<bool> mergeMasks{
      *this, "merge-masks",
      llvm::cl::desc("Hide each score once, by one condition, where it is hidden "
                     "from the maximum of its row and from the sum of weights"),
      llvm::cl::init(true)};
  Option<bool> exactDivision{
      *this, "exact-division",
      llvm::cl::desc("Round divisions correctly instead of to within 2 ulp, at "
                     "several times the cost"),
      llvm::cl::init(false)};

  // Options for the part from linalg to launches. linalg-ext-to-gpu-tiles has
  // options of the same names.
  Option<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("Threads of a workgroup, a multiple of the lanes of a "
                     "subgroup; doubled where accumulators need the registers"),
      llvm::cl::init(128)};
  Option<int64_t> rows{
      *this, "rows",
      llvm::cl::desc(
          "Rows of the tile that a workgroup computes; 0 chooses, at most 128"),
      llvm::cl::init(0)};
  Option<int64_t> columns{
      *this, "columns",
      llvm::cl::desc(
          "Columns of that tile, where nothing is reduced online; 0 chooses, "
          "at most 128 for products of 16-bit elements and 64 for others"),
      llvm::cl::init(0)};
  Option<int64_t> keys{
      *this, "keys",
      llvm::cl::desc(
          "Elements of the dimension that is reduced online in each iteration; "
          "0 chooses 16 to 128, by the rows and columns of the result"),
      llvm::cl::init(0)};
  Option<int64_t> split{
      *this, "split",
      llvm::cl::desc(
          "Elements of the dimension that is reduced online in each workgroup; "
          "several workgroups then share a row; 0 chooses, -1 does not split"),
      llvm::cl::init(0)};
  Option<int64_t> keySubgroups{
      *this, "key-subgroups",
      llvm::cl::desc(
          "Parts of the subgroups of a workgroup that share the keys of a row: "
          "each reduces 'keys' of its own in each iteration, and the results "
          "are merged through shared memory after the loop; 0 chooses, with "
          "'rows', 'keys' and 'split', where these are left to be chosen and "
          "all sizes are known"),
      llvm::cl::init(0)};
  Option<std::string> recompute{
      *this, "recompute",
      llvm::cl::desc(
          "Elementwise operands of contractions that workgroups may "
          "compute again, each of them: all, cheap or none; others are "
          "computed once and stored"),
      llvm::cl::init("cheap")};
  Option<int64_t> reduction{
      *this, "reduction",
      llvm::cl::desc("Elements that other contractions sum in each iteration; "
                     "0 chooses 32"),
      llvm::cl::init(0)};
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
};

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_GPUOPTIONS_H
