/* Runs @additive and @causal of attention.mlir over sizes and masks and compares
 * with f64; nothing but the result may be left on the heap. Shares no code with the
 * compiler.
 *
 * Bounds. Values are below 1 in magnitude and d = 40. With u the unit roundoff of
 * the element type, a score (after scaling by 1/8) is off by less than d/8 u or so
 * if products are accumulated in that type, a weight by that factor, and so is the
 * output, an average of values. d/8 u = 5 u is 3e-7 in f32, 6e-16 in f64, 2.4e-3 in
 * f16 and 2e-2 in bf16; the bounds leave a little room. In f32 the eager form is
 * tested too, which rounds the accumulator a few times more in each of up to 33
 * tiles: 100 u or 6e-6 at worst. Measured errors are below half of the bounds.
 *
 * With F32_SUMS, halves are multiplied exactly and added up in f32: the weights, which
 * are rounded to halves, and the output are each off by u of an average of values, 2 u
 * together, 2^-8 in bf16 and 2^-10 in f16. (Subnormal numbers, which vdpbf16ps takes
 * for 0, do not count.)
 */
#include "attention.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef HEAD_DIM
#define HEAD_DIM 40
#endif
enum { BATCH = 3, DIM = HEAD_DIM };

#if defined(TYPE_f32)
typedef float elem;
static elem from_double(double x) { return (float)x; }
static double to_double(elem x) { return x; }
static const double bound = 4e-6;
typedef linalg_ext_buffer_3d_f32 buffer3;
typedef linalg_ext_buffer_2d_f32 buffer2;
#define describe3 linalg_ext_describe_3d_f32
#define describe2 linalg_ext_describe_2d_f32
#elif defined(TYPE_f64)
typedef double elem;
static elem from_double(double x) { return x; }
static double to_double(elem x) { return x; }
static const double bound = 4e-15;
typedef linalg_ext_buffer_3d_f64 buffer3;
typedef linalg_ext_buffer_2d_f64 buffer2;
#define describe3 linalg_ext_describe_3d_f64
#define describe2 linalg_ext_describe_2d_f64
#elif defined(TYPE_bf16)
typedef uint16_t elem;
static elem from_double(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return (uint16_t)((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
}
static double to_double(elem x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
#ifdef F32_SUMS
static const double bound = 0x1p-8;
#else
static const double bound = 3e-2;
#endif
typedef linalg_ext_buffer_3d_bf16 buffer3;
typedef linalg_ext_buffer_2d_bf16 buffer2;
#define describe3 linalg_ext_describe_3d_bf16
#define describe2 linalg_ext_describe_2d_bf16
#else
typedef uint16_t elem;
/* The numbers of f16 that are not negative, in order, up to infinity. */
static double halves[0x7C01];
static double to_double(elem x) {
  if (!halves[1]) {
    for (int i = 0; i < 0x7C00; ++i)
      halves[i] = i >> 10 ? ldexp(1024 + (i & 1023), (i >> 10) - 25) : ldexp(i, -24);
    halves[0x7C00] = INFINITY;
  }
  unsigned magnitude = x & 0x7FFF;
  double value = magnitude > 0x7C00 ? NAN : halves[magnitude];
  return x >> 15 ? -value : value;
}
static elem from_double(double x) {
  /* Nearest by search among the non-negative halves, which are ordered. */
  uint16_t sign = x < 0 ? 0x8000 : 0;
  double magnitude = fabs(x);
  unsigned low = 0, high = 0x7C00;
  while (low < high) {
    unsigned middle = (low + high) / 2;
    if (to_double(middle) < magnitude)
      low = middle + 1;
    else
      high = middle;
  }
  if (low > 0 && magnitude - to_double(low - 1) < to_double(low) - magnitude)
    --low;
  return sign | low;
}
#ifdef F32_SUMS
static const double bound = 0x1p-10;
#else
static const double bound = 4e-3;
#endif
typedef linalg_ext_buffer_3d_f16 buffer3;
typedef linalg_ext_buffer_2d_f16 buffer2;
#define describe3 linalg_ext_describe_3d_f16
#define describe2 linalg_ext_describe_2d_f16
#endif

static unsigned state = 1;
static double uniform(void) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / (double)(1 << 23) - 1.0;
}

static elem *random_values(long count) {
  elem *values = malloc((count ? count : 1) * sizeof *values);
  for (long i = 0; i < count; ++i)
    values[i] = from_double(uniform());
  return values;
}

static double *to_doubles(const elem *values, long count) {
  double *result = malloc((count + 1) * sizeof *result);
  for (long i = 0; i < count; ++i)
    result[i] = to_double(values[i]);
  return result;
}

/* The scores before the mask, in f64. They are the same for all masks. */
static double *get_scores(const elem *query, const elem *key, long n, long m) {
  double *q = to_doubles(query, BATCH * n * DIM), *k = to_doubles(key, BATCH * m * DIM),
         *scores = malloc((BATCH * n * m + 1) * sizeof *scores);
  for (long b = 0; b < BATCH; ++b)
    for (long i = 0; i < n; ++i)
      for (long j = 0; j < m; ++j) {
        double score = 0;
        for (long d = 0; d < DIM; ++d)
          score += q[(b * n + i) * DIM + d] * k[(b * m + j) * DIM + d];
        scores[(b * n + i) * m + j] = score / 8;
      }
  free(q);
  free(k);
  return scores;
}

/* Attention in f64 with the mask added to the scores; nothing visible gives 0. */
static double max_error(const double *scores, const elem *values, const elem *mask,
                        const elem *out, long n, long m) {
  double error = 0, *p = malloc((m + 1) * sizeof *p),
         *v = to_doubles(values, BATCH * m * DIM);
  for (long b = 0; b < BATCH; ++b)
    for (long i = 0; i < n; ++i) {
      double max = -INFINITY, sum = 0, expected[DIM] = {0};
      for (long j = 0; j < m; ++j) {
        p[j] = scores[(b * n + i) * m + j];
        if (mask)
          p[j] += to_double(mask[i * m + j]);
        else if (j > i)
          p[j] = -INFINITY;
        max = fmax(max, p[j]);
      }
      for (long j = 0; j < m; ++j) {
        if (p[j] == -INFINITY)
          continue;
        double weight = exp(p[j] - max);
        sum += weight;
        for (long d = 0; d < DIM; ++d)
          expected[d] += weight * v[(b * m + j) * DIM + d];
      }
      for (long d = 0; d < DIM; ++d) {
        double difference = fabs(to_double(out[(b * n + i) * DIM + d]) -
                                 (sum ? expected[d] / sum : 0));
        if (!(difference <= error))
          error = isnan(difference) ? INFINITY : difference;
      }
    }
  free(p);
  free(v);
  return error;
}

static long live_blocks;
#ifndef READ_RESULTS
/* Linked with --wrap=malloc --wrap=free. */
void *__real_malloc(size_t size);
void __real_free(void *block);
void *__wrap_malloc(size_t size) {
  ++live_blocks;
  return __real_malloc(size);
}
void __wrap_free(void *block) {
  live_blocks -= block != NULL;
  __real_free(block);
}
#endif

/* @additive, or @causal without a mask, and how many blocks it leaves. */
static void run(buffer3 *query, buffer3 *key, buffer3 *value, buffer2 *mask, elem *result,
                long count, long *leaked) {
#ifndef READ_RESULTS
  buffer3 out;
  long before = live_blocks;
  if (mask)
    _mlir_ciface_additive(&out, query, key, value, mask);
  else
    _mlir_ciface_causal(&out, query, key, value);
  memcpy(result, out.aligned, count * sizeof *result);
  free(out.allocated);
  *leaked = live_blocks - before;
#endif
  pass_results(result, count * sizeof *result, state);
  pass_results(leaked, sizeof *leaked, state);
}

enum mask_kind { NONE, RANDOM, FIRST_TILE, LAST_TILE, EVERYTHING, NUM_MASKS };

static elem *make_mask(enum mask_kind kind, long n, long m) {
  elem *mask = malloc((n * m ? n * m : 1) * sizeof *mask);
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j) {
      /* Every fifth row sees nothing at all in most masks. */
      int hidden = kind == EVERYTHING || (kind != NONE && i % 5 == 3) ||
                   (kind == RANDOM && uniform() < 0) ||
                   (kind == FIRST_TILE && j < 130) ||
                   (kind == LAST_TILE && j >= m - 130);
      mask[i * m + j] = from_double(hidden ? -INFINITY : uniform());
    }
  return mask;
}

int main(void) {
#if defined(WRITE_RESULTS) || defined(READ_RESULTS)
  /* An emulator takes its time. Tiles have up to 64 rows and 128 keys, or 32 and 256:
   * the first size has several tiles of rows, the second several of keys. */
  static const long sizes[][2] = {{67, 131}, {9, 259}, {1, 129}, {33, 1}};
#else
  static const long sizes[][2] = {{64, 256}, {67, 259}, {1, 129}, {33, 1}};
#endif
  int passed = 0;
  for (int s = 0; s < 4; ++s) {
    long n = sizes[s][0], m = sizes[s][1];
    elem *q = random_values(BATCH * n * DIM), *k = random_values(BATCH * m * DIM),
         *v = random_values(BATCH * m * DIM);
    buffer3 query = describe3(q, BATCH, n, DIM), key = describe3(k, BATCH, m, DIM),
            value = describe3(v, BATCH, m, DIM);
    double *scores = RESULTS_COMPARE ? get_scores(q, k, n, m) : NULL;
    elem *out = malloc((BATCH * n * DIM + 1) * sizeof *out);
    for (int kind = 0; kind <= NUM_MASKS; ++kind) {
      elem *mask = kind == NUM_MASKS ? NULL : make_mask(kind, n, m);
      buffer2 bias = describe2(mask, n, m);
      long leaked = 0;
      run(&query, &key, &value, mask ? &bias : NULL, out, BATCH * n * DIM, &leaked);
      if (RESULTS_COMPARE) {
        double error = max_error(scores, v, mask, out, n, m);
        int ok = error <= bound && leaked == 0;
        passed += ok;
        if (!ok)
          printf("FAIL: ");
        printf("%ld queries, %ld keys, mask %d: error %g, %ld blocks leaked\n", n, m, kind,
               error, leaked);
      }
      free(mask);
    }
    free(scores);
    free(out);
    free(q);
    free(k);
    free(v);
  }
  if (RESULTS_COMPARE)
    printf("%d cases passed\n", passed);
  return 0;
}
