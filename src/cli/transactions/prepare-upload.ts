// Makes what is uploaded of a file: the file itself, or one without its tags and with values in it.
import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import type { PreparedFile } from './drawn-values.ts';
import { isPrepared, type Preparation } from './preparations.ts';

/** Makes what is uploaded of a file. The code that changes files is loaded only where one is changed. */
export async function prepareUpload(
  preparation: Preparation,
  { name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> },
  documents: DocumentEngine,
): Promise<PreparedFile> {
  if (!isPrepared(preparation)) return { content: bytes, remarks: [] };
  const { prepareFile } = await import('./drawn-values.ts');
  return prepareFile(bytes, preparation, name, documents);
}
