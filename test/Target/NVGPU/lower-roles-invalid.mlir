// RUN: linalg-ext-opt %s --linalg-ext-gpu-lower-vector-ext=steps=roles --split-input-file --verify-diagnostics

func.func @barrier(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    vector_ext.role first(0) threads(128) {
      // expected-error@below {{'gpu.barrier' op expected no barrier of the workgroup in a role}}
      gpu.barrier
    }
    gpu.terminator
  }
  return
}

// -----

func.func @threads(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error@below {{expected multiples of 128 threads, got 64 from 0}}
    vector_ext.role first(0) threads(64) {
    }
    gpu.terminator
  }
  return
}

// -----

func.func @nested(%n: index, %c: i1) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    scf.if %c {
      // expected-error@below {{expected to be in the body of a launch}}
      vector_ext.role first(0) threads(128) {
      }
    }
    gpu.terminator
  }
  return
}

// -----

func.func @registers(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error@below {{with registers expects a launch of a constant number of threads}}
    vector_ext.role first(0) threads(128) registers(24) {
    }
    gpu.terminator
  }
  return
}

// -----

func.func @turns(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    vector_ext.role first(0) threads(256) {
      vector_ext.turn.take groups(2)
      // expected-error@below {{expected turns of 2 groups as in the rest of the role, got 4}}
      vector_ext.turn.pass groups(4)
    }
    gpu.terminator
  }
  return
}

// -----

func.func @part_of_a_warp(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    vector_ext.role first(0) threads(128) {
      // expected-error@below {{expected groups of a multiple of 32 threads, got 16}}
      vector_ext.turn.take groups(8)
      vector_ext.turn.pass groups(8)
    }
    gpu.terminator
  }
  return
}

// -----

func.func @many_turns(%n: index) {
  gpu.launch blocks(%x, %y, %z) in (%gx = %n, %gy = %n, %gz = %n) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %n, %sz = %n) {
    // expected-error@below {{expected at most 15 named barriers in the launch, got 17}}
    vector_ext.role first(0) threads(512) {
      vector_ext.turn.take groups(16)
      vector_ext.turn.pass groups(16)
    }
    gpu.terminator
  }
  return
}
