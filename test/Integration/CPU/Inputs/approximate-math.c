/* Errors of approximated functions in units in the last place. */
#include "math.h.inc"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 1000 };

typedef void function(linalg_ext_buffer_1d_f32 *, linalg_ext_buffer_1d_f32 *);

/* Every 997th float between `low` and `high`. `bound`, times SLACK, grows by
 * `slope` with their magnitude; what is printed is the error where it is 1. */
static void sweep(const char *name, function *f, double (*reference)(double), float low,
                  float high, double bound, double slope) {
  static float in[BLOCK], out[BLOCK];
  double worst = 0;
  int count = 0;
  for (uint64_t i = 0; i < (UINT64_C(1) << 32); i += 997) {
    uint32_t bits = (uint32_t)i;
    memcpy(&in[count], &bits, 4);
    if (!(in[count] >= low && in[count] <= high) || ++count < BLOCK)
      continue;
    count = 0;
    linalg_ext_buffer_1d_f32 x = linalg_ext_describe_1d_f32(in, BLOCK),
                             y = linalg_ext_describe_1d_f32(out, BLOCK);
    memset(out, 0, sizeof out);
    f(&x, &y);
    for (int j = 0; j < BLOCK; ++j) {
      double expected = reference(in[j]);
      float rounded = fabsf((float)expected);
      if (rounded < 0x1p-126f)
        continue;
      double error = fabs(out[j] - expected) / (nextafterf(rounded, INFINITY) - rounded) /
                     (1 + slope * fabs(in[j]));
      if (!(error <= worst))
        worst = isnan(error) ? INFINITY : error;
    }
  }
  printf("%s%s in [%g, %g]: %.2f ulp\n", worst <= SLACK * bound ? "" : "FAIL: ", name, low, high,
         worst);
}

int main(void) {
  sweep("exp", _mlir_ciface_approximate_exp, exp, -87.3f, 0, 1, 0);
  sweep("exp", _mlir_ciface_approximate_exp, exp, -87.3f, 88.7f, 1, 0);
  sweep("exp of a difference", _mlir_ciface_approximate_exp_of_difference, exp, -87.3f, 88.7f,
        1, 1.25);
  sweep("tanh", _mlir_ciface_approximate_tanh, tanh, -100, 100, 5, 0);
  sweep("erf", _mlir_ciface_approximate_erf, erf, -10, 10, 5, 0);

  static float special[] = {-INFINITY, INFINITY, NAN, 0, 88.8f, -88, -200, 1e30f, -1e30f},
               out[9];
  linalg_ext_buffer_1d_f32 x = linalg_ext_describe_1d_f32(special, 9),
                           y = linalg_ext_describe_1d_f32(out, 9);
  _mlir_ciface_approximate_exp(&x, &y);
  for (int i = 0; i < 9; ++i)
    printf("exp(%g) = %g\n", special[i], out[i]);
  /* Each in a whole vector. */
  for (int i = 0; i < 9; ++i) {
    static float same[16], result[16];
    for (int j = 0; j < 16; ++j)
      same[j] = special[i], result[j] = 0;
    x = linalg_ext_describe_1d_f32(same, 16), y = linalg_ext_describe_1d_f32(result, 16);
    _mlir_ciface_approximate_exp_of_difference(&x, &y);
    printf("exp(%g - 0) = %g\n", special[i], result[i]);
  }
  return 0;
}
