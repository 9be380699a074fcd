// Decodes a picture of a signature, draws it anew without its paper, and returns it as text. Nothing else of the file is
// kept.

import type { FieldValue } from '../../api/contract/fields.ts';
import { fileTypeOf, HEAD_BYTES } from '../../api/contract/file-types.ts';
import { sha256Of } from '../../common/sha256.ts';
import { ok, type RequestContext, type Result, refuse } from '../context.ts';
import type { Field } from '../domain/transaction.ts';
import type { Spooled } from '../store/blobs/blobs.ts';

/** The value is a data URL. `unusable` means that it is no picture, or one with nothing on it. */
export type SignaturePicture = { ok: true; value: string } | { ok: false; reason: 'unusable' | 'busy' };

export async function redrawSignature(
  { documents }: Pick<RequestContext, 'documents'>,
  file: Pick<Spooled, 'sha256' | 'head' | 'bytes'>,
  owner: string,
): Promise<SignaturePicture> {
  const type = fileTypeOf(await file.head(HEAD_BYTES));
  if (type === undefined || type === 'pdf' || type === 'docx') return { ok: false, reason: 'unusable' };
  const ink = await documents.inkOf(file, type, owner);
  if (ink.ok) return { ok: true, value: `data:image/png;base64,${Buffer.from(ink.png).toString('base64')}` };
  return { ok: false, reason: ink.reason === 'busy' ? 'busy' : 'unusable' };
}

/** A field refuses this value, because it is no drawing. */
const UNUSABLE = 'data:';

/** Returns the submitted values, with each picture of a signature drawn anew. @param marks the fields that take one */
export async function redrawPictures(
  context: Pick<RequestContext, 'documents'>,
  values: readonly FieldValue[],
  marks: readonly Field[],
  owner: string,
): Promise<Result<FieldValue[]>> {
  const redrawn: FieldValue[] = [];
  for (const item of values) {
    const [, base64] = /^data:image\/png;base64,(.*)$/.exec(String(item.value)) ?? [];
    const isMark = marks.some(({ id }) => id === item.field_id);
    if (base64 === undefined || !isMark) {
      redrawn.push(item);
      continue;
    }
    const bytes = Buffer.from(base64, 'base64');
    const file = {
      sha256: sha256Of(bytes),
      head: async (sizeBytes: number) => bytes.subarray(0, sizeBytes),
      bytes: async () => new Uint8Array(bytes),
    };
    const picture = await redrawSignature(context, file, owner);
    if (!picture.ok && picture.reason === 'busy') return refuse('documents_busy');
    redrawn.push({ ...item, value: picture.ok ? picture.value : UNUSABLE });
  }
  return ok(redrawn);
}
