/* One contestant of bench/cpu/attention: answers the lines it reads.
 *
 *   usage: peer HEADS LENGTH HEAD_DIM CAUSAL
 *
 *   run    times one call and prints the seconds of CPU time
 *   check  prints the largest difference to f64, over every 61st row
 *   probe  prints the GFLOP/s of independent multiply-adds in registers
 *
 * With -DOURS, the kernel that linalg-ext-compile made, whose header is
 * attention.h, of f32, or of halves with -DBF16 or -DF16, which are then the values
 * that all compute with; else attention written by hand on the sgemm of a library: of BLAS,
 * or of oneDNN with -DDNNL. The scores of a block of rows and keys are in the
 * cache, and the blocks are the best of those in `candidates`.
 */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static long heads, length, dim;
static int causal;
static float *q, *k, *v, *out;

/* Of this process: other work of the machine does not count. With PEER_WALL in the
 * environment it does, for threads wait for each other. */
static double now(void) {
  struct timespec t;
  clock_gettime(getenv("PEER_WALL") ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static float *allocate(size_t count) {
  void *memory;
  if (posix_memalign(&memory, 64, count * sizeof(float))) {
    perror("posix_memalign");
    exit(1);
  }
  return memory;
}

static float *random_values(size_t count, float range, unsigned seed) {
  float *values = allocate(count);
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = range * ((float)(seed >> 8) / (1 << 23) - 1.0f);
  }
  return values;
}

#ifdef OURS
#include "attention.h"

#if defined(BF16) || defined(F16)
#ifdef BF16
typedef linalg_ext_buffer_3d_bf16 buffer;
#define describe linalg_ext_describe_3d_bf16
#else
typedef linalg_ext_buffer_3d_f16 buffer;
#define describe linalg_ext_describe_3d_f16
#endif

static uint16_t *halves[4];

static float from_half(uint16_t half) {
#ifdef BF16
  uint32_t bits = (uint32_t)half << 16;
  float value;
#else
  uint16_t bits = half;
  _Float16 value;
#endif
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint16_t to_half(float value) {
#ifdef BF16
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
#else
  _Float16 half = value;
  uint16_t bits;
  memcpy(&bits, &half, sizeof bits);
  return bits;
#endif
}

/* The values of `values` as halves, which they are rounded to. */
static uint16_t *round_to_halves(float *values) {
  size_t count = (size_t)heads * length * dim;
  uint16_t *result = (uint16_t *)allocate(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = from_half(result[i] = to_half(values[i]));
  return result;
}

static void prepare(void) {
  float *values[] = {q, k, v, out};
  for (int i = 0; i < 4; ++i)
    halves[i] = round_to_halves(values[i]);
}
#define INPUT(i, values) halves[i]
#else
typedef linalg_ext_buffer_3d_f32 buffer;
#define describe linalg_ext_describe_3d_f32
#define INPUT(i, values) values
static void prepare(void) {}
#endif

static void call(void) {
  buffer query = describe(INPUT(0, q), heads, length, dim);
  buffer key = describe(INPUT(1, k), heads, length, dim);
  buffer value = describe(INPUT(2, v), heads, length, dim);
  buffer result = describe(INPUT(3, out), heads, length, dim);
  _mlir_ciface_attention(&query, &key, &value, &result);
}

#else
#ifdef DNNL
#include <dnnl.h>
static void gemm(int transpose, long m, long n, long r, const float *a, long lda,
                 const float *b, long ldb, float beta, float *c, long ldc) {
  dnnl_sgemm('N', transpose ? 'T' : 'N', m, n, r, 1.0f, a, lda, b, ldb, beta, c, ldc);
}
#else
#include <cblas.h>
static void gemm(int transpose, long m, long n, long r, const float *a, long lda,
                 const float *b, long ldb, float beta, float *c, long ldc) {
  cblas_sgemm(CblasRowMajor, CblasNoTrans, transpose ? CblasTrans : CblasNoTrans, m, n, r,
              1.0f, a, lda, b, ldb, beta, c, ldc);
}
#endif

enum { SCORES = 256 * 1024 };
static long rows, keys;
static float *all_scores;
static const long candidates[][2] = {{64, 256},  {64, 512},  {128, 256}, {128, 512},
                                     {128, 128}, {192, 384}, {256, 512}, {128, 1024}};

/* 2^x for x <= 0, to about 2e-7. */
static inline float exp2_of(float x) {
  x = x < -126.0f ? -126.0f : x;
  float shifted = x + 12582912.0f;
  int bits;
  memcpy(&bits, &shifted, sizeof bits);
  float f = x - (shifted - 12582912.0f);
  float p = 1.8775767e-3f;
  p = p * f + 8.9893397e-3f;
  p = p * f + 5.5826318e-2f;
  p = p * f + 2.4015361e-1f;
  p = p * f + 6.9315308e-1f;
  p = p * f + 1.0f;
  int result;
  memcpy(&result, &p, sizeof result);
  result += bits << 23;
  memcpy(&p, &result, sizeof p);
  return p;
}

/* Threads share heads and blocks of rows; the sgemm is one thread's. */
static void call(void) {
  const float scale = 1.44269504f / sqrtf((float)dim);
#pragma omp parallel for collapse(2) schedule(dynamic)
  for (long head = 0; head < heads; ++head)
    for (long i = 0; i < length; i += rows) {
      float max[256], sum[256], *scores = all_scores + omp_get_thread_num() * (long)SCORES;
      long m = length - i < rows ? length - i : rows;
      const float *qs = q + (head * length + i) * dim;
      float *o = out + (head * length + i) * dim;
      for (long r = 0; r < m; ++r)
        max[r] = -1e30f, sum[r] = 0;
      long end = causal ? i + m : length;
      for (long j = 0; j < end; j += keys) {
        long n = end - j < keys ? end - j : keys;
        const float *ks = k + (head * length + j) * dim;
        const float *vs = v + (head * length + j) * dim;
        gemm(1, m, n, dim, qs, dim, ks, dim, 0.0f, scores, keys);
        for (long r = 0; r < m; ++r) {
          float *row = scores + r * keys, best = -1e30f, total = 0;
          long visible = causal && i + r + 1 - j < n ? i + r + 1 - j : n;
          if (visible < 0)
            visible = 0;
          for (long c = 0; c < visible; ++c)
            best = best > row[c] ? best : row[c];
          best *= scale;
          best = best > max[r] ? best : max[r];
          for (long c = 0; c < visible; ++c)
            total += row[c] = exp2_of(row[c] * scale - best);
          for (long c = visible; c < n; ++c)
            row[c] = 0;
          float factor = j ? exp2_of(max[r] - best) : 0;
          sum[r] = sum[r] * factor + total;
          max[r] = best;
          if (j)
            for (long d = 0; d < dim; ++d)
              o[r * dim + d] *= factor;
        }
        gemm(0, m, dim, n, scores, keys, vs, dim, j ? 1.0f : 0.0f, o, dim);
      }
      for (long r = 0; r < m; ++r) {
        float factor = 1.0f / sum[r];
        for (long d = 0; d < dim; ++d)
          o[r * dim + d] *= factor;
      }
    }
}

static void prepare(void) {
  all_scores = allocate(omp_get_max_threads() * (size_t)SCORES);
  double best = 1e30;
  long bestRows = 0, bestKeys = 0;
  for (unsigned c = 0; c < sizeof candidates / sizeof *candidates; ++c)
    for (int repeat = 0; repeat < 3; ++repeat) {
      rows = candidates[c][0], keys = candidates[c][1];
      double start = now();
      call();
      double seconds = now() - start;
      if (seconds < best)
        best = seconds, bestRows = rows, bestKeys = keys;
    }
  rows = bestRows, keys = bestKeys;
}
#endif

static void multiply_and_add(long count) {
  typedef float vec __attribute__((vector_size(64)));
  vec x = (vec){0} + 0.999f, y = (vec){0} + 0.001f;
  vec a = x, b = x, c = x, d = x, e = x, f = x, g = x, h = x, i = x, j = x, l = x, m = x;
  for (long n = 0; n < count; ++n) {
    a = a * x + y, b = b * x + y, c = c * x + y, d = d * x + y;
    e = e * x + y, f = f * x + y, g = g * x + y, h = h * x + y;
    i = i * x + y, j = j * x + y, l = l * x + y, m = m * x + y;
    __asm__ volatile("" : "+v"(a), "+v"(b), "+v"(c), "+v"(d), "+v"(e), "+v"(f));
    __asm__ volatile("" : "+v"(g), "+v"(h), "+v"(i), "+v"(j), "+v"(l), "+v"(m));
  }
}

static double probe(void) {
  const long count = 1000000;
  double start = now();
#pragma omp parallel
  multiply_and_add(count);
  return omp_get_max_threads() * count * 12 * 32 / (now() - start) * 1e-9;
}

/* Largest difference to f64. */
static double check(void) {
  double error = 0, *p = malloc(length * sizeof *p);
#if defined(BF16) || defined(F16)
  for (long i = 0; i < heads * length * dim; ++i)
    out[i] = from_half(halves[3][i]);
#endif
  for (long row = 0; row < heads * length; row += 61) {
    long head = row / length, i = row % length, end = causal ? i + 1 : length;
    double max = -1e30f, sum = 0;
    for (long j = 0; j < end; ++j) {
      double score = 0;
      for (long d = 0; d < dim; ++d)
        score += (double)q[row * dim + d] * k[(head * length + j) * dim + d];
      p[j] = score / sqrt((double)dim);
      max = fmax(max, p[j]);
    }
    for (long j = 0; j < end; ++j)
      sum += p[j] = exp(p[j] - max);
    for (long d = 0; d < dim; ++d) {
      double expected = 0;
      for (long j = 0; j < end; ++j)
        expected += p[j] * v[(head * length + j) * dim + d];
      double difference = fabs(out[row * dim + d] - expected / sum);
      union {
        float value;
        unsigned bits;
      } result = {out[row * dim + d]};
      /* This file is compiled as if there were no NaN. */
      if ((result.bits & 0x7fffffff) > 0x7f800000)
        return HUGE_VAL;
      if (difference > error)
        error = difference;
    }
  }
  free(p);
  return error;
}

int main(int argc, char **argv) {
  if (argc != 5)
    return 2;
  heads = atol(argv[1]), length = atol(argv[2]), dim = atol(argv[3]);
  causal = atoi(argv[4]);
  size_t count = (size_t)heads * length * dim;
  q = random_values(count, 2, 1), k = random_values(count, 2, 2);
  v = random_values(count, 1, 3), out = random_values(count, 1, 4);
  prepare();
  call();
  char line[16];
  while (fgets(line, sizeof line, stdin)) {
    if (!strcmp(line, "run\n")) {
      double start = now();
      call();
      printf("%.9f\n", now() - start);
    } else if (!strcmp(line, "check\n")) {
      printf("%.3e\n", check());
    } else if (!strcmp(line, "probe\n")) {
      printf("%.1f\n", probe());
    }
    fflush(stdout);
  }
  return 0;
}
