/* Runs the functions of few-rows.mlir on many numbers of keys and compares with f64.
 * Nothing beside the results may change. A sum of n <= 700 products, on top of a number
 * of their size, is off by sqrt(n) u of the magnitudes in practice, 2e-6.
 */
#include "few-rows.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state = 1;
static float uniform(void) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / (float)(1 << 23) - 1.0f;
}

#ifdef TYPE_bf16
typedef uint16_t elem;
typedef linalg_ext_buffer_2d_bf16 buffer;
#define describe linalg_ext_describe_2d_bf16
static elem from_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return bits >> 16;
}
static float to_float(elem x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
#else
typedef float elem;
typedef linalg_ext_buffer_2d_f32 buffer;
#define describe linalg_ext_describe_2d_f32
static elem from_float(float x) { return x; }
static float to_float(elem x) { return x; }
#endif

static elem *random_elements(long count) {
  elem *values = malloc((count + 1) * sizeof *values);
  for (long i = 0; i < count; ++i)
    values[i] = from_float(uniform());
  return values;
}

int main(void) {
  static const long sizes[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, 63, 64, 131, 257, 512, 700};
  int passed = 0, failed = 0;
  for (int s = 0; s < 15; ++s)
    for (int transposed = 0; transposed < 2; ++transposed) {
      long n = sizes[s], depth = transposed ? DIM : n, columns = transposed ? n : DIM;
      enum { GUARD = 64 };
      elem *left = random_elements(ROWS * depth), *right = random_elements(n * DIM);
      float *out = malloc((ROWS * columns + GUARD) * sizeof *out),
            *old = malloc((ROWS * columns + GUARD) * sizeof *old);
      for (long i = 0; i < ROWS * columns + GUARD; ++i)
        out[i] = old[i] = uniform();
      linalg_ext_buffer_2d_f32 result = linalg_ext_describe_2d_f32(out, ROWS, columns);
      buffer a = describe(left, ROWS, depth), b = describe(right, n, DIM);
#ifdef READ_RESULTS
      (void)a, (void)b, (void)result;
#else
      if (transposed)
        _mlir_ciface_scores(&a, &b, &result);
      else
        _mlir_ciface_sums(&a, &b, &result);
#endif
      pass_results(out, (ROWS * columns + GUARD) * sizeof *out, state);
      double worst = 0;
      for (long i = 0; RESULTS_COMPARE && i < ROWS * columns; ++i) {
        double sum = old[i], magnitude = fabs(old[i]);
        for (long k = 0; k < depth; ++k) {
          double term = (double)to_float(left[i / columns * depth + k]) *
                        to_float(right[transposed ? i % columns * DIM + k
                                                  : k * DIM + i % columns]);
          sum += term, magnitude += fabs(term);
        }
        double error = fabs(out[i] - sum) / magnitude;
        if (!(error <= worst))
          worst = isnan(error) ? INFINITY : error;
      }
      int overwritten =
          memcmp(out + ROWS * columns, old + ROWS * columns, GUARD * sizeof *out);
      if (!RESULTS_COMPARE || (worst <= 2e-6 && !overwritten)) {
        ++passed;
      } else {
        ++failed;
        printf("FAIL: %s of %ld keys: error %g%s\n", transposed ? "scores" : "sums", n,
               worst, overwritten ? ", written past the end" : "");
      }
      free(left), free(right), free(out), free(old);
    }
  if (RESULTS_COMPARE)
    printf("%d cases passed, %d failed\n", passed, failed);
  return failed != 0;
}
