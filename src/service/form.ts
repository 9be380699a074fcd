// Reads a multipart/form-data body as it comes: text parts into memory, the file onto disk, both counted.
import { Readable } from 'node:stream';
import { LIMITS } from '../api/contract/limits.ts';
import { type Answer, answer, no, type Upload } from './scene.ts';
import type { Blobs, Spooled } from './store/blobs.ts';

export type Form = { fields: Record<string, string>; upload: Upload };

const FIELD_BYTES = 4096;
const FIELDS = 20;
const FALLBACK_NAME = 'document';

/** spec §4: parts `file` (binary) and `name`. At most 10 MB, told while it is still coming (assumed: A26). */
export async function readForm(request: Request, blobs: Blobs): Promise<Answer<Form>> {
  const type = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*;/i.test(type))
    return no('unsupported_media_type', { expected: 'multipart/form-data', given: type.split(';')[0] });
  if (!request.body) return no('malformed_multipart', { why: 'it is empty' });
  const { default: busboy } = await import('@fastify/busboy');
  let parser: InstanceType<typeof busboy.Busboy>;
  try {
    parser = new busboy.Busboy({
      headers: { 'content-type': type },
      isPartAFile: (name) => name === 'file',
      limits: { fieldSize: FIELD_BYTES, fields: FIELDS, files: 1, fileSize: LIMITS.fileBytes + 1 },
    });
  } catch {
    return no('malformed_multipart', { why: 'the header Content-Type has no boundary' });
  }
  return collect(parser, Readable.fromWeb(request.body as never), blobs);
}

type Parser = NodeJS.WritableStream & {
  on(event: 'field', listener: (name: string, value: string) => void): unknown;
  on(event: 'file', listener: (name: string, stream: Readable, filename: string) => void): unknown;
};

async function collect(parser: Parser, body: Readable, blobs: Blobs): Promise<Answer<Form>> {
  const fields: Record<string, string> = {};
  let filename: string | undefined;
  let spooling: Promise<Spooled | 'too_large'> | undefined;
  parser.on('field', (name, value) => {
    fields[name] = value;
  });
  parser.on('file', (_, stream, given) => {
    filename = given;
    spooling = blobs.spool(stream, LIMITS.fileBytes).finally(() => stream.resume());
    // Awaited below; until then a failure must not count as unhandled.
    spooling.catch(() => undefined);
  });
  const why = await finished(parser, body);
  const spooled = await spooling?.catch((error) => (why === undefined ? Promise.reject(error) : undefined));
  if (spooled === 'too_large') return no('file_too_large', { limit: LIMITS.fileBytes });
  if (why !== undefined) {
    await spooled?.discard();
    return no('malformed_multipart', { why });
  }
  if (!spooled) return no('file_missing');
  return answer({ fields, upload: { name: baseName(filename) || FALLBACK_NAME, spooled } });
}

/** @returns why the form could not be read to its end; undefined when it could */
function finished(parser: NodeJS.WritableStream, body: Readable): Promise<string | undefined> {
  return new Promise((resolve) => {
    parser.once('finish', () => resolve(undefined));
    parser.once('error', (error: Error) => resolve(error.message));
    body.once('error', () => {
      resolve('it was cut off');
      (parser as unknown as { destroy(): void }).destroy();
    });
    body.pipe(parser);
  });
}

/** A client may send a path; only its last part names the file. */
const baseName = (name: string | undefined): string => name?.split(/[/\\]/).at(-1) ?? '';
