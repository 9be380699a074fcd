// Reads a multipart/form-data body as it arrives: text parts into memory, the file onto disk, both with limits.
import { Readable } from 'node:stream';
import { LIMITS } from '../../api/contract/limits.ts';
import type { Call } from '../../api/transport.ts';
import { ok, type Result, refuse, type Upload } from '../context.ts';
import type { Blobs, Spooled } from '../store/blobs/blobs.ts';
import { isDeclaredLarger } from './body.ts';

export type UploadForm = { fields: Record<string, string>; upload: Upload };

const FIELD_BYTES = 4096;
const FIELDS = 20;
const FALLBACK_NAME = 'document';

/**
 * Reads the parts `file` (binary) and `name` (spec §4). A file of more than 10 MB is refused while it is still coming
 * (assumed: A26).
 */
export async function readUploadForm(call: Call, blobs: Blobs): Promise<Result<UploadForm>> {
  const { headers, body } = call;
  const type = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(type))
    return refuse('unsupported_media_type', {
      expected: 'multipart/form-data',
      received: type.split(';')[0],
    });
  if (body === undefined) return refuse('malformed_multipart', { why: 'it is empty' });
  if (isDeclaredLarger(call, LIMITS.fileBytes + LIMITS.multipartOverheadBytes))
    return refuse('file_too_large', { limit: LIMITS.fileBytes });
  const { default: busboy } = await import('@fastify/busboy');
  let parser: InstanceType<typeof busboy.Busboy>;
  try {
    parser = new busboy.Busboy({
      headers: { 'content-type': type },
      isPartAFile: (name) => name === 'file',
      limits: { fieldSize: FIELD_BYTES, fields: FIELDS, fileSize: LIMITS.fileBytes + 1 },
    });
  } catch {
    return refuse('malformed_multipart', { why: 'the Content-Type header has no boundary' });
  }
  return collect(
    parser,
    Readable.from(typeof body === 'string' || body instanceof Uint8Array ? [body] : body),
    blobs,
  );
}

type Parser = NodeJS.WritableStream & {
  on(event: 'field', listener: (name: string, value: string) => void): unknown;
  on(event: 'file', listener: (name: string, stream: Readable, filename: string) => void): unknown;
};

async function collect(parser: Parser, body: Readable, blobs: Blobs): Promise<Result<UploadForm>> {
  const fields: Record<string, string> = {};
  let filename: string | undefined;
  let spooling: Promise<Spooled | 'too_large'> | undefined;
  const why = await new Promise<string | undefined>((resolve) => {
    let part: Readable | undefined;
    const fail = (reason: string) => {
      // What is being written down would wait for the rest for ever.
      part?.destroy(new Error(reason));
      resolve(reason);
    };
    parser.on('field', (name, value) => {
      fields[name] = value;
    });
    parser.on('file', (_, stream, name) => {
      if (spooling) {
        stream.on('error', () => undefined).resume();
        return fail('it contains more than one file');
      }
      part = stream;
      filename = name;
      // The parser emits this as well; a stream that fails without a listener would end the process.
      stream.on('error', () => undefined);
      spooling = blobs.spool(stream, LIMITS.fileBytes);
      // The rest of a file that is too large, or that the disk does not take, is not waited for.
      spooling.then(
        (spooled) => spooled === 'too_large' && resolve(undefined),
        () => resolve(undefined),
      );
    });
    parser.once('finish', () => resolve(undefined));
    parser.on('error', (error: Error) => fail(error.message));
    body.on('error', () => fail('it is incomplete'));
    body.pipe(parser);
  });
  body.unpipe(parser).destroy();
  const spooled = await spooling?.catch((error) => (why === undefined ? Promise.reject(error) : undefined));
  if (spooled === 'too_large') return refuse('file_too_large', { limit: LIMITS.fileBytes });
  if (why !== undefined) {
    await spooled?.discard();
    return refuse('malformed_multipart', { why });
  }
  if (!spooled) return refuse('file_missing');
  return ok({ fields, upload: { name: baseName(filename) || FALLBACK_NAME, spooled } });
}

/** Returns the last part of a path that a client may send, which alone names the file. */
const baseName = (name: string | undefined): string => name?.split(/[/\\]/).at(-1) ?? '';
