"""Makes the code objects that the example `ladder` times, from checkouts of others' public repositories.

    python3 sim/examples/ladders/build.py OUT --notebook fp8_gemm_hip_cdna4.ipynb --hipkittens DIR --clr DIR \\
        --clang "python3 -m ziglang clang" --resource-dir RESOURCES

Their authors compiled them with ROCm 7.0 and 7.1, whose clang is of LLVM 20. `pip install ziglang==0.15.2` brings
clang 20.1 and `pip install clang-tidy==20.1.0` its headers: RESOURCES is `clang_tidy/data/lib/clang/20` where that was
installed. It links with lld, of any version. Without --clang it is clang-22.

The notebook is ROCm/gpuaidev's docs/notebooks/gpu_dev_optimize/fp8_gemm_hip_cdna4.ipynb, HipKittens is
HazyResearch/HipKittens (main, f09e9685), clr is ROCm/clr, whose newer headers go over those of Debian's
libamdhip64-dev. Nothing of them is in this repository; each kernel is taken as it is, but for the lines named here.
"""

import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
# hipcc adds -O3; that it inlines everything has to be asked for (--hipcc-no-func-supp).
OPTIONS = ["-x", "hip", "--offload-arch=gfx950", "-O3", "-std=c++20", "-nogpuinc", "-nogpulib",
           "--cuda-device-only", "--no-gpu-bundle-output", "-D__HIP_PLATFORM_AMD__", "-w"]
# In the Makefiles of some of HipKittens' kernels.
FAST = ["-ffast-math"]
# Producers' addresses are the same in all lanes. Computed early for both branches, before and behind the first loads (GVN's
# partial redundancy elimination), they meet in a divergent phi: vector registers, which spill in the kernel of 12
# consumers, and a loop over lanes for each load. Its authors list kernels of theirs that spill, and this is not among them.
# What kept theirs from it is not known; without that pass nothing spills. (LLVM 77069 would turn it off for all GPUs.)
UNIFORM = ["-mllvm", "-enable-pre=false"]
PINGPONG = "template __global__ void fp8_gemm_256x256x128<4096, 4096, 4096>(fp8*, fp8*, bf16*);\n"
FP8_WAVES = ("template __global__ void matmul_device<8192, 8192, 8192>(const kittens::gl<fp8e4m3, 1, 1, 8192, 8192>, "
             "const kittens::gl<fp8e4m3, 1, 1, 8192, 8192>, const kittens::gl<bf16, 1, 1, 8192, 8192>);\n")


def compiler(command, work):
    """What compiles a text with options more than those of all."""
    def build(text, out, options):
        source = work / (out.stem + ".hip")
        source.write_text(text)
        subprocess.run(command + OPTIONS + options + [str(source), "-o", str(out)], check=True)
        print(out.name)
    return build


def notebook(path, out, work, build):
    """The rungs of AMD's FP8 ladder: a cell each that has a kernel."""
    include = work / "small" / "hip"
    include.mkdir(parents=True)
    shutil.copy(HERE / "hip_runtime.h", include)
    for name in ["hip_fp8.h", "hip_ext_ocp.h"]:
        (include / name).write_text("#pragma once\n#include <hip/hip_runtime.h>\n")
    options = ["-fdeclspec", "-I" + str(include.parent)]
    cells = ["".join(c["source"]) for c in json.loads(path.read_text())["cells"] if c["cell_type"] == "code"]
    for i, cell in enumerate(cells):
        parts = re.findall(r"r'''(.*?)'''", cell, re.S) + re.findall(r'r"""(.*?)"""', cell, re.S)
        kernels = [p for p in parts if "__global__" in p]
        if not kernels:
            continue
        # The next cells name what they build of it.
        named = re.search(r'module_name="fp8_gemm_(\w+)"', "".join(cells[i + 1:i + 3]))
        name = named.group(1).removesuffix("_inline") if named and "fp8_gemm_256x256x128" not in kernels[0] else "pingpong"
        text = kernels[0]
        if name == "pingpong":
            types = ("#include <hip/hip_fp8.h>\n#include <bit>\nusing fp8 = __hip_fp8_e4m3;\nusing fp8x4 = __hip_fp8x4_e4m3;\n"
                     "using bf16 = __hip_bfloat16;\nusing i32x4 = int32_t __attribute__((ext_vector_type(4)));\n"
                     "using as3_uint32_ptr = uint32_t __attribute__((address_space(3)))*;\n")
            text = types + text[text.index('extern "C" __device__'):] + PINGPONG
        build(text, out / f"fp8_{name}.co", options)


def kittens(root, clr, out, work, build):
    """HipKittens' schedules: device code only, without the bindings to Python behind it."""
    include = work / "rocm"
    shutil.copytree("/usr/include/hip", include / "hip")
    shutil.copytree(clr / "hipamd/include/hip/amd_detail", include / "hip/amd_detail", dirs_exist_ok=True)
    for kind in ["bf16", "fp16", "fp8"]:
        (include / f"hip/hip_{kind}.h").write_text(f"#include <hip/amd_detail/amd_hip_{kind}.h>\n")
        (include / f"hip_{kind}.h").write_text(f"#include <hip/hip_{kind}.h>\n")
    callback = include / "hip/amd_detail/amd_hip_runtime_pt_api.h"
    callback.write_text(callback.read_text().replace("hipStreamCallback_t", "void*"))
    library = work / "kittens"
    shutil.copytree(root / "include", library)
    loads = library / "ops/warp/memory/tile/global_to_shared.cuh"
    # What is left over of tiles that threads do not divide: an address was made of a pointer without a cast.
    loads.write_text(loads.read_text().replace("uintptr_t lds_addr = lds_base +",
                                               "uintptr_t lds_addr = reinterpret_cast<uintptr_t>(lds_base) +"))
    options = ["-DKITTENS_CDNA4", "-DHIP_ENABLE_WARP_SYNC_BUILTINS", "-Wno-invalid-constexpr",
               "--rocm-path=/nonexistent", "-include", str(HERE / "prelude.h"),
               "-include", "__clang_hip_runtime_wrapper.h", f"-I{include}", f"-I{library}"]

    def bf16(path, name, more, change=lambda text: text):
        text = (root / path).read_text().replace('#include "pyutils/pyutils.cuh"', "")
        build(change(text[:text.index("void dispatch_micro")]), out / f"hk_bf16_{name}.co", options + more)

    gemm = "kernels/gemm/bf16fp32/mi350x"
    bf16(f"{gemm}/256_256_64_32_with16x32.cpp", "m16", [])
    bf16(f"{gemm}/256_256_64_32_with32x16.cpp", "m32", [])
    bf16(f"{gemm}/micros/192x256/kernelv2.cpp", "192x256", FAST)

    def groups(text):
        # A function that HipKittens had when this kernel was written.
        return text.replace('#include "kittens.cuh"', '#include "kittens.cuh"\nnamespace kittens { __device__ inline int '
                            'warpgroupid() { return threadIdx.x / 256; } }')

    for name, file in [("8c4p", "micro_02_2stage_8c4p"), ("12c4p", "micro_04_2stage_12c4p")]:
        bf16(f"{gemm}/micros/producer_consumer/16x32/{file}.cpp", name, FAST + UNIFORM, groups)

    def window(text):
        """The kernels of the grid experiment, in the types that today's library has for their 32 by 32 tiles."""
        text = text.replace("st_bf<BLOCK_SIZE, K_STEP>", "st_bf<BLOCK_SIZE, K_STEP, st_32x32_s>")
        text = re.sub(r"rt_bf<(REG_BLOCK_[MN]), DOT_SLICE>", r"rt_bf<\1, DOT_SLICE, row_l, rt_32x16_s>", text)
        text = text.replace("ducks::rt_layout::accumulator_col", "col_l, rt_32x32_s")
        text = re.sub(r"\n\s*const lds_lane_ofs lane_ofs[^;]*;", "", text).replace(", lane_ofs)", ")")
        return re.sub(r"__host__ __device__ inline int ceil_div.*?\n}\n", "", text, flags=re.S)

    for width in [0, 2, 4, 8, 32]:
        bf16(f"analysis/paper_experiments/grid_micro/kernel_8192_w{width}.cpp", f"window{width}", FAST, window)

    for waves in [4, 8]:
        folder = root / f"kernels/gemm/fp8fp32/FP8_{waves}wave"
        text = (folder / f"{waves}_wave.cu").read_text()
        text = text[:text.index("template <int M, int N, int K>\nvoid random_init")]
        other = text.find("template <int M, int N, int K>\n__global__ __launch_bounds__(256, 1) void matmul_device_1024")
        text = text[:other] if other > 0 else text
        text = re.sub(r'#include (<random>|<omp.h>|<chrono>|"\.\./profile_utils.cpp"|"(\./)?utils.cpp")', "", text)
        text = text.replace("using namespace kittens;", "using namespace kittens;\n" + (folder / "utils.cpp").read_text(), 1)
        build(text + FP8_WAVES, out / f"hk_fp8_{waves}wave.co", options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--notebook", type=pathlib.Path)
    parser.add_argument("--hipkittens", type=pathlib.Path)
    parser.add_argument("--clr", type=pathlib.Path)
    parser.add_argument("--clang", default="clang-22", help="the compiler's command")
    parser.add_argument("--resource-dir", type=pathlib.Path, help="its headers, where it comes without")
    parser.add_argument("--lld", default=shutil.which("lld") or shutil.which("lld-22"))
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    if not args.lld:
        parser.error("there is no lld here: --lld says where one is")
    command = shlex.split(args.clang)
    if args.resource_dir:
        command += ["-resource-dir", str(args.resource_dir)]
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        # Where it looks for a linker.
        (work / "bin").mkdir()
        (work / "bin" / "lld").symlink_to(args.lld)
        build = compiler(command + [f"-B{work}/bin"], work)
        if args.notebook:
            notebook(args.notebook, args.out, work, build)
        if args.hipkittens and args.clr:
            kittens(args.hipkittens, args.clr, args.out, work, build)
        elif args.hipkittens:
            parser.error("HipKittens needs --clr too")


main()
