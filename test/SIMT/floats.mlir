// Floating-point ops of arith and math. The
// reference is upstream's lowering to LLVM and the runner, on the same file.
//
// REQUIRES: mlir-runner
// RUN: linalg-ext-simt-runner %s | sed 's/-nan/nan/g' > %t.got
// RUN: mlir-opt %s --pass-pipeline="builtin.module(%simt_reference)" \
// RUN:   | mlir-runner -e main -entry-point-result=void %runner_libs \
// RUN:   | sed 's/base@ = [^ ]*/base@ = 0x0/;s/-nan/nan/g' > %t.want
// RUN: diff %t.got %t.want
// RUN: FileCheck %s < %t.got

// CHECK: ( -1.75, -5, 2e+20, nan, 0.4, 2, nan, 7.00003 )
func.func private @f32(%a : vector<8xf32>, %b : vector<8xf32>, %c : vector<8xf32>) {
  %add = arith.addf %a, %b : vector<8xf32>
  vector.print %add : vector<8xf32>
  %sub = arith.subf %a, %b : vector<8xf32>
  vector.print %sub : vector<8xf32>
  %mul = arith.mulf %a, %b : vector<8xf32>
  vector.print %mul : vector<8xf32>
  %div = arith.divf %a, %b : vector<8xf32>
  vector.print %div : vector<8xf32>
  %max = arith.maximumf %a, %b : vector<8xf32>
  vector.print %max : vector<8xf32>
  %min = arith.minimumf %a, %b : vector<8xf32>
  vector.print %min : vector<8xf32>
  %maxn = arith.maxnumf %a, %b : vector<8xf32>
  vector.print %maxn : vector<8xf32>
  %minn = arith.minnumf %a, %b : vector<8xf32>
  vector.print %minn : vector<8xf32>
  %neg = arith.negf %a : vector<8xf32>
  vector.print %neg : vector<8xf32>
  %fma = math.fma %a, %b, %c : vector<8xf32>
  vector.print %fma : vector<8xf32>
  %vfma = vector.fma %a, %b, %c : vector<8xf32>
  vector.print %vfma : vector<8xf32>
  %abs = math.absf %a : vector<8xf32>
  vector.print %abs : vector<8xf32>
  %copy = math.copysign %a, %b : vector<8xf32>
  vector.print %copy : vector<8xf32>
  %floor = math.floor %a : vector<8xf32>
  vector.print %floor : vector<8xf32>
  %ceil = math.ceil %a : vector<8xf32>
  vector.print %ceil : vector<8xf32>
  %trunc = math.trunc %a : vector<8xf32>
  vector.print %trunc : vector<8xf32>
  %round = math.round %a : vector<8xf32>
  vector.print %round : vector<8xf32>
  %even = math.roundeven %a : vector<8xf32>
  vector.print %even : vector<8xf32>
  %olt = arith.cmpf olt, %a, %b : vector<8xf32>
  vector.print %olt : vector<8xi1>
  %ult = arith.cmpf ult, %a, %b : vector<8xf32>
  vector.print %ult : vector<8xi1>
  %one = arith.cmpf one, %a, %b : vector<8xf32>
  vector.print %one : vector<8xi1>
  %une = arith.cmpf une, %a, %b : vector<8xf32>
  vector.print %une : vector<8xi1>
  %uno = arith.cmpf uno, %a, %b : vector<8xf32>
  vector.print %uno : vector<8xi1>
  %ord = arith.cmpf ord, %a, %b : vector<8xf32>
  vector.print %ord : vector<8xi1>
  %oge = arith.cmpf oge, %a, %b : vector<8xf32>
  vector.print %oge : vector<8xi1>
  %h = arith.truncf %a : vector<8xf32> to vector<8xf16>
  %hi = arith.bitcast %h : vector<8xf16> to vector<8xi16>
  vector.print %hi : vector<8xi16>
  %he = arith.extf %h : vector<8xf16> to vector<8xf32>
  vector.print %he : vector<8xf32>
  %d = arith.extf %a : vector<8xf32> to vector<8xf64>
  vector.print %d : vector<8xf64>
  return
}
func.func private @functions(%a : vector<4xf32>) {
  %e = math.exp %a : vector<4xf32>
  vector.print %e : vector<4xf32>
  %e2 = math.exp2 %a : vector<4xf32>
  vector.print %e2 : vector<4xf32>
  %em = math.expm1 %a : vector<4xf32>
  vector.print %em : vector<4xf32>
  %abs = math.absf %a : vector<4xf32>
  %l = math.log %abs : vector<4xf32>
  vector.print %l : vector<4xf32>
  %l2 = math.log2 %abs : vector<4xf32>
  vector.print %l2 : vector<4xf32>
  %l10 = math.log10 %abs : vector<4xf32>
  vector.print %l10 : vector<4xf32>
  %l1 = math.log1p %abs : vector<4xf32>
  vector.print %l1 : vector<4xf32>
  %s = math.sqrt %abs : vector<4xf32>
  vector.print %s : vector<4xf32>
  %r = math.rsqrt %abs : vector<4xf32>
  vector.print %r : vector<4xf32>
  %sin = math.sin %a : vector<4xf32>
  vector.print %sin : vector<4xf32>
  %cos = math.cos %a : vector<4xf32>
  vector.print %cos : vector<4xf32>
  %sine, %cosine = math.sincos %a : vector<4xf32>
  vector.print %sine : vector<4xf32>
  vector.print %cosine : vector<4xf32>
  %tan = math.tan %a : vector<4xf32>
  vector.print %tan : vector<4xf32>
  %tanh = math.tanh %a : vector<4xf32>
  vector.print %tanh : vector<4xf32>
  %atan = math.atan %a : vector<4xf32>
  vector.print %atan : vector<4xf32>
  %atan2 = math.atan2 %a, %abs : vector<4xf32>
  vector.print %atan2 : vector<4xf32>
  %erf = math.erf %a : vector<4xf32>
  vector.print %erf : vector<4xf32>
  %pow = math.powf %abs, %a : vector<4xf32>
  vector.print %pow : vector<4xf32>
  %i = arith.fptosi %a : vector<4xf32> to vector<4xi32>
  vector.print %i : vector<4xi32>
  %u = arith.fptoui %abs : vector<4xf32> to vector<4xi32>
  vector.print %u : vector<4xi32>
  return
}
func.func @main() {
  %a = arith.constant dense<[1.5, -2.5, 1.0e20, 0x7FC00000, 0.1, -0.0, 0x7F800000, 3.0e-5]> : vector<8xf32>
  %b = arith.constant dense<[-3.25, -2.5, 1.0e20, 1.0, 0.3, 2.0, 0xFF800000, 7.0]> : vector<8xf32>
  %c = arith.constant dense<[0.5, -6.25, -1.0e38, 1.0, -0.03, 0.0, 1.0, -2.1e-4]> : vector<8xf32>
  call @f32(%a, %b, %c) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> ()
  call @f32(%b, %a, %c) : (vector<8xf32>, vector<8xf32>, vector<8xf32>) -> ()
  %x = arith.constant dense<[0.7, -1.3, 3.2, -0.2]> : vector<4xf32>
  call @functions(%x) : (vector<4xf32>) -> ()
  return
}
