// Makes a sandbox in a folder of its own and serves it, for a command that runs another program with it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '../../api/client.ts';
import { once } from '../../common/once.ts';
import { type Environment, pathsOf } from '../../config/environment.ts';
import { makeTrustedFolder } from '../../files/trust.ts';
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { Settings } from '../command/settings.ts';
import type { Streams } from '../terminal/streams.ts';
import type { NewSandbox } from './connection.ts';
import { openSandbox, startSandboxServer } from './sandbox.ts';
import type { FailureLog } from './service-log.ts';

export type NewSandboxParts = {
  settings: Settings;
  streams: Streams;
  environment: Environment;
  documents: DocumentEngine;
  failures: FailureLog;
  office: string | undefined;
};

export async function serveNewSandbox(parts: NewSandboxParts): Promise<NewSandbox> {
  const home = await mkdtemp(join(tmpdir(), 'esign-sandbox-'));
  try {
    return await serveIn(home, parts);
  } catch (error) {
    await removeFolder(home);
    throw error;
  }
}

const removeFolder = (folder: string) => rm(folder, { recursive: true, force: true });

async function serveIn(home: string, parts: NewSandboxParts): Promise<NewSandbox> {
  const { settings, streams, environment, documents, failures, office } = parts;
  const { sandboxDir } = pathsOf({ ...environment, variables: { ESIGN_HOME: home } });
  makeTrustedFolder(sandboxDir);
  const service = await openSandbox(sandboxDir, {
    documents,
    failures,
    sealing: async () => ({}),
    mail: undefined,
    deliveryProxy: undefined,
  });
  const { transport, controlSecret, origin: baseUrl, sender } = service;
  const client = createClient({ baseUrl, transport, controlSecret });
  const options = { host: undefined, port: 0, isSilent: true } as const;
  const server = await startSandboxServer(service, options, { settings, err: streams.err, failures, office });
  const rootFile = join(home, 'root.pem');
  await writeFile(rootFile, (await client['sandbox.authority']()).pem);
  return {
    url: server.url,
    baseUrl: service.origin,
    transport,
    client,
    ownUser: sender,
    fieldErrors: (fields) => service.fieldErrors(fields),
    home,
    rootFile,
    close: once(async () => {
      await server.close();
      await service.close();
      await removeFolder(home);
    }),
  };
}
