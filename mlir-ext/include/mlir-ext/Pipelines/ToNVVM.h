//===- ToNVVM.h - From linalg to PTX ----------------------------*- C++ -*-===//
//
// The pipelines linalg-ext-to-nvvm and linalg-ext-gpu-to-nvvm, and their parts
// in order: launches, kernels, device kernels, NVVM or PTX.
//
//===----------------------------------------------------------------------===//

#ifndef MLIR_EXT_PIPELINES_TONVVM_H
#define MLIR_EXT_PIPELINES_TONVVM_H

#include "mlir-ext/Pipelines/FusionOptions.h"

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::linalg_ext {

struct ToNVVMPipelineOptions
    : public PassPipelineOptions<ToNVVMPipelineOptions>,
      public FusionPipelineOptions {
  Option<std::string> chip{
      *this, "chip",
      llvm::cl::desc("Chip to compile for: sm_80, ..., sm_90a, ..."),
      llvm::cl::init("sm_80")};
  Option<unsigned> indexBitwidth{
      *this, "index-bitwidth",
      llvm::cl::desc("Width of index in kernels in bits: 64, or 32 if all "
                     "offsets in buffers fit"),
      llvm::cl::init(64)};
  Option<bool> contract{*this, "contract",
                        llvm::cl::desc("Allow fused multiply-adds"),
                        llvm::cl::init(true)};
  Option<bool> excessPrecision{
      *this, "excess-precision",
      llvm::cl::desc("Compute in f32 between the elementwise ops of a kernel, "
                     "even where the program rounds to f16 or bf16"),
      llvm::cl::init(true)};
  Option<bool> exactDivision{
      *this, "exact-division",
      llvm::cl::desc("Round divisions correctly instead of to within 2 ulp, at "
                     "several times the cost"),
      llvm::cl::init(false)};
  Option<std::string> format{
      *this, "format",
      llvm::cl::desc("Format of the kernels: nvvm (a gpu.module in the NVVM "
                     "dialect) or isa (a gpu.binary with PTX)"),
      llvm::cl::init("isa")};
  Option<bool> registerWorkarounds{
      *this, "register-workarounds",
      llvm::cl::desc("Work around choices of LLVM and ptxas that spill "
                     "registers (linalg-ext-nvgpu-register-workarounds)"),
      llvm::cl::init(true)};

  // Options for the part from linalg to launches. linalg-ext-to-gpu-tiles has
  // options of the same names.
  Option<int64_t> threads{
      *this, "threads",
      llvm::cl::desc("Threads of a workgroup, a multiple of 32; doubled where "
                     "accumulators need the registers"),
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
          "are merged through shared memory after the loop"),
      llvm::cl::init(1)};
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
      llvm::cl::desc("What multiplies f32: fma (threads), tf32 (tensor cores, "
                     "with 10 bits of each operand's fraction) or tf32x3 "
                     "(three products of tensor cores, with nearly all bits)"),
      llvm::cl::init("fma")};
};

/// Fails if an option has an invalid value. `error` then names the option and
/// the expected values.
LogicalResult checkOptions(const ToNVVMPipelineOptions &options,
                           std::string &error);

/// Lowers linalg on tensors to gpu.launch ops with code for one thread. The
/// loops over tiles are fused and distributed to the lanes and subgroups of
/// workgroups. If a program cannot be compiled with tiles of the chosen sizes,
/// the pipeline tries small tiles, and then scalar code.
void buildLinalgToLaunchesPipeline(OpPassManager &pm,
                                   const ToNVVMPipelineOptions &options);

/// The first part of buildLinalgToLaunchesPipeline, without its fallbacks. The
/// result is gpu.launch ops on vectors, with a config on each contraction.
void buildLinalgToConfigsPipeline(OpPassManager &pm,
                                  const ToNVVMPipelineOptions &options);

/// Outlines gpu.launch ops to kernels, with their final arguments and one block
/// of workgroup memory each. After it, buildManifestEntries can read the
/// launches from the functions.
void buildGPUKernelsPipeline(OpPassManager &pm,
                             const ToNVVMPipelineOptions &options);

/// Lowers the kernels to ops that the device has instructions for. The result
/// is the last form with loops, memrefs and vectors. The SIMT interpreter of
/// the tests executes it.
void buildDeviceKernelsPipeline(OpPassManager &pm,
                                const ToNVVMPipelineOptions &options);

/// Lowers device kernels to NVVM or PTX. Leaves the host functions unchanged.
void buildDeviceKernelsToNVVMPipeline(OpPassManager &pm,
                                      const ToNVVMPipelineOptions &options);

/// linalg-ext-gpu-to-nvvm: from gpu.launch to NVVM or PTX. Runs the three
/// pipelines above, and creates the manifest after the first one.
void buildGPUToNVVMPipeline(OpPassManager &pm,
                            const ToNVVMPipelineOptions &options);

/// linalg-ext-to-nvvm: from linalg on tensors to NVVM or PTX.
void buildToNVVMPipeline(OpPassManager &pm,
                         const ToNVVMPipelineOptions &options);

void registerToNVVMPipelines();

} // namespace mlir::linalg_ext

#endif // MLIR_EXT_PIPELINES_TONVVM_H
