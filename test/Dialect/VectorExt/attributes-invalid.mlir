// RUN: linalg-ext-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected 'vector_ext.buffers' to be a positive i64, got 0 : i64}}
func.func @no_buffers() attributes {vector_ext.buffers = 0 : i64} {
  return
}

// -----

// expected-error @below {{expected 'vector_ext.buffers' to be a positive i64, got 2 : i32}}
func.func @buffers_of_i32() attributes {vector_ext.buffers = 2 : i32} {
  return
}

// -----

func.func @buffers_of_odd_size() {
  // expected-error @below {{expected 'vector_ext.buffers' of an allocation whose number of elements is a multiple of 2, got 'memref<15xf16>'}}
  %0 = memref.alloc() {vector_ext.buffers = 2 : i64} : memref<15xf16>
  return
}

// -----

// expected-error @below {{expected the order to be a permutation of 2 dimensions}}
func.func @shared_order() attributes {note = #vector_ext.shared<[8, 8], order = [0, 0], bits = 16, panel = 8, padding = 0, swizzle = [0, 0, 0]>} {
  return
}

// -----

// expected-error @below {{expected 'swizzle' to have 3 numbers, got 2}}
func.func @shared_swizzle() attributes {note = #vector_ext.shared<[8, 8], order = [0, 1], bits = 16, panel = 8, padding = 0, swizzle = [3, 4]>} {
  return
}

// -----

// expected-error @below {{expected a positive 'panel', got 0}}
func.func @shared_panel() attributes {note = #vector_ext.shared<[8, 8], order = [0, 1], bits = 16, panel = 0, padding = 0, swizzle = [0, 0, 0]>} {
  return
}
