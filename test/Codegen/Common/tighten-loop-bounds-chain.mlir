// The softmax of the demo as its chain of ops, not raised: the repairs are scalar
// code, which is the identity where nothing is visible.

// RUN: linalg-ext-opt %src_root/examples/gpt2-attention/attention.mlir --linalg-ext-normalize --linalg-ext-tile-and-fuse='levels="for(1,64) for(0,0,0,128)"' --linalg-ext-tighten-loop-bounds=split-full-blocks=false --canonicalize --cse | FileCheck %s

// CHECK: #[[END:.+]] = affine_map<(d0) -> (((d0 + 63) floordiv 128) * 128 + 128)>
// CHECK: scf.for %[[Q:.+]] = %c0 to %c1024 step %c64
// CHECK: %[[SEEN:.+]] = affine.apply #[[END]](%[[Q]])
// CHECK: %[[UPPER:.+]] = arith.minsi %[[SEEN]], %c1024
// CHECK: scf.for %{{.+}} = %c0 to %[[UPPER]] step %c128
