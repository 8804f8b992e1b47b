module {
  llvm.func @free(!llvm.ptr)
  llvm.func @malloc(i64) -> !llvm.ptr
  llvm.func @flux_joint(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: i64, %arg3: i64, %arg4: i64, %arg5: i64, %arg6: i64, %arg7: i64, %arg8: i64, %arg9: !llvm.ptr, %arg10: !llvm.ptr, %arg11: i64, %arg12: i64, %arg13: i64, %arg14: !llvm.ptr, %arg15: !llvm.ptr, %arg16: i64, %arg17: i64, %arg18: i64, %arg19: i64, %arg20: i64, %arg21: i64, %arg22: i64, %arg23: !llvm.ptr, %arg24: !llvm.ptr, %arg25: i64, %arg26: i64, %arg27: i64, %arg28: !llvm.ptr, %arg29: !llvm.ptr, %arg30: i64, %arg31: i64, %arg32: i64, %arg33: i64, %arg34: i64, %arg35: i64, %arg36: i64, %arg37: !llvm.ptr, %arg38: !llvm.ptr, %arg39: i64, %arg40: i64, %arg41: i64, %arg42: i64, %arg43: i64, %arg44: i64, %arg45: i64, %arg46: !llvm.ptr, %arg47: !llvm.ptr, %arg48: i64, %arg49: i64, %arg50: i64, %arg51: !llvm.ptr, %arg52: !llvm.ptr, %arg53: i64, %arg54: i64, %arg55: i64, %arg56: i64, %arg57: i64, %arg58: i64, %arg59: i64, %arg60: !llvm.ptr, %arg61: !llvm.ptr, %arg62: i64, %arg63: i64, %arg64: i64, %arg65: !llvm.ptr, %arg66: !llvm.ptr, %arg67: i64, %arg68: i64, %arg69: i64, %arg70: i64, %arg71: i64, %arg72: i64, %arg73: i64, %arg74: !llvm.ptr, %arg75: !llvm.ptr, %arg76: i64, %arg77: i64, %arg78: i64, %arg79: i64, %arg80: i64, %arg81: !llvm.ptr, %arg82: !llvm.ptr, %arg83: i64, %arg84: i64, %arg85: i64, %arg86: i64, %arg87: i64) -> !llvm.struct<(struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>, struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>)> attributes {llvm.emit_c_interface, target_cpu = "emeraldrapids", target_features = #llvm.target_features<["+64bit", "+adx", "+aes", "+avx", "+avx2", "+avx512bf16", "+avx512bitalg", "+avx512bw", "+avx512cd", "+avx512dq", "+avx512f", "+avx512fp16", "+avx512ifma", "+avx512vbmi", "+avx512vbmi2", "+avx512vl", "+avx512vnni", "+avx512vpopcntdq", "+avxvnni", "+bmi", "+bmi2", "+cldemote", "+clflushopt", "+clwb", "+cmov", "+crc32", "+cx16", "+cx8", "+f16c", "+fma", "+fsgsbase", "+fxsr", "+gfni", "+invpcid", "+lzcnt", "+mmx", "+movbe", "+movdir64b", "+movdiri", "+pclmul", "+popcnt", "+prfchw", "+rdpid", "+rdrnd", "+rdseed", "+rtm", "+sahf", "+serialize", "+sha", "+sse", "+sse2", "+sse3", "+sse4.1", "+sse4.2", "+ssse3", "+tsxldtrk", "+vaes", "+vpclmulqdq", "+xsave", "+xsavec", "+xsaveopt", "+xsaves", "-amx-avx512", "-amx-bf16", "-amx-complex", "-amx-fp16", "-amx-fp8", "-amx-int8", "-amx-movrs", "-amx-tf32", "-amx-tile", "-avx10.1", "-avx10.2", "-avx512vp2intersect", "-avxifma", "-avxneconvert", "-avxvnniint16", "-avxvnniint8", "-ccmp", "-cf", "-clzero", "-cmpccxadd", "-egpr", "-enqcmd", "-fma4", "-hreset", "-kl", "-lwp", "-movrs", "-mwaitx", "-ndd", "-nf", "-pconfig", "-pku", "-ppx", "-prefetchi", "-ptwrite", "-push2pop2", "-raoint", "-rdpru", "-sgx", "-sha512", "-shstk", "-sm3", "-sm4", "-sse4a", "-tbm", "-uintr", "-usermsr", "-waitpkg", "-wbnoinvd", "-widekl", "-xop", "-zu"]>} {
    %0 = llvm.mlir.poison : !llvm.struct<(struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>, struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>)>
    %1 = llvm.mlir.constant(1218 : index) : i64
    %2 = llvm.mlir.constant(464 : index) : i64
    %3 = llvm.mlir.constant(232 : index) : i64
    %4 = llvm.mlir.poison : vector<16xf32>
    %5 = llvm.mlir.constant(31 : i64) : i64
    %6 = llvm.mlir.constant(30 : i64) : i64
    %7 = llvm.mlir.constant(29 : i64) : i64
    %8 = llvm.mlir.constant(28 : i64) : i64
    %9 = llvm.mlir.constant(27 : i64) : i64
    %10 = llvm.mlir.constant(26 : i64) : i64
    %11 = llvm.mlir.constant(25 : i64) : i64
    %12 = llvm.mlir.constant(24 : i64) : i64
    %13 = llvm.mlir.constant(23 : i64) : i64
    %14 = llvm.mlir.constant(22 : i64) : i64
    %15 = llvm.mlir.constant(21 : i64) : i64
    %16 = llvm.mlir.constant(20 : i64) : i64
    %17 = llvm.mlir.constant(19 : i64) : i64
    %18 = llvm.mlir.constant(18 : i64) : i64
    %19 = llvm.mlir.constant(17 : i64) : i64
    %20 = llvm.mlir.constant(16 : i64) : i64
    %21 = llvm.mlir.constant(15 : i64) : i64
    %22 = llvm.mlir.constant(14 : i64) : i64
    %23 = llvm.mlir.constant(13 : i64) : i64
    %24 = llvm.mlir.constant(12 : i64) : i64
    %25 = llvm.mlir.constant(11 : i64) : i64
    %26 = llvm.mlir.constant(10 : i64) : i64
    %27 = llvm.mlir.constant(9 : i64) : i64
    %28 = llvm.mlir.constant(8 : i64) : i64
    %29 = llvm.mlir.constant(7 : i64) : i64
    %30 = llvm.mlir.constant(6 : i64) : i64
    %31 = llvm.mlir.constant(5 : i64) : i64
    %32 = llvm.mlir.constant(4 : i64) : i64
    %33 = llvm.mlir.constant(3 : i64) : i64
    %34 = llvm.mlir.constant(2 : i64) : i64
    %35 = llvm.mlir.constant(1 : i64) : i64
    %36 = llvm.mlir.constant(0 : i64) : i64
    %37 = llvm.mlir.poison : vector<32xf16>
    %38 = llvm.mlir.constant(1.000000e+00 : f32) : f32
    %39 = llvm.mlir.constant(546 : index) : i64
    %40 = llvm.mlir.constant(208 : index) : i64
    %41 = llvm.mlir.constant(104 : index) : i64
    %42 = llvm.mlir.constant(64 : index) : i64
    %43 = llvm.mlir.zero : !llvm.ptr
    %44 = llvm.mlir.constant(672 : index) : i64
    %45 = llvm.mlir.constant(58 : index) : i64
    %46 = llvm.mlir.constant(928 : index) : i64
    %47 = llvm.mlir.poison : vector<2xf32>
    %48 = llvm.mlir.constant(dense<1.000000e+00> : vector<2xf32>) : vector<2xf32>
    %49 = llvm.mlir.constant(416 : index) : i64
    %50 = llvm.mlir.constant(768 : index) : i64
    %51 = llvm.mlir.constant(384 : index) : i64
    %52 = llvm.mlir.constant(1 : index) : i64
    %53 = llvm.mlir.constant(2 : index) : i64
    %54 = llvm.mlir.constant(0 : index) : i64
    %55 = llvm.mlir.constant(0xFF800000 : f32) : f32
    %56 = llvm.mlir.constant(0.000000e+00 : f32) : f32
    %57 = llvm.mlir.constant(1.600000e+01 : f32) : f32
    %58 = llvm.mlir.constant(9.99999997E-7 : f32) : f32
    %59 = llvm.mlir.constant(13 : index) : i64
    %60 = llvm.mlir.constant(8 : index) : i64
    %61 = llvm.mlir.constant(dense<0.000000e+00> : vector<2xf32>) : vector<2xf32>
    %62 = llvm.mlir.constant(29 : index) : i64
    %63 = llvm.mlir.constant(16 : index) : i64
    %64 = llvm.mlir.constant(12 : index) : i64
    %65 = llvm.mlir.constant(4 : index) : i64
    %66 = llvm.mlir.constant(3 : index) : i64
    %67 = llvm.mlir.constant(5 : index) : i64
    %68 = llvm.mlir.constant(6 : index) : i64
    %69 = llvm.mlir.constant(7 : index) : i64
    %70 = llvm.mlir.constant(9 : index) : i64
    %71 = llvm.mlir.constant(10 : index) : i64
    %72 = llvm.mlir.constant(11 : index) : i64
    %73 = llvm.mlir.constant(14 : index) : i64
    %74 = llvm.mlir.constant(15 : index) : i64
    %75 = llvm.mlir.constant(17 : index) : i64
    %76 = llvm.mlir.constant(18 : index) : i64
    %77 = llvm.mlir.constant(19 : index) : i64
    %78 = llvm.mlir.constant(20 : index) : i64
    %79 = llvm.mlir.constant(21 : index) : i64
    %80 = llvm.mlir.constant(22 : index) : i64
    %81 = llvm.mlir.constant(23 : index) : i64
    %82 = llvm.mlir.constant(24 : index) : i64
    %83 = llvm.mlir.constant(25 : index) : i64
    %84 = llvm.mlir.constant(26 : index) : i64
    %85 = llvm.mlir.constant(27 : index) : i64
    %86 = llvm.mlir.constant(28 : index) : i64
    %87 = llvm.mlir.constant(32 : index) : i64
    %88 = llvm.mlir.constant(42 : index) : i64
    %89 = llvm.mlir.constant(dense<0.000000e+00> : vector<32xf16>) : vector<32xf16>
    %90 = llvm.mlir.constant(dense<0xFF800000> : vector<16xf32>) : vector<16xf32>
    %91 = llvm.mlir.constant(dense<-0.000000e+00> : vector<16xf32>) : vector<16xf32>
    %92 = llvm.mlir.constant(dense<0x7FC00000> : vector<16xf32>) : vector<16xf32>
    %93 = llvm.mlir.constant(dense<0.000000e+00> : vector<16xf16>) : vector<16xf16>
    %94 = llvm.mlir.constant(dense<0.000000e+00> : vector<16xf32>) : vector<16xf32>
    %95 = llvm.mlir.constant(dense<1.600000e+01> : vector<2xf32>) : vector<2xf32>
    %96 = llvm.mlir.constant(dense<9.99999997E-7> : vector<2xf32>) : vector<2xf32>
    %97 = llvm.mlir.constant(30 : index) : i64
    %98 = llvm.mlir.constant(31 : index) : i64
    %99 = llvm.mlir.constant(33 : index) : i64
    %100 = llvm.mlir.constant(34 : index) : i64
    %101 = llvm.mlir.constant(35 : index) : i64
    %102 = llvm.mlir.constant(36 : index) : i64
    %103 = llvm.mlir.constant(37 : index) : i64
    %104 = llvm.mlir.constant(38 : index) : i64
    %105 = llvm.mlir.constant(39 : index) : i64
    %106 = llvm.mlir.constant(40 : index) : i64
    %107 = llvm.mlir.constant(41 : index) : i64
    %108 = llvm.mlir.constant(dense<2.500000e-01> : vector<32xf16>) : vector<32xf16>
    %109 = llvm.mlir.constant(dense<1.000000e+00> : vector<16xf32>) : vector<16xf32>
    %110 = llvm.mlir.constant(dense<1.44269502> : vector<16xf32>) : vector<16xf32>
    %111 = llvm.mlir.constant(0 : i32) : i32
    %112 = llvm.mlir.constant(-1 : i16) : i16
    %113 = llvm.mlir.constant(4 : i32) : i32
    %114 = llvm.mlir.constant(dense<1.56263923E-4> : vector<16xf32>) : vector<16xf32>
    %115 = llvm.mlir.constant(dense<0.00134247041> : vector<16xf32>) : vector<16xf32>
    %116 = llvm.mlir.constant(dense<0.0096175475> : vector<16xf32>) : vector<16xf32>
    %117 = llvm.mlir.constant(dense<0.0555025786> : vector<16xf32>) : vector<16xf32>
    %118 = llvm.mlir.constant(dense<0.240226537> : vector<16xf32>) : vector<16xf32>
    %119 = llvm.mlir.constant(dense<0.693147242> : vector<16xf32>) : vector<16xf32>
    %120 = llvm.mlir.constant(48 : index) : i64
    %121 = llvm.mlir.constant(96 : index) : i64
    %122 = llvm.mlir.constant(144 : index) : i64
    %123 = llvm.mlir.constant(192 : index) : i64
    %124 = llvm.mlir.constant(240 : index) : i64
    %125 = llvm.mlir.constant(288 : index) : i64
    %126 = llvm.mlir.constant(336 : index) : i64
    %127 = llvm.mlir.constant(dense<[true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false, false]> : vector<32xi1>) : vector<32xi1>
    %128 = llvm.mlir.constant(dense<[true, true, true, true, true, true, true, true, true, true, false, false, false, false, false, false]> : vector<16xi1>) : vector<16xi1>
    %129 = llvm.mlir.constant(dense<[true, true, true, true, true, true, true, true, true, true, true, true, true, false, false, false]> : vector<16xi1>) : vector<16xi1>
    %130 = llvm.mlir.poison : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>
    %131 = llvm.alloca %51 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %132 = llvm.alloca %50 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %133 = llvm.alloca %51 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %134 = llvm.alloca %50 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %135 = llvm.alloca %49 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %136 = llvm.alloca %49 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb1(%54 : i64)
  ^bb1(%137: i64):  // 2 preds: ^bb0, ^bb8
    %138 = llvm.icmp "slt" %137, %59 : i64
    llvm.cond_br %138, ^bb2, ^bb9
  ^bb2:  // pred: ^bb1
    llvm.br ^bb3(%54 : i64)
  ^bb3(%139: i64):  // 2 preds: ^bb2, ^bb7
    %140 = llvm.icmp "slt" %139, %53 : i64
    llvm.cond_br %140, ^bb4, ^bb8
  ^bb4:  // pred: ^bb3
    llvm.br ^bb5(%54 : i64)
  ^bb5(%141: i64):  // 2 preds: ^bb4, ^bb6
    %142 = llvm.icmp "slt" %141, %60 : i64
    llvm.cond_br %142, ^bb6, ^bb7
  ^bb6:  // pred: ^bb5
    %143 = llvm.mul %54, %49 : i64
    %144 = llvm.mul %137, %87 : i64
    %145 = llvm.add %143, %144 : i64
    %146 = llvm.mul %139, %63 : i64
    %147 = llvm.add %145, %146 : i64
    %148 = llvm.mul %141, %53 : i64
    %149 = llvm.add %147, %148 : i64
    %150 = llvm.add %149, %54 : i64
    %151 = llvm.getelementptr %arg1[%150] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %152 = llvm.load %151 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %153 = llvm.fpext %152 : vector<2xf16> to vector<2xf32>
    %154 = llvm.getelementptr %136[%150] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %153, %154 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %155 = llvm.add %141, %52 : i64
    llvm.br ^bb5(%155 : i64)
  ^bb7:  // pred: ^bb5
    %156 = llvm.add %139, %52 : i64
    llvm.br ^bb3(%156 : i64)
  ^bb8:  // pred: ^bb3
    %157 = llvm.add %137, %52 : i64
    llvm.br ^bb1(%157 : i64)
  ^bb9:  // pred: ^bb1
    %158 = llvm.alloca %63 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %159 = llvm.alloca %49 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %160 = llvm.alloca %63 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb10(%54 : i64)
  ^bb10(%161: i64):  // 2 preds: ^bb9, ^bb11
    %162 = llvm.icmp "slt" %161, %60 : i64
    llvm.cond_br %162, ^bb11, ^bb12
  ^bb11:  // pred: ^bb10
    %163 = llvm.mul %161, %53 : i64
    %164 = llvm.add %163, %54 : i64
    %165 = llvm.getelementptr %arg24[%164] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %166 = llvm.load %165 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %167 = llvm.fpext %166 : vector<2xf16> to vector<2xf32>
    %168 = llvm.getelementptr %160[%164] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %167, %168 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %169 = llvm.add %161, %52 : i64
    llvm.br ^bb10(%169 : i64)
  ^bb12:  // pred: ^bb10
    llvm.br ^bb13(%54 : i64)
  ^bb13(%170: i64):  // 2 preds: ^bb12, ^bb20
    %171 = llvm.icmp "slt" %170, %59 : i64
    llvm.cond_br %171, ^bb14, ^bb21
  ^bb14:  // pred: ^bb13
    llvm.br ^bb15(%54 : i64)
  ^bb15(%172: i64):  // 2 preds: ^bb14, ^bb19
    %173 = llvm.icmp "slt" %172, %53 : i64
    llvm.cond_br %173, ^bb16, ^bb20
  ^bb16:  // pred: ^bb15
    llvm.br ^bb17(%54 : i64)
  ^bb17(%174: i64):  // 2 preds: ^bb16, ^bb18
    %175 = llvm.icmp "slt" %174, %60 : i64
    llvm.cond_br %175, ^bb18, ^bb19
  ^bb18:  // pred: ^bb17
    %176 = llvm.mul %54, %49 : i64
    %177 = llvm.mul %170, %87 : i64
    %178 = llvm.add %176, %177 : i64
    %179 = llvm.mul %172, %63 : i64
    %180 = llvm.add %178, %179 : i64
    %181 = llvm.mul %174, %53 : i64
    %182 = llvm.add %180, %181 : i64
    %183 = llvm.add %182, %54 : i64
    %184 = llvm.getelementptr %arg15[%183] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %185 = llvm.load %184 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %186 = llvm.fpext %185 : vector<2xf16> to vector<2xf32>
    %187 = llvm.getelementptr %135[%183] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %186, %187 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %188 = llvm.add %174, %52 : i64
    llvm.br ^bb17(%188 : i64)
  ^bb19:  // pred: ^bb17
    %189 = llvm.add %172, %52 : i64
    llvm.br ^bb15(%189 : i64)
  ^bb20:  // pred: ^bb15
    %190 = llvm.add %170, %52 : i64
    llvm.br ^bb13(%190 : i64)
  ^bb21:  // pred: ^bb13
    %191 = llvm.alloca %84 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb22(%54 : i64)
  ^bb22(%192: i64):  // 2 preds: ^bb21, ^bb26
    %193 = llvm.icmp "slt" %192, %59 : i64
    llvm.cond_br %193, ^bb23, ^bb27
  ^bb23:  // pred: ^bb22
    llvm.br ^bb24(%54, %61, %61 : i64, vector<2xf32>, vector<2xf32>)
  ^bb24(%194: i64, %195: vector<2xf32>, %196: vector<2xf32>):  // 2 preds: ^bb23, ^bb25
    %197 = llvm.icmp "slt" %194, %60 : i64
    llvm.cond_br %197, ^bb25, ^bb26
  ^bb25:  // pred: ^bb24
    %198 = llvm.mul %54, %49 : i64
    %199 = llvm.mul %192, %87 : i64
    %200 = llvm.add %198, %199 : i64
    %201 = llvm.mul %54, %63 : i64
    %202 = llvm.add %200, %201 : i64
    %203 = llvm.mul %194, %53 : i64
    %204 = llvm.add %202, %203 : i64
    %205 = llvm.add %204, %54 : i64
    %206 = llvm.getelementptr %135[%205] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %207 = llvm.load %206 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %208 = llvm.intr.fmuladd(%207, %207, %195) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %209 = llvm.mul %52, %63 : i64
    %210 = llvm.add %200, %209 : i64
    %211 = llvm.add %210, %203 : i64
    %212 = llvm.add %211, %54 : i64
    %213 = llvm.getelementptr %135[%212] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %214 = llvm.load %213 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %215 = llvm.intr.fmuladd(%214, %214, %196) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %216 = llvm.add %194, %52 : i64
    llvm.br ^bb24(%216, %208, %215 : i64, vector<2xf32>, vector<2xf32>)
  ^bb26:  // pred: ^bb24
    %217 = "llvm.intr.vector.reduce.fadd"(%56, %195) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %218 = llvm.fadd %217, %56 : f32
    %219 = llvm.mul %54, %84 overflow<nsw, nuw> : i64
    %220 = llvm.mul %192, %53 overflow<nsw, nuw> : i64
    %221 = llvm.add %219, %220 overflow<nsw, nuw> : i64
    %222 = llvm.add %221, %54 overflow<nsw, nuw> : i64
    %223 = llvm.getelementptr inbounds|nuw %191[%222] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %218, %223 : f32, !llvm.ptr
    %224 = "llvm.intr.vector.reduce.fadd"(%56, %196) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %225 = llvm.fadd %224, %56 : f32
    %226 = llvm.add %221, %52 overflow<nsw, nuw> : i64
    %227 = llvm.getelementptr inbounds|nuw %191[%226] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %225, %227 : f32, !llvm.ptr
    %228 = llvm.add %192, %52 : i64
    llvm.br ^bb22(%228 : i64)
  ^bb27:  // pred: ^bb22
    llvm.br ^bb28(%54 : i64)
  ^bb28(%229: i64):  // 2 preds: ^bb27, ^bb29
    %230 = llvm.icmp "slt" %229, %59 : i64
    llvm.cond_br %230, ^bb29, ^bb30
  ^bb29:  // pred: ^bb28
    %231 = llvm.mul %54, %84 : i64
    %232 = llvm.mul %229, %53 : i64
    %233 = llvm.add %231, %232 : i64
    %234 = llvm.add %233, %54 : i64
    %235 = llvm.getelementptr %191[%234] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %236 = llvm.load %235 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %237 = llvm.fdiv %236, %95 : vector<2xf32>
    %238 = llvm.fadd %237, %96 : vector<2xf32>
    %239 = llvm.intr.sqrt(%238) : (vector<2xf32>) -> vector<2xf32>
    %240 = llvm.fdiv %48, %239 : vector<2xf32>
    llvm.store %240, %235 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %241 = llvm.add %229, %52 : i64
    llvm.br ^bb28(%241 : i64)
  ^bb30:  // pred: ^bb28
    llvm.br ^bb31(%54 : i64)
  ^bb31(%242: i64):  // 2 preds: ^bb30, ^bb38
    %243 = llvm.icmp "slt" %242, %59 : i64
    llvm.cond_br %243, ^bb32, ^bb39
  ^bb32:  // pred: ^bb31
    llvm.br ^bb33(%54 : i64)
  ^bb33(%244: i64):  // 2 preds: ^bb32, ^bb37
    %245 = llvm.icmp "slt" %244, %60 : i64
    llvm.cond_br %245, ^bb34, ^bb38
  ^bb34:  // pred: ^bb33
    %246 = llvm.mul %244, %53 : i64
    %247 = llvm.add %246, %54 : i64
    %248 = llvm.getelementptr %160[%247] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %249 = llvm.load %248 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    llvm.br ^bb35(%54 : i64)
  ^bb35(%250: i64):  // 2 preds: ^bb34, ^bb36
    %251 = llvm.icmp "slt" %250, %53 : i64
    llvm.cond_br %251, ^bb36, ^bb37
  ^bb36:  // pred: ^bb35
    %252 = llvm.mul %54, %49 : i64
    %253 = llvm.mul %242, %87 : i64
    %254 = llvm.add %252, %253 : i64
    %255 = llvm.mul %250, %63 : i64
    %256 = llvm.add %254, %255 : i64
    %257 = llvm.add %256, %246 : i64
    %258 = llvm.add %257, %54 : i64
    %259 = llvm.getelementptr %135[%258] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %260 = llvm.load %259 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %261 = llvm.mul %54, %84 overflow<nsw, nuw> : i64
    %262 = llvm.mul %242, %53 overflow<nsw, nuw> : i64
    %263 = llvm.add %261, %262 overflow<nsw, nuw> : i64
    %264 = llvm.add %263, %250 overflow<nsw, nuw> : i64
    %265 = llvm.getelementptr inbounds|nuw %191[%264] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %266 = llvm.load %265 : !llvm.ptr -> f32
    %267 = llvm.insertelement %266, %47[%111 : i32] : vector<2xf32>
    %268 = llvm.shufflevector %267, %47 [0, 0] : vector<2xf32> 
    %269 = llvm.fmul %260, %268 : vector<2xf32>
    %270 = llvm.fmul %269, %249 : vector<2xf32>
    %271 = llvm.fptrunc %270 : vector<2xf32> to vector<2xf16>
    %272 = llvm.getelementptr %159[%258] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %271, %272 {alignment = 2 : i64} : vector<2xf16>, !llvm.ptr
    %273 = llvm.add %250, %52 : i64
    llvm.br ^bb35(%273 : i64)
  ^bb37:  // pred: ^bb35
    %274 = llvm.add %244, %52 : i64
    llvm.br ^bb33(%274 : i64)
  ^bb38:  // pred: ^bb33
    %275 = llvm.add %242, %52 : i64
    llvm.br ^bb31(%275 : i64)
  ^bb39:  // pred: ^bb31
    %276 = llvm.alloca %46 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %277 = llvm.alloca %46 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb40(%54 : i64)
  ^bb40(%278: i64):  // 2 preds: ^bb39, ^bb47
    %279 = llvm.icmp "slt" %278, %62 : i64
    llvm.cond_br %279, ^bb41, ^bb48
  ^bb41:  // pred: ^bb40
    llvm.br ^bb42(%54 : i64)
  ^bb42(%280: i64):  // 2 preds: ^bb41, ^bb46
    %281 = llvm.icmp "slt" %280, %53 : i64
    llvm.cond_br %281, ^bb43, ^bb47
  ^bb43:  // pred: ^bb42
    llvm.br ^bb44(%54 : i64)
  ^bb44(%282: i64):  // 2 preds: ^bb43, ^bb45
    %283 = llvm.icmp "slt" %282, %60 : i64
    llvm.cond_br %283, ^bb45, ^bb46
  ^bb45:  // pred: ^bb44
    %284 = llvm.mul %54, %46 : i64
    %285 = llvm.mul %278, %87 : i64
    %286 = llvm.add %284, %285 : i64
    %287 = llvm.mul %280, %63 : i64
    %288 = llvm.add %286, %287 : i64
    %289 = llvm.mul %282, %53 : i64
    %290 = llvm.add %288, %289 : i64
    %291 = llvm.add %290, %54 : i64
    %292 = llvm.getelementptr %arg38[%291] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %293 = llvm.load %292 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %294 = llvm.fpext %293 : vector<2xf16> to vector<2xf32>
    %295 = llvm.getelementptr %277[%291] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %294, %295 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %296 = llvm.add %282, %52 : i64
    llvm.br ^bb44(%296 : i64)
  ^bb46:  // pred: ^bb44
    %297 = llvm.add %280, %52 : i64
    llvm.br ^bb42(%297 : i64)
  ^bb47:  // pred: ^bb42
    %298 = llvm.add %278, %52 : i64
    llvm.br ^bb40(%298 : i64)
  ^bb48:  // pred: ^bb40
    %299 = llvm.alloca %46 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb49(%54 : i64)
  ^bb49(%300: i64):  // 2 preds: ^bb48, ^bb50
    %301 = llvm.icmp "slt" %300, %60 : i64
    llvm.cond_br %301, ^bb50, ^bb51
  ^bb50:  // pred: ^bb49
    %302 = llvm.mul %300, %53 : i64
    %303 = llvm.add %302, %54 : i64
    %304 = llvm.getelementptr %arg61[%303] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %305 = llvm.load %304 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %306 = llvm.fpext %305 : vector<2xf16> to vector<2xf32>
    %307 = llvm.getelementptr %158[%303] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %306, %307 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %308 = llvm.add %300, %52 : i64
    llvm.br ^bb49(%308 : i64)
  ^bb51:  // pred: ^bb49
    llvm.br ^bb52(%54 : i64)
  ^bb52(%309: i64):  // 2 preds: ^bb51, ^bb59
    %310 = llvm.icmp "slt" %309, %62 : i64
    llvm.cond_br %310, ^bb53, ^bb60
  ^bb53:  // pred: ^bb52
    llvm.br ^bb54(%54 : i64)
  ^bb54(%311: i64):  // 2 preds: ^bb53, ^bb58
    %312 = llvm.icmp "slt" %311, %53 : i64
    llvm.cond_br %312, ^bb55, ^bb59
  ^bb55:  // pred: ^bb54
    llvm.br ^bb56(%54 : i64)
  ^bb56(%313: i64):  // 2 preds: ^bb55, ^bb57
    %314 = llvm.icmp "slt" %313, %60 : i64
    llvm.cond_br %314, ^bb57, ^bb58
  ^bb57:  // pred: ^bb56
    %315 = llvm.mul %54, %46 : i64
    %316 = llvm.mul %309, %87 : i64
    %317 = llvm.add %315, %316 : i64
    %318 = llvm.mul %311, %63 : i64
    %319 = llvm.add %317, %318 : i64
    %320 = llvm.mul %313, %53 : i64
    %321 = llvm.add %319, %320 : i64
    %322 = llvm.add %321, %54 : i64
    %323 = llvm.getelementptr %arg52[%322] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %324 = llvm.load %323 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %325 = llvm.fpext %324 : vector<2xf16> to vector<2xf32>
    %326 = llvm.getelementptr %276[%322] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %325, %326 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %327 = llvm.add %313, %52 : i64
    llvm.br ^bb56(%327 : i64)
  ^bb58:  // pred: ^bb56
    %328 = llvm.add %311, %52 : i64
    llvm.br ^bb54(%328 : i64)
  ^bb59:  // pred: ^bb54
    %329 = llvm.add %309, %52 : i64
    llvm.br ^bb52(%329 : i64)
  ^bb60:  // pred: ^bb52
    %330 = llvm.alloca %45 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb61(%54 : i64)
  ^bb61(%331: i64):  // 2 preds: ^bb60, ^bb65
    %332 = llvm.icmp "slt" %331, %62 : i64
    llvm.cond_br %332, ^bb62, ^bb66
  ^bb62:  // pred: ^bb61
    llvm.br ^bb63(%54, %61, %61 : i64, vector<2xf32>, vector<2xf32>)
  ^bb63(%333: i64, %334: vector<2xf32>, %335: vector<2xf32>):  // 2 preds: ^bb62, ^bb64
    %336 = llvm.icmp "slt" %333, %60 : i64
    llvm.cond_br %336, ^bb64, ^bb65
  ^bb64:  // pred: ^bb63
    %337 = llvm.mul %54, %46 : i64
    %338 = llvm.mul %331, %87 : i64
    %339 = llvm.add %337, %338 : i64
    %340 = llvm.mul %54, %63 : i64
    %341 = llvm.add %339, %340 : i64
    %342 = llvm.mul %333, %53 : i64
    %343 = llvm.add %341, %342 : i64
    %344 = llvm.add %343, %54 : i64
    %345 = llvm.getelementptr %276[%344] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %346 = llvm.load %345 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %347 = llvm.intr.fmuladd(%346, %346, %334) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %348 = llvm.mul %52, %63 : i64
    %349 = llvm.add %339, %348 : i64
    %350 = llvm.add %349, %342 : i64
    %351 = llvm.add %350, %54 : i64
    %352 = llvm.getelementptr %276[%351] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %353 = llvm.load %352 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %354 = llvm.intr.fmuladd(%353, %353, %335) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %355 = llvm.add %333, %52 : i64
    llvm.br ^bb63(%355, %347, %354 : i64, vector<2xf32>, vector<2xf32>)
  ^bb65:  // pred: ^bb63
    %356 = "llvm.intr.vector.reduce.fadd"(%56, %334) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %357 = llvm.fadd %356, %56 : f32
    %358 = llvm.mul %54, %45 overflow<nsw, nuw> : i64
    %359 = llvm.mul %331, %53 overflow<nsw, nuw> : i64
    %360 = llvm.add %358, %359 overflow<nsw, nuw> : i64
    %361 = llvm.add %360, %54 overflow<nsw, nuw> : i64
    %362 = llvm.getelementptr inbounds|nuw %330[%361] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %357, %362 : f32, !llvm.ptr
    %363 = "llvm.intr.vector.reduce.fadd"(%56, %335) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %364 = llvm.fadd %363, %56 : f32
    %365 = llvm.add %360, %52 overflow<nsw, nuw> : i64
    %366 = llvm.getelementptr inbounds|nuw %330[%365] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %364, %366 : f32, !llvm.ptr
    %367 = llvm.add %331, %52 : i64
    llvm.br ^bb61(%367 : i64)
  ^bb66:  // pred: ^bb61
    llvm.br ^bb67(%54 : i64)
  ^bb67(%368: i64):  // 2 preds: ^bb66, ^bb68
    %369 = llvm.icmp "slt" %368, %62 : i64
    llvm.cond_br %369, ^bb68, ^bb69
  ^bb68:  // pred: ^bb67
    %370 = llvm.mul %54, %45 : i64
    %371 = llvm.mul %368, %53 : i64
    %372 = llvm.add %370, %371 : i64
    %373 = llvm.add %372, %54 : i64
    %374 = llvm.getelementptr %330[%373] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %375 = llvm.load %374 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %376 = llvm.fdiv %375, %95 : vector<2xf32>
    %377 = llvm.fadd %376, %96 : vector<2xf32>
    %378 = llvm.intr.sqrt(%377) : (vector<2xf32>) -> vector<2xf32>
    %379 = llvm.fdiv %48, %378 : vector<2xf32>
    llvm.store %379, %374 {alignment = 4 : i64} : vector<2xf32>, !llvm.ptr
    %380 = llvm.add %368, %52 : i64
    llvm.br ^bb67(%380 : i64)
  ^bb69:  // pred: ^bb67
    llvm.br ^bb70(%54 : i64)
  ^bb70(%381: i64):  // 2 preds: ^bb69, ^bb77
    %382 = llvm.icmp "slt" %381, %62 : i64
    llvm.cond_br %382, ^bb71, ^bb78
  ^bb71:  // pred: ^bb70
    llvm.br ^bb72(%54 : i64)
  ^bb72(%383: i64):  // 2 preds: ^bb71, ^bb76
    %384 = llvm.icmp "slt" %383, %60 : i64
    llvm.cond_br %384, ^bb73, ^bb77
  ^bb73:  // pred: ^bb72
    %385 = llvm.mul %383, %53 : i64
    %386 = llvm.add %385, %54 : i64
    %387 = llvm.getelementptr %158[%386] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %388 = llvm.load %387 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    llvm.br ^bb74(%54 : i64)
  ^bb74(%389: i64):  // 2 preds: ^bb73, ^bb75
    %390 = llvm.icmp "slt" %389, %53 : i64
    llvm.cond_br %390, ^bb75, ^bb76
  ^bb75:  // pred: ^bb74
    %391 = llvm.mul %54, %46 : i64
    %392 = llvm.mul %381, %87 : i64
    %393 = llvm.add %391, %392 : i64
    %394 = llvm.mul %389, %63 : i64
    %395 = llvm.add %393, %394 : i64
    %396 = llvm.add %395, %385 : i64
    %397 = llvm.add %396, %54 : i64
    %398 = llvm.getelementptr %276[%397] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %399 = llvm.load %398 {alignment = 4 : i64} : !llvm.ptr -> vector<2xf32>
    %400 = llvm.mul %54, %45 overflow<nsw, nuw> : i64
    %401 = llvm.mul %381, %53 overflow<nsw, nuw> : i64
    %402 = llvm.add %400, %401 overflow<nsw, nuw> : i64
    %403 = llvm.add %402, %389 overflow<nsw, nuw> : i64
    %404 = llvm.getelementptr inbounds|nuw %330[%403] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %405 = llvm.load %404 : !llvm.ptr -> f32
    %406 = llvm.insertelement %405, %47[%111 : i32] : vector<2xf32>
    %407 = llvm.shufflevector %406, %47 [0, 0] : vector<2xf32> 
    %408 = llvm.fmul %399, %407 : vector<2xf32>
    %409 = llvm.fmul %408, %388 : vector<2xf32>
    %410 = llvm.fptrunc %409 : vector<2xf32> to vector<2xf16>
    %411 = llvm.getelementptr %299[%397] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %410, %411 {alignment = 2 : i64} : vector<2xf16>, !llvm.ptr
    %412 = llvm.add %389, %52 : i64
    llvm.br ^bb74(%412 : i64)
  ^bb76:  // pred: ^bb74
    %413 = llvm.add %383, %52 : i64
    llvm.br ^bb72(%413 : i64)
  ^bb77:  // pred: ^bb72
    %414 = llvm.add %381, %52 : i64
    llvm.br ^bb70(%414 : i64)
  ^bb78:  // pred: ^bb70
    %415 = llvm.getelementptr %43[416] : (!llvm.ptr) -> !llvm.ptr, f16
    %416 = llvm.ptrtoint %415 : !llvm.ptr to i64
    %417 = llvm.add %416, %42 : i64
    %418 = llvm.call @malloc(%417) : (i64) -> !llvm.ptr
    %419 = llvm.ptrtoint %418 : !llvm.ptr to i64
    %420 = llvm.sub %42, %52 : i64
    %421 = llvm.add %419, %420 : i64
    %422 = llvm.urem %421, %42 : i64
    %423 = llvm.sub %421, %422 : i64
    %424 = llvm.inttoptr %423 : i64 to !llvm.ptr
    %425 = llvm.insertvalue %418, %130[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %426 = llvm.insertvalue %424, %425[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %427 = llvm.insertvalue %54, %426[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %428 = llvm.insertvalue %52, %427[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %429 = llvm.insertvalue %59, %428[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %430 = llvm.insertvalue %87, %429[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %431 = llvm.insertvalue %49, %430[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %432 = llvm.insertvalue %87, %431[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %433 = llvm.insertvalue %52, %432[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %434 = llvm.alloca %59 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %435 = llvm.alloca %41 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %436 = llvm.alloca %60 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %437 = llvm.alloca %41 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %438 = llvm.alloca %60 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %439 = llvm.alloca %41 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %440 = llvm.alloca %40 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %441 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %442 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %443 = llvm.alloca %126 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %444 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %445 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %446 = llvm.alloca %39 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %447 = llvm.alloca %39 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %448 = llvm.alloca %59 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %449 = llvm.alloca %59 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %450 = llvm.alloca %39 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %451 = llvm.alloca %59 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %452 = llvm.alloca %44 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %453 = llvm.alloca %59 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %454 = llvm.alloca %59 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb79(%54 : i64)
  ^bb79(%455: i64):  // 2 preds: ^bb78, ^bb242
    %456 = llvm.icmp "slt" %455, %53 : i64
    llvm.cond_br %456, ^bb80, ^bb243
  ^bb80:  // pred: ^bb79
    %457 = llvm.mul %455, %63 overflow<nsw> : i64
    %458 = llvm.add %457, %52 : i64
    llvm.br ^bb81(%54 : i64)
  ^bb81(%459: i64):  // 2 preds: ^bb80, ^bb85
    %460 = llvm.icmp "slt" %459, %64 : i64
    llvm.cond_br %460, ^bb82, ^bb86
  ^bb82:  // pred: ^bb81
    llvm.br ^bb83(%54, %61, %61, %61, %61 : i64, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>)
  ^bb83(%461: i64, %462: vector<2xf32>, %463: vector<2xf32>, %464: vector<2xf32>, %465: vector<2xf32>):  // 2 preds: ^bb82, ^bb84
    %466 = llvm.icmp "slt" %461, %60 : i64
    llvm.cond_br %466, ^bb84, ^bb85
  ^bb84:  // pred: ^bb83
    %467 = llvm.getelementptr %arg1[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %468 = llvm.mul %54, %49 : i64
    %469 = llvm.mul %459, %87 : i64
    %470 = llvm.add %468, %469 : i64
    %471 = llvm.mul %54, %63 : i64
    %472 = llvm.add %470, %471 : i64
    %473 = llvm.mul %461, %53 : i64
    %474 = llvm.add %472, %473 : i64
    %475 = llvm.add %474, %54 : i64
    %476 = llvm.getelementptr %467[%475] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %477 = llvm.load %476 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %478 = llvm.fpext %477 : vector<2xf16> to vector<2xf32>
    %479 = llvm.intr.fmuladd(%478, %478, %462) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %480 = llvm.add %459, %52 : i64
    %481 = llvm.mul %480, %87 : i64
    %482 = llvm.add %468, %481 : i64
    %483 = llvm.add %482, %471 : i64
    %484 = llvm.add %483, %473 : i64
    %485 = llvm.add %484, %54 : i64
    %486 = llvm.getelementptr %467[%485] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %487 = llvm.load %486 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %488 = llvm.fpext %487 : vector<2xf16> to vector<2xf32>
    %489 = llvm.intr.fmuladd(%488, %488, %463) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %490 = llvm.add %459, %53 : i64
    %491 = llvm.mul %490, %87 : i64
    %492 = llvm.add %468, %491 : i64
    %493 = llvm.add %492, %471 : i64
    %494 = llvm.add %493, %473 : i64
    %495 = llvm.add %494, %54 : i64
    %496 = llvm.getelementptr %467[%495] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %497 = llvm.load %496 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %498 = llvm.fpext %497 : vector<2xf16> to vector<2xf32>
    %499 = llvm.intr.fmuladd(%498, %498, %464) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %500 = llvm.add %459, %66 : i64
    %501 = llvm.mul %500, %87 : i64
    %502 = llvm.add %468, %501 : i64
    %503 = llvm.add %502, %471 : i64
    %504 = llvm.add %503, %473 : i64
    %505 = llvm.add %504, %54 : i64
    %506 = llvm.getelementptr %467[%505] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %507 = llvm.load %506 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %508 = llvm.fpext %507 : vector<2xf16> to vector<2xf32>
    %509 = llvm.intr.fmuladd(%508, %508, %465) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %510 = llvm.add %461, %52 : i64
    llvm.br ^bb83(%510, %479, %489, %499, %509 : i64, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>)
  ^bb85:  // pred: ^bb83
    %511 = "llvm.intr.vector.reduce.fadd"(%56, %462) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %512 = llvm.fadd %511, %56 : f32
    %513 = llvm.mul %54, %59 overflow<nsw, nuw> : i64
    %514 = llvm.add %513, %459 overflow<nsw, nuw> : i64
    %515 = llvm.add %514, %54 overflow<nsw, nuw> : i64
    %516 = llvm.getelementptr inbounds|nuw %434[%515] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %512, %516 : f32, !llvm.ptr
    %517 = "llvm.intr.vector.reduce.fadd"(%56, %463) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %518 = llvm.fadd %517, %56 : f32
    %519 = llvm.add %459, %52 : i64
    %520 = llvm.add %513, %519 overflow<nsw, nuw> : i64
    %521 = llvm.add %520, %54 overflow<nsw, nuw> : i64
    %522 = llvm.getelementptr inbounds|nuw %434[%521] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %518, %522 : f32, !llvm.ptr
    %523 = "llvm.intr.vector.reduce.fadd"(%56, %464) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %524 = llvm.fadd %523, %56 : f32
    %525 = llvm.add %459, %53 : i64
    %526 = llvm.add %513, %525 overflow<nsw, nuw> : i64
    %527 = llvm.add %526, %54 overflow<nsw, nuw> : i64
    %528 = llvm.getelementptr inbounds|nuw %434[%527] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %524, %528 : f32, !llvm.ptr
    %529 = "llvm.intr.vector.reduce.fadd"(%56, %465) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %530 = llvm.fadd %529, %56 : f32
    %531 = llvm.add %459, %66 : i64
    %532 = llvm.add %513, %531 overflow<nsw, nuw> : i64
    %533 = llvm.add %532, %54 overflow<nsw, nuw> : i64
    %534 = llvm.getelementptr inbounds|nuw %434[%533] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %530, %534 : f32, !llvm.ptr
    %535 = llvm.add %459, %65 : i64
    llvm.br ^bb81(%535 : i64)
  ^bb86:  // pred: ^bb81
    llvm.br ^bb87(%54, %61 : i64, vector<2xf32>)
  ^bb87(%536: i64, %537: vector<2xf32>):  // 2 preds: ^bb86, ^bb88
    %538 = llvm.icmp "slt" %536, %60 : i64
    llvm.cond_br %538, ^bb88, ^bb89
  ^bb88:  // pred: ^bb87
    %539 = llvm.getelementptr %arg1[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %540 = llvm.mul %54, %49 : i64
    %541 = llvm.mul %64, %87 : i64
    %542 = llvm.add %540, %541 : i64
    %543 = llvm.mul %54, %63 : i64
    %544 = llvm.add %542, %543 : i64
    %545 = llvm.mul %536, %53 : i64
    %546 = llvm.add %544, %545 : i64
    %547 = llvm.add %546, %54 : i64
    %548 = llvm.getelementptr %539[%547] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %549 = llvm.load %548 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %550 = llvm.fpext %549 : vector<2xf16> to vector<2xf32>
    %551 = llvm.intr.fmuladd(%550, %550, %537) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %552 = llvm.add %536, %52 : i64
    llvm.br ^bb87(%552, %551 : i64, vector<2xf32>)
  ^bb89:  // pred: ^bb87
    %553 = "llvm.intr.vector.reduce.fadd"(%56, %537) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %554 = llvm.fadd %553, %56 : f32
    %555 = llvm.mul %54, %59 overflow<nsw, nuw> : i64
    %556 = llvm.add %555, %64 overflow<nsw, nuw> : i64
    %557 = llvm.add %556, %54 overflow<nsw, nuw> : i64
    %558 = llvm.getelementptr inbounds|nuw %434[%557] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %554, %558 : f32, !llvm.ptr
    llvm.br ^bb90(%54 : i64)
  ^bb90(%559: i64):  // 2 preds: ^bb89, ^bb91
    %560 = llvm.icmp "slt" %559, %59 : i64
    llvm.cond_br %560, ^bb91, ^bb92
  ^bb91:  // pred: ^bb90
    %561 = llvm.add %555, %559 overflow<nsw, nuw> : i64
    %562 = llvm.add %561, %54 overflow<nsw, nuw> : i64
    %563 = llvm.getelementptr inbounds|nuw %434[%562] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %564 = llvm.load %563 : !llvm.ptr -> f32
    %565 = llvm.fdiv %564, %57 : f32
    %566 = llvm.fadd %565, %58 : f32
    %567 = llvm.intr.sqrt(%566) : (f32) -> f32
    %568 = llvm.fdiv %38, %567 : f32
    llvm.store %568, %563 : f32, !llvm.ptr
    %569 = llvm.add %559, %52 : i64
    llvm.br ^bb90(%569 : i64)
  ^bb92:  // pred: ^bb90
    llvm.br ^bb93(%54 : i64)
  ^bb93(%570: i64):  // 2 preds: ^bb92, ^bb94
    %571 = llvm.icmp "slt" %570, %60 : i64
    llvm.cond_br %571, ^bb94, ^bb95
  ^bb94:  // pred: ^bb93
    %572 = llvm.getelementptr %arg10[1] : (!llvm.ptr) -> !llvm.ptr, f16
    %573 = llvm.mul %570, %53 overflow<nsw, nuw> : i64
    %574 = llvm.add %573, %54 overflow<nsw, nuw> : i64
    %575 = llvm.getelementptr inbounds|nuw %572[%574] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %576 = llvm.load %575 : !llvm.ptr -> f16
    %577 = llvm.fpext %576 : f16 to f32
    %578 = llvm.add %570, %54 overflow<nsw, nuw> : i64
    %579 = llvm.getelementptr inbounds|nuw %436[%578] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %577, %579 : f32, !llvm.ptr
    %580 = llvm.add %570, %52 : i64
    llvm.br ^bb93(%580 : i64)
  ^bb95:  // pred: ^bb93
    llvm.br ^bb96(%54 : i64)
  ^bb96(%581: i64):  // 2 preds: ^bb95, ^bb100
    %582 = llvm.icmp "slt" %581, %59 : i64
    llvm.cond_br %582, ^bb97, ^bb101
  ^bb97:  // pred: ^bb96
    llvm.br ^bb98(%54 : i64)
  ^bb98(%583: i64):  // 2 preds: ^bb97, ^bb99
    %584 = llvm.icmp "slt" %583, %60 : i64
    llvm.cond_br %584, ^bb99, ^bb100
  ^bb99:  // pred: ^bb98
    %585 = llvm.getelementptr %136[%458] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %586 = llvm.mul %54, %49 overflow<nsw, nuw> : i64
    %587 = llvm.mul %581, %87 overflow<nsw, nuw> : i64
    %588 = llvm.add %586, %587 overflow<nsw, nuw> : i64
    %589 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %590 = llvm.add %588, %589 overflow<nsw, nuw> : i64
    %591 = llvm.mul %583, %53 overflow<nsw, nuw> : i64
    %592 = llvm.add %590, %591 overflow<nsw, nuw> : i64
    %593 = llvm.add %592, %54 overflow<nsw, nuw> : i64
    %594 = llvm.getelementptr inbounds|nuw %585[%593] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %595 = llvm.load %594 : !llvm.ptr -> f32
    %596 = llvm.add %555, %581 overflow<nsw, nuw> : i64
    %597 = llvm.add %596, %54 overflow<nsw, nuw> : i64
    %598 = llvm.getelementptr inbounds|nuw %434[%597] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %599 = llvm.load %598 : !llvm.ptr -> f32
    %600 = llvm.add %583, %54 overflow<nsw, nuw> : i64
    %601 = llvm.getelementptr inbounds|nuw %436[%600] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %602 = llvm.load %601 : !llvm.ptr -> f32
    %603 = llvm.fmul %595, %599 : f32
    %604 = llvm.fmul %603, %602 : f32
    %605 = llvm.fptrunc %604 : f32 to f16
    %606 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %607 = llvm.mul %581, %60 overflow<nsw, nuw> : i64
    %608 = llvm.add %606, %607 overflow<nsw, nuw> : i64
    %609 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %610 = llvm.add %608, %609 overflow<nsw, nuw> : i64
    %611 = llvm.add %610, %583 overflow<nsw, nuw> : i64
    %612 = llvm.add %611, %54 overflow<nsw, nuw> : i64
    %613 = llvm.getelementptr inbounds|nuw %437[%612] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %605, %613 : f16, !llvm.ptr
    %614 = llvm.add %583, %52 : i64
    llvm.br ^bb98(%614 : i64)
  ^bb100:  // pred: ^bb98
    %615 = llvm.add %581, %52 : i64
    llvm.br ^bb96(%615 : i64)
  ^bb101:  // pred: ^bb96
    llvm.br ^bb102(%54 : i64)
  ^bb102(%616: i64):  // 2 preds: ^bb101, ^bb103
    %617 = llvm.icmp "slt" %616, %60 : i64
    llvm.cond_br %617, ^bb103, ^bb104
  ^bb103:  // pred: ^bb102
    %618 = llvm.mul %616, %53 overflow<nsw, nuw> : i64
    %619 = llvm.add %618, %54 overflow<nsw, nuw> : i64
    %620 = llvm.getelementptr inbounds|nuw %arg10[%619] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %621 = llvm.load %620 : !llvm.ptr -> f16
    %622 = llvm.fpext %621 : f16 to f32
    %623 = llvm.add %616, %54 overflow<nsw, nuw> : i64
    %624 = llvm.getelementptr inbounds|nuw %438[%623] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %622, %624 : f32, !llvm.ptr
    %625 = llvm.add %616, %52 : i64
    llvm.br ^bb102(%625 : i64)
  ^bb104:  // pred: ^bb102
    llvm.br ^bb105(%54 : i64)
  ^bb105(%626: i64):  // 2 preds: ^bb104, ^bb109
    %627 = llvm.icmp "slt" %626, %59 : i64
    llvm.cond_br %627, ^bb106, ^bb110
  ^bb106:  // pred: ^bb105
    llvm.br ^bb107(%54 : i64)
  ^bb107(%628: i64):  // 2 preds: ^bb106, ^bb108
    %629 = llvm.icmp "slt" %628, %60 : i64
    llvm.cond_br %629, ^bb108, ^bb109
  ^bb108:  // pred: ^bb107
    %630 = llvm.getelementptr %136[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %631 = llvm.mul %54, %49 overflow<nsw, nuw> : i64
    %632 = llvm.mul %626, %87 overflow<nsw, nuw> : i64
    %633 = llvm.add %631, %632 overflow<nsw, nuw> : i64
    %634 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %635 = llvm.add %633, %634 overflow<nsw, nuw> : i64
    %636 = llvm.mul %628, %53 overflow<nsw, nuw> : i64
    %637 = llvm.add %635, %636 overflow<nsw, nuw> : i64
    %638 = llvm.add %637, %54 overflow<nsw, nuw> : i64
    %639 = llvm.getelementptr inbounds|nuw %630[%638] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %640 = llvm.load %639 : !llvm.ptr -> f32
    %641 = llvm.add %555, %626 overflow<nsw, nuw> : i64
    %642 = llvm.add %641, %54 overflow<nsw, nuw> : i64
    %643 = llvm.getelementptr inbounds|nuw %434[%642] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %644 = llvm.load %643 : !llvm.ptr -> f32
    %645 = llvm.add %628, %54 overflow<nsw, nuw> : i64
    %646 = llvm.getelementptr inbounds|nuw %438[%645] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %647 = llvm.load %646 : !llvm.ptr -> f32
    %648 = llvm.fmul %640, %644 : f32
    %649 = llvm.fmul %648, %647 : f32
    %650 = llvm.fptrunc %649 : f32 to f16
    %651 = llvm.fpext %650 : f16 to f32
    %652 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %653 = llvm.mul %626, %60 overflow<nsw, nuw> : i64
    %654 = llvm.add %652, %653 overflow<nsw, nuw> : i64
    %655 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %656 = llvm.add %654, %655 overflow<nsw, nuw> : i64
    %657 = llvm.add %656, %628 overflow<nsw, nuw> : i64
    %658 = llvm.add %657, %54 overflow<nsw, nuw> : i64
    %659 = llvm.getelementptr inbounds|nuw %435[%658] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %651, %659 : f32, !llvm.ptr
    %660 = llvm.add %628, %52 : i64
    llvm.br ^bb107(%660 : i64)
  ^bb109:  // pred: ^bb107
    %661 = llvm.add %626, %52 : i64
    llvm.br ^bb105(%661 : i64)
  ^bb110:  // pred: ^bb105
    llvm.br ^bb111(%54 : i64)
  ^bb111(%662: i64):  // 2 preds: ^bb110, ^bb115
    %663 = llvm.icmp "slt" %662, %59 : i64
    llvm.cond_br %663, ^bb112, ^bb116
  ^bb112:  // pred: ^bb111
    llvm.br ^bb113(%54 : i64)
  ^bb113(%664: i64):  // 2 preds: ^bb112, ^bb114
    %665 = llvm.icmp "slt" %664, %60 : i64
    llvm.cond_br %665, ^bb114, ^bb115
  ^bb114:  // pred: ^bb113
    %666 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %667 = llvm.mul %662, %60 overflow<nsw, nuw> : i64
    %668 = llvm.add %666, %667 overflow<nsw, nuw> : i64
    %669 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %670 = llvm.add %668, %669 overflow<nsw, nuw> : i64
    %671 = llvm.add %670, %664 overflow<nsw, nuw> : i64
    %672 = llvm.add %671, %54 overflow<nsw, nuw> : i64
    %673 = llvm.getelementptr inbounds|nuw %437[%672] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %674 = llvm.load %673 : !llvm.ptr -> f16
    %675 = llvm.getelementptr %arg75[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %676 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %677 = llvm.mul %662, %63 overflow<nsw, nuw> : i64
    %678 = llvm.add %676, %677 overflow<nsw, nuw> : i64
    %679 = llvm.mul %664, %53 overflow<nsw, nuw> : i64
    %680 = llvm.add %678, %679 overflow<nsw, nuw> : i64
    %681 = llvm.add %680, %54 overflow<nsw, nuw> : i64
    %682 = llvm.getelementptr inbounds|nuw %675[%681] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %683 = llvm.load %682 : !llvm.ptr -> f32
    %684 = llvm.getelementptr inbounds|nuw %435[%672] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %685 = llvm.load %684 : !llvm.ptr -> f32
    %686 = llvm.getelementptr %arg82[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %687 = llvm.getelementptr inbounds|nuw %686[%681] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %688 = llvm.load %687 : !llvm.ptr -> f32
    %689 = llvm.fmul %685, %688 : f32
    %690 = llvm.fpext %674 : f16 to f32
    %691 = llvm.fmul %690, %683 : f32
    %692 = llvm.fadd %691, %689 : f32
    %693 = llvm.fptrunc %692 : f32 to f16
    %694 = llvm.getelementptr inbounds|nuw %439[%672] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %693, %694 : f16, !llvm.ptr
    %695 = llvm.add %664, %52 : i64
    llvm.br ^bb113(%695 : i64)
  ^bb115:  // pred: ^bb113
    %696 = llvm.add %662, %52 : i64
    llvm.br ^bb111(%696 : i64)
  ^bb116:  // pred: ^bb111
    llvm.br ^bb117(%54 : i64)
  ^bb117(%697: i64):  // 2 preds: ^bb116, ^bb121
    %698 = llvm.icmp "slt" %697, %59 : i64
    llvm.cond_br %698, ^bb118, ^bb122
  ^bb118:  // pred: ^bb117
    llvm.br ^bb119(%54 : i64)
  ^bb119(%699: i64):  // 2 preds: ^bb118, ^bb120
    %700 = llvm.icmp "slt" %699, %60 : i64
    llvm.cond_br %700, ^bb120, ^bb121
  ^bb120:  // pred: ^bb119
    %701 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %702 = llvm.mul %697, %60 overflow<nsw, nuw> : i64
    %703 = llvm.add %701, %702 overflow<nsw, nuw> : i64
    %704 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %705 = llvm.add %703, %704 overflow<nsw, nuw> : i64
    %706 = llvm.add %705, %699 overflow<nsw, nuw> : i64
    %707 = llvm.add %706, %54 overflow<nsw, nuw> : i64
    %708 = llvm.getelementptr inbounds|nuw %435[%707] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %709 = llvm.load %708 : !llvm.ptr -> f32
    %710 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %711 = llvm.mul %697, %63 overflow<nsw, nuw> : i64
    %712 = llvm.add %710, %711 overflow<nsw, nuw> : i64
    %713 = llvm.mul %699, %53 overflow<nsw, nuw> : i64
    %714 = llvm.add %712, %713 overflow<nsw, nuw> : i64
    %715 = llvm.add %714, %54 overflow<nsw, nuw> : i64
    %716 = llvm.getelementptr inbounds|nuw %arg75[%715] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %717 = llvm.load %716 : !llvm.ptr -> f32
    %718 = llvm.getelementptr inbounds|nuw %437[%707] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %719 = llvm.load %718 : !llvm.ptr -> f16
    %720 = llvm.getelementptr inbounds|nuw %arg82[%715] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %721 = llvm.load %720 : !llvm.ptr -> f32
    %722 = llvm.fneg %719 : f16
    %723 = llvm.fpext %722 : f16 to f32
    %724 = llvm.fmul %723, %721 : f32
    %725 = llvm.fmul %709, %717 : f32
    %726 = llvm.fadd %725, %724 : f32
    %727 = llvm.fptrunc %726 : f32 to f16
    llvm.store %727, %718 : f16, !llvm.ptr
    %728 = llvm.add %699, %52 : i64
    llvm.br ^bb119(%728 : i64)
  ^bb121:  // pred: ^bb119
    %729 = llvm.add %697, %52 : i64
    llvm.br ^bb117(%729 : i64)
  ^bb122:  // pred: ^bb117
    llvm.br ^bb123(%54 : i64)
  ^bb123(%730: i64):  // 2 preds: ^bb122, ^bb124
    %731 = llvm.icmp "slt" %730, %59 : i64
    llvm.cond_br %731, ^bb124, ^bb125
  ^bb124:  // pred: ^bb123
    %732 = llvm.getelementptr %424[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %733 = llvm.mul %54, %49 : i64
    %734 = llvm.mul %730, %87 : i64
    %735 = llvm.add %733, %734 : i64
    %736 = llvm.mul %54, %63 : i64
    %737 = llvm.add %735, %736 : i64
    %738 = llvm.add %737, %54 : i64
    %739 = llvm.getelementptr %732[%738] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %93, %739 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %740 = llvm.add %730, %52 : i64
    llvm.br ^bb123(%740 : i64)
  ^bb125:  // pred: ^bb123
    llvm.br ^bb126(%54 : i64)
  ^bb126(%741: i64):  // 2 preds: ^bb125, ^bb127
    %742 = llvm.icmp "slt" %741, %59 : i64
    llvm.cond_br %742, ^bb127, ^bb128
  ^bb127:  // pred: ^bb126
    %743 = llvm.mul %54, %40 : i64
    %744 = llvm.mul %741, %63 : i64
    %745 = llvm.add %743, %744 : i64
    %746 = llvm.mul %54, %63 : i64
    %747 = llvm.add %745, %746 : i64
    %748 = llvm.add %747, %54 : i64
    %749 = llvm.getelementptr %440[%748] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %94, %749 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %750 = llvm.add %741, %52 : i64
    llvm.br ^bb126(%750 : i64)
  ^bb128:  // pred: ^bb126
    llvm.br ^bb129(%54 : i64)
  ^bb129(%751: i64):  // 2 preds: ^bb128, ^bb133
    %752 = llvm.icmp "slt" %751, %59 : i64
    llvm.cond_br %752, ^bb130, ^bb134
  ^bb130:  // pred: ^bb129
    llvm.br ^bb131(%54 : i64)
  ^bb131(%753: i64):  // 2 preds: ^bb130, ^bb132
    %754 = llvm.icmp "slt" %753, %60 : i64
    llvm.cond_br %754, ^bb132, ^bb133
  ^bb132:  // pred: ^bb131
    %755 = llvm.getelementptr %159[%458] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %756 = llvm.mul %54, %49 overflow<nsw, nuw> : i64
    %757 = llvm.mul %751, %87 overflow<nsw, nuw> : i64
    %758 = llvm.add %756, %757 overflow<nsw, nuw> : i64
    %759 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %760 = llvm.add %758, %759 overflow<nsw, nuw> : i64
    %761 = llvm.mul %753, %53 overflow<nsw, nuw> : i64
    %762 = llvm.add %760, %761 overflow<nsw, nuw> : i64
    %763 = llvm.add %762, %54 overflow<nsw, nuw> : i64
    %764 = llvm.getelementptr inbounds|nuw %755[%763] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %765 = llvm.load %764 : !llvm.ptr -> f16
    %766 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %767 = llvm.mul %751, %60 overflow<nsw, nuw> : i64
    %768 = llvm.add %766, %767 overflow<nsw, nuw> : i64
    %769 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %770 = llvm.add %768, %769 overflow<nsw, nuw> : i64
    %771 = llvm.add %770, %753 overflow<nsw, nuw> : i64
    %772 = llvm.add %771, %54 overflow<nsw, nuw> : i64
    %773 = llvm.getelementptr inbounds|nuw %442[%772] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %765, %773 : f16, !llvm.ptr
    %774 = llvm.add %753, %52 : i64
    llvm.br ^bb131(%774 : i64)
  ^bb133:  // pred: ^bb131
    %775 = llvm.add %751, %52 : i64
    llvm.br ^bb129(%775 : i64)
  ^bb134:  // pred: ^bb129
    llvm.br ^bb135(%54 : i64)
  ^bb135(%776: i64):  // 2 preds: ^bb134, ^bb139
    %777 = llvm.icmp "slt" %776, %62 : i64
    llvm.cond_br %777, ^bb136, ^bb140
  ^bb136:  // pred: ^bb135
    llvm.br ^bb137(%54 : i64)
  ^bb137(%778: i64):  // 2 preds: ^bb136, ^bb138
    %779 = llvm.icmp "slt" %778, %60 : i64
    llvm.cond_br %779, ^bb138, ^bb139
  ^bb138:  // pred: ^bb137
    %780 = llvm.getelementptr %299[%458] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %781 = llvm.mul %54, %46 overflow<nsw, nuw> : i64
    %782 = llvm.mul %776, %87 overflow<nsw, nuw> : i64
    %783 = llvm.add %781, %782 overflow<nsw, nuw> : i64
    %784 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %785 = llvm.add %783, %784 overflow<nsw, nuw> : i64
    %786 = llvm.mul %778, %53 overflow<nsw, nuw> : i64
    %787 = llvm.add %785, %786 overflow<nsw, nuw> : i64
    %788 = llvm.add %787, %54 overflow<nsw, nuw> : i64
    %789 = llvm.getelementptr inbounds|nuw %780[%788] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %790 = llvm.load %789 : !llvm.ptr -> f16
    %791 = llvm.getelementptr %442[104] : (!llvm.ptr) -> !llvm.ptr, f16
    %792 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %793 = llvm.mul %776, %60 overflow<nsw, nuw> : i64
    %794 = llvm.add %792, %793 overflow<nsw, nuw> : i64
    %795 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %796 = llvm.add %794, %795 overflow<nsw, nuw> : i64
    %797 = llvm.add %796, %778 overflow<nsw, nuw> : i64
    %798 = llvm.add %797, %54 overflow<nsw, nuw> : i64
    %799 = llvm.getelementptr inbounds|nuw %791[%798] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %790, %799 : f16, !llvm.ptr
    %800 = llvm.add %778, %52 : i64
    llvm.br ^bb137(%800 : i64)
  ^bb139:  // pred: ^bb137
    %801 = llvm.add %776, %52 : i64
    llvm.br ^bb135(%801 : i64)
  ^bb140:  // pred: ^bb135
    llvm.br ^bb141(%54 : i64)
  ^bb141(%802: i64):  // 2 preds: ^bb140, ^bb145
    %803 = llvm.icmp "slt" %802, %59 : i64
    llvm.cond_br %803, ^bb142, ^bb146
  ^bb142:  // pred: ^bb141
    llvm.br ^bb143(%54 : i64)
  ^bb143(%804: i64):  // 2 preds: ^bb142, ^bb144
    %805 = llvm.icmp "slt" %804, %60 : i64
    llvm.cond_br %805, ^bb144, ^bb145
  ^bb144:  // pred: ^bb143
    %806 = llvm.getelementptr %159[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %807 = llvm.mul %54, %49 overflow<nsw, nuw> : i64
    %808 = llvm.mul %802, %87 overflow<nsw, nuw> : i64
    %809 = llvm.add %807, %808 overflow<nsw, nuw> : i64
    %810 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %811 = llvm.add %809, %810 overflow<nsw, nuw> : i64
    %812 = llvm.mul %804, %53 overflow<nsw, nuw> : i64
    %813 = llvm.add %811, %812 overflow<nsw, nuw> : i64
    %814 = llvm.add %813, %54 overflow<nsw, nuw> : i64
    %815 = llvm.getelementptr inbounds|nuw %806[%814] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %816 = llvm.load %815 : !llvm.ptr -> f16
    %817 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %818 = llvm.mul %802, %60 overflow<nsw, nuw> : i64
    %819 = llvm.add %817, %818 overflow<nsw, nuw> : i64
    %820 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %821 = llvm.add %819, %820 overflow<nsw, nuw> : i64
    %822 = llvm.add %821, %804 overflow<nsw, nuw> : i64
    %823 = llvm.add %822, %54 overflow<nsw, nuw> : i64
    %824 = llvm.getelementptr inbounds|nuw %444[%823] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %816, %824 : f16, !llvm.ptr
    %825 = llvm.add %804, %52 : i64
    llvm.br ^bb143(%825 : i64)
  ^bb145:  // pred: ^bb143
    %826 = llvm.add %802, %52 : i64
    llvm.br ^bb141(%826 : i64)
  ^bb146:  // pred: ^bb141
    llvm.br ^bb147(%54 : i64)
  ^bb147(%827: i64):  // 2 preds: ^bb146, ^bb151
    %828 = llvm.icmp "slt" %827, %62 : i64
    llvm.cond_br %828, ^bb148, ^bb152
  ^bb148:  // pred: ^bb147
    llvm.br ^bb149(%54 : i64)
  ^bb149(%829: i64):  // 2 preds: ^bb148, ^bb150
    %830 = llvm.icmp "slt" %829, %60 : i64
    llvm.cond_br %830, ^bb150, ^bb151
  ^bb150:  // pred: ^bb149
    %831 = llvm.getelementptr %299[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %832 = llvm.mul %54, %46 overflow<nsw, nuw> : i64
    %833 = llvm.mul %827, %87 overflow<nsw, nuw> : i64
    %834 = llvm.add %832, %833 overflow<nsw, nuw> : i64
    %835 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %836 = llvm.add %834, %835 overflow<nsw, nuw> : i64
    %837 = llvm.mul %829, %53 overflow<nsw, nuw> : i64
    %838 = llvm.add %836, %837 overflow<nsw, nuw> : i64
    %839 = llvm.add %838, %54 overflow<nsw, nuw> : i64
    %840 = llvm.getelementptr inbounds|nuw %831[%839] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %841 = llvm.load %840 : !llvm.ptr -> f16
    %842 = llvm.getelementptr %444[104] : (!llvm.ptr) -> !llvm.ptr, f16
    %843 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %844 = llvm.mul %827, %60 overflow<nsw, nuw> : i64
    %845 = llvm.add %843, %844 overflow<nsw, nuw> : i64
    %846 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %847 = llvm.add %845, %846 overflow<nsw, nuw> : i64
    %848 = llvm.add %847, %829 overflow<nsw, nuw> : i64
    %849 = llvm.add %848, %54 overflow<nsw, nuw> : i64
    %850 = llvm.getelementptr inbounds|nuw %842[%849] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %841, %850 : f16, !llvm.ptr
    %851 = llvm.add %829, %52 : i64
    llvm.br ^bb149(%851 : i64)
  ^bb151:  // pred: ^bb149
    %852 = llvm.add %827, %52 : i64
    llvm.br ^bb147(%852 : i64)
  ^bb152:  // pred: ^bb147
    llvm.br ^bb153(%54 : i64)
  ^bb153(%853: i64):  // 2 preds: ^bb152, ^bb157
    %854 = llvm.icmp "slt" %853, %88 : i64
    llvm.cond_br %854, ^bb154, ^bb158
  ^bb154:  // pred: ^bb153
    llvm.br ^bb155(%54 : i64)
  ^bb155(%855: i64):  // 2 preds: ^bb154, ^bb156
    %856 = llvm.icmp "slt" %855, %60 : i64
    llvm.cond_br %856, ^bb156, ^bb157
  ^bb156:  // pred: ^bb155
    %857 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %858 = llvm.mul %853, %60 overflow<nsw, nuw> : i64
    %859 = llvm.add %857, %858 overflow<nsw, nuw> : i64
    %860 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %861 = llvm.add %859, %860 overflow<nsw, nuw> : i64
    %862 = llvm.add %861, %855 overflow<nsw, nuw> : i64
    %863 = llvm.add %862, %54 overflow<nsw, nuw> : i64
    %864 = llvm.getelementptr inbounds|nuw %444[%863] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %865 = llvm.load %864 : !llvm.ptr -> f16
    %866 = llvm.fpext %865 : f16 to f32
    %867 = llvm.getelementptr inbounds|nuw %443[%863] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %866, %867 : f32, !llvm.ptr
    %868 = llvm.add %855, %52 : i64
    llvm.br ^bb155(%868 : i64)
  ^bb157:  // pred: ^bb155
    %869 = llvm.add %853, %52 : i64
    llvm.br ^bb153(%869 : i64)
  ^bb158:  // pred: ^bb153
    llvm.br ^bb159(%54 : i64)
  ^bb159(%870: i64):  // 2 preds: ^bb158, ^bb163
    %871 = llvm.icmp "slt" %870, %88 : i64
    llvm.cond_br %871, ^bb160, ^bb164
  ^bb160:  // pred: ^bb159
    llvm.br ^bb161(%54 : i64)
  ^bb161(%872: i64):  // 2 preds: ^bb160, ^bb162
    %873 = llvm.icmp "slt" %872, %60 : i64
    llvm.cond_br %873, ^bb162, ^bb163
  ^bb162:  // pred: ^bb161
    %874 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %875 = llvm.mul %870, %60 overflow<nsw, nuw> : i64
    %876 = llvm.add %874, %875 overflow<nsw, nuw> : i64
    %877 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %878 = llvm.add %876, %877 overflow<nsw, nuw> : i64
    %879 = llvm.add %878, %872 overflow<nsw, nuw> : i64
    %880 = llvm.add %879, %54 overflow<nsw, nuw> : i64
    %881 = llvm.getelementptr inbounds|nuw %442[%880] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %882 = llvm.load %881 : !llvm.ptr -> f16
    %883 = llvm.getelementptr %arg75[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %884 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %885 = llvm.mul %870, %63 overflow<nsw, nuw> : i64
    %886 = llvm.add %884, %885 overflow<nsw, nuw> : i64
    %887 = llvm.mul %872, %53 overflow<nsw, nuw> : i64
    %888 = llvm.add %886, %887 overflow<nsw, nuw> : i64
    %889 = llvm.add %888, %54 overflow<nsw, nuw> : i64
    %890 = llvm.getelementptr inbounds|nuw %883[%889] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %891 = llvm.load %890 : !llvm.ptr -> f32
    %892 = llvm.getelementptr inbounds|nuw %443[%880] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %893 = llvm.load %892 : !llvm.ptr -> f32
    %894 = llvm.getelementptr %arg82[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %895 = llvm.getelementptr inbounds|nuw %894[%889] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %896 = llvm.load %895 : !llvm.ptr -> f32
    %897 = llvm.fmul %893, %896 : f32
    %898 = llvm.fpext %882 : f16 to f32
    %899 = llvm.fmul %898, %891 : f32
    %900 = llvm.fadd %899, %897 : f32
    %901 = llvm.fptrunc %900 : f32 to f16
    %902 = llvm.getelementptr inbounds|nuw %445[%880] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %901, %902 : f16, !llvm.ptr
    %903 = llvm.add %872, %52 : i64
    llvm.br ^bb161(%903 : i64)
  ^bb163:  // pred: ^bb161
    %904 = llvm.add %870, %52 : i64
    llvm.br ^bb159(%904 : i64)
  ^bb164:  // pred: ^bb159
    llvm.br ^bb165(%54 : i64)
  ^bb165(%905: i64):  // 2 preds: ^bb164, ^bb169
    %906 = llvm.icmp "slt" %905, %88 : i64
    llvm.cond_br %906, ^bb166, ^bb170
  ^bb166:  // pred: ^bb165
    llvm.br ^bb167(%54 : i64)
  ^bb167(%907: i64):  // 2 preds: ^bb166, ^bb168
    %908 = llvm.icmp "slt" %907, %60 : i64
    llvm.cond_br %908, ^bb168, ^bb169
  ^bb168:  // pred: ^bb167
    %909 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %910 = llvm.mul %905, %60 overflow<nsw, nuw> : i64
    %911 = llvm.add %909, %910 overflow<nsw, nuw> : i64
    %912 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %913 = llvm.add %911, %912 overflow<nsw, nuw> : i64
    %914 = llvm.add %913, %907 overflow<nsw, nuw> : i64
    %915 = llvm.add %914, %54 overflow<nsw, nuw> : i64
    %916 = llvm.getelementptr inbounds|nuw %443[%915] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %917 = llvm.load %916 : !llvm.ptr -> f32
    %918 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %919 = llvm.mul %905, %63 overflow<nsw, nuw> : i64
    %920 = llvm.add %918, %919 overflow<nsw, nuw> : i64
    %921 = llvm.mul %907, %53 overflow<nsw, nuw> : i64
    %922 = llvm.add %920, %921 overflow<nsw, nuw> : i64
    %923 = llvm.add %922, %54 overflow<nsw, nuw> : i64
    %924 = llvm.getelementptr inbounds|nuw %arg75[%923] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %925 = llvm.load %924 : !llvm.ptr -> f32
    %926 = llvm.getelementptr inbounds|nuw %442[%915] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %927 = llvm.load %926 : !llvm.ptr -> f16
    %928 = llvm.getelementptr inbounds|nuw %arg82[%923] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %929 = llvm.load %928 : !llvm.ptr -> f32
    %930 = llvm.fneg %927 : f16
    %931 = llvm.fpext %930 : f16 to f32
    %932 = llvm.fmul %931, %929 : f32
    %933 = llvm.fmul %917, %925 : f32
    %934 = llvm.fadd %933, %932 : f32
    %935 = llvm.fptrunc %934 : f32 to f16
    %936 = llvm.getelementptr inbounds|nuw %441[%915] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %935, %936 : f16, !llvm.ptr
    %937 = llvm.add %907, %52 : i64
    llvm.br ^bb167(%937 : i64)
  ^bb169:  // pred: ^bb167
    %938 = llvm.add %905, %52 : i64
    llvm.br ^bb165(%938 : i64)
  ^bb170:  // pred: ^bb165
    llvm.br ^bb171(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb171(%939: i64, %940: vector<32xf16>, %941: vector<32xf16>, %942: vector<32xf16>, %943: vector<32xf16>, %944: vector<32xf16>, %945: vector<32xf16>, %946: vector<32xf16>, %947: vector<32xf16>, %948: vector<32xf16>, %949: vector<32xf16>, %950: vector<32xf16>, %951: vector<32xf16>, %952: vector<32xf16>):  // 2 preds: ^bb170, ^bb172
    %953 = llvm.icmp "slt" %939, %60 : i64
    llvm.cond_br %953, ^bb172, ^bb173
  ^bb172:  // pred: ^bb171
    %954 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %955 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %956 = llvm.add %954, %955 overflow<nsw, nuw> : i64
    %957 = llvm.add %956, %955 overflow<nsw, nuw> : i64
    %958 = llvm.add %957, %939 overflow<nsw, nuw> : i64
    %959 = llvm.add %958, %54 overflow<nsw, nuw> : i64
    %960 = llvm.getelementptr inbounds|nuw %437[%959] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %961 = llvm.load %960 : !llvm.ptr -> f16
    %962 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %963 = llvm.add %962, %955 overflow<nsw, nuw> : i64
    %964 = llvm.add %963, %955 overflow<nsw, nuw> : i64
    %965 = llvm.add %964, %939 overflow<nsw, nuw> : i64
    %966 = llvm.add %965, %54 overflow<nsw, nuw> : i64
    %967 = llvm.getelementptr inbounds|nuw %441[%966] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %968 = llvm.load %967 : !llvm.ptr -> f16
    %969 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %970 = llvm.add %962, %969 overflow<nsw, nuw> : i64
    %971 = llvm.add %970, %955 overflow<nsw, nuw> : i64
    %972 = llvm.add %971, %939 overflow<nsw, nuw> : i64
    %973 = llvm.add %972, %54 overflow<nsw, nuw> : i64
    %974 = llvm.getelementptr inbounds|nuw %441[%973] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %975 = llvm.load %974 : !llvm.ptr -> f16
    %976 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %977 = llvm.add %962, %976 overflow<nsw, nuw> : i64
    %978 = llvm.add %977, %955 overflow<nsw, nuw> : i64
    %979 = llvm.add %978, %939 overflow<nsw, nuw> : i64
    %980 = llvm.add %979, %54 overflow<nsw, nuw> : i64
    %981 = llvm.getelementptr inbounds|nuw %441[%980] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %982 = llvm.load %981 : !llvm.ptr -> f16
    %983 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %984 = llvm.add %962, %983 overflow<nsw, nuw> : i64
    %985 = llvm.add %984, %955 overflow<nsw, nuw> : i64
    %986 = llvm.add %985, %939 overflow<nsw, nuw> : i64
    %987 = llvm.add %986, %54 overflow<nsw, nuw> : i64
    %988 = llvm.getelementptr inbounds|nuw %441[%987] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %989 = llvm.load %988 : !llvm.ptr -> f16
    %990 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %991 = llvm.add %962, %990 overflow<nsw, nuw> : i64
    %992 = llvm.add %991, %955 overflow<nsw, nuw> : i64
    %993 = llvm.add %992, %939 overflow<nsw, nuw> : i64
    %994 = llvm.add %993, %54 overflow<nsw, nuw> : i64
    %995 = llvm.getelementptr inbounds|nuw %441[%994] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %996 = llvm.load %995 : !llvm.ptr -> f16
    %997 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %998 = llvm.add %962, %997 overflow<nsw, nuw> : i64
    %999 = llvm.add %998, %955 overflow<nsw, nuw> : i64
    %1000 = llvm.add %999, %939 overflow<nsw, nuw> : i64
    %1001 = llvm.add %1000, %54 overflow<nsw, nuw> : i64
    %1002 = llvm.getelementptr inbounds|nuw %441[%1001] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1003 = llvm.load %1002 : !llvm.ptr -> f16
    %1004 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %1005 = llvm.add %962, %1004 overflow<nsw, nuw> : i64
    %1006 = llvm.add %1005, %955 overflow<nsw, nuw> : i64
    %1007 = llvm.add %1006, %939 overflow<nsw, nuw> : i64
    %1008 = llvm.add %1007, %54 overflow<nsw, nuw> : i64
    %1009 = llvm.getelementptr inbounds|nuw %441[%1008] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1010 = llvm.load %1009 : !llvm.ptr -> f16
    %1011 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %1012 = llvm.add %962, %1011 overflow<nsw, nuw> : i64
    %1013 = llvm.add %1012, %955 overflow<nsw, nuw> : i64
    %1014 = llvm.add %1013, %939 overflow<nsw, nuw> : i64
    %1015 = llvm.add %1014, %54 overflow<nsw, nuw> : i64
    %1016 = llvm.getelementptr inbounds|nuw %441[%1015] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1017 = llvm.load %1016 : !llvm.ptr -> f16
    %1018 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %1019 = llvm.add %962, %1018 overflow<nsw, nuw> : i64
    %1020 = llvm.add %1019, %955 overflow<nsw, nuw> : i64
    %1021 = llvm.add %1020, %939 overflow<nsw, nuw> : i64
    %1022 = llvm.add %1021, %54 overflow<nsw, nuw> : i64
    %1023 = llvm.getelementptr inbounds|nuw %441[%1022] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1024 = llvm.load %1023 : !llvm.ptr -> f16
    %1025 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %1026 = llvm.add %962, %1025 overflow<nsw, nuw> : i64
    %1027 = llvm.add %1026, %955 overflow<nsw, nuw> : i64
    %1028 = llvm.add %1027, %939 overflow<nsw, nuw> : i64
    %1029 = llvm.add %1028, %54 overflow<nsw, nuw> : i64
    %1030 = llvm.getelementptr inbounds|nuw %441[%1029] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1031 = llvm.load %1030 : !llvm.ptr -> f16
    %1032 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %1033 = llvm.add %962, %1032 overflow<nsw, nuw> : i64
    %1034 = llvm.add %1033, %955 overflow<nsw, nuw> : i64
    %1035 = llvm.add %1034, %939 overflow<nsw, nuw> : i64
    %1036 = llvm.add %1035, %54 overflow<nsw, nuw> : i64
    %1037 = llvm.getelementptr inbounds|nuw %441[%1036] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1038 = llvm.load %1037 : !llvm.ptr -> f16
    %1039 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %1040 = llvm.add %962, %1039 overflow<nsw, nuw> : i64
    %1041 = llvm.add %1040, %955 overflow<nsw, nuw> : i64
    %1042 = llvm.add %1041, %939 overflow<nsw, nuw> : i64
    %1043 = llvm.add %1042, %54 overflow<nsw, nuw> : i64
    %1044 = llvm.getelementptr inbounds|nuw %441[%1043] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1045 = llvm.load %1044 : !llvm.ptr -> f16
    %1046 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %1047 = llvm.add %962, %1046 overflow<nsw, nuw> : i64
    %1048 = llvm.add %1047, %955 overflow<nsw, nuw> : i64
    %1049 = llvm.add %1048, %939 overflow<nsw, nuw> : i64
    %1050 = llvm.add %1049, %54 overflow<nsw, nuw> : i64
    %1051 = llvm.getelementptr inbounds|nuw %441[%1050] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1052 = llvm.load %1051 : !llvm.ptr -> f16
    %1053 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %1054 = llvm.add %962, %1053 overflow<nsw, nuw> : i64
    %1055 = llvm.add %1054, %955 overflow<nsw, nuw> : i64
    %1056 = llvm.add %1055, %939 overflow<nsw, nuw> : i64
    %1057 = llvm.add %1056, %54 overflow<nsw, nuw> : i64
    %1058 = llvm.getelementptr inbounds|nuw %441[%1057] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1059 = llvm.load %1058 : !llvm.ptr -> f16
    %1060 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %1061 = llvm.add %962, %1060 overflow<nsw, nuw> : i64
    %1062 = llvm.add %1061, %955 overflow<nsw, nuw> : i64
    %1063 = llvm.add %1062, %939 overflow<nsw, nuw> : i64
    %1064 = llvm.add %1063, %54 overflow<nsw, nuw> : i64
    %1065 = llvm.getelementptr inbounds|nuw %441[%1064] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1066 = llvm.load %1065 : !llvm.ptr -> f16
    %1067 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %1068 = llvm.add %962, %1067 overflow<nsw, nuw> : i64
    %1069 = llvm.add %1068, %955 overflow<nsw, nuw> : i64
    %1070 = llvm.add %1069, %939 overflow<nsw, nuw> : i64
    %1071 = llvm.add %1070, %54 overflow<nsw, nuw> : i64
    %1072 = llvm.getelementptr inbounds|nuw %441[%1071] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1073 = llvm.load %1072 : !llvm.ptr -> f16
    %1074 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %1075 = llvm.add %962, %1074 overflow<nsw, nuw> : i64
    %1076 = llvm.add %1075, %955 overflow<nsw, nuw> : i64
    %1077 = llvm.add %1076, %939 overflow<nsw, nuw> : i64
    %1078 = llvm.add %1077, %54 overflow<nsw, nuw> : i64
    %1079 = llvm.getelementptr inbounds|nuw %441[%1078] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1080 = llvm.load %1079 : !llvm.ptr -> f16
    %1081 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %1082 = llvm.add %962, %1081 overflow<nsw, nuw> : i64
    %1083 = llvm.add %1082, %955 overflow<nsw, nuw> : i64
    %1084 = llvm.add %1083, %939 overflow<nsw, nuw> : i64
    %1085 = llvm.add %1084, %54 overflow<nsw, nuw> : i64
    %1086 = llvm.getelementptr inbounds|nuw %441[%1085] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1087 = llvm.load %1086 : !llvm.ptr -> f16
    %1088 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %1089 = llvm.add %962, %1088 overflow<nsw, nuw> : i64
    %1090 = llvm.add %1089, %955 overflow<nsw, nuw> : i64
    %1091 = llvm.add %1090, %939 overflow<nsw, nuw> : i64
    %1092 = llvm.add %1091, %54 overflow<nsw, nuw> : i64
    %1093 = llvm.getelementptr inbounds|nuw %441[%1092] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1094 = llvm.load %1093 : !llvm.ptr -> f16
    %1095 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %1096 = llvm.add %962, %1095 overflow<nsw, nuw> : i64
    %1097 = llvm.add %1096, %955 overflow<nsw, nuw> : i64
    %1098 = llvm.add %1097, %939 overflow<nsw, nuw> : i64
    %1099 = llvm.add %1098, %54 overflow<nsw, nuw> : i64
    %1100 = llvm.getelementptr inbounds|nuw %441[%1099] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1101 = llvm.load %1100 : !llvm.ptr -> f16
    %1102 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %1103 = llvm.add %962, %1102 overflow<nsw, nuw> : i64
    %1104 = llvm.add %1103, %955 overflow<nsw, nuw> : i64
    %1105 = llvm.add %1104, %939 overflow<nsw, nuw> : i64
    %1106 = llvm.add %1105, %54 overflow<nsw, nuw> : i64
    %1107 = llvm.getelementptr inbounds|nuw %441[%1106] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1108 = llvm.load %1107 : !llvm.ptr -> f16
    %1109 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %1110 = llvm.add %962, %1109 overflow<nsw, nuw> : i64
    %1111 = llvm.add %1110, %955 overflow<nsw, nuw> : i64
    %1112 = llvm.add %1111, %939 overflow<nsw, nuw> : i64
    %1113 = llvm.add %1112, %54 overflow<nsw, nuw> : i64
    %1114 = llvm.getelementptr inbounds|nuw %441[%1113] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1115 = llvm.load %1114 : !llvm.ptr -> f16
    %1116 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %1117 = llvm.add %962, %1116 overflow<nsw, nuw> : i64
    %1118 = llvm.add %1117, %955 overflow<nsw, nuw> : i64
    %1119 = llvm.add %1118, %939 overflow<nsw, nuw> : i64
    %1120 = llvm.add %1119, %54 overflow<nsw, nuw> : i64
    %1121 = llvm.getelementptr inbounds|nuw %441[%1120] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1122 = llvm.load %1121 : !llvm.ptr -> f16
    %1123 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %1124 = llvm.add %962, %1123 overflow<nsw, nuw> : i64
    %1125 = llvm.add %1124, %955 overflow<nsw, nuw> : i64
    %1126 = llvm.add %1125, %939 overflow<nsw, nuw> : i64
    %1127 = llvm.add %1126, %54 overflow<nsw, nuw> : i64
    %1128 = llvm.getelementptr inbounds|nuw %441[%1127] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1129 = llvm.load %1128 : !llvm.ptr -> f16
    %1130 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %1131 = llvm.add %962, %1130 overflow<nsw, nuw> : i64
    %1132 = llvm.add %1131, %955 overflow<nsw, nuw> : i64
    %1133 = llvm.add %1132, %939 overflow<nsw, nuw> : i64
    %1134 = llvm.add %1133, %54 overflow<nsw, nuw> : i64
    %1135 = llvm.getelementptr inbounds|nuw %441[%1134] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1136 = llvm.load %1135 : !llvm.ptr -> f16
    %1137 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %1138 = llvm.add %962, %1137 overflow<nsw, nuw> : i64
    %1139 = llvm.add %1138, %955 overflow<nsw, nuw> : i64
    %1140 = llvm.add %1139, %939 overflow<nsw, nuw> : i64
    %1141 = llvm.add %1140, %54 overflow<nsw, nuw> : i64
    %1142 = llvm.getelementptr inbounds|nuw %441[%1141] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1143 = llvm.load %1142 : !llvm.ptr -> f16
    %1144 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %1145 = llvm.add %962, %1144 overflow<nsw, nuw> : i64
    %1146 = llvm.add %1145, %955 overflow<nsw, nuw> : i64
    %1147 = llvm.add %1146, %939 overflow<nsw, nuw> : i64
    %1148 = llvm.add %1147, %54 overflow<nsw, nuw> : i64
    %1149 = llvm.getelementptr inbounds|nuw %441[%1148] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1150 = llvm.load %1149 : !llvm.ptr -> f16
    %1151 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %1152 = llvm.add %962, %1151 overflow<nsw, nuw> : i64
    %1153 = llvm.add %1152, %955 overflow<nsw, nuw> : i64
    %1154 = llvm.add %1153, %939 overflow<nsw, nuw> : i64
    %1155 = llvm.add %1154, %54 overflow<nsw, nuw> : i64
    %1156 = llvm.getelementptr inbounds|nuw %441[%1155] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1157 = llvm.load %1156 : !llvm.ptr -> f16
    %1158 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %1159 = llvm.add %962, %1158 overflow<nsw, nuw> : i64
    %1160 = llvm.add %1159, %955 overflow<nsw, nuw> : i64
    %1161 = llvm.add %1160, %939 overflow<nsw, nuw> : i64
    %1162 = llvm.add %1161, %54 overflow<nsw, nuw> : i64
    %1163 = llvm.getelementptr inbounds|nuw %441[%1162] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1164 = llvm.load %1163 : !llvm.ptr -> f16
    %1165 = llvm.mul %62, %60 overflow<nsw, nuw> : i64
    %1166 = llvm.add %962, %1165 overflow<nsw, nuw> : i64
    %1167 = llvm.add %1166, %955 overflow<nsw, nuw> : i64
    %1168 = llvm.add %1167, %939 overflow<nsw, nuw> : i64
    %1169 = llvm.add %1168, %54 overflow<nsw, nuw> : i64
    %1170 = llvm.getelementptr inbounds|nuw %441[%1169] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1171 = llvm.load %1170 : !llvm.ptr -> f16
    %1172 = llvm.mul %97, %60 overflow<nsw, nuw> : i64
    %1173 = llvm.add %962, %1172 overflow<nsw, nuw> : i64
    %1174 = llvm.add %1173, %955 overflow<nsw, nuw> : i64
    %1175 = llvm.add %1174, %939 overflow<nsw, nuw> : i64
    %1176 = llvm.add %1175, %54 overflow<nsw, nuw> : i64
    %1177 = llvm.getelementptr inbounds|nuw %441[%1176] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1178 = llvm.load %1177 : !llvm.ptr -> f16
    %1179 = llvm.mul %98, %60 overflow<nsw, nuw> : i64
    %1180 = llvm.add %962, %1179 overflow<nsw, nuw> : i64
    %1181 = llvm.add %1180, %955 overflow<nsw, nuw> : i64
    %1182 = llvm.add %1181, %939 overflow<nsw, nuw> : i64
    %1183 = llvm.add %1182, %54 overflow<nsw, nuw> : i64
    %1184 = llvm.getelementptr inbounds|nuw %441[%1183] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1185 = llvm.load %1184 : !llvm.ptr -> f16
    %1186 = llvm.insertelement %968, %37[%36 : i64] : vector<32xf16>
    %1187 = llvm.insertelement %975, %1186[%35 : i64] : vector<32xf16>
    %1188 = llvm.insertelement %982, %1187[%34 : i64] : vector<32xf16>
    %1189 = llvm.insertelement %989, %1188[%33 : i64] : vector<32xf16>
    %1190 = llvm.insertelement %996, %1189[%32 : i64] : vector<32xf16>
    %1191 = llvm.insertelement %1003, %1190[%31 : i64] : vector<32xf16>
    %1192 = llvm.insertelement %1010, %1191[%30 : i64] : vector<32xf16>
    %1193 = llvm.insertelement %1017, %1192[%29 : i64] : vector<32xf16>
    %1194 = llvm.insertelement %1024, %1193[%28 : i64] : vector<32xf16>
    %1195 = llvm.insertelement %1031, %1194[%27 : i64] : vector<32xf16>
    %1196 = llvm.insertelement %1038, %1195[%26 : i64] : vector<32xf16>
    %1197 = llvm.insertelement %1045, %1196[%25 : i64] : vector<32xf16>
    %1198 = llvm.insertelement %1052, %1197[%24 : i64] : vector<32xf16>
    %1199 = llvm.insertelement %1059, %1198[%23 : i64] : vector<32xf16>
    %1200 = llvm.insertelement %1066, %1199[%22 : i64] : vector<32xf16>
    %1201 = llvm.insertelement %1073, %1200[%21 : i64] : vector<32xf16>
    %1202 = llvm.insertelement %1080, %1201[%20 : i64] : vector<32xf16>
    %1203 = llvm.insertelement %1087, %1202[%19 : i64] : vector<32xf16>
    %1204 = llvm.insertelement %1094, %1203[%18 : i64] : vector<32xf16>
    %1205 = llvm.insertelement %1101, %1204[%17 : i64] : vector<32xf16>
    %1206 = llvm.insertelement %1108, %1205[%16 : i64] : vector<32xf16>
    %1207 = llvm.insertelement %1115, %1206[%15 : i64] : vector<32xf16>
    %1208 = llvm.insertelement %1122, %1207[%14 : i64] : vector<32xf16>
    %1209 = llvm.insertelement %1129, %1208[%13 : i64] : vector<32xf16>
    %1210 = llvm.insertelement %1136, %1209[%12 : i64] : vector<32xf16>
    %1211 = llvm.insertelement %1143, %1210[%11 : i64] : vector<32xf16>
    %1212 = llvm.insertelement %1150, %1211[%10 : i64] : vector<32xf16>
    %1213 = llvm.insertelement %1157, %1212[%9 : i64] : vector<32xf16>
    %1214 = llvm.insertelement %1164, %1213[%8 : i64] : vector<32xf16>
    %1215 = llvm.insertelement %1171, %1214[%7 : i64] : vector<32xf16>
    %1216 = llvm.insertelement %1178, %1215[%6 : i64] : vector<32xf16>
    %1217 = llvm.insertelement %1185, %1216[%5 : i64] : vector<32xf16>
    %1218 = llvm.insertelement %961, %37[%111 : i32] : vector<32xf16>
    %1219 = llvm.shufflevector %1218, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1220 = llvm.fmul %1219, %1217 : vector<32xf16>
    %1221 = llvm.fadd %940, %1220 : vector<32xf16>
    %1222 = llvm.add %954, %969 overflow<nsw, nuw> : i64
    %1223 = llvm.add %1222, %955 overflow<nsw, nuw> : i64
    %1224 = llvm.add %1223, %939 overflow<nsw, nuw> : i64
    %1225 = llvm.add %1224, %54 overflow<nsw, nuw> : i64
    %1226 = llvm.getelementptr inbounds|nuw %437[%1225] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1227 = llvm.load %1226 : !llvm.ptr -> f16
    %1228 = llvm.insertelement %1227, %37[%111 : i32] : vector<32xf16>
    %1229 = llvm.shufflevector %1228, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1230 = llvm.fmul %1229, %1217 : vector<32xf16>
    %1231 = llvm.fadd %941, %1230 : vector<32xf16>
    %1232 = llvm.add %954, %976 overflow<nsw, nuw> : i64
    %1233 = llvm.add %1232, %955 overflow<nsw, nuw> : i64
    %1234 = llvm.add %1233, %939 overflow<nsw, nuw> : i64
    %1235 = llvm.add %1234, %54 overflow<nsw, nuw> : i64
    %1236 = llvm.getelementptr inbounds|nuw %437[%1235] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1237 = llvm.load %1236 : !llvm.ptr -> f16
    %1238 = llvm.insertelement %1237, %37[%111 : i32] : vector<32xf16>
    %1239 = llvm.shufflevector %1238, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1240 = llvm.fmul %1239, %1217 : vector<32xf16>
    %1241 = llvm.fadd %942, %1240 : vector<32xf16>
    %1242 = llvm.add %954, %983 overflow<nsw, nuw> : i64
    %1243 = llvm.add %1242, %955 overflow<nsw, nuw> : i64
    %1244 = llvm.add %1243, %939 overflow<nsw, nuw> : i64
    %1245 = llvm.add %1244, %54 overflow<nsw, nuw> : i64
    %1246 = llvm.getelementptr inbounds|nuw %437[%1245] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1247 = llvm.load %1246 : !llvm.ptr -> f16
    %1248 = llvm.insertelement %1247, %37[%111 : i32] : vector<32xf16>
    %1249 = llvm.shufflevector %1248, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1250 = llvm.fmul %1249, %1217 : vector<32xf16>
    %1251 = llvm.fadd %943, %1250 : vector<32xf16>
    %1252 = llvm.add %954, %990 overflow<nsw, nuw> : i64
    %1253 = llvm.add %1252, %955 overflow<nsw, nuw> : i64
    %1254 = llvm.add %1253, %939 overflow<nsw, nuw> : i64
    %1255 = llvm.add %1254, %54 overflow<nsw, nuw> : i64
    %1256 = llvm.getelementptr inbounds|nuw %437[%1255] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1257 = llvm.load %1256 : !llvm.ptr -> f16
    %1258 = llvm.insertelement %1257, %37[%111 : i32] : vector<32xf16>
    %1259 = llvm.shufflevector %1258, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1260 = llvm.fmul %1259, %1217 : vector<32xf16>
    %1261 = llvm.fadd %944, %1260 : vector<32xf16>
    %1262 = llvm.add %954, %997 overflow<nsw, nuw> : i64
    %1263 = llvm.add %1262, %955 overflow<nsw, nuw> : i64
    %1264 = llvm.add %1263, %939 overflow<nsw, nuw> : i64
    %1265 = llvm.add %1264, %54 overflow<nsw, nuw> : i64
    %1266 = llvm.getelementptr inbounds|nuw %437[%1265] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1267 = llvm.load %1266 : !llvm.ptr -> f16
    %1268 = llvm.insertelement %1267, %37[%111 : i32] : vector<32xf16>
    %1269 = llvm.shufflevector %1268, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1270 = llvm.fmul %1269, %1217 : vector<32xf16>
    %1271 = llvm.fadd %945, %1270 : vector<32xf16>
    %1272 = llvm.add %954, %1004 overflow<nsw, nuw> : i64
    %1273 = llvm.add %1272, %955 overflow<nsw, nuw> : i64
    %1274 = llvm.add %1273, %939 overflow<nsw, nuw> : i64
    %1275 = llvm.add %1274, %54 overflow<nsw, nuw> : i64
    %1276 = llvm.getelementptr inbounds|nuw %437[%1275] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1277 = llvm.load %1276 : !llvm.ptr -> f16
    %1278 = llvm.insertelement %1277, %37[%111 : i32] : vector<32xf16>
    %1279 = llvm.shufflevector %1278, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1280 = llvm.fmul %1279, %1217 : vector<32xf16>
    %1281 = llvm.fadd %946, %1280 : vector<32xf16>
    %1282 = llvm.add %954, %1011 overflow<nsw, nuw> : i64
    %1283 = llvm.add %1282, %955 overflow<nsw, nuw> : i64
    %1284 = llvm.add %1283, %939 overflow<nsw, nuw> : i64
    %1285 = llvm.add %1284, %54 overflow<nsw, nuw> : i64
    %1286 = llvm.getelementptr inbounds|nuw %437[%1285] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1287 = llvm.load %1286 : !llvm.ptr -> f16
    %1288 = llvm.insertelement %1287, %37[%111 : i32] : vector<32xf16>
    %1289 = llvm.shufflevector %1288, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1290 = llvm.fmul %1289, %1217 : vector<32xf16>
    %1291 = llvm.fadd %947, %1290 : vector<32xf16>
    %1292 = llvm.add %954, %1018 overflow<nsw, nuw> : i64
    %1293 = llvm.add %1292, %955 overflow<nsw, nuw> : i64
    %1294 = llvm.add %1293, %939 overflow<nsw, nuw> : i64
    %1295 = llvm.add %1294, %54 overflow<nsw, nuw> : i64
    %1296 = llvm.getelementptr inbounds|nuw %437[%1295] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1297 = llvm.load %1296 : !llvm.ptr -> f16
    %1298 = llvm.insertelement %1297, %37[%111 : i32] : vector<32xf16>
    %1299 = llvm.shufflevector %1298, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1300 = llvm.fmul %1299, %1217 : vector<32xf16>
    %1301 = llvm.fadd %948, %1300 : vector<32xf16>
    %1302 = llvm.add %954, %1025 overflow<nsw, nuw> : i64
    %1303 = llvm.add %1302, %955 overflow<nsw, nuw> : i64
    %1304 = llvm.add %1303, %939 overflow<nsw, nuw> : i64
    %1305 = llvm.add %1304, %54 overflow<nsw, nuw> : i64
    %1306 = llvm.getelementptr inbounds|nuw %437[%1305] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1307 = llvm.load %1306 : !llvm.ptr -> f16
    %1308 = llvm.insertelement %1307, %37[%111 : i32] : vector<32xf16>
    %1309 = llvm.shufflevector %1308, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1310 = llvm.fmul %1309, %1217 : vector<32xf16>
    %1311 = llvm.fadd %949, %1310 : vector<32xf16>
    %1312 = llvm.add %954, %1032 overflow<nsw, nuw> : i64
    %1313 = llvm.add %1312, %955 overflow<nsw, nuw> : i64
    %1314 = llvm.add %1313, %939 overflow<nsw, nuw> : i64
    %1315 = llvm.add %1314, %54 overflow<nsw, nuw> : i64
    %1316 = llvm.getelementptr inbounds|nuw %437[%1315] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1317 = llvm.load %1316 : !llvm.ptr -> f16
    %1318 = llvm.insertelement %1317, %37[%111 : i32] : vector<32xf16>
    %1319 = llvm.shufflevector %1318, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1320 = llvm.fmul %1319, %1217 : vector<32xf16>
    %1321 = llvm.fadd %950, %1320 : vector<32xf16>
    %1322 = llvm.add %954, %1039 overflow<nsw, nuw> : i64
    %1323 = llvm.add %1322, %955 overflow<nsw, nuw> : i64
    %1324 = llvm.add %1323, %939 overflow<nsw, nuw> : i64
    %1325 = llvm.add %1324, %54 overflow<nsw, nuw> : i64
    %1326 = llvm.getelementptr inbounds|nuw %437[%1325] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1327 = llvm.load %1326 : !llvm.ptr -> f16
    %1328 = llvm.insertelement %1327, %37[%111 : i32] : vector<32xf16>
    %1329 = llvm.shufflevector %1328, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1330 = llvm.fmul %1329, %1217 : vector<32xf16>
    %1331 = llvm.fadd %951, %1330 : vector<32xf16>
    %1332 = llvm.add %954, %1046 overflow<nsw, nuw> : i64
    %1333 = llvm.add %1332, %955 overflow<nsw, nuw> : i64
    %1334 = llvm.add %1333, %939 overflow<nsw, nuw> : i64
    %1335 = llvm.add %1334, %54 overflow<nsw, nuw> : i64
    %1336 = llvm.getelementptr inbounds|nuw %437[%1335] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1337 = llvm.load %1336 : !llvm.ptr -> f16
    %1338 = llvm.insertelement %1337, %37[%111 : i32] : vector<32xf16>
    %1339 = llvm.shufflevector %1338, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1340 = llvm.fmul %1339, %1217 : vector<32xf16>
    %1341 = llvm.fadd %952, %1340 : vector<32xf16>
    %1342 = llvm.add %939, %52 : i64
    llvm.br ^bb171(%1342, %1221, %1231, %1241, %1251, %1261, %1271, %1281, %1291, %1301, %1311, %1321, %1331, %1341 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb173:  // pred: ^bb171
    %1343 = llvm.mul %54, %39 : i64
    %1344 = llvm.add %1343, %1343 : i64
    %1345 = llvm.mul %54, %88 : i64
    %1346 = llvm.add %1344, %1345 : i64
    %1347 = llvm.add %1346, %54 : i64
    %1348 = llvm.getelementptr %447[%1347] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %940, %1348 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1349 = llvm.mul %52, %88 : i64
    %1350 = llvm.add %1344, %1349 : i64
    %1351 = llvm.add %1350, %54 : i64
    %1352 = llvm.getelementptr %447[%1351] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %941, %1352 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1353 = llvm.mul %53, %88 : i64
    %1354 = llvm.add %1344, %1353 : i64
    %1355 = llvm.add %1354, %54 : i64
    %1356 = llvm.getelementptr %447[%1355] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %942, %1356 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1357 = llvm.mul %66, %88 : i64
    %1358 = llvm.add %1344, %1357 : i64
    %1359 = llvm.add %1358, %54 : i64
    %1360 = llvm.getelementptr %447[%1359] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %943, %1360 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1361 = llvm.mul %65, %88 : i64
    %1362 = llvm.add %1344, %1361 : i64
    %1363 = llvm.add %1362, %54 : i64
    %1364 = llvm.getelementptr %447[%1363] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %944, %1364 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1365 = llvm.mul %67, %88 : i64
    %1366 = llvm.add %1344, %1365 : i64
    %1367 = llvm.add %1366, %54 : i64
    %1368 = llvm.getelementptr %447[%1367] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %945, %1368 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1369 = llvm.mul %68, %88 : i64
    %1370 = llvm.add %1344, %1369 : i64
    %1371 = llvm.add %1370, %54 : i64
    %1372 = llvm.getelementptr %447[%1371] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %946, %1372 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1373 = llvm.mul %69, %88 : i64
    %1374 = llvm.add %1344, %1373 : i64
    %1375 = llvm.add %1374, %54 : i64
    %1376 = llvm.getelementptr %447[%1375] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %947, %1376 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1377 = llvm.mul %60, %88 : i64
    %1378 = llvm.add %1344, %1377 : i64
    %1379 = llvm.add %1378, %54 : i64
    %1380 = llvm.getelementptr %447[%1379] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %948, %1380 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1381 = llvm.mul %70, %88 : i64
    %1382 = llvm.add %1344, %1381 : i64
    %1383 = llvm.add %1382, %54 : i64
    %1384 = llvm.getelementptr %447[%1383] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %949, %1384 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1385 = llvm.mul %71, %88 : i64
    %1386 = llvm.add %1344, %1385 : i64
    %1387 = llvm.add %1386, %54 : i64
    %1388 = llvm.getelementptr %447[%1387] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %950, %1388 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1389 = llvm.mul %72, %88 : i64
    %1390 = llvm.add %1344, %1389 : i64
    %1391 = llvm.add %1390, %54 : i64
    %1392 = llvm.getelementptr %447[%1391] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %951, %1392 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %1393 = llvm.mul %64, %88 : i64
    %1394 = llvm.add %1344, %1393 : i64
    %1395 = llvm.add %1394, %54 : i64
    %1396 = llvm.getelementptr %447[%1395] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %952, %1396 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    llvm.br ^bb174(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb174(%1397: i64, %1398: vector<32xf16>, %1399: vector<32xf16>, %1400: vector<32xf16>, %1401: vector<32xf16>, %1402: vector<32xf16>, %1403: vector<32xf16>, %1404: vector<32xf16>, %1405: vector<32xf16>, %1406: vector<32xf16>, %1407: vector<32xf16>, %1408: vector<32xf16>, %1409: vector<32xf16>, %1410: vector<32xf16>):  // 2 preds: ^bb173, ^bb175
    %1411 = llvm.icmp "slt" %1397, %60 : i64
    llvm.cond_br %1411, ^bb175, ^bb176
  ^bb175:  // pred: ^bb174
    %1412 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %1413 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %1414 = llvm.add %1412, %1413 overflow<nsw, nuw> : i64
    %1415 = llvm.add %1414, %1413 overflow<nsw, nuw> : i64
    %1416 = llvm.add %1415, %1397 overflow<nsw, nuw> : i64
    %1417 = llvm.add %1416, %54 overflow<nsw, nuw> : i64
    %1418 = llvm.getelementptr inbounds|nuw %437[%1417] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1419 = llvm.load %1418 : !llvm.ptr -> f16
    %1420 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %1421 = llvm.mul %87, %60 overflow<nsw, nuw> : i64
    %1422 = llvm.add %1420, %1421 overflow<nsw, nuw> : i64
    %1423 = llvm.add %1422, %1413 overflow<nsw, nuw> : i64
    %1424 = llvm.add %1423, %1397 overflow<nsw, nuw> : i64
    %1425 = llvm.add %1424, %54 overflow<nsw, nuw> : i64
    %1426 = llvm.getelementptr inbounds|nuw %441[%1425] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1427 = llvm.load %1426 : !llvm.ptr -> f16
    %1428 = llvm.mul %99, %60 overflow<nsw, nuw> : i64
    %1429 = llvm.add %1420, %1428 overflow<nsw, nuw> : i64
    %1430 = llvm.add %1429, %1413 overflow<nsw, nuw> : i64
    %1431 = llvm.add %1430, %1397 overflow<nsw, nuw> : i64
    %1432 = llvm.add %1431, %54 overflow<nsw, nuw> : i64
    %1433 = llvm.getelementptr inbounds|nuw %441[%1432] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1434 = llvm.load %1433 : !llvm.ptr -> f16
    %1435 = llvm.mul %100, %60 overflow<nsw, nuw> : i64
    %1436 = llvm.add %1420, %1435 overflow<nsw, nuw> : i64
    %1437 = llvm.add %1436, %1413 overflow<nsw, nuw> : i64
    %1438 = llvm.add %1437, %1397 overflow<nsw, nuw> : i64
    %1439 = llvm.add %1438, %54 overflow<nsw, nuw> : i64
    %1440 = llvm.getelementptr inbounds|nuw %441[%1439] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1441 = llvm.load %1440 : !llvm.ptr -> f16
    %1442 = llvm.mul %101, %60 overflow<nsw, nuw> : i64
    %1443 = llvm.add %1420, %1442 overflow<nsw, nuw> : i64
    %1444 = llvm.add %1443, %1413 overflow<nsw, nuw> : i64
    %1445 = llvm.add %1444, %1397 overflow<nsw, nuw> : i64
    %1446 = llvm.add %1445, %54 overflow<nsw, nuw> : i64
    %1447 = llvm.getelementptr inbounds|nuw %441[%1446] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1448 = llvm.load %1447 : !llvm.ptr -> f16
    %1449 = llvm.mul %102, %60 overflow<nsw, nuw> : i64
    %1450 = llvm.add %1420, %1449 overflow<nsw, nuw> : i64
    %1451 = llvm.add %1450, %1413 overflow<nsw, nuw> : i64
    %1452 = llvm.add %1451, %1397 overflow<nsw, nuw> : i64
    %1453 = llvm.add %1452, %54 overflow<nsw, nuw> : i64
    %1454 = llvm.getelementptr inbounds|nuw %441[%1453] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1455 = llvm.load %1454 : !llvm.ptr -> f16
    %1456 = llvm.mul %103, %60 overflow<nsw, nuw> : i64
    %1457 = llvm.add %1420, %1456 overflow<nsw, nuw> : i64
    %1458 = llvm.add %1457, %1413 overflow<nsw, nuw> : i64
    %1459 = llvm.add %1458, %1397 overflow<nsw, nuw> : i64
    %1460 = llvm.add %1459, %54 overflow<nsw, nuw> : i64
    %1461 = llvm.getelementptr inbounds|nuw %441[%1460] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1462 = llvm.load %1461 : !llvm.ptr -> f16
    %1463 = llvm.mul %104, %60 overflow<nsw, nuw> : i64
    %1464 = llvm.add %1420, %1463 overflow<nsw, nuw> : i64
    %1465 = llvm.add %1464, %1413 overflow<nsw, nuw> : i64
    %1466 = llvm.add %1465, %1397 overflow<nsw, nuw> : i64
    %1467 = llvm.add %1466, %54 overflow<nsw, nuw> : i64
    %1468 = llvm.getelementptr inbounds|nuw %441[%1467] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1469 = llvm.load %1468 : !llvm.ptr -> f16
    %1470 = llvm.mul %105, %60 overflow<nsw, nuw> : i64
    %1471 = llvm.add %1420, %1470 overflow<nsw, nuw> : i64
    %1472 = llvm.add %1471, %1413 overflow<nsw, nuw> : i64
    %1473 = llvm.add %1472, %1397 overflow<nsw, nuw> : i64
    %1474 = llvm.add %1473, %54 overflow<nsw, nuw> : i64
    %1475 = llvm.getelementptr inbounds|nuw %441[%1474] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1476 = llvm.load %1475 : !llvm.ptr -> f16
    %1477 = llvm.mul %106, %60 overflow<nsw, nuw> : i64
    %1478 = llvm.add %1420, %1477 overflow<nsw, nuw> : i64
    %1479 = llvm.add %1478, %1413 overflow<nsw, nuw> : i64
    %1480 = llvm.add %1479, %1397 overflow<nsw, nuw> : i64
    %1481 = llvm.add %1480, %54 overflow<nsw, nuw> : i64
    %1482 = llvm.getelementptr inbounds|nuw %441[%1481] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1483 = llvm.load %1482 : !llvm.ptr -> f16
    %1484 = llvm.mul %107, %60 overflow<nsw, nuw> : i64
    %1485 = llvm.add %1420, %1484 overflow<nsw, nuw> : i64
    %1486 = llvm.add %1485, %1413 overflow<nsw, nuw> : i64
    %1487 = llvm.add %1486, %1397 overflow<nsw, nuw> : i64
    %1488 = llvm.add %1487, %54 overflow<nsw, nuw> : i64
    %1489 = llvm.getelementptr inbounds|nuw %441[%1488] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1490 = llvm.load %1489 : !llvm.ptr -> f16
    %1491 = llvm.insertelement %1427, %37[%36 : i64] : vector<32xf16>
    %1492 = llvm.insertelement %1434, %1491[%35 : i64] : vector<32xf16>
    %1493 = llvm.insertelement %1441, %1492[%34 : i64] : vector<32xf16>
    %1494 = llvm.insertelement %1448, %1493[%33 : i64] : vector<32xf16>
    %1495 = llvm.insertelement %1455, %1494[%32 : i64] : vector<32xf16>
    %1496 = llvm.insertelement %1462, %1495[%31 : i64] : vector<32xf16>
    %1497 = llvm.insertelement %1469, %1496[%30 : i64] : vector<32xf16>
    %1498 = llvm.insertelement %1476, %1497[%29 : i64] : vector<32xf16>
    %1499 = llvm.insertelement %1483, %1498[%28 : i64] : vector<32xf16>
    %1500 = llvm.insertelement %1490, %1499[%27 : i64] : vector<32xf16>
    %1501 = llvm.insertelement %1490, %1500[%26 : i64] : vector<32xf16>
    %1502 = llvm.insertelement %1490, %1501[%25 : i64] : vector<32xf16>
    %1503 = llvm.insertelement %1490, %1502[%24 : i64] : vector<32xf16>
    %1504 = llvm.insertelement %1490, %1503[%23 : i64] : vector<32xf16>
    %1505 = llvm.insertelement %1490, %1504[%22 : i64] : vector<32xf16>
    %1506 = llvm.insertelement %1490, %1505[%21 : i64] : vector<32xf16>
    %1507 = llvm.insertelement %1490, %1506[%20 : i64] : vector<32xf16>
    %1508 = llvm.insertelement %1490, %1507[%19 : i64] : vector<32xf16>
    %1509 = llvm.insertelement %1490, %1508[%18 : i64] : vector<32xf16>
    %1510 = llvm.insertelement %1490, %1509[%17 : i64] : vector<32xf16>
    %1511 = llvm.insertelement %1490, %1510[%16 : i64] : vector<32xf16>
    %1512 = llvm.insertelement %1490, %1511[%15 : i64] : vector<32xf16>
    %1513 = llvm.insertelement %1490, %1512[%14 : i64] : vector<32xf16>
    %1514 = llvm.insertelement %1490, %1513[%13 : i64] : vector<32xf16>
    %1515 = llvm.insertelement %1490, %1514[%12 : i64] : vector<32xf16>
    %1516 = llvm.insertelement %1490, %1515[%11 : i64] : vector<32xf16>
    %1517 = llvm.insertelement %1490, %1516[%10 : i64] : vector<32xf16>
    %1518 = llvm.insertelement %1490, %1517[%9 : i64] : vector<32xf16>
    %1519 = llvm.insertelement %1490, %1518[%8 : i64] : vector<32xf16>
    %1520 = llvm.insertelement %1490, %1519[%7 : i64] : vector<32xf16>
    %1521 = llvm.insertelement %1490, %1520[%6 : i64] : vector<32xf16>
    %1522 = llvm.insertelement %1490, %1521[%5 : i64] : vector<32xf16>
    %1523 = llvm.insertelement %1419, %37[%111 : i32] : vector<32xf16>
    %1524 = llvm.shufflevector %1523, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1525 = llvm.fmul %1524, %1522 : vector<32xf16>
    %1526 = llvm.fadd %1398, %1525 : vector<32xf16>
    %1527 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %1528 = llvm.add %1412, %1527 overflow<nsw, nuw> : i64
    %1529 = llvm.add %1528, %1413 overflow<nsw, nuw> : i64
    %1530 = llvm.add %1529, %1397 overflow<nsw, nuw> : i64
    %1531 = llvm.add %1530, %54 overflow<nsw, nuw> : i64
    %1532 = llvm.getelementptr inbounds|nuw %437[%1531] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1533 = llvm.load %1532 : !llvm.ptr -> f16
    %1534 = llvm.insertelement %1533, %37[%111 : i32] : vector<32xf16>
    %1535 = llvm.shufflevector %1534, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1536 = llvm.fmul %1535, %1522 : vector<32xf16>
    %1537 = llvm.fadd %1399, %1536 : vector<32xf16>
    %1538 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %1539 = llvm.add %1412, %1538 overflow<nsw, nuw> : i64
    %1540 = llvm.add %1539, %1413 overflow<nsw, nuw> : i64
    %1541 = llvm.add %1540, %1397 overflow<nsw, nuw> : i64
    %1542 = llvm.add %1541, %54 overflow<nsw, nuw> : i64
    %1543 = llvm.getelementptr inbounds|nuw %437[%1542] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1544 = llvm.load %1543 : !llvm.ptr -> f16
    %1545 = llvm.insertelement %1544, %37[%111 : i32] : vector<32xf16>
    %1546 = llvm.shufflevector %1545, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1547 = llvm.fmul %1546, %1522 : vector<32xf16>
    %1548 = llvm.fadd %1400, %1547 : vector<32xf16>
    %1549 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %1550 = llvm.add %1412, %1549 overflow<nsw, nuw> : i64
    %1551 = llvm.add %1550, %1413 overflow<nsw, nuw> : i64
    %1552 = llvm.add %1551, %1397 overflow<nsw, nuw> : i64
    %1553 = llvm.add %1552, %54 overflow<nsw, nuw> : i64
    %1554 = llvm.getelementptr inbounds|nuw %437[%1553] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1555 = llvm.load %1554 : !llvm.ptr -> f16
    %1556 = llvm.insertelement %1555, %37[%111 : i32] : vector<32xf16>
    %1557 = llvm.shufflevector %1556, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1558 = llvm.fmul %1557, %1522 : vector<32xf16>
    %1559 = llvm.fadd %1401, %1558 : vector<32xf16>
    %1560 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %1561 = llvm.add %1412, %1560 overflow<nsw, nuw> : i64
    %1562 = llvm.add %1561, %1413 overflow<nsw, nuw> : i64
    %1563 = llvm.add %1562, %1397 overflow<nsw, nuw> : i64
    %1564 = llvm.add %1563, %54 overflow<nsw, nuw> : i64
    %1565 = llvm.getelementptr inbounds|nuw %437[%1564] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1566 = llvm.load %1565 : !llvm.ptr -> f16
    %1567 = llvm.insertelement %1566, %37[%111 : i32] : vector<32xf16>
    %1568 = llvm.shufflevector %1567, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1569 = llvm.fmul %1568, %1522 : vector<32xf16>
    %1570 = llvm.fadd %1402, %1569 : vector<32xf16>
    %1571 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %1572 = llvm.add %1412, %1571 overflow<nsw, nuw> : i64
    %1573 = llvm.add %1572, %1413 overflow<nsw, nuw> : i64
    %1574 = llvm.add %1573, %1397 overflow<nsw, nuw> : i64
    %1575 = llvm.add %1574, %54 overflow<nsw, nuw> : i64
    %1576 = llvm.getelementptr inbounds|nuw %437[%1575] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1577 = llvm.load %1576 : !llvm.ptr -> f16
    %1578 = llvm.insertelement %1577, %37[%111 : i32] : vector<32xf16>
    %1579 = llvm.shufflevector %1578, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1580 = llvm.fmul %1579, %1522 : vector<32xf16>
    %1581 = llvm.fadd %1403, %1580 : vector<32xf16>
    %1582 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %1583 = llvm.add %1412, %1582 overflow<nsw, nuw> : i64
    %1584 = llvm.add %1583, %1413 overflow<nsw, nuw> : i64
    %1585 = llvm.add %1584, %1397 overflow<nsw, nuw> : i64
    %1586 = llvm.add %1585, %54 overflow<nsw, nuw> : i64
    %1587 = llvm.getelementptr inbounds|nuw %437[%1586] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1588 = llvm.load %1587 : !llvm.ptr -> f16
    %1589 = llvm.insertelement %1588, %37[%111 : i32] : vector<32xf16>
    %1590 = llvm.shufflevector %1589, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1591 = llvm.fmul %1590, %1522 : vector<32xf16>
    %1592 = llvm.fadd %1404, %1591 : vector<32xf16>
    %1593 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %1594 = llvm.add %1412, %1593 overflow<nsw, nuw> : i64
    %1595 = llvm.add %1594, %1413 overflow<nsw, nuw> : i64
    %1596 = llvm.add %1595, %1397 overflow<nsw, nuw> : i64
    %1597 = llvm.add %1596, %54 overflow<nsw, nuw> : i64
    %1598 = llvm.getelementptr inbounds|nuw %437[%1597] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1599 = llvm.load %1598 : !llvm.ptr -> f16
    %1600 = llvm.insertelement %1599, %37[%111 : i32] : vector<32xf16>
    %1601 = llvm.shufflevector %1600, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1602 = llvm.fmul %1601, %1522 : vector<32xf16>
    %1603 = llvm.fadd %1405, %1602 : vector<32xf16>
    %1604 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %1605 = llvm.add %1412, %1604 overflow<nsw, nuw> : i64
    %1606 = llvm.add %1605, %1413 overflow<nsw, nuw> : i64
    %1607 = llvm.add %1606, %1397 overflow<nsw, nuw> : i64
    %1608 = llvm.add %1607, %54 overflow<nsw, nuw> : i64
    %1609 = llvm.getelementptr inbounds|nuw %437[%1608] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1610 = llvm.load %1609 : !llvm.ptr -> f16
    %1611 = llvm.insertelement %1610, %37[%111 : i32] : vector<32xf16>
    %1612 = llvm.shufflevector %1611, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1613 = llvm.fmul %1612, %1522 : vector<32xf16>
    %1614 = llvm.fadd %1406, %1613 : vector<32xf16>
    %1615 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %1616 = llvm.add %1412, %1615 overflow<nsw, nuw> : i64
    %1617 = llvm.add %1616, %1413 overflow<nsw, nuw> : i64
    %1618 = llvm.add %1617, %1397 overflow<nsw, nuw> : i64
    %1619 = llvm.add %1618, %54 overflow<nsw, nuw> : i64
    %1620 = llvm.getelementptr inbounds|nuw %437[%1619] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1621 = llvm.load %1620 : !llvm.ptr -> f16
    %1622 = llvm.insertelement %1621, %37[%111 : i32] : vector<32xf16>
    %1623 = llvm.shufflevector %1622, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1624 = llvm.fmul %1623, %1522 : vector<32xf16>
    %1625 = llvm.fadd %1407, %1624 : vector<32xf16>
    %1626 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %1627 = llvm.add %1412, %1626 overflow<nsw, nuw> : i64
    %1628 = llvm.add %1627, %1413 overflow<nsw, nuw> : i64
    %1629 = llvm.add %1628, %1397 overflow<nsw, nuw> : i64
    %1630 = llvm.add %1629, %54 overflow<nsw, nuw> : i64
    %1631 = llvm.getelementptr inbounds|nuw %437[%1630] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1632 = llvm.load %1631 : !llvm.ptr -> f16
    %1633 = llvm.insertelement %1632, %37[%111 : i32] : vector<32xf16>
    %1634 = llvm.shufflevector %1633, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1635 = llvm.fmul %1634, %1522 : vector<32xf16>
    %1636 = llvm.fadd %1408, %1635 : vector<32xf16>
    %1637 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %1638 = llvm.add %1412, %1637 overflow<nsw, nuw> : i64
    %1639 = llvm.add %1638, %1413 overflow<nsw, nuw> : i64
    %1640 = llvm.add %1639, %1397 overflow<nsw, nuw> : i64
    %1641 = llvm.add %1640, %54 overflow<nsw, nuw> : i64
    %1642 = llvm.getelementptr inbounds|nuw %437[%1641] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1643 = llvm.load %1642 : !llvm.ptr -> f16
    %1644 = llvm.insertelement %1643, %37[%111 : i32] : vector<32xf16>
    %1645 = llvm.shufflevector %1644, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1646 = llvm.fmul %1645, %1522 : vector<32xf16>
    %1647 = llvm.fadd %1409, %1646 : vector<32xf16>
    %1648 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %1649 = llvm.add %1412, %1648 overflow<nsw, nuw> : i64
    %1650 = llvm.add %1649, %1413 overflow<nsw, nuw> : i64
    %1651 = llvm.add %1650, %1397 overflow<nsw, nuw> : i64
    %1652 = llvm.add %1651, %54 overflow<nsw, nuw> : i64
    %1653 = llvm.getelementptr inbounds|nuw %437[%1652] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1654 = llvm.load %1653 : !llvm.ptr -> f16
    %1655 = llvm.insertelement %1654, %37[%111 : i32] : vector<32xf16>
    %1656 = llvm.shufflevector %1655, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1657 = llvm.fmul %1656, %1522 : vector<32xf16>
    %1658 = llvm.fadd %1410, %1657 : vector<32xf16>
    %1659 = llvm.add %1397, %52 : i64
    llvm.br ^bb174(%1659, %1526, %1537, %1548, %1559, %1570, %1581, %1592, %1603, %1614, %1625, %1636, %1647, %1658 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb176:  // pred: ^bb174
    %1660 = llvm.add %1346, %87 : i64
    %1661 = llvm.getelementptr %447[%1660] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1398, %1661, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1662 = llvm.add %1350, %87 : i64
    %1663 = llvm.getelementptr %447[%1662] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1399, %1663, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1664 = llvm.add %1354, %87 : i64
    %1665 = llvm.getelementptr %447[%1664] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1400, %1665, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1666 = llvm.add %1358, %87 : i64
    %1667 = llvm.getelementptr %447[%1666] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1401, %1667, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1668 = llvm.add %1362, %87 : i64
    %1669 = llvm.getelementptr %447[%1668] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1402, %1669, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1670 = llvm.add %1366, %87 : i64
    %1671 = llvm.getelementptr %447[%1670] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1403, %1671, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1672 = llvm.add %1370, %87 : i64
    %1673 = llvm.getelementptr %447[%1672] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1404, %1673, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1674 = llvm.add %1374, %87 : i64
    %1675 = llvm.getelementptr %447[%1674] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1405, %1675, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1676 = llvm.add %1378, %87 : i64
    %1677 = llvm.getelementptr %447[%1676] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1406, %1677, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1678 = llvm.add %1382, %87 : i64
    %1679 = llvm.getelementptr %447[%1678] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1407, %1679, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1680 = llvm.add %1386, %87 : i64
    %1681 = llvm.getelementptr %447[%1680] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1408, %1681, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1682 = llvm.add %1390, %87 : i64
    %1683 = llvm.getelementptr %447[%1682] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1409, %1683, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %1684 = llvm.add %1394, %87 : i64
    %1685 = llvm.getelementptr %447[%1684] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %1410, %1685, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    llvm.br ^bb177(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb177(%1686: i64, %1687: vector<32xf16>, %1688: vector<32xf16>, %1689: vector<32xf16>, %1690: vector<32xf16>, %1691: vector<32xf16>, %1692: vector<32xf16>, %1693: vector<32xf16>, %1694: vector<32xf16>, %1695: vector<32xf16>, %1696: vector<32xf16>, %1697: vector<32xf16>, %1698: vector<32xf16>, %1699: vector<32xf16>):  // 2 preds: ^bb176, ^bb178
    %1700 = llvm.icmp "slt" %1686, %60 : i64
    llvm.cond_br %1700, ^bb178, ^bb179
  ^bb178:  // pred: ^bb177
    %1701 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %1702 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %1703 = llvm.add %1701, %1702 overflow<nsw, nuw> : i64
    %1704 = llvm.add %1703, %1702 overflow<nsw, nuw> : i64
    %1705 = llvm.add %1704, %1686 overflow<nsw, nuw> : i64
    %1706 = llvm.add %1705, %54 overflow<nsw, nuw> : i64
    %1707 = llvm.getelementptr inbounds|nuw %439[%1706] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1708 = llvm.load %1707 : !llvm.ptr -> f16
    %1709 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %1710 = llvm.add %1709, %1702 overflow<nsw, nuw> : i64
    %1711 = llvm.add %1710, %1702 overflow<nsw, nuw> : i64
    %1712 = llvm.add %1711, %1686 overflow<nsw, nuw> : i64
    %1713 = llvm.add %1712, %54 overflow<nsw, nuw> : i64
    %1714 = llvm.getelementptr inbounds|nuw %445[%1713] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1715 = llvm.load %1714 : !llvm.ptr -> f16
    %1716 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %1717 = llvm.add %1709, %1716 overflow<nsw, nuw> : i64
    %1718 = llvm.add %1717, %1702 overflow<nsw, nuw> : i64
    %1719 = llvm.add %1718, %1686 overflow<nsw, nuw> : i64
    %1720 = llvm.add %1719, %54 overflow<nsw, nuw> : i64
    %1721 = llvm.getelementptr inbounds|nuw %445[%1720] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1722 = llvm.load %1721 : !llvm.ptr -> f16
    %1723 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %1724 = llvm.add %1709, %1723 overflow<nsw, nuw> : i64
    %1725 = llvm.add %1724, %1702 overflow<nsw, nuw> : i64
    %1726 = llvm.add %1725, %1686 overflow<nsw, nuw> : i64
    %1727 = llvm.add %1726, %54 overflow<nsw, nuw> : i64
    %1728 = llvm.getelementptr inbounds|nuw %445[%1727] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1729 = llvm.load %1728 : !llvm.ptr -> f16
    %1730 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %1731 = llvm.add %1709, %1730 overflow<nsw, nuw> : i64
    %1732 = llvm.add %1731, %1702 overflow<nsw, nuw> : i64
    %1733 = llvm.add %1732, %1686 overflow<nsw, nuw> : i64
    %1734 = llvm.add %1733, %54 overflow<nsw, nuw> : i64
    %1735 = llvm.getelementptr inbounds|nuw %445[%1734] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1736 = llvm.load %1735 : !llvm.ptr -> f16
    %1737 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %1738 = llvm.add %1709, %1737 overflow<nsw, nuw> : i64
    %1739 = llvm.add %1738, %1702 overflow<nsw, nuw> : i64
    %1740 = llvm.add %1739, %1686 overflow<nsw, nuw> : i64
    %1741 = llvm.add %1740, %54 overflow<nsw, nuw> : i64
    %1742 = llvm.getelementptr inbounds|nuw %445[%1741] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1743 = llvm.load %1742 : !llvm.ptr -> f16
    %1744 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %1745 = llvm.add %1709, %1744 overflow<nsw, nuw> : i64
    %1746 = llvm.add %1745, %1702 overflow<nsw, nuw> : i64
    %1747 = llvm.add %1746, %1686 overflow<nsw, nuw> : i64
    %1748 = llvm.add %1747, %54 overflow<nsw, nuw> : i64
    %1749 = llvm.getelementptr inbounds|nuw %445[%1748] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1750 = llvm.load %1749 : !llvm.ptr -> f16
    %1751 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %1752 = llvm.add %1709, %1751 overflow<nsw, nuw> : i64
    %1753 = llvm.add %1752, %1702 overflow<nsw, nuw> : i64
    %1754 = llvm.add %1753, %1686 overflow<nsw, nuw> : i64
    %1755 = llvm.add %1754, %54 overflow<nsw, nuw> : i64
    %1756 = llvm.getelementptr inbounds|nuw %445[%1755] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1757 = llvm.load %1756 : !llvm.ptr -> f16
    %1758 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %1759 = llvm.add %1709, %1758 overflow<nsw, nuw> : i64
    %1760 = llvm.add %1759, %1702 overflow<nsw, nuw> : i64
    %1761 = llvm.add %1760, %1686 overflow<nsw, nuw> : i64
    %1762 = llvm.add %1761, %54 overflow<nsw, nuw> : i64
    %1763 = llvm.getelementptr inbounds|nuw %445[%1762] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1764 = llvm.load %1763 : !llvm.ptr -> f16
    %1765 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %1766 = llvm.add %1709, %1765 overflow<nsw, nuw> : i64
    %1767 = llvm.add %1766, %1702 overflow<nsw, nuw> : i64
    %1768 = llvm.add %1767, %1686 overflow<nsw, nuw> : i64
    %1769 = llvm.add %1768, %54 overflow<nsw, nuw> : i64
    %1770 = llvm.getelementptr inbounds|nuw %445[%1769] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1771 = llvm.load %1770 : !llvm.ptr -> f16
    %1772 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %1773 = llvm.add %1709, %1772 overflow<nsw, nuw> : i64
    %1774 = llvm.add %1773, %1702 overflow<nsw, nuw> : i64
    %1775 = llvm.add %1774, %1686 overflow<nsw, nuw> : i64
    %1776 = llvm.add %1775, %54 overflow<nsw, nuw> : i64
    %1777 = llvm.getelementptr inbounds|nuw %445[%1776] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1778 = llvm.load %1777 : !llvm.ptr -> f16
    %1779 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %1780 = llvm.add %1709, %1779 overflow<nsw, nuw> : i64
    %1781 = llvm.add %1780, %1702 overflow<nsw, nuw> : i64
    %1782 = llvm.add %1781, %1686 overflow<nsw, nuw> : i64
    %1783 = llvm.add %1782, %54 overflow<nsw, nuw> : i64
    %1784 = llvm.getelementptr inbounds|nuw %445[%1783] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1785 = llvm.load %1784 : !llvm.ptr -> f16
    %1786 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %1787 = llvm.add %1709, %1786 overflow<nsw, nuw> : i64
    %1788 = llvm.add %1787, %1702 overflow<nsw, nuw> : i64
    %1789 = llvm.add %1788, %1686 overflow<nsw, nuw> : i64
    %1790 = llvm.add %1789, %54 overflow<nsw, nuw> : i64
    %1791 = llvm.getelementptr inbounds|nuw %445[%1790] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1792 = llvm.load %1791 : !llvm.ptr -> f16
    %1793 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %1794 = llvm.add %1709, %1793 overflow<nsw, nuw> : i64
    %1795 = llvm.add %1794, %1702 overflow<nsw, nuw> : i64
    %1796 = llvm.add %1795, %1686 overflow<nsw, nuw> : i64
    %1797 = llvm.add %1796, %54 overflow<nsw, nuw> : i64
    %1798 = llvm.getelementptr inbounds|nuw %445[%1797] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1799 = llvm.load %1798 : !llvm.ptr -> f16
    %1800 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %1801 = llvm.add %1709, %1800 overflow<nsw, nuw> : i64
    %1802 = llvm.add %1801, %1702 overflow<nsw, nuw> : i64
    %1803 = llvm.add %1802, %1686 overflow<nsw, nuw> : i64
    %1804 = llvm.add %1803, %54 overflow<nsw, nuw> : i64
    %1805 = llvm.getelementptr inbounds|nuw %445[%1804] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1806 = llvm.load %1805 : !llvm.ptr -> f16
    %1807 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %1808 = llvm.add %1709, %1807 overflow<nsw, nuw> : i64
    %1809 = llvm.add %1808, %1702 overflow<nsw, nuw> : i64
    %1810 = llvm.add %1809, %1686 overflow<nsw, nuw> : i64
    %1811 = llvm.add %1810, %54 overflow<nsw, nuw> : i64
    %1812 = llvm.getelementptr inbounds|nuw %445[%1811] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1813 = llvm.load %1812 : !llvm.ptr -> f16
    %1814 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %1815 = llvm.add %1709, %1814 overflow<nsw, nuw> : i64
    %1816 = llvm.add %1815, %1702 overflow<nsw, nuw> : i64
    %1817 = llvm.add %1816, %1686 overflow<nsw, nuw> : i64
    %1818 = llvm.add %1817, %54 overflow<nsw, nuw> : i64
    %1819 = llvm.getelementptr inbounds|nuw %445[%1818] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1820 = llvm.load %1819 : !llvm.ptr -> f16
    %1821 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %1822 = llvm.add %1709, %1821 overflow<nsw, nuw> : i64
    %1823 = llvm.add %1822, %1702 overflow<nsw, nuw> : i64
    %1824 = llvm.add %1823, %1686 overflow<nsw, nuw> : i64
    %1825 = llvm.add %1824, %54 overflow<nsw, nuw> : i64
    %1826 = llvm.getelementptr inbounds|nuw %445[%1825] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1827 = llvm.load %1826 : !llvm.ptr -> f16
    %1828 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %1829 = llvm.add %1709, %1828 overflow<nsw, nuw> : i64
    %1830 = llvm.add %1829, %1702 overflow<nsw, nuw> : i64
    %1831 = llvm.add %1830, %1686 overflow<nsw, nuw> : i64
    %1832 = llvm.add %1831, %54 overflow<nsw, nuw> : i64
    %1833 = llvm.getelementptr inbounds|nuw %445[%1832] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1834 = llvm.load %1833 : !llvm.ptr -> f16
    %1835 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %1836 = llvm.add %1709, %1835 overflow<nsw, nuw> : i64
    %1837 = llvm.add %1836, %1702 overflow<nsw, nuw> : i64
    %1838 = llvm.add %1837, %1686 overflow<nsw, nuw> : i64
    %1839 = llvm.add %1838, %54 overflow<nsw, nuw> : i64
    %1840 = llvm.getelementptr inbounds|nuw %445[%1839] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1841 = llvm.load %1840 : !llvm.ptr -> f16
    %1842 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %1843 = llvm.add %1709, %1842 overflow<nsw, nuw> : i64
    %1844 = llvm.add %1843, %1702 overflow<nsw, nuw> : i64
    %1845 = llvm.add %1844, %1686 overflow<nsw, nuw> : i64
    %1846 = llvm.add %1845, %54 overflow<nsw, nuw> : i64
    %1847 = llvm.getelementptr inbounds|nuw %445[%1846] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1848 = llvm.load %1847 : !llvm.ptr -> f16
    %1849 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %1850 = llvm.add %1709, %1849 overflow<nsw, nuw> : i64
    %1851 = llvm.add %1850, %1702 overflow<nsw, nuw> : i64
    %1852 = llvm.add %1851, %1686 overflow<nsw, nuw> : i64
    %1853 = llvm.add %1852, %54 overflow<nsw, nuw> : i64
    %1854 = llvm.getelementptr inbounds|nuw %445[%1853] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1855 = llvm.load %1854 : !llvm.ptr -> f16
    %1856 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %1857 = llvm.add %1709, %1856 overflow<nsw, nuw> : i64
    %1858 = llvm.add %1857, %1702 overflow<nsw, nuw> : i64
    %1859 = llvm.add %1858, %1686 overflow<nsw, nuw> : i64
    %1860 = llvm.add %1859, %54 overflow<nsw, nuw> : i64
    %1861 = llvm.getelementptr inbounds|nuw %445[%1860] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1862 = llvm.load %1861 : !llvm.ptr -> f16
    %1863 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %1864 = llvm.add %1709, %1863 overflow<nsw, nuw> : i64
    %1865 = llvm.add %1864, %1702 overflow<nsw, nuw> : i64
    %1866 = llvm.add %1865, %1686 overflow<nsw, nuw> : i64
    %1867 = llvm.add %1866, %54 overflow<nsw, nuw> : i64
    %1868 = llvm.getelementptr inbounds|nuw %445[%1867] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1869 = llvm.load %1868 : !llvm.ptr -> f16
    %1870 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %1871 = llvm.add %1709, %1870 overflow<nsw, nuw> : i64
    %1872 = llvm.add %1871, %1702 overflow<nsw, nuw> : i64
    %1873 = llvm.add %1872, %1686 overflow<nsw, nuw> : i64
    %1874 = llvm.add %1873, %54 overflow<nsw, nuw> : i64
    %1875 = llvm.getelementptr inbounds|nuw %445[%1874] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1876 = llvm.load %1875 : !llvm.ptr -> f16
    %1877 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %1878 = llvm.add %1709, %1877 overflow<nsw, nuw> : i64
    %1879 = llvm.add %1878, %1702 overflow<nsw, nuw> : i64
    %1880 = llvm.add %1879, %1686 overflow<nsw, nuw> : i64
    %1881 = llvm.add %1880, %54 overflow<nsw, nuw> : i64
    %1882 = llvm.getelementptr inbounds|nuw %445[%1881] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1883 = llvm.load %1882 : !llvm.ptr -> f16
    %1884 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %1885 = llvm.add %1709, %1884 overflow<nsw, nuw> : i64
    %1886 = llvm.add %1885, %1702 overflow<nsw, nuw> : i64
    %1887 = llvm.add %1886, %1686 overflow<nsw, nuw> : i64
    %1888 = llvm.add %1887, %54 overflow<nsw, nuw> : i64
    %1889 = llvm.getelementptr inbounds|nuw %445[%1888] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1890 = llvm.load %1889 : !llvm.ptr -> f16
    %1891 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %1892 = llvm.add %1709, %1891 overflow<nsw, nuw> : i64
    %1893 = llvm.add %1892, %1702 overflow<nsw, nuw> : i64
    %1894 = llvm.add %1893, %1686 overflow<nsw, nuw> : i64
    %1895 = llvm.add %1894, %54 overflow<nsw, nuw> : i64
    %1896 = llvm.getelementptr inbounds|nuw %445[%1895] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1897 = llvm.load %1896 : !llvm.ptr -> f16
    %1898 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %1899 = llvm.add %1709, %1898 overflow<nsw, nuw> : i64
    %1900 = llvm.add %1899, %1702 overflow<nsw, nuw> : i64
    %1901 = llvm.add %1900, %1686 overflow<nsw, nuw> : i64
    %1902 = llvm.add %1901, %54 overflow<nsw, nuw> : i64
    %1903 = llvm.getelementptr inbounds|nuw %445[%1902] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1904 = llvm.load %1903 : !llvm.ptr -> f16
    %1905 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %1906 = llvm.add %1709, %1905 overflow<nsw, nuw> : i64
    %1907 = llvm.add %1906, %1702 overflow<nsw, nuw> : i64
    %1908 = llvm.add %1907, %1686 overflow<nsw, nuw> : i64
    %1909 = llvm.add %1908, %54 overflow<nsw, nuw> : i64
    %1910 = llvm.getelementptr inbounds|nuw %445[%1909] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1911 = llvm.load %1910 : !llvm.ptr -> f16
    %1912 = llvm.mul %62, %60 overflow<nsw, nuw> : i64
    %1913 = llvm.add %1709, %1912 overflow<nsw, nuw> : i64
    %1914 = llvm.add %1913, %1702 overflow<nsw, nuw> : i64
    %1915 = llvm.add %1914, %1686 overflow<nsw, nuw> : i64
    %1916 = llvm.add %1915, %54 overflow<nsw, nuw> : i64
    %1917 = llvm.getelementptr inbounds|nuw %445[%1916] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1918 = llvm.load %1917 : !llvm.ptr -> f16
    %1919 = llvm.mul %97, %60 overflow<nsw, nuw> : i64
    %1920 = llvm.add %1709, %1919 overflow<nsw, nuw> : i64
    %1921 = llvm.add %1920, %1702 overflow<nsw, nuw> : i64
    %1922 = llvm.add %1921, %1686 overflow<nsw, nuw> : i64
    %1923 = llvm.add %1922, %54 overflow<nsw, nuw> : i64
    %1924 = llvm.getelementptr inbounds|nuw %445[%1923] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1925 = llvm.load %1924 : !llvm.ptr -> f16
    %1926 = llvm.mul %98, %60 overflow<nsw, nuw> : i64
    %1927 = llvm.add %1709, %1926 overflow<nsw, nuw> : i64
    %1928 = llvm.add %1927, %1702 overflow<nsw, nuw> : i64
    %1929 = llvm.add %1928, %1686 overflow<nsw, nuw> : i64
    %1930 = llvm.add %1929, %54 overflow<nsw, nuw> : i64
    %1931 = llvm.getelementptr inbounds|nuw %445[%1930] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1932 = llvm.load %1931 : !llvm.ptr -> f16
    %1933 = llvm.insertelement %1715, %37[%36 : i64] : vector<32xf16>
    %1934 = llvm.insertelement %1722, %1933[%35 : i64] : vector<32xf16>
    %1935 = llvm.insertelement %1729, %1934[%34 : i64] : vector<32xf16>
    %1936 = llvm.insertelement %1736, %1935[%33 : i64] : vector<32xf16>
    %1937 = llvm.insertelement %1743, %1936[%32 : i64] : vector<32xf16>
    %1938 = llvm.insertelement %1750, %1937[%31 : i64] : vector<32xf16>
    %1939 = llvm.insertelement %1757, %1938[%30 : i64] : vector<32xf16>
    %1940 = llvm.insertelement %1764, %1939[%29 : i64] : vector<32xf16>
    %1941 = llvm.insertelement %1771, %1940[%28 : i64] : vector<32xf16>
    %1942 = llvm.insertelement %1778, %1941[%27 : i64] : vector<32xf16>
    %1943 = llvm.insertelement %1785, %1942[%26 : i64] : vector<32xf16>
    %1944 = llvm.insertelement %1792, %1943[%25 : i64] : vector<32xf16>
    %1945 = llvm.insertelement %1799, %1944[%24 : i64] : vector<32xf16>
    %1946 = llvm.insertelement %1806, %1945[%23 : i64] : vector<32xf16>
    %1947 = llvm.insertelement %1813, %1946[%22 : i64] : vector<32xf16>
    %1948 = llvm.insertelement %1820, %1947[%21 : i64] : vector<32xf16>
    %1949 = llvm.insertelement %1827, %1948[%20 : i64] : vector<32xf16>
    %1950 = llvm.insertelement %1834, %1949[%19 : i64] : vector<32xf16>
    %1951 = llvm.insertelement %1841, %1950[%18 : i64] : vector<32xf16>
    %1952 = llvm.insertelement %1848, %1951[%17 : i64] : vector<32xf16>
    %1953 = llvm.insertelement %1855, %1952[%16 : i64] : vector<32xf16>
    %1954 = llvm.insertelement %1862, %1953[%15 : i64] : vector<32xf16>
    %1955 = llvm.insertelement %1869, %1954[%14 : i64] : vector<32xf16>
    %1956 = llvm.insertelement %1876, %1955[%13 : i64] : vector<32xf16>
    %1957 = llvm.insertelement %1883, %1956[%12 : i64] : vector<32xf16>
    %1958 = llvm.insertelement %1890, %1957[%11 : i64] : vector<32xf16>
    %1959 = llvm.insertelement %1897, %1958[%10 : i64] : vector<32xf16>
    %1960 = llvm.insertelement %1904, %1959[%9 : i64] : vector<32xf16>
    %1961 = llvm.insertelement %1911, %1960[%8 : i64] : vector<32xf16>
    %1962 = llvm.insertelement %1918, %1961[%7 : i64] : vector<32xf16>
    %1963 = llvm.insertelement %1925, %1962[%6 : i64] : vector<32xf16>
    %1964 = llvm.insertelement %1932, %1963[%5 : i64] : vector<32xf16>
    %1965 = llvm.insertelement %1708, %37[%111 : i32] : vector<32xf16>
    %1966 = llvm.shufflevector %1965, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1967 = llvm.fmul %1966, %1964 : vector<32xf16>
    %1968 = llvm.fadd %1687, %1967 : vector<32xf16>
    %1969 = llvm.add %1701, %1716 overflow<nsw, nuw> : i64
    %1970 = llvm.add %1969, %1702 overflow<nsw, nuw> : i64
    %1971 = llvm.add %1970, %1686 overflow<nsw, nuw> : i64
    %1972 = llvm.add %1971, %54 overflow<nsw, nuw> : i64
    %1973 = llvm.getelementptr inbounds|nuw %439[%1972] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1974 = llvm.load %1973 : !llvm.ptr -> f16
    %1975 = llvm.insertelement %1974, %37[%111 : i32] : vector<32xf16>
    %1976 = llvm.shufflevector %1975, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1977 = llvm.fmul %1976, %1964 : vector<32xf16>
    %1978 = llvm.fadd %1688, %1977 : vector<32xf16>
    %1979 = llvm.add %1701, %1723 overflow<nsw, nuw> : i64
    %1980 = llvm.add %1979, %1702 overflow<nsw, nuw> : i64
    %1981 = llvm.add %1980, %1686 overflow<nsw, nuw> : i64
    %1982 = llvm.add %1981, %54 overflow<nsw, nuw> : i64
    %1983 = llvm.getelementptr inbounds|nuw %439[%1982] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1984 = llvm.load %1983 : !llvm.ptr -> f16
    %1985 = llvm.insertelement %1984, %37[%111 : i32] : vector<32xf16>
    %1986 = llvm.shufflevector %1985, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1987 = llvm.fmul %1986, %1964 : vector<32xf16>
    %1988 = llvm.fadd %1689, %1987 : vector<32xf16>
    %1989 = llvm.add %1701, %1730 overflow<nsw, nuw> : i64
    %1990 = llvm.add %1989, %1702 overflow<nsw, nuw> : i64
    %1991 = llvm.add %1990, %1686 overflow<nsw, nuw> : i64
    %1992 = llvm.add %1991, %54 overflow<nsw, nuw> : i64
    %1993 = llvm.getelementptr inbounds|nuw %439[%1992] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %1994 = llvm.load %1993 : !llvm.ptr -> f16
    %1995 = llvm.insertelement %1994, %37[%111 : i32] : vector<32xf16>
    %1996 = llvm.shufflevector %1995, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %1997 = llvm.fmul %1996, %1964 : vector<32xf16>
    %1998 = llvm.fadd %1690, %1997 : vector<32xf16>
    %1999 = llvm.add %1701, %1737 overflow<nsw, nuw> : i64
    %2000 = llvm.add %1999, %1702 overflow<nsw, nuw> : i64
    %2001 = llvm.add %2000, %1686 overflow<nsw, nuw> : i64
    %2002 = llvm.add %2001, %54 overflow<nsw, nuw> : i64
    %2003 = llvm.getelementptr inbounds|nuw %439[%2002] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2004 = llvm.load %2003 : !llvm.ptr -> f16
    %2005 = llvm.insertelement %2004, %37[%111 : i32] : vector<32xf16>
    %2006 = llvm.shufflevector %2005, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2007 = llvm.fmul %2006, %1964 : vector<32xf16>
    %2008 = llvm.fadd %1691, %2007 : vector<32xf16>
    %2009 = llvm.add %1701, %1744 overflow<nsw, nuw> : i64
    %2010 = llvm.add %2009, %1702 overflow<nsw, nuw> : i64
    %2011 = llvm.add %2010, %1686 overflow<nsw, nuw> : i64
    %2012 = llvm.add %2011, %54 overflow<nsw, nuw> : i64
    %2013 = llvm.getelementptr inbounds|nuw %439[%2012] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2014 = llvm.load %2013 : !llvm.ptr -> f16
    %2015 = llvm.insertelement %2014, %37[%111 : i32] : vector<32xf16>
    %2016 = llvm.shufflevector %2015, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2017 = llvm.fmul %2016, %1964 : vector<32xf16>
    %2018 = llvm.fadd %1692, %2017 : vector<32xf16>
    %2019 = llvm.add %1701, %1751 overflow<nsw, nuw> : i64
    %2020 = llvm.add %2019, %1702 overflow<nsw, nuw> : i64
    %2021 = llvm.add %2020, %1686 overflow<nsw, nuw> : i64
    %2022 = llvm.add %2021, %54 overflow<nsw, nuw> : i64
    %2023 = llvm.getelementptr inbounds|nuw %439[%2022] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2024 = llvm.load %2023 : !llvm.ptr -> f16
    %2025 = llvm.insertelement %2024, %37[%111 : i32] : vector<32xf16>
    %2026 = llvm.shufflevector %2025, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2027 = llvm.fmul %2026, %1964 : vector<32xf16>
    %2028 = llvm.fadd %1693, %2027 : vector<32xf16>
    %2029 = llvm.add %1701, %1758 overflow<nsw, nuw> : i64
    %2030 = llvm.add %2029, %1702 overflow<nsw, nuw> : i64
    %2031 = llvm.add %2030, %1686 overflow<nsw, nuw> : i64
    %2032 = llvm.add %2031, %54 overflow<nsw, nuw> : i64
    %2033 = llvm.getelementptr inbounds|nuw %439[%2032] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2034 = llvm.load %2033 : !llvm.ptr -> f16
    %2035 = llvm.insertelement %2034, %37[%111 : i32] : vector<32xf16>
    %2036 = llvm.shufflevector %2035, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2037 = llvm.fmul %2036, %1964 : vector<32xf16>
    %2038 = llvm.fadd %1694, %2037 : vector<32xf16>
    %2039 = llvm.add %1701, %1765 overflow<nsw, nuw> : i64
    %2040 = llvm.add %2039, %1702 overflow<nsw, nuw> : i64
    %2041 = llvm.add %2040, %1686 overflow<nsw, nuw> : i64
    %2042 = llvm.add %2041, %54 overflow<nsw, nuw> : i64
    %2043 = llvm.getelementptr inbounds|nuw %439[%2042] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2044 = llvm.load %2043 : !llvm.ptr -> f16
    %2045 = llvm.insertelement %2044, %37[%111 : i32] : vector<32xf16>
    %2046 = llvm.shufflevector %2045, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2047 = llvm.fmul %2046, %1964 : vector<32xf16>
    %2048 = llvm.fadd %1695, %2047 : vector<32xf16>
    %2049 = llvm.add %1701, %1772 overflow<nsw, nuw> : i64
    %2050 = llvm.add %2049, %1702 overflow<nsw, nuw> : i64
    %2051 = llvm.add %2050, %1686 overflow<nsw, nuw> : i64
    %2052 = llvm.add %2051, %54 overflow<nsw, nuw> : i64
    %2053 = llvm.getelementptr inbounds|nuw %439[%2052] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2054 = llvm.load %2053 : !llvm.ptr -> f16
    %2055 = llvm.insertelement %2054, %37[%111 : i32] : vector<32xf16>
    %2056 = llvm.shufflevector %2055, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2057 = llvm.fmul %2056, %1964 : vector<32xf16>
    %2058 = llvm.fadd %1696, %2057 : vector<32xf16>
    %2059 = llvm.add %1701, %1779 overflow<nsw, nuw> : i64
    %2060 = llvm.add %2059, %1702 overflow<nsw, nuw> : i64
    %2061 = llvm.add %2060, %1686 overflow<nsw, nuw> : i64
    %2062 = llvm.add %2061, %54 overflow<nsw, nuw> : i64
    %2063 = llvm.getelementptr inbounds|nuw %439[%2062] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2064 = llvm.load %2063 : !llvm.ptr -> f16
    %2065 = llvm.insertelement %2064, %37[%111 : i32] : vector<32xf16>
    %2066 = llvm.shufflevector %2065, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2067 = llvm.fmul %2066, %1964 : vector<32xf16>
    %2068 = llvm.fadd %1697, %2067 : vector<32xf16>
    %2069 = llvm.add %1701, %1786 overflow<nsw, nuw> : i64
    %2070 = llvm.add %2069, %1702 overflow<nsw, nuw> : i64
    %2071 = llvm.add %2070, %1686 overflow<nsw, nuw> : i64
    %2072 = llvm.add %2071, %54 overflow<nsw, nuw> : i64
    %2073 = llvm.getelementptr inbounds|nuw %439[%2072] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2074 = llvm.load %2073 : !llvm.ptr -> f16
    %2075 = llvm.insertelement %2074, %37[%111 : i32] : vector<32xf16>
    %2076 = llvm.shufflevector %2075, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2077 = llvm.fmul %2076, %1964 : vector<32xf16>
    %2078 = llvm.fadd %1698, %2077 : vector<32xf16>
    %2079 = llvm.add %1701, %1793 overflow<nsw, nuw> : i64
    %2080 = llvm.add %2079, %1702 overflow<nsw, nuw> : i64
    %2081 = llvm.add %2080, %1686 overflow<nsw, nuw> : i64
    %2082 = llvm.add %2081, %54 overflow<nsw, nuw> : i64
    %2083 = llvm.getelementptr inbounds|nuw %439[%2082] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2084 = llvm.load %2083 : !llvm.ptr -> f16
    %2085 = llvm.insertelement %2084, %37[%111 : i32] : vector<32xf16>
    %2086 = llvm.shufflevector %2085, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2087 = llvm.fmul %2086, %1964 : vector<32xf16>
    %2088 = llvm.fadd %1699, %2087 : vector<32xf16>
    %2089 = llvm.add %1686, %52 : i64
    llvm.br ^bb177(%2089, %1968, %1978, %1988, %1998, %2008, %2018, %2028, %2038, %2048, %2058, %2068, %2078, %2088 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb179:  // pred: ^bb177
    %2090 = llvm.load %1348 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2091 = llvm.fadd %2090, %1687 : vector<32xf16>
    llvm.store %2091, %1348 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2092 = llvm.load %1352 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2093 = llvm.fadd %2092, %1688 : vector<32xf16>
    llvm.store %2093, %1352 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2094 = llvm.load %1356 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2095 = llvm.fadd %2094, %1689 : vector<32xf16>
    llvm.store %2095, %1356 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2096 = llvm.load %1360 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2097 = llvm.fadd %2096, %1690 : vector<32xf16>
    llvm.store %2097, %1360 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2098 = llvm.load %1364 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2099 = llvm.fadd %2098, %1691 : vector<32xf16>
    llvm.store %2099, %1364 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2100 = llvm.load %1368 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2101 = llvm.fadd %2100, %1692 : vector<32xf16>
    llvm.store %2101, %1368 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2102 = llvm.load %1372 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2103 = llvm.fadd %2102, %1693 : vector<32xf16>
    llvm.store %2103, %1372 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2104 = llvm.load %1376 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2105 = llvm.fadd %2104, %1694 : vector<32xf16>
    llvm.store %2105, %1376 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2106 = llvm.load %1380 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2107 = llvm.fadd %2106, %1695 : vector<32xf16>
    llvm.store %2107, %1380 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2108 = llvm.load %1384 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2109 = llvm.fadd %2108, %1696 : vector<32xf16>
    llvm.store %2109, %1384 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2110 = llvm.load %1388 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2111 = llvm.fadd %2110, %1697 : vector<32xf16>
    llvm.store %2111, %1388 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2112 = llvm.load %1392 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2113 = llvm.fadd %2112, %1698 : vector<32xf16>
    llvm.store %2113, %1392 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2114 = llvm.load %1396 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2115 = llvm.fadd %2114, %1699 : vector<32xf16>
    llvm.store %2115, %1396 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    llvm.br ^bb180(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb180(%2116: i64, %2117: vector<32xf16>, %2118: vector<32xf16>, %2119: vector<32xf16>, %2120: vector<32xf16>, %2121: vector<32xf16>, %2122: vector<32xf16>, %2123: vector<32xf16>, %2124: vector<32xf16>, %2125: vector<32xf16>, %2126: vector<32xf16>, %2127: vector<32xf16>, %2128: vector<32xf16>, %2129: vector<32xf16>):  // 2 preds: ^bb179, ^bb181
    %2130 = llvm.icmp "slt" %2116, %60 : i64
    llvm.cond_br %2130, ^bb181, ^bb182
  ^bb181:  // pred: ^bb180
    %2131 = llvm.mul %54, %41 overflow<nsw, nuw> : i64
    %2132 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %2133 = llvm.add %2131, %2132 overflow<nsw, nuw> : i64
    %2134 = llvm.add %2133, %2132 overflow<nsw, nuw> : i64
    %2135 = llvm.add %2134, %2116 overflow<nsw, nuw> : i64
    %2136 = llvm.add %2135, %54 overflow<nsw, nuw> : i64
    %2137 = llvm.getelementptr inbounds|nuw %439[%2136] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2138 = llvm.load %2137 : !llvm.ptr -> f16
    %2139 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %2140 = llvm.mul %87, %60 overflow<nsw, nuw> : i64
    %2141 = llvm.add %2139, %2140 overflow<nsw, nuw> : i64
    %2142 = llvm.add %2141, %2132 overflow<nsw, nuw> : i64
    %2143 = llvm.add %2142, %2116 overflow<nsw, nuw> : i64
    %2144 = llvm.add %2143, %54 overflow<nsw, nuw> : i64
    %2145 = llvm.getelementptr inbounds|nuw %445[%2144] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2146 = llvm.load %2145 : !llvm.ptr -> f16
    %2147 = llvm.mul %99, %60 overflow<nsw, nuw> : i64
    %2148 = llvm.add %2139, %2147 overflow<nsw, nuw> : i64
    %2149 = llvm.add %2148, %2132 overflow<nsw, nuw> : i64
    %2150 = llvm.add %2149, %2116 overflow<nsw, nuw> : i64
    %2151 = llvm.add %2150, %54 overflow<nsw, nuw> : i64
    %2152 = llvm.getelementptr inbounds|nuw %445[%2151] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2153 = llvm.load %2152 : !llvm.ptr -> f16
    %2154 = llvm.mul %100, %60 overflow<nsw, nuw> : i64
    %2155 = llvm.add %2139, %2154 overflow<nsw, nuw> : i64
    %2156 = llvm.add %2155, %2132 overflow<nsw, nuw> : i64
    %2157 = llvm.add %2156, %2116 overflow<nsw, nuw> : i64
    %2158 = llvm.add %2157, %54 overflow<nsw, nuw> : i64
    %2159 = llvm.getelementptr inbounds|nuw %445[%2158] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2160 = llvm.load %2159 : !llvm.ptr -> f16
    %2161 = llvm.mul %101, %60 overflow<nsw, nuw> : i64
    %2162 = llvm.add %2139, %2161 overflow<nsw, nuw> : i64
    %2163 = llvm.add %2162, %2132 overflow<nsw, nuw> : i64
    %2164 = llvm.add %2163, %2116 overflow<nsw, nuw> : i64
    %2165 = llvm.add %2164, %54 overflow<nsw, nuw> : i64
    %2166 = llvm.getelementptr inbounds|nuw %445[%2165] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2167 = llvm.load %2166 : !llvm.ptr -> f16
    %2168 = llvm.mul %102, %60 overflow<nsw, nuw> : i64
    %2169 = llvm.add %2139, %2168 overflow<nsw, nuw> : i64
    %2170 = llvm.add %2169, %2132 overflow<nsw, nuw> : i64
    %2171 = llvm.add %2170, %2116 overflow<nsw, nuw> : i64
    %2172 = llvm.add %2171, %54 overflow<nsw, nuw> : i64
    %2173 = llvm.getelementptr inbounds|nuw %445[%2172] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2174 = llvm.load %2173 : !llvm.ptr -> f16
    %2175 = llvm.mul %103, %60 overflow<nsw, nuw> : i64
    %2176 = llvm.add %2139, %2175 overflow<nsw, nuw> : i64
    %2177 = llvm.add %2176, %2132 overflow<nsw, nuw> : i64
    %2178 = llvm.add %2177, %2116 overflow<nsw, nuw> : i64
    %2179 = llvm.add %2178, %54 overflow<nsw, nuw> : i64
    %2180 = llvm.getelementptr inbounds|nuw %445[%2179] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2181 = llvm.load %2180 : !llvm.ptr -> f16
    %2182 = llvm.mul %104, %60 overflow<nsw, nuw> : i64
    %2183 = llvm.add %2139, %2182 overflow<nsw, nuw> : i64
    %2184 = llvm.add %2183, %2132 overflow<nsw, nuw> : i64
    %2185 = llvm.add %2184, %2116 overflow<nsw, nuw> : i64
    %2186 = llvm.add %2185, %54 overflow<nsw, nuw> : i64
    %2187 = llvm.getelementptr inbounds|nuw %445[%2186] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2188 = llvm.load %2187 : !llvm.ptr -> f16
    %2189 = llvm.mul %105, %60 overflow<nsw, nuw> : i64
    %2190 = llvm.add %2139, %2189 overflow<nsw, nuw> : i64
    %2191 = llvm.add %2190, %2132 overflow<nsw, nuw> : i64
    %2192 = llvm.add %2191, %2116 overflow<nsw, nuw> : i64
    %2193 = llvm.add %2192, %54 overflow<nsw, nuw> : i64
    %2194 = llvm.getelementptr inbounds|nuw %445[%2193] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2195 = llvm.load %2194 : !llvm.ptr -> f16
    %2196 = llvm.mul %106, %60 overflow<nsw, nuw> : i64
    %2197 = llvm.add %2139, %2196 overflow<nsw, nuw> : i64
    %2198 = llvm.add %2197, %2132 overflow<nsw, nuw> : i64
    %2199 = llvm.add %2198, %2116 overflow<nsw, nuw> : i64
    %2200 = llvm.add %2199, %54 overflow<nsw, nuw> : i64
    %2201 = llvm.getelementptr inbounds|nuw %445[%2200] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2202 = llvm.load %2201 : !llvm.ptr -> f16
    %2203 = llvm.mul %107, %60 overflow<nsw, nuw> : i64
    %2204 = llvm.add %2139, %2203 overflow<nsw, nuw> : i64
    %2205 = llvm.add %2204, %2132 overflow<nsw, nuw> : i64
    %2206 = llvm.add %2205, %2116 overflow<nsw, nuw> : i64
    %2207 = llvm.add %2206, %54 overflow<nsw, nuw> : i64
    %2208 = llvm.getelementptr inbounds|nuw %445[%2207] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2209 = llvm.load %2208 : !llvm.ptr -> f16
    %2210 = llvm.insertelement %2146, %37[%36 : i64] : vector<32xf16>
    %2211 = llvm.insertelement %2153, %2210[%35 : i64] : vector<32xf16>
    %2212 = llvm.insertelement %2160, %2211[%34 : i64] : vector<32xf16>
    %2213 = llvm.insertelement %2167, %2212[%33 : i64] : vector<32xf16>
    %2214 = llvm.insertelement %2174, %2213[%32 : i64] : vector<32xf16>
    %2215 = llvm.insertelement %2181, %2214[%31 : i64] : vector<32xf16>
    %2216 = llvm.insertelement %2188, %2215[%30 : i64] : vector<32xf16>
    %2217 = llvm.insertelement %2195, %2216[%29 : i64] : vector<32xf16>
    %2218 = llvm.insertelement %2202, %2217[%28 : i64] : vector<32xf16>
    %2219 = llvm.insertelement %2209, %2218[%27 : i64] : vector<32xf16>
    %2220 = llvm.insertelement %2209, %2219[%26 : i64] : vector<32xf16>
    %2221 = llvm.insertelement %2209, %2220[%25 : i64] : vector<32xf16>
    %2222 = llvm.insertelement %2209, %2221[%24 : i64] : vector<32xf16>
    %2223 = llvm.insertelement %2209, %2222[%23 : i64] : vector<32xf16>
    %2224 = llvm.insertelement %2209, %2223[%22 : i64] : vector<32xf16>
    %2225 = llvm.insertelement %2209, %2224[%21 : i64] : vector<32xf16>
    %2226 = llvm.insertelement %2209, %2225[%20 : i64] : vector<32xf16>
    %2227 = llvm.insertelement %2209, %2226[%19 : i64] : vector<32xf16>
    %2228 = llvm.insertelement %2209, %2227[%18 : i64] : vector<32xf16>
    %2229 = llvm.insertelement %2209, %2228[%17 : i64] : vector<32xf16>
    %2230 = llvm.insertelement %2209, %2229[%16 : i64] : vector<32xf16>
    %2231 = llvm.insertelement %2209, %2230[%15 : i64] : vector<32xf16>
    %2232 = llvm.insertelement %2209, %2231[%14 : i64] : vector<32xf16>
    %2233 = llvm.insertelement %2209, %2232[%13 : i64] : vector<32xf16>
    %2234 = llvm.insertelement %2209, %2233[%12 : i64] : vector<32xf16>
    %2235 = llvm.insertelement %2209, %2234[%11 : i64] : vector<32xf16>
    %2236 = llvm.insertelement %2209, %2235[%10 : i64] : vector<32xf16>
    %2237 = llvm.insertelement %2209, %2236[%9 : i64] : vector<32xf16>
    %2238 = llvm.insertelement %2209, %2237[%8 : i64] : vector<32xf16>
    %2239 = llvm.insertelement %2209, %2238[%7 : i64] : vector<32xf16>
    %2240 = llvm.insertelement %2209, %2239[%6 : i64] : vector<32xf16>
    %2241 = llvm.insertelement %2209, %2240[%5 : i64] : vector<32xf16>
    %2242 = llvm.insertelement %2138, %37[%111 : i32] : vector<32xf16>
    %2243 = llvm.shufflevector %2242, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2244 = llvm.fmul %2243, %2241 : vector<32xf16>
    %2245 = llvm.fadd %2117, %2244 : vector<32xf16>
    %2246 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %2247 = llvm.add %2131, %2246 overflow<nsw, nuw> : i64
    %2248 = llvm.add %2247, %2132 overflow<nsw, nuw> : i64
    %2249 = llvm.add %2248, %2116 overflow<nsw, nuw> : i64
    %2250 = llvm.add %2249, %54 overflow<nsw, nuw> : i64
    %2251 = llvm.getelementptr inbounds|nuw %439[%2250] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2252 = llvm.load %2251 : !llvm.ptr -> f16
    %2253 = llvm.insertelement %2252, %37[%111 : i32] : vector<32xf16>
    %2254 = llvm.shufflevector %2253, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2255 = llvm.fmul %2254, %2241 : vector<32xf16>
    %2256 = llvm.fadd %2118, %2255 : vector<32xf16>
    %2257 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %2258 = llvm.add %2131, %2257 overflow<nsw, nuw> : i64
    %2259 = llvm.add %2258, %2132 overflow<nsw, nuw> : i64
    %2260 = llvm.add %2259, %2116 overflow<nsw, nuw> : i64
    %2261 = llvm.add %2260, %54 overflow<nsw, nuw> : i64
    %2262 = llvm.getelementptr inbounds|nuw %439[%2261] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2263 = llvm.load %2262 : !llvm.ptr -> f16
    %2264 = llvm.insertelement %2263, %37[%111 : i32] : vector<32xf16>
    %2265 = llvm.shufflevector %2264, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2266 = llvm.fmul %2265, %2241 : vector<32xf16>
    %2267 = llvm.fadd %2119, %2266 : vector<32xf16>
    %2268 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %2269 = llvm.add %2131, %2268 overflow<nsw, nuw> : i64
    %2270 = llvm.add %2269, %2132 overflow<nsw, nuw> : i64
    %2271 = llvm.add %2270, %2116 overflow<nsw, nuw> : i64
    %2272 = llvm.add %2271, %54 overflow<nsw, nuw> : i64
    %2273 = llvm.getelementptr inbounds|nuw %439[%2272] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2274 = llvm.load %2273 : !llvm.ptr -> f16
    %2275 = llvm.insertelement %2274, %37[%111 : i32] : vector<32xf16>
    %2276 = llvm.shufflevector %2275, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2277 = llvm.fmul %2276, %2241 : vector<32xf16>
    %2278 = llvm.fadd %2120, %2277 : vector<32xf16>
    %2279 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %2280 = llvm.add %2131, %2279 overflow<nsw, nuw> : i64
    %2281 = llvm.add %2280, %2132 overflow<nsw, nuw> : i64
    %2282 = llvm.add %2281, %2116 overflow<nsw, nuw> : i64
    %2283 = llvm.add %2282, %54 overflow<nsw, nuw> : i64
    %2284 = llvm.getelementptr inbounds|nuw %439[%2283] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2285 = llvm.load %2284 : !llvm.ptr -> f16
    %2286 = llvm.insertelement %2285, %37[%111 : i32] : vector<32xf16>
    %2287 = llvm.shufflevector %2286, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2288 = llvm.fmul %2287, %2241 : vector<32xf16>
    %2289 = llvm.fadd %2121, %2288 : vector<32xf16>
    %2290 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %2291 = llvm.add %2131, %2290 overflow<nsw, nuw> : i64
    %2292 = llvm.add %2291, %2132 overflow<nsw, nuw> : i64
    %2293 = llvm.add %2292, %2116 overflow<nsw, nuw> : i64
    %2294 = llvm.add %2293, %54 overflow<nsw, nuw> : i64
    %2295 = llvm.getelementptr inbounds|nuw %439[%2294] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2296 = llvm.load %2295 : !llvm.ptr -> f16
    %2297 = llvm.insertelement %2296, %37[%111 : i32] : vector<32xf16>
    %2298 = llvm.shufflevector %2297, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2299 = llvm.fmul %2298, %2241 : vector<32xf16>
    %2300 = llvm.fadd %2122, %2299 : vector<32xf16>
    %2301 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %2302 = llvm.add %2131, %2301 overflow<nsw, nuw> : i64
    %2303 = llvm.add %2302, %2132 overflow<nsw, nuw> : i64
    %2304 = llvm.add %2303, %2116 overflow<nsw, nuw> : i64
    %2305 = llvm.add %2304, %54 overflow<nsw, nuw> : i64
    %2306 = llvm.getelementptr inbounds|nuw %439[%2305] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2307 = llvm.load %2306 : !llvm.ptr -> f16
    %2308 = llvm.insertelement %2307, %37[%111 : i32] : vector<32xf16>
    %2309 = llvm.shufflevector %2308, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2310 = llvm.fmul %2309, %2241 : vector<32xf16>
    %2311 = llvm.fadd %2123, %2310 : vector<32xf16>
    %2312 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %2313 = llvm.add %2131, %2312 overflow<nsw, nuw> : i64
    %2314 = llvm.add %2313, %2132 overflow<nsw, nuw> : i64
    %2315 = llvm.add %2314, %2116 overflow<nsw, nuw> : i64
    %2316 = llvm.add %2315, %54 overflow<nsw, nuw> : i64
    %2317 = llvm.getelementptr inbounds|nuw %439[%2316] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2318 = llvm.load %2317 : !llvm.ptr -> f16
    %2319 = llvm.insertelement %2318, %37[%111 : i32] : vector<32xf16>
    %2320 = llvm.shufflevector %2319, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2321 = llvm.fmul %2320, %2241 : vector<32xf16>
    %2322 = llvm.fadd %2124, %2321 : vector<32xf16>
    %2323 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %2324 = llvm.add %2131, %2323 overflow<nsw, nuw> : i64
    %2325 = llvm.add %2324, %2132 overflow<nsw, nuw> : i64
    %2326 = llvm.add %2325, %2116 overflow<nsw, nuw> : i64
    %2327 = llvm.add %2326, %54 overflow<nsw, nuw> : i64
    %2328 = llvm.getelementptr inbounds|nuw %439[%2327] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2329 = llvm.load %2328 : !llvm.ptr -> f16
    %2330 = llvm.insertelement %2329, %37[%111 : i32] : vector<32xf16>
    %2331 = llvm.shufflevector %2330, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2332 = llvm.fmul %2331, %2241 : vector<32xf16>
    %2333 = llvm.fadd %2125, %2332 : vector<32xf16>
    %2334 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %2335 = llvm.add %2131, %2334 overflow<nsw, nuw> : i64
    %2336 = llvm.add %2335, %2132 overflow<nsw, nuw> : i64
    %2337 = llvm.add %2336, %2116 overflow<nsw, nuw> : i64
    %2338 = llvm.add %2337, %54 overflow<nsw, nuw> : i64
    %2339 = llvm.getelementptr inbounds|nuw %439[%2338] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2340 = llvm.load %2339 : !llvm.ptr -> f16
    %2341 = llvm.insertelement %2340, %37[%111 : i32] : vector<32xf16>
    %2342 = llvm.shufflevector %2341, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2343 = llvm.fmul %2342, %2241 : vector<32xf16>
    %2344 = llvm.fadd %2126, %2343 : vector<32xf16>
    %2345 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %2346 = llvm.add %2131, %2345 overflow<nsw, nuw> : i64
    %2347 = llvm.add %2346, %2132 overflow<nsw, nuw> : i64
    %2348 = llvm.add %2347, %2116 overflow<nsw, nuw> : i64
    %2349 = llvm.add %2348, %54 overflow<nsw, nuw> : i64
    %2350 = llvm.getelementptr inbounds|nuw %439[%2349] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2351 = llvm.load %2350 : !llvm.ptr -> f16
    %2352 = llvm.insertelement %2351, %37[%111 : i32] : vector<32xf16>
    %2353 = llvm.shufflevector %2352, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2354 = llvm.fmul %2353, %2241 : vector<32xf16>
    %2355 = llvm.fadd %2127, %2354 : vector<32xf16>
    %2356 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %2357 = llvm.add %2131, %2356 overflow<nsw, nuw> : i64
    %2358 = llvm.add %2357, %2132 overflow<nsw, nuw> : i64
    %2359 = llvm.add %2358, %2116 overflow<nsw, nuw> : i64
    %2360 = llvm.add %2359, %54 overflow<nsw, nuw> : i64
    %2361 = llvm.getelementptr inbounds|nuw %439[%2360] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2362 = llvm.load %2361 : !llvm.ptr -> f16
    %2363 = llvm.insertelement %2362, %37[%111 : i32] : vector<32xf16>
    %2364 = llvm.shufflevector %2363, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2365 = llvm.fmul %2364, %2241 : vector<32xf16>
    %2366 = llvm.fadd %2128, %2365 : vector<32xf16>
    %2367 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %2368 = llvm.add %2131, %2367 overflow<nsw, nuw> : i64
    %2369 = llvm.add %2368, %2132 overflow<nsw, nuw> : i64
    %2370 = llvm.add %2369, %2116 overflow<nsw, nuw> : i64
    %2371 = llvm.add %2370, %54 overflow<nsw, nuw> : i64
    %2372 = llvm.getelementptr inbounds|nuw %439[%2371] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2373 = llvm.load %2372 : !llvm.ptr -> f16
    %2374 = llvm.insertelement %2373, %37[%111 : i32] : vector<32xf16>
    %2375 = llvm.shufflevector %2374, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %2376 = llvm.fmul %2375, %2241 : vector<32xf16>
    %2377 = llvm.fadd %2129, %2376 : vector<32xf16>
    %2378 = llvm.add %2116, %52 : i64
    llvm.br ^bb180(%2378, %2245, %2256, %2267, %2278, %2289, %2300, %2311, %2322, %2333, %2344, %2355, %2366, %2377 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb182:  // pred: ^bb180
    %2379 = llvm.intr.masked.load %1661, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2380 = llvm.fadd %2379, %2117 : vector<32xf16>
    llvm.intr.masked.store %2380, %1661, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2381 = llvm.intr.masked.load %1663, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2382 = llvm.fadd %2381, %2118 : vector<32xf16>
    llvm.intr.masked.store %2382, %1663, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2383 = llvm.intr.masked.load %1665, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2384 = llvm.fadd %2383, %2119 : vector<32xf16>
    llvm.intr.masked.store %2384, %1665, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2385 = llvm.intr.masked.load %1667, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2386 = llvm.fadd %2385, %2120 : vector<32xf16>
    llvm.intr.masked.store %2386, %1667, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2387 = llvm.intr.masked.load %1669, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2388 = llvm.fadd %2387, %2121 : vector<32xf16>
    llvm.intr.masked.store %2388, %1669, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2389 = llvm.intr.masked.load %1671, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2390 = llvm.fadd %2389, %2122 : vector<32xf16>
    llvm.intr.masked.store %2390, %1671, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2391 = llvm.intr.masked.load %1673, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2392 = llvm.fadd %2391, %2123 : vector<32xf16>
    llvm.intr.masked.store %2392, %1673, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2393 = llvm.intr.masked.load %1675, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2394 = llvm.fadd %2393, %2124 : vector<32xf16>
    llvm.intr.masked.store %2394, %1675, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2395 = llvm.intr.masked.load %1677, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2396 = llvm.fadd %2395, %2125 : vector<32xf16>
    llvm.intr.masked.store %2396, %1677, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2397 = llvm.intr.masked.load %1679, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2398 = llvm.fadd %2397, %2126 : vector<32xf16>
    llvm.intr.masked.store %2398, %1679, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2399 = llvm.intr.masked.load %1681, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2400 = llvm.fadd %2399, %2127 : vector<32xf16>
    llvm.intr.masked.store %2400, %1681, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2401 = llvm.intr.masked.load %1683, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2402 = llvm.fadd %2401, %2128 : vector<32xf16>
    llvm.intr.masked.store %2402, %1683, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2403 = llvm.intr.masked.load %1685, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2404 = llvm.fadd %2403, %2129 : vector<32xf16>
    llvm.intr.masked.store %2404, %1685, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    llvm.br ^bb183(%54 : i64)
  ^bb183(%2405: i64):  // 2 preds: ^bb182, ^bb184
    %2406 = llvm.icmp "slt" %2405, %59 : i64
    llvm.cond_br %2406, ^bb184, ^bb185
  ^bb184:  // pred: ^bb183
    %2407 = llvm.mul %2405, %88 : i64
    %2408 = llvm.add %1344, %2407 : i64
    %2409 = llvm.add %2408, %54 : i64
    %2410 = llvm.getelementptr %447[%2409] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2411 = llvm.load %2410 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %2412 = llvm.fmul %2411, %108 : vector<32xf16>
    llvm.store %2412, %2410 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %2413 = llvm.add %2408, %87 : i64
    %2414 = llvm.getelementptr %447[%2413] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2415 = llvm.intr.masked.load %2414, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %2416 = llvm.fmul %2415, %108 : vector<32xf16>
    llvm.intr.masked.store %2416, %2414, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %2417 = llvm.add %2405, %52 : i64
    llvm.br ^bb183(%2417 : i64)
  ^bb185:  // pred: ^bb183
    llvm.br ^bb186(%54 : i64)
  ^bb186(%2418: i64):  // 2 preds: ^bb185, ^bb190
    %2419 = llvm.icmp "slt" %2418, %64 : i64
    llvm.cond_br %2419, ^bb187, ^bb191
  ^bb187:  // pred: ^bb186
    llvm.br ^bb188(%54, %90, %90, %90, %90, %91, %91, %91, %91 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb188(%2420: i64, %2421: vector<16xf32>, %2422: vector<16xf32>, %2423: vector<16xf32>, %2424: vector<16xf32>, %2425: vector<16xf32>, %2426: vector<16xf32>, %2427: vector<16xf32>, %2428: vector<16xf32>):  // 2 preds: ^bb187, ^bb189
    %2429 = llvm.icmp "slt" %2420, %87 : i64
    llvm.cond_br %2429, ^bb189, ^bb190
  ^bb189:  // pred: ^bb188
    %2430 = llvm.mul %2418, %88 : i64
    %2431 = llvm.add %1344, %2430 : i64
    %2432 = llvm.add %2431, %2420 : i64
    %2433 = llvm.getelementptr %447[%2432] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2434 = llvm.load %2433 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2435 = llvm.fpext %2434 : vector<16xf16> to vector<16xf32>
    %2436 = llvm.fcmp "ogt" %2435, %2421 : vector<16xf32>
    %2437 = llvm.select %2436, %2435, %2421 : vector<16xi1>, vector<16xf32>
    %2438 = llvm.fcmp "uno" %2435, %2435 : vector<16xf32>
    %2439 = llvm.select %2438, %92, %2425 : vector<16xi1>, vector<16xf32>
    %2440 = llvm.add %2418, %52 : i64
    %2441 = llvm.mul %2440, %88 : i64
    %2442 = llvm.add %1344, %2441 : i64
    %2443 = llvm.add %2442, %2420 : i64
    %2444 = llvm.getelementptr %447[%2443] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2445 = llvm.load %2444 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2446 = llvm.fpext %2445 : vector<16xf16> to vector<16xf32>
    %2447 = llvm.fcmp "ogt" %2446, %2422 : vector<16xf32>
    %2448 = llvm.select %2447, %2446, %2422 : vector<16xi1>, vector<16xf32>
    %2449 = llvm.fcmp "uno" %2446, %2446 : vector<16xf32>
    %2450 = llvm.select %2449, %92, %2426 : vector<16xi1>, vector<16xf32>
    %2451 = llvm.add %2418, %53 : i64
    %2452 = llvm.mul %2451, %88 : i64
    %2453 = llvm.add %1344, %2452 : i64
    %2454 = llvm.add %2453, %2420 : i64
    %2455 = llvm.getelementptr %447[%2454] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2456 = llvm.load %2455 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2457 = llvm.fpext %2456 : vector<16xf16> to vector<16xf32>
    %2458 = llvm.fcmp "ogt" %2457, %2423 : vector<16xf32>
    %2459 = llvm.select %2458, %2457, %2423 : vector<16xi1>, vector<16xf32>
    %2460 = llvm.fcmp "uno" %2457, %2457 : vector<16xf32>
    %2461 = llvm.select %2460, %92, %2427 : vector<16xi1>, vector<16xf32>
    %2462 = llvm.add %2418, %66 : i64
    %2463 = llvm.mul %2462, %88 : i64
    %2464 = llvm.add %1344, %2463 : i64
    %2465 = llvm.add %2464, %2420 : i64
    %2466 = llvm.getelementptr %447[%2465] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2467 = llvm.load %2466 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2468 = llvm.fpext %2467 : vector<16xf16> to vector<16xf32>
    %2469 = llvm.fcmp "ogt" %2468, %2424 : vector<16xf32>
    %2470 = llvm.select %2469, %2468, %2424 : vector<16xi1>, vector<16xf32>
    %2471 = llvm.fcmp "uno" %2468, %2468 : vector<16xf32>
    %2472 = llvm.select %2471, %92, %2428 : vector<16xi1>, vector<16xf32>
    %2473 = llvm.add %2420, %63 : i64
    llvm.br ^bb188(%2473, %2437, %2448, %2459, %2470, %2439, %2450, %2461, %2472 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb190:  // pred: ^bb188
    %2474 = llvm.mul %2418, %88 : i64
    %2475 = llvm.add %1344, %2474 : i64
    %2476 = llvm.add %2475, %87 : i64
    %2477 = llvm.getelementptr %447[%2476] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2478 = llvm.intr.masked.load %2477, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2479 = llvm.fpext %2478 : vector<16xf16> to vector<16xf32>
    %2480 = llvm.select %128, %2479, %2421 : vector<16xi1>, vector<16xf32>
    %2481 = llvm.fcmp "ogt" %2480, %2421 : vector<16xf32>
    %2482 = llvm.select %2481, %2480, %2421 : vector<16xi1>, vector<16xf32>
    %2483 = llvm.fcmp "uno" %2480, %2480 : vector<16xf32>
    %2484 = llvm.select %2483, %92, %2425 : vector<16xi1>, vector<16xf32>
    %2485 = llvm.add %2418, %52 : i64
    %2486 = llvm.mul %2485, %88 : i64
    %2487 = llvm.add %1344, %2486 : i64
    %2488 = llvm.add %2487, %87 : i64
    %2489 = llvm.getelementptr %447[%2488] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2490 = llvm.intr.masked.load %2489, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2491 = llvm.fpext %2490 : vector<16xf16> to vector<16xf32>
    %2492 = llvm.select %128, %2491, %2422 : vector<16xi1>, vector<16xf32>
    %2493 = llvm.fcmp "ogt" %2492, %2422 : vector<16xf32>
    %2494 = llvm.select %2493, %2492, %2422 : vector<16xi1>, vector<16xf32>
    %2495 = llvm.fcmp "uno" %2492, %2492 : vector<16xf32>
    %2496 = llvm.select %2495, %92, %2426 : vector<16xi1>, vector<16xf32>
    %2497 = llvm.add %2418, %53 : i64
    %2498 = llvm.mul %2497, %88 : i64
    %2499 = llvm.add %1344, %2498 : i64
    %2500 = llvm.add %2499, %87 : i64
    %2501 = llvm.getelementptr %447[%2500] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2502 = llvm.intr.masked.load %2501, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2503 = llvm.fpext %2502 : vector<16xf16> to vector<16xf32>
    %2504 = llvm.select %128, %2503, %2423 : vector<16xi1>, vector<16xf32>
    %2505 = llvm.fcmp "ogt" %2504, %2423 : vector<16xf32>
    %2506 = llvm.select %2505, %2504, %2423 : vector<16xi1>, vector<16xf32>
    %2507 = llvm.fcmp "uno" %2504, %2504 : vector<16xf32>
    %2508 = llvm.select %2507, %92, %2427 : vector<16xi1>, vector<16xf32>
    %2509 = llvm.add %2418, %66 : i64
    %2510 = llvm.mul %2509, %88 : i64
    %2511 = llvm.add %1344, %2510 : i64
    %2512 = llvm.add %2511, %87 : i64
    %2513 = llvm.getelementptr %447[%2512] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2514 = llvm.intr.masked.load %2513, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2515 = llvm.fpext %2514 : vector<16xf16> to vector<16xf32>
    %2516 = llvm.select %128, %2515, %2424 : vector<16xi1>, vector<16xf32>
    %2517 = llvm.fcmp "ogt" %2516, %2424 : vector<16xf32>
    %2518 = llvm.select %2517, %2516, %2424 : vector<16xi1>, vector<16xf32>
    %2519 = llvm.fcmp "uno" %2516, %2516 : vector<16xf32>
    %2520 = llvm.select %2519, %92, %2428 : vector<16xi1>, vector<16xf32>
    %2521 = llvm.fadd %2482, %2484 : vector<16xf32>
    %2522 = llvm.fadd %2494, %2496 : vector<16xf32>
    %2523 = llvm.fadd %2506, %2508 : vector<16xf32>
    %2524 = llvm.fadd %2518, %2520 : vector<16xf32>
    %2525 = llvm.intr.vector.reduce.fmaximum(%2521) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %2526 = llvm.add %555, %555 overflow<nsw, nuw> : i64
    %2527 = llvm.add %2526, %2418 overflow<nsw, nuw> : i64
    %2528 = llvm.getelementptr inbounds|nuw %448[%2527] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2525, %2528 : f32, !llvm.ptr
    %2529 = llvm.intr.vector.reduce.fmaximum(%2522) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %2530 = llvm.add %2526, %2485 overflow<nsw, nuw> : i64
    %2531 = llvm.getelementptr inbounds|nuw %448[%2530] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2529, %2531 : f32, !llvm.ptr
    %2532 = llvm.intr.vector.reduce.fmaximum(%2523) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %2533 = llvm.add %2526, %2497 overflow<nsw, nuw> : i64
    %2534 = llvm.getelementptr inbounds|nuw %448[%2533] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2532, %2534 : f32, !llvm.ptr
    %2535 = llvm.intr.vector.reduce.fmaximum(%2524) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %2536 = llvm.add %2526, %2509 overflow<nsw, nuw> : i64
    %2537 = llvm.getelementptr inbounds|nuw %448[%2536] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2535, %2537 : f32, !llvm.ptr
    %2538 = llvm.add %2418, %65 : i64
    llvm.br ^bb186(%2538 : i64)
  ^bb191:  // pred: ^bb186
    llvm.br ^bb192(%54, %90, %91 : i64, vector<16xf32>, vector<16xf32>)
  ^bb192(%2539: i64, %2540: vector<16xf32>, %2541: vector<16xf32>):  // 2 preds: ^bb191, ^bb193
    %2542 = llvm.icmp "slt" %2539, %87 : i64
    llvm.cond_br %2542, ^bb193, ^bb194
  ^bb193:  // pred: ^bb192
    %2543 = llvm.add %1394, %2539 : i64
    %2544 = llvm.getelementptr %447[%2543] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2545 = llvm.load %2544 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2546 = llvm.fpext %2545 : vector<16xf16> to vector<16xf32>
    %2547 = llvm.fcmp "ogt" %2546, %2540 : vector<16xf32>
    %2548 = llvm.select %2547, %2546, %2540 : vector<16xi1>, vector<16xf32>
    %2549 = llvm.fcmp "uno" %2546, %2546 : vector<16xf32>
    %2550 = llvm.select %2549, %92, %2541 : vector<16xi1>, vector<16xf32>
    %2551 = llvm.add %2539, %63 : i64
    llvm.br ^bb192(%2551, %2548, %2550 : i64, vector<16xf32>, vector<16xf32>)
  ^bb194:  // pred: ^bb192
    %2552 = llvm.intr.masked.load %1685, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2553 = llvm.fpext %2552 : vector<16xf16> to vector<16xf32>
    %2554 = llvm.select %128, %2553, %2540 : vector<16xi1>, vector<16xf32>
    %2555 = llvm.fcmp "ogt" %2554, %2540 : vector<16xf32>
    %2556 = llvm.select %2555, %2554, %2540 : vector<16xi1>, vector<16xf32>
    %2557 = llvm.fcmp "uno" %2554, %2554 : vector<16xf32>
    %2558 = llvm.select %2557, %92, %2541 : vector<16xi1>, vector<16xf32>
    %2559 = llvm.fadd %2556, %2558 : vector<16xf32>
    %2560 = llvm.intr.vector.reduce.fmaximum(%2559) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %2561 = llvm.add %555, %555 overflow<nsw, nuw> : i64
    %2562 = llvm.add %2561, %64 overflow<nsw, nuw> : i64
    %2563 = llvm.getelementptr inbounds|nuw %448[%2562] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2560, %2563 : f32, !llvm.ptr
    %2564 = llvm.mul %54, %59 : i64
    %2565 = llvm.add %2564, %2564 : i64
    %2566 = llvm.add %2565, %54 : i64
    %2567 = llvm.getelementptr %449[%2566] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %90, %2567, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %2568 = llvm.getelementptr %448[%2566] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2569 = llvm.intr.masked.load %2568, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2570 = llvm.intr.masked.load %2567, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2571 = llvm.fcmp "ugt" %2570, %2569 : vector<16xf32>
    %2572 = llvm.select %2571, %2570, %2569 : vector<16xi1>, vector<16xf32>
    %2573 = llvm.fcmp "uno" %2569, %2569 : vector<16xf32>
    %2574 = llvm.select %2573, %2569, %2572 : vector<16xi1>, vector<16xf32>
    %2575 = llvm.fcmp "oeq" %2574, %90 : vector<16xf32>
    %2576 = llvm.select %2575, %94, %2574 : vector<16xi1>, vector<16xf32>
    %2577 = llvm.fsub %2570, %2576 : vector<16xf32>
    %2578 = llvm.fmul %2577, %110 : vector<16xf32>
    %2579 = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%2578, %111, %2577, %112, %113) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
    %2580 = llvm.fsub %2578, %2579 : vector<16xf32>
    %2581 = llvm.intr.fma(%114, %2579, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2582 = llvm.intr.fma(%2581, %2579, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2583 = llvm.intr.fma(%2582, %2579, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2584 = llvm.intr.fma(%2583, %2579, %118) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2585 = llvm.intr.fma(%2584, %2579, %119) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2586 = llvm.intr.fma(%2585, %2579, %109) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2587 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%2586, %2580, %2577, %112, %113) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
    llvm.intr.masked.store %2574, %2567, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.intr.masked.store %2587, %2568, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb195(%54 : i64)
  ^bb195(%2588: i64):  // 2 preds: ^bb194, ^bb199
    %2589 = llvm.icmp "slt" %2588, %59 : i64
    llvm.cond_br %2589, ^bb196, ^bb200
  ^bb196:  // pred: ^bb195
    %2590 = llvm.add %2561, %2588 overflow<nsw, nuw> : i64
    %2591 = llvm.getelementptr inbounds|nuw %449[%2590] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2592 = llvm.load %2591 : !llvm.ptr -> f32
    %2593 = llvm.fcmp "oeq" %2592, %55 : f32
    %2594 = llvm.select %2593, %56, %2592 : i1, f32
    llvm.br ^bb197(%54 : i64)
  ^bb197(%2595: i64):  // 2 preds: ^bb196, ^bb198
    %2596 = llvm.icmp "slt" %2595, %87 : i64
    llvm.cond_br %2596, ^bb198, ^bb199
  ^bb198:  // pred: ^bb197
    %2597 = llvm.mul %2588, %88 : i64
    %2598 = llvm.add %1344, %2597 : i64
    %2599 = llvm.add %2598, %2595 : i64
    %2600 = llvm.getelementptr %447[%2599] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2601 = llvm.load %2600 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2602 = llvm.fpext %2601 : vector<16xf16> to vector<16xf32>
    %2603 = llvm.insertelement %2594, %4[%111 : i32] : vector<16xf32>
    %2604 = llvm.shufflevector %2603, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2605 = llvm.fsub %2602, %2604 : vector<16xf32>
    %2606 = llvm.fmul %2605, %110 : vector<16xf32>
    %2607 = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%2606, %111, %2605, %112, %113) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
    %2608 = llvm.fsub %2606, %2607 : vector<16xf32>
    %2609 = llvm.intr.fma(%114, %2607, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2610 = llvm.intr.fma(%2609, %2607, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2611 = llvm.intr.fma(%2610, %2607, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2612 = llvm.intr.fma(%2611, %2607, %118) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2613 = llvm.intr.fma(%2612, %2607, %119) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2614 = llvm.intr.fma(%2613, %2607, %109) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2615 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%2614, %2608, %2605, %112, %113) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
    %2616 = llvm.getelementptr %450[%2599] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2615, %2616 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2617 = llvm.add %2595, %63 : i64
    llvm.br ^bb197(%2617 : i64)
  ^bb199:  // pred: ^bb197
    %2618 = llvm.mul %2588, %88 : i64
    %2619 = llvm.add %1344, %2618 : i64
    %2620 = llvm.add %2619, %87 : i64
    %2621 = llvm.getelementptr %447[%2620] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2622 = llvm.intr.masked.load %2621, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2623 = llvm.fpext %2622 : vector<16xf16> to vector<16xf32>
    %2624 = llvm.insertelement %2594, %4[%111 : i32] : vector<16xf32>
    %2625 = llvm.shufflevector %2624, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2626 = llvm.fsub %2623, %2625 : vector<16xf32>
    %2627 = llvm.fmul %2626, %110 : vector<16xf32>
    %2628 = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%2627, %111, %2626, %112, %113) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
    %2629 = llvm.fsub %2627, %2628 : vector<16xf32>
    %2630 = llvm.intr.fma(%114, %2628, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2631 = llvm.intr.fma(%2630, %2628, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2632 = llvm.intr.fma(%2631, %2628, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2633 = llvm.intr.fma(%2632, %2628, %118) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2634 = llvm.intr.fma(%2633, %2628, %119) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2635 = llvm.intr.fma(%2634, %2628, %109) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2636 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%2635, %2629, %2626, %112, %113) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
    %2637 = llvm.getelementptr %450[%2620] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %2636, %2637, %128 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %2638 = llvm.add %2588, %52 : i64
    llvm.br ^bb195(%2638 : i64)
  ^bb200:  // pred: ^bb195
    %2639 = llvm.getelementptr %451[%2566] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %94, %2639, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %2640 = llvm.intr.masked.load %2568, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2641 = llvm.intr.masked.load %2639, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2642 = llvm.fmul %2641, %2640 : vector<16xf32>
    llvm.intr.masked.store %2642, %2639, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb201(%54 : i64)
  ^bb201(%2643: i64):  // 2 preds: ^bb200, ^bb205
    %2644 = llvm.icmp "slt" %2643, %64 : i64
    llvm.cond_br %2644, ^bb202, ^bb206
  ^bb202:  // pred: ^bb201
    llvm.br ^bb203(%54, %94, %94, %94, %94 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb203(%2645: i64, %2646: vector<16xf32>, %2647: vector<16xf32>, %2648: vector<16xf32>, %2649: vector<16xf32>):  // 2 preds: ^bb202, ^bb204
    %2650 = llvm.icmp "slt" %2645, %87 : i64
    llvm.cond_br %2650, ^bb204, ^bb205
  ^bb204:  // pred: ^bb203
    %2651 = llvm.mul %2643, %88 : i64
    %2652 = llvm.add %1344, %2651 : i64
    %2653 = llvm.add %2652, %2645 : i64
    %2654 = llvm.getelementptr %450[%2653] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2655 = llvm.load %2654 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2656 = llvm.fadd %2646, %2655 : vector<16xf32>
    %2657 = llvm.add %2643, %52 : i64
    %2658 = llvm.mul %2657, %88 : i64
    %2659 = llvm.add %1344, %2658 : i64
    %2660 = llvm.add %2659, %2645 : i64
    %2661 = llvm.getelementptr %450[%2660] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2662 = llvm.load %2661 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2663 = llvm.fadd %2647, %2662 : vector<16xf32>
    %2664 = llvm.add %2643, %53 : i64
    %2665 = llvm.mul %2664, %88 : i64
    %2666 = llvm.add %1344, %2665 : i64
    %2667 = llvm.add %2666, %2645 : i64
    %2668 = llvm.getelementptr %450[%2667] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2669 = llvm.load %2668 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2670 = llvm.fadd %2648, %2669 : vector<16xf32>
    %2671 = llvm.add %2643, %66 : i64
    %2672 = llvm.mul %2671, %88 : i64
    %2673 = llvm.add %1344, %2672 : i64
    %2674 = llvm.add %2673, %2645 : i64
    %2675 = llvm.getelementptr %450[%2674] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2676 = llvm.load %2675 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2677 = llvm.fadd %2649, %2676 : vector<16xf32>
    %2678 = llvm.add %2645, %63 : i64
    llvm.br ^bb203(%2678, %2656, %2663, %2670, %2677 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb205:  // pred: ^bb203
    %2679 = llvm.mul %2643, %88 : i64
    %2680 = llvm.add %1344, %2679 : i64
    %2681 = llvm.add %2680, %87 : i64
    %2682 = llvm.getelementptr %450[%2681] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2683 = llvm.intr.masked.load %2682, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2684 = llvm.fadd %2646, %2683 : vector<16xf32>
    %2685 = llvm.select %128, %2684, %2646 : vector<16xi1>, vector<16xf32>
    %2686 = llvm.add %2643, %52 : i64
    %2687 = llvm.mul %2686, %88 : i64
    %2688 = llvm.add %1344, %2687 : i64
    %2689 = llvm.add %2688, %87 : i64
    %2690 = llvm.getelementptr %450[%2689] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2691 = llvm.intr.masked.load %2690, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2692 = llvm.fadd %2647, %2691 : vector<16xf32>
    %2693 = llvm.select %128, %2692, %2647 : vector<16xi1>, vector<16xf32>
    %2694 = llvm.add %2643, %53 : i64
    %2695 = llvm.mul %2694, %88 : i64
    %2696 = llvm.add %1344, %2695 : i64
    %2697 = llvm.add %2696, %87 : i64
    %2698 = llvm.getelementptr %450[%2697] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2699 = llvm.intr.masked.load %2698, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2700 = llvm.fadd %2648, %2699 : vector<16xf32>
    %2701 = llvm.select %128, %2700, %2648 : vector<16xi1>, vector<16xf32>
    %2702 = llvm.add %2643, %66 : i64
    %2703 = llvm.mul %2702, %88 : i64
    %2704 = llvm.add %1344, %2703 : i64
    %2705 = llvm.add %2704, %87 : i64
    %2706 = llvm.getelementptr %450[%2705] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2707 = llvm.intr.masked.load %2706, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2708 = llvm.fadd %2649, %2707 : vector<16xf32>
    %2709 = llvm.select %128, %2708, %2649 : vector<16xi1>, vector<16xf32>
    %2710 = "llvm.intr.vector.reduce.fadd"(%56, %2685) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %2711 = llvm.add %2561, %2643 overflow<nsw, nuw> : i64
    %2712 = llvm.getelementptr inbounds|nuw %451[%2711] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2713 = llvm.load %2712 : !llvm.ptr -> f32
    %2714 = llvm.fadd %2710, %2713 : f32
    llvm.store %2714, %2712 : f32, !llvm.ptr
    %2715 = "llvm.intr.vector.reduce.fadd"(%56, %2693) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %2716 = llvm.add %2561, %2686 overflow<nsw, nuw> : i64
    %2717 = llvm.getelementptr inbounds|nuw %451[%2716] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2718 = llvm.load %2717 : !llvm.ptr -> f32
    %2719 = llvm.fadd %2715, %2718 : f32
    llvm.store %2719, %2717 : f32, !llvm.ptr
    %2720 = "llvm.intr.vector.reduce.fadd"(%56, %2701) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %2721 = llvm.add %2561, %2694 overflow<nsw, nuw> : i64
    %2722 = llvm.getelementptr inbounds|nuw %451[%2721] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2723 = llvm.load %2722 : !llvm.ptr -> f32
    %2724 = llvm.fadd %2720, %2723 : f32
    llvm.store %2724, %2722 : f32, !llvm.ptr
    %2725 = "llvm.intr.vector.reduce.fadd"(%56, %2709) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %2726 = llvm.add %2561, %2702 overflow<nsw, nuw> : i64
    %2727 = llvm.getelementptr inbounds|nuw %451[%2726] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2728 = llvm.load %2727 : !llvm.ptr -> f32
    %2729 = llvm.fadd %2725, %2728 : f32
    llvm.store %2729, %2727 : f32, !llvm.ptr
    %2730 = llvm.add %2643, %65 : i64
    llvm.br ^bb201(%2730 : i64)
  ^bb206:  // pred: ^bb201
    llvm.br ^bb207(%54, %94 : i64, vector<16xf32>)
  ^bb207(%2731: i64, %2732: vector<16xf32>):  // 2 preds: ^bb206, ^bb208
    %2733 = llvm.icmp "slt" %2731, %87 : i64
    llvm.cond_br %2733, ^bb208, ^bb209
  ^bb208:  // pred: ^bb207
    %2734 = llvm.add %1394, %2731 : i64
    %2735 = llvm.getelementptr %450[%2734] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2736 = llvm.load %2735 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2737 = llvm.fadd %2732, %2736 : vector<16xf32>
    %2738 = llvm.add %2731, %63 : i64
    llvm.br ^bb207(%2738, %2737 : i64, vector<16xf32>)
  ^bb209:  // pred: ^bb207
    %2739 = llvm.getelementptr %450[%1684] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2740 = llvm.intr.masked.load %2739, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2741 = llvm.fadd %2732, %2740 : vector<16xf32>
    %2742 = llvm.select %128, %2741, %2732 : vector<16xi1>, vector<16xf32>
    %2743 = "llvm.intr.vector.reduce.fadd"(%56, %2742) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %2744 = llvm.getelementptr inbounds|nuw %451[%2562] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2745 = llvm.load %2744 : !llvm.ptr -> f32
    %2746 = llvm.fadd %2743, %2745 : f32
    llvm.store %2746, %2744 : f32, !llvm.ptr
    llvm.br ^bb210(%54 : i64)
  ^bb210(%2747: i64):  // 2 preds: ^bb209, ^bb214
    %2748 = llvm.icmp "slt" %2747, %59 : i64
    llvm.cond_br %2748, ^bb211, ^bb215
  ^bb211:  // pred: ^bb210
    llvm.br ^bb212(%54 : i64)
  ^bb212(%2749: i64):  // 2 preds: ^bb211, ^bb213
    %2750 = llvm.icmp "slt" %2749, %87 : i64
    llvm.cond_br %2750, ^bb213, ^bb214
  ^bb213:  // pred: ^bb212
    %2751 = llvm.mul %2747, %88 : i64
    %2752 = llvm.add %1344, %2751 : i64
    %2753 = llvm.add %2752, %2749 : i64
    %2754 = llvm.getelementptr %450[%2753] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2755 = llvm.load %2754 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2756 = llvm.fptrunc %2755 : vector<16xf32> to vector<16xf16>
    %2757 = llvm.getelementptr %446[%2753] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %2756, %2757 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %2758 = llvm.add %2749, %63 : i64
    llvm.br ^bb212(%2758 : i64)
  ^bb214:  // pred: ^bb212
    %2759 = llvm.mul %2747, %88 : i64
    %2760 = llvm.add %1344, %2759 : i64
    %2761 = llvm.add %2760, %87 : i64
    %2762 = llvm.getelementptr %450[%2761] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2763 = llvm.intr.masked.load %2762, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2764 = llvm.fptrunc %2763 : vector<16xf32> to vector<16xf16>
    %2765 = llvm.getelementptr %446[%2761] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %2764, %2765, %128 {alignment = 2 : i32} : vector<16xf16>, vector<16xi1> into !llvm.ptr
    %2766 = llvm.add %2747, %52 : i64
    llvm.br ^bb210(%2766 : i64)
  ^bb215:  // pred: ^bb210
    llvm.br ^bb216(%54 : i64)
  ^bb216(%2767: i64):  // 2 preds: ^bb215, ^bb217
    %2768 = llvm.icmp "slt" %2767, %59 : i64
    llvm.cond_br %2768, ^bb217, ^bb218
  ^bb217:  // pred: ^bb216
    %2769 = llvm.getelementptr %arg29[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2770 = llvm.mul %54, %49 : i64
    %2771 = llvm.mul %2767, %87 : i64
    %2772 = llvm.add %2770, %2771 : i64
    %2773 = llvm.mul %54, %63 : i64
    %2774 = llvm.add %2772, %2773 : i64
    %2775 = llvm.add %2774, %54 : i64
    %2776 = llvm.getelementptr %2769[%2775] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2777 = llvm.load %2776 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2778 = llvm.mul %54, %44 : i64
    %2779 = llvm.mul %2767, %63 : i64
    %2780 = llvm.add %2778, %2779 : i64
    %2781 = llvm.add %2780, %2773 : i64
    %2782 = llvm.add %2781, %54 : i64
    %2783 = llvm.getelementptr %452[%2782] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %2777, %2783 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %2784 = llvm.add %2767, %52 : i64
    llvm.br ^bb216(%2784 : i64)
  ^bb218:  // pred: ^bb216
    llvm.br ^bb219(%54 : i64)
  ^bb219(%2785: i64):  // 2 preds: ^bb218, ^bb220
    %2786 = llvm.icmp "slt" %2785, %62 : i64
    llvm.cond_br %2786, ^bb220, ^bb221
  ^bb220:  // pred: ^bb219
    %2787 = llvm.getelementptr %arg66[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2788 = llvm.mul %54, %46 : i64
    %2789 = llvm.mul %2785, %87 : i64
    %2790 = llvm.add %2788, %2789 : i64
    %2791 = llvm.mul %54, %63 : i64
    %2792 = llvm.add %2790, %2791 : i64
    %2793 = llvm.add %2792, %54 : i64
    %2794 = llvm.getelementptr %2787[%2793] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2795 = llvm.load %2794 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2796 = llvm.getelementptr %452[208] : (!llvm.ptr) -> !llvm.ptr, f16
    %2797 = llvm.mul %54, %44 : i64
    %2798 = llvm.mul %2785, %63 : i64
    %2799 = llvm.add %2797, %2798 : i64
    %2800 = llvm.add %2799, %2791 : i64
    %2801 = llvm.add %2800, %54 : i64
    %2802 = llvm.getelementptr %2796[%2801] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %2795, %2802 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %2803 = llvm.add %2785, %52 : i64
    llvm.br ^bb219(%2803 : i64)
  ^bb221:  // pred: ^bb219
    %2804 = llvm.intr.masked.load %2568, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %2805 = llvm.add %2564, %54 : i64
    %2806 = llvm.getelementptr %454[%2805] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %2804, %2806, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb222(%54 : i64)
  ^bb222(%2807: i64):  // 2 preds: ^bb221, ^bb223
    %2808 = llvm.icmp "slt" %2807, %59 : i64
    llvm.cond_br %2808, ^bb223, ^bb224
  ^bb223:  // pred: ^bb222
    %2809 = llvm.add %555, %2807 overflow<nsw, nuw> : i64
    %2810 = llvm.getelementptr inbounds|nuw %454[%2809] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2811 = llvm.load %2810 : !llvm.ptr -> f32
    %2812 = llvm.mul %54, %40 : i64
    %2813 = llvm.mul %2807, %63 : i64
    %2814 = llvm.add %2812, %2813 : i64
    %2815 = llvm.mul %54, %63 : i64
    %2816 = llvm.add %2814, %2815 : i64
    %2817 = llvm.add %2816, %54 : i64
    %2818 = llvm.getelementptr %440[%2817] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2819 = llvm.load %2818 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2820 = llvm.insertelement %2811, %4[%111 : i32] : vector<16xf32>
    %2821 = llvm.shufflevector %2820, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2822 = llvm.fmul %2821, %2819 : vector<16xf32>
    llvm.store %2822, %2818 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2823 = llvm.add %2807, %52 : i64
    llvm.br ^bb222(%2823 : i64)
  ^bb224:  // pred: ^bb222
    llvm.br ^bb225(%54 : i64)
  ^bb225(%2824: i64):  // 2 preds: ^bb224, ^bb226
    %2825 = llvm.icmp "slt" %2824, %88 : i64
    llvm.cond_br %2825, ^bb226, ^bb227
  ^bb226:  // pred: ^bb225
    %2826 = llvm.mul %54, %44 : i64
    %2827 = llvm.mul %2824, %63 : i64
    %2828 = llvm.add %2826, %2827 : i64
    %2829 = llvm.mul %54, %63 : i64
    %2830 = llvm.add %2828, %2829 : i64
    %2831 = llvm.add %2830, %54 : i64
    %2832 = llvm.getelementptr %452[%2831] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2833 = llvm.load %2832 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2834 = llvm.fpext %2833 : vector<16xf16> to vector<16xf32>
    %2835 = llvm.mul %2824, %63 overflow<nsw> : i64
    %2836 = llvm.getelementptr %134[%2835] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2834, %2836 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2837 = llvm.add %2824, %52 : i64
    llvm.br ^bb225(%2837 : i64)
  ^bb227:  // pred: ^bb225
    llvm.br ^bb228(%54 : i64)
  ^bb228(%2838: i64):  // 2 preds: ^bb227, ^bb229
    %2839 = llvm.icmp "slt" %2838, %87 : i64
    llvm.cond_br %2839, ^bb229, ^bb230
  ^bb229:  // pred: ^bb228
    %2840 = llvm.add %1346, %2838 : i64
    %2841 = llvm.getelementptr %446[%2840] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2842 = llvm.load %2841 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2843 = llvm.fpext %2842 : vector<16xf16> to vector<16xf32>
    %2844 = llvm.getelementptr %133[%2838] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2843, %2844 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2845 = llvm.add %1350, %2838 : i64
    %2846 = llvm.getelementptr %446[%2845] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2847 = llvm.load %2846 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2848 = llvm.fpext %2847 : vector<16xf16> to vector<16xf32>
    %2849 = llvm.add %2838, %120 : i64
    %2850 = llvm.getelementptr %133[%2849] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2848, %2850 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2851 = llvm.add %1354, %2838 : i64
    %2852 = llvm.getelementptr %446[%2851] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2853 = llvm.load %2852 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2854 = llvm.fpext %2853 : vector<16xf16> to vector<16xf32>
    %2855 = llvm.add %2838, %121 : i64
    %2856 = llvm.getelementptr %133[%2855] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2854, %2856 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2857 = llvm.add %1358, %2838 : i64
    %2858 = llvm.getelementptr %446[%2857] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2859 = llvm.load %2858 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2860 = llvm.fpext %2859 : vector<16xf16> to vector<16xf32>
    %2861 = llvm.add %2838, %122 : i64
    %2862 = llvm.getelementptr %133[%2861] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2860, %2862 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2863 = llvm.add %1362, %2838 : i64
    %2864 = llvm.getelementptr %446[%2863] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2865 = llvm.load %2864 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2866 = llvm.fpext %2865 : vector<16xf16> to vector<16xf32>
    %2867 = llvm.add %2838, %123 : i64
    %2868 = llvm.getelementptr %133[%2867] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2866, %2868 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2869 = llvm.add %1366, %2838 : i64
    %2870 = llvm.getelementptr %446[%2869] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2871 = llvm.load %2870 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2872 = llvm.fpext %2871 : vector<16xf16> to vector<16xf32>
    %2873 = llvm.add %2838, %124 : i64
    %2874 = llvm.getelementptr %133[%2873] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2872, %2874 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2875 = llvm.add %1370, %2838 : i64
    %2876 = llvm.getelementptr %446[%2875] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2877 = llvm.load %2876 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2878 = llvm.fpext %2877 : vector<16xf16> to vector<16xf32>
    %2879 = llvm.add %2838, %125 : i64
    %2880 = llvm.getelementptr %133[%2879] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2878, %2880 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2881 = llvm.add %1374, %2838 : i64
    %2882 = llvm.getelementptr %446[%2881] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2883 = llvm.load %2882 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %2884 = llvm.fpext %2883 : vector<16xf16> to vector<16xf32>
    %2885 = llvm.add %2838, %126 : i64
    %2886 = llvm.getelementptr %133[%2885] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %2884, %2886 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2887 = llvm.add %2838, %63 : i64
    llvm.br ^bb228(%2887 : i64)
  ^bb230:  // pred: ^bb228
    %2888 = llvm.getelementptr %446[%1660] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2889 = llvm.intr.masked.load %2888, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2890 = llvm.fpext %2889 : vector<16xf16> to vector<16xf32>
    %2891 = llvm.getelementptr %133[32] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2890, %2891 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2892 = llvm.getelementptr %446[%1662] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2893 = llvm.intr.masked.load %2892, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2894 = llvm.fpext %2893 : vector<16xf16> to vector<16xf32>
    %2895 = llvm.getelementptr %133[80] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2894, %2895 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2896 = llvm.getelementptr %446[%1664] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2897 = llvm.intr.masked.load %2896, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2898 = llvm.fpext %2897 : vector<16xf16> to vector<16xf32>
    %2899 = llvm.getelementptr %133[128] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2898, %2899 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2900 = llvm.getelementptr %446[%1666] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2901 = llvm.intr.masked.load %2900, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2902 = llvm.fpext %2901 : vector<16xf16> to vector<16xf32>
    %2903 = llvm.getelementptr %133[176] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2902, %2903 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2904 = llvm.getelementptr %446[%1668] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2905 = llvm.intr.masked.load %2904, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2906 = llvm.fpext %2905 : vector<16xf16> to vector<16xf32>
    %2907 = llvm.getelementptr %133[224] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2906, %2907 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2908 = llvm.getelementptr %446[%1670] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2909 = llvm.intr.masked.load %2908, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2910 = llvm.fpext %2909 : vector<16xf16> to vector<16xf32>
    %2911 = llvm.getelementptr %133[272] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2910, %2911 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2912 = llvm.getelementptr %446[%1672] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2913 = llvm.intr.masked.load %2912, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2914 = llvm.fpext %2913 : vector<16xf16> to vector<16xf32>
    %2915 = llvm.getelementptr %133[320] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2914, %2915 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2916 = llvm.getelementptr %446[%1674] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %2917 = llvm.intr.masked.load %2916, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %2918 = llvm.fpext %2917 : vector<16xf16> to vector<16xf32>
    %2919 = llvm.getelementptr %133[368] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %2918, %2919 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    llvm.br ^bb231(%54, %91, %91, %91, %91, %91, %91, %91, %91 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb231(%2920: i64, %2921: vector<16xf32>, %2922: vector<16xf32>, %2923: vector<16xf32>, %2924: vector<16xf32>, %2925: vector<16xf32>, %2926: vector<16xf32>, %2927: vector<16xf32>, %2928: vector<16xf32>):  // 2 preds: ^bb230, ^bb232
    %2929 = llvm.icmp "slt" %2920, %88 : i64
    llvm.cond_br %2929, ^bb232, ^bb233
  ^bb232:  // pred: ^bb231
    %2930 = llvm.mul %2920, %63 overflow<nsw> : i64
    %2931 = llvm.getelementptr %134[%2930] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2932 = llvm.load %2931 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2933 = llvm.getelementptr inbounds|nuw %133[%2920] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2934 = llvm.load %2933 : !llvm.ptr -> f32
    %2935 = llvm.insertelement %2934, %4[%111 : i32] : vector<16xf32>
    %2936 = llvm.shufflevector %2935, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2937 = llvm.intr.fmuladd(%2932, %2936, %2921) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2938 = llvm.add %2920, %120 : i64
    %2939 = llvm.getelementptr inbounds|nuw %133[%2938] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2940 = llvm.load %2939 : !llvm.ptr -> f32
    %2941 = llvm.insertelement %2940, %4[%111 : i32] : vector<16xf32>
    %2942 = llvm.shufflevector %2941, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2943 = llvm.intr.fmuladd(%2932, %2942, %2922) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2944 = llvm.add %2920, %121 : i64
    %2945 = llvm.getelementptr inbounds|nuw %133[%2944] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2946 = llvm.load %2945 : !llvm.ptr -> f32
    %2947 = llvm.insertelement %2946, %4[%111 : i32] : vector<16xf32>
    %2948 = llvm.shufflevector %2947, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2949 = llvm.intr.fmuladd(%2932, %2948, %2923) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2950 = llvm.add %2920, %122 : i64
    %2951 = llvm.getelementptr inbounds|nuw %133[%2950] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2952 = llvm.load %2951 : !llvm.ptr -> f32
    %2953 = llvm.insertelement %2952, %4[%111 : i32] : vector<16xf32>
    %2954 = llvm.shufflevector %2953, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2955 = llvm.intr.fmuladd(%2932, %2954, %2924) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2956 = llvm.add %2920, %123 : i64
    %2957 = llvm.getelementptr inbounds|nuw %133[%2956] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2958 = llvm.load %2957 : !llvm.ptr -> f32
    %2959 = llvm.insertelement %2958, %4[%111 : i32] : vector<16xf32>
    %2960 = llvm.shufflevector %2959, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2961 = llvm.intr.fmuladd(%2932, %2960, %2925) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2962 = llvm.add %2920, %124 : i64
    %2963 = llvm.getelementptr inbounds|nuw %133[%2962] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2964 = llvm.load %2963 : !llvm.ptr -> f32
    %2965 = llvm.insertelement %2964, %4[%111 : i32] : vector<16xf32>
    %2966 = llvm.shufflevector %2965, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2967 = llvm.intr.fmuladd(%2932, %2966, %2926) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2968 = llvm.add %2920, %125 : i64
    %2969 = llvm.getelementptr inbounds|nuw %133[%2968] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2970 = llvm.load %2969 : !llvm.ptr -> f32
    %2971 = llvm.insertelement %2970, %4[%111 : i32] : vector<16xf32>
    %2972 = llvm.shufflevector %2971, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2973 = llvm.intr.fmuladd(%2932, %2972, %2927) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2974 = llvm.add %2920, %126 : i64
    %2975 = llvm.getelementptr inbounds|nuw %133[%2974] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2976 = llvm.load %2975 : !llvm.ptr -> f32
    %2977 = llvm.insertelement %2976, %4[%111 : i32] : vector<16xf32>
    %2978 = llvm.shufflevector %2977, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %2979 = llvm.intr.fmuladd(%2932, %2978, %2928) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %2980 = llvm.add %2920, %52 : i64
    llvm.br ^bb231(%2980, %2937, %2943, %2949, %2955, %2961, %2967, %2973, %2979 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb233:  // pred: ^bb231
    %2981 = llvm.mul %54, %40 : i64
    %2982 = llvm.mul %54, %63 : i64
    %2983 = llvm.add %2981, %2982 : i64
    %2984 = llvm.add %2983, %2982 : i64
    %2985 = llvm.add %2984, %54 : i64
    %2986 = llvm.getelementptr %440[%2985] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2987 = llvm.load %2986 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2988 = llvm.fadd %2987, %2921 : vector<16xf32>
    llvm.store %2988, %2986 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2989 = llvm.mul %52, %63 : i64
    %2990 = llvm.add %2981, %2989 : i64
    %2991 = llvm.add %2990, %2982 : i64
    %2992 = llvm.add %2991, %54 : i64
    %2993 = llvm.getelementptr %440[%2992] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %2994 = llvm.load %2993 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %2995 = llvm.fadd %2994, %2922 : vector<16xf32>
    llvm.store %2995, %2993 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %2996 = llvm.mul %53, %63 : i64
    %2997 = llvm.add %2981, %2996 : i64
    %2998 = llvm.add %2997, %2982 : i64
    %2999 = llvm.add %2998, %54 : i64
    %3000 = llvm.getelementptr %440[%2999] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3001 = llvm.load %3000 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3002 = llvm.fadd %3001, %2923 : vector<16xf32>
    llvm.store %3002, %3000 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3003 = llvm.mul %66, %63 : i64
    %3004 = llvm.add %2981, %3003 : i64
    %3005 = llvm.add %3004, %2982 : i64
    %3006 = llvm.add %3005, %54 : i64
    %3007 = llvm.getelementptr %440[%3006] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3008 = llvm.load %3007 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3009 = llvm.fadd %3008, %2924 : vector<16xf32>
    llvm.store %3009, %3007 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3010 = llvm.mul %65, %63 : i64
    %3011 = llvm.add %2981, %3010 : i64
    %3012 = llvm.add %3011, %2982 : i64
    %3013 = llvm.add %3012, %54 : i64
    %3014 = llvm.getelementptr %440[%3013] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3015 = llvm.load %3014 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3016 = llvm.fadd %3015, %2925 : vector<16xf32>
    llvm.store %3016, %3014 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3017 = llvm.mul %67, %63 : i64
    %3018 = llvm.add %2981, %3017 : i64
    %3019 = llvm.add %3018, %2982 : i64
    %3020 = llvm.add %3019, %54 : i64
    %3021 = llvm.getelementptr %440[%3020] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3022 = llvm.load %3021 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3023 = llvm.fadd %3022, %2926 : vector<16xf32>
    llvm.store %3023, %3021 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3024 = llvm.mul %68, %63 : i64
    %3025 = llvm.add %2981, %3024 : i64
    %3026 = llvm.add %3025, %2982 : i64
    %3027 = llvm.add %3026, %54 : i64
    %3028 = llvm.getelementptr %440[%3027] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3029 = llvm.load %3028 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3030 = llvm.fadd %3029, %2927 : vector<16xf32>
    llvm.store %3030, %3028 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3031 = llvm.mul %69, %63 : i64
    %3032 = llvm.add %2981, %3031 : i64
    %3033 = llvm.add %3032, %2982 : i64
    %3034 = llvm.add %3033, %54 : i64
    %3035 = llvm.getelementptr %440[%3034] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3036 = llvm.load %3035 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3037 = llvm.fadd %3036, %2928 : vector<16xf32>
    llvm.store %3037, %3035 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    llvm.br ^bb234(%54 : i64)
  ^bb234(%3038: i64):  // 2 preds: ^bb233, ^bb235
    %3039 = llvm.icmp "slt" %3038, %87 : i64
    llvm.cond_br %3039, ^bb235, ^bb236
  ^bb235:  // pred: ^bb234
    %3040 = llvm.add %1378, %3038 : i64
    %3041 = llvm.getelementptr %446[%3040] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3042 = llvm.load %3041 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %3043 = llvm.fpext %3042 : vector<16xf16> to vector<16xf32>
    %3044 = llvm.getelementptr %133[%3038] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3043, %3044 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3045 = llvm.add %1382, %3038 : i64
    %3046 = llvm.getelementptr %446[%3045] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3047 = llvm.load %3046 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %3048 = llvm.fpext %3047 : vector<16xf16> to vector<16xf32>
    %3049 = llvm.add %3038, %120 : i64
    %3050 = llvm.getelementptr %133[%3049] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3048, %3050 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3051 = llvm.add %1386, %3038 : i64
    %3052 = llvm.getelementptr %446[%3051] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3053 = llvm.load %3052 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %3054 = llvm.fpext %3053 : vector<16xf16> to vector<16xf32>
    %3055 = llvm.add %3038, %121 : i64
    %3056 = llvm.getelementptr %133[%3055] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3054, %3056 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3057 = llvm.add %1390, %3038 : i64
    %3058 = llvm.getelementptr %446[%3057] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3059 = llvm.load %3058 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %3060 = llvm.fpext %3059 : vector<16xf16> to vector<16xf32>
    %3061 = llvm.add %3038, %122 : i64
    %3062 = llvm.getelementptr %133[%3061] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3060, %3062 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3063 = llvm.add %1394, %3038 : i64
    %3064 = llvm.getelementptr %446[%3063] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3065 = llvm.load %3064 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %3066 = llvm.fpext %3065 : vector<16xf16> to vector<16xf32>
    %3067 = llvm.add %3038, %123 : i64
    %3068 = llvm.getelementptr %133[%3067] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3066, %3068 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3069 = llvm.add %3038, %63 : i64
    llvm.br ^bb234(%3069 : i64)
  ^bb236:  // pred: ^bb234
    %3070 = llvm.getelementptr %446[%1676] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3071 = llvm.intr.masked.load %3070, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %3072 = llvm.fpext %3071 : vector<16xf16> to vector<16xf32>
    llvm.store %3072, %2891 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3073 = llvm.getelementptr %446[%1678] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3074 = llvm.intr.masked.load %3073, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %3075 = llvm.fpext %3074 : vector<16xf16> to vector<16xf32>
    llvm.store %3075, %2895 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3076 = llvm.getelementptr %446[%1680] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3077 = llvm.intr.masked.load %3076, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %3078 = llvm.fpext %3077 : vector<16xf16> to vector<16xf32>
    llvm.store %3078, %2899 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3079 = llvm.getelementptr %446[%1682] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3080 = llvm.intr.masked.load %3079, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %3081 = llvm.fpext %3080 : vector<16xf16> to vector<16xf32>
    llvm.store %3081, %2903 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3082 = llvm.getelementptr %446[%1684] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3083 = llvm.intr.masked.load %3082, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %3084 = llvm.fpext %3083 : vector<16xf16> to vector<16xf32>
    llvm.store %3084, %2907 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    llvm.br ^bb237(%54, %91, %91, %91, %91, %91 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb237(%3085: i64, %3086: vector<16xf32>, %3087: vector<16xf32>, %3088: vector<16xf32>, %3089: vector<16xf32>, %3090: vector<16xf32>):  // 2 preds: ^bb236, ^bb238
    %3091 = llvm.icmp "slt" %3085, %88 : i64
    llvm.cond_br %3091, ^bb238, ^bb239
  ^bb238:  // pred: ^bb237
    %3092 = llvm.mul %3085, %63 overflow<nsw> : i64
    %3093 = llvm.getelementptr %134[%3092] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3094 = llvm.load %3093 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3095 = llvm.getelementptr inbounds|nuw %133[%3085] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3096 = llvm.load %3095 : !llvm.ptr -> f32
    %3097 = llvm.insertelement %3096, %4[%111 : i32] : vector<16xf32>
    %3098 = llvm.shufflevector %3097, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %3099 = llvm.intr.fmuladd(%3094, %3098, %3086) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %3100 = llvm.add %3085, %120 : i64
    %3101 = llvm.getelementptr inbounds|nuw %133[%3100] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3102 = llvm.load %3101 : !llvm.ptr -> f32
    %3103 = llvm.insertelement %3102, %4[%111 : i32] : vector<16xf32>
    %3104 = llvm.shufflevector %3103, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %3105 = llvm.intr.fmuladd(%3094, %3104, %3087) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %3106 = llvm.add %3085, %121 : i64
    %3107 = llvm.getelementptr inbounds|nuw %133[%3106] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3108 = llvm.load %3107 : !llvm.ptr -> f32
    %3109 = llvm.insertelement %3108, %4[%111 : i32] : vector<16xf32>
    %3110 = llvm.shufflevector %3109, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %3111 = llvm.intr.fmuladd(%3094, %3110, %3088) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %3112 = llvm.add %3085, %122 : i64
    %3113 = llvm.getelementptr inbounds|nuw %133[%3112] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3114 = llvm.load %3113 : !llvm.ptr -> f32
    %3115 = llvm.insertelement %3114, %4[%111 : i32] : vector<16xf32>
    %3116 = llvm.shufflevector %3115, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %3117 = llvm.intr.fmuladd(%3094, %3116, %3089) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %3118 = llvm.add %3085, %123 : i64
    %3119 = llvm.getelementptr inbounds|nuw %133[%3118] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3120 = llvm.load %3119 : !llvm.ptr -> f32
    %3121 = llvm.insertelement %3120, %4[%111 : i32] : vector<16xf32>
    %3122 = llvm.shufflevector %3121, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %3123 = llvm.intr.fmuladd(%3094, %3122, %3090) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %3124 = llvm.add %3085, %52 : i64
    llvm.br ^bb237(%3124, %3099, %3105, %3111, %3117, %3123 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb239:  // pred: ^bb237
    %3125 = llvm.mul %60, %63 : i64
    %3126 = llvm.add %2981, %3125 : i64
    %3127 = llvm.add %3126, %2982 : i64
    %3128 = llvm.add %3127, %54 : i64
    %3129 = llvm.getelementptr %440[%3128] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3130 = llvm.load %3129 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3131 = llvm.fadd %3130, %3086 : vector<16xf32>
    llvm.store %3131, %3129 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3132 = llvm.mul %70, %63 : i64
    %3133 = llvm.add %2981, %3132 : i64
    %3134 = llvm.add %3133, %2982 : i64
    %3135 = llvm.add %3134, %54 : i64
    %3136 = llvm.getelementptr %440[%3135] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3137 = llvm.load %3136 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3138 = llvm.fadd %3137, %3087 : vector<16xf32>
    llvm.store %3138, %3136 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3139 = llvm.mul %71, %63 : i64
    %3140 = llvm.add %2981, %3139 : i64
    %3141 = llvm.add %3140, %2982 : i64
    %3142 = llvm.add %3141, %54 : i64
    %3143 = llvm.getelementptr %440[%3142] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3144 = llvm.load %3143 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3145 = llvm.fadd %3144, %3088 : vector<16xf32>
    llvm.store %3145, %3143 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3146 = llvm.mul %72, %63 : i64
    %3147 = llvm.add %2981, %3146 : i64
    %3148 = llvm.add %3147, %2982 : i64
    %3149 = llvm.add %3148, %54 : i64
    %3150 = llvm.getelementptr %440[%3149] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3151 = llvm.load %3150 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3152 = llvm.fadd %3151, %3089 : vector<16xf32>
    llvm.store %3152, %3150 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3153 = llvm.mul %64, %63 : i64
    %3154 = llvm.add %2981, %3153 : i64
    %3155 = llvm.add %3154, %2982 : i64
    %3156 = llvm.add %3155, %54 : i64
    %3157 = llvm.getelementptr %440[%3156] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3158 = llvm.load %3157 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3159 = llvm.fadd %3158, %3090 : vector<16xf32>
    llvm.store %3159, %3157 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3160 = llvm.intr.masked.load %2639, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %3161 = llvm.fcmp "oeq" %3160, %94 : vector<16xf32>
    %3162 = llvm.fdiv %109, %3160 : vector<16xf32>
    %3163 = llvm.select %3161, %94, %3162 : vector<16xi1>, vector<16xf32>
    llvm.intr.masked.store %3163, %2639, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %3164 = llvm.intr.masked.load %2639, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %3165 = llvm.getelementptr %453[%2805] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %3164, %3165, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb240(%54 : i64)
  ^bb240(%3166: i64):  // 2 preds: ^bb239, ^bb241
    %3167 = llvm.icmp "slt" %3166, %59 : i64
    llvm.cond_br %3167, ^bb241, ^bb242
  ^bb241:  // pred: ^bb240
    %3168 = llvm.add %555, %3166 overflow<nsw, nuw> : i64
    %3169 = llvm.getelementptr inbounds|nuw %453[%3168] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3170 = llvm.load %3169 : !llvm.ptr -> f32
    %3171 = llvm.mul %3166, %63 : i64
    %3172 = llvm.add %2981, %3171 : i64
    %3173 = llvm.add %3172, %2982 : i64
    %3174 = llvm.add %3173, %54 : i64
    %3175 = llvm.getelementptr %440[%3174] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3176 = llvm.load %3175 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %3177 = llvm.getelementptr %424[%457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3178 = llvm.mul %54, %49 : i64
    %3179 = llvm.mul %3166, %87 : i64
    %3180 = llvm.add %3178, %3179 : i64
    %3181 = llvm.add %3180, %2982 : i64
    %3182 = llvm.add %3181, %54 : i64
    %3183 = llvm.getelementptr %3177[%3182] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3184 = llvm.load %3183 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %3185 = llvm.insertelement %3170, %4[%111 : i32] : vector<16xf32>
    %3186 = llvm.shufflevector %3185, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %3187 = llvm.fmul %3186, %3176 : vector<16xf32>
    %3188 = llvm.fpext %3184 : vector<16xf16> to vector<16xf32>
    %3189 = llvm.fadd %3188, %3187 : vector<16xf32>
    %3190 = llvm.fptrunc %3189 : vector<16xf32> to vector<16xf16>
    llvm.store %3190, %3183 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %3191 = llvm.add %3166, %52 : i64
    llvm.br ^bb240(%3191 : i64)
  ^bb242:  // pred: ^bb240
    %3192 = llvm.add %455, %52 : i64
    llvm.br ^bb79(%3192 : i64)
  ^bb243:  // pred: ^bb79
    %3193 = llvm.getelementptr %43[928] : (!llvm.ptr) -> !llvm.ptr, f16
    %3194 = llvm.ptrtoint %3193 : !llvm.ptr to i64
    %3195 = llvm.add %3194, %42 : i64
    %3196 = llvm.call @malloc(%3195) : (i64) -> !llvm.ptr
    %3197 = llvm.ptrtoint %3196 : !llvm.ptr to i64
    %3198 = llvm.add %3197, %420 : i64
    %3199 = llvm.urem %3198, %42 : i64
    %3200 = llvm.sub %3198, %3199 : i64
    %3201 = llvm.inttoptr %3200 : i64 to !llvm.ptr
    %3202 = llvm.insertvalue %3196, %130[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3203 = llvm.insertvalue %3201, %3202[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3204 = llvm.insertvalue %54, %3203[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3205 = llvm.insertvalue %52, %3204[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3206 = llvm.insertvalue %62, %3205[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3207 = llvm.insertvalue %87, %3206[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3208 = llvm.insertvalue %46, %3207[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3209 = llvm.insertvalue %87, %3208[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3210 = llvm.insertvalue %52, %3209[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3211 = llvm.alloca %62 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3212 = llvm.alloca %3 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3213 = llvm.alloca %60 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3214 = llvm.alloca %3 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3215 = llvm.alloca %60 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3216 = llvm.alloca %3 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3217 = llvm.alloca %2 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3218 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3219 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3220 = llvm.alloca %126 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3221 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3222 = llvm.alloca %126 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3223 = llvm.alloca %1 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3224 = llvm.alloca %1 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3225 = llvm.alloca %62 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3226 = llvm.alloca %62 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3227 = llvm.getelementptr %43[1218] : (!llvm.ptr) -> !llvm.ptr, f32
    %3228 = llvm.ptrtoint %3227 : !llvm.ptr to i64
    %3229 = llvm.add %3228, %42 : i64
    %3230 = llvm.call @malloc(%3229) : (i64) -> !llvm.ptr
    %3231 = llvm.ptrtoint %3230 : !llvm.ptr to i64
    %3232 = llvm.add %3231, %420 : i64
    %3233 = llvm.urem %3232, %42 : i64
    %3234 = llvm.sub %3232, %3233 : i64
    %3235 = llvm.inttoptr %3234 : i64 to !llvm.ptr
    %3236 = llvm.alloca %62 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3237 = llvm.alloca %44 x f16 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3238 = llvm.alloca %62 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    %3239 = llvm.alloca %62 x f32 {alignment = 64 : i64} : (i64) -> !llvm.ptr
    llvm.br ^bb244(%54 : i64)
  ^bb244(%3240: i64):  // 2 preds: ^bb243, ^bb422
    %3241 = llvm.icmp "slt" %3240, %53 : i64
    llvm.cond_br %3241, ^bb245, ^bb423
  ^bb245:  // pred: ^bb244
    %3242 = llvm.mul %3240, %63 overflow<nsw> : i64
    %3243 = llvm.add %3242, %52 : i64
    llvm.br ^bb246(%54 : i64)
  ^bb246(%3244: i64):  // 2 preds: ^bb245, ^bb250
    %3245 = llvm.icmp "slt" %3244, %86 : i64
    llvm.cond_br %3245, ^bb247, ^bb251
  ^bb247:  // pred: ^bb246
    llvm.br ^bb248(%54, %61, %61, %61, %61 : i64, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>)
  ^bb248(%3246: i64, %3247: vector<2xf32>, %3248: vector<2xf32>, %3249: vector<2xf32>, %3250: vector<2xf32>):  // 2 preds: ^bb247, ^bb249
    %3251 = llvm.icmp "slt" %3246, %60 : i64
    llvm.cond_br %3251, ^bb249, ^bb250
  ^bb249:  // pred: ^bb248
    %3252 = llvm.getelementptr %arg38[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3253 = llvm.mul %54, %46 : i64
    %3254 = llvm.mul %3244, %87 : i64
    %3255 = llvm.add %3253, %3254 : i64
    %3256 = llvm.mul %54, %63 : i64
    %3257 = llvm.add %3255, %3256 : i64
    %3258 = llvm.mul %3246, %53 : i64
    %3259 = llvm.add %3257, %3258 : i64
    %3260 = llvm.add %3259, %54 : i64
    %3261 = llvm.getelementptr %3252[%3260] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3262 = llvm.load %3261 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %3263 = llvm.fpext %3262 : vector<2xf16> to vector<2xf32>
    %3264 = llvm.intr.fmuladd(%3263, %3263, %3247) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %3265 = llvm.add %3244, %52 : i64
    %3266 = llvm.mul %3265, %87 : i64
    %3267 = llvm.add %3253, %3266 : i64
    %3268 = llvm.add %3267, %3256 : i64
    %3269 = llvm.add %3268, %3258 : i64
    %3270 = llvm.add %3269, %54 : i64
    %3271 = llvm.getelementptr %3252[%3270] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3272 = llvm.load %3271 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %3273 = llvm.fpext %3272 : vector<2xf16> to vector<2xf32>
    %3274 = llvm.intr.fmuladd(%3273, %3273, %3248) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %3275 = llvm.add %3244, %53 : i64
    %3276 = llvm.mul %3275, %87 : i64
    %3277 = llvm.add %3253, %3276 : i64
    %3278 = llvm.add %3277, %3256 : i64
    %3279 = llvm.add %3278, %3258 : i64
    %3280 = llvm.add %3279, %54 : i64
    %3281 = llvm.getelementptr %3252[%3280] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3282 = llvm.load %3281 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %3283 = llvm.fpext %3282 : vector<2xf16> to vector<2xf32>
    %3284 = llvm.intr.fmuladd(%3283, %3283, %3249) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %3285 = llvm.add %3244, %66 : i64
    %3286 = llvm.mul %3285, %87 : i64
    %3287 = llvm.add %3253, %3286 : i64
    %3288 = llvm.add %3287, %3256 : i64
    %3289 = llvm.add %3288, %3258 : i64
    %3290 = llvm.add %3289, %54 : i64
    %3291 = llvm.getelementptr %3252[%3290] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3292 = llvm.load %3291 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %3293 = llvm.fpext %3292 : vector<2xf16> to vector<2xf32>
    %3294 = llvm.intr.fmuladd(%3293, %3293, %3250) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %3295 = llvm.add %3246, %52 : i64
    llvm.br ^bb248(%3295, %3264, %3274, %3284, %3294 : i64, vector<2xf32>, vector<2xf32>, vector<2xf32>, vector<2xf32>)
  ^bb250:  // pred: ^bb248
    %3296 = "llvm.intr.vector.reduce.fadd"(%56, %3247) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %3297 = llvm.fadd %3296, %56 : f32
    %3298 = llvm.mul %54, %62 overflow<nsw, nuw> : i64
    %3299 = llvm.add %3298, %3244 overflow<nsw, nuw> : i64
    %3300 = llvm.add %3299, %54 overflow<nsw, nuw> : i64
    %3301 = llvm.getelementptr inbounds|nuw %3211[%3300] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3297, %3301 : f32, !llvm.ptr
    %3302 = "llvm.intr.vector.reduce.fadd"(%56, %3248) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %3303 = llvm.fadd %3302, %56 : f32
    %3304 = llvm.add %3244, %52 : i64
    %3305 = llvm.add %3298, %3304 overflow<nsw, nuw> : i64
    %3306 = llvm.add %3305, %54 overflow<nsw, nuw> : i64
    %3307 = llvm.getelementptr inbounds|nuw %3211[%3306] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3303, %3307 : f32, !llvm.ptr
    %3308 = "llvm.intr.vector.reduce.fadd"(%56, %3249) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %3309 = llvm.fadd %3308, %56 : f32
    %3310 = llvm.add %3244, %53 : i64
    %3311 = llvm.add %3298, %3310 overflow<nsw, nuw> : i64
    %3312 = llvm.add %3311, %54 overflow<nsw, nuw> : i64
    %3313 = llvm.getelementptr inbounds|nuw %3211[%3312] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3309, %3313 : f32, !llvm.ptr
    %3314 = "llvm.intr.vector.reduce.fadd"(%56, %3250) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %3315 = llvm.fadd %3314, %56 : f32
    %3316 = llvm.add %3244, %66 : i64
    %3317 = llvm.add %3298, %3316 overflow<nsw, nuw> : i64
    %3318 = llvm.add %3317, %54 overflow<nsw, nuw> : i64
    %3319 = llvm.getelementptr inbounds|nuw %3211[%3318] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3315, %3319 : f32, !llvm.ptr
    %3320 = llvm.add %3244, %65 : i64
    llvm.br ^bb246(%3320 : i64)
  ^bb251:  // pred: ^bb246
    llvm.br ^bb252(%54, %61 : i64, vector<2xf32>)
  ^bb252(%3321: i64, %3322: vector<2xf32>):  // 2 preds: ^bb251, ^bb253
    %3323 = llvm.icmp "slt" %3321, %60 : i64
    llvm.cond_br %3323, ^bb253, ^bb254
  ^bb253:  // pred: ^bb252
    %3324 = llvm.getelementptr %arg38[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3325 = llvm.mul %54, %46 : i64
    %3326 = llvm.mul %86, %87 : i64
    %3327 = llvm.add %3325, %3326 : i64
    %3328 = llvm.mul %54, %63 : i64
    %3329 = llvm.add %3327, %3328 : i64
    %3330 = llvm.mul %3321, %53 : i64
    %3331 = llvm.add %3329, %3330 : i64
    %3332 = llvm.add %3331, %54 : i64
    %3333 = llvm.getelementptr %3324[%3332] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3334 = llvm.load %3333 {alignment = 2 : i64} : !llvm.ptr -> vector<2xf16>
    %3335 = llvm.fpext %3334 : vector<2xf16> to vector<2xf32>
    %3336 = llvm.intr.fmuladd(%3335, %3335, %3322) : (vector<2xf32>, vector<2xf32>, vector<2xf32>) -> vector<2xf32>
    %3337 = llvm.add %3321, %52 : i64
    llvm.br ^bb252(%3337, %3336 : i64, vector<2xf32>)
  ^bb254:  // pred: ^bb252
    %3338 = "llvm.intr.vector.reduce.fadd"(%56, %3322) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<2xf32>) -> f32
    %3339 = llvm.fadd %3338, %56 : f32
    %3340 = llvm.mul %54, %62 overflow<nsw, nuw> : i64
    %3341 = llvm.add %3340, %86 overflow<nsw, nuw> : i64
    %3342 = llvm.add %3341, %54 overflow<nsw, nuw> : i64
    %3343 = llvm.getelementptr inbounds|nuw %3211[%3342] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3339, %3343 : f32, !llvm.ptr
    llvm.br ^bb255(%54 : i64)
  ^bb255(%3344: i64):  // 2 preds: ^bb254, ^bb256
    %3345 = llvm.icmp "slt" %3344, %62 : i64
    llvm.cond_br %3345, ^bb256, ^bb257
  ^bb256:  // pred: ^bb255
    %3346 = llvm.add %3340, %3344 overflow<nsw, nuw> : i64
    %3347 = llvm.add %3346, %54 overflow<nsw, nuw> : i64
    %3348 = llvm.getelementptr inbounds|nuw %3211[%3347] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3349 = llvm.load %3348 : !llvm.ptr -> f32
    %3350 = llvm.fdiv %3349, %57 : f32
    %3351 = llvm.fadd %3350, %58 : f32
    %3352 = llvm.intr.sqrt(%3351) : (f32) -> f32
    %3353 = llvm.fdiv %38, %3352 : f32
    llvm.store %3353, %3348 : f32, !llvm.ptr
    %3354 = llvm.add %3344, %52 : i64
    llvm.br ^bb255(%3354 : i64)
  ^bb257:  // pred: ^bb255
    llvm.br ^bb258(%54 : i64)
  ^bb258(%3355: i64):  // 2 preds: ^bb257, ^bb259
    %3356 = llvm.icmp "slt" %3355, %60 : i64
    llvm.cond_br %3356, ^bb259, ^bb260
  ^bb259:  // pred: ^bb258
    %3357 = llvm.getelementptr %arg47[1] : (!llvm.ptr) -> !llvm.ptr, f16
    %3358 = llvm.mul %3355, %53 overflow<nsw, nuw> : i64
    %3359 = llvm.add %3358, %54 overflow<nsw, nuw> : i64
    %3360 = llvm.getelementptr inbounds|nuw %3357[%3359] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3361 = llvm.load %3360 : !llvm.ptr -> f16
    %3362 = llvm.fpext %3361 : f16 to f32
    %3363 = llvm.add %3355, %54 overflow<nsw, nuw> : i64
    %3364 = llvm.getelementptr inbounds|nuw %3213[%3363] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3362, %3364 : f32, !llvm.ptr
    %3365 = llvm.add %3355, %52 : i64
    llvm.br ^bb258(%3365 : i64)
  ^bb260:  // pred: ^bb258
    llvm.br ^bb261(%54 : i64)
  ^bb261(%3366: i64):  // 2 preds: ^bb260, ^bb265
    %3367 = llvm.icmp "slt" %3366, %62 : i64
    llvm.cond_br %3367, ^bb262, ^bb266
  ^bb262:  // pred: ^bb261
    llvm.br ^bb263(%54 : i64)
  ^bb263(%3368: i64):  // 2 preds: ^bb262, ^bb264
    %3369 = llvm.icmp "slt" %3368, %60 : i64
    llvm.cond_br %3369, ^bb264, ^bb265
  ^bb264:  // pred: ^bb263
    %3370 = llvm.getelementptr %277[%3243] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3371 = llvm.mul %54, %46 overflow<nsw, nuw> : i64
    %3372 = llvm.mul %3366, %87 overflow<nsw, nuw> : i64
    %3373 = llvm.add %3371, %3372 overflow<nsw, nuw> : i64
    %3374 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %3375 = llvm.add %3373, %3374 overflow<nsw, nuw> : i64
    %3376 = llvm.mul %3368, %53 overflow<nsw, nuw> : i64
    %3377 = llvm.add %3375, %3376 overflow<nsw, nuw> : i64
    %3378 = llvm.add %3377, %54 overflow<nsw, nuw> : i64
    %3379 = llvm.getelementptr inbounds|nuw %3370[%3378] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3380 = llvm.load %3379 : !llvm.ptr -> f32
    %3381 = llvm.add %3340, %3366 overflow<nsw, nuw> : i64
    %3382 = llvm.add %3381, %54 overflow<nsw, nuw> : i64
    %3383 = llvm.getelementptr inbounds|nuw %3211[%3382] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3384 = llvm.load %3383 : !llvm.ptr -> f32
    %3385 = llvm.add %3368, %54 overflow<nsw, nuw> : i64
    %3386 = llvm.getelementptr inbounds|nuw %3213[%3385] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3387 = llvm.load %3386 : !llvm.ptr -> f32
    %3388 = llvm.fmul %3380, %3384 : f32
    %3389 = llvm.fmul %3388, %3387 : f32
    %3390 = llvm.fptrunc %3389 : f32 to f16
    %3391 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %3392 = llvm.mul %3366, %60 overflow<nsw, nuw> : i64
    %3393 = llvm.add %3391, %3392 overflow<nsw, nuw> : i64
    %3394 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3395 = llvm.add %3393, %3394 overflow<nsw, nuw> : i64
    %3396 = llvm.add %3395, %3368 overflow<nsw, nuw> : i64
    %3397 = llvm.add %3396, %54 overflow<nsw, nuw> : i64
    %3398 = llvm.getelementptr inbounds|nuw %3214[%3397] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3390, %3398 : f16, !llvm.ptr
    %3399 = llvm.add %3368, %52 : i64
    llvm.br ^bb263(%3399 : i64)
  ^bb265:  // pred: ^bb263
    %3400 = llvm.add %3366, %52 : i64
    llvm.br ^bb261(%3400 : i64)
  ^bb266:  // pred: ^bb261
    llvm.br ^bb267(%54 : i64)
  ^bb267(%3401: i64):  // 2 preds: ^bb266, ^bb268
    %3402 = llvm.icmp "slt" %3401, %60 : i64
    llvm.cond_br %3402, ^bb268, ^bb269
  ^bb268:  // pred: ^bb267
    %3403 = llvm.mul %3401, %53 overflow<nsw, nuw> : i64
    %3404 = llvm.add %3403, %54 overflow<nsw, nuw> : i64
    %3405 = llvm.getelementptr inbounds|nuw %arg47[%3404] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3406 = llvm.load %3405 : !llvm.ptr -> f16
    %3407 = llvm.fpext %3406 : f16 to f32
    %3408 = llvm.add %3401, %54 overflow<nsw, nuw> : i64
    %3409 = llvm.getelementptr inbounds|nuw %3215[%3408] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3407, %3409 : f32, !llvm.ptr
    %3410 = llvm.add %3401, %52 : i64
    llvm.br ^bb267(%3410 : i64)
  ^bb269:  // pred: ^bb267
    llvm.br ^bb270(%54 : i64)
  ^bb270(%3411: i64):  // 2 preds: ^bb269, ^bb274
    %3412 = llvm.icmp "slt" %3411, %62 : i64
    llvm.cond_br %3412, ^bb271, ^bb275
  ^bb271:  // pred: ^bb270
    llvm.br ^bb272(%54 : i64)
  ^bb272(%3413: i64):  // 2 preds: ^bb271, ^bb273
    %3414 = llvm.icmp "slt" %3413, %60 : i64
    llvm.cond_br %3414, ^bb273, ^bb274
  ^bb273:  // pred: ^bb272
    %3415 = llvm.getelementptr %277[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3416 = llvm.mul %54, %46 overflow<nsw, nuw> : i64
    %3417 = llvm.mul %3411, %87 overflow<nsw, nuw> : i64
    %3418 = llvm.add %3416, %3417 overflow<nsw, nuw> : i64
    %3419 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %3420 = llvm.add %3418, %3419 overflow<nsw, nuw> : i64
    %3421 = llvm.mul %3413, %53 overflow<nsw, nuw> : i64
    %3422 = llvm.add %3420, %3421 overflow<nsw, nuw> : i64
    %3423 = llvm.add %3422, %54 overflow<nsw, nuw> : i64
    %3424 = llvm.getelementptr inbounds|nuw %3415[%3423] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3425 = llvm.load %3424 : !llvm.ptr -> f32
    %3426 = llvm.add %3340, %3411 overflow<nsw, nuw> : i64
    %3427 = llvm.add %3426, %54 overflow<nsw, nuw> : i64
    %3428 = llvm.getelementptr inbounds|nuw %3211[%3427] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3429 = llvm.load %3428 : !llvm.ptr -> f32
    %3430 = llvm.add %3413, %54 overflow<nsw, nuw> : i64
    %3431 = llvm.getelementptr inbounds|nuw %3215[%3430] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3432 = llvm.load %3431 : !llvm.ptr -> f32
    %3433 = llvm.fmul %3425, %3429 : f32
    %3434 = llvm.fmul %3433, %3432 : f32
    %3435 = llvm.fptrunc %3434 : f32 to f16
    %3436 = llvm.fpext %3435 : f16 to f32
    %3437 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %3438 = llvm.mul %3411, %60 overflow<nsw, nuw> : i64
    %3439 = llvm.add %3437, %3438 overflow<nsw, nuw> : i64
    %3440 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3441 = llvm.add %3439, %3440 overflow<nsw, nuw> : i64
    %3442 = llvm.add %3441, %3413 overflow<nsw, nuw> : i64
    %3443 = llvm.add %3442, %54 overflow<nsw, nuw> : i64
    %3444 = llvm.getelementptr inbounds|nuw %3212[%3443] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3436, %3444 : f32, !llvm.ptr
    %3445 = llvm.add %3413, %52 : i64
    llvm.br ^bb272(%3445 : i64)
  ^bb274:  // pred: ^bb272
    %3446 = llvm.add %3411, %52 : i64
    llvm.br ^bb270(%3446 : i64)
  ^bb275:  // pred: ^bb270
    llvm.br ^bb276(%54 : i64)
  ^bb276(%3447: i64):  // 2 preds: ^bb275, ^bb280
    %3448 = llvm.icmp "slt" %3447, %62 : i64
    llvm.cond_br %3448, ^bb277, ^bb281
  ^bb277:  // pred: ^bb276
    llvm.br ^bb278(%54 : i64)
  ^bb278(%3449: i64):  // 2 preds: ^bb277, ^bb279
    %3450 = llvm.icmp "slt" %3449, %60 : i64
    llvm.cond_br %3450, ^bb279, ^bb280
  ^bb279:  // pred: ^bb278
    %3451 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %3452 = llvm.mul %3447, %60 overflow<nsw, nuw> : i64
    %3453 = llvm.add %3451, %3452 overflow<nsw, nuw> : i64
    %3454 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3455 = llvm.add %3453, %3454 overflow<nsw, nuw> : i64
    %3456 = llvm.add %3455, %3449 overflow<nsw, nuw> : i64
    %3457 = llvm.add %3456, %54 overflow<nsw, nuw> : i64
    %3458 = llvm.getelementptr inbounds|nuw %3214[%3457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3459 = llvm.load %3458 : !llvm.ptr -> f16
    %3460 = llvm.getelementptr %arg75[209] : (!llvm.ptr) -> !llvm.ptr, f32
    %3461 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %3462 = llvm.mul %3447, %63 overflow<nsw, nuw> : i64
    %3463 = llvm.add %3461, %3462 overflow<nsw, nuw> : i64
    %3464 = llvm.mul %3449, %53 overflow<nsw, nuw> : i64
    %3465 = llvm.add %3463, %3464 overflow<nsw, nuw> : i64
    %3466 = llvm.add %3465, %54 overflow<nsw, nuw> : i64
    %3467 = llvm.getelementptr inbounds|nuw %3460[%3466] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3468 = llvm.load %3467 : !llvm.ptr -> f32
    %3469 = llvm.getelementptr inbounds|nuw %3212[%3457] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3470 = llvm.load %3469 : !llvm.ptr -> f32
    %3471 = llvm.getelementptr %arg82[209] : (!llvm.ptr) -> !llvm.ptr, f32
    %3472 = llvm.getelementptr inbounds|nuw %3471[%3466] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3473 = llvm.load %3472 : !llvm.ptr -> f32
    %3474 = llvm.fmul %3470, %3473 : f32
    %3475 = llvm.fpext %3459 : f16 to f32
    %3476 = llvm.fmul %3475, %3468 : f32
    %3477 = llvm.fadd %3476, %3474 : f32
    %3478 = llvm.fptrunc %3477 : f32 to f16
    %3479 = llvm.getelementptr inbounds|nuw %3216[%3457] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3478, %3479 : f16, !llvm.ptr
    %3480 = llvm.add %3449, %52 : i64
    llvm.br ^bb278(%3480 : i64)
  ^bb280:  // pred: ^bb278
    %3481 = llvm.add %3447, %52 : i64
    llvm.br ^bb276(%3481 : i64)
  ^bb281:  // pred: ^bb276
    llvm.br ^bb282(%54 : i64)
  ^bb282(%3482: i64):  // 2 preds: ^bb281, ^bb286
    %3483 = llvm.icmp "slt" %3482, %62 : i64
    llvm.cond_br %3483, ^bb283, ^bb287
  ^bb283:  // pred: ^bb282
    llvm.br ^bb284(%54 : i64)
  ^bb284(%3484: i64):  // 2 preds: ^bb283, ^bb285
    %3485 = llvm.icmp "slt" %3484, %60 : i64
    llvm.cond_br %3485, ^bb285, ^bb286
  ^bb285:  // pred: ^bb284
    %3486 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %3487 = llvm.mul %3482, %60 overflow<nsw, nuw> : i64
    %3488 = llvm.add %3486, %3487 overflow<nsw, nuw> : i64
    %3489 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3490 = llvm.add %3488, %3489 overflow<nsw, nuw> : i64
    %3491 = llvm.add %3490, %3484 overflow<nsw, nuw> : i64
    %3492 = llvm.add %3491, %54 overflow<nsw, nuw> : i64
    %3493 = llvm.getelementptr inbounds|nuw %3212[%3492] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3494 = llvm.load %3493 : !llvm.ptr -> f32
    %3495 = llvm.getelementptr %arg75[208] : (!llvm.ptr) -> !llvm.ptr, f32
    %3496 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %3497 = llvm.mul %3482, %63 overflow<nsw, nuw> : i64
    %3498 = llvm.add %3496, %3497 overflow<nsw, nuw> : i64
    %3499 = llvm.mul %3484, %53 overflow<nsw, nuw> : i64
    %3500 = llvm.add %3498, %3499 overflow<nsw, nuw> : i64
    %3501 = llvm.add %3500, %54 overflow<nsw, nuw> : i64
    %3502 = llvm.getelementptr inbounds|nuw %3495[%3501] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3503 = llvm.load %3502 : !llvm.ptr -> f32
    %3504 = llvm.getelementptr inbounds|nuw %3214[%3492] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3505 = llvm.load %3504 : !llvm.ptr -> f16
    %3506 = llvm.getelementptr %arg82[208] : (!llvm.ptr) -> !llvm.ptr, f32
    %3507 = llvm.getelementptr inbounds|nuw %3506[%3501] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3508 = llvm.load %3507 : !llvm.ptr -> f32
    %3509 = llvm.fneg %3505 : f16
    %3510 = llvm.fpext %3509 : f16 to f32
    %3511 = llvm.fmul %3510, %3508 : f32
    %3512 = llvm.fmul %3494, %3503 : f32
    %3513 = llvm.fadd %3512, %3511 : f32
    %3514 = llvm.fptrunc %3513 : f32 to f16
    llvm.store %3514, %3504 : f16, !llvm.ptr
    %3515 = llvm.add %3484, %52 : i64
    llvm.br ^bb284(%3515 : i64)
  ^bb286:  // pred: ^bb284
    %3516 = llvm.add %3482, %52 : i64
    llvm.br ^bb282(%3516 : i64)
  ^bb287:  // pred: ^bb282
    llvm.br ^bb288(%54 : i64)
  ^bb288(%3517: i64):  // 2 preds: ^bb287, ^bb289
    %3518 = llvm.icmp "slt" %3517, %62 : i64
    llvm.cond_br %3518, ^bb289, ^bb290
  ^bb289:  // pred: ^bb288
    %3519 = llvm.getelementptr %3201[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3520 = llvm.mul %54, %46 : i64
    %3521 = llvm.mul %3517, %87 : i64
    %3522 = llvm.add %3520, %3521 : i64
    %3523 = llvm.mul %54, %63 : i64
    %3524 = llvm.add %3522, %3523 : i64
    %3525 = llvm.add %3524, %54 : i64
    %3526 = llvm.getelementptr %3519[%3525] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %93, %3526 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %3527 = llvm.add %3517, %52 : i64
    llvm.br ^bb288(%3527 : i64)
  ^bb290:  // pred: ^bb288
    llvm.br ^bb291(%54 : i64)
  ^bb291(%3528: i64):  // 2 preds: ^bb290, ^bb292
    %3529 = llvm.icmp "slt" %3528, %62 : i64
    llvm.cond_br %3529, ^bb292, ^bb293
  ^bb292:  // pred: ^bb291
    %3530 = llvm.mul %54, %2 : i64
    %3531 = llvm.mul %3528, %63 : i64
    %3532 = llvm.add %3530, %3531 : i64
    %3533 = llvm.mul %54, %63 : i64
    %3534 = llvm.add %3532, %3533 : i64
    %3535 = llvm.add %3534, %54 : i64
    %3536 = llvm.getelementptr %3217[%3535] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %94, %3536 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %3537 = llvm.add %3528, %52 : i64
    llvm.br ^bb291(%3537 : i64)
  ^bb293:  // pred: ^bb291
    llvm.br ^bb294(%54 : i64)
  ^bb294(%3538: i64):  // 2 preds: ^bb293, ^bb298
    %3539 = llvm.icmp "slt" %3538, %59 : i64
    llvm.cond_br %3539, ^bb295, ^bb299
  ^bb295:  // pred: ^bb294
    llvm.br ^bb296(%54 : i64)
  ^bb296(%3540: i64):  // 2 preds: ^bb295, ^bb297
    %3541 = llvm.icmp "slt" %3540, %60 : i64
    llvm.cond_br %3541, ^bb297, ^bb298
  ^bb297:  // pred: ^bb296
    %3542 = llvm.getelementptr %159[%3243] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3543 = llvm.mul %54, %49 overflow<nsw, nuw> : i64
    %3544 = llvm.mul %3538, %87 overflow<nsw, nuw> : i64
    %3545 = llvm.add %3543, %3544 overflow<nsw, nuw> : i64
    %3546 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %3547 = llvm.add %3545, %3546 overflow<nsw, nuw> : i64
    %3548 = llvm.mul %3540, %53 overflow<nsw, nuw> : i64
    %3549 = llvm.add %3547, %3548 overflow<nsw, nuw> : i64
    %3550 = llvm.add %3549, %54 overflow<nsw, nuw> : i64
    %3551 = llvm.getelementptr inbounds|nuw %3542[%3550] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3552 = llvm.load %3551 : !llvm.ptr -> f16
    %3553 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3554 = llvm.mul %3538, %60 overflow<nsw, nuw> : i64
    %3555 = llvm.add %3553, %3554 overflow<nsw, nuw> : i64
    %3556 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3557 = llvm.add %3555, %3556 overflow<nsw, nuw> : i64
    %3558 = llvm.add %3557, %3540 overflow<nsw, nuw> : i64
    %3559 = llvm.add %3558, %54 overflow<nsw, nuw> : i64
    %3560 = llvm.getelementptr inbounds|nuw %3219[%3559] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3552, %3560 : f16, !llvm.ptr
    %3561 = llvm.add %3540, %52 : i64
    llvm.br ^bb296(%3561 : i64)
  ^bb298:  // pred: ^bb296
    %3562 = llvm.add %3538, %52 : i64
    llvm.br ^bb294(%3562 : i64)
  ^bb299:  // pred: ^bb294
    llvm.br ^bb300(%54 : i64)
  ^bb300(%3563: i64):  // 2 preds: ^bb299, ^bb304
    %3564 = llvm.icmp "slt" %3563, %62 : i64
    llvm.cond_br %3564, ^bb301, ^bb305
  ^bb301:  // pred: ^bb300
    llvm.br ^bb302(%54 : i64)
  ^bb302(%3565: i64):  // 2 preds: ^bb301, ^bb303
    %3566 = llvm.icmp "slt" %3565, %60 : i64
    llvm.cond_br %3566, ^bb303, ^bb304
  ^bb303:  // pred: ^bb302
    %3567 = llvm.getelementptr %299[%3243] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3568 = llvm.mul %54, %46 overflow<nsw, nuw> : i64
    %3569 = llvm.mul %3563, %87 overflow<nsw, nuw> : i64
    %3570 = llvm.add %3568, %3569 overflow<nsw, nuw> : i64
    %3571 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %3572 = llvm.add %3570, %3571 overflow<nsw, nuw> : i64
    %3573 = llvm.mul %3565, %53 overflow<nsw, nuw> : i64
    %3574 = llvm.add %3572, %3573 overflow<nsw, nuw> : i64
    %3575 = llvm.add %3574, %54 overflow<nsw, nuw> : i64
    %3576 = llvm.getelementptr inbounds|nuw %3567[%3575] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3577 = llvm.load %3576 : !llvm.ptr -> f16
    %3578 = llvm.getelementptr %3219[104] : (!llvm.ptr) -> !llvm.ptr, f16
    %3579 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3580 = llvm.mul %3563, %60 overflow<nsw, nuw> : i64
    %3581 = llvm.add %3579, %3580 overflow<nsw, nuw> : i64
    %3582 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3583 = llvm.add %3581, %3582 overflow<nsw, nuw> : i64
    %3584 = llvm.add %3583, %3565 overflow<nsw, nuw> : i64
    %3585 = llvm.add %3584, %54 overflow<nsw, nuw> : i64
    %3586 = llvm.getelementptr inbounds|nuw %3578[%3585] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3577, %3586 : f16, !llvm.ptr
    %3587 = llvm.add %3565, %52 : i64
    llvm.br ^bb302(%3587 : i64)
  ^bb304:  // pred: ^bb302
    %3588 = llvm.add %3563, %52 : i64
    llvm.br ^bb300(%3588 : i64)
  ^bb305:  // pred: ^bb300
    llvm.br ^bb306(%54 : i64)
  ^bb306(%3589: i64):  // 2 preds: ^bb305, ^bb310
    %3590 = llvm.icmp "slt" %3589, %59 : i64
    llvm.cond_br %3590, ^bb307, ^bb311
  ^bb307:  // pred: ^bb306
    llvm.br ^bb308(%54 : i64)
  ^bb308(%3591: i64):  // 2 preds: ^bb307, ^bb309
    %3592 = llvm.icmp "slt" %3591, %60 : i64
    llvm.cond_br %3592, ^bb309, ^bb310
  ^bb309:  // pred: ^bb308
    %3593 = llvm.getelementptr %159[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3594 = llvm.mul %54, %49 overflow<nsw, nuw> : i64
    %3595 = llvm.mul %3589, %87 overflow<nsw, nuw> : i64
    %3596 = llvm.add %3594, %3595 overflow<nsw, nuw> : i64
    %3597 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %3598 = llvm.add %3596, %3597 overflow<nsw, nuw> : i64
    %3599 = llvm.mul %3591, %53 overflow<nsw, nuw> : i64
    %3600 = llvm.add %3598, %3599 overflow<nsw, nuw> : i64
    %3601 = llvm.add %3600, %54 overflow<nsw, nuw> : i64
    %3602 = llvm.getelementptr inbounds|nuw %3593[%3601] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3603 = llvm.load %3602 : !llvm.ptr -> f16
    %3604 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3605 = llvm.mul %3589, %60 overflow<nsw, nuw> : i64
    %3606 = llvm.add %3604, %3605 overflow<nsw, nuw> : i64
    %3607 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3608 = llvm.add %3606, %3607 overflow<nsw, nuw> : i64
    %3609 = llvm.add %3608, %3591 overflow<nsw, nuw> : i64
    %3610 = llvm.add %3609, %54 overflow<nsw, nuw> : i64
    %3611 = llvm.getelementptr inbounds|nuw %3221[%3610] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3603, %3611 : f16, !llvm.ptr
    %3612 = llvm.add %3591, %52 : i64
    llvm.br ^bb308(%3612 : i64)
  ^bb310:  // pred: ^bb308
    %3613 = llvm.add %3589, %52 : i64
    llvm.br ^bb306(%3613 : i64)
  ^bb311:  // pred: ^bb306
    llvm.br ^bb312(%54 : i64)
  ^bb312(%3614: i64):  // 2 preds: ^bb311, ^bb316
    %3615 = llvm.icmp "slt" %3614, %62 : i64
    llvm.cond_br %3615, ^bb313, ^bb317
  ^bb313:  // pred: ^bb312
    llvm.br ^bb314(%54 : i64)
  ^bb314(%3616: i64):  // 2 preds: ^bb313, ^bb315
    %3617 = llvm.icmp "slt" %3616, %60 : i64
    llvm.cond_br %3617, ^bb315, ^bb316
  ^bb315:  // pred: ^bb314
    %3618 = llvm.getelementptr %299[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3619 = llvm.mul %54, %46 overflow<nsw, nuw> : i64
    %3620 = llvm.mul %3614, %87 overflow<nsw, nuw> : i64
    %3621 = llvm.add %3619, %3620 overflow<nsw, nuw> : i64
    %3622 = llvm.mul %54, %63 overflow<nsw, nuw> : i64
    %3623 = llvm.add %3621, %3622 overflow<nsw, nuw> : i64
    %3624 = llvm.mul %3616, %53 overflow<nsw, nuw> : i64
    %3625 = llvm.add %3623, %3624 overflow<nsw, nuw> : i64
    %3626 = llvm.add %3625, %54 overflow<nsw, nuw> : i64
    %3627 = llvm.getelementptr inbounds|nuw %3618[%3626] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3628 = llvm.load %3627 : !llvm.ptr -> f16
    %3629 = llvm.getelementptr %3221[104] : (!llvm.ptr) -> !llvm.ptr, f16
    %3630 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3631 = llvm.mul %3614, %60 overflow<nsw, nuw> : i64
    %3632 = llvm.add %3630, %3631 overflow<nsw, nuw> : i64
    %3633 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3634 = llvm.add %3632, %3633 overflow<nsw, nuw> : i64
    %3635 = llvm.add %3634, %3616 overflow<nsw, nuw> : i64
    %3636 = llvm.add %3635, %54 overflow<nsw, nuw> : i64
    %3637 = llvm.getelementptr inbounds|nuw %3629[%3636] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3628, %3637 : f16, !llvm.ptr
    %3638 = llvm.add %3616, %52 : i64
    llvm.br ^bb314(%3638 : i64)
  ^bb316:  // pred: ^bb314
    %3639 = llvm.add %3614, %52 : i64
    llvm.br ^bb312(%3639 : i64)
  ^bb317:  // pred: ^bb312
    llvm.br ^bb318(%54 : i64)
  ^bb318(%3640: i64):  // 2 preds: ^bb317, ^bb322
    %3641 = llvm.icmp "slt" %3640, %88 : i64
    llvm.cond_br %3641, ^bb319, ^bb323
  ^bb319:  // pred: ^bb318
    llvm.br ^bb320(%54 : i64)
  ^bb320(%3642: i64):  // 2 preds: ^bb319, ^bb321
    %3643 = llvm.icmp "slt" %3642, %60 : i64
    llvm.cond_br %3643, ^bb321, ^bb322
  ^bb321:  // pred: ^bb320
    %3644 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3645 = llvm.mul %3640, %60 overflow<nsw, nuw> : i64
    %3646 = llvm.add %3644, %3645 overflow<nsw, nuw> : i64
    %3647 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3648 = llvm.add %3646, %3647 overflow<nsw, nuw> : i64
    %3649 = llvm.add %3648, %3642 overflow<nsw, nuw> : i64
    %3650 = llvm.add %3649, %54 overflow<nsw, nuw> : i64
    %3651 = llvm.getelementptr inbounds|nuw %3221[%3650] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3652 = llvm.load %3651 : !llvm.ptr -> f16
    %3653 = llvm.fpext %3652 : f16 to f32
    %3654 = llvm.getelementptr inbounds|nuw %3220[%3650] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %3653, %3654 : f32, !llvm.ptr
    %3655 = llvm.add %3642, %52 : i64
    llvm.br ^bb320(%3655 : i64)
  ^bb322:  // pred: ^bb320
    %3656 = llvm.add %3640, %52 : i64
    llvm.br ^bb318(%3656 : i64)
  ^bb323:  // pred: ^bb318
    llvm.br ^bb324(%54 : i64)
  ^bb324(%3657: i64):  // 2 preds: ^bb323, ^bb328
    %3658 = llvm.icmp "slt" %3657, %88 : i64
    llvm.cond_br %3658, ^bb325, ^bb329
  ^bb325:  // pred: ^bb324
    llvm.br ^bb326(%54 : i64)
  ^bb326(%3659: i64):  // 2 preds: ^bb325, ^bb327
    %3660 = llvm.icmp "slt" %3659, %60 : i64
    llvm.cond_br %3660, ^bb327, ^bb328
  ^bb327:  // pred: ^bb326
    %3661 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3662 = llvm.mul %3657, %60 overflow<nsw, nuw> : i64
    %3663 = llvm.add %3661, %3662 overflow<nsw, nuw> : i64
    %3664 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3665 = llvm.add %3663, %3664 overflow<nsw, nuw> : i64
    %3666 = llvm.add %3665, %3659 overflow<nsw, nuw> : i64
    %3667 = llvm.add %3666, %54 overflow<nsw, nuw> : i64
    %3668 = llvm.getelementptr inbounds|nuw %3219[%3667] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3669 = llvm.load %3668 : !llvm.ptr -> f16
    %3670 = llvm.getelementptr %arg75[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %3671 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %3672 = llvm.mul %3657, %63 overflow<nsw, nuw> : i64
    %3673 = llvm.add %3671, %3672 overflow<nsw, nuw> : i64
    %3674 = llvm.mul %3659, %53 overflow<nsw, nuw> : i64
    %3675 = llvm.add %3673, %3674 overflow<nsw, nuw> : i64
    %3676 = llvm.add %3675, %54 overflow<nsw, nuw> : i64
    %3677 = llvm.getelementptr inbounds|nuw %3670[%3676] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3678 = llvm.load %3677 : !llvm.ptr -> f32
    %3679 = llvm.getelementptr inbounds|nuw %3220[%3667] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3680 = llvm.load %3679 : !llvm.ptr -> f32
    %3681 = llvm.getelementptr %arg82[1] : (!llvm.ptr) -> !llvm.ptr, f32
    %3682 = llvm.getelementptr inbounds|nuw %3681[%3676] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3683 = llvm.load %3682 : !llvm.ptr -> f32
    %3684 = llvm.fmul %3680, %3683 : f32
    %3685 = llvm.fpext %3669 : f16 to f32
    %3686 = llvm.fmul %3685, %3678 : f32
    %3687 = llvm.fadd %3686, %3684 : f32
    %3688 = llvm.fptrunc %3687 : f32 to f16
    %3689 = llvm.getelementptr inbounds|nuw %3222[%3667] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3688, %3689 : f16, !llvm.ptr
    %3690 = llvm.add %3659, %52 : i64
    llvm.br ^bb326(%3690 : i64)
  ^bb328:  // pred: ^bb326
    %3691 = llvm.add %3657, %52 : i64
    llvm.br ^bb324(%3691 : i64)
  ^bb329:  // pred: ^bb324
    llvm.br ^bb330(%54 : i64)
  ^bb330(%3692: i64):  // 2 preds: ^bb329, ^bb334
    %3693 = llvm.icmp "slt" %3692, %88 : i64
    llvm.cond_br %3693, ^bb331, ^bb335
  ^bb331:  // pred: ^bb330
    llvm.br ^bb332(%54 : i64)
  ^bb332(%3694: i64):  // 2 preds: ^bb331, ^bb333
    %3695 = llvm.icmp "slt" %3694, %60 : i64
    llvm.cond_br %3695, ^bb333, ^bb334
  ^bb333:  // pred: ^bb332
    %3696 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3697 = llvm.mul %3692, %60 overflow<nsw, nuw> : i64
    %3698 = llvm.add %3696, %3697 overflow<nsw, nuw> : i64
    %3699 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3700 = llvm.add %3698, %3699 overflow<nsw, nuw> : i64
    %3701 = llvm.add %3700, %3694 overflow<nsw, nuw> : i64
    %3702 = llvm.add %3701, %54 overflow<nsw, nuw> : i64
    %3703 = llvm.getelementptr inbounds|nuw %3220[%3702] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3704 = llvm.load %3703 : !llvm.ptr -> f32
    %3705 = llvm.mul %54, %44 overflow<nsw, nuw> : i64
    %3706 = llvm.mul %3692, %63 overflow<nsw, nuw> : i64
    %3707 = llvm.add %3705, %3706 overflow<nsw, nuw> : i64
    %3708 = llvm.mul %3694, %53 overflow<nsw, nuw> : i64
    %3709 = llvm.add %3707, %3708 overflow<nsw, nuw> : i64
    %3710 = llvm.add %3709, %54 overflow<nsw, nuw> : i64
    %3711 = llvm.getelementptr inbounds|nuw %arg75[%3710] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3712 = llvm.load %3711 : !llvm.ptr -> f32
    %3713 = llvm.getelementptr inbounds|nuw %3219[%3702] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3714 = llvm.load %3713 : !llvm.ptr -> f16
    %3715 = llvm.getelementptr inbounds|nuw %arg82[%3710] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %3716 = llvm.load %3715 : !llvm.ptr -> f32
    %3717 = llvm.fneg %3714 : f16
    %3718 = llvm.fpext %3717 : f16 to f32
    %3719 = llvm.fmul %3718, %3716 : f32
    %3720 = llvm.fmul %3704, %3712 : f32
    %3721 = llvm.fadd %3720, %3719 : f32
    %3722 = llvm.fptrunc %3721 : f32 to f16
    %3723 = llvm.getelementptr inbounds|nuw %3218[%3702] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3722, %3723 : f16, !llvm.ptr
    %3724 = llvm.add %3694, %52 : i64
    llvm.br ^bb332(%3724 : i64)
  ^bb334:  // pred: ^bb332
    %3725 = llvm.add %3692, %52 : i64
    llvm.br ^bb330(%3725 : i64)
  ^bb335:  // pred: ^bb330
    llvm.br ^bb336(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb336(%3726: i64, %3727: vector<32xf16>, %3728: vector<32xf16>, %3729: vector<32xf16>, %3730: vector<32xf16>, %3731: vector<32xf16>, %3732: vector<32xf16>, %3733: vector<32xf16>, %3734: vector<32xf16>, %3735: vector<32xf16>, %3736: vector<32xf16>, %3737: vector<32xf16>, %3738: vector<32xf16>, %3739: vector<32xf16>, %3740: vector<32xf16>, %3741: vector<32xf16>, %3742: vector<32xf16>):  // 2 preds: ^bb335, ^bb337
    %3743 = llvm.icmp "slt" %3726, %60 : i64
    llvm.cond_br %3743, ^bb337, ^bb338
  ^bb337:  // pred: ^bb336
    %3744 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %3745 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %3746 = llvm.add %3744, %3745 overflow<nsw, nuw> : i64
    %3747 = llvm.add %3746, %3745 overflow<nsw, nuw> : i64
    %3748 = llvm.add %3747, %3726 overflow<nsw, nuw> : i64
    %3749 = llvm.add %3748, %54 overflow<nsw, nuw> : i64
    %3750 = llvm.getelementptr inbounds|nuw %3214[%3749] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3751 = llvm.load %3750 : !llvm.ptr -> f16
    %3752 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %3753 = llvm.add %3752, %3745 overflow<nsw, nuw> : i64
    %3754 = llvm.add %3753, %3745 overflow<nsw, nuw> : i64
    %3755 = llvm.add %3754, %3726 overflow<nsw, nuw> : i64
    %3756 = llvm.add %3755, %54 overflow<nsw, nuw> : i64
    %3757 = llvm.getelementptr inbounds|nuw %3218[%3756] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3758 = llvm.load %3757 : !llvm.ptr -> f16
    %3759 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %3760 = llvm.add %3752, %3759 overflow<nsw, nuw> : i64
    %3761 = llvm.add %3760, %3745 overflow<nsw, nuw> : i64
    %3762 = llvm.add %3761, %3726 overflow<nsw, nuw> : i64
    %3763 = llvm.add %3762, %54 overflow<nsw, nuw> : i64
    %3764 = llvm.getelementptr inbounds|nuw %3218[%3763] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3765 = llvm.load %3764 : !llvm.ptr -> f16
    %3766 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %3767 = llvm.add %3752, %3766 overflow<nsw, nuw> : i64
    %3768 = llvm.add %3767, %3745 overflow<nsw, nuw> : i64
    %3769 = llvm.add %3768, %3726 overflow<nsw, nuw> : i64
    %3770 = llvm.add %3769, %54 overflow<nsw, nuw> : i64
    %3771 = llvm.getelementptr inbounds|nuw %3218[%3770] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3772 = llvm.load %3771 : !llvm.ptr -> f16
    %3773 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %3774 = llvm.add %3752, %3773 overflow<nsw, nuw> : i64
    %3775 = llvm.add %3774, %3745 overflow<nsw, nuw> : i64
    %3776 = llvm.add %3775, %3726 overflow<nsw, nuw> : i64
    %3777 = llvm.add %3776, %54 overflow<nsw, nuw> : i64
    %3778 = llvm.getelementptr inbounds|nuw %3218[%3777] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3779 = llvm.load %3778 : !llvm.ptr -> f16
    %3780 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %3781 = llvm.add %3752, %3780 overflow<nsw, nuw> : i64
    %3782 = llvm.add %3781, %3745 overflow<nsw, nuw> : i64
    %3783 = llvm.add %3782, %3726 overflow<nsw, nuw> : i64
    %3784 = llvm.add %3783, %54 overflow<nsw, nuw> : i64
    %3785 = llvm.getelementptr inbounds|nuw %3218[%3784] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3786 = llvm.load %3785 : !llvm.ptr -> f16
    %3787 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %3788 = llvm.add %3752, %3787 overflow<nsw, nuw> : i64
    %3789 = llvm.add %3788, %3745 overflow<nsw, nuw> : i64
    %3790 = llvm.add %3789, %3726 overflow<nsw, nuw> : i64
    %3791 = llvm.add %3790, %54 overflow<nsw, nuw> : i64
    %3792 = llvm.getelementptr inbounds|nuw %3218[%3791] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3793 = llvm.load %3792 : !llvm.ptr -> f16
    %3794 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %3795 = llvm.add %3752, %3794 overflow<nsw, nuw> : i64
    %3796 = llvm.add %3795, %3745 overflow<nsw, nuw> : i64
    %3797 = llvm.add %3796, %3726 overflow<nsw, nuw> : i64
    %3798 = llvm.add %3797, %54 overflow<nsw, nuw> : i64
    %3799 = llvm.getelementptr inbounds|nuw %3218[%3798] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3800 = llvm.load %3799 : !llvm.ptr -> f16
    %3801 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %3802 = llvm.add %3752, %3801 overflow<nsw, nuw> : i64
    %3803 = llvm.add %3802, %3745 overflow<nsw, nuw> : i64
    %3804 = llvm.add %3803, %3726 overflow<nsw, nuw> : i64
    %3805 = llvm.add %3804, %54 overflow<nsw, nuw> : i64
    %3806 = llvm.getelementptr inbounds|nuw %3218[%3805] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3807 = llvm.load %3806 : !llvm.ptr -> f16
    %3808 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %3809 = llvm.add %3752, %3808 overflow<nsw, nuw> : i64
    %3810 = llvm.add %3809, %3745 overflow<nsw, nuw> : i64
    %3811 = llvm.add %3810, %3726 overflow<nsw, nuw> : i64
    %3812 = llvm.add %3811, %54 overflow<nsw, nuw> : i64
    %3813 = llvm.getelementptr inbounds|nuw %3218[%3812] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3814 = llvm.load %3813 : !llvm.ptr -> f16
    %3815 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %3816 = llvm.add %3752, %3815 overflow<nsw, nuw> : i64
    %3817 = llvm.add %3816, %3745 overflow<nsw, nuw> : i64
    %3818 = llvm.add %3817, %3726 overflow<nsw, nuw> : i64
    %3819 = llvm.add %3818, %54 overflow<nsw, nuw> : i64
    %3820 = llvm.getelementptr inbounds|nuw %3218[%3819] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3821 = llvm.load %3820 : !llvm.ptr -> f16
    %3822 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %3823 = llvm.add %3752, %3822 overflow<nsw, nuw> : i64
    %3824 = llvm.add %3823, %3745 overflow<nsw, nuw> : i64
    %3825 = llvm.add %3824, %3726 overflow<nsw, nuw> : i64
    %3826 = llvm.add %3825, %54 overflow<nsw, nuw> : i64
    %3827 = llvm.getelementptr inbounds|nuw %3218[%3826] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3828 = llvm.load %3827 : !llvm.ptr -> f16
    %3829 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %3830 = llvm.add %3752, %3829 overflow<nsw, nuw> : i64
    %3831 = llvm.add %3830, %3745 overflow<nsw, nuw> : i64
    %3832 = llvm.add %3831, %3726 overflow<nsw, nuw> : i64
    %3833 = llvm.add %3832, %54 overflow<nsw, nuw> : i64
    %3834 = llvm.getelementptr inbounds|nuw %3218[%3833] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3835 = llvm.load %3834 : !llvm.ptr -> f16
    %3836 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %3837 = llvm.add %3752, %3836 overflow<nsw, nuw> : i64
    %3838 = llvm.add %3837, %3745 overflow<nsw, nuw> : i64
    %3839 = llvm.add %3838, %3726 overflow<nsw, nuw> : i64
    %3840 = llvm.add %3839, %54 overflow<nsw, nuw> : i64
    %3841 = llvm.getelementptr inbounds|nuw %3218[%3840] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3842 = llvm.load %3841 : !llvm.ptr -> f16
    %3843 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %3844 = llvm.add %3752, %3843 overflow<nsw, nuw> : i64
    %3845 = llvm.add %3844, %3745 overflow<nsw, nuw> : i64
    %3846 = llvm.add %3845, %3726 overflow<nsw, nuw> : i64
    %3847 = llvm.add %3846, %54 overflow<nsw, nuw> : i64
    %3848 = llvm.getelementptr inbounds|nuw %3218[%3847] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3849 = llvm.load %3848 : !llvm.ptr -> f16
    %3850 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %3851 = llvm.add %3752, %3850 overflow<nsw, nuw> : i64
    %3852 = llvm.add %3851, %3745 overflow<nsw, nuw> : i64
    %3853 = llvm.add %3852, %3726 overflow<nsw, nuw> : i64
    %3854 = llvm.add %3853, %54 overflow<nsw, nuw> : i64
    %3855 = llvm.getelementptr inbounds|nuw %3218[%3854] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3856 = llvm.load %3855 : !llvm.ptr -> f16
    %3857 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %3858 = llvm.add %3752, %3857 overflow<nsw, nuw> : i64
    %3859 = llvm.add %3858, %3745 overflow<nsw, nuw> : i64
    %3860 = llvm.add %3859, %3726 overflow<nsw, nuw> : i64
    %3861 = llvm.add %3860, %54 overflow<nsw, nuw> : i64
    %3862 = llvm.getelementptr inbounds|nuw %3218[%3861] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3863 = llvm.load %3862 : !llvm.ptr -> f16
    %3864 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %3865 = llvm.add %3752, %3864 overflow<nsw, nuw> : i64
    %3866 = llvm.add %3865, %3745 overflow<nsw, nuw> : i64
    %3867 = llvm.add %3866, %3726 overflow<nsw, nuw> : i64
    %3868 = llvm.add %3867, %54 overflow<nsw, nuw> : i64
    %3869 = llvm.getelementptr inbounds|nuw %3218[%3868] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3870 = llvm.load %3869 : !llvm.ptr -> f16
    %3871 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %3872 = llvm.add %3752, %3871 overflow<nsw, nuw> : i64
    %3873 = llvm.add %3872, %3745 overflow<nsw, nuw> : i64
    %3874 = llvm.add %3873, %3726 overflow<nsw, nuw> : i64
    %3875 = llvm.add %3874, %54 overflow<nsw, nuw> : i64
    %3876 = llvm.getelementptr inbounds|nuw %3218[%3875] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3877 = llvm.load %3876 : !llvm.ptr -> f16
    %3878 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %3879 = llvm.add %3752, %3878 overflow<nsw, nuw> : i64
    %3880 = llvm.add %3879, %3745 overflow<nsw, nuw> : i64
    %3881 = llvm.add %3880, %3726 overflow<nsw, nuw> : i64
    %3882 = llvm.add %3881, %54 overflow<nsw, nuw> : i64
    %3883 = llvm.getelementptr inbounds|nuw %3218[%3882] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3884 = llvm.load %3883 : !llvm.ptr -> f16
    %3885 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %3886 = llvm.add %3752, %3885 overflow<nsw, nuw> : i64
    %3887 = llvm.add %3886, %3745 overflow<nsw, nuw> : i64
    %3888 = llvm.add %3887, %3726 overflow<nsw, nuw> : i64
    %3889 = llvm.add %3888, %54 overflow<nsw, nuw> : i64
    %3890 = llvm.getelementptr inbounds|nuw %3218[%3889] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3891 = llvm.load %3890 : !llvm.ptr -> f16
    %3892 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %3893 = llvm.add %3752, %3892 overflow<nsw, nuw> : i64
    %3894 = llvm.add %3893, %3745 overflow<nsw, nuw> : i64
    %3895 = llvm.add %3894, %3726 overflow<nsw, nuw> : i64
    %3896 = llvm.add %3895, %54 overflow<nsw, nuw> : i64
    %3897 = llvm.getelementptr inbounds|nuw %3218[%3896] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3898 = llvm.load %3897 : !llvm.ptr -> f16
    %3899 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %3900 = llvm.add %3752, %3899 overflow<nsw, nuw> : i64
    %3901 = llvm.add %3900, %3745 overflow<nsw, nuw> : i64
    %3902 = llvm.add %3901, %3726 overflow<nsw, nuw> : i64
    %3903 = llvm.add %3902, %54 overflow<nsw, nuw> : i64
    %3904 = llvm.getelementptr inbounds|nuw %3218[%3903] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3905 = llvm.load %3904 : !llvm.ptr -> f16
    %3906 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %3907 = llvm.add %3752, %3906 overflow<nsw, nuw> : i64
    %3908 = llvm.add %3907, %3745 overflow<nsw, nuw> : i64
    %3909 = llvm.add %3908, %3726 overflow<nsw, nuw> : i64
    %3910 = llvm.add %3909, %54 overflow<nsw, nuw> : i64
    %3911 = llvm.getelementptr inbounds|nuw %3218[%3910] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3912 = llvm.load %3911 : !llvm.ptr -> f16
    %3913 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %3914 = llvm.add %3752, %3913 overflow<nsw, nuw> : i64
    %3915 = llvm.add %3914, %3745 overflow<nsw, nuw> : i64
    %3916 = llvm.add %3915, %3726 overflow<nsw, nuw> : i64
    %3917 = llvm.add %3916, %54 overflow<nsw, nuw> : i64
    %3918 = llvm.getelementptr inbounds|nuw %3218[%3917] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3919 = llvm.load %3918 : !llvm.ptr -> f16
    %3920 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %3921 = llvm.add %3752, %3920 overflow<nsw, nuw> : i64
    %3922 = llvm.add %3921, %3745 overflow<nsw, nuw> : i64
    %3923 = llvm.add %3922, %3726 overflow<nsw, nuw> : i64
    %3924 = llvm.add %3923, %54 overflow<nsw, nuw> : i64
    %3925 = llvm.getelementptr inbounds|nuw %3218[%3924] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3926 = llvm.load %3925 : !llvm.ptr -> f16
    %3927 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %3928 = llvm.add %3752, %3927 overflow<nsw, nuw> : i64
    %3929 = llvm.add %3928, %3745 overflow<nsw, nuw> : i64
    %3930 = llvm.add %3929, %3726 overflow<nsw, nuw> : i64
    %3931 = llvm.add %3930, %54 overflow<nsw, nuw> : i64
    %3932 = llvm.getelementptr inbounds|nuw %3218[%3931] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3933 = llvm.load %3932 : !llvm.ptr -> f16
    %3934 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %3935 = llvm.add %3752, %3934 overflow<nsw, nuw> : i64
    %3936 = llvm.add %3935, %3745 overflow<nsw, nuw> : i64
    %3937 = llvm.add %3936, %3726 overflow<nsw, nuw> : i64
    %3938 = llvm.add %3937, %54 overflow<nsw, nuw> : i64
    %3939 = llvm.getelementptr inbounds|nuw %3218[%3938] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3940 = llvm.load %3939 : !llvm.ptr -> f16
    %3941 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %3942 = llvm.add %3752, %3941 overflow<nsw, nuw> : i64
    %3943 = llvm.add %3942, %3745 overflow<nsw, nuw> : i64
    %3944 = llvm.add %3943, %3726 overflow<nsw, nuw> : i64
    %3945 = llvm.add %3944, %54 overflow<nsw, nuw> : i64
    %3946 = llvm.getelementptr inbounds|nuw %3218[%3945] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3947 = llvm.load %3946 : !llvm.ptr -> f16
    %3948 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %3949 = llvm.add %3752, %3948 overflow<nsw, nuw> : i64
    %3950 = llvm.add %3949, %3745 overflow<nsw, nuw> : i64
    %3951 = llvm.add %3950, %3726 overflow<nsw, nuw> : i64
    %3952 = llvm.add %3951, %54 overflow<nsw, nuw> : i64
    %3953 = llvm.getelementptr inbounds|nuw %3218[%3952] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3954 = llvm.load %3953 : !llvm.ptr -> f16
    %3955 = llvm.mul %62, %60 overflow<nsw, nuw> : i64
    %3956 = llvm.add %3752, %3955 overflow<nsw, nuw> : i64
    %3957 = llvm.add %3956, %3745 overflow<nsw, nuw> : i64
    %3958 = llvm.add %3957, %3726 overflow<nsw, nuw> : i64
    %3959 = llvm.add %3958, %54 overflow<nsw, nuw> : i64
    %3960 = llvm.getelementptr inbounds|nuw %3218[%3959] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3961 = llvm.load %3960 : !llvm.ptr -> f16
    %3962 = llvm.mul %97, %60 overflow<nsw, nuw> : i64
    %3963 = llvm.add %3752, %3962 overflow<nsw, nuw> : i64
    %3964 = llvm.add %3963, %3745 overflow<nsw, nuw> : i64
    %3965 = llvm.add %3964, %3726 overflow<nsw, nuw> : i64
    %3966 = llvm.add %3965, %54 overflow<nsw, nuw> : i64
    %3967 = llvm.getelementptr inbounds|nuw %3218[%3966] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3968 = llvm.load %3967 : !llvm.ptr -> f16
    %3969 = llvm.mul %98, %60 overflow<nsw, nuw> : i64
    %3970 = llvm.add %3752, %3969 overflow<nsw, nuw> : i64
    %3971 = llvm.add %3970, %3745 overflow<nsw, nuw> : i64
    %3972 = llvm.add %3971, %3726 overflow<nsw, nuw> : i64
    %3973 = llvm.add %3972, %54 overflow<nsw, nuw> : i64
    %3974 = llvm.getelementptr inbounds|nuw %3218[%3973] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %3975 = llvm.load %3974 : !llvm.ptr -> f16
    %3976 = llvm.insertelement %3758, %37[%36 : i64] : vector<32xf16>
    %3977 = llvm.insertelement %3765, %3976[%35 : i64] : vector<32xf16>
    %3978 = llvm.insertelement %3772, %3977[%34 : i64] : vector<32xf16>
    %3979 = llvm.insertelement %3779, %3978[%33 : i64] : vector<32xf16>
    %3980 = llvm.insertelement %3786, %3979[%32 : i64] : vector<32xf16>
    %3981 = llvm.insertelement %3793, %3980[%31 : i64] : vector<32xf16>
    %3982 = llvm.insertelement %3800, %3981[%30 : i64] : vector<32xf16>
    %3983 = llvm.insertelement %3807, %3982[%29 : i64] : vector<32xf16>
    %3984 = llvm.insertelement %3814, %3983[%28 : i64] : vector<32xf16>
    %3985 = llvm.insertelement %3821, %3984[%27 : i64] : vector<32xf16>
    %3986 = llvm.insertelement %3828, %3985[%26 : i64] : vector<32xf16>
    %3987 = llvm.insertelement %3835, %3986[%25 : i64] : vector<32xf16>
    %3988 = llvm.insertelement %3842, %3987[%24 : i64] : vector<32xf16>
    %3989 = llvm.insertelement %3849, %3988[%23 : i64] : vector<32xf16>
    %3990 = llvm.insertelement %3856, %3989[%22 : i64] : vector<32xf16>
    %3991 = llvm.insertelement %3863, %3990[%21 : i64] : vector<32xf16>
    %3992 = llvm.insertelement %3870, %3991[%20 : i64] : vector<32xf16>
    %3993 = llvm.insertelement %3877, %3992[%19 : i64] : vector<32xf16>
    %3994 = llvm.insertelement %3884, %3993[%18 : i64] : vector<32xf16>
    %3995 = llvm.insertelement %3891, %3994[%17 : i64] : vector<32xf16>
    %3996 = llvm.insertelement %3898, %3995[%16 : i64] : vector<32xf16>
    %3997 = llvm.insertelement %3905, %3996[%15 : i64] : vector<32xf16>
    %3998 = llvm.insertelement %3912, %3997[%14 : i64] : vector<32xf16>
    %3999 = llvm.insertelement %3919, %3998[%13 : i64] : vector<32xf16>
    %4000 = llvm.insertelement %3926, %3999[%12 : i64] : vector<32xf16>
    %4001 = llvm.insertelement %3933, %4000[%11 : i64] : vector<32xf16>
    %4002 = llvm.insertelement %3940, %4001[%10 : i64] : vector<32xf16>
    %4003 = llvm.insertelement %3947, %4002[%9 : i64] : vector<32xf16>
    %4004 = llvm.insertelement %3954, %4003[%8 : i64] : vector<32xf16>
    %4005 = llvm.insertelement %3961, %4004[%7 : i64] : vector<32xf16>
    %4006 = llvm.insertelement %3968, %4005[%6 : i64] : vector<32xf16>
    %4007 = llvm.insertelement %3975, %4006[%5 : i64] : vector<32xf16>
    %4008 = llvm.insertelement %3751, %37[%111 : i32] : vector<32xf16>
    %4009 = llvm.shufflevector %4008, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4010 = llvm.fmul %4009, %4007 : vector<32xf16>
    %4011 = llvm.fadd %3727, %4010 : vector<32xf16>
    %4012 = llvm.add %3744, %3759 overflow<nsw, nuw> : i64
    %4013 = llvm.add %4012, %3745 overflow<nsw, nuw> : i64
    %4014 = llvm.add %4013, %3726 overflow<nsw, nuw> : i64
    %4015 = llvm.add %4014, %54 overflow<nsw, nuw> : i64
    %4016 = llvm.getelementptr inbounds|nuw %3214[%4015] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4017 = llvm.load %4016 : !llvm.ptr -> f16
    %4018 = llvm.insertelement %4017, %37[%111 : i32] : vector<32xf16>
    %4019 = llvm.shufflevector %4018, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4020 = llvm.fmul %4019, %4007 : vector<32xf16>
    %4021 = llvm.fadd %3728, %4020 : vector<32xf16>
    %4022 = llvm.add %3744, %3766 overflow<nsw, nuw> : i64
    %4023 = llvm.add %4022, %3745 overflow<nsw, nuw> : i64
    %4024 = llvm.add %4023, %3726 overflow<nsw, nuw> : i64
    %4025 = llvm.add %4024, %54 overflow<nsw, nuw> : i64
    %4026 = llvm.getelementptr inbounds|nuw %3214[%4025] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4027 = llvm.load %4026 : !llvm.ptr -> f16
    %4028 = llvm.insertelement %4027, %37[%111 : i32] : vector<32xf16>
    %4029 = llvm.shufflevector %4028, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4030 = llvm.fmul %4029, %4007 : vector<32xf16>
    %4031 = llvm.fadd %3729, %4030 : vector<32xf16>
    %4032 = llvm.add %3744, %3773 overflow<nsw, nuw> : i64
    %4033 = llvm.add %4032, %3745 overflow<nsw, nuw> : i64
    %4034 = llvm.add %4033, %3726 overflow<nsw, nuw> : i64
    %4035 = llvm.add %4034, %54 overflow<nsw, nuw> : i64
    %4036 = llvm.getelementptr inbounds|nuw %3214[%4035] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4037 = llvm.load %4036 : !llvm.ptr -> f16
    %4038 = llvm.insertelement %4037, %37[%111 : i32] : vector<32xf16>
    %4039 = llvm.shufflevector %4038, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4040 = llvm.fmul %4039, %4007 : vector<32xf16>
    %4041 = llvm.fadd %3730, %4040 : vector<32xf16>
    %4042 = llvm.add %3744, %3780 overflow<nsw, nuw> : i64
    %4043 = llvm.add %4042, %3745 overflow<nsw, nuw> : i64
    %4044 = llvm.add %4043, %3726 overflow<nsw, nuw> : i64
    %4045 = llvm.add %4044, %54 overflow<nsw, nuw> : i64
    %4046 = llvm.getelementptr inbounds|nuw %3214[%4045] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4047 = llvm.load %4046 : !llvm.ptr -> f16
    %4048 = llvm.insertelement %4047, %37[%111 : i32] : vector<32xf16>
    %4049 = llvm.shufflevector %4048, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4050 = llvm.fmul %4049, %4007 : vector<32xf16>
    %4051 = llvm.fadd %3731, %4050 : vector<32xf16>
    %4052 = llvm.add %3744, %3787 overflow<nsw, nuw> : i64
    %4053 = llvm.add %4052, %3745 overflow<nsw, nuw> : i64
    %4054 = llvm.add %4053, %3726 overflow<nsw, nuw> : i64
    %4055 = llvm.add %4054, %54 overflow<nsw, nuw> : i64
    %4056 = llvm.getelementptr inbounds|nuw %3214[%4055] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4057 = llvm.load %4056 : !llvm.ptr -> f16
    %4058 = llvm.insertelement %4057, %37[%111 : i32] : vector<32xf16>
    %4059 = llvm.shufflevector %4058, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4060 = llvm.fmul %4059, %4007 : vector<32xf16>
    %4061 = llvm.fadd %3732, %4060 : vector<32xf16>
    %4062 = llvm.add %3744, %3794 overflow<nsw, nuw> : i64
    %4063 = llvm.add %4062, %3745 overflow<nsw, nuw> : i64
    %4064 = llvm.add %4063, %3726 overflow<nsw, nuw> : i64
    %4065 = llvm.add %4064, %54 overflow<nsw, nuw> : i64
    %4066 = llvm.getelementptr inbounds|nuw %3214[%4065] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4067 = llvm.load %4066 : !llvm.ptr -> f16
    %4068 = llvm.insertelement %4067, %37[%111 : i32] : vector<32xf16>
    %4069 = llvm.shufflevector %4068, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4070 = llvm.fmul %4069, %4007 : vector<32xf16>
    %4071 = llvm.fadd %3733, %4070 : vector<32xf16>
    %4072 = llvm.add %3744, %3801 overflow<nsw, nuw> : i64
    %4073 = llvm.add %4072, %3745 overflow<nsw, nuw> : i64
    %4074 = llvm.add %4073, %3726 overflow<nsw, nuw> : i64
    %4075 = llvm.add %4074, %54 overflow<nsw, nuw> : i64
    %4076 = llvm.getelementptr inbounds|nuw %3214[%4075] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4077 = llvm.load %4076 : !llvm.ptr -> f16
    %4078 = llvm.insertelement %4077, %37[%111 : i32] : vector<32xf16>
    %4079 = llvm.shufflevector %4078, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4080 = llvm.fmul %4079, %4007 : vector<32xf16>
    %4081 = llvm.fadd %3734, %4080 : vector<32xf16>
    %4082 = llvm.add %3744, %3808 overflow<nsw, nuw> : i64
    %4083 = llvm.add %4082, %3745 overflow<nsw, nuw> : i64
    %4084 = llvm.add %4083, %3726 overflow<nsw, nuw> : i64
    %4085 = llvm.add %4084, %54 overflow<nsw, nuw> : i64
    %4086 = llvm.getelementptr inbounds|nuw %3214[%4085] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4087 = llvm.load %4086 : !llvm.ptr -> f16
    %4088 = llvm.insertelement %4087, %37[%111 : i32] : vector<32xf16>
    %4089 = llvm.shufflevector %4088, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4090 = llvm.fmul %4089, %4007 : vector<32xf16>
    %4091 = llvm.fadd %3735, %4090 : vector<32xf16>
    %4092 = llvm.add %3744, %3815 overflow<nsw, nuw> : i64
    %4093 = llvm.add %4092, %3745 overflow<nsw, nuw> : i64
    %4094 = llvm.add %4093, %3726 overflow<nsw, nuw> : i64
    %4095 = llvm.add %4094, %54 overflow<nsw, nuw> : i64
    %4096 = llvm.getelementptr inbounds|nuw %3214[%4095] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4097 = llvm.load %4096 : !llvm.ptr -> f16
    %4098 = llvm.insertelement %4097, %37[%111 : i32] : vector<32xf16>
    %4099 = llvm.shufflevector %4098, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4100 = llvm.fmul %4099, %4007 : vector<32xf16>
    %4101 = llvm.fadd %3736, %4100 : vector<32xf16>
    %4102 = llvm.add %3744, %3822 overflow<nsw, nuw> : i64
    %4103 = llvm.add %4102, %3745 overflow<nsw, nuw> : i64
    %4104 = llvm.add %4103, %3726 overflow<nsw, nuw> : i64
    %4105 = llvm.add %4104, %54 overflow<nsw, nuw> : i64
    %4106 = llvm.getelementptr inbounds|nuw %3214[%4105] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4107 = llvm.load %4106 : !llvm.ptr -> f16
    %4108 = llvm.insertelement %4107, %37[%111 : i32] : vector<32xf16>
    %4109 = llvm.shufflevector %4108, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4110 = llvm.fmul %4109, %4007 : vector<32xf16>
    %4111 = llvm.fadd %3737, %4110 : vector<32xf16>
    %4112 = llvm.add %3744, %3829 overflow<nsw, nuw> : i64
    %4113 = llvm.add %4112, %3745 overflow<nsw, nuw> : i64
    %4114 = llvm.add %4113, %3726 overflow<nsw, nuw> : i64
    %4115 = llvm.add %4114, %54 overflow<nsw, nuw> : i64
    %4116 = llvm.getelementptr inbounds|nuw %3214[%4115] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4117 = llvm.load %4116 : !llvm.ptr -> f16
    %4118 = llvm.insertelement %4117, %37[%111 : i32] : vector<32xf16>
    %4119 = llvm.shufflevector %4118, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4120 = llvm.fmul %4119, %4007 : vector<32xf16>
    %4121 = llvm.fadd %3738, %4120 : vector<32xf16>
    %4122 = llvm.add %3744, %3836 overflow<nsw, nuw> : i64
    %4123 = llvm.add %4122, %3745 overflow<nsw, nuw> : i64
    %4124 = llvm.add %4123, %3726 overflow<nsw, nuw> : i64
    %4125 = llvm.add %4124, %54 overflow<nsw, nuw> : i64
    %4126 = llvm.getelementptr inbounds|nuw %3214[%4125] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4127 = llvm.load %4126 : !llvm.ptr -> f16
    %4128 = llvm.insertelement %4127, %37[%111 : i32] : vector<32xf16>
    %4129 = llvm.shufflevector %4128, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4130 = llvm.fmul %4129, %4007 : vector<32xf16>
    %4131 = llvm.fadd %3739, %4130 : vector<32xf16>
    %4132 = llvm.add %3744, %3843 overflow<nsw, nuw> : i64
    %4133 = llvm.add %4132, %3745 overflow<nsw, nuw> : i64
    %4134 = llvm.add %4133, %3726 overflow<nsw, nuw> : i64
    %4135 = llvm.add %4134, %54 overflow<nsw, nuw> : i64
    %4136 = llvm.getelementptr inbounds|nuw %3214[%4135] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4137 = llvm.load %4136 : !llvm.ptr -> f16
    %4138 = llvm.insertelement %4137, %37[%111 : i32] : vector<32xf16>
    %4139 = llvm.shufflevector %4138, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4140 = llvm.fmul %4139, %4007 : vector<32xf16>
    %4141 = llvm.fadd %3740, %4140 : vector<32xf16>
    %4142 = llvm.add %3744, %3850 overflow<nsw, nuw> : i64
    %4143 = llvm.add %4142, %3745 overflow<nsw, nuw> : i64
    %4144 = llvm.add %4143, %3726 overflow<nsw, nuw> : i64
    %4145 = llvm.add %4144, %54 overflow<nsw, nuw> : i64
    %4146 = llvm.getelementptr inbounds|nuw %3214[%4145] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4147 = llvm.load %4146 : !llvm.ptr -> f16
    %4148 = llvm.insertelement %4147, %37[%111 : i32] : vector<32xf16>
    %4149 = llvm.shufflevector %4148, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4150 = llvm.fmul %4149, %4007 : vector<32xf16>
    %4151 = llvm.fadd %3741, %4150 : vector<32xf16>
    %4152 = llvm.add %3744, %3857 overflow<nsw, nuw> : i64
    %4153 = llvm.add %4152, %3745 overflow<nsw, nuw> : i64
    %4154 = llvm.add %4153, %3726 overflow<nsw, nuw> : i64
    %4155 = llvm.add %4154, %54 overflow<nsw, nuw> : i64
    %4156 = llvm.getelementptr inbounds|nuw %3214[%4155] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4157 = llvm.load %4156 : !llvm.ptr -> f16
    %4158 = llvm.insertelement %4157, %37[%111 : i32] : vector<32xf16>
    %4159 = llvm.shufflevector %4158, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4160 = llvm.fmul %4159, %4007 : vector<32xf16>
    %4161 = llvm.fadd %3742, %4160 : vector<32xf16>
    %4162 = llvm.add %3726, %52 : i64
    llvm.br ^bb336(%4162, %4011, %4021, %4031, %4041, %4051, %4061, %4071, %4081, %4091, %4101, %4111, %4121, %4131, %4141, %4151, %4161 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb338:  // pred: ^bb336
    %4163 = llvm.mul %54, %1 : i64
    %4164 = llvm.add %4163, %4163 : i64
    %4165 = llvm.mul %54, %88 : i64
    %4166 = llvm.add %4164, %4165 : i64
    %4167 = llvm.add %4166, %54 : i64
    %4168 = llvm.getelementptr %3224[%4167] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3727, %4168 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4169 = llvm.mul %52, %88 : i64
    %4170 = llvm.add %4164, %4169 : i64
    %4171 = llvm.add %4170, %54 : i64
    %4172 = llvm.getelementptr %3224[%4171] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3728, %4172 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4173 = llvm.mul %53, %88 : i64
    %4174 = llvm.add %4164, %4173 : i64
    %4175 = llvm.add %4174, %54 : i64
    %4176 = llvm.getelementptr %3224[%4175] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3729, %4176 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4177 = llvm.mul %66, %88 : i64
    %4178 = llvm.add %4164, %4177 : i64
    %4179 = llvm.add %4178, %54 : i64
    %4180 = llvm.getelementptr %3224[%4179] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3730, %4180 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4181 = llvm.mul %65, %88 : i64
    %4182 = llvm.add %4164, %4181 : i64
    %4183 = llvm.add %4182, %54 : i64
    %4184 = llvm.getelementptr %3224[%4183] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3731, %4184 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4185 = llvm.mul %67, %88 : i64
    %4186 = llvm.add %4164, %4185 : i64
    %4187 = llvm.add %4186, %54 : i64
    %4188 = llvm.getelementptr %3224[%4187] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3732, %4188 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4189 = llvm.mul %68, %88 : i64
    %4190 = llvm.add %4164, %4189 : i64
    %4191 = llvm.add %4190, %54 : i64
    %4192 = llvm.getelementptr %3224[%4191] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3733, %4192 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4193 = llvm.mul %69, %88 : i64
    %4194 = llvm.add %4164, %4193 : i64
    %4195 = llvm.add %4194, %54 : i64
    %4196 = llvm.getelementptr %3224[%4195] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3734, %4196 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4197 = llvm.mul %60, %88 : i64
    %4198 = llvm.add %4164, %4197 : i64
    %4199 = llvm.add %4198, %54 : i64
    %4200 = llvm.getelementptr %3224[%4199] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3735, %4200 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4201 = llvm.mul %70, %88 : i64
    %4202 = llvm.add %4164, %4201 : i64
    %4203 = llvm.add %4202, %54 : i64
    %4204 = llvm.getelementptr %3224[%4203] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3736, %4204 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4205 = llvm.mul %71, %88 : i64
    %4206 = llvm.add %4164, %4205 : i64
    %4207 = llvm.add %4206, %54 : i64
    %4208 = llvm.getelementptr %3224[%4207] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3737, %4208 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4209 = llvm.mul %72, %88 : i64
    %4210 = llvm.add %4164, %4209 : i64
    %4211 = llvm.add %4210, %54 : i64
    %4212 = llvm.getelementptr %3224[%4211] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3738, %4212 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4213 = llvm.mul %64, %88 : i64
    %4214 = llvm.add %4164, %4213 : i64
    %4215 = llvm.add %4214, %54 : i64
    %4216 = llvm.getelementptr %3224[%4215] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3739, %4216 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4217 = llvm.mul %59, %88 : i64
    %4218 = llvm.add %4164, %4217 : i64
    %4219 = llvm.add %4218, %54 : i64
    %4220 = llvm.getelementptr %3224[%4219] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3740, %4220 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4221 = llvm.mul %73, %88 : i64
    %4222 = llvm.add %4164, %4221 : i64
    %4223 = llvm.add %4222, %54 : i64
    %4224 = llvm.getelementptr %3224[%4223] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3741, %4224 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4225 = llvm.mul %74, %88 : i64
    %4226 = llvm.add %4164, %4225 : i64
    %4227 = llvm.add %4226, %54 : i64
    %4228 = llvm.getelementptr %3224[%4227] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %3742, %4228 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    llvm.br ^bb339(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb339(%4229: i64, %4230: vector<32xf16>, %4231: vector<32xf16>, %4232: vector<32xf16>, %4233: vector<32xf16>, %4234: vector<32xf16>, %4235: vector<32xf16>, %4236: vector<32xf16>, %4237: vector<32xf16>, %4238: vector<32xf16>, %4239: vector<32xf16>, %4240: vector<32xf16>, %4241: vector<32xf16>, %4242: vector<32xf16>):  // 2 preds: ^bb338, ^bb340
    %4243 = llvm.icmp "slt" %4229, %60 : i64
    llvm.cond_br %4243, ^bb340, ^bb341
  ^bb340:  // pred: ^bb339
    %4244 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %4245 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %4246 = llvm.add %4244, %4245 overflow<nsw, nuw> : i64
    %4247 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %4248 = llvm.add %4246, %4247 overflow<nsw, nuw> : i64
    %4249 = llvm.add %4248, %4229 overflow<nsw, nuw> : i64
    %4250 = llvm.add %4249, %54 overflow<nsw, nuw> : i64
    %4251 = llvm.getelementptr inbounds|nuw %3214[%4250] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4252 = llvm.load %4251 : !llvm.ptr -> f16
    %4253 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %4254 = llvm.add %4253, %4247 overflow<nsw, nuw> : i64
    %4255 = llvm.add %4254, %4247 overflow<nsw, nuw> : i64
    %4256 = llvm.add %4255, %4229 overflow<nsw, nuw> : i64
    %4257 = llvm.add %4256, %54 overflow<nsw, nuw> : i64
    %4258 = llvm.getelementptr inbounds|nuw %3218[%4257] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4259 = llvm.load %4258 : !llvm.ptr -> f16
    %4260 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %4261 = llvm.add %4253, %4260 overflow<nsw, nuw> : i64
    %4262 = llvm.add %4261, %4247 overflow<nsw, nuw> : i64
    %4263 = llvm.add %4262, %4229 overflow<nsw, nuw> : i64
    %4264 = llvm.add %4263, %54 overflow<nsw, nuw> : i64
    %4265 = llvm.getelementptr inbounds|nuw %3218[%4264] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4266 = llvm.load %4265 : !llvm.ptr -> f16
    %4267 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %4268 = llvm.add %4253, %4267 overflow<nsw, nuw> : i64
    %4269 = llvm.add %4268, %4247 overflow<nsw, nuw> : i64
    %4270 = llvm.add %4269, %4229 overflow<nsw, nuw> : i64
    %4271 = llvm.add %4270, %54 overflow<nsw, nuw> : i64
    %4272 = llvm.getelementptr inbounds|nuw %3218[%4271] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4273 = llvm.load %4272 : !llvm.ptr -> f16
    %4274 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %4275 = llvm.add %4253, %4274 overflow<nsw, nuw> : i64
    %4276 = llvm.add %4275, %4247 overflow<nsw, nuw> : i64
    %4277 = llvm.add %4276, %4229 overflow<nsw, nuw> : i64
    %4278 = llvm.add %4277, %54 overflow<nsw, nuw> : i64
    %4279 = llvm.getelementptr inbounds|nuw %3218[%4278] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4280 = llvm.load %4279 : !llvm.ptr -> f16
    %4281 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %4282 = llvm.add %4253, %4281 overflow<nsw, nuw> : i64
    %4283 = llvm.add %4282, %4247 overflow<nsw, nuw> : i64
    %4284 = llvm.add %4283, %4229 overflow<nsw, nuw> : i64
    %4285 = llvm.add %4284, %54 overflow<nsw, nuw> : i64
    %4286 = llvm.getelementptr inbounds|nuw %3218[%4285] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4287 = llvm.load %4286 : !llvm.ptr -> f16
    %4288 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %4289 = llvm.add %4253, %4288 overflow<nsw, nuw> : i64
    %4290 = llvm.add %4289, %4247 overflow<nsw, nuw> : i64
    %4291 = llvm.add %4290, %4229 overflow<nsw, nuw> : i64
    %4292 = llvm.add %4291, %54 overflow<nsw, nuw> : i64
    %4293 = llvm.getelementptr inbounds|nuw %3218[%4292] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4294 = llvm.load %4293 : !llvm.ptr -> f16
    %4295 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %4296 = llvm.add %4253, %4295 overflow<nsw, nuw> : i64
    %4297 = llvm.add %4296, %4247 overflow<nsw, nuw> : i64
    %4298 = llvm.add %4297, %4229 overflow<nsw, nuw> : i64
    %4299 = llvm.add %4298, %54 overflow<nsw, nuw> : i64
    %4300 = llvm.getelementptr inbounds|nuw %3218[%4299] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4301 = llvm.load %4300 : !llvm.ptr -> f16
    %4302 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %4303 = llvm.add %4253, %4302 overflow<nsw, nuw> : i64
    %4304 = llvm.add %4303, %4247 overflow<nsw, nuw> : i64
    %4305 = llvm.add %4304, %4229 overflow<nsw, nuw> : i64
    %4306 = llvm.add %4305, %54 overflow<nsw, nuw> : i64
    %4307 = llvm.getelementptr inbounds|nuw %3218[%4306] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4308 = llvm.load %4307 : !llvm.ptr -> f16
    %4309 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %4310 = llvm.add %4253, %4309 overflow<nsw, nuw> : i64
    %4311 = llvm.add %4310, %4247 overflow<nsw, nuw> : i64
    %4312 = llvm.add %4311, %4229 overflow<nsw, nuw> : i64
    %4313 = llvm.add %4312, %54 overflow<nsw, nuw> : i64
    %4314 = llvm.getelementptr inbounds|nuw %3218[%4313] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4315 = llvm.load %4314 : !llvm.ptr -> f16
    %4316 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %4317 = llvm.add %4253, %4316 overflow<nsw, nuw> : i64
    %4318 = llvm.add %4317, %4247 overflow<nsw, nuw> : i64
    %4319 = llvm.add %4318, %4229 overflow<nsw, nuw> : i64
    %4320 = llvm.add %4319, %54 overflow<nsw, nuw> : i64
    %4321 = llvm.getelementptr inbounds|nuw %3218[%4320] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4322 = llvm.load %4321 : !llvm.ptr -> f16
    %4323 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %4324 = llvm.add %4253, %4323 overflow<nsw, nuw> : i64
    %4325 = llvm.add %4324, %4247 overflow<nsw, nuw> : i64
    %4326 = llvm.add %4325, %4229 overflow<nsw, nuw> : i64
    %4327 = llvm.add %4326, %54 overflow<nsw, nuw> : i64
    %4328 = llvm.getelementptr inbounds|nuw %3218[%4327] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4329 = llvm.load %4328 : !llvm.ptr -> f16
    %4330 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %4331 = llvm.add %4253, %4330 overflow<nsw, nuw> : i64
    %4332 = llvm.add %4331, %4247 overflow<nsw, nuw> : i64
    %4333 = llvm.add %4332, %4229 overflow<nsw, nuw> : i64
    %4334 = llvm.add %4333, %54 overflow<nsw, nuw> : i64
    %4335 = llvm.getelementptr inbounds|nuw %3218[%4334] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4336 = llvm.load %4335 : !llvm.ptr -> f16
    %4337 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %4338 = llvm.add %4253, %4337 overflow<nsw, nuw> : i64
    %4339 = llvm.add %4338, %4247 overflow<nsw, nuw> : i64
    %4340 = llvm.add %4339, %4229 overflow<nsw, nuw> : i64
    %4341 = llvm.add %4340, %54 overflow<nsw, nuw> : i64
    %4342 = llvm.getelementptr inbounds|nuw %3218[%4341] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4343 = llvm.load %4342 : !llvm.ptr -> f16
    %4344 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %4345 = llvm.add %4253, %4344 overflow<nsw, nuw> : i64
    %4346 = llvm.add %4345, %4247 overflow<nsw, nuw> : i64
    %4347 = llvm.add %4346, %4229 overflow<nsw, nuw> : i64
    %4348 = llvm.add %4347, %54 overflow<nsw, nuw> : i64
    %4349 = llvm.getelementptr inbounds|nuw %3218[%4348] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4350 = llvm.load %4349 : !llvm.ptr -> f16
    %4351 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %4352 = llvm.add %4253, %4351 overflow<nsw, nuw> : i64
    %4353 = llvm.add %4352, %4247 overflow<nsw, nuw> : i64
    %4354 = llvm.add %4353, %4229 overflow<nsw, nuw> : i64
    %4355 = llvm.add %4354, %54 overflow<nsw, nuw> : i64
    %4356 = llvm.getelementptr inbounds|nuw %3218[%4355] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4357 = llvm.load %4356 : !llvm.ptr -> f16
    %4358 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %4359 = llvm.add %4253, %4358 overflow<nsw, nuw> : i64
    %4360 = llvm.add %4359, %4247 overflow<nsw, nuw> : i64
    %4361 = llvm.add %4360, %4229 overflow<nsw, nuw> : i64
    %4362 = llvm.add %4361, %54 overflow<nsw, nuw> : i64
    %4363 = llvm.getelementptr inbounds|nuw %3218[%4362] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4364 = llvm.load %4363 : !llvm.ptr -> f16
    %4365 = llvm.add %4253, %4245 overflow<nsw, nuw> : i64
    %4366 = llvm.add %4365, %4247 overflow<nsw, nuw> : i64
    %4367 = llvm.add %4366, %4229 overflow<nsw, nuw> : i64
    %4368 = llvm.add %4367, %54 overflow<nsw, nuw> : i64
    %4369 = llvm.getelementptr inbounds|nuw %3218[%4368] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4370 = llvm.load %4369 : !llvm.ptr -> f16
    %4371 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %4372 = llvm.add %4253, %4371 overflow<nsw, nuw> : i64
    %4373 = llvm.add %4372, %4247 overflow<nsw, nuw> : i64
    %4374 = llvm.add %4373, %4229 overflow<nsw, nuw> : i64
    %4375 = llvm.add %4374, %54 overflow<nsw, nuw> : i64
    %4376 = llvm.getelementptr inbounds|nuw %3218[%4375] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4377 = llvm.load %4376 : !llvm.ptr -> f16
    %4378 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %4379 = llvm.add %4253, %4378 overflow<nsw, nuw> : i64
    %4380 = llvm.add %4379, %4247 overflow<nsw, nuw> : i64
    %4381 = llvm.add %4380, %4229 overflow<nsw, nuw> : i64
    %4382 = llvm.add %4381, %54 overflow<nsw, nuw> : i64
    %4383 = llvm.getelementptr inbounds|nuw %3218[%4382] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4384 = llvm.load %4383 : !llvm.ptr -> f16
    %4385 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %4386 = llvm.add %4253, %4385 overflow<nsw, nuw> : i64
    %4387 = llvm.add %4386, %4247 overflow<nsw, nuw> : i64
    %4388 = llvm.add %4387, %4229 overflow<nsw, nuw> : i64
    %4389 = llvm.add %4388, %54 overflow<nsw, nuw> : i64
    %4390 = llvm.getelementptr inbounds|nuw %3218[%4389] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4391 = llvm.load %4390 : !llvm.ptr -> f16
    %4392 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %4393 = llvm.add %4253, %4392 overflow<nsw, nuw> : i64
    %4394 = llvm.add %4393, %4247 overflow<nsw, nuw> : i64
    %4395 = llvm.add %4394, %4229 overflow<nsw, nuw> : i64
    %4396 = llvm.add %4395, %54 overflow<nsw, nuw> : i64
    %4397 = llvm.getelementptr inbounds|nuw %3218[%4396] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4398 = llvm.load %4397 : !llvm.ptr -> f16
    %4399 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %4400 = llvm.add %4253, %4399 overflow<nsw, nuw> : i64
    %4401 = llvm.add %4400, %4247 overflow<nsw, nuw> : i64
    %4402 = llvm.add %4401, %4229 overflow<nsw, nuw> : i64
    %4403 = llvm.add %4402, %54 overflow<nsw, nuw> : i64
    %4404 = llvm.getelementptr inbounds|nuw %3218[%4403] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4405 = llvm.load %4404 : !llvm.ptr -> f16
    %4406 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %4407 = llvm.add %4253, %4406 overflow<nsw, nuw> : i64
    %4408 = llvm.add %4407, %4247 overflow<nsw, nuw> : i64
    %4409 = llvm.add %4408, %4229 overflow<nsw, nuw> : i64
    %4410 = llvm.add %4409, %54 overflow<nsw, nuw> : i64
    %4411 = llvm.getelementptr inbounds|nuw %3218[%4410] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4412 = llvm.load %4411 : !llvm.ptr -> f16
    %4413 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %4414 = llvm.add %4253, %4413 overflow<nsw, nuw> : i64
    %4415 = llvm.add %4414, %4247 overflow<nsw, nuw> : i64
    %4416 = llvm.add %4415, %4229 overflow<nsw, nuw> : i64
    %4417 = llvm.add %4416, %54 overflow<nsw, nuw> : i64
    %4418 = llvm.getelementptr inbounds|nuw %3218[%4417] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4419 = llvm.load %4418 : !llvm.ptr -> f16
    %4420 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %4421 = llvm.add %4253, %4420 overflow<nsw, nuw> : i64
    %4422 = llvm.add %4421, %4247 overflow<nsw, nuw> : i64
    %4423 = llvm.add %4422, %4229 overflow<nsw, nuw> : i64
    %4424 = llvm.add %4423, %54 overflow<nsw, nuw> : i64
    %4425 = llvm.getelementptr inbounds|nuw %3218[%4424] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4426 = llvm.load %4425 : !llvm.ptr -> f16
    %4427 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %4428 = llvm.add %4253, %4427 overflow<nsw, nuw> : i64
    %4429 = llvm.add %4428, %4247 overflow<nsw, nuw> : i64
    %4430 = llvm.add %4429, %4229 overflow<nsw, nuw> : i64
    %4431 = llvm.add %4430, %54 overflow<nsw, nuw> : i64
    %4432 = llvm.getelementptr inbounds|nuw %3218[%4431] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4433 = llvm.load %4432 : !llvm.ptr -> f16
    %4434 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %4435 = llvm.add %4253, %4434 overflow<nsw, nuw> : i64
    %4436 = llvm.add %4435, %4247 overflow<nsw, nuw> : i64
    %4437 = llvm.add %4436, %4229 overflow<nsw, nuw> : i64
    %4438 = llvm.add %4437, %54 overflow<nsw, nuw> : i64
    %4439 = llvm.getelementptr inbounds|nuw %3218[%4438] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4440 = llvm.load %4439 : !llvm.ptr -> f16
    %4441 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %4442 = llvm.add %4253, %4441 overflow<nsw, nuw> : i64
    %4443 = llvm.add %4442, %4247 overflow<nsw, nuw> : i64
    %4444 = llvm.add %4443, %4229 overflow<nsw, nuw> : i64
    %4445 = llvm.add %4444, %54 overflow<nsw, nuw> : i64
    %4446 = llvm.getelementptr inbounds|nuw %3218[%4445] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4447 = llvm.load %4446 : !llvm.ptr -> f16
    %4448 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %4449 = llvm.add %4253, %4448 overflow<nsw, nuw> : i64
    %4450 = llvm.add %4449, %4247 overflow<nsw, nuw> : i64
    %4451 = llvm.add %4450, %4229 overflow<nsw, nuw> : i64
    %4452 = llvm.add %4451, %54 overflow<nsw, nuw> : i64
    %4453 = llvm.getelementptr inbounds|nuw %3218[%4452] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4454 = llvm.load %4453 : !llvm.ptr -> f16
    %4455 = llvm.mul %62, %60 overflow<nsw, nuw> : i64
    %4456 = llvm.add %4253, %4455 overflow<nsw, nuw> : i64
    %4457 = llvm.add %4456, %4247 overflow<nsw, nuw> : i64
    %4458 = llvm.add %4457, %4229 overflow<nsw, nuw> : i64
    %4459 = llvm.add %4458, %54 overflow<nsw, nuw> : i64
    %4460 = llvm.getelementptr inbounds|nuw %3218[%4459] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4461 = llvm.load %4460 : !llvm.ptr -> f16
    %4462 = llvm.mul %97, %60 overflow<nsw, nuw> : i64
    %4463 = llvm.add %4253, %4462 overflow<nsw, nuw> : i64
    %4464 = llvm.add %4463, %4247 overflow<nsw, nuw> : i64
    %4465 = llvm.add %4464, %4229 overflow<nsw, nuw> : i64
    %4466 = llvm.add %4465, %54 overflow<nsw, nuw> : i64
    %4467 = llvm.getelementptr inbounds|nuw %3218[%4466] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4468 = llvm.load %4467 : !llvm.ptr -> f16
    %4469 = llvm.mul %98, %60 overflow<nsw, nuw> : i64
    %4470 = llvm.add %4253, %4469 overflow<nsw, nuw> : i64
    %4471 = llvm.add %4470, %4247 overflow<nsw, nuw> : i64
    %4472 = llvm.add %4471, %4229 overflow<nsw, nuw> : i64
    %4473 = llvm.add %4472, %54 overflow<nsw, nuw> : i64
    %4474 = llvm.getelementptr inbounds|nuw %3218[%4473] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4475 = llvm.load %4474 : !llvm.ptr -> f16
    %4476 = llvm.insertelement %4259, %37[%36 : i64] : vector<32xf16>
    %4477 = llvm.insertelement %4266, %4476[%35 : i64] : vector<32xf16>
    %4478 = llvm.insertelement %4273, %4477[%34 : i64] : vector<32xf16>
    %4479 = llvm.insertelement %4280, %4478[%33 : i64] : vector<32xf16>
    %4480 = llvm.insertelement %4287, %4479[%32 : i64] : vector<32xf16>
    %4481 = llvm.insertelement %4294, %4480[%31 : i64] : vector<32xf16>
    %4482 = llvm.insertelement %4301, %4481[%30 : i64] : vector<32xf16>
    %4483 = llvm.insertelement %4308, %4482[%29 : i64] : vector<32xf16>
    %4484 = llvm.insertelement %4315, %4483[%28 : i64] : vector<32xf16>
    %4485 = llvm.insertelement %4322, %4484[%27 : i64] : vector<32xf16>
    %4486 = llvm.insertelement %4329, %4485[%26 : i64] : vector<32xf16>
    %4487 = llvm.insertelement %4336, %4486[%25 : i64] : vector<32xf16>
    %4488 = llvm.insertelement %4343, %4487[%24 : i64] : vector<32xf16>
    %4489 = llvm.insertelement %4350, %4488[%23 : i64] : vector<32xf16>
    %4490 = llvm.insertelement %4357, %4489[%22 : i64] : vector<32xf16>
    %4491 = llvm.insertelement %4364, %4490[%21 : i64] : vector<32xf16>
    %4492 = llvm.insertelement %4370, %4491[%20 : i64] : vector<32xf16>
    %4493 = llvm.insertelement %4377, %4492[%19 : i64] : vector<32xf16>
    %4494 = llvm.insertelement %4384, %4493[%18 : i64] : vector<32xf16>
    %4495 = llvm.insertelement %4391, %4494[%17 : i64] : vector<32xf16>
    %4496 = llvm.insertelement %4398, %4495[%16 : i64] : vector<32xf16>
    %4497 = llvm.insertelement %4405, %4496[%15 : i64] : vector<32xf16>
    %4498 = llvm.insertelement %4412, %4497[%14 : i64] : vector<32xf16>
    %4499 = llvm.insertelement %4419, %4498[%13 : i64] : vector<32xf16>
    %4500 = llvm.insertelement %4426, %4499[%12 : i64] : vector<32xf16>
    %4501 = llvm.insertelement %4433, %4500[%11 : i64] : vector<32xf16>
    %4502 = llvm.insertelement %4440, %4501[%10 : i64] : vector<32xf16>
    %4503 = llvm.insertelement %4447, %4502[%9 : i64] : vector<32xf16>
    %4504 = llvm.insertelement %4454, %4503[%8 : i64] : vector<32xf16>
    %4505 = llvm.insertelement %4461, %4504[%7 : i64] : vector<32xf16>
    %4506 = llvm.insertelement %4468, %4505[%6 : i64] : vector<32xf16>
    %4507 = llvm.insertelement %4475, %4506[%5 : i64] : vector<32xf16>
    %4508 = llvm.insertelement %4252, %37[%111 : i32] : vector<32xf16>
    %4509 = llvm.shufflevector %4508, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4510 = llvm.fmul %4509, %4507 : vector<32xf16>
    %4511 = llvm.fadd %4230, %4510 : vector<32xf16>
    %4512 = llvm.add %4244, %4371 overflow<nsw, nuw> : i64
    %4513 = llvm.add %4512, %4247 overflow<nsw, nuw> : i64
    %4514 = llvm.add %4513, %4229 overflow<nsw, nuw> : i64
    %4515 = llvm.add %4514, %54 overflow<nsw, nuw> : i64
    %4516 = llvm.getelementptr inbounds|nuw %3214[%4515] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4517 = llvm.load %4516 : !llvm.ptr -> f16
    %4518 = llvm.insertelement %4517, %37[%111 : i32] : vector<32xf16>
    %4519 = llvm.shufflevector %4518, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4520 = llvm.fmul %4519, %4507 : vector<32xf16>
    %4521 = llvm.fadd %4231, %4520 : vector<32xf16>
    %4522 = llvm.add %4244, %4378 overflow<nsw, nuw> : i64
    %4523 = llvm.add %4522, %4247 overflow<nsw, nuw> : i64
    %4524 = llvm.add %4523, %4229 overflow<nsw, nuw> : i64
    %4525 = llvm.add %4524, %54 overflow<nsw, nuw> : i64
    %4526 = llvm.getelementptr inbounds|nuw %3214[%4525] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4527 = llvm.load %4526 : !llvm.ptr -> f16
    %4528 = llvm.insertelement %4527, %37[%111 : i32] : vector<32xf16>
    %4529 = llvm.shufflevector %4528, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4530 = llvm.fmul %4529, %4507 : vector<32xf16>
    %4531 = llvm.fadd %4232, %4530 : vector<32xf16>
    %4532 = llvm.add %4244, %4385 overflow<nsw, nuw> : i64
    %4533 = llvm.add %4532, %4247 overflow<nsw, nuw> : i64
    %4534 = llvm.add %4533, %4229 overflow<nsw, nuw> : i64
    %4535 = llvm.add %4534, %54 overflow<nsw, nuw> : i64
    %4536 = llvm.getelementptr inbounds|nuw %3214[%4535] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4537 = llvm.load %4536 : !llvm.ptr -> f16
    %4538 = llvm.insertelement %4537, %37[%111 : i32] : vector<32xf16>
    %4539 = llvm.shufflevector %4538, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4540 = llvm.fmul %4539, %4507 : vector<32xf16>
    %4541 = llvm.fadd %4233, %4540 : vector<32xf16>
    %4542 = llvm.add %4244, %4392 overflow<nsw, nuw> : i64
    %4543 = llvm.add %4542, %4247 overflow<nsw, nuw> : i64
    %4544 = llvm.add %4543, %4229 overflow<nsw, nuw> : i64
    %4545 = llvm.add %4544, %54 overflow<nsw, nuw> : i64
    %4546 = llvm.getelementptr inbounds|nuw %3214[%4545] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4547 = llvm.load %4546 : !llvm.ptr -> f16
    %4548 = llvm.insertelement %4547, %37[%111 : i32] : vector<32xf16>
    %4549 = llvm.shufflevector %4548, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4550 = llvm.fmul %4549, %4507 : vector<32xf16>
    %4551 = llvm.fadd %4234, %4550 : vector<32xf16>
    %4552 = llvm.add %4244, %4399 overflow<nsw, nuw> : i64
    %4553 = llvm.add %4552, %4247 overflow<nsw, nuw> : i64
    %4554 = llvm.add %4553, %4229 overflow<nsw, nuw> : i64
    %4555 = llvm.add %4554, %54 overflow<nsw, nuw> : i64
    %4556 = llvm.getelementptr inbounds|nuw %3214[%4555] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4557 = llvm.load %4556 : !llvm.ptr -> f16
    %4558 = llvm.insertelement %4557, %37[%111 : i32] : vector<32xf16>
    %4559 = llvm.shufflevector %4558, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4560 = llvm.fmul %4559, %4507 : vector<32xf16>
    %4561 = llvm.fadd %4235, %4560 : vector<32xf16>
    %4562 = llvm.add %4244, %4406 overflow<nsw, nuw> : i64
    %4563 = llvm.add %4562, %4247 overflow<nsw, nuw> : i64
    %4564 = llvm.add %4563, %4229 overflow<nsw, nuw> : i64
    %4565 = llvm.add %4564, %54 overflow<nsw, nuw> : i64
    %4566 = llvm.getelementptr inbounds|nuw %3214[%4565] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4567 = llvm.load %4566 : !llvm.ptr -> f16
    %4568 = llvm.insertelement %4567, %37[%111 : i32] : vector<32xf16>
    %4569 = llvm.shufflevector %4568, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4570 = llvm.fmul %4569, %4507 : vector<32xf16>
    %4571 = llvm.fadd %4236, %4570 : vector<32xf16>
    %4572 = llvm.add %4244, %4413 overflow<nsw, nuw> : i64
    %4573 = llvm.add %4572, %4247 overflow<nsw, nuw> : i64
    %4574 = llvm.add %4573, %4229 overflow<nsw, nuw> : i64
    %4575 = llvm.add %4574, %54 overflow<nsw, nuw> : i64
    %4576 = llvm.getelementptr inbounds|nuw %3214[%4575] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4577 = llvm.load %4576 : !llvm.ptr -> f16
    %4578 = llvm.insertelement %4577, %37[%111 : i32] : vector<32xf16>
    %4579 = llvm.shufflevector %4578, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4580 = llvm.fmul %4579, %4507 : vector<32xf16>
    %4581 = llvm.fadd %4237, %4580 : vector<32xf16>
    %4582 = llvm.add %4244, %4420 overflow<nsw, nuw> : i64
    %4583 = llvm.add %4582, %4247 overflow<nsw, nuw> : i64
    %4584 = llvm.add %4583, %4229 overflow<nsw, nuw> : i64
    %4585 = llvm.add %4584, %54 overflow<nsw, nuw> : i64
    %4586 = llvm.getelementptr inbounds|nuw %3214[%4585] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4587 = llvm.load %4586 : !llvm.ptr -> f16
    %4588 = llvm.insertelement %4587, %37[%111 : i32] : vector<32xf16>
    %4589 = llvm.shufflevector %4588, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4590 = llvm.fmul %4589, %4507 : vector<32xf16>
    %4591 = llvm.fadd %4238, %4590 : vector<32xf16>
    %4592 = llvm.add %4244, %4427 overflow<nsw, nuw> : i64
    %4593 = llvm.add %4592, %4247 overflow<nsw, nuw> : i64
    %4594 = llvm.add %4593, %4229 overflow<nsw, nuw> : i64
    %4595 = llvm.add %4594, %54 overflow<nsw, nuw> : i64
    %4596 = llvm.getelementptr inbounds|nuw %3214[%4595] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4597 = llvm.load %4596 : !llvm.ptr -> f16
    %4598 = llvm.insertelement %4597, %37[%111 : i32] : vector<32xf16>
    %4599 = llvm.shufflevector %4598, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4600 = llvm.fmul %4599, %4507 : vector<32xf16>
    %4601 = llvm.fadd %4239, %4600 : vector<32xf16>
    %4602 = llvm.add %4244, %4434 overflow<nsw, nuw> : i64
    %4603 = llvm.add %4602, %4247 overflow<nsw, nuw> : i64
    %4604 = llvm.add %4603, %4229 overflow<nsw, nuw> : i64
    %4605 = llvm.add %4604, %54 overflow<nsw, nuw> : i64
    %4606 = llvm.getelementptr inbounds|nuw %3214[%4605] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4607 = llvm.load %4606 : !llvm.ptr -> f16
    %4608 = llvm.insertelement %4607, %37[%111 : i32] : vector<32xf16>
    %4609 = llvm.shufflevector %4608, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4610 = llvm.fmul %4609, %4507 : vector<32xf16>
    %4611 = llvm.fadd %4240, %4610 : vector<32xf16>
    %4612 = llvm.add %4244, %4441 overflow<nsw, nuw> : i64
    %4613 = llvm.add %4612, %4247 overflow<nsw, nuw> : i64
    %4614 = llvm.add %4613, %4229 overflow<nsw, nuw> : i64
    %4615 = llvm.add %4614, %54 overflow<nsw, nuw> : i64
    %4616 = llvm.getelementptr inbounds|nuw %3214[%4615] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4617 = llvm.load %4616 : !llvm.ptr -> f16
    %4618 = llvm.insertelement %4617, %37[%111 : i32] : vector<32xf16>
    %4619 = llvm.shufflevector %4618, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4620 = llvm.fmul %4619, %4507 : vector<32xf16>
    %4621 = llvm.fadd %4241, %4620 : vector<32xf16>
    %4622 = llvm.add %4244, %4448 overflow<nsw, nuw> : i64
    %4623 = llvm.add %4622, %4247 overflow<nsw, nuw> : i64
    %4624 = llvm.add %4623, %4229 overflow<nsw, nuw> : i64
    %4625 = llvm.add %4624, %54 overflow<nsw, nuw> : i64
    %4626 = llvm.getelementptr inbounds|nuw %3214[%4625] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4627 = llvm.load %4626 : !llvm.ptr -> f16
    %4628 = llvm.insertelement %4627, %37[%111 : i32] : vector<32xf16>
    %4629 = llvm.shufflevector %4628, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4630 = llvm.fmul %4629, %4507 : vector<32xf16>
    %4631 = llvm.fadd %4242, %4630 : vector<32xf16>
    %4632 = llvm.add %4229, %52 : i64
    llvm.br ^bb339(%4632, %4511, %4521, %4531, %4541, %4551, %4561, %4571, %4581, %4591, %4601, %4611, %4621, %4631 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb341:  // pred: ^bb339
    %4633 = llvm.mul %63, %88 : i64
    %4634 = llvm.add %4164, %4633 : i64
    %4635 = llvm.add %4634, %54 : i64
    %4636 = llvm.getelementptr %3224[%4635] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4230, %4636 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4637 = llvm.mul %75, %88 : i64
    %4638 = llvm.add %4164, %4637 : i64
    %4639 = llvm.add %4638, %54 : i64
    %4640 = llvm.getelementptr %3224[%4639] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4231, %4640 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4641 = llvm.mul %76, %88 : i64
    %4642 = llvm.add %4164, %4641 : i64
    %4643 = llvm.add %4642, %54 : i64
    %4644 = llvm.getelementptr %3224[%4643] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4232, %4644 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4645 = llvm.mul %77, %88 : i64
    %4646 = llvm.add %4164, %4645 : i64
    %4647 = llvm.add %4646, %54 : i64
    %4648 = llvm.getelementptr %3224[%4647] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4233, %4648 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4649 = llvm.mul %78, %88 : i64
    %4650 = llvm.add %4164, %4649 : i64
    %4651 = llvm.add %4650, %54 : i64
    %4652 = llvm.getelementptr %3224[%4651] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4234, %4652 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4653 = llvm.mul %79, %88 : i64
    %4654 = llvm.add %4164, %4653 : i64
    %4655 = llvm.add %4654, %54 : i64
    %4656 = llvm.getelementptr %3224[%4655] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4235, %4656 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4657 = llvm.mul %80, %88 : i64
    %4658 = llvm.add %4164, %4657 : i64
    %4659 = llvm.add %4658, %54 : i64
    %4660 = llvm.getelementptr %3224[%4659] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4236, %4660 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4661 = llvm.mul %81, %88 : i64
    %4662 = llvm.add %4164, %4661 : i64
    %4663 = llvm.add %4662, %54 : i64
    %4664 = llvm.getelementptr %3224[%4663] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4237, %4664 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4665 = llvm.mul %82, %88 : i64
    %4666 = llvm.add %4164, %4665 : i64
    %4667 = llvm.add %4666, %54 : i64
    %4668 = llvm.getelementptr %3224[%4667] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4238, %4668 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4669 = llvm.mul %83, %88 : i64
    %4670 = llvm.add %4164, %4669 : i64
    %4671 = llvm.add %4670, %54 : i64
    %4672 = llvm.getelementptr %3224[%4671] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4239, %4672 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4673 = llvm.mul %84, %88 : i64
    %4674 = llvm.add %4164, %4673 : i64
    %4675 = llvm.add %4674, %54 : i64
    %4676 = llvm.getelementptr %3224[%4675] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4240, %4676 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4677 = llvm.mul %85, %88 : i64
    %4678 = llvm.add %4164, %4677 : i64
    %4679 = llvm.add %4678, %54 : i64
    %4680 = llvm.getelementptr %3224[%4679] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4241, %4680 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %4681 = llvm.mul %86, %88 : i64
    %4682 = llvm.add %4164, %4681 : i64
    %4683 = llvm.add %4682, %54 : i64
    %4684 = llvm.getelementptr %3224[%4683] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %4242, %4684 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    llvm.br ^bb342(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb342(%4685: i64, %4686: vector<32xf16>, %4687: vector<32xf16>, %4688: vector<32xf16>, %4689: vector<32xf16>, %4690: vector<32xf16>, %4691: vector<32xf16>, %4692: vector<32xf16>, %4693: vector<32xf16>, %4694: vector<32xf16>, %4695: vector<32xf16>, %4696: vector<32xf16>, %4697: vector<32xf16>, %4698: vector<32xf16>, %4699: vector<32xf16>, %4700: vector<32xf16>, %4701: vector<32xf16>):  // 2 preds: ^bb341, ^bb343
    %4702 = llvm.icmp "slt" %4685, %60 : i64
    llvm.cond_br %4702, ^bb343, ^bb344
  ^bb343:  // pred: ^bb342
    %4703 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %4704 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %4705 = llvm.add %4703, %4704 overflow<nsw, nuw> : i64
    %4706 = llvm.add %4705, %4704 overflow<nsw, nuw> : i64
    %4707 = llvm.add %4706, %4685 overflow<nsw, nuw> : i64
    %4708 = llvm.add %4707, %54 overflow<nsw, nuw> : i64
    %4709 = llvm.getelementptr inbounds|nuw %3214[%4708] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4710 = llvm.load %4709 : !llvm.ptr -> f16
    %4711 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %4712 = llvm.mul %87, %60 overflow<nsw, nuw> : i64
    %4713 = llvm.add %4711, %4712 overflow<nsw, nuw> : i64
    %4714 = llvm.add %4713, %4704 overflow<nsw, nuw> : i64
    %4715 = llvm.add %4714, %4685 overflow<nsw, nuw> : i64
    %4716 = llvm.add %4715, %54 overflow<nsw, nuw> : i64
    %4717 = llvm.getelementptr inbounds|nuw %3218[%4716] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4718 = llvm.load %4717 : !llvm.ptr -> f16
    %4719 = llvm.mul %99, %60 overflow<nsw, nuw> : i64
    %4720 = llvm.add %4711, %4719 overflow<nsw, nuw> : i64
    %4721 = llvm.add %4720, %4704 overflow<nsw, nuw> : i64
    %4722 = llvm.add %4721, %4685 overflow<nsw, nuw> : i64
    %4723 = llvm.add %4722, %54 overflow<nsw, nuw> : i64
    %4724 = llvm.getelementptr inbounds|nuw %3218[%4723] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4725 = llvm.load %4724 : !llvm.ptr -> f16
    %4726 = llvm.mul %100, %60 overflow<nsw, nuw> : i64
    %4727 = llvm.add %4711, %4726 overflow<nsw, nuw> : i64
    %4728 = llvm.add %4727, %4704 overflow<nsw, nuw> : i64
    %4729 = llvm.add %4728, %4685 overflow<nsw, nuw> : i64
    %4730 = llvm.add %4729, %54 overflow<nsw, nuw> : i64
    %4731 = llvm.getelementptr inbounds|nuw %3218[%4730] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4732 = llvm.load %4731 : !llvm.ptr -> f16
    %4733 = llvm.mul %101, %60 overflow<nsw, nuw> : i64
    %4734 = llvm.add %4711, %4733 overflow<nsw, nuw> : i64
    %4735 = llvm.add %4734, %4704 overflow<nsw, nuw> : i64
    %4736 = llvm.add %4735, %4685 overflow<nsw, nuw> : i64
    %4737 = llvm.add %4736, %54 overflow<nsw, nuw> : i64
    %4738 = llvm.getelementptr inbounds|nuw %3218[%4737] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4739 = llvm.load %4738 : !llvm.ptr -> f16
    %4740 = llvm.mul %102, %60 overflow<nsw, nuw> : i64
    %4741 = llvm.add %4711, %4740 overflow<nsw, nuw> : i64
    %4742 = llvm.add %4741, %4704 overflow<nsw, nuw> : i64
    %4743 = llvm.add %4742, %4685 overflow<nsw, nuw> : i64
    %4744 = llvm.add %4743, %54 overflow<nsw, nuw> : i64
    %4745 = llvm.getelementptr inbounds|nuw %3218[%4744] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4746 = llvm.load %4745 : !llvm.ptr -> f16
    %4747 = llvm.mul %103, %60 overflow<nsw, nuw> : i64
    %4748 = llvm.add %4711, %4747 overflow<nsw, nuw> : i64
    %4749 = llvm.add %4748, %4704 overflow<nsw, nuw> : i64
    %4750 = llvm.add %4749, %4685 overflow<nsw, nuw> : i64
    %4751 = llvm.add %4750, %54 overflow<nsw, nuw> : i64
    %4752 = llvm.getelementptr inbounds|nuw %3218[%4751] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4753 = llvm.load %4752 : !llvm.ptr -> f16
    %4754 = llvm.mul %104, %60 overflow<nsw, nuw> : i64
    %4755 = llvm.add %4711, %4754 overflow<nsw, nuw> : i64
    %4756 = llvm.add %4755, %4704 overflow<nsw, nuw> : i64
    %4757 = llvm.add %4756, %4685 overflow<nsw, nuw> : i64
    %4758 = llvm.add %4757, %54 overflow<nsw, nuw> : i64
    %4759 = llvm.getelementptr inbounds|nuw %3218[%4758] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4760 = llvm.load %4759 : !llvm.ptr -> f16
    %4761 = llvm.mul %105, %60 overflow<nsw, nuw> : i64
    %4762 = llvm.add %4711, %4761 overflow<nsw, nuw> : i64
    %4763 = llvm.add %4762, %4704 overflow<nsw, nuw> : i64
    %4764 = llvm.add %4763, %4685 overflow<nsw, nuw> : i64
    %4765 = llvm.add %4764, %54 overflow<nsw, nuw> : i64
    %4766 = llvm.getelementptr inbounds|nuw %3218[%4765] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4767 = llvm.load %4766 : !llvm.ptr -> f16
    %4768 = llvm.mul %106, %60 overflow<nsw, nuw> : i64
    %4769 = llvm.add %4711, %4768 overflow<nsw, nuw> : i64
    %4770 = llvm.add %4769, %4704 overflow<nsw, nuw> : i64
    %4771 = llvm.add %4770, %4685 overflow<nsw, nuw> : i64
    %4772 = llvm.add %4771, %54 overflow<nsw, nuw> : i64
    %4773 = llvm.getelementptr inbounds|nuw %3218[%4772] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4774 = llvm.load %4773 : !llvm.ptr -> f16
    %4775 = llvm.mul %107, %60 overflow<nsw, nuw> : i64
    %4776 = llvm.add %4711, %4775 overflow<nsw, nuw> : i64
    %4777 = llvm.add %4776, %4704 overflow<nsw, nuw> : i64
    %4778 = llvm.add %4777, %4685 overflow<nsw, nuw> : i64
    %4779 = llvm.add %4778, %54 overflow<nsw, nuw> : i64
    %4780 = llvm.getelementptr inbounds|nuw %3218[%4779] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4781 = llvm.load %4780 : !llvm.ptr -> f16
    %4782 = llvm.insertelement %4718, %37[%36 : i64] : vector<32xf16>
    %4783 = llvm.insertelement %4725, %4782[%35 : i64] : vector<32xf16>
    %4784 = llvm.insertelement %4732, %4783[%34 : i64] : vector<32xf16>
    %4785 = llvm.insertelement %4739, %4784[%33 : i64] : vector<32xf16>
    %4786 = llvm.insertelement %4746, %4785[%32 : i64] : vector<32xf16>
    %4787 = llvm.insertelement %4753, %4786[%31 : i64] : vector<32xf16>
    %4788 = llvm.insertelement %4760, %4787[%30 : i64] : vector<32xf16>
    %4789 = llvm.insertelement %4767, %4788[%29 : i64] : vector<32xf16>
    %4790 = llvm.insertelement %4774, %4789[%28 : i64] : vector<32xf16>
    %4791 = llvm.insertelement %4781, %4790[%27 : i64] : vector<32xf16>
    %4792 = llvm.insertelement %4781, %4791[%26 : i64] : vector<32xf16>
    %4793 = llvm.insertelement %4781, %4792[%25 : i64] : vector<32xf16>
    %4794 = llvm.insertelement %4781, %4793[%24 : i64] : vector<32xf16>
    %4795 = llvm.insertelement %4781, %4794[%23 : i64] : vector<32xf16>
    %4796 = llvm.insertelement %4781, %4795[%22 : i64] : vector<32xf16>
    %4797 = llvm.insertelement %4781, %4796[%21 : i64] : vector<32xf16>
    %4798 = llvm.insertelement %4781, %4797[%20 : i64] : vector<32xf16>
    %4799 = llvm.insertelement %4781, %4798[%19 : i64] : vector<32xf16>
    %4800 = llvm.insertelement %4781, %4799[%18 : i64] : vector<32xf16>
    %4801 = llvm.insertelement %4781, %4800[%17 : i64] : vector<32xf16>
    %4802 = llvm.insertelement %4781, %4801[%16 : i64] : vector<32xf16>
    %4803 = llvm.insertelement %4781, %4802[%15 : i64] : vector<32xf16>
    %4804 = llvm.insertelement %4781, %4803[%14 : i64] : vector<32xf16>
    %4805 = llvm.insertelement %4781, %4804[%13 : i64] : vector<32xf16>
    %4806 = llvm.insertelement %4781, %4805[%12 : i64] : vector<32xf16>
    %4807 = llvm.insertelement %4781, %4806[%11 : i64] : vector<32xf16>
    %4808 = llvm.insertelement %4781, %4807[%10 : i64] : vector<32xf16>
    %4809 = llvm.insertelement %4781, %4808[%9 : i64] : vector<32xf16>
    %4810 = llvm.insertelement %4781, %4809[%8 : i64] : vector<32xf16>
    %4811 = llvm.insertelement %4781, %4810[%7 : i64] : vector<32xf16>
    %4812 = llvm.insertelement %4781, %4811[%6 : i64] : vector<32xf16>
    %4813 = llvm.insertelement %4781, %4812[%5 : i64] : vector<32xf16>
    %4814 = llvm.insertelement %4710, %37[%111 : i32] : vector<32xf16>
    %4815 = llvm.shufflevector %4814, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4816 = llvm.fmul %4815, %4813 : vector<32xf16>
    %4817 = llvm.fadd %4686, %4816 : vector<32xf16>
    %4818 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %4819 = llvm.add %4703, %4818 overflow<nsw, nuw> : i64
    %4820 = llvm.add %4819, %4704 overflow<nsw, nuw> : i64
    %4821 = llvm.add %4820, %4685 overflow<nsw, nuw> : i64
    %4822 = llvm.add %4821, %54 overflow<nsw, nuw> : i64
    %4823 = llvm.getelementptr inbounds|nuw %3214[%4822] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4824 = llvm.load %4823 : !llvm.ptr -> f16
    %4825 = llvm.insertelement %4824, %37[%111 : i32] : vector<32xf16>
    %4826 = llvm.shufflevector %4825, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4827 = llvm.fmul %4826, %4813 : vector<32xf16>
    %4828 = llvm.fadd %4687, %4827 : vector<32xf16>
    %4829 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %4830 = llvm.add %4703, %4829 overflow<nsw, nuw> : i64
    %4831 = llvm.add %4830, %4704 overflow<nsw, nuw> : i64
    %4832 = llvm.add %4831, %4685 overflow<nsw, nuw> : i64
    %4833 = llvm.add %4832, %54 overflow<nsw, nuw> : i64
    %4834 = llvm.getelementptr inbounds|nuw %3214[%4833] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4835 = llvm.load %4834 : !llvm.ptr -> f16
    %4836 = llvm.insertelement %4835, %37[%111 : i32] : vector<32xf16>
    %4837 = llvm.shufflevector %4836, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4838 = llvm.fmul %4837, %4813 : vector<32xf16>
    %4839 = llvm.fadd %4688, %4838 : vector<32xf16>
    %4840 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %4841 = llvm.add %4703, %4840 overflow<nsw, nuw> : i64
    %4842 = llvm.add %4841, %4704 overflow<nsw, nuw> : i64
    %4843 = llvm.add %4842, %4685 overflow<nsw, nuw> : i64
    %4844 = llvm.add %4843, %54 overflow<nsw, nuw> : i64
    %4845 = llvm.getelementptr inbounds|nuw %3214[%4844] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4846 = llvm.load %4845 : !llvm.ptr -> f16
    %4847 = llvm.insertelement %4846, %37[%111 : i32] : vector<32xf16>
    %4848 = llvm.shufflevector %4847, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4849 = llvm.fmul %4848, %4813 : vector<32xf16>
    %4850 = llvm.fadd %4689, %4849 : vector<32xf16>
    %4851 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %4852 = llvm.add %4703, %4851 overflow<nsw, nuw> : i64
    %4853 = llvm.add %4852, %4704 overflow<nsw, nuw> : i64
    %4854 = llvm.add %4853, %4685 overflow<nsw, nuw> : i64
    %4855 = llvm.add %4854, %54 overflow<nsw, nuw> : i64
    %4856 = llvm.getelementptr inbounds|nuw %3214[%4855] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4857 = llvm.load %4856 : !llvm.ptr -> f16
    %4858 = llvm.insertelement %4857, %37[%111 : i32] : vector<32xf16>
    %4859 = llvm.shufflevector %4858, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4860 = llvm.fmul %4859, %4813 : vector<32xf16>
    %4861 = llvm.fadd %4690, %4860 : vector<32xf16>
    %4862 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %4863 = llvm.add %4703, %4862 overflow<nsw, nuw> : i64
    %4864 = llvm.add %4863, %4704 overflow<nsw, nuw> : i64
    %4865 = llvm.add %4864, %4685 overflow<nsw, nuw> : i64
    %4866 = llvm.add %4865, %54 overflow<nsw, nuw> : i64
    %4867 = llvm.getelementptr inbounds|nuw %3214[%4866] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4868 = llvm.load %4867 : !llvm.ptr -> f16
    %4869 = llvm.insertelement %4868, %37[%111 : i32] : vector<32xf16>
    %4870 = llvm.shufflevector %4869, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4871 = llvm.fmul %4870, %4813 : vector<32xf16>
    %4872 = llvm.fadd %4691, %4871 : vector<32xf16>
    %4873 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %4874 = llvm.add %4703, %4873 overflow<nsw, nuw> : i64
    %4875 = llvm.add %4874, %4704 overflow<nsw, nuw> : i64
    %4876 = llvm.add %4875, %4685 overflow<nsw, nuw> : i64
    %4877 = llvm.add %4876, %54 overflow<nsw, nuw> : i64
    %4878 = llvm.getelementptr inbounds|nuw %3214[%4877] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4879 = llvm.load %4878 : !llvm.ptr -> f16
    %4880 = llvm.insertelement %4879, %37[%111 : i32] : vector<32xf16>
    %4881 = llvm.shufflevector %4880, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4882 = llvm.fmul %4881, %4813 : vector<32xf16>
    %4883 = llvm.fadd %4692, %4882 : vector<32xf16>
    %4884 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %4885 = llvm.add %4703, %4884 overflow<nsw, nuw> : i64
    %4886 = llvm.add %4885, %4704 overflow<nsw, nuw> : i64
    %4887 = llvm.add %4886, %4685 overflow<nsw, nuw> : i64
    %4888 = llvm.add %4887, %54 overflow<nsw, nuw> : i64
    %4889 = llvm.getelementptr inbounds|nuw %3214[%4888] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4890 = llvm.load %4889 : !llvm.ptr -> f16
    %4891 = llvm.insertelement %4890, %37[%111 : i32] : vector<32xf16>
    %4892 = llvm.shufflevector %4891, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4893 = llvm.fmul %4892, %4813 : vector<32xf16>
    %4894 = llvm.fadd %4693, %4893 : vector<32xf16>
    %4895 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %4896 = llvm.add %4703, %4895 overflow<nsw, nuw> : i64
    %4897 = llvm.add %4896, %4704 overflow<nsw, nuw> : i64
    %4898 = llvm.add %4897, %4685 overflow<nsw, nuw> : i64
    %4899 = llvm.add %4898, %54 overflow<nsw, nuw> : i64
    %4900 = llvm.getelementptr inbounds|nuw %3214[%4899] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4901 = llvm.load %4900 : !llvm.ptr -> f16
    %4902 = llvm.insertelement %4901, %37[%111 : i32] : vector<32xf16>
    %4903 = llvm.shufflevector %4902, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4904 = llvm.fmul %4903, %4813 : vector<32xf16>
    %4905 = llvm.fadd %4694, %4904 : vector<32xf16>
    %4906 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %4907 = llvm.add %4703, %4906 overflow<nsw, nuw> : i64
    %4908 = llvm.add %4907, %4704 overflow<nsw, nuw> : i64
    %4909 = llvm.add %4908, %4685 overflow<nsw, nuw> : i64
    %4910 = llvm.add %4909, %54 overflow<nsw, nuw> : i64
    %4911 = llvm.getelementptr inbounds|nuw %3214[%4910] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4912 = llvm.load %4911 : !llvm.ptr -> f16
    %4913 = llvm.insertelement %4912, %37[%111 : i32] : vector<32xf16>
    %4914 = llvm.shufflevector %4913, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4915 = llvm.fmul %4914, %4813 : vector<32xf16>
    %4916 = llvm.fadd %4695, %4915 : vector<32xf16>
    %4917 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %4918 = llvm.add %4703, %4917 overflow<nsw, nuw> : i64
    %4919 = llvm.add %4918, %4704 overflow<nsw, nuw> : i64
    %4920 = llvm.add %4919, %4685 overflow<nsw, nuw> : i64
    %4921 = llvm.add %4920, %54 overflow<nsw, nuw> : i64
    %4922 = llvm.getelementptr inbounds|nuw %3214[%4921] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4923 = llvm.load %4922 : !llvm.ptr -> f16
    %4924 = llvm.insertelement %4923, %37[%111 : i32] : vector<32xf16>
    %4925 = llvm.shufflevector %4924, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4926 = llvm.fmul %4925, %4813 : vector<32xf16>
    %4927 = llvm.fadd %4696, %4926 : vector<32xf16>
    %4928 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %4929 = llvm.add %4703, %4928 overflow<nsw, nuw> : i64
    %4930 = llvm.add %4929, %4704 overflow<nsw, nuw> : i64
    %4931 = llvm.add %4930, %4685 overflow<nsw, nuw> : i64
    %4932 = llvm.add %4931, %54 overflow<nsw, nuw> : i64
    %4933 = llvm.getelementptr inbounds|nuw %3214[%4932] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4934 = llvm.load %4933 : !llvm.ptr -> f16
    %4935 = llvm.insertelement %4934, %37[%111 : i32] : vector<32xf16>
    %4936 = llvm.shufflevector %4935, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4937 = llvm.fmul %4936, %4813 : vector<32xf16>
    %4938 = llvm.fadd %4697, %4937 : vector<32xf16>
    %4939 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %4940 = llvm.add %4703, %4939 overflow<nsw, nuw> : i64
    %4941 = llvm.add %4940, %4704 overflow<nsw, nuw> : i64
    %4942 = llvm.add %4941, %4685 overflow<nsw, nuw> : i64
    %4943 = llvm.add %4942, %54 overflow<nsw, nuw> : i64
    %4944 = llvm.getelementptr inbounds|nuw %3214[%4943] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4945 = llvm.load %4944 : !llvm.ptr -> f16
    %4946 = llvm.insertelement %4945, %37[%111 : i32] : vector<32xf16>
    %4947 = llvm.shufflevector %4946, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4948 = llvm.fmul %4947, %4813 : vector<32xf16>
    %4949 = llvm.fadd %4698, %4948 : vector<32xf16>
    %4950 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %4951 = llvm.add %4703, %4950 overflow<nsw, nuw> : i64
    %4952 = llvm.add %4951, %4704 overflow<nsw, nuw> : i64
    %4953 = llvm.add %4952, %4685 overflow<nsw, nuw> : i64
    %4954 = llvm.add %4953, %54 overflow<nsw, nuw> : i64
    %4955 = llvm.getelementptr inbounds|nuw %3214[%4954] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4956 = llvm.load %4955 : !llvm.ptr -> f16
    %4957 = llvm.insertelement %4956, %37[%111 : i32] : vector<32xf16>
    %4958 = llvm.shufflevector %4957, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4959 = llvm.fmul %4958, %4813 : vector<32xf16>
    %4960 = llvm.fadd %4699, %4959 : vector<32xf16>
    %4961 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %4962 = llvm.add %4703, %4961 overflow<nsw, nuw> : i64
    %4963 = llvm.add %4962, %4704 overflow<nsw, nuw> : i64
    %4964 = llvm.add %4963, %4685 overflow<nsw, nuw> : i64
    %4965 = llvm.add %4964, %54 overflow<nsw, nuw> : i64
    %4966 = llvm.getelementptr inbounds|nuw %3214[%4965] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4967 = llvm.load %4966 : !llvm.ptr -> f16
    %4968 = llvm.insertelement %4967, %37[%111 : i32] : vector<32xf16>
    %4969 = llvm.shufflevector %4968, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4970 = llvm.fmul %4969, %4813 : vector<32xf16>
    %4971 = llvm.fadd %4700, %4970 : vector<32xf16>
    %4972 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %4973 = llvm.add %4703, %4972 overflow<nsw, nuw> : i64
    %4974 = llvm.add %4973, %4704 overflow<nsw, nuw> : i64
    %4975 = llvm.add %4974, %4685 overflow<nsw, nuw> : i64
    %4976 = llvm.add %4975, %54 overflow<nsw, nuw> : i64
    %4977 = llvm.getelementptr inbounds|nuw %3214[%4976] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %4978 = llvm.load %4977 : !llvm.ptr -> f16
    %4979 = llvm.insertelement %4978, %37[%111 : i32] : vector<32xf16>
    %4980 = llvm.shufflevector %4979, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %4981 = llvm.fmul %4980, %4813 : vector<32xf16>
    %4982 = llvm.fadd %4701, %4981 : vector<32xf16>
    %4983 = llvm.add %4685, %52 : i64
    llvm.br ^bb342(%4983, %4817, %4828, %4839, %4850, %4861, %4872, %4883, %4894, %4905, %4916, %4927, %4938, %4949, %4960, %4971, %4982 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb344:  // pred: ^bb342
    %4984 = llvm.add %4166, %87 : i64
    %4985 = llvm.getelementptr %3224[%4984] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4686, %4985, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %4986 = llvm.add %4170, %87 : i64
    %4987 = llvm.getelementptr %3224[%4986] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4687, %4987, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %4988 = llvm.add %4174, %87 : i64
    %4989 = llvm.getelementptr %3224[%4988] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4688, %4989, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %4990 = llvm.add %4178, %87 : i64
    %4991 = llvm.getelementptr %3224[%4990] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4689, %4991, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %4992 = llvm.add %4182, %87 : i64
    %4993 = llvm.getelementptr %3224[%4992] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4690, %4993, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %4994 = llvm.add %4186, %87 : i64
    %4995 = llvm.getelementptr %3224[%4994] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4691, %4995, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %4996 = llvm.add %4190, %87 : i64
    %4997 = llvm.getelementptr %3224[%4996] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4692, %4997, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %4998 = llvm.add %4194, %87 : i64
    %4999 = llvm.getelementptr %3224[%4998] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4693, %4999, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5000 = llvm.add %4198, %87 : i64
    %5001 = llvm.getelementptr %3224[%5000] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4694, %5001, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5002 = llvm.add %4202, %87 : i64
    %5003 = llvm.getelementptr %3224[%5002] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4695, %5003, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5004 = llvm.add %4206, %87 : i64
    %5005 = llvm.getelementptr %3224[%5004] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4696, %5005, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5006 = llvm.add %4210, %87 : i64
    %5007 = llvm.getelementptr %3224[%5006] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4697, %5007, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5008 = llvm.add %4214, %87 : i64
    %5009 = llvm.getelementptr %3224[%5008] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4698, %5009, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5010 = llvm.add %4218, %87 : i64
    %5011 = llvm.getelementptr %3224[%5010] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4699, %5011, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5012 = llvm.add %4222, %87 : i64
    %5013 = llvm.getelementptr %3224[%5012] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4700, %5013, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5014 = llvm.add %4226, %87 : i64
    %5015 = llvm.getelementptr %3224[%5014] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %4701, %5015, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    llvm.br ^bb345(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb345(%5016: i64, %5017: vector<32xf16>, %5018: vector<32xf16>, %5019: vector<32xf16>, %5020: vector<32xf16>, %5021: vector<32xf16>, %5022: vector<32xf16>, %5023: vector<32xf16>, %5024: vector<32xf16>, %5025: vector<32xf16>, %5026: vector<32xf16>, %5027: vector<32xf16>, %5028: vector<32xf16>, %5029: vector<32xf16>):  // 2 preds: ^bb344, ^bb346
    %5030 = llvm.icmp "slt" %5016, %60 : i64
    llvm.cond_br %5030, ^bb346, ^bb347
  ^bb346:  // pred: ^bb345
    %5031 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %5032 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %5033 = llvm.add %5031, %5032 overflow<nsw, nuw> : i64
    %5034 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %5035 = llvm.add %5033, %5034 overflow<nsw, nuw> : i64
    %5036 = llvm.add %5035, %5016 overflow<nsw, nuw> : i64
    %5037 = llvm.add %5036, %54 overflow<nsw, nuw> : i64
    %5038 = llvm.getelementptr inbounds|nuw %3214[%5037] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5039 = llvm.load %5038 : !llvm.ptr -> f16
    %5040 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %5041 = llvm.mul %87, %60 overflow<nsw, nuw> : i64
    %5042 = llvm.add %5040, %5041 overflow<nsw, nuw> : i64
    %5043 = llvm.add %5042, %5034 overflow<nsw, nuw> : i64
    %5044 = llvm.add %5043, %5016 overflow<nsw, nuw> : i64
    %5045 = llvm.add %5044, %54 overflow<nsw, nuw> : i64
    %5046 = llvm.getelementptr inbounds|nuw %3218[%5045] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5047 = llvm.load %5046 : !llvm.ptr -> f16
    %5048 = llvm.mul %99, %60 overflow<nsw, nuw> : i64
    %5049 = llvm.add %5040, %5048 overflow<nsw, nuw> : i64
    %5050 = llvm.add %5049, %5034 overflow<nsw, nuw> : i64
    %5051 = llvm.add %5050, %5016 overflow<nsw, nuw> : i64
    %5052 = llvm.add %5051, %54 overflow<nsw, nuw> : i64
    %5053 = llvm.getelementptr inbounds|nuw %3218[%5052] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5054 = llvm.load %5053 : !llvm.ptr -> f16
    %5055 = llvm.mul %100, %60 overflow<nsw, nuw> : i64
    %5056 = llvm.add %5040, %5055 overflow<nsw, nuw> : i64
    %5057 = llvm.add %5056, %5034 overflow<nsw, nuw> : i64
    %5058 = llvm.add %5057, %5016 overflow<nsw, nuw> : i64
    %5059 = llvm.add %5058, %54 overflow<nsw, nuw> : i64
    %5060 = llvm.getelementptr inbounds|nuw %3218[%5059] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5061 = llvm.load %5060 : !llvm.ptr -> f16
    %5062 = llvm.mul %101, %60 overflow<nsw, nuw> : i64
    %5063 = llvm.add %5040, %5062 overflow<nsw, nuw> : i64
    %5064 = llvm.add %5063, %5034 overflow<nsw, nuw> : i64
    %5065 = llvm.add %5064, %5016 overflow<nsw, nuw> : i64
    %5066 = llvm.add %5065, %54 overflow<nsw, nuw> : i64
    %5067 = llvm.getelementptr inbounds|nuw %3218[%5066] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5068 = llvm.load %5067 : !llvm.ptr -> f16
    %5069 = llvm.mul %102, %60 overflow<nsw, nuw> : i64
    %5070 = llvm.add %5040, %5069 overflow<nsw, nuw> : i64
    %5071 = llvm.add %5070, %5034 overflow<nsw, nuw> : i64
    %5072 = llvm.add %5071, %5016 overflow<nsw, nuw> : i64
    %5073 = llvm.add %5072, %54 overflow<nsw, nuw> : i64
    %5074 = llvm.getelementptr inbounds|nuw %3218[%5073] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5075 = llvm.load %5074 : !llvm.ptr -> f16
    %5076 = llvm.mul %103, %60 overflow<nsw, nuw> : i64
    %5077 = llvm.add %5040, %5076 overflow<nsw, nuw> : i64
    %5078 = llvm.add %5077, %5034 overflow<nsw, nuw> : i64
    %5079 = llvm.add %5078, %5016 overflow<nsw, nuw> : i64
    %5080 = llvm.add %5079, %54 overflow<nsw, nuw> : i64
    %5081 = llvm.getelementptr inbounds|nuw %3218[%5080] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5082 = llvm.load %5081 : !llvm.ptr -> f16
    %5083 = llvm.mul %104, %60 overflow<nsw, nuw> : i64
    %5084 = llvm.add %5040, %5083 overflow<nsw, nuw> : i64
    %5085 = llvm.add %5084, %5034 overflow<nsw, nuw> : i64
    %5086 = llvm.add %5085, %5016 overflow<nsw, nuw> : i64
    %5087 = llvm.add %5086, %54 overflow<nsw, nuw> : i64
    %5088 = llvm.getelementptr inbounds|nuw %3218[%5087] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5089 = llvm.load %5088 : !llvm.ptr -> f16
    %5090 = llvm.mul %105, %60 overflow<nsw, nuw> : i64
    %5091 = llvm.add %5040, %5090 overflow<nsw, nuw> : i64
    %5092 = llvm.add %5091, %5034 overflow<nsw, nuw> : i64
    %5093 = llvm.add %5092, %5016 overflow<nsw, nuw> : i64
    %5094 = llvm.add %5093, %54 overflow<nsw, nuw> : i64
    %5095 = llvm.getelementptr inbounds|nuw %3218[%5094] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5096 = llvm.load %5095 : !llvm.ptr -> f16
    %5097 = llvm.mul %106, %60 overflow<nsw, nuw> : i64
    %5098 = llvm.add %5040, %5097 overflow<nsw, nuw> : i64
    %5099 = llvm.add %5098, %5034 overflow<nsw, nuw> : i64
    %5100 = llvm.add %5099, %5016 overflow<nsw, nuw> : i64
    %5101 = llvm.add %5100, %54 overflow<nsw, nuw> : i64
    %5102 = llvm.getelementptr inbounds|nuw %3218[%5101] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5103 = llvm.load %5102 : !llvm.ptr -> f16
    %5104 = llvm.mul %107, %60 overflow<nsw, nuw> : i64
    %5105 = llvm.add %5040, %5104 overflow<nsw, nuw> : i64
    %5106 = llvm.add %5105, %5034 overflow<nsw, nuw> : i64
    %5107 = llvm.add %5106, %5016 overflow<nsw, nuw> : i64
    %5108 = llvm.add %5107, %54 overflow<nsw, nuw> : i64
    %5109 = llvm.getelementptr inbounds|nuw %3218[%5108] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5110 = llvm.load %5109 : !llvm.ptr -> f16
    %5111 = llvm.insertelement %5047, %37[%36 : i64] : vector<32xf16>
    %5112 = llvm.insertelement %5054, %5111[%35 : i64] : vector<32xf16>
    %5113 = llvm.insertelement %5061, %5112[%34 : i64] : vector<32xf16>
    %5114 = llvm.insertelement %5068, %5113[%33 : i64] : vector<32xf16>
    %5115 = llvm.insertelement %5075, %5114[%32 : i64] : vector<32xf16>
    %5116 = llvm.insertelement %5082, %5115[%31 : i64] : vector<32xf16>
    %5117 = llvm.insertelement %5089, %5116[%30 : i64] : vector<32xf16>
    %5118 = llvm.insertelement %5096, %5117[%29 : i64] : vector<32xf16>
    %5119 = llvm.insertelement %5103, %5118[%28 : i64] : vector<32xf16>
    %5120 = llvm.insertelement %5110, %5119[%27 : i64] : vector<32xf16>
    %5121 = llvm.insertelement %5110, %5120[%26 : i64] : vector<32xf16>
    %5122 = llvm.insertelement %5110, %5121[%25 : i64] : vector<32xf16>
    %5123 = llvm.insertelement %5110, %5122[%24 : i64] : vector<32xf16>
    %5124 = llvm.insertelement %5110, %5123[%23 : i64] : vector<32xf16>
    %5125 = llvm.insertelement %5110, %5124[%22 : i64] : vector<32xf16>
    %5126 = llvm.insertelement %5110, %5125[%21 : i64] : vector<32xf16>
    %5127 = llvm.insertelement %5110, %5126[%20 : i64] : vector<32xf16>
    %5128 = llvm.insertelement %5110, %5127[%19 : i64] : vector<32xf16>
    %5129 = llvm.insertelement %5110, %5128[%18 : i64] : vector<32xf16>
    %5130 = llvm.insertelement %5110, %5129[%17 : i64] : vector<32xf16>
    %5131 = llvm.insertelement %5110, %5130[%16 : i64] : vector<32xf16>
    %5132 = llvm.insertelement %5110, %5131[%15 : i64] : vector<32xf16>
    %5133 = llvm.insertelement %5110, %5132[%14 : i64] : vector<32xf16>
    %5134 = llvm.insertelement %5110, %5133[%13 : i64] : vector<32xf16>
    %5135 = llvm.insertelement %5110, %5134[%12 : i64] : vector<32xf16>
    %5136 = llvm.insertelement %5110, %5135[%11 : i64] : vector<32xf16>
    %5137 = llvm.insertelement %5110, %5136[%10 : i64] : vector<32xf16>
    %5138 = llvm.insertelement %5110, %5137[%9 : i64] : vector<32xf16>
    %5139 = llvm.insertelement %5110, %5138[%8 : i64] : vector<32xf16>
    %5140 = llvm.insertelement %5110, %5139[%7 : i64] : vector<32xf16>
    %5141 = llvm.insertelement %5110, %5140[%6 : i64] : vector<32xf16>
    %5142 = llvm.insertelement %5110, %5141[%5 : i64] : vector<32xf16>
    %5143 = llvm.insertelement %5039, %37[%111 : i32] : vector<32xf16>
    %5144 = llvm.shufflevector %5143, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5145 = llvm.fmul %5144, %5142 : vector<32xf16>
    %5146 = llvm.fadd %5017, %5145 : vector<32xf16>
    %5147 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %5148 = llvm.add %5031, %5147 overflow<nsw, nuw> : i64
    %5149 = llvm.add %5148, %5034 overflow<nsw, nuw> : i64
    %5150 = llvm.add %5149, %5016 overflow<nsw, nuw> : i64
    %5151 = llvm.add %5150, %54 overflow<nsw, nuw> : i64
    %5152 = llvm.getelementptr inbounds|nuw %3214[%5151] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5153 = llvm.load %5152 : !llvm.ptr -> f16
    %5154 = llvm.insertelement %5153, %37[%111 : i32] : vector<32xf16>
    %5155 = llvm.shufflevector %5154, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5156 = llvm.fmul %5155, %5142 : vector<32xf16>
    %5157 = llvm.fadd %5018, %5156 : vector<32xf16>
    %5158 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %5159 = llvm.add %5031, %5158 overflow<nsw, nuw> : i64
    %5160 = llvm.add %5159, %5034 overflow<nsw, nuw> : i64
    %5161 = llvm.add %5160, %5016 overflow<nsw, nuw> : i64
    %5162 = llvm.add %5161, %54 overflow<nsw, nuw> : i64
    %5163 = llvm.getelementptr inbounds|nuw %3214[%5162] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5164 = llvm.load %5163 : !llvm.ptr -> f16
    %5165 = llvm.insertelement %5164, %37[%111 : i32] : vector<32xf16>
    %5166 = llvm.shufflevector %5165, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5167 = llvm.fmul %5166, %5142 : vector<32xf16>
    %5168 = llvm.fadd %5019, %5167 : vector<32xf16>
    %5169 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %5170 = llvm.add %5031, %5169 overflow<nsw, nuw> : i64
    %5171 = llvm.add %5170, %5034 overflow<nsw, nuw> : i64
    %5172 = llvm.add %5171, %5016 overflow<nsw, nuw> : i64
    %5173 = llvm.add %5172, %54 overflow<nsw, nuw> : i64
    %5174 = llvm.getelementptr inbounds|nuw %3214[%5173] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5175 = llvm.load %5174 : !llvm.ptr -> f16
    %5176 = llvm.insertelement %5175, %37[%111 : i32] : vector<32xf16>
    %5177 = llvm.shufflevector %5176, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5178 = llvm.fmul %5177, %5142 : vector<32xf16>
    %5179 = llvm.fadd %5020, %5178 : vector<32xf16>
    %5180 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %5181 = llvm.add %5031, %5180 overflow<nsw, nuw> : i64
    %5182 = llvm.add %5181, %5034 overflow<nsw, nuw> : i64
    %5183 = llvm.add %5182, %5016 overflow<nsw, nuw> : i64
    %5184 = llvm.add %5183, %54 overflow<nsw, nuw> : i64
    %5185 = llvm.getelementptr inbounds|nuw %3214[%5184] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5186 = llvm.load %5185 : !llvm.ptr -> f16
    %5187 = llvm.insertelement %5186, %37[%111 : i32] : vector<32xf16>
    %5188 = llvm.shufflevector %5187, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5189 = llvm.fmul %5188, %5142 : vector<32xf16>
    %5190 = llvm.fadd %5021, %5189 : vector<32xf16>
    %5191 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %5192 = llvm.add %5031, %5191 overflow<nsw, nuw> : i64
    %5193 = llvm.add %5192, %5034 overflow<nsw, nuw> : i64
    %5194 = llvm.add %5193, %5016 overflow<nsw, nuw> : i64
    %5195 = llvm.add %5194, %54 overflow<nsw, nuw> : i64
    %5196 = llvm.getelementptr inbounds|nuw %3214[%5195] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5197 = llvm.load %5196 : !llvm.ptr -> f16
    %5198 = llvm.insertelement %5197, %37[%111 : i32] : vector<32xf16>
    %5199 = llvm.shufflevector %5198, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5200 = llvm.fmul %5199, %5142 : vector<32xf16>
    %5201 = llvm.fadd %5022, %5200 : vector<32xf16>
    %5202 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %5203 = llvm.add %5031, %5202 overflow<nsw, nuw> : i64
    %5204 = llvm.add %5203, %5034 overflow<nsw, nuw> : i64
    %5205 = llvm.add %5204, %5016 overflow<nsw, nuw> : i64
    %5206 = llvm.add %5205, %54 overflow<nsw, nuw> : i64
    %5207 = llvm.getelementptr inbounds|nuw %3214[%5206] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5208 = llvm.load %5207 : !llvm.ptr -> f16
    %5209 = llvm.insertelement %5208, %37[%111 : i32] : vector<32xf16>
    %5210 = llvm.shufflevector %5209, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5211 = llvm.fmul %5210, %5142 : vector<32xf16>
    %5212 = llvm.fadd %5023, %5211 : vector<32xf16>
    %5213 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %5214 = llvm.add %5031, %5213 overflow<nsw, nuw> : i64
    %5215 = llvm.add %5214, %5034 overflow<nsw, nuw> : i64
    %5216 = llvm.add %5215, %5016 overflow<nsw, nuw> : i64
    %5217 = llvm.add %5216, %54 overflow<nsw, nuw> : i64
    %5218 = llvm.getelementptr inbounds|nuw %3214[%5217] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5219 = llvm.load %5218 : !llvm.ptr -> f16
    %5220 = llvm.insertelement %5219, %37[%111 : i32] : vector<32xf16>
    %5221 = llvm.shufflevector %5220, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5222 = llvm.fmul %5221, %5142 : vector<32xf16>
    %5223 = llvm.fadd %5024, %5222 : vector<32xf16>
    %5224 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %5225 = llvm.add %5031, %5224 overflow<nsw, nuw> : i64
    %5226 = llvm.add %5225, %5034 overflow<nsw, nuw> : i64
    %5227 = llvm.add %5226, %5016 overflow<nsw, nuw> : i64
    %5228 = llvm.add %5227, %54 overflow<nsw, nuw> : i64
    %5229 = llvm.getelementptr inbounds|nuw %3214[%5228] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5230 = llvm.load %5229 : !llvm.ptr -> f16
    %5231 = llvm.insertelement %5230, %37[%111 : i32] : vector<32xf16>
    %5232 = llvm.shufflevector %5231, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5233 = llvm.fmul %5232, %5142 : vector<32xf16>
    %5234 = llvm.fadd %5025, %5233 : vector<32xf16>
    %5235 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %5236 = llvm.add %5031, %5235 overflow<nsw, nuw> : i64
    %5237 = llvm.add %5236, %5034 overflow<nsw, nuw> : i64
    %5238 = llvm.add %5237, %5016 overflow<nsw, nuw> : i64
    %5239 = llvm.add %5238, %54 overflow<nsw, nuw> : i64
    %5240 = llvm.getelementptr inbounds|nuw %3214[%5239] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5241 = llvm.load %5240 : !llvm.ptr -> f16
    %5242 = llvm.insertelement %5241, %37[%111 : i32] : vector<32xf16>
    %5243 = llvm.shufflevector %5242, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5244 = llvm.fmul %5243, %5142 : vector<32xf16>
    %5245 = llvm.fadd %5026, %5244 : vector<32xf16>
    %5246 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %5247 = llvm.add %5031, %5246 overflow<nsw, nuw> : i64
    %5248 = llvm.add %5247, %5034 overflow<nsw, nuw> : i64
    %5249 = llvm.add %5248, %5016 overflow<nsw, nuw> : i64
    %5250 = llvm.add %5249, %54 overflow<nsw, nuw> : i64
    %5251 = llvm.getelementptr inbounds|nuw %3214[%5250] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5252 = llvm.load %5251 : !llvm.ptr -> f16
    %5253 = llvm.insertelement %5252, %37[%111 : i32] : vector<32xf16>
    %5254 = llvm.shufflevector %5253, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5255 = llvm.fmul %5254, %5142 : vector<32xf16>
    %5256 = llvm.fadd %5027, %5255 : vector<32xf16>
    %5257 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %5258 = llvm.add %5031, %5257 overflow<nsw, nuw> : i64
    %5259 = llvm.add %5258, %5034 overflow<nsw, nuw> : i64
    %5260 = llvm.add %5259, %5016 overflow<nsw, nuw> : i64
    %5261 = llvm.add %5260, %54 overflow<nsw, nuw> : i64
    %5262 = llvm.getelementptr inbounds|nuw %3214[%5261] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5263 = llvm.load %5262 : !llvm.ptr -> f16
    %5264 = llvm.insertelement %5263, %37[%111 : i32] : vector<32xf16>
    %5265 = llvm.shufflevector %5264, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5266 = llvm.fmul %5265, %5142 : vector<32xf16>
    %5267 = llvm.fadd %5028, %5266 : vector<32xf16>
    %5268 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %5269 = llvm.add %5031, %5268 overflow<nsw, nuw> : i64
    %5270 = llvm.add %5269, %5034 overflow<nsw, nuw> : i64
    %5271 = llvm.add %5270, %5016 overflow<nsw, nuw> : i64
    %5272 = llvm.add %5271, %54 overflow<nsw, nuw> : i64
    %5273 = llvm.getelementptr inbounds|nuw %3214[%5272] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5274 = llvm.load %5273 : !llvm.ptr -> f16
    %5275 = llvm.insertelement %5274, %37[%111 : i32] : vector<32xf16>
    %5276 = llvm.shufflevector %5275, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5277 = llvm.fmul %5276, %5142 : vector<32xf16>
    %5278 = llvm.fadd %5029, %5277 : vector<32xf16>
    %5279 = llvm.add %5016, %52 : i64
    llvm.br ^bb345(%5279, %5146, %5157, %5168, %5179, %5190, %5201, %5212, %5223, %5234, %5245, %5256, %5267, %5278 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb347:  // pred: ^bb345
    %5280 = llvm.add %4634, %87 : i64
    %5281 = llvm.getelementptr %3224[%5280] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5017, %5281, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5282 = llvm.add %4638, %87 : i64
    %5283 = llvm.getelementptr %3224[%5282] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5018, %5283, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5284 = llvm.add %4642, %87 : i64
    %5285 = llvm.getelementptr %3224[%5284] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5019, %5285, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5286 = llvm.add %4646, %87 : i64
    %5287 = llvm.getelementptr %3224[%5286] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5020, %5287, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5288 = llvm.add %4650, %87 : i64
    %5289 = llvm.getelementptr %3224[%5288] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5021, %5289, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5290 = llvm.add %4654, %87 : i64
    %5291 = llvm.getelementptr %3224[%5290] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5022, %5291, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5292 = llvm.add %4658, %87 : i64
    %5293 = llvm.getelementptr %3224[%5292] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5023, %5293, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5294 = llvm.add %4662, %87 : i64
    %5295 = llvm.getelementptr %3224[%5294] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5024, %5295, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5296 = llvm.add %4666, %87 : i64
    %5297 = llvm.getelementptr %3224[%5296] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5025, %5297, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5298 = llvm.add %4670, %87 : i64
    %5299 = llvm.getelementptr %3224[%5298] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5026, %5299, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5300 = llvm.add %4674, %87 : i64
    %5301 = llvm.getelementptr %3224[%5300] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5027, %5301, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5302 = llvm.add %4678, %87 : i64
    %5303 = llvm.getelementptr %3224[%5302] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5028, %5303, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %5304 = llvm.add %4682, %87 : i64
    %5305 = llvm.getelementptr %3224[%5304] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %5029, %5305, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    llvm.br ^bb348(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb348(%5306: i64, %5307: vector<32xf16>, %5308: vector<32xf16>, %5309: vector<32xf16>, %5310: vector<32xf16>, %5311: vector<32xf16>, %5312: vector<32xf16>, %5313: vector<32xf16>, %5314: vector<32xf16>, %5315: vector<32xf16>, %5316: vector<32xf16>, %5317: vector<32xf16>, %5318: vector<32xf16>, %5319: vector<32xf16>, %5320: vector<32xf16>, %5321: vector<32xf16>, %5322: vector<32xf16>):  // 2 preds: ^bb347, ^bb349
    %5323 = llvm.icmp "slt" %5306, %60 : i64
    llvm.cond_br %5323, ^bb349, ^bb350
  ^bb349:  // pred: ^bb348
    %5324 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %5325 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %5326 = llvm.add %5324, %5325 overflow<nsw, nuw> : i64
    %5327 = llvm.add %5326, %5325 overflow<nsw, nuw> : i64
    %5328 = llvm.add %5327, %5306 overflow<nsw, nuw> : i64
    %5329 = llvm.add %5328, %54 overflow<nsw, nuw> : i64
    %5330 = llvm.getelementptr inbounds|nuw %3216[%5329] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5331 = llvm.load %5330 : !llvm.ptr -> f16
    %5332 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %5333 = llvm.add %5332, %5325 overflow<nsw, nuw> : i64
    %5334 = llvm.add %5333, %5325 overflow<nsw, nuw> : i64
    %5335 = llvm.add %5334, %5306 overflow<nsw, nuw> : i64
    %5336 = llvm.add %5335, %54 overflow<nsw, nuw> : i64
    %5337 = llvm.getelementptr inbounds|nuw %3222[%5336] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5338 = llvm.load %5337 : !llvm.ptr -> f16
    %5339 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %5340 = llvm.add %5332, %5339 overflow<nsw, nuw> : i64
    %5341 = llvm.add %5340, %5325 overflow<nsw, nuw> : i64
    %5342 = llvm.add %5341, %5306 overflow<nsw, nuw> : i64
    %5343 = llvm.add %5342, %54 overflow<nsw, nuw> : i64
    %5344 = llvm.getelementptr inbounds|nuw %3222[%5343] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5345 = llvm.load %5344 : !llvm.ptr -> f16
    %5346 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %5347 = llvm.add %5332, %5346 overflow<nsw, nuw> : i64
    %5348 = llvm.add %5347, %5325 overflow<nsw, nuw> : i64
    %5349 = llvm.add %5348, %5306 overflow<nsw, nuw> : i64
    %5350 = llvm.add %5349, %54 overflow<nsw, nuw> : i64
    %5351 = llvm.getelementptr inbounds|nuw %3222[%5350] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5352 = llvm.load %5351 : !llvm.ptr -> f16
    %5353 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %5354 = llvm.add %5332, %5353 overflow<nsw, nuw> : i64
    %5355 = llvm.add %5354, %5325 overflow<nsw, nuw> : i64
    %5356 = llvm.add %5355, %5306 overflow<nsw, nuw> : i64
    %5357 = llvm.add %5356, %54 overflow<nsw, nuw> : i64
    %5358 = llvm.getelementptr inbounds|nuw %3222[%5357] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5359 = llvm.load %5358 : !llvm.ptr -> f16
    %5360 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %5361 = llvm.add %5332, %5360 overflow<nsw, nuw> : i64
    %5362 = llvm.add %5361, %5325 overflow<nsw, nuw> : i64
    %5363 = llvm.add %5362, %5306 overflow<nsw, nuw> : i64
    %5364 = llvm.add %5363, %54 overflow<nsw, nuw> : i64
    %5365 = llvm.getelementptr inbounds|nuw %3222[%5364] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5366 = llvm.load %5365 : !llvm.ptr -> f16
    %5367 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %5368 = llvm.add %5332, %5367 overflow<nsw, nuw> : i64
    %5369 = llvm.add %5368, %5325 overflow<nsw, nuw> : i64
    %5370 = llvm.add %5369, %5306 overflow<nsw, nuw> : i64
    %5371 = llvm.add %5370, %54 overflow<nsw, nuw> : i64
    %5372 = llvm.getelementptr inbounds|nuw %3222[%5371] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5373 = llvm.load %5372 : !llvm.ptr -> f16
    %5374 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %5375 = llvm.add %5332, %5374 overflow<nsw, nuw> : i64
    %5376 = llvm.add %5375, %5325 overflow<nsw, nuw> : i64
    %5377 = llvm.add %5376, %5306 overflow<nsw, nuw> : i64
    %5378 = llvm.add %5377, %54 overflow<nsw, nuw> : i64
    %5379 = llvm.getelementptr inbounds|nuw %3222[%5378] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5380 = llvm.load %5379 : !llvm.ptr -> f16
    %5381 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %5382 = llvm.add %5332, %5381 overflow<nsw, nuw> : i64
    %5383 = llvm.add %5382, %5325 overflow<nsw, nuw> : i64
    %5384 = llvm.add %5383, %5306 overflow<nsw, nuw> : i64
    %5385 = llvm.add %5384, %54 overflow<nsw, nuw> : i64
    %5386 = llvm.getelementptr inbounds|nuw %3222[%5385] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5387 = llvm.load %5386 : !llvm.ptr -> f16
    %5388 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %5389 = llvm.add %5332, %5388 overflow<nsw, nuw> : i64
    %5390 = llvm.add %5389, %5325 overflow<nsw, nuw> : i64
    %5391 = llvm.add %5390, %5306 overflow<nsw, nuw> : i64
    %5392 = llvm.add %5391, %54 overflow<nsw, nuw> : i64
    %5393 = llvm.getelementptr inbounds|nuw %3222[%5392] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5394 = llvm.load %5393 : !llvm.ptr -> f16
    %5395 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %5396 = llvm.add %5332, %5395 overflow<nsw, nuw> : i64
    %5397 = llvm.add %5396, %5325 overflow<nsw, nuw> : i64
    %5398 = llvm.add %5397, %5306 overflow<nsw, nuw> : i64
    %5399 = llvm.add %5398, %54 overflow<nsw, nuw> : i64
    %5400 = llvm.getelementptr inbounds|nuw %3222[%5399] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5401 = llvm.load %5400 : !llvm.ptr -> f16
    %5402 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %5403 = llvm.add %5332, %5402 overflow<nsw, nuw> : i64
    %5404 = llvm.add %5403, %5325 overflow<nsw, nuw> : i64
    %5405 = llvm.add %5404, %5306 overflow<nsw, nuw> : i64
    %5406 = llvm.add %5405, %54 overflow<nsw, nuw> : i64
    %5407 = llvm.getelementptr inbounds|nuw %3222[%5406] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5408 = llvm.load %5407 : !llvm.ptr -> f16
    %5409 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %5410 = llvm.add %5332, %5409 overflow<nsw, nuw> : i64
    %5411 = llvm.add %5410, %5325 overflow<nsw, nuw> : i64
    %5412 = llvm.add %5411, %5306 overflow<nsw, nuw> : i64
    %5413 = llvm.add %5412, %54 overflow<nsw, nuw> : i64
    %5414 = llvm.getelementptr inbounds|nuw %3222[%5413] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5415 = llvm.load %5414 : !llvm.ptr -> f16
    %5416 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %5417 = llvm.add %5332, %5416 overflow<nsw, nuw> : i64
    %5418 = llvm.add %5417, %5325 overflow<nsw, nuw> : i64
    %5419 = llvm.add %5418, %5306 overflow<nsw, nuw> : i64
    %5420 = llvm.add %5419, %54 overflow<nsw, nuw> : i64
    %5421 = llvm.getelementptr inbounds|nuw %3222[%5420] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5422 = llvm.load %5421 : !llvm.ptr -> f16
    %5423 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %5424 = llvm.add %5332, %5423 overflow<nsw, nuw> : i64
    %5425 = llvm.add %5424, %5325 overflow<nsw, nuw> : i64
    %5426 = llvm.add %5425, %5306 overflow<nsw, nuw> : i64
    %5427 = llvm.add %5426, %54 overflow<nsw, nuw> : i64
    %5428 = llvm.getelementptr inbounds|nuw %3222[%5427] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5429 = llvm.load %5428 : !llvm.ptr -> f16
    %5430 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %5431 = llvm.add %5332, %5430 overflow<nsw, nuw> : i64
    %5432 = llvm.add %5431, %5325 overflow<nsw, nuw> : i64
    %5433 = llvm.add %5432, %5306 overflow<nsw, nuw> : i64
    %5434 = llvm.add %5433, %54 overflow<nsw, nuw> : i64
    %5435 = llvm.getelementptr inbounds|nuw %3222[%5434] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5436 = llvm.load %5435 : !llvm.ptr -> f16
    %5437 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %5438 = llvm.add %5332, %5437 overflow<nsw, nuw> : i64
    %5439 = llvm.add %5438, %5325 overflow<nsw, nuw> : i64
    %5440 = llvm.add %5439, %5306 overflow<nsw, nuw> : i64
    %5441 = llvm.add %5440, %54 overflow<nsw, nuw> : i64
    %5442 = llvm.getelementptr inbounds|nuw %3222[%5441] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5443 = llvm.load %5442 : !llvm.ptr -> f16
    %5444 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %5445 = llvm.add %5332, %5444 overflow<nsw, nuw> : i64
    %5446 = llvm.add %5445, %5325 overflow<nsw, nuw> : i64
    %5447 = llvm.add %5446, %5306 overflow<nsw, nuw> : i64
    %5448 = llvm.add %5447, %54 overflow<nsw, nuw> : i64
    %5449 = llvm.getelementptr inbounds|nuw %3222[%5448] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5450 = llvm.load %5449 : !llvm.ptr -> f16
    %5451 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %5452 = llvm.add %5332, %5451 overflow<nsw, nuw> : i64
    %5453 = llvm.add %5452, %5325 overflow<nsw, nuw> : i64
    %5454 = llvm.add %5453, %5306 overflow<nsw, nuw> : i64
    %5455 = llvm.add %5454, %54 overflow<nsw, nuw> : i64
    %5456 = llvm.getelementptr inbounds|nuw %3222[%5455] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5457 = llvm.load %5456 : !llvm.ptr -> f16
    %5458 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %5459 = llvm.add %5332, %5458 overflow<nsw, nuw> : i64
    %5460 = llvm.add %5459, %5325 overflow<nsw, nuw> : i64
    %5461 = llvm.add %5460, %5306 overflow<nsw, nuw> : i64
    %5462 = llvm.add %5461, %54 overflow<nsw, nuw> : i64
    %5463 = llvm.getelementptr inbounds|nuw %3222[%5462] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5464 = llvm.load %5463 : !llvm.ptr -> f16
    %5465 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %5466 = llvm.add %5332, %5465 overflow<nsw, nuw> : i64
    %5467 = llvm.add %5466, %5325 overflow<nsw, nuw> : i64
    %5468 = llvm.add %5467, %5306 overflow<nsw, nuw> : i64
    %5469 = llvm.add %5468, %54 overflow<nsw, nuw> : i64
    %5470 = llvm.getelementptr inbounds|nuw %3222[%5469] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5471 = llvm.load %5470 : !llvm.ptr -> f16
    %5472 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %5473 = llvm.add %5332, %5472 overflow<nsw, nuw> : i64
    %5474 = llvm.add %5473, %5325 overflow<nsw, nuw> : i64
    %5475 = llvm.add %5474, %5306 overflow<nsw, nuw> : i64
    %5476 = llvm.add %5475, %54 overflow<nsw, nuw> : i64
    %5477 = llvm.getelementptr inbounds|nuw %3222[%5476] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5478 = llvm.load %5477 : !llvm.ptr -> f16
    %5479 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %5480 = llvm.add %5332, %5479 overflow<nsw, nuw> : i64
    %5481 = llvm.add %5480, %5325 overflow<nsw, nuw> : i64
    %5482 = llvm.add %5481, %5306 overflow<nsw, nuw> : i64
    %5483 = llvm.add %5482, %54 overflow<nsw, nuw> : i64
    %5484 = llvm.getelementptr inbounds|nuw %3222[%5483] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5485 = llvm.load %5484 : !llvm.ptr -> f16
    %5486 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %5487 = llvm.add %5332, %5486 overflow<nsw, nuw> : i64
    %5488 = llvm.add %5487, %5325 overflow<nsw, nuw> : i64
    %5489 = llvm.add %5488, %5306 overflow<nsw, nuw> : i64
    %5490 = llvm.add %5489, %54 overflow<nsw, nuw> : i64
    %5491 = llvm.getelementptr inbounds|nuw %3222[%5490] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5492 = llvm.load %5491 : !llvm.ptr -> f16
    %5493 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %5494 = llvm.add %5332, %5493 overflow<nsw, nuw> : i64
    %5495 = llvm.add %5494, %5325 overflow<nsw, nuw> : i64
    %5496 = llvm.add %5495, %5306 overflow<nsw, nuw> : i64
    %5497 = llvm.add %5496, %54 overflow<nsw, nuw> : i64
    %5498 = llvm.getelementptr inbounds|nuw %3222[%5497] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5499 = llvm.load %5498 : !llvm.ptr -> f16
    %5500 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %5501 = llvm.add %5332, %5500 overflow<nsw, nuw> : i64
    %5502 = llvm.add %5501, %5325 overflow<nsw, nuw> : i64
    %5503 = llvm.add %5502, %5306 overflow<nsw, nuw> : i64
    %5504 = llvm.add %5503, %54 overflow<nsw, nuw> : i64
    %5505 = llvm.getelementptr inbounds|nuw %3222[%5504] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5506 = llvm.load %5505 : !llvm.ptr -> f16
    %5507 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %5508 = llvm.add %5332, %5507 overflow<nsw, nuw> : i64
    %5509 = llvm.add %5508, %5325 overflow<nsw, nuw> : i64
    %5510 = llvm.add %5509, %5306 overflow<nsw, nuw> : i64
    %5511 = llvm.add %5510, %54 overflow<nsw, nuw> : i64
    %5512 = llvm.getelementptr inbounds|nuw %3222[%5511] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5513 = llvm.load %5512 : !llvm.ptr -> f16
    %5514 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %5515 = llvm.add %5332, %5514 overflow<nsw, nuw> : i64
    %5516 = llvm.add %5515, %5325 overflow<nsw, nuw> : i64
    %5517 = llvm.add %5516, %5306 overflow<nsw, nuw> : i64
    %5518 = llvm.add %5517, %54 overflow<nsw, nuw> : i64
    %5519 = llvm.getelementptr inbounds|nuw %3222[%5518] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5520 = llvm.load %5519 : !llvm.ptr -> f16
    %5521 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %5522 = llvm.add %5332, %5521 overflow<nsw, nuw> : i64
    %5523 = llvm.add %5522, %5325 overflow<nsw, nuw> : i64
    %5524 = llvm.add %5523, %5306 overflow<nsw, nuw> : i64
    %5525 = llvm.add %5524, %54 overflow<nsw, nuw> : i64
    %5526 = llvm.getelementptr inbounds|nuw %3222[%5525] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5527 = llvm.load %5526 : !llvm.ptr -> f16
    %5528 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %5529 = llvm.add %5332, %5528 overflow<nsw, nuw> : i64
    %5530 = llvm.add %5529, %5325 overflow<nsw, nuw> : i64
    %5531 = llvm.add %5530, %5306 overflow<nsw, nuw> : i64
    %5532 = llvm.add %5531, %54 overflow<nsw, nuw> : i64
    %5533 = llvm.getelementptr inbounds|nuw %3222[%5532] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5534 = llvm.load %5533 : !llvm.ptr -> f16
    %5535 = llvm.mul %62, %60 overflow<nsw, nuw> : i64
    %5536 = llvm.add %5332, %5535 overflow<nsw, nuw> : i64
    %5537 = llvm.add %5536, %5325 overflow<nsw, nuw> : i64
    %5538 = llvm.add %5537, %5306 overflow<nsw, nuw> : i64
    %5539 = llvm.add %5538, %54 overflow<nsw, nuw> : i64
    %5540 = llvm.getelementptr inbounds|nuw %3222[%5539] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5541 = llvm.load %5540 : !llvm.ptr -> f16
    %5542 = llvm.mul %97, %60 overflow<nsw, nuw> : i64
    %5543 = llvm.add %5332, %5542 overflow<nsw, nuw> : i64
    %5544 = llvm.add %5543, %5325 overflow<nsw, nuw> : i64
    %5545 = llvm.add %5544, %5306 overflow<nsw, nuw> : i64
    %5546 = llvm.add %5545, %54 overflow<nsw, nuw> : i64
    %5547 = llvm.getelementptr inbounds|nuw %3222[%5546] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5548 = llvm.load %5547 : !llvm.ptr -> f16
    %5549 = llvm.mul %98, %60 overflow<nsw, nuw> : i64
    %5550 = llvm.add %5332, %5549 overflow<nsw, nuw> : i64
    %5551 = llvm.add %5550, %5325 overflow<nsw, nuw> : i64
    %5552 = llvm.add %5551, %5306 overflow<nsw, nuw> : i64
    %5553 = llvm.add %5552, %54 overflow<nsw, nuw> : i64
    %5554 = llvm.getelementptr inbounds|nuw %3222[%5553] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5555 = llvm.load %5554 : !llvm.ptr -> f16
    %5556 = llvm.insertelement %5338, %37[%36 : i64] : vector<32xf16>
    %5557 = llvm.insertelement %5345, %5556[%35 : i64] : vector<32xf16>
    %5558 = llvm.insertelement %5352, %5557[%34 : i64] : vector<32xf16>
    %5559 = llvm.insertelement %5359, %5558[%33 : i64] : vector<32xf16>
    %5560 = llvm.insertelement %5366, %5559[%32 : i64] : vector<32xf16>
    %5561 = llvm.insertelement %5373, %5560[%31 : i64] : vector<32xf16>
    %5562 = llvm.insertelement %5380, %5561[%30 : i64] : vector<32xf16>
    %5563 = llvm.insertelement %5387, %5562[%29 : i64] : vector<32xf16>
    %5564 = llvm.insertelement %5394, %5563[%28 : i64] : vector<32xf16>
    %5565 = llvm.insertelement %5401, %5564[%27 : i64] : vector<32xf16>
    %5566 = llvm.insertelement %5408, %5565[%26 : i64] : vector<32xf16>
    %5567 = llvm.insertelement %5415, %5566[%25 : i64] : vector<32xf16>
    %5568 = llvm.insertelement %5422, %5567[%24 : i64] : vector<32xf16>
    %5569 = llvm.insertelement %5429, %5568[%23 : i64] : vector<32xf16>
    %5570 = llvm.insertelement %5436, %5569[%22 : i64] : vector<32xf16>
    %5571 = llvm.insertelement %5443, %5570[%21 : i64] : vector<32xf16>
    %5572 = llvm.insertelement %5450, %5571[%20 : i64] : vector<32xf16>
    %5573 = llvm.insertelement %5457, %5572[%19 : i64] : vector<32xf16>
    %5574 = llvm.insertelement %5464, %5573[%18 : i64] : vector<32xf16>
    %5575 = llvm.insertelement %5471, %5574[%17 : i64] : vector<32xf16>
    %5576 = llvm.insertelement %5478, %5575[%16 : i64] : vector<32xf16>
    %5577 = llvm.insertelement %5485, %5576[%15 : i64] : vector<32xf16>
    %5578 = llvm.insertelement %5492, %5577[%14 : i64] : vector<32xf16>
    %5579 = llvm.insertelement %5499, %5578[%13 : i64] : vector<32xf16>
    %5580 = llvm.insertelement %5506, %5579[%12 : i64] : vector<32xf16>
    %5581 = llvm.insertelement %5513, %5580[%11 : i64] : vector<32xf16>
    %5582 = llvm.insertelement %5520, %5581[%10 : i64] : vector<32xf16>
    %5583 = llvm.insertelement %5527, %5582[%9 : i64] : vector<32xf16>
    %5584 = llvm.insertelement %5534, %5583[%8 : i64] : vector<32xf16>
    %5585 = llvm.insertelement %5541, %5584[%7 : i64] : vector<32xf16>
    %5586 = llvm.insertelement %5548, %5585[%6 : i64] : vector<32xf16>
    %5587 = llvm.insertelement %5555, %5586[%5 : i64] : vector<32xf16>
    %5588 = llvm.insertelement %5331, %37[%111 : i32] : vector<32xf16>
    %5589 = llvm.shufflevector %5588, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5590 = llvm.fmul %5589, %5587 : vector<32xf16>
    %5591 = llvm.fadd %5307, %5590 : vector<32xf16>
    %5592 = llvm.add %5324, %5339 overflow<nsw, nuw> : i64
    %5593 = llvm.add %5592, %5325 overflow<nsw, nuw> : i64
    %5594 = llvm.add %5593, %5306 overflow<nsw, nuw> : i64
    %5595 = llvm.add %5594, %54 overflow<nsw, nuw> : i64
    %5596 = llvm.getelementptr inbounds|nuw %3216[%5595] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5597 = llvm.load %5596 : !llvm.ptr -> f16
    %5598 = llvm.insertelement %5597, %37[%111 : i32] : vector<32xf16>
    %5599 = llvm.shufflevector %5598, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5600 = llvm.fmul %5599, %5587 : vector<32xf16>
    %5601 = llvm.fadd %5308, %5600 : vector<32xf16>
    %5602 = llvm.add %5324, %5346 overflow<nsw, nuw> : i64
    %5603 = llvm.add %5602, %5325 overflow<nsw, nuw> : i64
    %5604 = llvm.add %5603, %5306 overflow<nsw, nuw> : i64
    %5605 = llvm.add %5604, %54 overflow<nsw, nuw> : i64
    %5606 = llvm.getelementptr inbounds|nuw %3216[%5605] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5607 = llvm.load %5606 : !llvm.ptr -> f16
    %5608 = llvm.insertelement %5607, %37[%111 : i32] : vector<32xf16>
    %5609 = llvm.shufflevector %5608, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5610 = llvm.fmul %5609, %5587 : vector<32xf16>
    %5611 = llvm.fadd %5309, %5610 : vector<32xf16>
    %5612 = llvm.add %5324, %5353 overflow<nsw, nuw> : i64
    %5613 = llvm.add %5612, %5325 overflow<nsw, nuw> : i64
    %5614 = llvm.add %5613, %5306 overflow<nsw, nuw> : i64
    %5615 = llvm.add %5614, %54 overflow<nsw, nuw> : i64
    %5616 = llvm.getelementptr inbounds|nuw %3216[%5615] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5617 = llvm.load %5616 : !llvm.ptr -> f16
    %5618 = llvm.insertelement %5617, %37[%111 : i32] : vector<32xf16>
    %5619 = llvm.shufflevector %5618, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5620 = llvm.fmul %5619, %5587 : vector<32xf16>
    %5621 = llvm.fadd %5310, %5620 : vector<32xf16>
    %5622 = llvm.add %5324, %5360 overflow<nsw, nuw> : i64
    %5623 = llvm.add %5622, %5325 overflow<nsw, nuw> : i64
    %5624 = llvm.add %5623, %5306 overflow<nsw, nuw> : i64
    %5625 = llvm.add %5624, %54 overflow<nsw, nuw> : i64
    %5626 = llvm.getelementptr inbounds|nuw %3216[%5625] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5627 = llvm.load %5626 : !llvm.ptr -> f16
    %5628 = llvm.insertelement %5627, %37[%111 : i32] : vector<32xf16>
    %5629 = llvm.shufflevector %5628, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5630 = llvm.fmul %5629, %5587 : vector<32xf16>
    %5631 = llvm.fadd %5311, %5630 : vector<32xf16>
    %5632 = llvm.add %5324, %5367 overflow<nsw, nuw> : i64
    %5633 = llvm.add %5632, %5325 overflow<nsw, nuw> : i64
    %5634 = llvm.add %5633, %5306 overflow<nsw, nuw> : i64
    %5635 = llvm.add %5634, %54 overflow<nsw, nuw> : i64
    %5636 = llvm.getelementptr inbounds|nuw %3216[%5635] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5637 = llvm.load %5636 : !llvm.ptr -> f16
    %5638 = llvm.insertelement %5637, %37[%111 : i32] : vector<32xf16>
    %5639 = llvm.shufflevector %5638, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5640 = llvm.fmul %5639, %5587 : vector<32xf16>
    %5641 = llvm.fadd %5312, %5640 : vector<32xf16>
    %5642 = llvm.add %5324, %5374 overflow<nsw, nuw> : i64
    %5643 = llvm.add %5642, %5325 overflow<nsw, nuw> : i64
    %5644 = llvm.add %5643, %5306 overflow<nsw, nuw> : i64
    %5645 = llvm.add %5644, %54 overflow<nsw, nuw> : i64
    %5646 = llvm.getelementptr inbounds|nuw %3216[%5645] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5647 = llvm.load %5646 : !llvm.ptr -> f16
    %5648 = llvm.insertelement %5647, %37[%111 : i32] : vector<32xf16>
    %5649 = llvm.shufflevector %5648, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5650 = llvm.fmul %5649, %5587 : vector<32xf16>
    %5651 = llvm.fadd %5313, %5650 : vector<32xf16>
    %5652 = llvm.add %5324, %5381 overflow<nsw, nuw> : i64
    %5653 = llvm.add %5652, %5325 overflow<nsw, nuw> : i64
    %5654 = llvm.add %5653, %5306 overflow<nsw, nuw> : i64
    %5655 = llvm.add %5654, %54 overflow<nsw, nuw> : i64
    %5656 = llvm.getelementptr inbounds|nuw %3216[%5655] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5657 = llvm.load %5656 : !llvm.ptr -> f16
    %5658 = llvm.insertelement %5657, %37[%111 : i32] : vector<32xf16>
    %5659 = llvm.shufflevector %5658, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5660 = llvm.fmul %5659, %5587 : vector<32xf16>
    %5661 = llvm.fadd %5314, %5660 : vector<32xf16>
    %5662 = llvm.add %5324, %5388 overflow<nsw, nuw> : i64
    %5663 = llvm.add %5662, %5325 overflow<nsw, nuw> : i64
    %5664 = llvm.add %5663, %5306 overflow<nsw, nuw> : i64
    %5665 = llvm.add %5664, %54 overflow<nsw, nuw> : i64
    %5666 = llvm.getelementptr inbounds|nuw %3216[%5665] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5667 = llvm.load %5666 : !llvm.ptr -> f16
    %5668 = llvm.insertelement %5667, %37[%111 : i32] : vector<32xf16>
    %5669 = llvm.shufflevector %5668, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5670 = llvm.fmul %5669, %5587 : vector<32xf16>
    %5671 = llvm.fadd %5315, %5670 : vector<32xf16>
    %5672 = llvm.add %5324, %5395 overflow<nsw, nuw> : i64
    %5673 = llvm.add %5672, %5325 overflow<nsw, nuw> : i64
    %5674 = llvm.add %5673, %5306 overflow<nsw, nuw> : i64
    %5675 = llvm.add %5674, %54 overflow<nsw, nuw> : i64
    %5676 = llvm.getelementptr inbounds|nuw %3216[%5675] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5677 = llvm.load %5676 : !llvm.ptr -> f16
    %5678 = llvm.insertelement %5677, %37[%111 : i32] : vector<32xf16>
    %5679 = llvm.shufflevector %5678, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5680 = llvm.fmul %5679, %5587 : vector<32xf16>
    %5681 = llvm.fadd %5316, %5680 : vector<32xf16>
    %5682 = llvm.add %5324, %5402 overflow<nsw, nuw> : i64
    %5683 = llvm.add %5682, %5325 overflow<nsw, nuw> : i64
    %5684 = llvm.add %5683, %5306 overflow<nsw, nuw> : i64
    %5685 = llvm.add %5684, %54 overflow<nsw, nuw> : i64
    %5686 = llvm.getelementptr inbounds|nuw %3216[%5685] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5687 = llvm.load %5686 : !llvm.ptr -> f16
    %5688 = llvm.insertelement %5687, %37[%111 : i32] : vector<32xf16>
    %5689 = llvm.shufflevector %5688, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5690 = llvm.fmul %5689, %5587 : vector<32xf16>
    %5691 = llvm.fadd %5317, %5690 : vector<32xf16>
    %5692 = llvm.add %5324, %5409 overflow<nsw, nuw> : i64
    %5693 = llvm.add %5692, %5325 overflow<nsw, nuw> : i64
    %5694 = llvm.add %5693, %5306 overflow<nsw, nuw> : i64
    %5695 = llvm.add %5694, %54 overflow<nsw, nuw> : i64
    %5696 = llvm.getelementptr inbounds|nuw %3216[%5695] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5697 = llvm.load %5696 : !llvm.ptr -> f16
    %5698 = llvm.insertelement %5697, %37[%111 : i32] : vector<32xf16>
    %5699 = llvm.shufflevector %5698, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5700 = llvm.fmul %5699, %5587 : vector<32xf16>
    %5701 = llvm.fadd %5318, %5700 : vector<32xf16>
    %5702 = llvm.add %5324, %5416 overflow<nsw, nuw> : i64
    %5703 = llvm.add %5702, %5325 overflow<nsw, nuw> : i64
    %5704 = llvm.add %5703, %5306 overflow<nsw, nuw> : i64
    %5705 = llvm.add %5704, %54 overflow<nsw, nuw> : i64
    %5706 = llvm.getelementptr inbounds|nuw %3216[%5705] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5707 = llvm.load %5706 : !llvm.ptr -> f16
    %5708 = llvm.insertelement %5707, %37[%111 : i32] : vector<32xf16>
    %5709 = llvm.shufflevector %5708, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5710 = llvm.fmul %5709, %5587 : vector<32xf16>
    %5711 = llvm.fadd %5319, %5710 : vector<32xf16>
    %5712 = llvm.add %5324, %5423 overflow<nsw, nuw> : i64
    %5713 = llvm.add %5712, %5325 overflow<nsw, nuw> : i64
    %5714 = llvm.add %5713, %5306 overflow<nsw, nuw> : i64
    %5715 = llvm.add %5714, %54 overflow<nsw, nuw> : i64
    %5716 = llvm.getelementptr inbounds|nuw %3216[%5715] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5717 = llvm.load %5716 : !llvm.ptr -> f16
    %5718 = llvm.insertelement %5717, %37[%111 : i32] : vector<32xf16>
    %5719 = llvm.shufflevector %5718, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5720 = llvm.fmul %5719, %5587 : vector<32xf16>
    %5721 = llvm.fadd %5320, %5720 : vector<32xf16>
    %5722 = llvm.add %5324, %5430 overflow<nsw, nuw> : i64
    %5723 = llvm.add %5722, %5325 overflow<nsw, nuw> : i64
    %5724 = llvm.add %5723, %5306 overflow<nsw, nuw> : i64
    %5725 = llvm.add %5724, %54 overflow<nsw, nuw> : i64
    %5726 = llvm.getelementptr inbounds|nuw %3216[%5725] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5727 = llvm.load %5726 : !llvm.ptr -> f16
    %5728 = llvm.insertelement %5727, %37[%111 : i32] : vector<32xf16>
    %5729 = llvm.shufflevector %5728, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5730 = llvm.fmul %5729, %5587 : vector<32xf16>
    %5731 = llvm.fadd %5321, %5730 : vector<32xf16>
    %5732 = llvm.add %5324, %5437 overflow<nsw, nuw> : i64
    %5733 = llvm.add %5732, %5325 overflow<nsw, nuw> : i64
    %5734 = llvm.add %5733, %5306 overflow<nsw, nuw> : i64
    %5735 = llvm.add %5734, %54 overflow<nsw, nuw> : i64
    %5736 = llvm.getelementptr inbounds|nuw %3216[%5735] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5737 = llvm.load %5736 : !llvm.ptr -> f16
    %5738 = llvm.insertelement %5737, %37[%111 : i32] : vector<32xf16>
    %5739 = llvm.shufflevector %5738, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %5740 = llvm.fmul %5739, %5587 : vector<32xf16>
    %5741 = llvm.fadd %5322, %5740 : vector<32xf16>
    %5742 = llvm.add %5306, %52 : i64
    llvm.br ^bb348(%5742, %5591, %5601, %5611, %5621, %5631, %5641, %5651, %5661, %5671, %5681, %5691, %5701, %5711, %5721, %5731, %5741 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb350:  // pred: ^bb348
    %5743 = llvm.load %4168 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5744 = llvm.fadd %5743, %5307 : vector<32xf16>
    llvm.store %5744, %4168 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5745 = llvm.load %4172 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5746 = llvm.fadd %5745, %5308 : vector<32xf16>
    llvm.store %5746, %4172 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5747 = llvm.load %4176 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5748 = llvm.fadd %5747, %5309 : vector<32xf16>
    llvm.store %5748, %4176 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5749 = llvm.load %4180 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5750 = llvm.fadd %5749, %5310 : vector<32xf16>
    llvm.store %5750, %4180 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5751 = llvm.load %4184 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5752 = llvm.fadd %5751, %5311 : vector<32xf16>
    llvm.store %5752, %4184 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5753 = llvm.load %4188 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5754 = llvm.fadd %5753, %5312 : vector<32xf16>
    llvm.store %5754, %4188 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5755 = llvm.load %4192 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5756 = llvm.fadd %5755, %5313 : vector<32xf16>
    llvm.store %5756, %4192 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5757 = llvm.load %4196 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5758 = llvm.fadd %5757, %5314 : vector<32xf16>
    llvm.store %5758, %4196 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5759 = llvm.load %4200 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5760 = llvm.fadd %5759, %5315 : vector<32xf16>
    llvm.store %5760, %4200 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5761 = llvm.load %4204 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5762 = llvm.fadd %5761, %5316 : vector<32xf16>
    llvm.store %5762, %4204 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5763 = llvm.load %4208 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5764 = llvm.fadd %5763, %5317 : vector<32xf16>
    llvm.store %5764, %4208 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5765 = llvm.load %4212 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5766 = llvm.fadd %5765, %5318 : vector<32xf16>
    llvm.store %5766, %4212 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5767 = llvm.load %4216 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5768 = llvm.fadd %5767, %5319 : vector<32xf16>
    llvm.store %5768, %4216 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5769 = llvm.load %4220 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5770 = llvm.fadd %5769, %5320 : vector<32xf16>
    llvm.store %5770, %4220 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5771 = llvm.load %4224 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5772 = llvm.fadd %5771, %5321 : vector<32xf16>
    llvm.store %5772, %4224 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %5773 = llvm.load %4228 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %5774 = llvm.fadd %5773, %5322 : vector<32xf16>
    llvm.store %5774, %4228 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    llvm.br ^bb351(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb351(%5775: i64, %5776: vector<32xf16>, %5777: vector<32xf16>, %5778: vector<32xf16>, %5779: vector<32xf16>, %5780: vector<32xf16>, %5781: vector<32xf16>, %5782: vector<32xf16>, %5783: vector<32xf16>, %5784: vector<32xf16>, %5785: vector<32xf16>, %5786: vector<32xf16>, %5787: vector<32xf16>, %5788: vector<32xf16>):  // 2 preds: ^bb350, ^bb352
    %5789 = llvm.icmp "slt" %5775, %60 : i64
    llvm.cond_br %5789, ^bb352, ^bb353
  ^bb352:  // pred: ^bb351
    %5790 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %5791 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %5792 = llvm.add %5790, %5791 overflow<nsw, nuw> : i64
    %5793 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %5794 = llvm.add %5792, %5793 overflow<nsw, nuw> : i64
    %5795 = llvm.add %5794, %5775 overflow<nsw, nuw> : i64
    %5796 = llvm.add %5795, %54 overflow<nsw, nuw> : i64
    %5797 = llvm.getelementptr inbounds|nuw %3216[%5796] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5798 = llvm.load %5797 : !llvm.ptr -> f16
    %5799 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %5800 = llvm.add %5799, %5793 overflow<nsw, nuw> : i64
    %5801 = llvm.add %5800, %5793 overflow<nsw, nuw> : i64
    %5802 = llvm.add %5801, %5775 overflow<nsw, nuw> : i64
    %5803 = llvm.add %5802, %54 overflow<nsw, nuw> : i64
    %5804 = llvm.getelementptr inbounds|nuw %3222[%5803] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5805 = llvm.load %5804 : !llvm.ptr -> f16
    %5806 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %5807 = llvm.add %5799, %5806 overflow<nsw, nuw> : i64
    %5808 = llvm.add %5807, %5793 overflow<nsw, nuw> : i64
    %5809 = llvm.add %5808, %5775 overflow<nsw, nuw> : i64
    %5810 = llvm.add %5809, %54 overflow<nsw, nuw> : i64
    %5811 = llvm.getelementptr inbounds|nuw %3222[%5810] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5812 = llvm.load %5811 : !llvm.ptr -> f16
    %5813 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %5814 = llvm.add %5799, %5813 overflow<nsw, nuw> : i64
    %5815 = llvm.add %5814, %5793 overflow<nsw, nuw> : i64
    %5816 = llvm.add %5815, %5775 overflow<nsw, nuw> : i64
    %5817 = llvm.add %5816, %54 overflow<nsw, nuw> : i64
    %5818 = llvm.getelementptr inbounds|nuw %3222[%5817] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5819 = llvm.load %5818 : !llvm.ptr -> f16
    %5820 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %5821 = llvm.add %5799, %5820 overflow<nsw, nuw> : i64
    %5822 = llvm.add %5821, %5793 overflow<nsw, nuw> : i64
    %5823 = llvm.add %5822, %5775 overflow<nsw, nuw> : i64
    %5824 = llvm.add %5823, %54 overflow<nsw, nuw> : i64
    %5825 = llvm.getelementptr inbounds|nuw %3222[%5824] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5826 = llvm.load %5825 : !llvm.ptr -> f16
    %5827 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %5828 = llvm.add %5799, %5827 overflow<nsw, nuw> : i64
    %5829 = llvm.add %5828, %5793 overflow<nsw, nuw> : i64
    %5830 = llvm.add %5829, %5775 overflow<nsw, nuw> : i64
    %5831 = llvm.add %5830, %54 overflow<nsw, nuw> : i64
    %5832 = llvm.getelementptr inbounds|nuw %3222[%5831] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5833 = llvm.load %5832 : !llvm.ptr -> f16
    %5834 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %5835 = llvm.add %5799, %5834 overflow<nsw, nuw> : i64
    %5836 = llvm.add %5835, %5793 overflow<nsw, nuw> : i64
    %5837 = llvm.add %5836, %5775 overflow<nsw, nuw> : i64
    %5838 = llvm.add %5837, %54 overflow<nsw, nuw> : i64
    %5839 = llvm.getelementptr inbounds|nuw %3222[%5838] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5840 = llvm.load %5839 : !llvm.ptr -> f16
    %5841 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %5842 = llvm.add %5799, %5841 overflow<nsw, nuw> : i64
    %5843 = llvm.add %5842, %5793 overflow<nsw, nuw> : i64
    %5844 = llvm.add %5843, %5775 overflow<nsw, nuw> : i64
    %5845 = llvm.add %5844, %54 overflow<nsw, nuw> : i64
    %5846 = llvm.getelementptr inbounds|nuw %3222[%5845] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5847 = llvm.load %5846 : !llvm.ptr -> f16
    %5848 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %5849 = llvm.add %5799, %5848 overflow<nsw, nuw> : i64
    %5850 = llvm.add %5849, %5793 overflow<nsw, nuw> : i64
    %5851 = llvm.add %5850, %5775 overflow<nsw, nuw> : i64
    %5852 = llvm.add %5851, %54 overflow<nsw, nuw> : i64
    %5853 = llvm.getelementptr inbounds|nuw %3222[%5852] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5854 = llvm.load %5853 : !llvm.ptr -> f16
    %5855 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %5856 = llvm.add %5799, %5855 overflow<nsw, nuw> : i64
    %5857 = llvm.add %5856, %5793 overflow<nsw, nuw> : i64
    %5858 = llvm.add %5857, %5775 overflow<nsw, nuw> : i64
    %5859 = llvm.add %5858, %54 overflow<nsw, nuw> : i64
    %5860 = llvm.getelementptr inbounds|nuw %3222[%5859] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5861 = llvm.load %5860 : !llvm.ptr -> f16
    %5862 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %5863 = llvm.add %5799, %5862 overflow<nsw, nuw> : i64
    %5864 = llvm.add %5863, %5793 overflow<nsw, nuw> : i64
    %5865 = llvm.add %5864, %5775 overflow<nsw, nuw> : i64
    %5866 = llvm.add %5865, %54 overflow<nsw, nuw> : i64
    %5867 = llvm.getelementptr inbounds|nuw %3222[%5866] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5868 = llvm.load %5867 : !llvm.ptr -> f16
    %5869 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %5870 = llvm.add %5799, %5869 overflow<nsw, nuw> : i64
    %5871 = llvm.add %5870, %5793 overflow<nsw, nuw> : i64
    %5872 = llvm.add %5871, %5775 overflow<nsw, nuw> : i64
    %5873 = llvm.add %5872, %54 overflow<nsw, nuw> : i64
    %5874 = llvm.getelementptr inbounds|nuw %3222[%5873] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5875 = llvm.load %5874 : !llvm.ptr -> f16
    %5876 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %5877 = llvm.add %5799, %5876 overflow<nsw, nuw> : i64
    %5878 = llvm.add %5877, %5793 overflow<nsw, nuw> : i64
    %5879 = llvm.add %5878, %5775 overflow<nsw, nuw> : i64
    %5880 = llvm.add %5879, %54 overflow<nsw, nuw> : i64
    %5881 = llvm.getelementptr inbounds|nuw %3222[%5880] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5882 = llvm.load %5881 : !llvm.ptr -> f16
    %5883 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %5884 = llvm.add %5799, %5883 overflow<nsw, nuw> : i64
    %5885 = llvm.add %5884, %5793 overflow<nsw, nuw> : i64
    %5886 = llvm.add %5885, %5775 overflow<nsw, nuw> : i64
    %5887 = llvm.add %5886, %54 overflow<nsw, nuw> : i64
    %5888 = llvm.getelementptr inbounds|nuw %3222[%5887] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5889 = llvm.load %5888 : !llvm.ptr -> f16
    %5890 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %5891 = llvm.add %5799, %5890 overflow<nsw, nuw> : i64
    %5892 = llvm.add %5891, %5793 overflow<nsw, nuw> : i64
    %5893 = llvm.add %5892, %5775 overflow<nsw, nuw> : i64
    %5894 = llvm.add %5893, %54 overflow<nsw, nuw> : i64
    %5895 = llvm.getelementptr inbounds|nuw %3222[%5894] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5896 = llvm.load %5895 : !llvm.ptr -> f16
    %5897 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %5898 = llvm.add %5799, %5897 overflow<nsw, nuw> : i64
    %5899 = llvm.add %5898, %5793 overflow<nsw, nuw> : i64
    %5900 = llvm.add %5899, %5775 overflow<nsw, nuw> : i64
    %5901 = llvm.add %5900, %54 overflow<nsw, nuw> : i64
    %5902 = llvm.getelementptr inbounds|nuw %3222[%5901] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5903 = llvm.load %5902 : !llvm.ptr -> f16
    %5904 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %5905 = llvm.add %5799, %5904 overflow<nsw, nuw> : i64
    %5906 = llvm.add %5905, %5793 overflow<nsw, nuw> : i64
    %5907 = llvm.add %5906, %5775 overflow<nsw, nuw> : i64
    %5908 = llvm.add %5907, %54 overflow<nsw, nuw> : i64
    %5909 = llvm.getelementptr inbounds|nuw %3222[%5908] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5910 = llvm.load %5909 : !llvm.ptr -> f16
    %5911 = llvm.add %5799, %5791 overflow<nsw, nuw> : i64
    %5912 = llvm.add %5911, %5793 overflow<nsw, nuw> : i64
    %5913 = llvm.add %5912, %5775 overflow<nsw, nuw> : i64
    %5914 = llvm.add %5913, %54 overflow<nsw, nuw> : i64
    %5915 = llvm.getelementptr inbounds|nuw %3222[%5914] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5916 = llvm.load %5915 : !llvm.ptr -> f16
    %5917 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %5918 = llvm.add %5799, %5917 overflow<nsw, nuw> : i64
    %5919 = llvm.add %5918, %5793 overflow<nsw, nuw> : i64
    %5920 = llvm.add %5919, %5775 overflow<nsw, nuw> : i64
    %5921 = llvm.add %5920, %54 overflow<nsw, nuw> : i64
    %5922 = llvm.getelementptr inbounds|nuw %3222[%5921] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5923 = llvm.load %5922 : !llvm.ptr -> f16
    %5924 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %5925 = llvm.add %5799, %5924 overflow<nsw, nuw> : i64
    %5926 = llvm.add %5925, %5793 overflow<nsw, nuw> : i64
    %5927 = llvm.add %5926, %5775 overflow<nsw, nuw> : i64
    %5928 = llvm.add %5927, %54 overflow<nsw, nuw> : i64
    %5929 = llvm.getelementptr inbounds|nuw %3222[%5928] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5930 = llvm.load %5929 : !llvm.ptr -> f16
    %5931 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %5932 = llvm.add %5799, %5931 overflow<nsw, nuw> : i64
    %5933 = llvm.add %5932, %5793 overflow<nsw, nuw> : i64
    %5934 = llvm.add %5933, %5775 overflow<nsw, nuw> : i64
    %5935 = llvm.add %5934, %54 overflow<nsw, nuw> : i64
    %5936 = llvm.getelementptr inbounds|nuw %3222[%5935] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5937 = llvm.load %5936 : !llvm.ptr -> f16
    %5938 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %5939 = llvm.add %5799, %5938 overflow<nsw, nuw> : i64
    %5940 = llvm.add %5939, %5793 overflow<nsw, nuw> : i64
    %5941 = llvm.add %5940, %5775 overflow<nsw, nuw> : i64
    %5942 = llvm.add %5941, %54 overflow<nsw, nuw> : i64
    %5943 = llvm.getelementptr inbounds|nuw %3222[%5942] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5944 = llvm.load %5943 : !llvm.ptr -> f16
    %5945 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %5946 = llvm.add %5799, %5945 overflow<nsw, nuw> : i64
    %5947 = llvm.add %5946, %5793 overflow<nsw, nuw> : i64
    %5948 = llvm.add %5947, %5775 overflow<nsw, nuw> : i64
    %5949 = llvm.add %5948, %54 overflow<nsw, nuw> : i64
    %5950 = llvm.getelementptr inbounds|nuw %3222[%5949] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5951 = llvm.load %5950 : !llvm.ptr -> f16
    %5952 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %5953 = llvm.add %5799, %5952 overflow<nsw, nuw> : i64
    %5954 = llvm.add %5953, %5793 overflow<nsw, nuw> : i64
    %5955 = llvm.add %5954, %5775 overflow<nsw, nuw> : i64
    %5956 = llvm.add %5955, %54 overflow<nsw, nuw> : i64
    %5957 = llvm.getelementptr inbounds|nuw %3222[%5956] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5958 = llvm.load %5957 : !llvm.ptr -> f16
    %5959 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %5960 = llvm.add %5799, %5959 overflow<nsw, nuw> : i64
    %5961 = llvm.add %5960, %5793 overflow<nsw, nuw> : i64
    %5962 = llvm.add %5961, %5775 overflow<nsw, nuw> : i64
    %5963 = llvm.add %5962, %54 overflow<nsw, nuw> : i64
    %5964 = llvm.getelementptr inbounds|nuw %3222[%5963] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5965 = llvm.load %5964 : !llvm.ptr -> f16
    %5966 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %5967 = llvm.add %5799, %5966 overflow<nsw, nuw> : i64
    %5968 = llvm.add %5967, %5793 overflow<nsw, nuw> : i64
    %5969 = llvm.add %5968, %5775 overflow<nsw, nuw> : i64
    %5970 = llvm.add %5969, %54 overflow<nsw, nuw> : i64
    %5971 = llvm.getelementptr inbounds|nuw %3222[%5970] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5972 = llvm.load %5971 : !llvm.ptr -> f16
    %5973 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %5974 = llvm.add %5799, %5973 overflow<nsw, nuw> : i64
    %5975 = llvm.add %5974, %5793 overflow<nsw, nuw> : i64
    %5976 = llvm.add %5975, %5775 overflow<nsw, nuw> : i64
    %5977 = llvm.add %5976, %54 overflow<nsw, nuw> : i64
    %5978 = llvm.getelementptr inbounds|nuw %3222[%5977] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5979 = llvm.load %5978 : !llvm.ptr -> f16
    %5980 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %5981 = llvm.add %5799, %5980 overflow<nsw, nuw> : i64
    %5982 = llvm.add %5981, %5793 overflow<nsw, nuw> : i64
    %5983 = llvm.add %5982, %5775 overflow<nsw, nuw> : i64
    %5984 = llvm.add %5983, %54 overflow<nsw, nuw> : i64
    %5985 = llvm.getelementptr inbounds|nuw %3222[%5984] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5986 = llvm.load %5985 : !llvm.ptr -> f16
    %5987 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %5988 = llvm.add %5799, %5987 overflow<nsw, nuw> : i64
    %5989 = llvm.add %5988, %5793 overflow<nsw, nuw> : i64
    %5990 = llvm.add %5989, %5775 overflow<nsw, nuw> : i64
    %5991 = llvm.add %5990, %54 overflow<nsw, nuw> : i64
    %5992 = llvm.getelementptr inbounds|nuw %3222[%5991] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %5993 = llvm.load %5992 : !llvm.ptr -> f16
    %5994 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %5995 = llvm.add %5799, %5994 overflow<nsw, nuw> : i64
    %5996 = llvm.add %5995, %5793 overflow<nsw, nuw> : i64
    %5997 = llvm.add %5996, %5775 overflow<nsw, nuw> : i64
    %5998 = llvm.add %5997, %54 overflow<nsw, nuw> : i64
    %5999 = llvm.getelementptr inbounds|nuw %3222[%5998] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6000 = llvm.load %5999 : !llvm.ptr -> f16
    %6001 = llvm.mul %62, %60 overflow<nsw, nuw> : i64
    %6002 = llvm.add %5799, %6001 overflow<nsw, nuw> : i64
    %6003 = llvm.add %6002, %5793 overflow<nsw, nuw> : i64
    %6004 = llvm.add %6003, %5775 overflow<nsw, nuw> : i64
    %6005 = llvm.add %6004, %54 overflow<nsw, nuw> : i64
    %6006 = llvm.getelementptr inbounds|nuw %3222[%6005] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6007 = llvm.load %6006 : !llvm.ptr -> f16
    %6008 = llvm.mul %97, %60 overflow<nsw, nuw> : i64
    %6009 = llvm.add %5799, %6008 overflow<nsw, nuw> : i64
    %6010 = llvm.add %6009, %5793 overflow<nsw, nuw> : i64
    %6011 = llvm.add %6010, %5775 overflow<nsw, nuw> : i64
    %6012 = llvm.add %6011, %54 overflow<nsw, nuw> : i64
    %6013 = llvm.getelementptr inbounds|nuw %3222[%6012] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6014 = llvm.load %6013 : !llvm.ptr -> f16
    %6015 = llvm.mul %98, %60 overflow<nsw, nuw> : i64
    %6016 = llvm.add %5799, %6015 overflow<nsw, nuw> : i64
    %6017 = llvm.add %6016, %5793 overflow<nsw, nuw> : i64
    %6018 = llvm.add %6017, %5775 overflow<nsw, nuw> : i64
    %6019 = llvm.add %6018, %54 overflow<nsw, nuw> : i64
    %6020 = llvm.getelementptr inbounds|nuw %3222[%6019] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6021 = llvm.load %6020 : !llvm.ptr -> f16
    %6022 = llvm.insertelement %5805, %37[%36 : i64] : vector<32xf16>
    %6023 = llvm.insertelement %5812, %6022[%35 : i64] : vector<32xf16>
    %6024 = llvm.insertelement %5819, %6023[%34 : i64] : vector<32xf16>
    %6025 = llvm.insertelement %5826, %6024[%33 : i64] : vector<32xf16>
    %6026 = llvm.insertelement %5833, %6025[%32 : i64] : vector<32xf16>
    %6027 = llvm.insertelement %5840, %6026[%31 : i64] : vector<32xf16>
    %6028 = llvm.insertelement %5847, %6027[%30 : i64] : vector<32xf16>
    %6029 = llvm.insertelement %5854, %6028[%29 : i64] : vector<32xf16>
    %6030 = llvm.insertelement %5861, %6029[%28 : i64] : vector<32xf16>
    %6031 = llvm.insertelement %5868, %6030[%27 : i64] : vector<32xf16>
    %6032 = llvm.insertelement %5875, %6031[%26 : i64] : vector<32xf16>
    %6033 = llvm.insertelement %5882, %6032[%25 : i64] : vector<32xf16>
    %6034 = llvm.insertelement %5889, %6033[%24 : i64] : vector<32xf16>
    %6035 = llvm.insertelement %5896, %6034[%23 : i64] : vector<32xf16>
    %6036 = llvm.insertelement %5903, %6035[%22 : i64] : vector<32xf16>
    %6037 = llvm.insertelement %5910, %6036[%21 : i64] : vector<32xf16>
    %6038 = llvm.insertelement %5916, %6037[%20 : i64] : vector<32xf16>
    %6039 = llvm.insertelement %5923, %6038[%19 : i64] : vector<32xf16>
    %6040 = llvm.insertelement %5930, %6039[%18 : i64] : vector<32xf16>
    %6041 = llvm.insertelement %5937, %6040[%17 : i64] : vector<32xf16>
    %6042 = llvm.insertelement %5944, %6041[%16 : i64] : vector<32xf16>
    %6043 = llvm.insertelement %5951, %6042[%15 : i64] : vector<32xf16>
    %6044 = llvm.insertelement %5958, %6043[%14 : i64] : vector<32xf16>
    %6045 = llvm.insertelement %5965, %6044[%13 : i64] : vector<32xf16>
    %6046 = llvm.insertelement %5972, %6045[%12 : i64] : vector<32xf16>
    %6047 = llvm.insertelement %5979, %6046[%11 : i64] : vector<32xf16>
    %6048 = llvm.insertelement %5986, %6047[%10 : i64] : vector<32xf16>
    %6049 = llvm.insertelement %5993, %6048[%9 : i64] : vector<32xf16>
    %6050 = llvm.insertelement %6000, %6049[%8 : i64] : vector<32xf16>
    %6051 = llvm.insertelement %6007, %6050[%7 : i64] : vector<32xf16>
    %6052 = llvm.insertelement %6014, %6051[%6 : i64] : vector<32xf16>
    %6053 = llvm.insertelement %6021, %6052[%5 : i64] : vector<32xf16>
    %6054 = llvm.insertelement %5798, %37[%111 : i32] : vector<32xf16>
    %6055 = llvm.shufflevector %6054, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6056 = llvm.fmul %6055, %6053 : vector<32xf16>
    %6057 = llvm.fadd %5776, %6056 : vector<32xf16>
    %6058 = llvm.add %5790, %5917 overflow<nsw, nuw> : i64
    %6059 = llvm.add %6058, %5793 overflow<nsw, nuw> : i64
    %6060 = llvm.add %6059, %5775 overflow<nsw, nuw> : i64
    %6061 = llvm.add %6060, %54 overflow<nsw, nuw> : i64
    %6062 = llvm.getelementptr inbounds|nuw %3216[%6061] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6063 = llvm.load %6062 : !llvm.ptr -> f16
    %6064 = llvm.insertelement %6063, %37[%111 : i32] : vector<32xf16>
    %6065 = llvm.shufflevector %6064, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6066 = llvm.fmul %6065, %6053 : vector<32xf16>
    %6067 = llvm.fadd %5777, %6066 : vector<32xf16>
    %6068 = llvm.add %5790, %5924 overflow<nsw, nuw> : i64
    %6069 = llvm.add %6068, %5793 overflow<nsw, nuw> : i64
    %6070 = llvm.add %6069, %5775 overflow<nsw, nuw> : i64
    %6071 = llvm.add %6070, %54 overflow<nsw, nuw> : i64
    %6072 = llvm.getelementptr inbounds|nuw %3216[%6071] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6073 = llvm.load %6072 : !llvm.ptr -> f16
    %6074 = llvm.insertelement %6073, %37[%111 : i32] : vector<32xf16>
    %6075 = llvm.shufflevector %6074, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6076 = llvm.fmul %6075, %6053 : vector<32xf16>
    %6077 = llvm.fadd %5778, %6076 : vector<32xf16>
    %6078 = llvm.add %5790, %5931 overflow<nsw, nuw> : i64
    %6079 = llvm.add %6078, %5793 overflow<nsw, nuw> : i64
    %6080 = llvm.add %6079, %5775 overflow<nsw, nuw> : i64
    %6081 = llvm.add %6080, %54 overflow<nsw, nuw> : i64
    %6082 = llvm.getelementptr inbounds|nuw %3216[%6081] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6083 = llvm.load %6082 : !llvm.ptr -> f16
    %6084 = llvm.insertelement %6083, %37[%111 : i32] : vector<32xf16>
    %6085 = llvm.shufflevector %6084, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6086 = llvm.fmul %6085, %6053 : vector<32xf16>
    %6087 = llvm.fadd %5779, %6086 : vector<32xf16>
    %6088 = llvm.add %5790, %5938 overflow<nsw, nuw> : i64
    %6089 = llvm.add %6088, %5793 overflow<nsw, nuw> : i64
    %6090 = llvm.add %6089, %5775 overflow<nsw, nuw> : i64
    %6091 = llvm.add %6090, %54 overflow<nsw, nuw> : i64
    %6092 = llvm.getelementptr inbounds|nuw %3216[%6091] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6093 = llvm.load %6092 : !llvm.ptr -> f16
    %6094 = llvm.insertelement %6093, %37[%111 : i32] : vector<32xf16>
    %6095 = llvm.shufflevector %6094, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6096 = llvm.fmul %6095, %6053 : vector<32xf16>
    %6097 = llvm.fadd %5780, %6096 : vector<32xf16>
    %6098 = llvm.add %5790, %5945 overflow<nsw, nuw> : i64
    %6099 = llvm.add %6098, %5793 overflow<nsw, nuw> : i64
    %6100 = llvm.add %6099, %5775 overflow<nsw, nuw> : i64
    %6101 = llvm.add %6100, %54 overflow<nsw, nuw> : i64
    %6102 = llvm.getelementptr inbounds|nuw %3216[%6101] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6103 = llvm.load %6102 : !llvm.ptr -> f16
    %6104 = llvm.insertelement %6103, %37[%111 : i32] : vector<32xf16>
    %6105 = llvm.shufflevector %6104, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6106 = llvm.fmul %6105, %6053 : vector<32xf16>
    %6107 = llvm.fadd %5781, %6106 : vector<32xf16>
    %6108 = llvm.add %5790, %5952 overflow<nsw, nuw> : i64
    %6109 = llvm.add %6108, %5793 overflow<nsw, nuw> : i64
    %6110 = llvm.add %6109, %5775 overflow<nsw, nuw> : i64
    %6111 = llvm.add %6110, %54 overflow<nsw, nuw> : i64
    %6112 = llvm.getelementptr inbounds|nuw %3216[%6111] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6113 = llvm.load %6112 : !llvm.ptr -> f16
    %6114 = llvm.insertelement %6113, %37[%111 : i32] : vector<32xf16>
    %6115 = llvm.shufflevector %6114, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6116 = llvm.fmul %6115, %6053 : vector<32xf16>
    %6117 = llvm.fadd %5782, %6116 : vector<32xf16>
    %6118 = llvm.add %5790, %5959 overflow<nsw, nuw> : i64
    %6119 = llvm.add %6118, %5793 overflow<nsw, nuw> : i64
    %6120 = llvm.add %6119, %5775 overflow<nsw, nuw> : i64
    %6121 = llvm.add %6120, %54 overflow<nsw, nuw> : i64
    %6122 = llvm.getelementptr inbounds|nuw %3216[%6121] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6123 = llvm.load %6122 : !llvm.ptr -> f16
    %6124 = llvm.insertelement %6123, %37[%111 : i32] : vector<32xf16>
    %6125 = llvm.shufflevector %6124, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6126 = llvm.fmul %6125, %6053 : vector<32xf16>
    %6127 = llvm.fadd %5783, %6126 : vector<32xf16>
    %6128 = llvm.add %5790, %5966 overflow<nsw, nuw> : i64
    %6129 = llvm.add %6128, %5793 overflow<nsw, nuw> : i64
    %6130 = llvm.add %6129, %5775 overflow<nsw, nuw> : i64
    %6131 = llvm.add %6130, %54 overflow<nsw, nuw> : i64
    %6132 = llvm.getelementptr inbounds|nuw %3216[%6131] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6133 = llvm.load %6132 : !llvm.ptr -> f16
    %6134 = llvm.insertelement %6133, %37[%111 : i32] : vector<32xf16>
    %6135 = llvm.shufflevector %6134, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6136 = llvm.fmul %6135, %6053 : vector<32xf16>
    %6137 = llvm.fadd %5784, %6136 : vector<32xf16>
    %6138 = llvm.add %5790, %5973 overflow<nsw, nuw> : i64
    %6139 = llvm.add %6138, %5793 overflow<nsw, nuw> : i64
    %6140 = llvm.add %6139, %5775 overflow<nsw, nuw> : i64
    %6141 = llvm.add %6140, %54 overflow<nsw, nuw> : i64
    %6142 = llvm.getelementptr inbounds|nuw %3216[%6141] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6143 = llvm.load %6142 : !llvm.ptr -> f16
    %6144 = llvm.insertelement %6143, %37[%111 : i32] : vector<32xf16>
    %6145 = llvm.shufflevector %6144, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6146 = llvm.fmul %6145, %6053 : vector<32xf16>
    %6147 = llvm.fadd %5785, %6146 : vector<32xf16>
    %6148 = llvm.add %5790, %5980 overflow<nsw, nuw> : i64
    %6149 = llvm.add %6148, %5793 overflow<nsw, nuw> : i64
    %6150 = llvm.add %6149, %5775 overflow<nsw, nuw> : i64
    %6151 = llvm.add %6150, %54 overflow<nsw, nuw> : i64
    %6152 = llvm.getelementptr inbounds|nuw %3216[%6151] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6153 = llvm.load %6152 : !llvm.ptr -> f16
    %6154 = llvm.insertelement %6153, %37[%111 : i32] : vector<32xf16>
    %6155 = llvm.shufflevector %6154, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6156 = llvm.fmul %6155, %6053 : vector<32xf16>
    %6157 = llvm.fadd %5786, %6156 : vector<32xf16>
    %6158 = llvm.add %5790, %5987 overflow<nsw, nuw> : i64
    %6159 = llvm.add %6158, %5793 overflow<nsw, nuw> : i64
    %6160 = llvm.add %6159, %5775 overflow<nsw, nuw> : i64
    %6161 = llvm.add %6160, %54 overflow<nsw, nuw> : i64
    %6162 = llvm.getelementptr inbounds|nuw %3216[%6161] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6163 = llvm.load %6162 : !llvm.ptr -> f16
    %6164 = llvm.insertelement %6163, %37[%111 : i32] : vector<32xf16>
    %6165 = llvm.shufflevector %6164, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6166 = llvm.fmul %6165, %6053 : vector<32xf16>
    %6167 = llvm.fadd %5787, %6166 : vector<32xf16>
    %6168 = llvm.add %5790, %5994 overflow<nsw, nuw> : i64
    %6169 = llvm.add %6168, %5793 overflow<nsw, nuw> : i64
    %6170 = llvm.add %6169, %5775 overflow<nsw, nuw> : i64
    %6171 = llvm.add %6170, %54 overflow<nsw, nuw> : i64
    %6172 = llvm.getelementptr inbounds|nuw %3216[%6171] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6173 = llvm.load %6172 : !llvm.ptr -> f16
    %6174 = llvm.insertelement %6173, %37[%111 : i32] : vector<32xf16>
    %6175 = llvm.shufflevector %6174, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6176 = llvm.fmul %6175, %6053 : vector<32xf16>
    %6177 = llvm.fadd %5788, %6176 : vector<32xf16>
    %6178 = llvm.add %5775, %52 : i64
    llvm.br ^bb351(%6178, %6057, %6067, %6077, %6087, %6097, %6107, %6117, %6127, %6137, %6147, %6157, %6167, %6177 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb353:  // pred: ^bb351
    %6179 = llvm.load %4636 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6180 = llvm.fadd %6179, %5776 : vector<32xf16>
    llvm.store %6180, %4636 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6181 = llvm.load %4640 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6182 = llvm.fadd %6181, %5777 : vector<32xf16>
    llvm.store %6182, %4640 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6183 = llvm.load %4644 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6184 = llvm.fadd %6183, %5778 : vector<32xf16>
    llvm.store %6184, %4644 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6185 = llvm.load %4648 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6186 = llvm.fadd %6185, %5779 : vector<32xf16>
    llvm.store %6186, %4648 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6187 = llvm.load %4652 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6188 = llvm.fadd %6187, %5780 : vector<32xf16>
    llvm.store %6188, %4652 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6189 = llvm.load %4656 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6190 = llvm.fadd %6189, %5781 : vector<32xf16>
    llvm.store %6190, %4656 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6191 = llvm.load %4660 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6192 = llvm.fadd %6191, %5782 : vector<32xf16>
    llvm.store %6192, %4660 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6193 = llvm.load %4664 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6194 = llvm.fadd %6193, %5783 : vector<32xf16>
    llvm.store %6194, %4664 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6195 = llvm.load %4668 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6196 = llvm.fadd %6195, %5784 : vector<32xf16>
    llvm.store %6196, %4668 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6197 = llvm.load %4672 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6198 = llvm.fadd %6197, %5785 : vector<32xf16>
    llvm.store %6198, %4672 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6199 = llvm.load %4676 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6200 = llvm.fadd %6199, %5786 : vector<32xf16>
    llvm.store %6200, %4676 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6201 = llvm.load %4680 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6202 = llvm.fadd %6201, %5787 : vector<32xf16>
    llvm.store %6202, %4680 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6203 = llvm.load %4684 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6204 = llvm.fadd %6203, %5788 : vector<32xf16>
    llvm.store %6204, %4684 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    llvm.br ^bb354(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb354(%6205: i64, %6206: vector<32xf16>, %6207: vector<32xf16>, %6208: vector<32xf16>, %6209: vector<32xf16>, %6210: vector<32xf16>, %6211: vector<32xf16>, %6212: vector<32xf16>, %6213: vector<32xf16>, %6214: vector<32xf16>, %6215: vector<32xf16>, %6216: vector<32xf16>, %6217: vector<32xf16>, %6218: vector<32xf16>, %6219: vector<32xf16>, %6220: vector<32xf16>, %6221: vector<32xf16>):  // 2 preds: ^bb353, ^bb355
    %6222 = llvm.icmp "slt" %6205, %60 : i64
    llvm.cond_br %6222, ^bb355, ^bb356
  ^bb355:  // pred: ^bb354
    %6223 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %6224 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %6225 = llvm.add %6223, %6224 overflow<nsw, nuw> : i64
    %6226 = llvm.add %6225, %6224 overflow<nsw, nuw> : i64
    %6227 = llvm.add %6226, %6205 overflow<nsw, nuw> : i64
    %6228 = llvm.add %6227, %54 overflow<nsw, nuw> : i64
    %6229 = llvm.getelementptr inbounds|nuw %3216[%6228] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6230 = llvm.load %6229 : !llvm.ptr -> f16
    %6231 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %6232 = llvm.mul %87, %60 overflow<nsw, nuw> : i64
    %6233 = llvm.add %6231, %6232 overflow<nsw, nuw> : i64
    %6234 = llvm.add %6233, %6224 overflow<nsw, nuw> : i64
    %6235 = llvm.add %6234, %6205 overflow<nsw, nuw> : i64
    %6236 = llvm.add %6235, %54 overflow<nsw, nuw> : i64
    %6237 = llvm.getelementptr inbounds|nuw %3222[%6236] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6238 = llvm.load %6237 : !llvm.ptr -> f16
    %6239 = llvm.mul %99, %60 overflow<nsw, nuw> : i64
    %6240 = llvm.add %6231, %6239 overflow<nsw, nuw> : i64
    %6241 = llvm.add %6240, %6224 overflow<nsw, nuw> : i64
    %6242 = llvm.add %6241, %6205 overflow<nsw, nuw> : i64
    %6243 = llvm.add %6242, %54 overflow<nsw, nuw> : i64
    %6244 = llvm.getelementptr inbounds|nuw %3222[%6243] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6245 = llvm.load %6244 : !llvm.ptr -> f16
    %6246 = llvm.mul %100, %60 overflow<nsw, nuw> : i64
    %6247 = llvm.add %6231, %6246 overflow<nsw, nuw> : i64
    %6248 = llvm.add %6247, %6224 overflow<nsw, nuw> : i64
    %6249 = llvm.add %6248, %6205 overflow<nsw, nuw> : i64
    %6250 = llvm.add %6249, %54 overflow<nsw, nuw> : i64
    %6251 = llvm.getelementptr inbounds|nuw %3222[%6250] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6252 = llvm.load %6251 : !llvm.ptr -> f16
    %6253 = llvm.mul %101, %60 overflow<nsw, nuw> : i64
    %6254 = llvm.add %6231, %6253 overflow<nsw, nuw> : i64
    %6255 = llvm.add %6254, %6224 overflow<nsw, nuw> : i64
    %6256 = llvm.add %6255, %6205 overflow<nsw, nuw> : i64
    %6257 = llvm.add %6256, %54 overflow<nsw, nuw> : i64
    %6258 = llvm.getelementptr inbounds|nuw %3222[%6257] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6259 = llvm.load %6258 : !llvm.ptr -> f16
    %6260 = llvm.mul %102, %60 overflow<nsw, nuw> : i64
    %6261 = llvm.add %6231, %6260 overflow<nsw, nuw> : i64
    %6262 = llvm.add %6261, %6224 overflow<nsw, nuw> : i64
    %6263 = llvm.add %6262, %6205 overflow<nsw, nuw> : i64
    %6264 = llvm.add %6263, %54 overflow<nsw, nuw> : i64
    %6265 = llvm.getelementptr inbounds|nuw %3222[%6264] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6266 = llvm.load %6265 : !llvm.ptr -> f16
    %6267 = llvm.mul %103, %60 overflow<nsw, nuw> : i64
    %6268 = llvm.add %6231, %6267 overflow<nsw, nuw> : i64
    %6269 = llvm.add %6268, %6224 overflow<nsw, nuw> : i64
    %6270 = llvm.add %6269, %6205 overflow<nsw, nuw> : i64
    %6271 = llvm.add %6270, %54 overflow<nsw, nuw> : i64
    %6272 = llvm.getelementptr inbounds|nuw %3222[%6271] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6273 = llvm.load %6272 : !llvm.ptr -> f16
    %6274 = llvm.mul %104, %60 overflow<nsw, nuw> : i64
    %6275 = llvm.add %6231, %6274 overflow<nsw, nuw> : i64
    %6276 = llvm.add %6275, %6224 overflow<nsw, nuw> : i64
    %6277 = llvm.add %6276, %6205 overflow<nsw, nuw> : i64
    %6278 = llvm.add %6277, %54 overflow<nsw, nuw> : i64
    %6279 = llvm.getelementptr inbounds|nuw %3222[%6278] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6280 = llvm.load %6279 : !llvm.ptr -> f16
    %6281 = llvm.mul %105, %60 overflow<nsw, nuw> : i64
    %6282 = llvm.add %6231, %6281 overflow<nsw, nuw> : i64
    %6283 = llvm.add %6282, %6224 overflow<nsw, nuw> : i64
    %6284 = llvm.add %6283, %6205 overflow<nsw, nuw> : i64
    %6285 = llvm.add %6284, %54 overflow<nsw, nuw> : i64
    %6286 = llvm.getelementptr inbounds|nuw %3222[%6285] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6287 = llvm.load %6286 : !llvm.ptr -> f16
    %6288 = llvm.mul %106, %60 overflow<nsw, nuw> : i64
    %6289 = llvm.add %6231, %6288 overflow<nsw, nuw> : i64
    %6290 = llvm.add %6289, %6224 overflow<nsw, nuw> : i64
    %6291 = llvm.add %6290, %6205 overflow<nsw, nuw> : i64
    %6292 = llvm.add %6291, %54 overflow<nsw, nuw> : i64
    %6293 = llvm.getelementptr inbounds|nuw %3222[%6292] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6294 = llvm.load %6293 : !llvm.ptr -> f16
    %6295 = llvm.mul %107, %60 overflow<nsw, nuw> : i64
    %6296 = llvm.add %6231, %6295 overflow<nsw, nuw> : i64
    %6297 = llvm.add %6296, %6224 overflow<nsw, nuw> : i64
    %6298 = llvm.add %6297, %6205 overflow<nsw, nuw> : i64
    %6299 = llvm.add %6298, %54 overflow<nsw, nuw> : i64
    %6300 = llvm.getelementptr inbounds|nuw %3222[%6299] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6301 = llvm.load %6300 : !llvm.ptr -> f16
    %6302 = llvm.insertelement %6238, %37[%36 : i64] : vector<32xf16>
    %6303 = llvm.insertelement %6245, %6302[%35 : i64] : vector<32xf16>
    %6304 = llvm.insertelement %6252, %6303[%34 : i64] : vector<32xf16>
    %6305 = llvm.insertelement %6259, %6304[%33 : i64] : vector<32xf16>
    %6306 = llvm.insertelement %6266, %6305[%32 : i64] : vector<32xf16>
    %6307 = llvm.insertelement %6273, %6306[%31 : i64] : vector<32xf16>
    %6308 = llvm.insertelement %6280, %6307[%30 : i64] : vector<32xf16>
    %6309 = llvm.insertelement %6287, %6308[%29 : i64] : vector<32xf16>
    %6310 = llvm.insertelement %6294, %6309[%28 : i64] : vector<32xf16>
    %6311 = llvm.insertelement %6301, %6310[%27 : i64] : vector<32xf16>
    %6312 = llvm.insertelement %6301, %6311[%26 : i64] : vector<32xf16>
    %6313 = llvm.insertelement %6301, %6312[%25 : i64] : vector<32xf16>
    %6314 = llvm.insertelement %6301, %6313[%24 : i64] : vector<32xf16>
    %6315 = llvm.insertelement %6301, %6314[%23 : i64] : vector<32xf16>
    %6316 = llvm.insertelement %6301, %6315[%22 : i64] : vector<32xf16>
    %6317 = llvm.insertelement %6301, %6316[%21 : i64] : vector<32xf16>
    %6318 = llvm.insertelement %6301, %6317[%20 : i64] : vector<32xf16>
    %6319 = llvm.insertelement %6301, %6318[%19 : i64] : vector<32xf16>
    %6320 = llvm.insertelement %6301, %6319[%18 : i64] : vector<32xf16>
    %6321 = llvm.insertelement %6301, %6320[%17 : i64] : vector<32xf16>
    %6322 = llvm.insertelement %6301, %6321[%16 : i64] : vector<32xf16>
    %6323 = llvm.insertelement %6301, %6322[%15 : i64] : vector<32xf16>
    %6324 = llvm.insertelement %6301, %6323[%14 : i64] : vector<32xf16>
    %6325 = llvm.insertelement %6301, %6324[%13 : i64] : vector<32xf16>
    %6326 = llvm.insertelement %6301, %6325[%12 : i64] : vector<32xf16>
    %6327 = llvm.insertelement %6301, %6326[%11 : i64] : vector<32xf16>
    %6328 = llvm.insertelement %6301, %6327[%10 : i64] : vector<32xf16>
    %6329 = llvm.insertelement %6301, %6328[%9 : i64] : vector<32xf16>
    %6330 = llvm.insertelement %6301, %6329[%8 : i64] : vector<32xf16>
    %6331 = llvm.insertelement %6301, %6330[%7 : i64] : vector<32xf16>
    %6332 = llvm.insertelement %6301, %6331[%6 : i64] : vector<32xf16>
    %6333 = llvm.insertelement %6301, %6332[%5 : i64] : vector<32xf16>
    %6334 = llvm.insertelement %6230, %37[%111 : i32] : vector<32xf16>
    %6335 = llvm.shufflevector %6334, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6336 = llvm.fmul %6335, %6333 : vector<32xf16>
    %6337 = llvm.fadd %6206, %6336 : vector<32xf16>
    %6338 = llvm.mul %52, %60 overflow<nsw, nuw> : i64
    %6339 = llvm.add %6223, %6338 overflow<nsw, nuw> : i64
    %6340 = llvm.add %6339, %6224 overflow<nsw, nuw> : i64
    %6341 = llvm.add %6340, %6205 overflow<nsw, nuw> : i64
    %6342 = llvm.add %6341, %54 overflow<nsw, nuw> : i64
    %6343 = llvm.getelementptr inbounds|nuw %3216[%6342] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6344 = llvm.load %6343 : !llvm.ptr -> f16
    %6345 = llvm.insertelement %6344, %37[%111 : i32] : vector<32xf16>
    %6346 = llvm.shufflevector %6345, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6347 = llvm.fmul %6346, %6333 : vector<32xf16>
    %6348 = llvm.fadd %6207, %6347 : vector<32xf16>
    %6349 = llvm.mul %53, %60 overflow<nsw, nuw> : i64
    %6350 = llvm.add %6223, %6349 overflow<nsw, nuw> : i64
    %6351 = llvm.add %6350, %6224 overflow<nsw, nuw> : i64
    %6352 = llvm.add %6351, %6205 overflow<nsw, nuw> : i64
    %6353 = llvm.add %6352, %54 overflow<nsw, nuw> : i64
    %6354 = llvm.getelementptr inbounds|nuw %3216[%6353] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6355 = llvm.load %6354 : !llvm.ptr -> f16
    %6356 = llvm.insertelement %6355, %37[%111 : i32] : vector<32xf16>
    %6357 = llvm.shufflevector %6356, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6358 = llvm.fmul %6357, %6333 : vector<32xf16>
    %6359 = llvm.fadd %6208, %6358 : vector<32xf16>
    %6360 = llvm.mul %66, %60 overflow<nsw, nuw> : i64
    %6361 = llvm.add %6223, %6360 overflow<nsw, nuw> : i64
    %6362 = llvm.add %6361, %6224 overflow<nsw, nuw> : i64
    %6363 = llvm.add %6362, %6205 overflow<nsw, nuw> : i64
    %6364 = llvm.add %6363, %54 overflow<nsw, nuw> : i64
    %6365 = llvm.getelementptr inbounds|nuw %3216[%6364] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6366 = llvm.load %6365 : !llvm.ptr -> f16
    %6367 = llvm.insertelement %6366, %37[%111 : i32] : vector<32xf16>
    %6368 = llvm.shufflevector %6367, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6369 = llvm.fmul %6368, %6333 : vector<32xf16>
    %6370 = llvm.fadd %6209, %6369 : vector<32xf16>
    %6371 = llvm.mul %65, %60 overflow<nsw, nuw> : i64
    %6372 = llvm.add %6223, %6371 overflow<nsw, nuw> : i64
    %6373 = llvm.add %6372, %6224 overflow<nsw, nuw> : i64
    %6374 = llvm.add %6373, %6205 overflow<nsw, nuw> : i64
    %6375 = llvm.add %6374, %54 overflow<nsw, nuw> : i64
    %6376 = llvm.getelementptr inbounds|nuw %3216[%6375] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6377 = llvm.load %6376 : !llvm.ptr -> f16
    %6378 = llvm.insertelement %6377, %37[%111 : i32] : vector<32xf16>
    %6379 = llvm.shufflevector %6378, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6380 = llvm.fmul %6379, %6333 : vector<32xf16>
    %6381 = llvm.fadd %6210, %6380 : vector<32xf16>
    %6382 = llvm.mul %67, %60 overflow<nsw, nuw> : i64
    %6383 = llvm.add %6223, %6382 overflow<nsw, nuw> : i64
    %6384 = llvm.add %6383, %6224 overflow<nsw, nuw> : i64
    %6385 = llvm.add %6384, %6205 overflow<nsw, nuw> : i64
    %6386 = llvm.add %6385, %54 overflow<nsw, nuw> : i64
    %6387 = llvm.getelementptr inbounds|nuw %3216[%6386] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6388 = llvm.load %6387 : !llvm.ptr -> f16
    %6389 = llvm.insertelement %6388, %37[%111 : i32] : vector<32xf16>
    %6390 = llvm.shufflevector %6389, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6391 = llvm.fmul %6390, %6333 : vector<32xf16>
    %6392 = llvm.fadd %6211, %6391 : vector<32xf16>
    %6393 = llvm.mul %68, %60 overflow<nsw, nuw> : i64
    %6394 = llvm.add %6223, %6393 overflow<nsw, nuw> : i64
    %6395 = llvm.add %6394, %6224 overflow<nsw, nuw> : i64
    %6396 = llvm.add %6395, %6205 overflow<nsw, nuw> : i64
    %6397 = llvm.add %6396, %54 overflow<nsw, nuw> : i64
    %6398 = llvm.getelementptr inbounds|nuw %3216[%6397] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6399 = llvm.load %6398 : !llvm.ptr -> f16
    %6400 = llvm.insertelement %6399, %37[%111 : i32] : vector<32xf16>
    %6401 = llvm.shufflevector %6400, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6402 = llvm.fmul %6401, %6333 : vector<32xf16>
    %6403 = llvm.fadd %6212, %6402 : vector<32xf16>
    %6404 = llvm.mul %69, %60 overflow<nsw, nuw> : i64
    %6405 = llvm.add %6223, %6404 overflow<nsw, nuw> : i64
    %6406 = llvm.add %6405, %6224 overflow<nsw, nuw> : i64
    %6407 = llvm.add %6406, %6205 overflow<nsw, nuw> : i64
    %6408 = llvm.add %6407, %54 overflow<nsw, nuw> : i64
    %6409 = llvm.getelementptr inbounds|nuw %3216[%6408] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6410 = llvm.load %6409 : !llvm.ptr -> f16
    %6411 = llvm.insertelement %6410, %37[%111 : i32] : vector<32xf16>
    %6412 = llvm.shufflevector %6411, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6413 = llvm.fmul %6412, %6333 : vector<32xf16>
    %6414 = llvm.fadd %6213, %6413 : vector<32xf16>
    %6415 = llvm.mul %60, %60 overflow<nsw, nuw> : i64
    %6416 = llvm.add %6223, %6415 overflow<nsw, nuw> : i64
    %6417 = llvm.add %6416, %6224 overflow<nsw, nuw> : i64
    %6418 = llvm.add %6417, %6205 overflow<nsw, nuw> : i64
    %6419 = llvm.add %6418, %54 overflow<nsw, nuw> : i64
    %6420 = llvm.getelementptr inbounds|nuw %3216[%6419] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6421 = llvm.load %6420 : !llvm.ptr -> f16
    %6422 = llvm.insertelement %6421, %37[%111 : i32] : vector<32xf16>
    %6423 = llvm.shufflevector %6422, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6424 = llvm.fmul %6423, %6333 : vector<32xf16>
    %6425 = llvm.fadd %6214, %6424 : vector<32xf16>
    %6426 = llvm.mul %70, %60 overflow<nsw, nuw> : i64
    %6427 = llvm.add %6223, %6426 overflow<nsw, nuw> : i64
    %6428 = llvm.add %6427, %6224 overflow<nsw, nuw> : i64
    %6429 = llvm.add %6428, %6205 overflow<nsw, nuw> : i64
    %6430 = llvm.add %6429, %54 overflow<nsw, nuw> : i64
    %6431 = llvm.getelementptr inbounds|nuw %3216[%6430] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6432 = llvm.load %6431 : !llvm.ptr -> f16
    %6433 = llvm.insertelement %6432, %37[%111 : i32] : vector<32xf16>
    %6434 = llvm.shufflevector %6433, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6435 = llvm.fmul %6434, %6333 : vector<32xf16>
    %6436 = llvm.fadd %6215, %6435 : vector<32xf16>
    %6437 = llvm.mul %71, %60 overflow<nsw, nuw> : i64
    %6438 = llvm.add %6223, %6437 overflow<nsw, nuw> : i64
    %6439 = llvm.add %6438, %6224 overflow<nsw, nuw> : i64
    %6440 = llvm.add %6439, %6205 overflow<nsw, nuw> : i64
    %6441 = llvm.add %6440, %54 overflow<nsw, nuw> : i64
    %6442 = llvm.getelementptr inbounds|nuw %3216[%6441] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6443 = llvm.load %6442 : !llvm.ptr -> f16
    %6444 = llvm.insertelement %6443, %37[%111 : i32] : vector<32xf16>
    %6445 = llvm.shufflevector %6444, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6446 = llvm.fmul %6445, %6333 : vector<32xf16>
    %6447 = llvm.fadd %6216, %6446 : vector<32xf16>
    %6448 = llvm.mul %72, %60 overflow<nsw, nuw> : i64
    %6449 = llvm.add %6223, %6448 overflow<nsw, nuw> : i64
    %6450 = llvm.add %6449, %6224 overflow<nsw, nuw> : i64
    %6451 = llvm.add %6450, %6205 overflow<nsw, nuw> : i64
    %6452 = llvm.add %6451, %54 overflow<nsw, nuw> : i64
    %6453 = llvm.getelementptr inbounds|nuw %3216[%6452] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6454 = llvm.load %6453 : !llvm.ptr -> f16
    %6455 = llvm.insertelement %6454, %37[%111 : i32] : vector<32xf16>
    %6456 = llvm.shufflevector %6455, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6457 = llvm.fmul %6456, %6333 : vector<32xf16>
    %6458 = llvm.fadd %6217, %6457 : vector<32xf16>
    %6459 = llvm.mul %64, %60 overflow<nsw, nuw> : i64
    %6460 = llvm.add %6223, %6459 overflow<nsw, nuw> : i64
    %6461 = llvm.add %6460, %6224 overflow<nsw, nuw> : i64
    %6462 = llvm.add %6461, %6205 overflow<nsw, nuw> : i64
    %6463 = llvm.add %6462, %54 overflow<nsw, nuw> : i64
    %6464 = llvm.getelementptr inbounds|nuw %3216[%6463] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6465 = llvm.load %6464 : !llvm.ptr -> f16
    %6466 = llvm.insertelement %6465, %37[%111 : i32] : vector<32xf16>
    %6467 = llvm.shufflevector %6466, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6468 = llvm.fmul %6467, %6333 : vector<32xf16>
    %6469 = llvm.fadd %6218, %6468 : vector<32xf16>
    %6470 = llvm.mul %59, %60 overflow<nsw, nuw> : i64
    %6471 = llvm.add %6223, %6470 overflow<nsw, nuw> : i64
    %6472 = llvm.add %6471, %6224 overflow<nsw, nuw> : i64
    %6473 = llvm.add %6472, %6205 overflow<nsw, nuw> : i64
    %6474 = llvm.add %6473, %54 overflow<nsw, nuw> : i64
    %6475 = llvm.getelementptr inbounds|nuw %3216[%6474] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6476 = llvm.load %6475 : !llvm.ptr -> f16
    %6477 = llvm.insertelement %6476, %37[%111 : i32] : vector<32xf16>
    %6478 = llvm.shufflevector %6477, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6479 = llvm.fmul %6478, %6333 : vector<32xf16>
    %6480 = llvm.fadd %6219, %6479 : vector<32xf16>
    %6481 = llvm.mul %73, %60 overflow<nsw, nuw> : i64
    %6482 = llvm.add %6223, %6481 overflow<nsw, nuw> : i64
    %6483 = llvm.add %6482, %6224 overflow<nsw, nuw> : i64
    %6484 = llvm.add %6483, %6205 overflow<nsw, nuw> : i64
    %6485 = llvm.add %6484, %54 overflow<nsw, nuw> : i64
    %6486 = llvm.getelementptr inbounds|nuw %3216[%6485] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6487 = llvm.load %6486 : !llvm.ptr -> f16
    %6488 = llvm.insertelement %6487, %37[%111 : i32] : vector<32xf16>
    %6489 = llvm.shufflevector %6488, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6490 = llvm.fmul %6489, %6333 : vector<32xf16>
    %6491 = llvm.fadd %6220, %6490 : vector<32xf16>
    %6492 = llvm.mul %74, %60 overflow<nsw, nuw> : i64
    %6493 = llvm.add %6223, %6492 overflow<nsw, nuw> : i64
    %6494 = llvm.add %6493, %6224 overflow<nsw, nuw> : i64
    %6495 = llvm.add %6494, %6205 overflow<nsw, nuw> : i64
    %6496 = llvm.add %6495, %54 overflow<nsw, nuw> : i64
    %6497 = llvm.getelementptr inbounds|nuw %3216[%6496] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6498 = llvm.load %6497 : !llvm.ptr -> f16
    %6499 = llvm.insertelement %6498, %37[%111 : i32] : vector<32xf16>
    %6500 = llvm.shufflevector %6499, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6501 = llvm.fmul %6500, %6333 : vector<32xf16>
    %6502 = llvm.fadd %6221, %6501 : vector<32xf16>
    %6503 = llvm.add %6205, %52 : i64
    llvm.br ^bb354(%6503, %6337, %6348, %6359, %6370, %6381, %6392, %6403, %6414, %6425, %6436, %6447, %6458, %6469, %6480, %6491, %6502 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb356:  // pred: ^bb354
    %6504 = llvm.intr.masked.load %4985, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6505 = llvm.fadd %6504, %6206 : vector<32xf16>
    llvm.intr.masked.store %6505, %4985, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6506 = llvm.intr.masked.load %4987, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6507 = llvm.fadd %6506, %6207 : vector<32xf16>
    llvm.intr.masked.store %6507, %4987, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6508 = llvm.intr.masked.load %4989, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6509 = llvm.fadd %6508, %6208 : vector<32xf16>
    llvm.intr.masked.store %6509, %4989, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6510 = llvm.intr.masked.load %4991, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6511 = llvm.fadd %6510, %6209 : vector<32xf16>
    llvm.intr.masked.store %6511, %4991, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6512 = llvm.intr.masked.load %4993, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6513 = llvm.fadd %6512, %6210 : vector<32xf16>
    llvm.intr.masked.store %6513, %4993, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6514 = llvm.intr.masked.load %4995, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6515 = llvm.fadd %6514, %6211 : vector<32xf16>
    llvm.intr.masked.store %6515, %4995, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6516 = llvm.intr.masked.load %4997, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6517 = llvm.fadd %6516, %6212 : vector<32xf16>
    llvm.intr.masked.store %6517, %4997, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6518 = llvm.intr.masked.load %4999, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6519 = llvm.fadd %6518, %6213 : vector<32xf16>
    llvm.intr.masked.store %6519, %4999, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6520 = llvm.intr.masked.load %5001, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6521 = llvm.fadd %6520, %6214 : vector<32xf16>
    llvm.intr.masked.store %6521, %5001, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6522 = llvm.intr.masked.load %5003, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6523 = llvm.fadd %6522, %6215 : vector<32xf16>
    llvm.intr.masked.store %6523, %5003, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6524 = llvm.intr.masked.load %5005, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6525 = llvm.fadd %6524, %6216 : vector<32xf16>
    llvm.intr.masked.store %6525, %5005, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6526 = llvm.intr.masked.load %5007, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6527 = llvm.fadd %6526, %6217 : vector<32xf16>
    llvm.intr.masked.store %6527, %5007, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6528 = llvm.intr.masked.load %5009, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6529 = llvm.fadd %6528, %6218 : vector<32xf16>
    llvm.intr.masked.store %6529, %5009, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6530 = llvm.intr.masked.load %5011, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6531 = llvm.fadd %6530, %6219 : vector<32xf16>
    llvm.intr.masked.store %6531, %5011, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6532 = llvm.intr.masked.load %5013, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6533 = llvm.fadd %6532, %6220 : vector<32xf16>
    llvm.intr.masked.store %6533, %5013, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6534 = llvm.intr.masked.load %5015, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6535 = llvm.fadd %6534, %6221 : vector<32xf16>
    llvm.intr.masked.store %6535, %5015, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    llvm.br ^bb357(%54, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89, %89 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb357(%6536: i64, %6537: vector<32xf16>, %6538: vector<32xf16>, %6539: vector<32xf16>, %6540: vector<32xf16>, %6541: vector<32xf16>, %6542: vector<32xf16>, %6543: vector<32xf16>, %6544: vector<32xf16>, %6545: vector<32xf16>, %6546: vector<32xf16>, %6547: vector<32xf16>, %6548: vector<32xf16>, %6549: vector<32xf16>):  // 2 preds: ^bb356, ^bb358
    %6550 = llvm.icmp "slt" %6536, %60 : i64
    llvm.cond_br %6550, ^bb358, ^bb359
  ^bb358:  // pred: ^bb357
    %6551 = llvm.mul %54, %3 overflow<nsw, nuw> : i64
    %6552 = llvm.mul %63, %60 overflow<nsw, nuw> : i64
    %6553 = llvm.add %6551, %6552 overflow<nsw, nuw> : i64
    %6554 = llvm.mul %54, %60 overflow<nsw, nuw> : i64
    %6555 = llvm.add %6553, %6554 overflow<nsw, nuw> : i64
    %6556 = llvm.add %6555, %6536 overflow<nsw, nuw> : i64
    %6557 = llvm.add %6556, %54 overflow<nsw, nuw> : i64
    %6558 = llvm.getelementptr inbounds|nuw %3216[%6557] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6559 = llvm.load %6558 : !llvm.ptr -> f16
    %6560 = llvm.mul %54, %126 overflow<nsw, nuw> : i64
    %6561 = llvm.mul %87, %60 overflow<nsw, nuw> : i64
    %6562 = llvm.add %6560, %6561 overflow<nsw, nuw> : i64
    %6563 = llvm.add %6562, %6554 overflow<nsw, nuw> : i64
    %6564 = llvm.add %6563, %6536 overflow<nsw, nuw> : i64
    %6565 = llvm.add %6564, %54 overflow<nsw, nuw> : i64
    %6566 = llvm.getelementptr inbounds|nuw %3222[%6565] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6567 = llvm.load %6566 : !llvm.ptr -> f16
    %6568 = llvm.mul %99, %60 overflow<nsw, nuw> : i64
    %6569 = llvm.add %6560, %6568 overflow<nsw, nuw> : i64
    %6570 = llvm.add %6569, %6554 overflow<nsw, nuw> : i64
    %6571 = llvm.add %6570, %6536 overflow<nsw, nuw> : i64
    %6572 = llvm.add %6571, %54 overflow<nsw, nuw> : i64
    %6573 = llvm.getelementptr inbounds|nuw %3222[%6572] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6574 = llvm.load %6573 : !llvm.ptr -> f16
    %6575 = llvm.mul %100, %60 overflow<nsw, nuw> : i64
    %6576 = llvm.add %6560, %6575 overflow<nsw, nuw> : i64
    %6577 = llvm.add %6576, %6554 overflow<nsw, nuw> : i64
    %6578 = llvm.add %6577, %6536 overflow<nsw, nuw> : i64
    %6579 = llvm.add %6578, %54 overflow<nsw, nuw> : i64
    %6580 = llvm.getelementptr inbounds|nuw %3222[%6579] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6581 = llvm.load %6580 : !llvm.ptr -> f16
    %6582 = llvm.mul %101, %60 overflow<nsw, nuw> : i64
    %6583 = llvm.add %6560, %6582 overflow<nsw, nuw> : i64
    %6584 = llvm.add %6583, %6554 overflow<nsw, nuw> : i64
    %6585 = llvm.add %6584, %6536 overflow<nsw, nuw> : i64
    %6586 = llvm.add %6585, %54 overflow<nsw, nuw> : i64
    %6587 = llvm.getelementptr inbounds|nuw %3222[%6586] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6588 = llvm.load %6587 : !llvm.ptr -> f16
    %6589 = llvm.mul %102, %60 overflow<nsw, nuw> : i64
    %6590 = llvm.add %6560, %6589 overflow<nsw, nuw> : i64
    %6591 = llvm.add %6590, %6554 overflow<nsw, nuw> : i64
    %6592 = llvm.add %6591, %6536 overflow<nsw, nuw> : i64
    %6593 = llvm.add %6592, %54 overflow<nsw, nuw> : i64
    %6594 = llvm.getelementptr inbounds|nuw %3222[%6593] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6595 = llvm.load %6594 : !llvm.ptr -> f16
    %6596 = llvm.mul %103, %60 overflow<nsw, nuw> : i64
    %6597 = llvm.add %6560, %6596 overflow<nsw, nuw> : i64
    %6598 = llvm.add %6597, %6554 overflow<nsw, nuw> : i64
    %6599 = llvm.add %6598, %6536 overflow<nsw, nuw> : i64
    %6600 = llvm.add %6599, %54 overflow<nsw, nuw> : i64
    %6601 = llvm.getelementptr inbounds|nuw %3222[%6600] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6602 = llvm.load %6601 : !llvm.ptr -> f16
    %6603 = llvm.mul %104, %60 overflow<nsw, nuw> : i64
    %6604 = llvm.add %6560, %6603 overflow<nsw, nuw> : i64
    %6605 = llvm.add %6604, %6554 overflow<nsw, nuw> : i64
    %6606 = llvm.add %6605, %6536 overflow<nsw, nuw> : i64
    %6607 = llvm.add %6606, %54 overflow<nsw, nuw> : i64
    %6608 = llvm.getelementptr inbounds|nuw %3222[%6607] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6609 = llvm.load %6608 : !llvm.ptr -> f16
    %6610 = llvm.mul %105, %60 overflow<nsw, nuw> : i64
    %6611 = llvm.add %6560, %6610 overflow<nsw, nuw> : i64
    %6612 = llvm.add %6611, %6554 overflow<nsw, nuw> : i64
    %6613 = llvm.add %6612, %6536 overflow<nsw, nuw> : i64
    %6614 = llvm.add %6613, %54 overflow<nsw, nuw> : i64
    %6615 = llvm.getelementptr inbounds|nuw %3222[%6614] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6616 = llvm.load %6615 : !llvm.ptr -> f16
    %6617 = llvm.mul %106, %60 overflow<nsw, nuw> : i64
    %6618 = llvm.add %6560, %6617 overflow<nsw, nuw> : i64
    %6619 = llvm.add %6618, %6554 overflow<nsw, nuw> : i64
    %6620 = llvm.add %6619, %6536 overflow<nsw, nuw> : i64
    %6621 = llvm.add %6620, %54 overflow<nsw, nuw> : i64
    %6622 = llvm.getelementptr inbounds|nuw %3222[%6621] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6623 = llvm.load %6622 : !llvm.ptr -> f16
    %6624 = llvm.mul %107, %60 overflow<nsw, nuw> : i64
    %6625 = llvm.add %6560, %6624 overflow<nsw, nuw> : i64
    %6626 = llvm.add %6625, %6554 overflow<nsw, nuw> : i64
    %6627 = llvm.add %6626, %6536 overflow<nsw, nuw> : i64
    %6628 = llvm.add %6627, %54 overflow<nsw, nuw> : i64
    %6629 = llvm.getelementptr inbounds|nuw %3222[%6628] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6630 = llvm.load %6629 : !llvm.ptr -> f16
    %6631 = llvm.insertelement %6567, %37[%36 : i64] : vector<32xf16>
    %6632 = llvm.insertelement %6574, %6631[%35 : i64] : vector<32xf16>
    %6633 = llvm.insertelement %6581, %6632[%34 : i64] : vector<32xf16>
    %6634 = llvm.insertelement %6588, %6633[%33 : i64] : vector<32xf16>
    %6635 = llvm.insertelement %6595, %6634[%32 : i64] : vector<32xf16>
    %6636 = llvm.insertelement %6602, %6635[%31 : i64] : vector<32xf16>
    %6637 = llvm.insertelement %6609, %6636[%30 : i64] : vector<32xf16>
    %6638 = llvm.insertelement %6616, %6637[%29 : i64] : vector<32xf16>
    %6639 = llvm.insertelement %6623, %6638[%28 : i64] : vector<32xf16>
    %6640 = llvm.insertelement %6630, %6639[%27 : i64] : vector<32xf16>
    %6641 = llvm.insertelement %6630, %6640[%26 : i64] : vector<32xf16>
    %6642 = llvm.insertelement %6630, %6641[%25 : i64] : vector<32xf16>
    %6643 = llvm.insertelement %6630, %6642[%24 : i64] : vector<32xf16>
    %6644 = llvm.insertelement %6630, %6643[%23 : i64] : vector<32xf16>
    %6645 = llvm.insertelement %6630, %6644[%22 : i64] : vector<32xf16>
    %6646 = llvm.insertelement %6630, %6645[%21 : i64] : vector<32xf16>
    %6647 = llvm.insertelement %6630, %6646[%20 : i64] : vector<32xf16>
    %6648 = llvm.insertelement %6630, %6647[%19 : i64] : vector<32xf16>
    %6649 = llvm.insertelement %6630, %6648[%18 : i64] : vector<32xf16>
    %6650 = llvm.insertelement %6630, %6649[%17 : i64] : vector<32xf16>
    %6651 = llvm.insertelement %6630, %6650[%16 : i64] : vector<32xf16>
    %6652 = llvm.insertelement %6630, %6651[%15 : i64] : vector<32xf16>
    %6653 = llvm.insertelement %6630, %6652[%14 : i64] : vector<32xf16>
    %6654 = llvm.insertelement %6630, %6653[%13 : i64] : vector<32xf16>
    %6655 = llvm.insertelement %6630, %6654[%12 : i64] : vector<32xf16>
    %6656 = llvm.insertelement %6630, %6655[%11 : i64] : vector<32xf16>
    %6657 = llvm.insertelement %6630, %6656[%10 : i64] : vector<32xf16>
    %6658 = llvm.insertelement %6630, %6657[%9 : i64] : vector<32xf16>
    %6659 = llvm.insertelement %6630, %6658[%8 : i64] : vector<32xf16>
    %6660 = llvm.insertelement %6630, %6659[%7 : i64] : vector<32xf16>
    %6661 = llvm.insertelement %6630, %6660[%6 : i64] : vector<32xf16>
    %6662 = llvm.insertelement %6630, %6661[%5 : i64] : vector<32xf16>
    %6663 = llvm.insertelement %6559, %37[%111 : i32] : vector<32xf16>
    %6664 = llvm.shufflevector %6663, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6665 = llvm.fmul %6664, %6662 : vector<32xf16>
    %6666 = llvm.fadd %6537, %6665 : vector<32xf16>
    %6667 = llvm.mul %75, %60 overflow<nsw, nuw> : i64
    %6668 = llvm.add %6551, %6667 overflow<nsw, nuw> : i64
    %6669 = llvm.add %6668, %6554 overflow<nsw, nuw> : i64
    %6670 = llvm.add %6669, %6536 overflow<nsw, nuw> : i64
    %6671 = llvm.add %6670, %54 overflow<nsw, nuw> : i64
    %6672 = llvm.getelementptr inbounds|nuw %3216[%6671] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6673 = llvm.load %6672 : !llvm.ptr -> f16
    %6674 = llvm.insertelement %6673, %37[%111 : i32] : vector<32xf16>
    %6675 = llvm.shufflevector %6674, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6676 = llvm.fmul %6675, %6662 : vector<32xf16>
    %6677 = llvm.fadd %6538, %6676 : vector<32xf16>
    %6678 = llvm.mul %76, %60 overflow<nsw, nuw> : i64
    %6679 = llvm.add %6551, %6678 overflow<nsw, nuw> : i64
    %6680 = llvm.add %6679, %6554 overflow<nsw, nuw> : i64
    %6681 = llvm.add %6680, %6536 overflow<nsw, nuw> : i64
    %6682 = llvm.add %6681, %54 overflow<nsw, nuw> : i64
    %6683 = llvm.getelementptr inbounds|nuw %3216[%6682] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6684 = llvm.load %6683 : !llvm.ptr -> f16
    %6685 = llvm.insertelement %6684, %37[%111 : i32] : vector<32xf16>
    %6686 = llvm.shufflevector %6685, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6687 = llvm.fmul %6686, %6662 : vector<32xf16>
    %6688 = llvm.fadd %6539, %6687 : vector<32xf16>
    %6689 = llvm.mul %77, %60 overflow<nsw, nuw> : i64
    %6690 = llvm.add %6551, %6689 overflow<nsw, nuw> : i64
    %6691 = llvm.add %6690, %6554 overflow<nsw, nuw> : i64
    %6692 = llvm.add %6691, %6536 overflow<nsw, nuw> : i64
    %6693 = llvm.add %6692, %54 overflow<nsw, nuw> : i64
    %6694 = llvm.getelementptr inbounds|nuw %3216[%6693] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6695 = llvm.load %6694 : !llvm.ptr -> f16
    %6696 = llvm.insertelement %6695, %37[%111 : i32] : vector<32xf16>
    %6697 = llvm.shufflevector %6696, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6698 = llvm.fmul %6697, %6662 : vector<32xf16>
    %6699 = llvm.fadd %6540, %6698 : vector<32xf16>
    %6700 = llvm.mul %78, %60 overflow<nsw, nuw> : i64
    %6701 = llvm.add %6551, %6700 overflow<nsw, nuw> : i64
    %6702 = llvm.add %6701, %6554 overflow<nsw, nuw> : i64
    %6703 = llvm.add %6702, %6536 overflow<nsw, nuw> : i64
    %6704 = llvm.add %6703, %54 overflow<nsw, nuw> : i64
    %6705 = llvm.getelementptr inbounds|nuw %3216[%6704] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6706 = llvm.load %6705 : !llvm.ptr -> f16
    %6707 = llvm.insertelement %6706, %37[%111 : i32] : vector<32xf16>
    %6708 = llvm.shufflevector %6707, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6709 = llvm.fmul %6708, %6662 : vector<32xf16>
    %6710 = llvm.fadd %6541, %6709 : vector<32xf16>
    %6711 = llvm.mul %79, %60 overflow<nsw, nuw> : i64
    %6712 = llvm.add %6551, %6711 overflow<nsw, nuw> : i64
    %6713 = llvm.add %6712, %6554 overflow<nsw, nuw> : i64
    %6714 = llvm.add %6713, %6536 overflow<nsw, nuw> : i64
    %6715 = llvm.add %6714, %54 overflow<nsw, nuw> : i64
    %6716 = llvm.getelementptr inbounds|nuw %3216[%6715] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6717 = llvm.load %6716 : !llvm.ptr -> f16
    %6718 = llvm.insertelement %6717, %37[%111 : i32] : vector<32xf16>
    %6719 = llvm.shufflevector %6718, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6720 = llvm.fmul %6719, %6662 : vector<32xf16>
    %6721 = llvm.fadd %6542, %6720 : vector<32xf16>
    %6722 = llvm.mul %80, %60 overflow<nsw, nuw> : i64
    %6723 = llvm.add %6551, %6722 overflow<nsw, nuw> : i64
    %6724 = llvm.add %6723, %6554 overflow<nsw, nuw> : i64
    %6725 = llvm.add %6724, %6536 overflow<nsw, nuw> : i64
    %6726 = llvm.add %6725, %54 overflow<nsw, nuw> : i64
    %6727 = llvm.getelementptr inbounds|nuw %3216[%6726] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6728 = llvm.load %6727 : !llvm.ptr -> f16
    %6729 = llvm.insertelement %6728, %37[%111 : i32] : vector<32xf16>
    %6730 = llvm.shufflevector %6729, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6731 = llvm.fmul %6730, %6662 : vector<32xf16>
    %6732 = llvm.fadd %6543, %6731 : vector<32xf16>
    %6733 = llvm.mul %81, %60 overflow<nsw, nuw> : i64
    %6734 = llvm.add %6551, %6733 overflow<nsw, nuw> : i64
    %6735 = llvm.add %6734, %6554 overflow<nsw, nuw> : i64
    %6736 = llvm.add %6735, %6536 overflow<nsw, nuw> : i64
    %6737 = llvm.add %6736, %54 overflow<nsw, nuw> : i64
    %6738 = llvm.getelementptr inbounds|nuw %3216[%6737] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6739 = llvm.load %6738 : !llvm.ptr -> f16
    %6740 = llvm.insertelement %6739, %37[%111 : i32] : vector<32xf16>
    %6741 = llvm.shufflevector %6740, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6742 = llvm.fmul %6741, %6662 : vector<32xf16>
    %6743 = llvm.fadd %6544, %6742 : vector<32xf16>
    %6744 = llvm.mul %82, %60 overflow<nsw, nuw> : i64
    %6745 = llvm.add %6551, %6744 overflow<nsw, nuw> : i64
    %6746 = llvm.add %6745, %6554 overflow<nsw, nuw> : i64
    %6747 = llvm.add %6746, %6536 overflow<nsw, nuw> : i64
    %6748 = llvm.add %6747, %54 overflow<nsw, nuw> : i64
    %6749 = llvm.getelementptr inbounds|nuw %3216[%6748] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6750 = llvm.load %6749 : !llvm.ptr -> f16
    %6751 = llvm.insertelement %6750, %37[%111 : i32] : vector<32xf16>
    %6752 = llvm.shufflevector %6751, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6753 = llvm.fmul %6752, %6662 : vector<32xf16>
    %6754 = llvm.fadd %6545, %6753 : vector<32xf16>
    %6755 = llvm.mul %83, %60 overflow<nsw, nuw> : i64
    %6756 = llvm.add %6551, %6755 overflow<nsw, nuw> : i64
    %6757 = llvm.add %6756, %6554 overflow<nsw, nuw> : i64
    %6758 = llvm.add %6757, %6536 overflow<nsw, nuw> : i64
    %6759 = llvm.add %6758, %54 overflow<nsw, nuw> : i64
    %6760 = llvm.getelementptr inbounds|nuw %3216[%6759] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6761 = llvm.load %6760 : !llvm.ptr -> f16
    %6762 = llvm.insertelement %6761, %37[%111 : i32] : vector<32xf16>
    %6763 = llvm.shufflevector %6762, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6764 = llvm.fmul %6763, %6662 : vector<32xf16>
    %6765 = llvm.fadd %6546, %6764 : vector<32xf16>
    %6766 = llvm.mul %84, %60 overflow<nsw, nuw> : i64
    %6767 = llvm.add %6551, %6766 overflow<nsw, nuw> : i64
    %6768 = llvm.add %6767, %6554 overflow<nsw, nuw> : i64
    %6769 = llvm.add %6768, %6536 overflow<nsw, nuw> : i64
    %6770 = llvm.add %6769, %54 overflow<nsw, nuw> : i64
    %6771 = llvm.getelementptr inbounds|nuw %3216[%6770] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6772 = llvm.load %6771 : !llvm.ptr -> f16
    %6773 = llvm.insertelement %6772, %37[%111 : i32] : vector<32xf16>
    %6774 = llvm.shufflevector %6773, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6775 = llvm.fmul %6774, %6662 : vector<32xf16>
    %6776 = llvm.fadd %6547, %6775 : vector<32xf16>
    %6777 = llvm.mul %85, %60 overflow<nsw, nuw> : i64
    %6778 = llvm.add %6551, %6777 overflow<nsw, nuw> : i64
    %6779 = llvm.add %6778, %6554 overflow<nsw, nuw> : i64
    %6780 = llvm.add %6779, %6536 overflow<nsw, nuw> : i64
    %6781 = llvm.add %6780, %54 overflow<nsw, nuw> : i64
    %6782 = llvm.getelementptr inbounds|nuw %3216[%6781] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6783 = llvm.load %6782 : !llvm.ptr -> f16
    %6784 = llvm.insertelement %6783, %37[%111 : i32] : vector<32xf16>
    %6785 = llvm.shufflevector %6784, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6786 = llvm.fmul %6785, %6662 : vector<32xf16>
    %6787 = llvm.fadd %6548, %6786 : vector<32xf16>
    %6788 = llvm.mul %86, %60 overflow<nsw, nuw> : i64
    %6789 = llvm.add %6551, %6788 overflow<nsw, nuw> : i64
    %6790 = llvm.add %6789, %6554 overflow<nsw, nuw> : i64
    %6791 = llvm.add %6790, %6536 overflow<nsw, nuw> : i64
    %6792 = llvm.add %6791, %54 overflow<nsw, nuw> : i64
    %6793 = llvm.getelementptr inbounds|nuw %3216[%6792] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6794 = llvm.load %6793 : !llvm.ptr -> f16
    %6795 = llvm.insertelement %6794, %37[%111 : i32] : vector<32xf16>
    %6796 = llvm.shufflevector %6795, %37 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<32xf16> 
    %6797 = llvm.fmul %6796, %6662 : vector<32xf16>
    %6798 = llvm.fadd %6549, %6797 : vector<32xf16>
    %6799 = llvm.add %6536, %52 : i64
    llvm.br ^bb357(%6799, %6666, %6677, %6688, %6699, %6710, %6721, %6732, %6743, %6754, %6765, %6776, %6787, %6798 : i64, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>, vector<32xf16>)
  ^bb359:  // pred: ^bb357
    %6800 = llvm.intr.masked.load %5281, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6801 = llvm.fadd %6800, %6537 : vector<32xf16>
    llvm.intr.masked.store %6801, %5281, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6802 = llvm.intr.masked.load %5283, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6803 = llvm.fadd %6802, %6538 : vector<32xf16>
    llvm.intr.masked.store %6803, %5283, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6804 = llvm.intr.masked.load %5285, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6805 = llvm.fadd %6804, %6539 : vector<32xf16>
    llvm.intr.masked.store %6805, %5285, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6806 = llvm.intr.masked.load %5287, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6807 = llvm.fadd %6806, %6540 : vector<32xf16>
    llvm.intr.masked.store %6807, %5287, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6808 = llvm.intr.masked.load %5289, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6809 = llvm.fadd %6808, %6541 : vector<32xf16>
    llvm.intr.masked.store %6809, %5289, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6810 = llvm.intr.masked.load %5291, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6811 = llvm.fadd %6810, %6542 : vector<32xf16>
    llvm.intr.masked.store %6811, %5291, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6812 = llvm.intr.masked.load %5293, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6813 = llvm.fadd %6812, %6543 : vector<32xf16>
    llvm.intr.masked.store %6813, %5293, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6814 = llvm.intr.masked.load %5295, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6815 = llvm.fadd %6814, %6544 : vector<32xf16>
    llvm.intr.masked.store %6815, %5295, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6816 = llvm.intr.masked.load %5297, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6817 = llvm.fadd %6816, %6545 : vector<32xf16>
    llvm.intr.masked.store %6817, %5297, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6818 = llvm.intr.masked.load %5299, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6819 = llvm.fadd %6818, %6546 : vector<32xf16>
    llvm.intr.masked.store %6819, %5299, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6820 = llvm.intr.masked.load %5301, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6821 = llvm.fadd %6820, %6547 : vector<32xf16>
    llvm.intr.masked.store %6821, %5301, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6822 = llvm.intr.masked.load %5303, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6823 = llvm.fadd %6822, %6548 : vector<32xf16>
    llvm.intr.masked.store %6823, %5303, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6824 = llvm.intr.masked.load %5305, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6825 = llvm.fadd %6824, %6549 : vector<32xf16>
    llvm.intr.masked.store %6825, %5305, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    llvm.br ^bb360(%54 : i64)
  ^bb360(%6826: i64):  // 2 preds: ^bb359, ^bb361
    %6827 = llvm.icmp "slt" %6826, %62 : i64
    llvm.cond_br %6827, ^bb361, ^bb362
  ^bb361:  // pred: ^bb360
    %6828 = llvm.mul %6826, %88 : i64
    %6829 = llvm.add %4164, %6828 : i64
    %6830 = llvm.add %6829, %54 : i64
    %6831 = llvm.getelementptr %3224[%6830] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6832 = llvm.load %6831 {alignment = 2 : i64} : !llvm.ptr -> vector<32xf16>
    %6833 = llvm.fmul %6832, %108 : vector<32xf16>
    llvm.store %6833, %6831 {alignment = 2 : i64} : vector<32xf16>, !llvm.ptr
    %6834 = llvm.add %6829, %87 : i64
    %6835 = llvm.getelementptr %3224[%6834] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6836 = llvm.intr.masked.load %6835, %127, %89 {alignment = 2 : i32} : (!llvm.ptr, vector<32xi1>, vector<32xf16>) -> vector<32xf16>
    %6837 = llvm.fmul %6836, %108 : vector<32xf16>
    llvm.intr.masked.store %6837, %6835, %127 {alignment = 2 : i32} : vector<32xf16>, vector<32xi1> into !llvm.ptr
    %6838 = llvm.add %6826, %52 : i64
    llvm.br ^bb360(%6838 : i64)
  ^bb362:  // pred: ^bb360
    llvm.br ^bb363(%54 : i64)
  ^bb363(%6839: i64):  // 2 preds: ^bb362, ^bb367
    %6840 = llvm.icmp "slt" %6839, %86 : i64
    llvm.cond_br %6840, ^bb364, ^bb368
  ^bb364:  // pred: ^bb363
    llvm.br ^bb365(%54, %90, %90, %90, %90, %91, %91, %91, %91 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb365(%6841: i64, %6842: vector<16xf32>, %6843: vector<16xf32>, %6844: vector<16xf32>, %6845: vector<16xf32>, %6846: vector<16xf32>, %6847: vector<16xf32>, %6848: vector<16xf32>, %6849: vector<16xf32>):  // 2 preds: ^bb364, ^bb366
    %6850 = llvm.icmp "slt" %6841, %87 : i64
    llvm.cond_br %6850, ^bb366, ^bb367
  ^bb366:  // pred: ^bb365
    %6851 = llvm.mul %6839, %88 : i64
    %6852 = llvm.add %4164, %6851 : i64
    %6853 = llvm.add %6852, %6841 : i64
    %6854 = llvm.getelementptr %3224[%6853] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6855 = llvm.load %6854 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %6856 = llvm.fpext %6855 : vector<16xf16> to vector<16xf32>
    %6857 = llvm.fcmp "ogt" %6856, %6842 : vector<16xf32>
    %6858 = llvm.select %6857, %6856, %6842 : vector<16xi1>, vector<16xf32>
    %6859 = llvm.fcmp "uno" %6856, %6856 : vector<16xf32>
    %6860 = llvm.select %6859, %92, %6846 : vector<16xi1>, vector<16xf32>
    %6861 = llvm.add %6839, %52 : i64
    %6862 = llvm.mul %6861, %88 : i64
    %6863 = llvm.add %4164, %6862 : i64
    %6864 = llvm.add %6863, %6841 : i64
    %6865 = llvm.getelementptr %3224[%6864] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6866 = llvm.load %6865 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %6867 = llvm.fpext %6866 : vector<16xf16> to vector<16xf32>
    %6868 = llvm.fcmp "ogt" %6867, %6843 : vector<16xf32>
    %6869 = llvm.select %6868, %6867, %6843 : vector<16xi1>, vector<16xf32>
    %6870 = llvm.fcmp "uno" %6867, %6867 : vector<16xf32>
    %6871 = llvm.select %6870, %92, %6847 : vector<16xi1>, vector<16xf32>
    %6872 = llvm.add %6839, %53 : i64
    %6873 = llvm.mul %6872, %88 : i64
    %6874 = llvm.add %4164, %6873 : i64
    %6875 = llvm.add %6874, %6841 : i64
    %6876 = llvm.getelementptr %3224[%6875] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6877 = llvm.load %6876 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %6878 = llvm.fpext %6877 : vector<16xf16> to vector<16xf32>
    %6879 = llvm.fcmp "ogt" %6878, %6844 : vector<16xf32>
    %6880 = llvm.select %6879, %6878, %6844 : vector<16xi1>, vector<16xf32>
    %6881 = llvm.fcmp "uno" %6878, %6878 : vector<16xf32>
    %6882 = llvm.select %6881, %92, %6848 : vector<16xi1>, vector<16xf32>
    %6883 = llvm.add %6839, %66 : i64
    %6884 = llvm.mul %6883, %88 : i64
    %6885 = llvm.add %4164, %6884 : i64
    %6886 = llvm.add %6885, %6841 : i64
    %6887 = llvm.getelementptr %3224[%6886] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6888 = llvm.load %6887 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %6889 = llvm.fpext %6888 : vector<16xf16> to vector<16xf32>
    %6890 = llvm.fcmp "ogt" %6889, %6845 : vector<16xf32>
    %6891 = llvm.select %6890, %6889, %6845 : vector<16xi1>, vector<16xf32>
    %6892 = llvm.fcmp "uno" %6889, %6889 : vector<16xf32>
    %6893 = llvm.select %6892, %92, %6849 : vector<16xi1>, vector<16xf32>
    %6894 = llvm.add %6841, %63 : i64
    llvm.br ^bb365(%6894, %6858, %6869, %6880, %6891, %6860, %6871, %6882, %6893 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb367:  // pred: ^bb365
    %6895 = llvm.mul %6839, %88 : i64
    %6896 = llvm.add %4164, %6895 : i64
    %6897 = llvm.add %6896, %87 : i64
    %6898 = llvm.getelementptr %3224[%6897] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6899 = llvm.intr.masked.load %6898, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %6900 = llvm.fpext %6899 : vector<16xf16> to vector<16xf32>
    %6901 = llvm.select %128, %6900, %6842 : vector<16xi1>, vector<16xf32>
    %6902 = llvm.fcmp "ogt" %6901, %6842 : vector<16xf32>
    %6903 = llvm.select %6902, %6901, %6842 : vector<16xi1>, vector<16xf32>
    %6904 = llvm.fcmp "uno" %6901, %6901 : vector<16xf32>
    %6905 = llvm.select %6904, %92, %6846 : vector<16xi1>, vector<16xf32>
    %6906 = llvm.add %6839, %52 : i64
    %6907 = llvm.mul %6906, %88 : i64
    %6908 = llvm.add %4164, %6907 : i64
    %6909 = llvm.add %6908, %87 : i64
    %6910 = llvm.getelementptr %3224[%6909] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6911 = llvm.intr.masked.load %6910, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %6912 = llvm.fpext %6911 : vector<16xf16> to vector<16xf32>
    %6913 = llvm.select %128, %6912, %6843 : vector<16xi1>, vector<16xf32>
    %6914 = llvm.fcmp "ogt" %6913, %6843 : vector<16xf32>
    %6915 = llvm.select %6914, %6913, %6843 : vector<16xi1>, vector<16xf32>
    %6916 = llvm.fcmp "uno" %6913, %6913 : vector<16xf32>
    %6917 = llvm.select %6916, %92, %6847 : vector<16xi1>, vector<16xf32>
    %6918 = llvm.add %6839, %53 : i64
    %6919 = llvm.mul %6918, %88 : i64
    %6920 = llvm.add %4164, %6919 : i64
    %6921 = llvm.add %6920, %87 : i64
    %6922 = llvm.getelementptr %3224[%6921] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6923 = llvm.intr.masked.load %6922, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %6924 = llvm.fpext %6923 : vector<16xf16> to vector<16xf32>
    %6925 = llvm.select %128, %6924, %6844 : vector<16xi1>, vector<16xf32>
    %6926 = llvm.fcmp "ogt" %6925, %6844 : vector<16xf32>
    %6927 = llvm.select %6926, %6925, %6844 : vector<16xi1>, vector<16xf32>
    %6928 = llvm.fcmp "uno" %6925, %6925 : vector<16xf32>
    %6929 = llvm.select %6928, %92, %6848 : vector<16xi1>, vector<16xf32>
    %6930 = llvm.add %6839, %66 : i64
    %6931 = llvm.mul %6930, %88 : i64
    %6932 = llvm.add %4164, %6931 : i64
    %6933 = llvm.add %6932, %87 : i64
    %6934 = llvm.getelementptr %3224[%6933] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6935 = llvm.intr.masked.load %6934, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %6936 = llvm.fpext %6935 : vector<16xf16> to vector<16xf32>
    %6937 = llvm.select %128, %6936, %6845 : vector<16xi1>, vector<16xf32>
    %6938 = llvm.fcmp "ogt" %6937, %6845 : vector<16xf32>
    %6939 = llvm.select %6938, %6937, %6845 : vector<16xi1>, vector<16xf32>
    %6940 = llvm.fcmp "uno" %6937, %6937 : vector<16xf32>
    %6941 = llvm.select %6940, %92, %6849 : vector<16xi1>, vector<16xf32>
    %6942 = llvm.fadd %6903, %6905 : vector<16xf32>
    %6943 = llvm.fadd %6915, %6917 : vector<16xf32>
    %6944 = llvm.fadd %6927, %6929 : vector<16xf32>
    %6945 = llvm.fadd %6939, %6941 : vector<16xf32>
    %6946 = llvm.intr.vector.reduce.fmaximum(%6942) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %6947 = llvm.add %3340, %3340 overflow<nsw, nuw> : i64
    %6948 = llvm.add %6947, %6839 overflow<nsw, nuw> : i64
    %6949 = llvm.getelementptr inbounds|nuw %3225[%6948] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %6946, %6949 : f32, !llvm.ptr
    %6950 = llvm.intr.vector.reduce.fmaximum(%6943) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %6951 = llvm.add %6947, %6906 overflow<nsw, nuw> : i64
    %6952 = llvm.getelementptr inbounds|nuw %3225[%6951] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %6950, %6952 : f32, !llvm.ptr
    %6953 = llvm.intr.vector.reduce.fmaximum(%6944) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %6954 = llvm.add %6947, %6918 overflow<nsw, nuw> : i64
    %6955 = llvm.getelementptr inbounds|nuw %3225[%6954] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %6953, %6955 : f32, !llvm.ptr
    %6956 = llvm.intr.vector.reduce.fmaximum(%6945) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %6957 = llvm.add %6947, %6930 overflow<nsw, nuw> : i64
    %6958 = llvm.getelementptr inbounds|nuw %3225[%6957] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %6956, %6958 : f32, !llvm.ptr
    %6959 = llvm.add %6839, %65 : i64
    llvm.br ^bb363(%6959 : i64)
  ^bb368:  // pred: ^bb363
    llvm.br ^bb369(%54, %90, %91 : i64, vector<16xf32>, vector<16xf32>)
  ^bb369(%6960: i64, %6961: vector<16xf32>, %6962: vector<16xf32>):  // 2 preds: ^bb368, ^bb370
    %6963 = llvm.icmp "slt" %6960, %87 : i64
    llvm.cond_br %6963, ^bb370, ^bb371
  ^bb370:  // pred: ^bb369
    %6964 = llvm.add %4682, %6960 : i64
    %6965 = llvm.getelementptr %3224[%6964] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %6966 = llvm.load %6965 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %6967 = llvm.fpext %6966 : vector<16xf16> to vector<16xf32>
    %6968 = llvm.fcmp "ogt" %6967, %6961 : vector<16xf32>
    %6969 = llvm.select %6968, %6967, %6961 : vector<16xi1>, vector<16xf32>
    %6970 = llvm.fcmp "uno" %6967, %6967 : vector<16xf32>
    %6971 = llvm.select %6970, %92, %6962 : vector<16xi1>, vector<16xf32>
    %6972 = llvm.add %6960, %63 : i64
    llvm.br ^bb369(%6972, %6969, %6971 : i64, vector<16xf32>, vector<16xf32>)
  ^bb371:  // pred: ^bb369
    %6973 = llvm.intr.masked.load %5305, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %6974 = llvm.fpext %6973 : vector<16xf16> to vector<16xf32>
    %6975 = llvm.select %128, %6974, %6961 : vector<16xi1>, vector<16xf32>
    %6976 = llvm.fcmp "ogt" %6975, %6961 : vector<16xf32>
    %6977 = llvm.select %6976, %6975, %6961 : vector<16xi1>, vector<16xf32>
    %6978 = llvm.fcmp "uno" %6975, %6975 : vector<16xf32>
    %6979 = llvm.select %6978, %92, %6962 : vector<16xi1>, vector<16xf32>
    %6980 = llvm.fadd %6977, %6979 : vector<16xf32>
    %6981 = llvm.intr.vector.reduce.fmaximum(%6980) {fastmathFlags = #llvm.fastmath<reassoc>} : (vector<16xf32>) -> f32
    %6982 = llvm.add %3340, %3340 overflow<nsw, nuw> : i64
    %6983 = llvm.add %6982, %86 overflow<nsw, nuw> : i64
    %6984 = llvm.getelementptr inbounds|nuw %3225[%6983] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %6981, %6984 : f32, !llvm.ptr
    %6985 = llvm.mul %54, %62 : i64
    %6986 = llvm.add %6985, %6985 : i64
    %6987 = llvm.add %6986, %54 : i64
    %6988 = llvm.getelementptr %3226[%6987] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %90, %6988 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %6989 = llvm.add %6986, %63 : i64
    %6990 = llvm.getelementptr %3226[%6989] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %90, %6990, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %6991 = llvm.getelementptr %3225[%6987] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %6992 = llvm.load %6991 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %6993 = llvm.load %6988 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %6994 = llvm.fcmp "ugt" %6993, %6992 : vector<16xf32>
    %6995 = llvm.select %6994, %6993, %6992 : vector<16xi1>, vector<16xf32>
    %6996 = llvm.fcmp "uno" %6992, %6992 : vector<16xf32>
    %6997 = llvm.select %6996, %6992, %6995 : vector<16xi1>, vector<16xf32>
    %6998 = llvm.fcmp "oeq" %6997, %90 : vector<16xf32>
    %6999 = llvm.select %6998, %94, %6997 : vector<16xi1>, vector<16xf32>
    %7000 = llvm.fsub %6993, %6999 : vector<16xf32>
    %7001 = llvm.fmul %7000, %110 : vector<16xf32>
    %7002 = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%7001, %111, %7000, %112, %113) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
    %7003 = llvm.fsub %7001, %7002 : vector<16xf32>
    %7004 = llvm.intr.fma(%114, %7002, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7005 = llvm.intr.fma(%7004, %7002, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7006 = llvm.intr.fma(%7005, %7002, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7007 = llvm.intr.fma(%7006, %7002, %118) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7008 = llvm.intr.fma(%7007, %7002, %119) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7009 = llvm.intr.fma(%7008, %7002, %109) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7010 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%7009, %7003, %7000, %112, %113) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
    llvm.store %6997, %6988 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    llvm.store %7010, %6991 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7011 = llvm.getelementptr %3225[%6989] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7012 = llvm.intr.masked.load %7011, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7013 = llvm.intr.masked.load %6990, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7014 = llvm.fcmp "ugt" %7013, %7012 : vector<16xf32>
    %7015 = llvm.select %7014, %7013, %7012 : vector<16xi1>, vector<16xf32>
    %7016 = llvm.fcmp "uno" %7012, %7012 : vector<16xf32>
    %7017 = llvm.select %7016, %7012, %7015 : vector<16xi1>, vector<16xf32>
    %7018 = llvm.fcmp "oeq" %7017, %90 : vector<16xf32>
    %7019 = llvm.select %7018, %94, %7017 : vector<16xi1>, vector<16xf32>
    %7020 = llvm.fsub %7013, %7019 : vector<16xf32>
    %7021 = llvm.fmul %7020, %110 : vector<16xf32>
    %7022 = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%7021, %111, %7020, %112, %113) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
    %7023 = llvm.fsub %7021, %7022 : vector<16xf32>
    %7024 = llvm.intr.fma(%114, %7022, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7025 = llvm.intr.fma(%7024, %7022, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7026 = llvm.intr.fma(%7025, %7022, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7027 = llvm.intr.fma(%7026, %7022, %118) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7028 = llvm.intr.fma(%7027, %7022, %119) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7029 = llvm.intr.fma(%7028, %7022, %109) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7030 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%7029, %7023, %7020, %112, %113) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
    llvm.intr.masked.store %7017, %6990, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.intr.masked.store %7030, %7011, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb372(%54 : i64)
  ^bb372(%7031: i64):  // 2 preds: ^bb371, ^bb376
    %7032 = llvm.icmp "slt" %7031, %62 : i64
    llvm.cond_br %7032, ^bb373, ^bb377
  ^bb373:  // pred: ^bb372
    %7033 = llvm.add %6982, %7031 overflow<nsw, nuw> : i64
    %7034 = llvm.getelementptr inbounds|nuw %3226[%7033] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7035 = llvm.load %7034 : !llvm.ptr -> f32
    %7036 = llvm.fcmp "oeq" %7035, %55 : f32
    %7037 = llvm.select %7036, %56, %7035 : i1, f32
    llvm.br ^bb374(%54 : i64)
  ^bb374(%7038: i64):  // 2 preds: ^bb373, ^bb375
    %7039 = llvm.icmp "slt" %7038, %87 : i64
    llvm.cond_br %7039, ^bb375, ^bb376
  ^bb375:  // pred: ^bb374
    %7040 = llvm.mul %7031, %88 : i64
    %7041 = llvm.add %4164, %7040 : i64
    %7042 = llvm.add %7041, %7038 : i64
    %7043 = llvm.getelementptr %3224[%7042] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7044 = llvm.load %7043 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7045 = llvm.fpext %7044 : vector<16xf16> to vector<16xf32>
    %7046 = llvm.insertelement %7037, %4[%111 : i32] : vector<16xf32>
    %7047 = llvm.shufflevector %7046, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7048 = llvm.fsub %7045, %7047 : vector<16xf32>
    %7049 = llvm.fmul %7048, %110 : vector<16xf32>
    %7050 = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%7049, %111, %7048, %112, %113) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
    %7051 = llvm.fsub %7049, %7050 : vector<16xf32>
    %7052 = llvm.intr.fma(%114, %7050, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7053 = llvm.intr.fma(%7052, %7050, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7054 = llvm.intr.fma(%7053, %7050, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7055 = llvm.intr.fma(%7054, %7050, %118) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7056 = llvm.intr.fma(%7055, %7050, %119) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7057 = llvm.intr.fma(%7056, %7050, %109) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7058 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%7057, %7051, %7048, %112, %113) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
    %7059 = llvm.getelementptr %3235[%7042] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7058, %7059 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7060 = llvm.add %7038, %63 : i64
    llvm.br ^bb374(%7060 : i64)
  ^bb376:  // pred: ^bb374
    %7061 = llvm.mul %7031, %88 : i64
    %7062 = llvm.add %4164, %7061 : i64
    %7063 = llvm.add %7062, %87 : i64
    %7064 = llvm.getelementptr %3224[%7063] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7065 = llvm.intr.masked.load %7064, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7066 = llvm.fpext %7065 : vector<16xf16> to vector<16xf32>
    %7067 = llvm.insertelement %7037, %4[%111 : i32] : vector<16xf32>
    %7068 = llvm.shufflevector %7067, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7069 = llvm.fsub %7066, %7068 : vector<16xf32>
    %7070 = llvm.fmul %7069, %110 : vector<16xf32>
    %7071 = llvm.call_intrinsic "llvm.x86.avx512.mask.reduce.ps.512"(%7070, %111, %7069, %112, %113) : (vector<16xf32>, i32, vector<16xf32>, i16, i32) -> vector<16xf32>
    %7072 = llvm.fsub %7070, %7071 : vector<16xf32>
    %7073 = llvm.intr.fma(%114, %7071, %115) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7074 = llvm.intr.fma(%7073, %7071, %116) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7075 = llvm.intr.fma(%7074, %7071, %117) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7076 = llvm.intr.fma(%7075, %7071, %118) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7077 = llvm.intr.fma(%7076, %7071, %119) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7078 = llvm.intr.fma(%7077, %7071, %109) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7079 = llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"(%7078, %7072, %7069, %112, %113) : (vector<16xf32>, vector<16xf32>, vector<16xf32>, i16, i32) -> vector<16xf32>
    %7080 = llvm.getelementptr %3235[%7063] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %7079, %7080, %128 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %7081 = llvm.add %7031, %52 : i64
    llvm.br ^bb372(%7081 : i64)
  ^bb377:  // pred: ^bb372
    %7082 = llvm.getelementptr %3236[%6987] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %94, %7082 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7083 = llvm.getelementptr %3236[%6989] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %94, %7083, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %7084 = llvm.load %6991 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7085 = llvm.load %7082 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7086 = llvm.fmul %7085, %7084 : vector<16xf32>
    llvm.store %7086, %7082 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7087 = llvm.intr.masked.load %7011, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7088 = llvm.intr.masked.load %7083, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7089 = llvm.fmul %7088, %7087 : vector<16xf32>
    llvm.intr.masked.store %7089, %7083, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb378(%54 : i64)
  ^bb378(%7090: i64):  // 2 preds: ^bb377, ^bb382
    %7091 = llvm.icmp "slt" %7090, %86 : i64
    llvm.cond_br %7091, ^bb379, ^bb383
  ^bb379:  // pred: ^bb378
    llvm.br ^bb380(%54, %94, %94, %94, %94 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb380(%7092: i64, %7093: vector<16xf32>, %7094: vector<16xf32>, %7095: vector<16xf32>, %7096: vector<16xf32>):  // 2 preds: ^bb379, ^bb381
    %7097 = llvm.icmp "slt" %7092, %87 : i64
    llvm.cond_br %7097, ^bb381, ^bb382
  ^bb381:  // pred: ^bb380
    %7098 = llvm.mul %7090, %88 : i64
    %7099 = llvm.add %4164, %7098 : i64
    %7100 = llvm.add %7099, %7092 : i64
    %7101 = llvm.getelementptr %3235[%7100] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7102 = llvm.load %7101 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7103 = llvm.fadd %7093, %7102 : vector<16xf32>
    %7104 = llvm.add %7090, %52 : i64
    %7105 = llvm.mul %7104, %88 : i64
    %7106 = llvm.add %4164, %7105 : i64
    %7107 = llvm.add %7106, %7092 : i64
    %7108 = llvm.getelementptr %3235[%7107] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7109 = llvm.load %7108 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7110 = llvm.fadd %7094, %7109 : vector<16xf32>
    %7111 = llvm.add %7090, %53 : i64
    %7112 = llvm.mul %7111, %88 : i64
    %7113 = llvm.add %4164, %7112 : i64
    %7114 = llvm.add %7113, %7092 : i64
    %7115 = llvm.getelementptr %3235[%7114] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7116 = llvm.load %7115 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7117 = llvm.fadd %7095, %7116 : vector<16xf32>
    %7118 = llvm.add %7090, %66 : i64
    %7119 = llvm.mul %7118, %88 : i64
    %7120 = llvm.add %4164, %7119 : i64
    %7121 = llvm.add %7120, %7092 : i64
    %7122 = llvm.getelementptr %3235[%7121] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7123 = llvm.load %7122 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7124 = llvm.fadd %7096, %7123 : vector<16xf32>
    %7125 = llvm.add %7092, %63 : i64
    llvm.br ^bb380(%7125, %7103, %7110, %7117, %7124 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb382:  // pred: ^bb380
    %7126 = llvm.mul %7090, %88 : i64
    %7127 = llvm.add %4164, %7126 : i64
    %7128 = llvm.add %7127, %87 : i64
    %7129 = llvm.getelementptr %3235[%7128] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7130 = llvm.intr.masked.load %7129, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7131 = llvm.fadd %7093, %7130 : vector<16xf32>
    %7132 = llvm.select %128, %7131, %7093 : vector<16xi1>, vector<16xf32>
    %7133 = llvm.add %7090, %52 : i64
    %7134 = llvm.mul %7133, %88 : i64
    %7135 = llvm.add %4164, %7134 : i64
    %7136 = llvm.add %7135, %87 : i64
    %7137 = llvm.getelementptr %3235[%7136] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7138 = llvm.intr.masked.load %7137, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7139 = llvm.fadd %7094, %7138 : vector<16xf32>
    %7140 = llvm.select %128, %7139, %7094 : vector<16xi1>, vector<16xf32>
    %7141 = llvm.add %7090, %53 : i64
    %7142 = llvm.mul %7141, %88 : i64
    %7143 = llvm.add %4164, %7142 : i64
    %7144 = llvm.add %7143, %87 : i64
    %7145 = llvm.getelementptr %3235[%7144] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7146 = llvm.intr.masked.load %7145, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7147 = llvm.fadd %7095, %7146 : vector<16xf32>
    %7148 = llvm.select %128, %7147, %7095 : vector<16xi1>, vector<16xf32>
    %7149 = llvm.add %7090, %66 : i64
    %7150 = llvm.mul %7149, %88 : i64
    %7151 = llvm.add %4164, %7150 : i64
    %7152 = llvm.add %7151, %87 : i64
    %7153 = llvm.getelementptr %3235[%7152] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7154 = llvm.intr.masked.load %7153, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7155 = llvm.fadd %7096, %7154 : vector<16xf32>
    %7156 = llvm.select %128, %7155, %7096 : vector<16xi1>, vector<16xf32>
    %7157 = "llvm.intr.vector.reduce.fadd"(%56, %7132) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %7158 = llvm.add %6982, %7090 overflow<nsw, nuw> : i64
    %7159 = llvm.getelementptr inbounds|nuw %3236[%7158] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7160 = llvm.load %7159 : !llvm.ptr -> f32
    %7161 = llvm.fadd %7157, %7160 : f32
    llvm.store %7161, %7159 : f32, !llvm.ptr
    %7162 = "llvm.intr.vector.reduce.fadd"(%56, %7140) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %7163 = llvm.add %6982, %7133 overflow<nsw, nuw> : i64
    %7164 = llvm.getelementptr inbounds|nuw %3236[%7163] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7165 = llvm.load %7164 : !llvm.ptr -> f32
    %7166 = llvm.fadd %7162, %7165 : f32
    llvm.store %7166, %7164 : f32, !llvm.ptr
    %7167 = "llvm.intr.vector.reduce.fadd"(%56, %7148) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %7168 = llvm.add %6982, %7141 overflow<nsw, nuw> : i64
    %7169 = llvm.getelementptr inbounds|nuw %3236[%7168] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7170 = llvm.load %7169 : !llvm.ptr -> f32
    %7171 = llvm.fadd %7167, %7170 : f32
    llvm.store %7171, %7169 : f32, !llvm.ptr
    %7172 = "llvm.intr.vector.reduce.fadd"(%56, %7156) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %7173 = llvm.add %6982, %7149 overflow<nsw, nuw> : i64
    %7174 = llvm.getelementptr inbounds|nuw %3236[%7173] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7175 = llvm.load %7174 : !llvm.ptr -> f32
    %7176 = llvm.fadd %7172, %7175 : f32
    llvm.store %7176, %7174 : f32, !llvm.ptr
    %7177 = llvm.add %7090, %65 : i64
    llvm.br ^bb378(%7177 : i64)
  ^bb383:  // pred: ^bb378
    llvm.br ^bb384(%54, %94 : i64, vector<16xf32>)
  ^bb384(%7178: i64, %7179: vector<16xf32>):  // 2 preds: ^bb383, ^bb385
    %7180 = llvm.icmp "slt" %7178, %87 : i64
    llvm.cond_br %7180, ^bb385, ^bb386
  ^bb385:  // pred: ^bb384
    %7181 = llvm.add %4682, %7178 : i64
    %7182 = llvm.getelementptr %3235[%7181] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7183 = llvm.load %7182 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7184 = llvm.fadd %7179, %7183 : vector<16xf32>
    %7185 = llvm.add %7178, %63 : i64
    llvm.br ^bb384(%7185, %7184 : i64, vector<16xf32>)
  ^bb386:  // pred: ^bb384
    %7186 = llvm.getelementptr %3235[%5304] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7187 = llvm.intr.masked.load %7186, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7188 = llvm.fadd %7179, %7187 : vector<16xf32>
    %7189 = llvm.select %128, %7188, %7179 : vector<16xi1>, vector<16xf32>
    %7190 = "llvm.intr.vector.reduce.fadd"(%56, %7189) <{fastmathFlags = #llvm.fastmath<reassoc>}> : (f32, vector<16xf32>) -> f32
    %7191 = llvm.getelementptr inbounds|nuw %3236[%6983] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7192 = llvm.load %7191 : !llvm.ptr -> f32
    %7193 = llvm.fadd %7190, %7192 : f32
    llvm.store %7193, %7191 : f32, !llvm.ptr
    llvm.br ^bb387(%54 : i64)
  ^bb387(%7194: i64):  // 2 preds: ^bb386, ^bb391
    %7195 = llvm.icmp "slt" %7194, %62 : i64
    llvm.cond_br %7195, ^bb388, ^bb392
  ^bb388:  // pred: ^bb387
    llvm.br ^bb389(%54 : i64)
  ^bb389(%7196: i64):  // 2 preds: ^bb388, ^bb390
    %7197 = llvm.icmp "slt" %7196, %87 : i64
    llvm.cond_br %7197, ^bb390, ^bb391
  ^bb390:  // pred: ^bb389
    %7198 = llvm.mul %7194, %88 : i64
    %7199 = llvm.add %4164, %7198 : i64
    %7200 = llvm.add %7199, %7196 : i64
    %7201 = llvm.getelementptr %3235[%7200] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7202 = llvm.load %7201 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7203 = llvm.fptrunc %7202 : vector<16xf32> to vector<16xf16>
    %7204 = llvm.getelementptr %3223[%7200] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %7203, %7204 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %7205 = llvm.add %7196, %63 : i64
    llvm.br ^bb389(%7205 : i64)
  ^bb391:  // pred: ^bb389
    %7206 = llvm.mul %7194, %88 : i64
    %7207 = llvm.add %4164, %7206 : i64
    %7208 = llvm.add %7207, %87 : i64
    %7209 = llvm.getelementptr %3235[%7208] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7210 = llvm.intr.masked.load %7209, %128, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7211 = llvm.fptrunc %7210 : vector<16xf32> to vector<16xf16>
    %7212 = llvm.getelementptr %3223[%7208] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.intr.masked.store %7211, %7212, %128 {alignment = 2 : i32} : vector<16xf16>, vector<16xi1> into !llvm.ptr
    %7213 = llvm.add %7194, %52 : i64
    llvm.br ^bb387(%7213 : i64)
  ^bb392:  // pred: ^bb387
    llvm.br ^bb393(%54 : i64)
  ^bb393(%7214: i64):  // 2 preds: ^bb392, ^bb394
    %7215 = llvm.icmp "slt" %7214, %59 : i64
    llvm.cond_br %7215, ^bb394, ^bb395
  ^bb394:  // pred: ^bb393
    %7216 = llvm.getelementptr %arg29[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7217 = llvm.mul %54, %49 : i64
    %7218 = llvm.mul %7214, %87 : i64
    %7219 = llvm.add %7217, %7218 : i64
    %7220 = llvm.mul %54, %63 : i64
    %7221 = llvm.add %7219, %7220 : i64
    %7222 = llvm.add %7221, %54 : i64
    %7223 = llvm.getelementptr %7216[%7222] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7224 = llvm.load %7223 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7225 = llvm.mul %54, %44 : i64
    %7226 = llvm.mul %7214, %63 : i64
    %7227 = llvm.add %7225, %7226 : i64
    %7228 = llvm.add %7227, %7220 : i64
    %7229 = llvm.add %7228, %54 : i64
    %7230 = llvm.getelementptr %3237[%7229] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %7224, %7230 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %7231 = llvm.add %7214, %52 : i64
    llvm.br ^bb393(%7231 : i64)
  ^bb395:  // pred: ^bb393
    llvm.br ^bb396(%54 : i64)
  ^bb396(%7232: i64):  // 2 preds: ^bb395, ^bb397
    %7233 = llvm.icmp "slt" %7232, %62 : i64
    llvm.cond_br %7233, ^bb397, ^bb398
  ^bb397:  // pred: ^bb396
    %7234 = llvm.getelementptr %arg66[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7235 = llvm.mul %54, %46 : i64
    %7236 = llvm.mul %7232, %87 : i64
    %7237 = llvm.add %7235, %7236 : i64
    %7238 = llvm.mul %54, %63 : i64
    %7239 = llvm.add %7237, %7238 : i64
    %7240 = llvm.add %7239, %54 : i64
    %7241 = llvm.getelementptr %7234[%7240] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7242 = llvm.load %7241 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7243 = llvm.getelementptr %3237[208] : (!llvm.ptr) -> !llvm.ptr, f16
    %7244 = llvm.mul %54, %44 : i64
    %7245 = llvm.mul %7232, %63 : i64
    %7246 = llvm.add %7244, %7245 : i64
    %7247 = llvm.add %7246, %7238 : i64
    %7248 = llvm.add %7247, %54 : i64
    %7249 = llvm.getelementptr %7243[%7248] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    llvm.store %7242, %7249 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %7250 = llvm.add %7232, %52 : i64
    llvm.br ^bb396(%7250 : i64)
  ^bb398:  // pred: ^bb396
    %7251 = llvm.load %6991 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7252 = llvm.add %6985, %54 : i64
    %7253 = llvm.getelementptr %3239[%7252] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7251, %7253 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7254 = llvm.intr.masked.load %7011, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7255 = llvm.add %6985, %63 : i64
    %7256 = llvm.getelementptr %3239[%7255] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %7254, %7256, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb399(%54 : i64)
  ^bb399(%7257: i64):  // 2 preds: ^bb398, ^bb400
    %7258 = llvm.icmp "slt" %7257, %62 : i64
    llvm.cond_br %7258, ^bb400, ^bb401
  ^bb400:  // pred: ^bb399
    %7259 = llvm.add %3340, %7257 overflow<nsw, nuw> : i64
    %7260 = llvm.getelementptr inbounds|nuw %3239[%7259] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7261 = llvm.load %7260 : !llvm.ptr -> f32
    %7262 = llvm.mul %54, %2 : i64
    %7263 = llvm.mul %7257, %63 : i64
    %7264 = llvm.add %7262, %7263 : i64
    %7265 = llvm.mul %54, %63 : i64
    %7266 = llvm.add %7264, %7265 : i64
    %7267 = llvm.add %7266, %54 : i64
    %7268 = llvm.getelementptr %3217[%7267] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7269 = llvm.load %7268 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7270 = llvm.insertelement %7261, %4[%111 : i32] : vector<16xf32>
    %7271 = llvm.shufflevector %7270, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7272 = llvm.fmul %7271, %7269 : vector<16xf32>
    llvm.store %7272, %7268 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7273 = llvm.add %7257, %52 : i64
    llvm.br ^bb399(%7273 : i64)
  ^bb401:  // pred: ^bb399
    llvm.br ^bb402(%54 : i64)
  ^bb402(%7274: i64):  // 2 preds: ^bb401, ^bb403
    %7275 = llvm.icmp "slt" %7274, %88 : i64
    llvm.cond_br %7275, ^bb403, ^bb404
  ^bb403:  // pred: ^bb402
    %7276 = llvm.mul %54, %44 : i64
    %7277 = llvm.mul %7274, %63 : i64
    %7278 = llvm.add %7276, %7277 : i64
    %7279 = llvm.mul %54, %63 : i64
    %7280 = llvm.add %7278, %7279 : i64
    %7281 = llvm.add %7280, %54 : i64
    %7282 = llvm.getelementptr %3237[%7281] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7283 = llvm.load %7282 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7284 = llvm.fpext %7283 : vector<16xf16> to vector<16xf32>
    %7285 = llvm.mul %7274, %63 overflow<nsw> : i64
    %7286 = llvm.getelementptr %132[%7285] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7284, %7286 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7287 = llvm.add %7274, %52 : i64
    llvm.br ^bb402(%7287 : i64)
  ^bb404:  // pred: ^bb402
    llvm.br ^bb405(%54 : i64)
  ^bb405(%7288: i64):  // 2 preds: ^bb404, ^bb412
    %7289 = llvm.icmp "slt" %7288, %82 : i64
    llvm.cond_br %7289, ^bb406, ^bb413
  ^bb406:  // pred: ^bb405
    llvm.br ^bb407(%54 : i64)
  ^bb407(%7290: i64):  // 2 preds: ^bb406, ^bb408
    %7291 = llvm.icmp "slt" %7290, %87 : i64
    llvm.cond_br %7291, ^bb408, ^bb409
  ^bb408:  // pred: ^bb407
    %7292 = llvm.mul %7288, %88 : i64
    %7293 = llvm.add %4164, %7292 : i64
    %7294 = llvm.add %7293, %7290 : i64
    %7295 = llvm.getelementptr %3223[%7294] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7296 = llvm.load %7295 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7297 = llvm.fpext %7296 : vector<16xf16> to vector<16xf32>
    %7298 = llvm.getelementptr %131[%7290] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7297, %7298 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7299 = llvm.add %7288, %52 : i64
    %7300 = llvm.mul %7299, %88 : i64
    %7301 = llvm.add %4164, %7300 : i64
    %7302 = llvm.add %7301, %7290 : i64
    %7303 = llvm.getelementptr %3223[%7302] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7304 = llvm.load %7303 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7305 = llvm.fpext %7304 : vector<16xf16> to vector<16xf32>
    %7306 = llvm.add %7290, %120 : i64
    %7307 = llvm.getelementptr %131[%7306] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7305, %7307 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7308 = llvm.add %7288, %53 : i64
    %7309 = llvm.mul %7308, %88 : i64
    %7310 = llvm.add %4164, %7309 : i64
    %7311 = llvm.add %7310, %7290 : i64
    %7312 = llvm.getelementptr %3223[%7311] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7313 = llvm.load %7312 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7314 = llvm.fpext %7313 : vector<16xf16> to vector<16xf32>
    %7315 = llvm.add %7290, %121 : i64
    %7316 = llvm.getelementptr %131[%7315] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7314, %7316 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7317 = llvm.add %7288, %66 : i64
    %7318 = llvm.mul %7317, %88 : i64
    %7319 = llvm.add %4164, %7318 : i64
    %7320 = llvm.add %7319, %7290 : i64
    %7321 = llvm.getelementptr %3223[%7320] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7322 = llvm.load %7321 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7323 = llvm.fpext %7322 : vector<16xf16> to vector<16xf32>
    %7324 = llvm.add %7290, %122 : i64
    %7325 = llvm.getelementptr %131[%7324] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7323, %7325 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7326 = llvm.add %7288, %65 : i64
    %7327 = llvm.mul %7326, %88 : i64
    %7328 = llvm.add %4164, %7327 : i64
    %7329 = llvm.add %7328, %7290 : i64
    %7330 = llvm.getelementptr %3223[%7329] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7331 = llvm.load %7330 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7332 = llvm.fpext %7331 : vector<16xf16> to vector<16xf32>
    %7333 = llvm.add %7290, %123 : i64
    %7334 = llvm.getelementptr %131[%7333] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7332, %7334 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7335 = llvm.add %7288, %67 : i64
    %7336 = llvm.mul %7335, %88 : i64
    %7337 = llvm.add %4164, %7336 : i64
    %7338 = llvm.add %7337, %7290 : i64
    %7339 = llvm.getelementptr %3223[%7338] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7340 = llvm.load %7339 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7341 = llvm.fpext %7340 : vector<16xf16> to vector<16xf32>
    %7342 = llvm.add %7290, %124 : i64
    %7343 = llvm.getelementptr %131[%7342] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7341, %7343 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7344 = llvm.add %7288, %68 : i64
    %7345 = llvm.mul %7344, %88 : i64
    %7346 = llvm.add %4164, %7345 : i64
    %7347 = llvm.add %7346, %7290 : i64
    %7348 = llvm.getelementptr %3223[%7347] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7349 = llvm.load %7348 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7350 = llvm.fpext %7349 : vector<16xf16> to vector<16xf32>
    %7351 = llvm.add %7290, %125 : i64
    %7352 = llvm.getelementptr %131[%7351] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7350, %7352 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7353 = llvm.add %7288, %69 : i64
    %7354 = llvm.mul %7353, %88 : i64
    %7355 = llvm.add %4164, %7354 : i64
    %7356 = llvm.add %7355, %7290 : i64
    %7357 = llvm.getelementptr %3223[%7356] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7358 = llvm.load %7357 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7359 = llvm.fpext %7358 : vector<16xf16> to vector<16xf32>
    %7360 = llvm.add %7290, %126 : i64
    %7361 = llvm.getelementptr %131[%7360] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7359, %7361 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7362 = llvm.add %7290, %63 : i64
    llvm.br ^bb407(%7362 : i64)
  ^bb409:  // pred: ^bb407
    %7363 = llvm.mul %7288, %88 : i64
    %7364 = llvm.add %4164, %7363 : i64
    %7365 = llvm.add %7364, %87 : i64
    %7366 = llvm.getelementptr %3223[%7365] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7367 = llvm.intr.masked.load %7366, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7368 = llvm.fpext %7367 : vector<16xf16> to vector<16xf32>
    %7369 = llvm.getelementptr %131[32] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7368, %7369 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7370 = llvm.add %7288, %52 : i64
    %7371 = llvm.mul %7370, %88 : i64
    %7372 = llvm.add %4164, %7371 : i64
    %7373 = llvm.add %7372, %87 : i64
    %7374 = llvm.getelementptr %3223[%7373] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7375 = llvm.intr.masked.load %7374, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7376 = llvm.fpext %7375 : vector<16xf16> to vector<16xf32>
    %7377 = llvm.getelementptr %131[80] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7376, %7377 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7378 = llvm.add %7288, %53 : i64
    %7379 = llvm.mul %7378, %88 : i64
    %7380 = llvm.add %4164, %7379 : i64
    %7381 = llvm.add %7380, %87 : i64
    %7382 = llvm.getelementptr %3223[%7381] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7383 = llvm.intr.masked.load %7382, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7384 = llvm.fpext %7383 : vector<16xf16> to vector<16xf32>
    %7385 = llvm.getelementptr %131[128] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7384, %7385 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7386 = llvm.add %7288, %66 : i64
    %7387 = llvm.mul %7386, %88 : i64
    %7388 = llvm.add %4164, %7387 : i64
    %7389 = llvm.add %7388, %87 : i64
    %7390 = llvm.getelementptr %3223[%7389] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7391 = llvm.intr.masked.load %7390, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7392 = llvm.fpext %7391 : vector<16xf16> to vector<16xf32>
    %7393 = llvm.getelementptr %131[176] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7392, %7393 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7394 = llvm.add %7288, %65 : i64
    %7395 = llvm.mul %7394, %88 : i64
    %7396 = llvm.add %4164, %7395 : i64
    %7397 = llvm.add %7396, %87 : i64
    %7398 = llvm.getelementptr %3223[%7397] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7399 = llvm.intr.masked.load %7398, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7400 = llvm.fpext %7399 : vector<16xf16> to vector<16xf32>
    %7401 = llvm.getelementptr %131[224] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7400, %7401 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7402 = llvm.add %7288, %67 : i64
    %7403 = llvm.mul %7402, %88 : i64
    %7404 = llvm.add %4164, %7403 : i64
    %7405 = llvm.add %7404, %87 : i64
    %7406 = llvm.getelementptr %3223[%7405] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7407 = llvm.intr.masked.load %7406, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7408 = llvm.fpext %7407 : vector<16xf16> to vector<16xf32>
    %7409 = llvm.getelementptr %131[272] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7408, %7409 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7410 = llvm.add %7288, %68 : i64
    %7411 = llvm.mul %7410, %88 : i64
    %7412 = llvm.add %4164, %7411 : i64
    %7413 = llvm.add %7412, %87 : i64
    %7414 = llvm.getelementptr %3223[%7413] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7415 = llvm.intr.masked.load %7414, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7416 = llvm.fpext %7415 : vector<16xf16> to vector<16xf32>
    %7417 = llvm.getelementptr %131[320] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7416, %7417 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7418 = llvm.add %7288, %69 : i64
    %7419 = llvm.mul %7418, %88 : i64
    %7420 = llvm.add %4164, %7419 : i64
    %7421 = llvm.add %7420, %87 : i64
    %7422 = llvm.getelementptr %3223[%7421] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7423 = llvm.intr.masked.load %7422, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7424 = llvm.fpext %7423 : vector<16xf16> to vector<16xf32>
    %7425 = llvm.getelementptr %131[368] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7424, %7425 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    llvm.br ^bb410(%54, %91, %91, %91, %91, %91, %91, %91, %91 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb410(%7426: i64, %7427: vector<16xf32>, %7428: vector<16xf32>, %7429: vector<16xf32>, %7430: vector<16xf32>, %7431: vector<16xf32>, %7432: vector<16xf32>, %7433: vector<16xf32>, %7434: vector<16xf32>):  // 2 preds: ^bb409, ^bb411
    %7435 = llvm.icmp "slt" %7426, %88 : i64
    llvm.cond_br %7435, ^bb411, ^bb412
  ^bb411:  // pred: ^bb410
    %7436 = llvm.mul %7426, %63 overflow<nsw> : i64
    %7437 = llvm.getelementptr %132[%7436] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7438 = llvm.load %7437 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7439 = llvm.getelementptr inbounds|nuw %131[%7426] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7440 = llvm.load %7439 : !llvm.ptr -> f32
    %7441 = llvm.insertelement %7440, %4[%111 : i32] : vector<16xf32>
    %7442 = llvm.shufflevector %7441, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7443 = llvm.intr.fmuladd(%7438, %7442, %7427) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7444 = llvm.add %7426, %120 : i64
    %7445 = llvm.getelementptr inbounds|nuw %131[%7444] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7446 = llvm.load %7445 : !llvm.ptr -> f32
    %7447 = llvm.insertelement %7446, %4[%111 : i32] : vector<16xf32>
    %7448 = llvm.shufflevector %7447, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7449 = llvm.intr.fmuladd(%7438, %7448, %7428) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7450 = llvm.add %7426, %121 : i64
    %7451 = llvm.getelementptr inbounds|nuw %131[%7450] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7452 = llvm.load %7451 : !llvm.ptr -> f32
    %7453 = llvm.insertelement %7452, %4[%111 : i32] : vector<16xf32>
    %7454 = llvm.shufflevector %7453, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7455 = llvm.intr.fmuladd(%7438, %7454, %7429) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7456 = llvm.add %7426, %122 : i64
    %7457 = llvm.getelementptr inbounds|nuw %131[%7456] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7458 = llvm.load %7457 : !llvm.ptr -> f32
    %7459 = llvm.insertelement %7458, %4[%111 : i32] : vector<16xf32>
    %7460 = llvm.shufflevector %7459, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7461 = llvm.intr.fmuladd(%7438, %7460, %7430) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7462 = llvm.add %7426, %123 : i64
    %7463 = llvm.getelementptr inbounds|nuw %131[%7462] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7464 = llvm.load %7463 : !llvm.ptr -> f32
    %7465 = llvm.insertelement %7464, %4[%111 : i32] : vector<16xf32>
    %7466 = llvm.shufflevector %7465, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7467 = llvm.intr.fmuladd(%7438, %7466, %7431) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7468 = llvm.add %7426, %124 : i64
    %7469 = llvm.getelementptr inbounds|nuw %131[%7468] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7470 = llvm.load %7469 : !llvm.ptr -> f32
    %7471 = llvm.insertelement %7470, %4[%111 : i32] : vector<16xf32>
    %7472 = llvm.shufflevector %7471, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7473 = llvm.intr.fmuladd(%7438, %7472, %7432) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7474 = llvm.add %7426, %125 : i64
    %7475 = llvm.getelementptr inbounds|nuw %131[%7474] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7476 = llvm.load %7475 : !llvm.ptr -> f32
    %7477 = llvm.insertelement %7476, %4[%111 : i32] : vector<16xf32>
    %7478 = llvm.shufflevector %7477, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7479 = llvm.intr.fmuladd(%7438, %7478, %7433) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7480 = llvm.add %7426, %126 : i64
    %7481 = llvm.getelementptr inbounds|nuw %131[%7480] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7482 = llvm.load %7481 : !llvm.ptr -> f32
    %7483 = llvm.insertelement %7482, %4[%111 : i32] : vector<16xf32>
    %7484 = llvm.shufflevector %7483, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7485 = llvm.intr.fmuladd(%7438, %7484, %7434) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7486 = llvm.add %7426, %52 : i64
    llvm.br ^bb410(%7486, %7443, %7449, %7455, %7461, %7467, %7473, %7479, %7485 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb412:  // pred: ^bb410
    %7487 = llvm.mul %54, %2 : i64
    %7488 = llvm.mul %7288, %63 : i64
    %7489 = llvm.add %7487, %7488 : i64
    %7490 = llvm.mul %54, %63 : i64
    %7491 = llvm.add %7489, %7490 : i64
    %7492 = llvm.add %7491, %54 : i64
    %7493 = llvm.getelementptr %3217[%7492] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7494 = llvm.load %7493 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7495 = llvm.fadd %7494, %7427 : vector<16xf32>
    llvm.store %7495, %7493 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7496 = llvm.mul %7370, %63 : i64
    %7497 = llvm.add %7487, %7496 : i64
    %7498 = llvm.add %7497, %7490 : i64
    %7499 = llvm.add %7498, %54 : i64
    %7500 = llvm.getelementptr %3217[%7499] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7501 = llvm.load %7500 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7502 = llvm.fadd %7501, %7428 : vector<16xf32>
    llvm.store %7502, %7500 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7503 = llvm.mul %7378, %63 : i64
    %7504 = llvm.add %7487, %7503 : i64
    %7505 = llvm.add %7504, %7490 : i64
    %7506 = llvm.add %7505, %54 : i64
    %7507 = llvm.getelementptr %3217[%7506] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7508 = llvm.load %7507 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7509 = llvm.fadd %7508, %7429 : vector<16xf32>
    llvm.store %7509, %7507 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7510 = llvm.mul %7386, %63 : i64
    %7511 = llvm.add %7487, %7510 : i64
    %7512 = llvm.add %7511, %7490 : i64
    %7513 = llvm.add %7512, %54 : i64
    %7514 = llvm.getelementptr %3217[%7513] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7515 = llvm.load %7514 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7516 = llvm.fadd %7515, %7430 : vector<16xf32>
    llvm.store %7516, %7514 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7517 = llvm.mul %7394, %63 : i64
    %7518 = llvm.add %7487, %7517 : i64
    %7519 = llvm.add %7518, %7490 : i64
    %7520 = llvm.add %7519, %54 : i64
    %7521 = llvm.getelementptr %3217[%7520] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7522 = llvm.load %7521 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7523 = llvm.fadd %7522, %7431 : vector<16xf32>
    llvm.store %7523, %7521 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7524 = llvm.mul %7402, %63 : i64
    %7525 = llvm.add %7487, %7524 : i64
    %7526 = llvm.add %7525, %7490 : i64
    %7527 = llvm.add %7526, %54 : i64
    %7528 = llvm.getelementptr %3217[%7527] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7529 = llvm.load %7528 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7530 = llvm.fadd %7529, %7432 : vector<16xf32>
    llvm.store %7530, %7528 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7531 = llvm.mul %7410, %63 : i64
    %7532 = llvm.add %7487, %7531 : i64
    %7533 = llvm.add %7532, %7490 : i64
    %7534 = llvm.add %7533, %54 : i64
    %7535 = llvm.getelementptr %3217[%7534] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7536 = llvm.load %7535 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7537 = llvm.fadd %7536, %7433 : vector<16xf32>
    llvm.store %7537, %7535 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7538 = llvm.mul %7418, %63 : i64
    %7539 = llvm.add %7487, %7538 : i64
    %7540 = llvm.add %7539, %7490 : i64
    %7541 = llvm.add %7540, %54 : i64
    %7542 = llvm.getelementptr %3217[%7541] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7543 = llvm.load %7542 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7544 = llvm.fadd %7543, %7434 : vector<16xf32>
    llvm.store %7544, %7542 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7545 = llvm.add %7288, %60 : i64
    llvm.br ^bb405(%7545 : i64)
  ^bb413:  // pred: ^bb405
    llvm.br ^bb414(%54 : i64)
  ^bb414(%7546: i64):  // 2 preds: ^bb413, ^bb415
    %7547 = llvm.icmp "slt" %7546, %87 : i64
    llvm.cond_br %7547, ^bb415, ^bb416
  ^bb415:  // pred: ^bb414
    %7548 = llvm.add %4666, %7546 : i64
    %7549 = llvm.getelementptr %3223[%7548] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7550 = llvm.load %7549 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7551 = llvm.fpext %7550 : vector<16xf16> to vector<16xf32>
    %7552 = llvm.getelementptr %131[%7546] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7551, %7552 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7553 = llvm.add %4670, %7546 : i64
    %7554 = llvm.getelementptr %3223[%7553] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7555 = llvm.load %7554 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7556 = llvm.fpext %7555 : vector<16xf16> to vector<16xf32>
    %7557 = llvm.add %7546, %120 : i64
    %7558 = llvm.getelementptr %131[%7557] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7556, %7558 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7559 = llvm.add %4674, %7546 : i64
    %7560 = llvm.getelementptr %3223[%7559] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7561 = llvm.load %7560 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7562 = llvm.fpext %7561 : vector<16xf16> to vector<16xf32>
    %7563 = llvm.add %7546, %121 : i64
    %7564 = llvm.getelementptr %131[%7563] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7562, %7564 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7565 = llvm.add %4678, %7546 : i64
    %7566 = llvm.getelementptr %3223[%7565] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7567 = llvm.load %7566 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7568 = llvm.fpext %7567 : vector<16xf16> to vector<16xf32>
    %7569 = llvm.add %7546, %122 : i64
    %7570 = llvm.getelementptr %131[%7569] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7568, %7570 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7571 = llvm.add %4682, %7546 : i64
    %7572 = llvm.getelementptr %3223[%7571] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7573 = llvm.load %7572 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7574 = llvm.fpext %7573 : vector<16xf16> to vector<16xf32>
    %7575 = llvm.add %7546, %123 : i64
    %7576 = llvm.getelementptr %131[%7575] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7574, %7576 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7577 = llvm.add %7546, %63 : i64
    llvm.br ^bb414(%7577 : i64)
  ^bb416:  // pred: ^bb414
    %7578 = llvm.getelementptr %3223[%5296] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7579 = llvm.intr.masked.load %7578, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7580 = llvm.fpext %7579 : vector<16xf16> to vector<16xf32>
    %7581 = llvm.getelementptr %131[32] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7580, %7581 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7582 = llvm.getelementptr %3223[%5298] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7583 = llvm.intr.masked.load %7582, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7584 = llvm.fpext %7583 : vector<16xf16> to vector<16xf32>
    %7585 = llvm.getelementptr %131[80] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7584, %7585 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7586 = llvm.getelementptr %3223[%5300] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7587 = llvm.intr.masked.load %7586, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7588 = llvm.fpext %7587 : vector<16xf16> to vector<16xf32>
    %7589 = llvm.getelementptr %131[128] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7588, %7589 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7590 = llvm.getelementptr %3223[%5302] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7591 = llvm.intr.masked.load %7590, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7592 = llvm.fpext %7591 : vector<16xf16> to vector<16xf32>
    %7593 = llvm.getelementptr %131[176] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7592, %7593 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7594 = llvm.getelementptr %3223[%5304] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7595 = llvm.intr.masked.load %7594, %128, %93 {alignment = 2 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf16>) -> vector<16xf16>
    %7596 = llvm.fpext %7595 : vector<16xf16> to vector<16xf32>
    %7597 = llvm.getelementptr %131[224] : (!llvm.ptr) -> !llvm.ptr, f32
    llvm.store %7596, %7597 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    llvm.br ^bb417(%54, %91, %91, %91, %91, %91 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb417(%7598: i64, %7599: vector<16xf32>, %7600: vector<16xf32>, %7601: vector<16xf32>, %7602: vector<16xf32>, %7603: vector<16xf32>):  // 2 preds: ^bb416, ^bb418
    %7604 = llvm.icmp "slt" %7598, %88 : i64
    llvm.cond_br %7604, ^bb418, ^bb419
  ^bb418:  // pred: ^bb417
    %7605 = llvm.mul %7598, %63 overflow<nsw> : i64
    %7606 = llvm.getelementptr %132[%7605] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7607 = llvm.load %7606 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7608 = llvm.getelementptr inbounds|nuw %131[%7598] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7609 = llvm.load %7608 : !llvm.ptr -> f32
    %7610 = llvm.insertelement %7609, %4[%111 : i32] : vector<16xf32>
    %7611 = llvm.shufflevector %7610, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7612 = llvm.intr.fmuladd(%7607, %7611, %7599) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7613 = llvm.add %7598, %120 : i64
    %7614 = llvm.getelementptr inbounds|nuw %131[%7613] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7615 = llvm.load %7614 : !llvm.ptr -> f32
    %7616 = llvm.insertelement %7615, %4[%111 : i32] : vector<16xf32>
    %7617 = llvm.shufflevector %7616, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7618 = llvm.intr.fmuladd(%7607, %7617, %7600) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7619 = llvm.add %7598, %121 : i64
    %7620 = llvm.getelementptr inbounds|nuw %131[%7619] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7621 = llvm.load %7620 : !llvm.ptr -> f32
    %7622 = llvm.insertelement %7621, %4[%111 : i32] : vector<16xf32>
    %7623 = llvm.shufflevector %7622, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7624 = llvm.intr.fmuladd(%7607, %7623, %7601) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7625 = llvm.add %7598, %122 : i64
    %7626 = llvm.getelementptr inbounds|nuw %131[%7625] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7627 = llvm.load %7626 : !llvm.ptr -> f32
    %7628 = llvm.insertelement %7627, %4[%111 : i32] : vector<16xf32>
    %7629 = llvm.shufflevector %7628, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7630 = llvm.intr.fmuladd(%7607, %7629, %7602) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7631 = llvm.add %7598, %123 : i64
    %7632 = llvm.getelementptr inbounds|nuw %131[%7631] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7633 = llvm.load %7632 : !llvm.ptr -> f32
    %7634 = llvm.insertelement %7633, %4[%111 : i32] : vector<16xf32>
    %7635 = llvm.shufflevector %7634, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7636 = llvm.intr.fmuladd(%7607, %7635, %7603) : (vector<16xf32>, vector<16xf32>, vector<16xf32>) -> vector<16xf32>
    %7637 = llvm.add %7598, %52 : i64
    llvm.br ^bb417(%7637, %7612, %7618, %7624, %7630, %7636 : i64, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>)
  ^bb419:  // pred: ^bb417
    %7638 = llvm.mul %54, %2 : i64
    %7639 = llvm.mul %82, %63 : i64
    %7640 = llvm.add %7638, %7639 : i64
    %7641 = llvm.mul %54, %63 : i64
    %7642 = llvm.add %7640, %7641 : i64
    %7643 = llvm.add %7642, %54 : i64
    %7644 = llvm.getelementptr %3217[%7643] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7645 = llvm.load %7644 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7646 = llvm.fadd %7645, %7599 : vector<16xf32>
    llvm.store %7646, %7644 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7647 = llvm.mul %83, %63 : i64
    %7648 = llvm.add %7638, %7647 : i64
    %7649 = llvm.add %7648, %7641 : i64
    %7650 = llvm.add %7649, %54 : i64
    %7651 = llvm.getelementptr %3217[%7650] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7652 = llvm.load %7651 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7653 = llvm.fadd %7652, %7600 : vector<16xf32>
    llvm.store %7653, %7651 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7654 = llvm.mul %84, %63 : i64
    %7655 = llvm.add %7638, %7654 : i64
    %7656 = llvm.add %7655, %7641 : i64
    %7657 = llvm.add %7656, %54 : i64
    %7658 = llvm.getelementptr %3217[%7657] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7659 = llvm.load %7658 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7660 = llvm.fadd %7659, %7601 : vector<16xf32>
    llvm.store %7660, %7658 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7661 = llvm.mul %85, %63 : i64
    %7662 = llvm.add %7638, %7661 : i64
    %7663 = llvm.add %7662, %7641 : i64
    %7664 = llvm.add %7663, %54 : i64
    %7665 = llvm.getelementptr %3217[%7664] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7666 = llvm.load %7665 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7667 = llvm.fadd %7666, %7602 : vector<16xf32>
    llvm.store %7667, %7665 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7668 = llvm.mul %86, %63 : i64
    %7669 = llvm.add %7638, %7668 : i64
    %7670 = llvm.add %7669, %7641 : i64
    %7671 = llvm.add %7670, %54 : i64
    %7672 = llvm.getelementptr %3217[%7671] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7673 = llvm.load %7672 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7674 = llvm.fadd %7673, %7603 : vector<16xf32>
    llvm.store %7674, %7672 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7675 = llvm.load %7082 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7676 = llvm.fcmp "oeq" %7675, %94 : vector<16xf32>
    %7677 = llvm.fdiv %109, %7675 : vector<16xf32>
    %7678 = llvm.select %7676, %94, %7677 : vector<16xi1>, vector<16xf32>
    llvm.store %7678, %7082 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7679 = llvm.intr.masked.load %7083, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7680 = llvm.fcmp "oeq" %7679, %94 : vector<16xf32>
    %7681 = llvm.fdiv %109, %7679 : vector<16xf32>
    %7682 = llvm.select %7680, %94, %7681 : vector<16xi1>, vector<16xf32>
    llvm.intr.masked.store %7682, %7083, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    %7683 = llvm.load %7082 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7684 = llvm.getelementptr %3238[%7252] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %7683, %7684 {alignment = 4 : i64} : vector<16xf32>, !llvm.ptr
    %7685 = llvm.intr.masked.load %7083, %129, %94 {alignment = 4 : i32} : (!llvm.ptr, vector<16xi1>, vector<16xf32>) -> vector<16xf32>
    %7686 = llvm.getelementptr %3238[%7255] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.intr.masked.store %7685, %7686, %129 {alignment = 4 : i32} : vector<16xf32>, vector<16xi1> into !llvm.ptr
    llvm.br ^bb420(%54 : i64)
  ^bb420(%7687: i64):  // 2 preds: ^bb419, ^bb421
    %7688 = llvm.icmp "slt" %7687, %62 : i64
    llvm.cond_br %7688, ^bb421, ^bb422
  ^bb421:  // pred: ^bb420
    %7689 = llvm.add %3340, %7687 overflow<nsw, nuw> : i64
    %7690 = llvm.getelementptr inbounds|nuw %3238[%7689] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7691 = llvm.load %7690 : !llvm.ptr -> f32
    %7692 = llvm.mul %7687, %63 : i64
    %7693 = llvm.add %7638, %7692 : i64
    %7694 = llvm.add %7693, %7641 : i64
    %7695 = llvm.add %7694, %54 : i64
    %7696 = llvm.getelementptr %3217[%7695] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %7697 = llvm.load %7696 {alignment = 4 : i64} : !llvm.ptr -> vector<16xf32>
    %7698 = llvm.getelementptr %3201[%3242] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7699 = llvm.mul %54, %46 : i64
    %7700 = llvm.mul %7687, %87 : i64
    %7701 = llvm.add %7699, %7700 : i64
    %7702 = llvm.add %7701, %7641 : i64
    %7703 = llvm.add %7702, %54 : i64
    %7704 = llvm.getelementptr %7698[%7703] : (!llvm.ptr, i64) -> !llvm.ptr, f16
    %7705 = llvm.load %7704 {alignment = 2 : i64} : !llvm.ptr -> vector<16xf16>
    %7706 = llvm.insertelement %7691, %4[%111 : i32] : vector<16xf32>
    %7707 = llvm.shufflevector %7706, %4 [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : vector<16xf32> 
    %7708 = llvm.fmul %7707, %7697 : vector<16xf32>
    %7709 = llvm.fpext %7705 : vector<16xf16> to vector<16xf32>
    %7710 = llvm.fadd %7709, %7708 : vector<16xf32>
    %7711 = llvm.fptrunc %7710 : vector<16xf32> to vector<16xf16>
    llvm.store %7711, %7704 {alignment = 2 : i64} : vector<16xf16>, !llvm.ptr
    %7712 = llvm.add %7687, %52 : i64
    llvm.br ^bb420(%7712 : i64)
  ^bb422:  // pred: ^bb420
    %7713 = llvm.add %3240, %52 : i64
    llvm.br ^bb244(%7713 : i64)
  ^bb423:  // pred: ^bb244
    llvm.call @free(%3230) : (!llvm.ptr) -> ()
    %7714 = llvm.insertvalue %433, %0[0] : !llvm.struct<(struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>, struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>)> 
    %7715 = llvm.insertvalue %3210, %7714[1] : !llvm.struct<(struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>, struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>)> 
    llvm.return %7715 : !llvm.struct<(struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>, struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>)>
  }
  llvm.func @_mlir_ciface_flux_joint(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr, %arg3: !llvm.ptr, %arg4: !llvm.ptr, %arg5: !llvm.ptr, %arg6: !llvm.ptr, %arg7: !llvm.ptr, %arg8: !llvm.ptr, %arg9: !llvm.ptr, %arg10: !llvm.ptr, %arg11: !llvm.ptr {check.draw = "uniform -1 1"}, %arg12: !llvm.ptr {check.draw = "uniform -1 1"}) attributes {llvm.emit_c_interface, target_cpu = "emeraldrapids", target_features = #llvm.target_features<["+64bit", "+adx", "+aes", "+avx", "+avx2", "+avx512bf16", "+avx512bitalg", "+avx512bw", "+avx512cd", "+avx512dq", "+avx512f", "+avx512fp16", "+avx512ifma", "+avx512vbmi", "+avx512vbmi2", "+avx512vl", "+avx512vnni", "+avx512vpopcntdq", "+avxvnni", "+bmi", "+bmi2", "+cldemote", "+clflushopt", "+clwb", "+cmov", "+crc32", "+cx16", "+cx8", "+f16c", "+fma", "+fsgsbase", "+fxsr", "+gfni", "+invpcid", "+lzcnt", "+mmx", "+movbe", "+movdir64b", "+movdiri", "+pclmul", "+popcnt", "+prfchw", "+rdpid", "+rdrnd", "+rdseed", "+rtm", "+sahf", "+serialize", "+sha", "+sse", "+sse2", "+sse3", "+sse4.1", "+sse4.2", "+ssse3", "+tsxldtrk", "+vaes", "+vpclmulqdq", "+xsave", "+xsavec", "+xsaveopt", "+xsaves", "-amx-avx512", "-amx-bf16", "-amx-complex", "-amx-fp16", "-amx-fp8", "-amx-int8", "-amx-movrs", "-amx-tf32", "-amx-tile", "-avx10.1", "-avx10.2", "-avx512vp2intersect", "-avxifma", "-avxneconvert", "-avxvnniint16", "-avxvnniint8", "-ccmp", "-cf", "-clzero", "-cmpccxadd", "-egpr", "-enqcmd", "-fma4", "-hreset", "-kl", "-lwp", "-movrs", "-mwaitx", "-ndd", "-nf", "-pconfig", "-pku", "-ppx", "-prefetchi", "-ptwrite", "-push2pop2", "-raoint", "-rdpru", "-sgx", "-sha512", "-shstk", "-sm3", "-sm4", "-sse4a", "-tbm", "-uintr", "-usermsr", "-waitpkg", "-wbnoinvd", "-widekl", "-xop", "-zu"]>} {
    %0 = llvm.load %arg1 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>
    %1 = llvm.extractvalue %0[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %2 = llvm.extractvalue %0[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %3 = llvm.extractvalue %0[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %4 = llvm.extractvalue %0[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %5 = llvm.extractvalue %0[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %6 = llvm.extractvalue %0[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %7 = llvm.extractvalue %0[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %8 = llvm.extractvalue %0[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %9 = llvm.extractvalue %0[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %10 = llvm.load %arg2 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %11 = llvm.extractvalue %10[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %12 = llvm.extractvalue %10[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %13 = llvm.extractvalue %10[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %14 = llvm.extractvalue %10[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %15 = llvm.extractvalue %10[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %16 = llvm.load %arg3 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>
    %17 = llvm.extractvalue %16[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %18 = llvm.extractvalue %16[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %19 = llvm.extractvalue %16[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %20 = llvm.extractvalue %16[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %21 = llvm.extractvalue %16[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %22 = llvm.extractvalue %16[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %23 = llvm.extractvalue %16[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %24 = llvm.extractvalue %16[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %25 = llvm.extractvalue %16[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %26 = llvm.load %arg4 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %27 = llvm.extractvalue %26[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %28 = llvm.extractvalue %26[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %29 = llvm.extractvalue %26[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %30 = llvm.extractvalue %26[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %31 = llvm.extractvalue %26[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %32 = llvm.load %arg5 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>
    %33 = llvm.extractvalue %32[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %34 = llvm.extractvalue %32[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %35 = llvm.extractvalue %32[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %36 = llvm.extractvalue %32[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %37 = llvm.extractvalue %32[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %38 = llvm.extractvalue %32[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %39 = llvm.extractvalue %32[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %40 = llvm.extractvalue %32[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %41 = llvm.extractvalue %32[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %42 = llvm.load %arg6 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>
    %43 = llvm.extractvalue %42[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %44 = llvm.extractvalue %42[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %45 = llvm.extractvalue %42[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %46 = llvm.extractvalue %42[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %47 = llvm.extractvalue %42[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %48 = llvm.extractvalue %42[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %49 = llvm.extractvalue %42[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %50 = llvm.extractvalue %42[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %51 = llvm.extractvalue %42[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %52 = llvm.load %arg7 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %53 = llvm.extractvalue %52[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %54 = llvm.extractvalue %52[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %55 = llvm.extractvalue %52[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %56 = llvm.extractvalue %52[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %57 = llvm.extractvalue %52[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %58 = llvm.load %arg8 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>
    %59 = llvm.extractvalue %58[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %60 = llvm.extractvalue %58[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %61 = llvm.extractvalue %58[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %62 = llvm.extractvalue %58[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %63 = llvm.extractvalue %58[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %64 = llvm.extractvalue %58[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %65 = llvm.extractvalue %58[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %66 = llvm.extractvalue %58[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %67 = llvm.extractvalue %58[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %68 = llvm.load %arg9 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)>
    %69 = llvm.extractvalue %68[0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %70 = llvm.extractvalue %68[1] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %71 = llvm.extractvalue %68[2] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %72 = llvm.extractvalue %68[3, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %73 = llvm.extractvalue %68[4, 0] : !llvm.struct<(ptr, ptr, i64, array<1 x i64>, array<1 x i64>)> 
    %74 = llvm.load %arg10 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>
    %75 = llvm.extractvalue %74[0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %76 = llvm.extractvalue %74[1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %77 = llvm.extractvalue %74[2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %78 = llvm.extractvalue %74[3, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %79 = llvm.extractvalue %74[3, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %80 = llvm.extractvalue %74[3, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %81 = llvm.extractvalue %74[4, 0] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %82 = llvm.extractvalue %74[4, 1] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %83 = llvm.extractvalue %74[4, 2] : !llvm.struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)> 
    %84 = llvm.load %arg11 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %85 = llvm.extractvalue %84[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %86 = llvm.extractvalue %84[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %87 = llvm.extractvalue %84[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %88 = llvm.extractvalue %84[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %89 = llvm.extractvalue %84[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %90 = llvm.extractvalue %84[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %91 = llvm.extractvalue %84[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %92 = llvm.load %arg12 : !llvm.ptr -> !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)>
    %93 = llvm.extractvalue %92[0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %94 = llvm.extractvalue %92[1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %95 = llvm.extractvalue %92[2] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %96 = llvm.extractvalue %92[3, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %97 = llvm.extractvalue %92[3, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %98 = llvm.extractvalue %92[4, 0] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %99 = llvm.extractvalue %92[4, 1] : !llvm.struct<(ptr, ptr, i64, array<2 x i64>, array<2 x i64>)> 
    %100 = llvm.call @flux_joint(%1, %2, %3, %4, %5, %6, %7, %8, %9, %11, %12, %13, %14, %15, %17, %18, %19, %20, %21, %22, %23, %24, %25, %27, %28, %29, %30, %31, %33, %34, %35, %36, %37, %38, %39, %40, %41, %43, %44, %45, %46, %47, %48, %49, %50, %51, %53, %54, %55, %56, %57, %59, %60, %61, %62, %63, %64, %65, %66, %67, %69, %70, %71, %72, %73, %75, %76, %77, %78, %79, %80, %81, %82, %83, %85, %86, %87, %88, %89, %90, %91, %93, %94, %95, %96, %97, %98, %99) : (!llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, i64, i64) -> !llvm.struct<(struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>, struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>)>
    llvm.store %100, %arg0 : !llvm.struct<(struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>, struct<(ptr, ptr, i64, array<3 x i64>, array<3 x i64>)>)>, !llvm.ptr
    llvm.return
  }
}
