// Requests one address repeatedly until its standard input ends, then prints how long each answer took. It is a
// process of its own, so that other requests do not delay it: node wait.js '<json>'.
import { request } from 'node:http';

const { url, headers } = JSON.parse(process.argv[2]);
const PAUSE_MS = 2;
const tookMs = [];
let isOver = false;
process.stdin.on('end', () => {
  isOver = true;
});
process.stdin.resume();

const ask = () =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    request(url, { headers }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`answered ${response.statusCode}`));
      response.resume().once('end', () => resolve(performance.now() - startedMs));
    })
      .once('error', reject)
      .end();
  });

while (!isOver) {
  tookMs.push(await ask());
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
process.stdout.write(JSON.stringify(tookMs));
