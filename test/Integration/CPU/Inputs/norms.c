/* Runs the functions of norms.mlir, those of NORMS or those of LOSSES, over sizes and
 * rows of all magnitudes, and compares with f64. Nothing may be left on the heap.
 * Shares no code with the compiler.
 *
 * Bounds: a sum of n <= 600 products is off by about n u = 4e-5 of the sum of their
 * magnitudes at worst, and by sqrt(n) u, 1e-6, in practice; what is subtracted from a
 * mean counts with the magnitudes of both. A loss is off by the roundings of the largest score
 * and of those of its sum, of which it has the logarithm.
 */
#include "norms.h"
#include "results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static long live_blocks;
#ifndef READ_RESULTS
void *__real_malloc(size_t);
void __real_free(void *);
void *__wrap_malloc(size_t size) {
  ++live_blocks;
  return __real_malloc(size);
}
void __wrap_free(void *block) {
  live_blocks -= block != NULL;
  __real_free(block);
}
#endif

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

static int passed, failed;

static void judge(const char *name, float *result, const double *expected,
                  const double *bound, long count, long leaked) {
  pass_results(result, count * sizeof *result, state);
  pass_results(&leaked, sizeof leaked, state);
  if (!RESULTS_COMPARE)
    return;
  double worst = 0;
  for (long i = 0; i < count; ++i) {
    double error = fabs(result[i] - expected[i]) / bound[i];
    if (!(error <= worst))
      worst = isnan(error) ? INFINITY : error;
  }
  if (worst <= 1 && leaked == 0) {
    ++passed;
    return;
  }
  ++failed;
  printf("FAIL: %s: %g of the bound, %ld blocks leaked\n", name, worst, leaked);
}

#ifdef NORMS
static void norm(long m, long k, long n, int is_layer) {
  float *x = random_values(m * k), *gamma = random_values(k), *beta = random_values(k),
        *w = random_values(k * n), *out = unset_values(m * n);
  double *expected = malloc((m * n + 1) * sizeof *expected),
         *bound = malloc((m * n + 1) * sizeof *bound);
  for (long i = 0; i < m; ++i) {
    /* Large and small rows, rows far from 0, and one of zeros. */
    for (long j = 0; j < k; ++j) {
      float *value = &x[i * k + j];
      *value = i % 5 == 1   ? 1e4f * *value
               : i % 5 == 2 ? 1e-4f * *value
               : i % 5 == 3 ? *value + 30
               : i == 4     ? 0
                            : *value;
    }
    if (!RESULTS_COMPARE)
      continue;
    double mean = 0, squares = 0;
    for (long j = 0; is_layer && j < k; ++j)
      mean += x[i * k + j] / (double)k;
    for (long j = 0; j < k; ++j)
      squares += (x[i * k + j] - mean) * (x[i * k + j] - mean);
    double factor = 1 / sqrt(squares / k + 1e-5);
    for (long c = 0; c < n; ++c) {
      double sum = 0, magnitude = 1e-6;
      for (long j = 0; j < k; ++j) {
        double weight = gamma[j] * (double)w[j * n + c];
        sum += factor * (x[i * k + j] - mean) * weight;
        magnitude += factor * (fabs(x[i * k + j]) + fabs(mean)) * fabs(weight);
        if (is_layer) {
          sum += beta[j] * (double)w[j * n + c];
          magnitude += fabs(beta[j] * (double)w[j * n + c]);
        }
      }
      expected[i * n + c] = sum, bound[i * n + c] = 4e-6 * magnitude;
    }
  }
  linalg_ext_buffer_2d_f32 in = linalg_ext_describe_2d_f32(x, m, k),
                           weights = linalg_ext_describe_2d_f32(w, k, n),
                           result = linalg_ext_describe_2d_f32(out, m, n);
  linalg_ext_buffer_1d_f32 factors = linalg_ext_describe_1d_f32(gamma, k),
                           biases = linalg_ext_describe_1d_f32(beta, k);
  long before = live_blocks;
#ifdef READ_RESULTS
  (void)in, (void)weights, (void)result, (void)factors, (void)biases;
#else
  if (is_layer)
    _mlir_ciface_layer(&in, &factors, &biases, &weights, &result);
  else
    _mlir_ciface_rms(&in, &factors, &weights, &result);
#endif
  judge(is_layer ? "layer" : "rms", out, expected, bound, m * n, live_blocks - before);
  free(x), free(gamma), free(beta), free(w), free(out), free(expected), free(bound);
}
#endif

#ifdef LOSSES
/* Of scores that are given if `depth` is 0. */
static void loss(long m, long depth, long n) {
  long width = depth ? depth : n;
  float *x = random_values(m * width), *e = random_values(n * depth),
        *out = unset_values(m);
  int32_t *target = malloc((m + 1) * sizeof *target);
  double *expected = malloc((m + 1) * sizeof *expected),
         *bound = malloc((m + 1) * sizeof *bound),
         *scores = malloc((n + 1) * sizeof *scores);
  for (long i = 0; i < m; ++i) {
    target[i] = (i * 7919 + 13) % n;
    /* Scores of any size; given ones also of -inf, but not of the target. */
    for (long j = 0; j < width; ++j)
      x[i * width + j] *= i % 4 == 1 ? 1e4f : i % 4 == 2 ? 100 : 5;
    if (!depth && i % 4 == 3)
      for (long j = 0; j < n; ++j)
        if (j != target[i] && (j * 31 + i) % 3)
          x[i * n + j] = -INFINITY;
    if (!RESULTS_COMPARE)
      continue;
    double max = -INFINITY, sum = 0, magnitude = 1;
    for (long j = 0; j < n; ++j) {
      double size = 0;
      scores[j] = depth ? 0 : x[i * n + j];
      for (long d = 0; d < depth; ++d) {
        double term = (double)x[i * depth + d] * e[j * depth + d];
        scores[j] += term, size += fabs(term);
      }
      max = fmax(max, scores[j]);
      magnitude = fmax(magnitude, depth ? size : isinf(scores[j]) ? 0 : fabs(scores[j]));
    }
    for (long j = 0; j < n; ++j)
      sum += exp(scores[j] - max);
    expected[i] = log(sum) + max - scores[target[i]];
    bound[i] = 1e-6 * (magnitude + 4) + 1e-8 * n;
  }
  linalg_ext_buffer_2d_f32 in = linalg_ext_describe_2d_f32(x, m, width),
                           matrix = linalg_ext_describe_2d_f32(e, n, depth);
  linalg_ext_buffer_1d_i32 targets = linalg_ext_describe_1d_i32(target, m);
  linalg_ext_buffer_1d_f32 result = linalg_ext_describe_1d_f32(out, m);
  long before = live_blocks;
#ifdef READ_RESULTS
  (void)in, (void)matrix, (void)targets, (void)result;
#else
  if (depth)
    _mlir_ciface_classifier(&in, &matrix, &targets, &result);
  else
    _mlir_ciface_loss(&in, &targets, &result);
#endif
  judge(depth ? "classifier" : "loss", out, expected, bound, m, live_blocks - before);
  free(x), free(e), free(out), free(target), free(expected), free(bound), free(scores);
}
#endif

int main(void) {
  static const long shapes[][3] = {{70, 130, 600}, {1, 64, 1000}, {37, 300, 7},
                                   {5, 17, 259},   {3, 8, 64},    {64, 512, 1}};
  for (int s = 0; s < 6; ++s) {
    long m = shapes[s][0], k = shapes[s][1], n = shapes[s][2];
#ifdef NORMS
    norm(m, k, n, 0);
    norm(m, k, n, 1);
#endif
#ifdef LOSSES
    loss(m, 0, 4 * n);
    loss(m, k, n);
#endif
  }
  if (RESULTS_COMPARE)
    printf("%d cases passed, %d failed\n", passed, failed);
  return failed != 0;
}
