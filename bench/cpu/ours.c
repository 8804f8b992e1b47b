/* The kernel that linalg-ext-compile made, whose header is attention.h: of f32, or of
 * halves with -DBF16 or -DF16, which are then the values that all compute with. */
#include "attention.h"
#include "peer.h"

static const char *name(void) { return "ours"; }

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

static void widen(void) {
  for (long i = 0; i < heads * length * dim; ++i)
    out[i] = from_half(halves[3][i]);
}

static void prepare(void) {
  float *values[] = {q, k, v, out};
  for (int i = 0; i < 4; ++i)
    halves[i] = round_to_halves(values[i]);
  forget_peak();
  before_check = widen;
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
