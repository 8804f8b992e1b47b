#include "Support/Fusion.h"
#include <cstdio>
using namespace mlir; using namespace linalg_ext_test; using namespace mlir::linalg_ext;
int main(){
  auto ctx = makeFusionContext(); Executor ex(ctx.get());
  AttentionSpec s; s.sizes={{'m',8},{'n',20},{'d',4},{'e',3}};
  for (auto form: {NormalizationForm::Eager, NormalizationForm::Delayed}){
  AttentionGraph g=buildAttention(ctx.get(), s);
  oracle::Random r(1); auto in=g.randomInputs(r);
  TileAndFuseOptions o; o.levels={makeLevel(g,{{'m',3},{'n',6}})}; o.normalization=form;
  auto out=fuseAndRun(g,o,in,ex);
  printf("%s\n%s\n%s\n%s ratio %g loose %g allocs %ld\n", getName(out.stage), out.reason.c_str(), out.plan.c_str(), out.fused.c_str(), out.worstRatio, out.looseness, out.execution.numAllocations);
  }
}
