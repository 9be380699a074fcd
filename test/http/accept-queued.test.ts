// Connections that wait in the queue of the system when a server is about to close get their answers.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { acceptQueued } from '../../src/http/close-server.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const COUNT = 50;

/** Opens connections, makes a file when all are open, sends a request on each, and prints how many were answered. */
const CLIENT = `
const { connect } = require('node:net');
const [port, file] = process.argv.slice(1);
let [open, answered, ended] = [0, 0, 0];
for (let made = 0; made < ${COUNT}; made += 1) {
  const socket = connect(Number(port), '127.0.0.1', () => {
    socket.write('GET / HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n');
    open += 1;
    if (open === ${COUNT}) require('node:fs').writeFileSync(file, '');
  });
  let text = '';
  socket.on('data', (chunk) => (text += chunk)).on('error', () => undefined);
  socket.on('close', () => {
    if (text.startsWith('HTTP/1.1 204')) answered += 1;
    ended += 1;
    if (ended === ${COUNT}) process.stdout.write(String(answered));
  });
}`;

let folder: string;
let client: ChildProcess | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  client?.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
});

test('connections that wait when a server closes are answered', async () => {
  const server = createServer((_, response) => response.writeHead(204).end());
  await new Promise<void>((resolve) =>
    server.listen({ port: 0, host: '127.0.0.1', backlog: 2 * COUNT }, resolve),
  );
  const { port } = server.address() as AddressInfo;
  const opened = join(folder, 'opened');
  client = spawn(process.execPath, ['-e', CLIENT, `${port}`, opened], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const said = once(client.stdout!, 'data');
  // This process does nothing else, so that all connections wait in the queue.
  while (!existsSync(opened));
  await acceptQueued(server);
  server.close();
  expect(String((await said)[0])).toBe(`${COUNT}`);
});

test('a server that nothing connects to is ready to close at once', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  await acceptQueued(server);
  server.close();
  expect(server.listenerCount('connection')).toBe(1);
});
