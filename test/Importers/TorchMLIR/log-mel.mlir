// Features of speech, as Whisper computes them: powers of a spectrum in bands, their common
// logarithm, and what is more than 8 below the largest of all is raised to that.

// RUN: linalg-ext-check-program %s --sizes=-,33x150 --max-kernels=3

#id = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1) -> ()>

func.func @log_mel(%filters: tensor<20x33xf32> {check.draw = "uniform 0 1"}, %powers: tensor<33x?xf32> {check.draw = "uniform 0 1"}) -> tensor<20x?xf32> {
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %ninf = arith.constant 0xFF800000 : f32
  %least = arith.constant 1.0e-10 : f64
  %eight = arith.constant 8.0 : f64
  %four = arith.constant 4.0 : f64
  %n = tensor.dim %powers, %c1 : tensor<33x?xf32>
  %e = tensor.empty(%n) : tensor<20x?xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x?xf32>) -> tensor<20x?xf32>
  %mel = linalg.matmul ins(%filters, %powers : tensor<20x33xf32>, tensor<33x?xf32>) outs(%f : tensor<20x?xf32>) -> tensor<20x?xf32>
  %clamped = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%mel : tensor<20x?xf32>) outs(%e : tensor<20x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.truncf %least : f64 to f32
    %lt = arith.cmpf ult, %x, %t : f32
    %s = arith.select %lt, %t, %x : f32
    linalg.yield %s : f32
  } -> tensor<20x?xf32>
  %log = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%clamped : tensor<20x?xf32>) outs(%e : tensor<20x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %l = math.log10 %x : f32
    linalg.yield %l : f32
  } -> tensor<20x?xf32>
  %em = tensor.empty() : tensor<f32>
  %fm = linalg.fill ins(%ninf : f32) outs(%em : tensor<f32>) -> tensor<f32>
  %max = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction", "reduction"]} ins(%log : tensor<20x?xf32>) outs(%fm : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %m = arith.maximumf %x, %o : f32
    linalg.yield %m : f32
  } -> tensor<f32>
  %floor = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%max : tensor<f32>) outs(%em : tensor<f32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.truncf %eight : f64 to f32
    %d = arith.subf %x, %t : f32
    linalg.yield %d : f32
  } -> tensor<f32>
  %raised = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel", "parallel"]} ins(%log, %floor : tensor<20x?xf32>, tensor<f32>) outs(%e : tensor<20x?xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32):
    %m = arith.maximumf %x, %y : f32
    linalg.yield %m : f32
  } -> tensor<20x?xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%raised : tensor<20x?xf32>) outs(%e : tensor<20x?xf32>) {
  ^bb0(%x: f32, %o: f32):
    %t = arith.truncf %four : f64 to f32
    %a = arith.addf %x, %t : f32
    %d = arith.divf %a, %t : f32
    linalg.yield %d : f32
  } -> tensor<20x?xf32>
  return %scaled : tensor<20x?xf32>
}
