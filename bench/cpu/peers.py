"""The contestants of bench/cpu/attention: processes that wait for their turn."""

import os
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))


class Peer:
    """A process that runs when it is asked to."""

    def __init__(self, command, threads=0, blas_threads=1):
        """With `threads`, times are by the clock on the wall; `blas_threads` are those of
        one call of OpenBLAS."""
        # OPENBLAS_CORETYPE and the like may ask for another processor's code; memory that
        # is given back to the system in each call would be measured too.
        env = {k: v for k, v in os.environ.items() if not k.startswith("OPENBLAS_")}
        # Threads that wait would take the next one's time.
        env.update(OPENBLAS_NUM_THREADS=str(blas_threads), OMP_NUM_THREADS=str(max(threads, 1)))
        env.update(MKL_NUM_THREADS=str(max(threads, 1)), OMP_DYNAMIC="false")
        if threads:
            # A thread that sleeps often wakes on the core of the one that wakes it.
            env.update(OMP_WAIT_POLICY="passive", PEER_WALL="1", OMP_PROC_BIND="true")
        env.update(MALLOC_TRIM_THRESHOLD_="-1", MALLOC_MMAP_MAX_="0")
        self.command = command
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env
        )

    def ask(self, what):
        """The numbers of the answer, or none where the process has ended."""
        try:
            self.process.stdin.write(what + "\n")
            self.process.stdin.flush()
            return [float(number) for number in self.process.stdout.readline().split()]
        except BrokenPipeError:
            return []

    def close(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.wait()


class Kind:
    """A contestant for any shape: a command, to which the shape is appended, or, where
    that takes long to start, one process for each number of threads."""

    def __init__(self, command, stays=False, library=True, threads=True):
        self.command, self.stays, self.processes = command, stays, {}
        self.is_library, self.has_threads = library, threads

    def start(self, shape, threads=0):
        shape = [str(n) for n in shape]
        if not self.stays:
            return Peer(self.command + shape, threads)
        if threads not in self.processes:
            self.processes[threads] = Peer(self.command, threads)
        self.processes[threads].ask("shape " + " ".join(shape))
        return self.processes[threads]

    def stop(self, peer):
        if not self.stays:
            peer.close()


def cc(output, source, flags):
    cxx = source.endswith(".cpp")
    command = [shutil.which("g++" if cxx else "gcc") or ("c++" if cxx else "cc"), "-O3"]
    command += ["-march=native", "-ffast-math", "-mprefer-vector-width=512", "-fopenmp"]
    command += ["-o", output, os.path.join(HERE, source)] + flags + ["-lm"]
    return subprocess.run(command, capture_output=True, text=True)


def build_peer(work, source, flags):
    """An executable and its name, or why there is none."""
    path = os.path.join(work, "peer%d" % len(os.listdir(work)))
    done = cc(path, source, flags)
    if done.returncode:
        return None, (done.stderr.strip().splitlines() or ["cannot be compiled"])[0]
    return path, subprocess.run([path], capture_output=True, text=True).stdout.strip()


def find_libraries(prefix, names):
    """Flags that link what is installed under `prefix`."""
    folders = [os.path.join(prefix, x) for x in ("lib", "lib64") if os.path.isdir(os.path.join(prefix, x))]
    return (
        ["-I" + os.path.join(prefix, "include")]
        + [flag for x in folders for flag in ("-L" + x, "-Wl,-rpath," + x)]
        + ["-l" + x for x in names]
    )


def add_python(options, kinds, absent):
    script = os.path.join(HERE, "peer.py")
    for module, name in (("torch", "PyTorch"), ("onnxruntime", "ONNX Runtime")):
        if not options.python:
            absent[name] = "no --python"
            continue
        done = subprocess.run(
            [options.python, script, module, "--name"], capture_output=True, text=True
        )
        if done.returncode:
            absent[name] = (done.stderr.strip().splitlines() or ["it does not start"])[-1]
        else:
            kinds[done.stdout.strip()] = Kind([options.python, script, module], stays=True)
    if "ONNX Runtime" in absent and options.onnxruntime:
        if shutil.which("node"):
            script = os.path.join(HERE, "onnxruntime.js")
            kinds["ONNX Runtime"] = Kind(["node", script, options.onnxruntime], threads=False)
            del absent["ONNX Runtime"]
        else:
            absent["ONNX Runtime"] += ", and there is no node"


def find(options, work):
    """Kinds by name, the libraries first, and by name why others are absent."""
    work = os.path.join(work, "peers")
    os.makedirs(work)
    kinds, absent = {}, {}
    add_python(options, kinds, absent)
    for name, prefix, source, libraries in (
        ("XNNPACK", options.xnnpack, "xnnpack.c", ["XNNPACK", "microkernels-prod"]),
        ("oneDNN Graph", options.onednn, "onednn.cpp", ["dnnl"]),
    ):
        if not prefix:
            absent[name] = "no --" + name.split()[0].lower()
            continue
        if name == "XNNPACK":
            libraries = libraries + ["cpuinfo", "pthreadpool", "pthread"]
        path, what = build_peer(work, source, find_libraries(prefix, libraries))
        if path:
            kinds[what] = Kind([path])
        else:
            absent[name] = what
    flags = find_libraries(options.onednn, ["dnnl"]) if options.onednn else ["-ldnnl"]
    by_hand = {"oneDNN": ["-DDNNL"] + flags}
    for blas in options.blas:
        label, _, file = blas.partition("=")
        by_hand[label] = ['-DLIBRARY="%s"' % file, '-DLIBRARY_NAME="%s"' % label, "-ldl"]
    for label, flags in by_hand.items():
        path, what = build_peer(work, "by_hand.c", flags)
        shape = ["1", "64", "64", "0"]
        # The library is loaded when it runs.
        if path and subprocess.run(
            [path] + shape, stdin=subprocess.DEVNULL, capture_output=True
        ).returncode:
            path, what = None, "there is no sgemm in %s" % flags[0]
        if path:
            kinds[what] = Kind([path], library=False)
        else:
            absent["by hand, " + label] = what
    return kinds, absent
