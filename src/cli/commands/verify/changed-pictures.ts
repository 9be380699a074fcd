// Draws the pages that look different now than when the file was first signed, for a report.
import { sha256Of } from '../../../common/sha256.ts';
import type { DocumentEngine, VersionToCompare } from '../../../pdf/engine/engine.ts';

/** Pages counted from 0, each with its pictures (PNG); one that could not be drawn has none. */
export type Pictures = readonly {
  page: number;
  signed: Uint8Array | undefined;
  now: Uint8Array | undefined;
}[];

const MOST_PAGES = 10;
const HOW = { dpi: 72, maxPixels: 1_000_000 };

export async function changedPictures(
  bytes: Uint8Array,
  versions: readonly VersionToCompare[],
  documents: Pick<DocumentEngine, 'drawPage'>,
): Promise<Pictures> {
  const first = [...versions].sort((one, other) => one.end - other.end)[0];
  if (!first) return [];
  const pictures: { page: number; signed: Uint8Array | undefined; now: Uint8Array | undefined }[] = [];
  const drawn = async (version: Uint8Array, page: number) => {
    const source = { sha256: sha256Of(version), bytes: async () => version };
    const answer = await documents.drawPage(source, page, HOW, 'verify');
    return answer.ok ? answer.png : undefined;
  };
  for (const page of first.pages.slice(0, MOST_PAGES)) {
    const [signed, now] = [await drawn(bytes.subarray(0, first.end), page), await drawn(bytes, page)];
    const isSame = signed && now && Buffer.from(signed).equals(now);
    if (!isSame && (signed || now)) pictures.push({ page, signed, now });
  }
  return pictures;
}
