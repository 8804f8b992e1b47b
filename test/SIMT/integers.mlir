// Integer ops of arith and math. The
// reference is upstream's lowering to LLVM and the runner, on the same file.
//
// REQUIRES: mlir-runner
// RUN: linalg-ext-simt-runner %s | sed 's/-nan/nan/g' > %t.got
// RUN: mlir-opt %s --pass-pipeline="builtin.module(%simt_reference)" \
// RUN:   | mlir-runner -e main -entry-point-result=void %runner_libs \
// RUN:   | sed 's/base@ = [^ ]*/base@ = 0x0/;s/-nan/nan/g' > %t.want
// RUN: diff %t.got %t.want
// RUN: FileCheck %s < %t.got

// CHECK: ( 9, -5, 2147483644, -2147483645, 12328, 4, 107, -89 )
func.func @integers(%a : vector<8xi32>, %b : vector<8xi32>) {
  %add = arith.addi %a, %b : vector<8xi32>
  vector.print %add : vector<8xi32>
  %sub = arith.subi %a, %b : vector<8xi32>
  vector.print %sub : vector<8xi32>
  %mul = arith.muli %a, %b : vector<8xi32>
  vector.print %mul : vector<8xi32>
  %divs = arith.divsi %a, %b : vector<8xi32>
  vector.print %divs : vector<8xi32>
  %divu = arith.divui %a, %b : vector<8xi32>
  vector.print %divu : vector<8xi32>
  %rems = arith.remsi %a, %b : vector<8xi32>
  vector.print %rems : vector<8xi32>
  %remu = arith.remui %a, %b : vector<8xi32>
  vector.print %remu : vector<8xi32>
  %floor = arith.floordivsi %a, %b : vector<8xi32>
  vector.print %floor : vector<8xi32>
  %ceil = arith.ceildivsi %a, %b : vector<8xi32>
  vector.print %ceil : vector<8xi32>
  %ceilu = arith.ceildivui %a, %b : vector<8xi32>
  vector.print %ceilu : vector<8xi32>
  %sum, %carry = arith.addui_extended %a, %b : vector<8xi32>, vector<8xi1>
  vector.print %sum : vector<8xi32>
  vector.print %carry : vector<8xi1>
  %low, %high = arith.mulsi_extended %a, %b : vector<8xi32>
  vector.print %low : vector<8xi32>
  vector.print %high : vector<8xi32>
  %lowu, %highu = arith.mului_extended %a, %b : vector<8xi32>
  vector.print %lowu : vector<8xi32>
  vector.print %highu : vector<8xi32>
  %and = arith.andi %a, %b : vector<8xi32>
  vector.print %and : vector<8xi32>
  %or = arith.ori %a, %b : vector<8xi32>
  vector.print %or : vector<8xi32>
  %xor = arith.xori %a, %b : vector<8xi32>
  vector.print %xor : vector<8xi32>
  %maxs = arith.maxsi %a, %b : vector<8xi32>
  vector.print %maxs : vector<8xi32>
  %mins = arith.minsi %a, %b : vector<8xi32>
  vector.print %mins : vector<8xi32>
  %maxu = arith.maxui %a, %b : vector<8xi32>
  vector.print %maxu : vector<8xi32>
  %minu = arith.minui %a, %b : vector<8xi32>
  vector.print %minu : vector<8xi32>
  %seven = arith.constant dense<7> : vector<8xi32>
  %s = arith.andi %b, %seven : vector<8xi32>
  %shl = arith.shli %a, %s : vector<8xi32>
  vector.print %shl : vector<8xi32>
  %shrs = arith.shrsi %a, %s : vector<8xi32>
  vector.print %shrs : vector<8xi32>
  %shru = arith.shrui %a, %s : vector<8xi32>
  vector.print %shru : vector<8xi32>
  %slt = arith.cmpi slt, %a, %b : vector<8xi32>
  vector.print %slt : vector<8xi1>
  %ult = arith.cmpi ult, %a, %b : vector<8xi32>
  vector.print %ult : vector<8xi1>
  %sge = arith.cmpi sge, %a, %b : vector<8xi32>
  vector.print %sge : vector<8xi1>
  %sel = arith.select %slt, %a, %b : vector<8xi1>, vector<8xi32>
  vector.print %sel : vector<8xi32>
  %t8 = arith.trunci %a : vector<8xi32> to vector<8xi8>
  vector.print %t8 : vector<8xi8>
  %e = arith.extsi %t8 : vector<8xi8> to vector<8xi64>
  vector.print %e : vector<8xi64>
  %u = arith.extui %t8 : vector<8xi8> to vector<8xi64>
  vector.print %u : vector<8xi64>
  %ix = arith.index_cast %a : vector<8xi32> to vector<8xindex>
  vector.print %ix : vector<8xindex>
  %ixu = arith.index_castui %t8 : vector<8xi8> to vector<8xindex>
  vector.print %ixu : vector<8xindex>
  %f = arith.sitofp %a : vector<8xi32> to vector<8xf32>
  vector.print %f : vector<8xf32>
  %g = arith.uitofp %t8 : vector<8xi8> to vector<8xf32>
  vector.print %g : vector<8xf32>
  %abs = math.absi %a : vector<8xi32>
  vector.print %abs : vector<8xi32>
  %pop = math.ctpop %a : vector<8xi32>
  vector.print %pop : vector<8xi32>
  %clz = math.ctlz %a : vector<8xi32>
  vector.print %clz : vector<8xi32>
  %ctz = math.cttz %a : vector<8xi32>
  vector.print %ctz : vector<8xi32>
  return
}
// With negative exponents, too, but for 0.
func.func @powers(%a : vector<8xi32>, %n : vector<8xi32>) {
  %pow = math.ipowi %a, %n : vector<8xi32>
  vector.print %pow : vector<8xi32>
  return
}
func.func @main() {
  %a = arith.constant dense<[7, -7, 2147483647, -2147483648, 12345, -1, 100, -99]> : vector<8xi32>
  %b = arith.constant dense<[2, 2, -3, 3, -17, 5, 7, 10]> : vector<8xi32>
  call @integers(%a, %b) : (vector<8xi32>, vector<8xi32>) -> ()
  %c = arith.constant dense<[3, -3, 0, -1, -1, 1, 2, -2147483648]> : vector<8xi32>
  %n = arith.constant dense<[41, 5, 0, -3, -2147483648, -7, -1, 1]> : vector<8xi32>
  call @powers(%c, %n) : (vector<8xi32>, vector<8xi32>) -> ()
  return
}
