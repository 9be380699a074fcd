// Answers a question about a stream once for each version of a file: thousands of boxes may share one look.
import type { PdfView } from '../../syntax/read-pdf.ts';
import type { PdfStream } from '../../syntax/values.ts';

export function oncePerStream(
  ask: (view: PdfView, stream: PdfStream) => boolean,
): (view: PdfView, stream: PdfStream) => boolean {
  const cache = new WeakMap<PdfStream, Map<number, boolean>>();
  return (view, stream) => {
    const answers = cache.get(stream) ?? new Map<number, boolean>();
    cache.set(stream, answers);
    const answer = answers.get(view.index) ?? ask(view, stream);
    answers.set(view.index, answer);
    return answer;
  };
}
