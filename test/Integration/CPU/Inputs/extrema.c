/* Compares the functions of extrema.mlir with loops over scalars. */
#include "extrema.h.inc"

#include <math.h>
#include <stdio.h>

enum { SIZE = 150 };

typedef void function(linalg_ext_buffer_2d_f32 *, linalg_ext_buffer_1d_f32 *);

static unsigned state = 1;
static unsigned next(unsigned limit) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % limit;
}

/* One in `rare` is special. */
static float value(unsigned rare) {
  static const float special[] = {NAN, INFINITY, -INFINITY, 0, -0.0f};
  float sign = next(2) ? 1 : -1;
  return next(rare) ? sign * next(1000) : sign * special[next(5)];
}

static float combine(float a, float b, int is_max) {
  if (isnan(a) || isnan(b))
    return NAN;
  return (a > b) == is_max ? a : b;
}

static int equal(float a, float b) { return isnan(a) ? isnan(b) : a == b; }

int main(void) {
  static float a[SIZE * SIZE], in[SIZE], out[SIZE];
  function *functions[] = {
      _mlir_ciface_row_max,
      _mlir_ciface_row_min,
      _mlir_ciface_column_max,
      _mlir_ciface_column_min,
  };
  int passed = 0;
  for (int test = 0; test < 4000; ++test) {
    int is_max = test % 2 == 0, is_column = test / 2 % 2;
    long rows = next(SIZE), columns = next(SIZE);
    long results = is_column ? columns : rows, length = is_column ? rows : columns;
    unsigned rare = next(3) ? 500 : 2;
    for (long i = 0; i < rows * columns; ++i)
      a[i] = value(rare);
    for (long i = 0; i < results; ++i)
      out[i] = in[i] = value(10);
    linalg_ext_buffer_2d_f32 x = linalg_ext_describe_2d_f32(a, rows, columns);
    linalg_ext_buffer_1d_f32 m = linalg_ext_describe_1d_f32(out, results);
    functions[2 * is_column + !is_max](&x, &m);
    int ok = 1;
    for (long i = 0; i < results; ++i) {
      float expected = in[i];
      for (long j = 0; j < length; ++j)
        expected = combine(a[is_column ? j * columns + i : i * columns + j], expected, is_max);
      ok &= equal(expected, out[i]);
    }
    passed += ok;
    if (!ok)
      printf("FAIL: %ld x %ld, column %d, max %d\n", rows, columns, is_column, is_max);
  }
  printf("%d cases passed\n", passed);
  return 0;
}
