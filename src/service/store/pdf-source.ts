// The PDF of a stored document, as the engine takes it.
import type { Source } from '../../pdf/engine/engine.ts';
import type { Blobs } from './blobs.ts';

/** @param name of the document, for messages */
export async function loadSource(
  { store: { blobs } }: { store: { blobs: Blobs } },
  { pdf_sha256, name }: { pdf_sha256: string; name: string },
): Promise<Source> {
  const named = `"${name}"`;
  return {
    sha256: pdf_sha256,
    path: await blobs.locate(pdf_sha256, named),
    bytes: () => blobs.get(pdf_sha256, named),
  };
}
