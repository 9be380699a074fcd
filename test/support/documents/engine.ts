// Helpers for tests of the document engine: the built program of its child processes, files in the form that it takes,
// and pages that take long or much memory.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { Source } from '../../../src/pdf/engine/engine.ts';
import { pdfOf } from './pdf.ts';

export const ENGINE_PROGRAM = fileURLToPath(new URL('../../../dist/document-engine.js', import.meta.url));

export const sourceOf = (bytes: Uint8Array, path?: string): Source => ({
  sha256: createHash('sha256').update(bytes).digest('hex'),
  path,
  bytes: async () => bytes,
});

/** Whether there is a process with this id; one that has ended and was not waited for counts as none. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * A page that is shaded over and over, each time computed pixel by pixel: about a tenth of a second of work for each
 * `layer`, and hardly any memory.
 */
export function slowPdf(layers: number, annotation?: string): Buffer {
  const program = `{ 2 copy ${'sin exch cos add '.repeat(2)} exch pop }`;
  const content = '/S sh\n'.repeat(layers);
  const shading = '<</ShadingType 1/ColorSpace/DeviceGray/Matrix[595 0 0 842 0 0]/Function 6 0 R>>';
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Shading<</S 5 0 R>>>>${annotation ? `/Annots[${annotation}]` : ''}>>`,
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    shading,
    `<</FunctionType 4/Domain[0 1 0 1]/Range[0 1]/Length ${program.length}>>\nstream\n${program}\nendstream`,
  ]);
}

/**
 * A large page whose `layers` lie in each other, each transparent: 30 MB of memory for each, and hardly any time.
 */
export function greedyPdf(layers: number): Buffer {
  const group = (level: number) => {
    const isLast = level === layers - 1;
    const content = isLast ? '0 0 1500 1500 re f' : '/G gs /F Do';
    const resources = isLast ? '' : `/Resources<</ExtGState<</G 4 0 R>>/XObject<</F ${level + 7} 0 R>>>>`;
    return `<</Subtype/Form/BBox[0 0 3000 3000]/Group<</S/Transparency>>${resources}/Length ${content.length}>>\nstream\n${content}\nendstream`;
  };
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 3000 3000]/Contents 5 0 R/Resources<</ExtGState<</G 4 0 R>>/XObject<</F 6 0 R>>>>>>',
    '<</ca .5/BM/Multiply>>',
    '<</Length 11>>\nstream\n/G gs /F Do\nendstream',
    ...Array.from({ length: layers }, (_, level) => group(level)),
  ]);
}
