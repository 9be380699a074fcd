// Receives events with bare node:http, in a process of its own. It answers 204 at once; under /slow/ after 50 ms, and under /hang/ never. GET /seen returns the
// number of POSTs for each path, with the times of the first and the last in milliseconds since 1970, and resets them.
import { createServer } from 'node:http';

let seen = {};
const now = () => performance.timeOrigin + performance.now();

const server = createServer((request, response) => {
  const at = now();
  if (request.method === 'GET') {
    response.end(JSON.stringify(seen));
    seen = {};
    return;
  }
  const path = request.url ?? '';
  request.resume().once('end', () => {
    if (path.startsWith('/hang/')) return;
    seen[path] ??= { count: 0, firstMs: at, lastMs: at };
    seen[path].count += 1;
    seen[path].lastMs = now();
    const answer = () => response.writeHead(204).end();
    if (path.startsWith('/slow/')) setTimeout(answer, 50);
    else answer();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${server.address().port}`));
