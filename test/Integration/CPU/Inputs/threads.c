/* Runs the functions of threads.mlir over sizes, compares with f64, and prints a hash
 * of the bits of all results and how many threads have allocated buffers of their own.
 * Nothing may be left on the heap. Shares no code with the compiler.
 *
 * With ONLY_DECODE, nothing but decode, of GROUP rows, DECODED_KEYS and DIM.
 *
 * Bounds: of the output of attention as in attention.c, 4e-6 (d = 40, scale
 * 1/8; d/40 times as much for others); a
 * sum of n products of values below 1 in magnitude, each rounded n times at most, is
 * off by n^2 u = 70^2 * 6e-8 = 3e-4 at worst and by about n u in practice; 2e-5 of the
 * sum of magnitudes is allowed (n <= 300).
 */
#include "threads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ONLY_DECODE
#define DIM 40
#define GROUP 3
#define DECODED_KEYS 5003
#endif

extern int omp_get_max_threads(void);
extern int omp_get_thread_num(void);

void *__real_malloc(size_t);
void __real_free(void *);
static long live_blocks;
static char has_allocated[64];
void *__wrap_malloc(size_t size) {
  __atomic_add_fetch(&live_blocks, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&has_allocated[omp_get_thread_num() % 64], 1, __ATOMIC_RELAXED);
  return __real_malloc(size);
}
void __wrap_free(void *block) {
  __atomic_sub_fetch(&live_blocks, block != NULL, __ATOMIC_RELAXED);
  __real_free(block);
}

static unsigned state = 1;
static float uniform(void) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) / (float)(1 << 23) - 1.0f;
}

static float *random_values(long count) {
  float *values = malloc((count + 1) * sizeof *values);
  for (long i = 0; i < count; ++i)
    values[i] = uniform();
  return values;
}

/* What is never written would be noticed. */
static float *unset_values(long count) {
  float *values = malloc((count + 1) * sizeof *values);
  for (long i = 0; i < count; ++i)
    values[i] = NAN;
  return values;
}

static unsigned long hash = 14695981039346656037ul;
static int passed, failed;

static void judge(const char *name, const float *result, const double *expected,
                  const double *scale, double bound, long count, long leaked) {
  double error = 0;
  for (long i = 0; i < count; ++i) {
    double difference = fabs(result[i] - expected[i]) / (scale ? 1e-3 + scale[i] : 1);
    if (!(difference <= error))
      error = isnan(difference) ? INFINITY : difference;
    unsigned bits;
    memcpy(&bits, &result[i], sizeof bits);
    hash = (hash ^ bits) * 1099511628211ul;
  }
  if (error <= bound && leaked == 0) {
    ++passed;
    return;
  }
  ++failed;
  printf("FAIL: %s: error %g, %ld blocks leaked\n", name, error, leaked);
}

/* Rows of the queries of `batch` times `heads` groups; keys as far as the length of
 * the batch and, if `causal`, the row. */
static void attention(long batch, long heads, long n, long m, int causal) {
  long rows = batch * heads * GROUP * n;
  float *q = random_values(rows * DIM), *k = random_values(batch * heads * m * DIM),
        *v = random_values(batch * heads * m * DIM), *out = unset_values(rows * DIM);
  int32_t *lengths = malloc((batch + 1) * sizeof *lengths);
  for (long b = 0; b < batch; ++b)
    lengths[b] = b == 1 ? 0 : m - b * (m / 3);
  double *expected = malloc((rows * DIM + 1) * sizeof *expected),
         *p = malloc((m + 1) * sizeof *p);
  for (long row = 0; row < rows; ++row) {
    long i = row % n, head = row / (n * GROUP), end = lengths[head / heads];
    if (causal && i + 1 < end)
      end = i + 1;
    double max = -INFINITY, sum = 0;
    for (long j = 0; j < end; ++j) {
      double score = 0;
      for (long d = 0; d < DIM; ++d)
        score += (double)q[row * DIM + d] * k[(head * m + j) * DIM + d];
      p[j] = score / 8;
      max = fmax(max, p[j]);
    }
    for (long j = 0; j < end; ++j)
      sum += p[j] = exp(p[j] - max);
    for (long d = 0; d < DIM; ++d) {
      double total = 0;
      for (long j = 0; j < end; ++j)
        total += p[j] * v[(head * m + j) * DIM + d];
      expected[row * DIM + d] = sum ? total / sum : 0;
    }
  }
  linalg_ext_buffer_5d_f32 query =
      linalg_ext_describe_5d_f32(q, batch, heads, GROUP, n, DIM);
  linalg_ext_buffer_4d_f32 key = linalg_ext_describe_4d_f32(k, batch, heads, m, DIM);
  linalg_ext_buffer_4d_f32 value = linalg_ext_describe_4d_f32(v, batch, heads, m, DIM);
  linalg_ext_buffer_1d_i32 length = linalg_ext_describe_1d_i32(lengths, batch);
  linalg_ext_buffer_5d_f32 result =
      linalg_ext_describe_5d_f32(out, batch, heads, GROUP, n, DIM);
  long before = live_blocks;
#ifdef ONLY_DECODE
  _mlir_ciface_decode(&query, &key, &value, &length, &result);
#else
  (causal ? _mlir_ciface_attention : _mlir_ciface_decode)(&query, &key, &value, &length,
                                                          &result);
#endif
  judge(causal ? "attention" : "decode", out, expected, NULL, 1e-7 * DIM, rows * DIM,
        live_blocks - before);
  free(q), free(k), free(v), free(out), free(lengths), free(expected), free(p);
}

#ifndef ONLY_DECODE
static void norm_matmul(long m, long k, long n) {
  float *x = random_values(m * k), *gamma = random_values(k), *w = random_values(k * n),
        *out = unset_values(m * n);
  double *expected = malloc((m * n + 1) * sizeof *expected),
         *scale = malloc((m * n + 1) * sizeof *scale);
  for (long i = 0; i < m; ++i) {
    double squares = 0;
    for (long j = 0; j < k; ++j)
      squares += (double)x[i * k + j] * x[i * k + j];
    double factor = 1 / sqrt(squares / k + 1e-5);
    for (long c = 0; c < n; ++c) {
      double sum = 0, magnitude = 0;
      for (long j = 0; j < k; ++j) {
        double term = factor * x[i * k + j] * gamma[j] * w[j * n + c];
        sum += term, magnitude += fabs(term);
      }
      expected[i * n + c] = sum, scale[i * n + c] = magnitude;
    }
  }
  linalg_ext_buffer_2d_f32 in = linalg_ext_describe_2d_f32(x, m, k),
                           weights = linalg_ext_describe_2d_f32(w, k, n),
                           result = linalg_ext_describe_2d_f32(out, m, n);
  linalg_ext_buffer_1d_f32 factors = linalg_ext_describe_1d_f32(gamma, k);
  long before = live_blocks;
  _mlir_ciface_norm_matmul(&in, &factors, &weights, &result);
  judge("norm_matmul", out, expected, scale, 2e-5, m * n, live_blocks - before);
  free(x), free(gamma), free(w), free(out), free(expected), free(scale);
}

static void dense(long m, long k, long n) {
  float *x = random_values(m * k), *w = random_values(k * n), *bias = random_values(n),
        *out = unset_values(m * n), *sums = unset_values(m), largest = NAN;
  double *expected = malloc((m * n + 1) * sizeof *expected),
         *scale = malloc((m * n + 1) * sizeof *scale),
         *totals = malloc((m + 1) * sizeof *totals),
         *magnitudes = malloc((m + 1) * sizeof *magnitudes), most = 0, magnitude_of_most = 0;
  for (long i = 0; i < m; ++i) {
    totals[i] = magnitudes[i] = 0;
    for (long c = 0; c < n; ++c) {
      double sum = bias[c], magnitude = fabs(bias[c]);
      for (long j = 0; j < k; ++j) {
        double term = (double)x[i * k + j] * w[j * n + c];
        sum += term, magnitude += fabs(term);
      }
      expected[i * n + c] = fmax(sum, 0), scale[i * n + c] = magnitude;
      totals[i] += expected[i * n + c], magnitudes[i] += magnitude;
      most = fmax(most, sum), magnitude_of_most = fmax(magnitude_of_most, magnitude);
    }
  }
  linalg_ext_buffer_2d_f32 in = linalg_ext_describe_2d_f32(x, m, k),
                           weights = linalg_ext_describe_2d_f32(w, k, n),
                           result = linalg_ext_describe_2d_f32(out, m, n);
  linalg_ext_buffer_1d_f32 added = linalg_ext_describe_1d_f32(bias, n),
                           rows = linalg_ext_describe_1d_f32(sums, m);
  linalg_ext_buffer_0d_f32 all = linalg_ext_describe_0d_f32(&largest);
  long before = live_blocks;
  _mlir_ciface_dense(&in, &weights, &added, &result, &rows, &all);
  long leaked = live_blocks - before;
  judge("dense", out, expected, scale, 2e-5, m * n, leaked);
  judge("row sums", sums, totals, magnitudes, 2e-5, m, leaked);
  judge("largest", &largest, &most, &magnitude_of_most, 2e-5, 1, leaked);
  free(x), free(w), free(bias), free(out), free(sums);
  free(expected), free(scale), free(totals), free(magnitudes);
}

#endif

int main(void) {
#ifndef ONLY_DECODE
  static const long shapes[][4] = {{2, 2, 130, 300}, {3, 1, 67, 259}, {1, 1, 1, 129},
                                   {0, 2, 64, 128},  {2, 1, 200, 64}, {1, 3, 33, 1},
                                   {2, 4, 256, 256}};
  for (int s = 0; s < 7; ++s)
    attention(shapes[s][0], shapes[s][1], shapes[s][2], shapes[s][3], 1);
  static const long products[][3] = {{300, 70, 259}, {1, 64, 1000}, {129, 300, 1},
                                     {0, 16, 64},    {67, 1, 600},  {512, 64, 256}};
  for (int p = 0; p < 6; ++p) {
    norm_matmul(products[p][0], products[p][1], products[p][2]);
    dense(products[p][0], products[p][1], products[p][2]);
  }
#endif
  attention(2, 2, 1, DECODED_KEYS, 0);
  int threads = 0;
  for (int i = 0; i < 64; ++i)
    threads += has_allocated[i];
  printf("%d cases passed, %d failed\n", passed, failed);
  printf("hash %016lx\n", hash);
  printf("%d of %d threads\n", threads, omp_get_max_threads());
  return failed != 0;
}
