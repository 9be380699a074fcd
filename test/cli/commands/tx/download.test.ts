// `tx download` at services that answer other bytes than they say, or nothing: nothing of it is written.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Client } from '../../../../src/api/client.ts';
import { ApiError } from '../../../../src/api/codec.ts';
import type { CommandContext } from '../../../../src/cli/command/context.ts';
import { CliError } from '../../../../src/cli/command/errors.ts';
import { command } from '../../../../src/cli/commands/tx/download.ts';
import type { Connection } from '../../../../src/cli/connection/connection.ts';
import { PLAIN } from '../../../../src/cli/terminal/color.ts';
import { createProgress } from '../../../../src/cli/terminal/progress.ts';
import { temporaryFolder } from '../../../support/temporary-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const PDF = Buffer.from('%PDF-1.7\nsealed');
const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const sealed = (id: string, sha256?: string) => ({
  id,
  name: `${id}.pdf`,
  ...(sha256 !== undefined && { sha256 }),
});

async function download(documents: unknown[], content: (id: string) => Uint8Array, more = {}) {
  const transaction = { id: 'T', status: 'completed', sealed_documents: documents, template: {} };
  const client = {
    'transaction.detail': async () => transaction,
    'file.content': async ({ params }: { params: { fileId: string } }) => ({
      bytes: content(params.fileId),
      mediaType: 'application/pdf',
    }),
  } as unknown as Client;
  const err = { isTerminal: false, columns: undefined, write: () => undefined };
  const context = {
    connections: { profile: async () => ({}), connect: async () => ({ client }) as Connection },
    history: {},
    prompts: { canAsk: false },
    settings: { json: false, quiet: true, yes: false },
    process: { workingDir: folder, checkpoint: () => undefined },
    terminal: { progress: createProgress(err, PLAIN, { silent: true, spinner: false }), streams: {} },
  } as unknown as CommandContext;
  const options = { original: false, evidence: false, ...more };
  const { json } = await command.run(context, { args: { id: 'T' }, options });
  return (json as { files: { path: string }[] }).files.map(({ path }) => path);
}

const codeOf = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'done',
    (error: unknown) => (error instanceof CliError ? error.facts.code : String(error)),
  );

describe('sealed documents', () => {
  test('are written under their names, each under one of its own', async () => {
    const documents = [sealed('a', sha256Of(PDF)), { ...sealed('b'), name: 'A.pdf' }];
    expect(await download(documents, () => PDF)).toEqual(['a.pdf', 'A-2.pdf']);
  });

  test('that did not arrive whole are not written, and neither is any other', async () => {
    const documents = [sealed('a', sha256Of(PDF)), sealed('b', sha256Of(PDF))];
    const content = (id: string) => (id === 'b' ? PDF.subarray(0, 9) : PDF);
    expect(await codeOf(download(documents, content))).toBe('download_damaged');
    expect(await readdir(folder)).toEqual([]);
  });

  test('that are no PDF are not written', async () => {
    expect(await codeOf(download([sealed('a')], () => Buffer.from('<html>')))).toBe('download_not_pdf');
    expect(await readdir(folder)).toEqual([]);
  });

  test('fails with a service that returns no documents', async () => {
    const unknown = () => {
      throw new ApiError('No such file', { status: 404, code: 'file_not_found' } as never);
    };
    expect(await codeOf(download([], () => PDF))).toBe('document_not_given');
    expect(await codeOf(download([sealed('a')], unknown))).toBe('document_not_given');
  });

  test.skipIf(process.platform === 'win32')(
    'read nothing that their names lead to, and replace nothing',
    async () => {
      await symlink('/dev/zero', join(folder, 'a.pdf'));
      expect(await codeOf(download([sealed('a')], () => PDF))).toBe('file_exists');
      await rm(join(folder, 'a.pdf'));
      execFileSync('mkfifo', [join(folder, 'a.pdf')]);
      expect(await codeOf(download([sealed('a')], () => PDF))).toBe('file_exists');
      await rm(join(folder, 'a.pdf'));
      await writeFile(join(folder, 'elsewhere'), PDF);
      await symlink(join(folder, 'elsewhere'), join(folder, 'a.pdf'));
      expect(await codeOf(download([sealed('a')], () => PDF))).toBe('file_exists');
    },
  );

  test('of another maker carry no evidence', async () => {
    expect(await codeOf(download([sealed('a')], () => PDF, { evidence: true }))).toBe('evidence_missing');
    expect(await readdir(folder)).toEqual([]);
  });
});
