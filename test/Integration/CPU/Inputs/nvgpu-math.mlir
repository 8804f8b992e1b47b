gpu.module @lowered {
  func.func @lowered_tanh(%x: f32) -> f32 {
    %r = math.tanh %x : f32
    return %r : f32
  }
  func.func @lowered_exp(%x: f32) -> f32 {
    %r = math.exp %x : f32
    return %r : f32
  }
  func.func @lowered_exp2(%x: f32) -> f32 {
    %r = math.exp2 %x : f32
    return %r : f32
  }
  func.func @lowered_log(%x: f32) -> f32 {
    %r = math.log %x : f32
    return %r : f32
  }
  func.func @lowered_log10(%x: f32) -> f32 {
    %r = math.log10 %x : f32
    return %r : f32
  }
  // As a vector, whose elements must not be mixed up.
  func.func @lowered_rsqrt(%x: f32) -> f32 {
    %two = arith.constant 2.0 : f32
    %y = arith.mulf %x, %two : f32
    %v = vector.from_elements %y, %x, %two, %y : vector<2x2xf32>
    %s = math.rsqrt %v : vector<2x2xf32>
    %r = vector.extract %s[0, 1] : f32 from vector<2x2xf32>
    return %r : f32
  }
  func.func @lowered_quotient(%x: f32) -> f32 {
    %three = arith.constant 3.0 : f32
    %r = arith.divf %three, %x : f32
    return %r : f32
  }
}
