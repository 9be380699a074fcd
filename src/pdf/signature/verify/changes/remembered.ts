// Remembers what was found out about a stream in a version of a file: thousands of boxes may share one look.
import type { PdfView } from '../../../syntax/read-pdf.ts';
import type { PdfStream } from '../../../syntax/values.ts';

/** @returns the same question, which is answered once for each stream and version */
export function rememberedByStream(
  ask: (view: PdfView, stream: PdfStream) => boolean,
): (view: PdfView, stream: PdfStream) => boolean {
  const known = new WeakMap<PdfStream, Map<number, boolean>>();
  return (view, stream) => {
    const answers = known.get(stream) ?? new Map<number, boolean>();
    known.set(stream, answers);
    const answer = answers.get(view.index) ?? ask(view, stream);
    answers.set(view.index, answer);
    return answer;
  };
}
