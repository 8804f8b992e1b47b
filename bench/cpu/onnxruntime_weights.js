// ONNX Runtime's product with weights of 4 bits beside those of bench/cpu/weights, with the
// same weights in the same order.
//
//   usage: node onnxruntime_weights.js FOLDER ROWS COLUMNS SUMS GROUP ACCURACY ROUNDS
//
// FOLDER/node_modules has onnxruntime-node. MatMulNBits, with a scale for each GROUP of a
// column; ACCURACY is its accuracy_level: 0 multiplies in f32, 4 quantizes the rows to int8.
// Prints the seconds that a product takes, and those of a copy of the weights, each round.
// Exits with 1 if a result is wrong.
const path = require('path');
const ort = require(path.resolve(process.argv[2], 'node_modules', 'onnxruntime-node'));
const [m, n, k, group, accuracy, rounds] = process.argv.slice(3).map(Number);
const COPIES = 8, groups = k / group, size = n * k / 2;

// Protocol buffers, as far as they are needed.
const varint = v => { const b = []; for (; v > 127; v = Math.floor(v / 128)) b.push((v % 128) | 128); b.push(v); return Buffer.from(b); };
const number = (field, v) => Buffer.concat([varint(field * 8), varint(v)]);
const bytes = (field, ...parts) => {
  const all = Buffer.concat(parts);
  return Buffer.concat([varint(field * 8 + 2), varint(all.length), all]);
};
const text = (field, s) => bytes(field, Buffer.from(s));
const attribute = (name, i) => bytes(5, text(1, name), number(3, i), number(20, 2));
const value = (field, name, element, dims) => bytes(field, text(1, name), bytes(2,
    bytes(1, number(1, element), bytes(2, ...dims.map(d => bytes(1, number(1, d)))))));
const constant = (name, element, dims, data) => bytes(5, ...dims.map(d => number(1, d)),
    number(2, element), text(8, name), bytes(9, Buffer.from(data.buffer, data.byteOffset, data.byteLength)));

const FLOAT = 1, UINT8 = 2;
const scales = Float32Array.from({ length: n * groups }, (_, i) => (1 + i % 7) / 256);
const x = Float32Array.from({ length: m * k }, (_, i) => ((i * 37 % 101) - 50) / 64);

function makeModel(weights) {
  const node = bytes(1, text(1, 'x'), text(1, 'w'), text(1, 'scales'), text(2, 'y'),
      text(4, 'MatMulNBits'), attribute('K', k), attribute('N', n), attribute('bits', 4),
      attribute('block_size', group), attribute('accuracy_level', accuracy), text(7, 'com.microsoft'));
  const graph = bytes(7, node, text(2, 'product'),
      constant('w', UINT8, [n, groups, group / 2], weights),
      constant('scales', FLOAT, [n * groups], scales),
      value(11, 'x', FLOAT, [m, k]), value(12, 'y', FLOAT, [m, n]));
  return Buffer.concat([number(1, 8), graph, bytes(8, text(1, ''), number(2, 17)),
    bytes(8, text(1, 'com.microsoft'), number(2, 1))]);
}

function isRight(weights, y) {
  for (let i = 0; i < 64; ++i) {
    const row = i % m, column = (i * 61 + 5) % n;
    let sum = 0, all = 0;
    for (let j = 0; j < k; ++j) {
      const at = column * k + j, code = ((weights[at >> 1] >> 4 * (at % 2)) & 15) - 8;
      const term = code * scales[column * groups + Math.floor(j / group)] * x[row * k + j];
      sum += term;
      all += Math.abs(term);
    }
    // The rows are rounded to int8 with accuracy 4.
    if (!(Math.abs(sum - y[row * n + column]) <= (accuracy === 4 ? 1e-2 : 1e-5) * all)) {
      console.error(`row ${row}, column ${column}: ${y[row * n + column]}, expected ${sum}`);
      return false;
    }
  }
  return true;
}

async function main() {
  const all = [], sessions = [];
  let state = 1;
  for (let copy = 0; copy < COPIES; ++copy) {
    const weights = new Uint8Array(size);
    for (let i = 0; i < size; ++i) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      weights[i] = state >>> 24;
    }
    all.push(weights);
    sessions.push(await ort.InferenceSession.create(makeModel(weights), {
      intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential',
    }));
  }
  const feeds = { x: new ort.Tensor('float32', x, [m, k]) };
  const y = { y: new ort.Tensor('float32', new Float32Array(m * n), [m, n]) };
  const target = new Uint8Array(size);
  const seconds = async f => {
    const start = process.cpuUsage();
    await f();
    const used = process.cpuUsage(start);
    return (used.user + used.system) * 1e-6;
  };
  for (let round = -COPIES; round < rounds; ++round) {
    const which = (round + COPIES) % COPIES;
    const product = await seconds(() => sessions[which].run(feeds, y));
    if (round < 0 && !isRight(all[which], y.y.data)) process.exit(1);
    const copy = await seconds(() => target.set(all[(which + 4) % COPIES]));
    if (round >= 0) console.log(product.toFixed(9), copy.toFixed(9));
  }
}
main();
