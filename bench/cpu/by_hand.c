/* Attention written by hand on the sgemm of a library: of the BLAS in the shared library
 * LIBRARY, which is LIBRARY_NAME, or of oneDNN with -DDNNL. The scores of a block of rows
 * and keys are in the cache, and the blocks are the best of those in `candidates`.
 */
#include "peer.h"

#ifdef DNNL
#include <dnnl.h>
static const char *name(void) {
  static char text[64];
  const dnnl_version_t *version = dnnl_version();
  snprintf(text, sizeof text, "by hand, oneDNN %d.%d.%d", version->major, version->minor,
           version->patch);
  return text;
}
static void load(void) {}
static void gemm(int transpose, long m, long n, long r, const float *a, long lda,
                 const float *b, long ldb, float beta, float *c, long ldc) {
  dnnl_sgemm('N', transpose ? 'T' : 'N', m, n, r, 1.0f, a, lda, b, ldb, beta, c, ldc);
}
#else
#include <dlfcn.h>
static const char *name(void) { return "by hand, " LIBRARY_NAME; }

/* Sizes are long or, on x86-64 to the same effect, int. */
static void (*sgemm)(int, int, int, long, long, long, float, const float *, long,
                     const float *, long, float, float *, long);

static void load(void) {
  const char *names[] = {"cblas_sgemm", "cblas_sgemm64_", "scipy_cblas_sgemm64_",
                         "scipy_cblas_sgemm"};
  void *library = dlopen(LIBRARY, RTLD_NOW);
  for (int i = 0; library && !sgemm && i < 4; ++i)
    *(void **)&sgemm = dlsym(library, names[i]);
  if (!sgemm) {
    fprintf(stderr, "by_hand: %s\n", dlerror());
    exit(1);
  }
}

static void gemm(int transpose, long m, long n, long r, const float *a, long lda,
                 const float *b, long ldb, float beta, float *c, long ldc) {
  enum { RowMajor = 101, NoTrans = 111, Trans = 112 };
  sgemm(RowMajor, NoTrans, transpose ? Trans : NoTrans, m, n, r, 1.0f, a, lda, b, ldb, beta,
        c, ldc);
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
  float whole = floorf(x), f = x - whole;
  float p = 1.8775767e-3f;
  p = p * f + 8.9893397e-3f;
  p = p * f + 5.5826318e-2f;
  p = p * f + 2.4015361e-1f;
  p = p * f + 6.9315308e-1f;
  p = p * f + 1.0f;
  int result;
  memcpy(&result, &p, sizeof result);
  result += (int)whole << 23;
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

/* Two heads are enough to tell the blocks apart. */
static void prepare(void) {
  const long allHeads = heads;
  long bestRows = 0, bestKeys = 0;
  double best = 1e30;
  load();
  all_scores = allocate(omp_get_max_threads() * (size_t)SCORES);
  heads = heads < 2 ? heads : 2;
  for (unsigned c = 0; c < sizeof candidates / sizeof *candidates; ++c)
    for (int repeat = 0; repeat < 3; ++repeat) {
      rows = candidates[c][0], keys = candidates[c][1];
      double start = now();
      call();
      double seconds = now() - start;
      if (seconds < best)
        best = seconds, bestRows = rows, bestKeys = keys;
    }
  rows = bestRows, keys = bestKeys, heads = allHeads;
}
