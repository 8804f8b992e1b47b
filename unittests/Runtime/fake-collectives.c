/* A stand-in for a library of collective operations: writes down what it is called with.
 * FAKE_COLLECTIVES_ERROR is why it cannot be used. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int64_t fakeCollective[32];
static int64_t stream;

const char *linalg_ext_nccl_error(void) {
  return getenv("FAKE_COLLECTIVES_ERROR");
}
void linalg_ext_nccl_set_stream(void *value) { stream = (int64_t)value; }

/* The process whose index is the sum of the shape of the grid. */
int64_t linalg_ext_mpi_process_index(int64_t rank, const int64_t *grid) {
  int64_t sum = 0;
  for (int64_t i = 0; i < grid[3]; ++i)
    sum += ((const int64_t *)grid[1])[i];
  return rank == 1 ? sum : -1;
}

void linalg_ext_mpi_all_gather_f32(int64_t partRank, const int64_t *part,
                                   int64_t wholeRank, const int64_t *whole,
                                   int64_t gridRank, const int64_t *grid,
                                   int64_t axes, int64_t dim) {
  int64_t values[] = {partRank,  part[1],  part[2],  part[3],  part[4],
                      part[5],   part[6],  wholeRank, whole[1], whole[3],
                      gridRank,  grid[3],  ((const int64_t *)grid[1])[0],
                      ((const int64_t *)grid[1])[1], axes, dim, stream};
  memcpy(fakeCollective, values, sizeof(values));
}
