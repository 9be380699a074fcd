// Sends requests to one address at a steady pace, however long the answers take: a GET of a detail and a durable POST in turn.
// Prints the latencies of each since the last word on stdin as JSON when stdin ends. Runs as a child: node latency.js '<json>'.
import { Agent, request } from 'node:http';

const { url, token, paths, everyMs } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: true, maxSockets: 64 });
const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const times = { get: [], post: [] };
const pending = new Set();

function send(name, method, path, body) {
  const startedAt = performance.now();
  const done = new Promise((resolve, reject) => {
    const sent = request(url + path, { method, headers, agent }, (response) => {
      response.resume().once('end', () => {
        if (response.statusCode >= 300)
          reject(new Error(`${method} ${path} answered ${response.statusCode}`));
        times[name].push(performance.now() - startedAt);
        resolve();
      });
    });
    // The server closes a connection that was idle for a while; such a request is not counted.
    sent.once('error', (error) => (sent.reusedSocket ? resolve() : reject(error)));
    sent.end(body);
  });
  pending.add(done);
  return done.finally(() => pending.delete(done));
}

let count = 0;
const timer = setInterval(() => {
  count += 1;
  if (count % 2 === 0) send('post', 'POST', '/v1/transaction', '{"name":"Agreement"}');
  else send('get', 'GET', paths[count % paths.length]);
}, everyMs);

process.stdin.on('data', () => {
  times.get = [];
  times.post = [];
});
process.stdin.once('end', async () => {
  clearInterval(timer);
  await Promise.all(pending);
  agent.destroy();
  process.stdout.write(JSON.stringify(times));
});
