// ONNX Runtime of Node.js as a contestant of bench/cpu/blocks: see block.py.
//
//   usage: node block.js MODULES FOLDER
//
// MODULES/node_modules has onnxruntime-node; FOLDER has the model, its inputs and what
// it should be.
const fs = require('fs');
const path = require('path');
const readline = require('readline');
const ort = require(path.resolve(process.argv[2], 'node_modules', 'onnxruntime-node'));
const folder = process.argv[3];

const read = name => {
  const bytes = fs.readFileSync(path.join(folder, name));
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
};
const now = () => {
  if (process.env.PEER_WALL) return Number(process.hrtime.bigint()) * 1e-9;
  const { user, system } = process.cpuUsage();
  return (user + system) * 1e-6;
};

(async () => {
  const threads = Number(process.env.OMP_NUM_THREADS || 1);
  const session = await ort.InferenceSession.create(path.join(folder, 'block.onnx'), {
    intraOpNumThreads: threads, interOpNumThreads: 1,
    // Threads that wait would take the next one's time. All but the calling one are bound, as
    // OMP_PROC_BIND does for others.
    extra: {
      session: {
        intra_op: { allow_spinning: '0' },
        ...(threads > 1 && {
          intra_op_thread_affinities:
              Array.from({ length: threads - 1 }, (_, i) => i + 2).join(';')
        })
      }
    }
  });
  const shapes = JSON.parse(fs.readFileSync(path.join(folder, 'arguments.json')));
  const feeds = {};
  for (const name of session.inputNames)
    feeds[name] = new ort.Tensor('float32', new Float32Array(read(name + '.bin')), shapes[name]);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const start = now();
    const { out } = await session.run(feeds);
    const seconds = now() - start;
    if (line.trim() === 'check') {
      const want = new Float64Array(read('want.f64'));
      let difference = 0, largest = 0;
      for (let i = 0; i < want.length; ++i) {
        difference = Math.max(difference, Math.abs(out.data[i] - want[i]));
        largest = Math.max(largest, Math.abs(want[i]));
      }
      console.log((difference / largest).toExponential(3));
    } else {
      console.log(seconds.toFixed(9));
    }
  }
})();
