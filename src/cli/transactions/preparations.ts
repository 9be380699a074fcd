// Says what is done to files before their upload, and states it for the evidence of a service that records it.
import { LIMITS } from '../../api/contract/limits.ts';
import type { PreparationInput } from '../../api/contract/preparation.ts';
import { codePoints, withoutControls } from '../../api/contract/values.ts';
import type { BracedPlace, FormPlace, StampField } from '../../pdf/engine/engine.ts';

/** What happens to a file before it is uploaded. */
export type Preparation = {
  fields: readonly StampField[];
  emptied?: readonly FormPlace[] | undefined;
  /** Tags that are removed. */
  tags?: readonly BracedPlace[] | undefined;
};

/** What is done to the files of a command; `document` is the position of a file. */
export type Preparations = {
  drawn?: readonly { document: number; field: StampField }[] | undefined;
  emptied?: readonly { document: number; places: FormPlace[] }[] | undefined;
  removed?: readonly { document: number; texts: BracedPlace[] }[] | undefined;
};

/** What is done to one of the files. */
export function preparationOf(all: Preparations, index: number): Preparation {
  const isOfFile = ({ document }: { document: number }) => document === index;
  return {
    fields: (all.drawn ?? []).filter(isOfFile).map(({ field }) => field),
    emptied: all.emptied?.find(isOfFile)?.places,
    tags: all.removed?.find(isOfFile)?.texts,
  };
}

/** Whether the file that is uploaded differs from the original. */
export const isPrepared = ({ fields, emptied = [], tags = [] }: Preparation): boolean =>
  fields.length + emptied.length + tags.length > 0;

/** The statement about a file; undefined for one that is uploaded as it is. */
export function preparationBody(
  preparation: Preparation,
  original: { sha256: string; sizeBytes: number },
): PreparationInput | undefined {
  if (!isPrepared(preparation)) return undefined;
  const { fields, emptied = [], tags = [] } = preparation;
  return {
    original: { sha256: original.sha256, bytes: original.sizeBytes },
    removed_tags: tags.map(({ page, text }) => ({ page, text: onOneLine(text) })),
    emptied_form_boxes: emptied.length,
    drawn_values: fields.length,
  };
}

/** The text of a tag on one line, without control characters and no longer than the service takes it. */
function onOneLine(text: string): string {
  const line = withoutControls(text.replace(/\s+/gu, ' '));
  if (codePoints(line) <= LIMITS.tagLength) return line;
  return `${[...line].slice(0, LIMITS.tagLength - 1).join('')}…`;
}
