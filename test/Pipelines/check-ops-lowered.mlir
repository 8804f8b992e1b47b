// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics --linalg-ext-check-ops='dialects=llvm,test'
// RUN: mlir-opt --load-pass-plugin=%plugin %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(linalg-ext-check-ops{dialects=llvm,test})' --allow-unregistered-dialect

llvm.func @nothing_left(%a: i32) -> i32 {
  llvm.return %a : i32
}

// -----

llvm.func @behind_casts(%a: f32) -> i32 {
  %0 = builtin.unrealized_conversion_cast %a : f32 to i32
  // expected-error @+1 {{'arith.addi' of 'i32', 'i32' to 'i32' is left behind the last pass; expected ops of llvm, test only}}
  %1 = arith.addi %0, %0 : i32
  %2 = arith.muli %1, %0 : i32
  llvm.return %2 : i32
}

// -----

llvm.func @only_a_cast(%a: f32) -> i32 {
  // expected-error @+1 {{'builtin.unrealized_conversion_cast' of 'f32' to 'i32' is left behind the last pass}}
  %0 = builtin.unrealized_conversion_cast %a : f32 to i32
  llvm.return %0 : i32
}
