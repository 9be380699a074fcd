// Lists the pages of a file with their content and the resources that they inherit.
import { DOCUMENT_LIMITS } from '../limits.ts';
import type { PdfView } from '../syntax/read-pdf.ts';
import type { Dict, Value } from '../syntax/values.ts';
import { type FollowedContent, followText } from './follow-text.ts';

export type PageOfFile = { dict: Dict; resources: Dict | undefined };

/** In reading order; undefined where the tree cannot be walked. */
export function listPages(view: PdfView): PageOfFile[] | undefined {
  const pages: PageOfFile[] = [];
  const seen = new Set<Dict>();
  const visit = (value: Value | undefined, above: Dict | undefined, depth: number): boolean => {
    const dict = view.dict(value);
    if (!dict || seen.has(dict) || depth > DOCUMENT_LIMITS.repairDepth) return false;
    seen.add(dict);
    const resources = view.dict(dict.get('Resources')) ?? above;
    const kids = view.array(dict.get('Kids'));
    if (kids) return kids.every((kid) => visit(kid, resources, depth + 1));
    pages.push({ dict, resources });
    return true;
  };
  return visit(view.dict(view.root)?.get('Pages'), undefined, 0) ? pages : undefined;
}

/** Undefined for content that cannot be followed. */
export function followPage(view: PdfView, { dict, resources }: PageOfFile): FollowedContent | undefined {
  const contents = dict.get('Contents');
  const streams = view.array(contents) ?? (view.resolve(contents) === null ? [] : [contents]);
  const parts: Buffer[] = [];
  for (const stream of streams) {
    const data = view.data(stream);
    if (!data) return undefined;
    parts.push(data, Buffer.from('\n'));
  }
  return followText({ view, resources, content: Buffer.concat(parts) });
}

/** All content that is on a page: its own, and that of the drawings on it. */
export function* contentsOn(content: FollowedContent): Generator<FollowedContent> {
  yield content;
  for (const { inner } of content.draws) yield* contentsOn(inner);
}
