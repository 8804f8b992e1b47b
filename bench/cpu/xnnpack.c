/* Attention of XNNPACK, whose operator was removed after April 2025: the last commit that
 * has it is 37966fa. It has no causal attention but takes a mask. */
#include "peer.h"
#include <pthreadpool.h>
#include <xnnpack.h>

static const char *name(void) { return "XNNPACK"; }

static xnn_operator_t attention;
static pthreadpool_t threads;

static void expect(enum xnn_status status, const char *what) {
  if (status != xnn_status_success) {
    fprintf(stderr, "xnnpack: %s: status %d\n", what, status);
    exit(1);
  }
}

static void call(void) { expect(xnn_run_operator(attention, threads), "run"); }

static void prepare(void) {
  size_t bytes, alignment;
  float *scale = allocate(dim), *mask = allocate(length * length);
  for (long d = 0; d < dim; ++d)
    scale[d] = 1.0f / sqrtf((float)dim);
  for (long i = 0; i < length; ++i)
    for (long j = 0; j < length; ++j)
      mask[i * length + j] = causal && j > i ? -INFINITY : 0.0f;
  threads = omp_get_max_threads() > 1 ? pthreadpool_create(omp_get_max_threads()) : NULL;
  expect(xnn_initialize(NULL), "initialize");
  expect(xnn_create_scaled_dot_product_attention_nhtc_f32(xnn_attention_logits_cap_type_none,
                                                          NULL, 0, &attention),
         "create");
  expect(xnn_reshape_scaled_dot_product_attention_nhtc_f32(attention, 1, heads, length, heads,
                                                           length, dim, dim, &bytes,
                                                           &alignment, threads),
         "reshape");
  /* It may read a few bytes beyond. */
  void *workspace = allocate(bytes / sizeof(float) + 64);
  expect(xnn_setup_scaled_dot_product_attention_nhtc_f32(attention, workspace, q, k, v, scale,
                                                         mask, out),
         "set up");
}
