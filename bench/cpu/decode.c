/* One process of bench/cpu/decode: answers the lines it reads.
 *
 *   usage: decode BATCH HEADS GROUP KEYS HEAD_DIM
 *
 *   run    times one call of the kernel that linalg-ext-compile made, whose header is
 *          decode.h, and prints the seconds
 *   paged  the same for keys and values in pages, with PAGE_SIZE and paged.h
 *   pages  times one sum over the pages, head by head as the kernel reads them, and
 *          prints the bytes per second
 *   check  prints the largest difference to f64, of the last call
 *   copy   times one copy of half as many bytes as keys and values have, by all
 *          threads, and prints the bytes per second that it reads and writes
 *   read   times one sum over the keys and the values, by all threads, and prints the
 *          bytes per second
 *
 * Times are those of the clock on the wall, since several threads work. The keys of a
 * head are only as far from those of another as they must be, and every thread has
 * touched what it copies first.
 */
#include <math.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "decode.h"
#ifdef PAGE_SIZE
#include "paged.h"
#endif

#ifdef TYPE_bf16
typedef uint16_t elem;
typedef linalg_ext_buffer_4d_bf16 buffer;
#define describe linalg_ext_describe_4d_bf16
static elem from_float(float x) {
  uint32_t bits;
  memcpy(&bits, &x, 4);
  return (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16;
}
static float to_float(elem x) {
  uint32_t bits = (uint32_t)x << 16;
  float f;
  memcpy(&f, &bits, 4);
  return f;
}
#elif defined(TYPE_f16)
typedef uint16_t elem;
typedef linalg_ext_buffer_4d_f16 buffer;
#define describe linalg_ext_describe_4d_f16
static elem from_float(float x) {
  _Float16 half = x;
  elem bits;
  memcpy(&bits, &half, 2);
  return bits;
}
static float to_float(elem x) {
  _Float16 half;
  memcpy(&half, &x, 2);
  return half;
}
#else
typedef float elem;
typedef linalg_ext_buffer_4d_f32 buffer;
#define describe linalg_ext_describe_4d_f32
static elem from_float(float x) { return x; }
static float to_float(elem x) { return x; }
#endif

static long batch, heads, group, keys, dim;
static elem *q, *k, *v, *out;
static char *from, *to;
static size_t bytes;

static double now(void) {
  struct timespec t;
  clock_gettime(omp_get_max_threads() > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void *allocate(size_t size) {
  void *memory;
  if (posix_memalign(&memory, 64, size)) {
    perror("posix_memalign");
    exit(1);
  }
  return memory;
}

static elem *random_values(size_t count, float range, unsigned seed) {
  elem *values = allocate(count * sizeof(elem));
#pragma omp parallel for schedule(static)
  for (size_t block = 0; block < (count + 4095) / 4096; ++block) {
    unsigned state = seed * 2654435761u + block;
    for (size_t i = block * 4096; i < count && i < block * 4096 + 4096; ++i) {
      state = state * 1664525u + 1013904223u;
      values[i] = from_float(range * ((float)(state >> 8) / (1 << 23) - 1.0f));
    }
  }
  return values;
}

static void call(void) {
  buffer query = describe(q, batch, heads, group, dim);
  buffer key = describe(k, batch, heads, keys, dim);
  buffer value = describe(v, batch, heads, keys, dim);
  buffer result = describe(out, batch, heads, group, dim);
  _mlir_ciface_attention(&query, &key, &value, &result);
}

#ifdef PAGE_SIZE
static elem *k_pool, *v_pool;
static int32_t *k_table, *v_table;

/* Pages of `dense`, the i-th one where i * `stride` is in the pool, and their table. */
static elem *page(const elem *dense, long stride, int32_t **table) {
  long entries = keys / PAGE_SIZE, pages = batch * entries;
  elem *pool = allocate(batch * heads * keys * dim * sizeof(elem));
  *table = allocate(pages * sizeof **table);
  if (pages % stride == 0) /* the strides are prime numbers */
    stride = 1;
  for (long i = 0; i < pages; ++i) {
    long name = (*table)[i] = i * stride % pages, b = i / entries, first = i % entries * PAGE_SIZE;
    for (long row = 0; row < PAGE_SIZE; ++row)
      for (long h = 0; h < heads; ++h)
        memcpy(pool + (HEADS_FIRST ? (name * heads + h) * PAGE_SIZE + row
                                   : (name * PAGE_SIZE + row) * heads + h) * dim,
               dense + ((b * heads + h) * keys + first + row) * dim, dim * sizeof(elem));
  }
  return pool;
}

static void call_paged(void) {
  long entries = keys / PAGE_SIZE, pages = batch * entries;
  buffer query = describe(q, batch, heads, group, dim);
  long outer = HEADS_FIRST ? heads : PAGE_SIZE, inner = HEADS_FIRST ? PAGE_SIZE : heads;
  buffer key = describe(k_pool, pages, outer, inner, dim);
  buffer value = describe(v_pool, pages, outer, inner, dim);
  buffer result = describe(out, batch, heads, group, dim);
  linalg_ext_buffer_2d_i32 kt = linalg_ext_describe_2d_i32(k_table, batch, entries);
  linalg_ext_buffer_2d_i32 vt = linalg_ext_describe_2d_i32(v_table, batch, entries);
  _mlir_ciface_paged(&query, &key, &kt, &value, &vt, &result);
}
#endif

static double check(void) {
  double error = 0, *p = malloc(keys * sizeof *p);
  for (long head = 0; head < batch * heads; ++head)
    for (long row = 0; row < group; ++row) {
      const elem *qs = q + (head * group + row) * dim;
      double max = -1e30, sum = 0;
      for (long j = 0; j < keys; ++j) {
        const elem *ks = k + (head * keys + j) * dim;
        double score = 0;
        for (long d = 0; d < dim; ++d)
          score += (double)to_float(qs[d]) * to_float(ks[d]);
        p[j] = score / sqrt((double)dim);
        max = fmax(max, p[j]);
      }
      for (long j = 0; j < keys; ++j)
        sum += p[j] = exp(p[j] - max);
      for (long d = 0; d < dim; ++d) {
        double expected = 0;
        for (long j = 0; j < keys; ++j)
          expected += p[j] * to_float(v[(head * keys + j) * dim + d]);
        double difference =
            fabs(to_float(out[(head * group + row) * dim + d]) - expected / sum);
        if (!(difference <= error)) /* NaN too */
          error = difference;
      }
    }
  free(p);
  return error;
}

static double copy(void) {
  double start = now();
#pragma omp parallel
  {
    size_t part = bytes / omp_get_num_threads();
    size_t first = part * omp_get_thread_num();
    memcpy(to + first, from + first, part);
  }
  return 2.0 * bytes / (now() - start);
}

static double read_all(void) {
  typedef float vec __attribute__((vector_size(64)));
  const size_t count = batch * heads * keys * dim * sizeof(elem) / sizeof(vec);
  float total = 0;
  double start = now();
#pragma omp parallel reduction(+ : total)
  {
    vec a = {0}, b = a, c = a, d = a;
    size_t part = count / omp_get_num_threads();
    size_t first = part * omp_get_thread_num();
    for (int side = 0; side < 2; ++side) {
      const vec *values = (const vec *)(side ? v : k);
      for (size_t i = first; i + 4 <= first + part; i += 4)
        a += values[i], b += values[i + 1], c += values[i + 2], d += values[i + 3];
    }
    a += b + c + d;
    for (int lane = 0; lane < 16; ++lane)
      total += a[lane];
  }
  double seconds = now() - start;
  *(volatile float *)&total;
  return 2.0 * count * sizeof(vec) / seconds;
}

#ifdef PAGE_SIZE
/* What memory delivers in the order of the tables: each row is asked for while that of
 * the page before is summed. */
static double read_pages(void) {
  typedef float vec __attribute__((vector_size(64)));
  const long entries = keys / PAGE_SIZE, lines = dim * sizeof(elem) / sizeof(vec);
  const long step = HEADS_FIRST ? lines : heads * lines;
  float total = 0;
  double start = now();
#pragma omp parallel for reduction(+ : total) collapse(2)
  for (long b = 0; b < batch; ++b)
    for (long h = 0; h < heads; ++h) {
      vec sums[4] = {{0}};
      for (long i = 0; i < 2 * entries; ++i) {
        const vec *pages[2];
        for (long ahead = 0; ahead < 2; ++ahead) {
          long at = i + ahead < 2 * entries ? i + ahead : i, side = at >= entries;
          long name = (side ? v_table : k_table)[b * entries + at - side * entries];
          pages[ahead] = (const vec *)(side ? v_pool : k_pool) +
                         (name * heads * PAGE_SIZE + (HEADS_FIRST ? h * PAGE_SIZE : h)) * lines;
        }
        for (long row = 0; row < PAGE_SIZE; ++row)
          for (long line = 0; line < lines; ++line) {
            __builtin_prefetch(pages[1] + row * step + line);
            sums[line % 4] += pages[0][row * step + line];
          }
      }
      vec all = sums[0] + sums[1] + sums[2] + sums[3];
      for (int lane = 0; lane < 16; ++lane)
        total += all[lane];
    }
  double seconds = now() - start;
  *(volatile float *)&total;
  return 2.0 * batch * heads * keys * dim * sizeof(elem) / seconds;
}
#endif

int main(int argc, char **argv) {
  if (argc != 6)
    return 2;
  batch = atol(argv[1]), heads = atol(argv[2]), group = atol(argv[3]);
  keys = atol(argv[4]), dim = atol(argv[5]);
  size_t rows = (size_t)batch * heads * group, columns = (size_t)batch * heads * keys;
  q = random_values(rows * dim, 2, 1), out = random_values(rows * dim, 1, 2);
  k = random_values(columns * dim, 2, 3), v = random_values(columns * dim, 1, 4);
  bytes = columns * dim * sizeof(elem);
  from = allocate(bytes), to = allocate(bytes);
#pragma omp parallel
  {
    size_t part = bytes / omp_get_num_threads();
    size_t first = part * omp_get_thread_num();
    memset(from + first, 1, part);
    memset(to + first, 2, part);
  }
#ifdef PAGE_SIZE
  k_pool = page(k, 7919, &k_table), v_pool = page(v, 6007, &v_table);
  call_paged();
#endif
  call();
  char line[16];
  while (fgets(line, sizeof line, stdin)) {
    if (!strcmp(line, "run\n")) {
      double start = now();
      call();
      printf("%.9f\n", now() - start);
#ifdef PAGE_SIZE
    } else if (!strcmp(line, "paged\n")) {
      double start = now();
      call_paged();
      printf("%.9f\n", now() - start);
    } else if (!strcmp(line, "pages\n")) {
      printf("%.6e\n", read_pages());
#endif
    } else if (!strcmp(line, "check\n")) {
      printf("%.3e\n", check());
    } else if (!strcmp(line, "copy\n")) {
      printf("%.6e\n", copy());
    } else if (!strcmp(line, "read\n")) {
      printf("%.6e\n", read_all());
    }
    fflush(stdout);
  }
  return 0;
}
