// Integers of more than 53 bits become bf16 and f16 in one rounding. By way of f64, the
// last bit of a number that is just above the middle of two floats would be lost, and the
// tie would go to the even one.
//
// RUN: linalg-ext-simt-runner %s | FileCheck %s

// 2^54 + 2^46 + 1 is above the middle of 2^54 and 2^54 + 2^47, and 2^54 + 2^46 is the
// middle. 2^54 + 3 * 2^46 - 1 is below the middle of 2^54 + 2^47 and 2^54 + 2^48.
// CHECK: ( 18155135997837312, 18014398509481984, 18155135997837312, -18155135997837312 )
// The same with 2^63 + 2^55 + 1, an unsigned number: 2^63 + 2^56, and 2^63 (printed with a sign).
// CHECK-NEXT: ( -9151314442816847872, -9223372036854775808, 1, 18155135997837312 )
// Too large for f16.
// CHECK-NEXT: ( inf, inf, inf, -inf )
func.func @convert(%a : vector<4xi64>, %u : vector<4xi64>) {
  %s = arith.sitofp %a : vector<4xi64> to vector<4xbf16>
  %s64 = arith.extf %s : vector<4xbf16> to vector<4xf64>
  %is = arith.fptosi %s64 : vector<4xf64> to vector<4xi64>
  vector.print %is : vector<4xi64>
  %v = arith.uitofp %u : vector<4xi64> to vector<4xbf16>
  %v64 = arith.extf %v : vector<4xbf16> to vector<4xf64>
  %iv = arith.fptoui %v64 : vector<4xf64> to vector<4xi64>
  vector.print %iv : vector<4xi64>
  %h = arith.sitofp %a : vector<4xi64> to vector<4xf16>
  %h32 = arith.extf %h : vector<4xf16> to vector<4xf32>
  vector.print %h32 : vector<4xf32>
  return
}
func.func @main() {
  %a = arith.constant dense<[18084767253659649, 18084767253659648, 18225504742014975, -18084767253659649]> : vector<4xi64>
  %u = arith.constant dense<[-9187343239835811839, -9187343239835811840, 1, 18084767253659649]> : vector<4xi64>
  call @convert(%a, %u) : (vector<4xi64>, vector<4xi64>) -> ()
  return
}
