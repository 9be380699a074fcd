// Starts a real foreign server of S3 on a port of 127.0.0.1: OpenStack Swift of Debian, which verifies signatures and signed hashes.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AwsClient } from 'aws4fetch';
import type { S3Access } from '../../../src/service/s3/failures.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { type Need, need } from '../tools.ts';
import { freePort } from './ports.ts';

const SCRIPT = fileURLToPath(new URL('swift-server.py', import.meta.url));

/** Debian's own Python has the modules of its packages. */
const PYTHON = '/usr/bin/python3';

export const needsSwift = (): Need =>
  need(
    'swift-proxy is not installed',
    () =>
      spawnSync(PYTHON, ['-c', 'import swift.account, swift.container, swift.obj'], { stdio: 'ignore' })
        .status === 0,
  );

export type SwiftServer = {
  url: string;
  region: string;
  accessKey: string;
  secret: string;
  /** The variables of a node that stores its files in this place of the server. */
  env(location: string): Record<string, string>;
  /** Sends a signed request, such as `PUT` to `/bucket`. */
  send(method: string, path: string, body?: string): Promise<Response>;
  /** How the client of the service reaches it. */
  access: S3Access;
  /** Ends it as a crash would. What it stores stays. */
  stop(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** Lets it accept connections and answer nothing. */
  hang(): void;
  resume(): void;
  /** The names of all objects of a bucket. */
  list(bucket: string): Promise<string[]>;
  close(): Promise<void>;
};

export async function startSwiftServer(): Promise<SwiftServer> {
  const [folder, port] = [await temporaryFolder(), await freePort()];
  const [accessKey, secret, region] = ['test:tester', 'a-secret-of-the-bucket', 'us-east-1'];
  const run = () => runSwift(folder, port, { ACCESS_KEY: accessKey, SECRET_KEY: secret, REGION: region });
  let running = await run();
  const url = `http://127.0.0.1:${port}`;
  const client = new AwsClient({ accessKeyId: accessKey, secretAccessKey: secret, service: 's3', region });
  const send: SwiftServer['send'] = (method, path, body) =>
    client.fetch(`${url}${path}`, { method, ...(body !== undefined && { body }) });
  return {
    url,
    region,
    accessKey,
    secret,
    send,
    access: {
      endpoint: url,
      region,
      isPathStyle: true,
      accessKeyId: accessKey,
      secretAccessKey: secret,
      sessionToken: undefined,
    },
    stop: () => running.kill(),
    async start() {
      running = await run();
    },
    hang: () => running.signal('SIGSTOP'),
    resume: () => running.signal('SIGCONT'),
    env: (location) => ({
      ESIGN_SERVE_BLOBS: location,
      ESIGN_SERVE_S3_ENDPOINT: url,
      ESIGN_SERVE_S3_PATH_STYLE: '1',
      ESIGN_SERVE_S3_ACCESS_KEY_ID: accessKey,
      ESIGN_SERVE_S3_SECRET_ACCESS_KEY: secret,
    }),
    async list(bucket) {
      const text = await (await send('GET', `/${bucket}`)).text();
      return [...text.matchAll(/<Key>([^<]*)<\/Key>/g)].map(([, key]) => key as string);
    },
    async close() {
      await running.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves when it answers. @throws what it printed, when it ends */
async function runSwift(folder: string, port: number, env: Record<string, string>) {
  const child = spawn(PYTHON, [SCRIPT, folder, `${port}`], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  const ended = once(child, 'exit');
  const isReady = await Promise.race([once(child.stdout, 'data').then(() => true), ended.then(() => false)]);
  if (!isReady) throw new Error(`Swift ended: ${log}`);
  return {
    signal: (signal: NodeJS.Signals) => void child.kill(signal),
    async kill() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
      await ended;
    },
  };
}
