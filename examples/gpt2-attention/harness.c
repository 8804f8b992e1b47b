/* Runs one compiled attention kernel: checks it against f64, times it, and counts
 * what it allocates. Linked with --wrap=malloc, so that the kernel's calls of
 * malloc arrive at __wrap_malloc.
 *
 * Prints: error, milliseconds, MiB allocated in one call, peak RSS in MiB.
 */
#include "attention.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

enum { HEADS = 12, HEAD_DIM = 64 };

static int counting;
static size_t allocated;

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size) {
  if (counting)
    allocated += size;
  return __real_malloc(size);
}

static float *random_values(size_t count, float range, unsigned seed) {
  float *values = malloc(count * sizeof *values);
  if (!values) {
    perror("malloc");
    exit(1);
  }
  for (size_t i = 0; i < count; ++i) {
    seed = seed * 1664525u + 1013904223u;
    values[i] = range * ((float)(seed >> 8) / (1 << 23) - 1.0f);
  }
  return values;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

/* Largest difference to f64, over every seventh row of every head. */
static double max_error(const float *q, const float *k, const float *v,
                        const float *out, long tokens) {
  double error = 0, *p = malloc(tokens * sizeof *p);
  for (long head = 0; head < HEADS; ++head)
    for (long i = 0; i < tokens; i += 7) {
      const float *row = q + (head * tokens + i) * HEAD_DIM;
      double max = -INFINITY, sum = 0;
      for (long j = 0; j <= i; ++j) {
        const float *key = k + (head * tokens + j) * HEAD_DIM;
        double score = 0;
        for (long d = 0; d < HEAD_DIM; ++d)
          score += (double)row[d] * key[d];
        p[j] = score / 8;
        max = fmax(max, p[j]);
      }
      for (long j = 0; j <= i; ++j)
        sum += p[j] = exp(p[j] - max);
      for (long d = 0; d < HEAD_DIM; ++d) {
        double expected = 0;
        for (long j = 0; j <= i; ++j)
          expected += p[j] * v[(head * tokens + j) * HEAD_DIM + d];
        double got = out[(head * tokens + i) * HEAD_DIM + d];
        double difference = fabs(got - expected / sum);
        if (!(difference <= error))
          error = isnan(difference) ? INFINITY : difference;
      }
    }
  free(p);
  return error;
}

int main(int argc, char **argv) {
  long tokens = argc > 1 ? atol(argv[1]) : 1024;
  size_t count = (size_t)HEADS * tokens * HEAD_DIM;
  float *q = random_values(count, 2, 1), *k = random_values(count, 2, 2),
        *v = random_values(count, 1, 3);
  linalg_ext_buffer_3d_f32 query =
      linalg_ext_describe_3d_f32(q, HEADS, tokens, HEAD_DIM);
  linalg_ext_buffer_3d_f32 key =
      linalg_ext_describe_3d_f32(k, HEADS, tokens, HEAD_DIM);
  linalg_ext_buffer_3d_f32 value =
      linalg_ext_describe_3d_f32(v, HEADS, tokens, HEAD_DIM);
  linalg_ext_buffer_3d_f32 out;

  counting = 1;
  _mlir_ciface_attention(&out, &query, &key, &value);
  counting = 0;
  double error = max_error(q, k, v, out.aligned, tokens);
  free(out.allocated);

  double best = INFINITY;
  for (int i = 0; i < 5; ++i) {
    double start = now();
    _mlir_ciface_attention(&out, &query, &key, &value);
    best = fmin(best, now() - start);
    free(out.allocated);
  }

  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%.2e %.2f %.2f %.1f\n", error, best * 1e3,
         allocated / (1024.0 * 1024.0), usage.ru_maxrss / 1024.0);
  return 0;
}
