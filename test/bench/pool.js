// Sends the same POST repeatedly through a bare undici pool. Prints requests a second. Runs as a child: node pool.js '<json>'.
import { Pool } from 'undici';

const { url, headers, body, count, connections } = JSON.parse(process.argv[2]);
const { origin, pathname } = new URL(url);
const pool = new Pool(origin, { connections });
let sent = 0;

async function run() {
  while (sent < count) {
    sent += 1;
    const answer = await pool.request({ path: pathname, method: 'POST', headers, body });
    await answer.body.dump();
    if (answer.statusCode !== 204) throw new Error(`answered ${answer.statusCode}`);
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: connections }, run));
process.stdout.write(String((count / (performance.now() - startedAt)) * 1000));
await pool.close();
