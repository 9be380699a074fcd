// A picture of a signature: decoded, drawn anew without its paper, and kept as text. Nothing else of the file is kept.
import { fileTypeOf, HEAD_BYTES } from '../../api/contract/file-types.ts';
import type { RequestContext } from '../context.ts';
import type { Spooled } from '../store/blobs.ts';

/** A data URL. `unusable`: no picture, or none with anything on it. */
export type SignaturePicture = { ok: true; value: string } | { ok: false; reason: 'unusable' | 'busy' };

export async function signaturePicture(
  { documents }: Pick<RequestContext, 'documents'>,
  file: Spooled,
  owner: string,
): Promise<SignaturePicture> {
  const type = fileTypeOf(await file.head(HEAD_BYTES));
  if (type === undefined || type === 'pdf' || type === 'docx') return { ok: false, reason: 'unusable' };
  const ink = await documents.inkOf(file, type, owner);
  if (ink.ok) return { ok: true, value: `data:image/png;base64,${Buffer.from(ink.png).toString('base64')}` };
  return { ok: false, reason: ink.reason === 'busy' ? 'busy' : 'unusable' };
}
