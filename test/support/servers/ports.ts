// Finds ports of this machine where no program answers, and ports on which a test may listen.
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/**
 * A port of 127.0.0.1 where every connection is refused for as long as this process runs.
 *
 * It is this process's own end of a connection. The port of a server that was closed would not do: tests run
 * beside each other, and the system may give that port to another one.
 */
export async function refusingPort(): Promise<number> {
  const server = createServer((socket) => socket.on('error', () => undefined).unref());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  await once(client, 'connect');
  server.unref();
  client.unref();
  return client.localPort as number;
}

/** An origin where every connection is refused, as {@link refusingPort}. */
export const unusedOrigin = async (): Promise<string> => `http://127.0.0.1:${await refusingPort()}`;

/**
 * A port that is free on every address of this machine, for a server that needs a fixed port.
 *
 * It lies below the range that systems take ports from by themselves (from 32768 on), so that no other server
 * is given it between now and then.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}
