// A product of f16 matrices by mma.sync, by hand: the reference of bench/gpu/matmul.
//
// c[m, n] = sum over k of a[m, k] b[k, n], row-major, f32 sums, f16 result. Sizes are
// multiples of the tiles. 16-byte asynchronous copies into swizzled shared memory in
// STAGES buffers, ldmatrix of the next step's fragments ahead of the products, and
// workgroups in bands of GROUP rows of tiles.

#include <cuda_fp16.h>
#include <cstdint>

template <int BYTES> __device__ __forceinline__ void copy_async(uint32_t to, const void *from) {
  asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(BYTES));
}
__device__ __forceinline__ void ldmatrix(uint32_t (&r)[4], uint32_t at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}
__device__ __forceinline__ void ldmatrix_trans(uint32_t (&r)[4], uint32_t at) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(at));
}
__device__ __forceinline__ void mma(float (&c)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
               : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

// The byte of element (row, column) of a tile of COLUMNS columns, swizzled in units of 16 bytes.
template <int COLUMNS> __device__ __forceinline__ uint32_t place(int row, int column) {
  int unit = column / 8;
  if (COLUMNS == 32) // two rows in 128 bytes
    return row * 64 + ((unit ^ ((row >> 1) & 3)) << 4);
  return row * COLUMNS * 2 + (((unit & ~7) | ((unit ^ row) & 7)) << 4);
}

template <int BM, int BN, int BK, int STAGES, int WM, int WN, int GROUP>
__device__ __forceinline__ void matmul(const half *__restrict__ a, const half *__restrict__ b,
                                       half *__restrict__ c, int m, int n, int k) {
  constexpr int WARPS_N = BN / WN, THREADS = BM / WM * WARPS_N * 32;
  constexpr int A_BYTES = BM * BK * 2, B_BYTES = BK * BN * 2;
  extern __shared__ __align__(1024) char memory[];
  uint32_t as = static_cast<uint32_t>(__cvta_generic_to_shared(memory)), bs = as + STAGES * A_BYTES;
  int thread = threadIdx.x, lane = thread % 32, warp = thread / 32;
  int wm = warp / WARPS_N * WM, wn = warp % WARPS_N * WN;
  int tiles_m = m / BM, tiles_n = n / BN, band = GROUP * tiles_n;
  int first = blockIdx.x / band * GROUP, rows = min(GROUP, tiles_m - first);
  int tm = (first + blockIdx.x % band % rows) * BM, tn = blockIdx.x % band / rows * BN;

  // Rows that are multiples of 8 apart differ by a constant, also where they are swizzled.
  constexpr int A_ROWS = THREADS / (BK / 8), B_ROWS = THREADS / (BN / 8);
  static_assert(A_ROWS % 8 == 0 && B_ROWS % 8 == 0, "a copy moves whole swizzles on");
  int ar = thread / (BK / 8), ac = thread % (BK / 8) * 8, br = thread / (BN / 8), bc = thread % (BN / 8) * 8;
  const half *ap = a + (size_t)(tm + ar) * k + ac, *bp = b + (size_t)br * n + tn + bc;
  uint32_t to_a = as + place<BK>(ar, ac), to_b = bs + place<BN>(br, bc);
  size_t a_step = (size_t)A_ROWS * k, b_step = (size_t)B_ROWS * n;
  auto load = [&](int stage) {
    const half *from = ap;
#pragma unroll
    for (int i = 0; i < BM / A_ROWS; ++i, from += a_step)
      copy_async<16>(to_a + stage * A_BYTES + i * A_ROWS * BK * 2, from);
    ap += BK;
#pragma unroll
    for (int i = 0; i < BK / B_ROWS; ++i, bp += b_step)
      copy_async<16>(to_b + stage * B_BYTES + i * B_ROWS * BN * 2, bp);
  };

  float sum[WM / 16][WN / 8][4] = {};
  uint32_t fa[2][WM / 16][4], fb[2][WN / 16][4];
  uint32_t at_a = as + place<BK>(wm + lane % 16, lane / 16 * 8), at_b = bs + place<BN>(lane % 16, wn + lane / 16 * 8);
  auto fetch = [&](int stage, int step, int which) {
#pragma unroll
    for (int i = 0; i < WM / 16; ++i)
      ldmatrix(fa[which][i], (at_a ^ (step << 5)) + stage * A_BYTES + i * 16 * BK * 2);
#pragma unroll
    for (int j = 0; j < WN / 16; ++j)
      ldmatrix_trans(fb[which][j], (at_b ^ (j % 4 << 5)) + stage * B_BYTES + step * 16 * BN * 2 + j / 4 * 128);
  };

  int tiles = k / BK;
#pragma unroll
  for (int s = 0; s < STAGES - 1; ++s) {
    if (s < tiles)
      load(s);
    asm volatile("cp.async.commit_group;");
  }
  asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
  __syncthreads();
  int read = 0, write = STAGES - 1;
  fetch(0, 0, 0);
#pragma unroll 1
  for (int tile = 0; tile < tiles; ++tile) {
#pragma unroll
    for (int step = 0; step < BK / 16; ++step) {
      if (step == BK / 16 - 1) {
        asm volatile("cp.async.wait_group %0;" ::"n"(STAGES - 2));
        __syncthreads();
        read = read + 1 == STAGES ? 0 : read + 1;
      }
      fetch(read, (step + 1) % (BK / 16), (step + 1) % 2);
      if (step == 0) {
        if (tile + STAGES - 1 < tiles)
          load(write);
        asm volatile("cp.async.commit_group;");
        write = write + 1 == STAGES ? 0 : write + 1;
      }
#pragma unroll
      for (int i = 0; i < WM / 16; ++i)
#pragma unroll
        for (int j = 0; j < WN / 8; ++j) {
          int serpentine = i % 2 ? WN / 8 - 1 - j : j;
          mma(sum[i][serpentine], fa[step % 2][i], fb[step % 2][serpentine / 2][serpentine % 2 * 2],
              fb[step % 2][serpentine / 2][serpentine % 2 * 2 + 1]);
        }
    }
  }
#pragma unroll
  for (int i = 0; i < WM / 16; ++i)
#pragma unroll
    for (int j = 0; j < WN / 8; ++j)
#pragma unroll
      for (int h = 0; h < 2; ++h) {
        size_t row = tm + wm + i * 16 + lane / 4 + h * 8, column = tn + wn + j * 8 + lane % 4 * 2;
        *reinterpret_cast<half2 *>(c + row * n + column) = __floats2half2_rn(sum[i][j][2 * h], sum[i][j][2 * h + 1]);
      }
}

#define KERNEL(NAME, BM, BN, BK, STAGES, WM, WN, GROUP, BLOCKS)                                                   \
  extern "C" __global__ void __launch_bounds__(BM / WM *BN / WN * 32, BLOCKS)                                     \
      NAME(const half *a, const half *b, half *c, int m, int n, int k) {                                          \
    matmul<BM, BN, BK, STAGES, WM, WN, GROUP>(a, b, c, m, n, k);                                                  \
  }
KERNEL(matmul_128x256x32x4, 128, 256, 32, 4, 64, 64, 8, 1)
KERNEL(matmul_128x256x64x3, 128, 256, 64, 3, 64, 64, 8, 1)
KERNEL(matmul_128x256x64x4, 128, 256, 64, 4, 64, 64, 8, 1)
KERNEL(matmul_256x128x64x3, 256, 128, 64, 3, 64, 64, 8, 1)
KERNEL(matmul_128x128x32x4, 128, 128, 32, 4, 64, 64, 8, 2)
KERNEL(matmul_128x128x64x3, 128, 128, 64, 3, 64, 64, 8, 2)
