// Sends load to one address: N connections, each sending its next request when the answer to the last is complete. It uses
// bare sockets so that the client costs little compared with the server. Runs as a child: node load.js '<json>'.
import { connect } from 'node:net';

const {
  url,
  // Paths that are requested in turn; by default the path of the address.
  paths = [new URL(url).pathname],
  method = 'GET',
  headers = {},
  body = '',
  connections = 32,
  seconds = 3,
} = JSON.parse(process.argv[2]);
const { hostname, port, search, host } = new URL(url);
const lines = { host, ...headers, ...(body && { 'content-length': Buffer.byteLength(body) }) };
const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
const requests = paths.map((path) =>
  Buffer.from(`${method} ${path}${search} HTTP/1.1\r\n${head.join('')}\r\n${body}`),
);
const HEAD_END = Buffer.from('\r\n\r\n');

let asked = 0;
const next = () => requests[asked++ % requests.length];
let done = 0;
let failed = 0;
const endsAt = performance.now() + seconds * 1000;

/** Returns the length in bytes of the answer whose head is in `text`, head included. */
function answerLength(buffer, headEnd) {
  const text = buffer.latin1Slice(0, headEnd);
  if (!/^HTTP\/1\.1 2\d\d/.test(text)) failed += 1;
  return headEnd + 4 + Number(/\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? 0);
}

function run() {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(next()));
    socket.setNoDelay(true);
    let pending = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const length = answerLength(pending, headEnd);
      if (pending.length < length) return;
      pending = pending.subarray(length);
      done += 1;
      if (performance.now() < endsAt) socket.write(next());
      else socket.end();
    });
    socket.on('close', resolve);
    socket.on('error', reject);
  });
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: connections }, run));
const elapsed = (performance.now() - startedAt) / 1000;
process.stdout.write(JSON.stringify({ perSecond: done / elapsed, failed }));
