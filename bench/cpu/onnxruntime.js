// ONNX Runtime's attention as a contestant of bench/cpu/attention: see peer.c.
//
//   usage: node onnxruntime.js FOLDER HEADS LENGTH HEAD_DIM CAUSAL
//
// FOLDER/node_modules has onnxruntime-node. MultiHeadAttention, and causal
// GroupQueryAttention, which alone have a flash path on CPUs; the model is written here.
const path = require('path');
const readline = require('readline');
const ort = require(path.resolve(process.argv[2], 'node_modules', 'onnxruntime-node'));
const [heads, length, dim, causal] = process.argv.slice(3).map(Number);
const hidden = heads * dim;

// Protocol buffers, as far as they are needed.
const varint = n => { const b = []; for (; n > 127; n = Math.floor(n / 128)) b.push((n % 128) | 128); b.push(n); return b; };
const number = (field, n) => [...varint(field * 8), ...varint(n)];
const bytes = (field, b) => [...varint(field * 8 + 2), ...varint(b.length), ...b];
const text = (field, s) => bytes(field, [...Buffer.from(s)]);
const attribute = (name, i) => bytes(5, [...text(1, name), ...number(3, i), ...number(20, 2)]);
const value = (field, name, element, dims) => bytes(field, [...text(1, name), ...bytes(2,
    bytes(1, [...number(1, element), ...bytes(2, dims.flatMap(d => bytes(1, number(1, d))))]))]);

const FLOAT = 1, INT32 = 6;
const tokens = [1, length, hidden], cache = [1, heads, length, dim];
const node = causal ? [
  ...['q', 'k', 'v', '', '', 'last', 'total'].flatMap(s => text(1, s)),
  ...['out', 'keys', 'values'].flatMap(s => text(2, s)), ...text(4, 'GroupQueryAttention'),
  ...attribute('num_heads', heads), ...attribute('kv_num_heads', heads)
] : [
  ...['q', 'k', 'v'].flatMap(s => text(1, s)), ...text(2, 'out'), ...text(4, 'MultiHeadAttention'),
  ...attribute('num_heads', heads)
];
const graph = [
  ...bytes(1, [...node, ...text(7, 'com.microsoft')]), ...text(2, 'attention'),
  ...['q', 'k', 'v'].flatMap(s => value(11, s, FLOAT, tokens)),
  ...(causal ? [...value(11, 'last', INT32, [1]), ...value(11, 'total', INT32, [1])] : []),
  ...value(12, 'out', FLOAT, tokens),
  ...(causal ? ['keys', 'values'].flatMap(s => value(12, s, FLOAT, cache)) : [])
];
const model = [...number(1, 8), ...bytes(7, graph), ...bytes(8, [...text(1, ''), ...number(2, 17)]),
  ...bytes(8, [...text(1, 'com.microsoft'), ...number(2, 1)])];

// The numbers of peer.c, but with tokens outside the heads.
function randomValues(range, seed) {
  const values = new Float32Array(length * hidden);
  for (let h = 0; h < heads; ++h)
    for (let i = 0; i < length; ++i)
      for (let d = 0; d < dim; ++d) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        values[i * hidden + h * dim + d] = range * ((seed >>> 8) / (1 << 23) - 1);
      }
  return values;
}

function check(q, k, v, out) {
  let error = 0, squares = 0, count = 0;
  const step = Math.trunc(heads * length / 2048) | 1;
  for (let row = 0; row < heads * length; row += step) {
    const h = Math.floor(row / length), i = row % length, end = causal ? i + 1 : length;
    const at = (j, d) => j * hidden + h * dim + d;
    const p = new Float64Array(end);
    for (let j = 0; j < end; ++j) {
      for (let d = 0; d < dim; ++d) p[j] += q[at(i, d)] * k[at(j, d)];
      p[j] /= Math.sqrt(dim);
    }
    const max = p.reduce((a, b) => Math.max(a, b), -Infinity);
    let sum = 0;
    for (let j = 0; j < end; ++j) sum += p[j] = Math.exp(p[j] - max);
    for (let d = 0; d < dim; ++d) {
      let expected = 0;
      for (let j = 0; j < end; ++j) expected += p[j] * v[at(j, d)];
      const difference = Math.abs(out[at(i, d)] - expected / sum);
      if (!(difference <= error)) error = difference;
      squares += difference * difference;
      ++count;
    }
  }
  return [error, Math.sqrt(squares / count)];
}

async function main() {
  const session = await ort.InferenceSession.create(Uint8Array.from(model), {
    intraOpNumThreads: 1, interOpNumThreads: 1, executionMode: 'sequential',
  });
  const [q, k, v] = [[2, 1], [2, 2], [1, 3]].map(([range, seed]) => randomValues(range, seed));
  const feeds = Object.fromEntries(Object.entries({ q, k, v }).map(
      ([name, data]) => [name, new ort.Tensor('float32', data, tokens)]));
  if (causal) {
    feeds.last = new ort.Tensor('int32', Int32Array.of(length - 1), [1]);
    feeds.total = new ort.Tensor('int32', Int32Array.of(length), [1]);
  }
  // Written in place, as ours is.
  const out = { out: new ort.Tensor('float32', new Float32Array(length * hidden), tokens) };
  const fetches = causal ? ['out'] : out;
  let result = await session.run(feeds, fetches);
  for await (const line of readline.createInterface({ input: process.stdin })) {
    if (line === 'run') {
      const start = process.cpuUsage();
      result = await session.run(feeds, fetches);
      const used = process.cpuUsage(start);
      console.log(((used.user + used.system) * 1e-6).toFixed(9));
    } else if (line === 'check') {
      console.log(check(q, k, v, result.out.data).map(e => e.toExponential(3)).join(' '));
    } else {
      console.log('NaN');
    }
  }
}
main();
