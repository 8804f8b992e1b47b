// RUN: linalg-ext-opt %s --vector-ext-pipeline-products=steps=lower-rings --split-input-file --verify-diagnostics

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @computed(%n: index) {
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    %a = memref.alloc() : memref<512x64xf16>
    // expected-error@below {{cannot lower rings: expected sources from outside of the kernel}}
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @one_role(%a: memref<512x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error@below {{cannot lower rings: expected puts and gets in different roles, or in none}}
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(0) threads(128) {
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
      %t = vector_ext.ring.get %ring[%c0] : !ring
      vector_ext.ring.release %ring[%c0] : !ring
    }
    gpu.terminator
  }
  return
}

// -----

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @two_readers(%n: index) {
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(0) threads(128) {
      // expected-error@below {{cannot lower rings: expected all ops of this kind for a ring in one role}}
      %t = vector_ext.ring.get %ring[%c0] : !ring
    }
    vector_ext.role first(128) threads(128) {
      %t = vector_ext.ring.get %ring[%c0] : !ring
    }
    gpu.terminator
  }
  return
}

// -----

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 16, swizzle = [3, 4, 3]>]>

func.func @padded(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error@below {{cannot lower rings: no copy writes a tile as it is arranged: }}
    %ring = vector_ext.ring.create : !ring
    gpu.terminator
  }
  return
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d1, d2)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x32xf16>],
  layouts = [<[64, 32], order = [0, 1], bits = 16, panel = 32, padding = 0, swizzle = [2, 4, 3]>]>

// A box begins at a multiple of 128 bytes.
func.func @parts(%a: memref<?x1x32xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    // expected-error@below {{cannot lower rings: no copy writes the parts of a tile: expected parts of a multiple of 128 bytes, got 64}}
    vector_ext.ring.put %ring[%c0], %a at (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0), (%n, %c0, %c0) {maps = [#rows], parts = array<i64: 64>} : !ring, memref<?x1x32xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @ends(%a: memref<512x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
    // expected-error@below {{cannot lower rings: expected no ends of tiles without roles}}
    %t = vector_ext.ring.get %ring[%c0] ends(%n) : !ring
    gpu.terminator
  }
  return
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d1, d2)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @copiers_of_one(%a: memref<?x32x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    // expected-error@below {{cannot lower rings: expected at most 1 copiers, those of the role around it, got 2}}
    vector_ext.ring.put %ring[%c0], %a at (%n, %c0, %c0) {copiers = 2, maps = [#rows], parts = array<i64: 2>} : !ring, memref<?x32x64xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    gpu.terminator
  }
  return
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d1, d2)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @other_copiers(%a: memref<?x32x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(128) threads(128) single groups(2) {
      // expected-error@below {{cannot lower rings: expected as many copiers as in the other puts of the ring, 1, got 2}}
      vector_ext.ring.put %ring[%c0], %a at (%n, %c0, %c0) {copiers = 2, maps = [#rows], parts = array<i64: 2>} : !ring, memref<?x32x64xf16>
      vector_ext.ring.put %ring[%c1], %a at (%n, %c0, %c0), (%n, %c0, %c0) {maps = [#rows], parts = array<i64: 2>} : !ring, memref<?x32x64xf16>
    }
    vector_ext.role first(0) threads(128) {
      %t = vector_ext.ring.get %ring[%c0] : !ring
    }
    gpu.terminator
  }
  return
}

// -----

#rows = affine_map<(d0, d1, d2) -> (d1, d2)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @put_and_write(%a: memref<?x64x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(128) threads(128) {
      vector_ext.ring.put %ring[%c0], %a at (%n, %c0, %c0) {maps = [#rows]} : !ring, memref<?x64x64xf16>
      // expected-error@below {{cannot lower rings: expected puts or writes of a ring, not both}}
      vector_ext.ring.write %zero, %ring[%c1] : !ring, vector<64x64xf16>
    }
    gpu.terminator
  }
  return
}

// -----

!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @single_write(%n: index) {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : vector<64x64xf16>
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(128) threads(128) single {
      // expected-error@below {{cannot lower rings: expected a role of several threads around a write}}
      vector_ext.ring.write %zero, %ring[%c0] : !ring, vector<64x64xf16>
    }
    vector_ext.role first(0) threads(128) {
      %t = vector_ext.ring.get %ring[%c0] : !ring
      vector_ext.ring.release %ring[%c0] : !ring
    }
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @shared_without_cluster(%a: memref<512x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(0) threads(128) {
      %t = vector_ext.ring.get %ring[%c0] : !ring
      vector_ext.ring.release %ring[%c0] : !ring
    }
    vector_ext.role first(128) threads(128) single {
      // expected-error@below {{cannot lower rings: expected a cluster of 2 to 8 workgroups along x around shared tiles}}
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id], shared = array<i64: 0>} : !ring, memref<512x64xf16>
    }
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @shared_without_roles(%a: memref<512x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch clusters(%u, %v, %w) in (%su = %c2, %sv = %c1, %sw = %c1) blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    // expected-error@below {{cannot lower rings: expected one thread that copies shared tiles, and a role of several threads that reads them}}
    vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id], shared = array<i64: 0>} : !ring, memref<512x64xf16>
    %t = vector_ext.ring.get %ring[%c0] : !ring
    gpu.terminator
  }
  return
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
!ring = !vector_ext.ring<slots = 2, tiles = [vector<64x64xf16>],
  layouts = [<[64, 64], order = [0, 1], bits = 16, panel = 64, padding = 0, swizzle = [3, 4, 3]>]>

func.func @shared_by_some(%a: memref<512x64xf16>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  gpu.launch clusters(%u, %v, %w) in (%su = %c2, %sv = %c1, %sw = %c1) blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    %ring = vector_ext.ring.create : !ring
    vector_ext.role first(0) threads(128) {
      %t = vector_ext.ring.get %ring[%c0] : !ring
      vector_ext.ring.release %ring[%c0] : !ring
      %s = vector_ext.ring.get %ring[%c1] : !ring
      vector_ext.ring.release %ring[%c1] : !ring
    }
    vector_ext.role first(128) threads(128) single {
      // expected-error@below {{cannot lower rings: expected the same shared tiles as in the other puts of the ring}}
      vector_ext.ring.put %ring[%c0], %a at (%c0, %c0) {maps = [#id]} : !ring, memref<512x64xf16>
      vector_ext.ring.put %ring[%c1], %a at (%c0, %c0) {maps = [#id], shared = array<i64: 0>} : !ring, memref<512x64xf16>
    }
    gpu.terminator
  }
  return
}
