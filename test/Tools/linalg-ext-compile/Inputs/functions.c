/* Calls the functions of functions.mlir. */
#include "functions.h"

#include <stdio.h>
#include <stdlib.h>

int main(void) {
  float data[] = {1, 2, 3, 4, 5, 6}, out[6];
  linalg_ext_buffer_2d_f32 a = linalg_ext_describe_2d_f32(data, 2, 3),
                           b = linalg_ext_describe_2d_f32(out, 2, 3);

  _mlir_ciface_scale(&a, 2, &b);
  printf("scale: %g %g %g %g %g %g\n", out[0], out[1], out[2], out[3], out[4], out[5]);

  linalg_ext_buffer_1d_f32 sums;
  _mlir_ciface_row_sums(&sums, &b);
  printf("row_sums: %g %g, %d of them\n", sums.aligned[0], sums.aligned[1],
         (int)sums.sizes[0]);
  free(sums.allocated);

  printf("length: %d\n", (int)_mlir_ciface_length(&a));

  both_results results;
  _mlir_ciface_both(&results, &a);
  printf("both: %d, %g %g\n", (int)results.result0, results.result1.aligned[0],
         results.result1.aligned[1]);
  free(results.result1.allocated);
  return 0;
}
