// Serves the files of a release on loopback as GitHub does, for installers.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export type ServedRelease = {
  /** For ESIGN_INSTALL_BASE. */
  base: string;
  /** Replaces the bytes of a file from now on; undefined makes it missing. */
  replace(name: string, bytes: Buffer | undefined): void;
  /** Ends the connection in the middle of a file from now on. */
  cutOff(name: string): void;
  /** Serves the files of the folder again. */
  restore(): void;
  close(): Promise<void>;
};

/** @param folder with the files of one version, and checksums.txt */
export async function serveRelease(folder: string, version: string): Promise<ServedRelease> {
  const replaced = new Map<string, Buffer | undefined>();
  const cut = new Set<string>();
  const bytesOf = (name: string) => {
    if (replaced.has(name)) return replaced.get(name);
    return readdirSync(folder).includes(name) ? readFileSync(join(folder, name)) : undefined;
  };
  const server = createServer((request, response) => {
    const [, release = '', name = ''] =
      /^\/(latest\/download|download\/[^/]+)\/([^/]+)$/.exec(request.url ?? '') ?? [];
    const isOfVersion = release === 'latest/download' || release === `download/v${version}`;
    const bytes = isOfVersion ? bytesOf(name) : undefined;
    response.statusCode = bytes ? 200 : 404;
    response.setHeader('content-length', bytes?.length ?? 0);
    if (!bytes || !cut.has(name)) return void response.end(bytes);
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    replace: (name, bytes) => void replaced.set(name, bytes),
    cutOff: (name) => void cut.add(name),
    restore() {
      replaced.clear();
      cut.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function writeChecksums(folder: string): void {
  const lines = readdirSync(folder)
    .filter((name) => name !== 'checksums.txt')
    .map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(folder, name)))
          .digest('hex')}  ${name}\n`,
    );
  writeFileSync(join(folder, 'checksums.txt'), lines.join(''));
}
