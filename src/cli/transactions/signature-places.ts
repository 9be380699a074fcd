// Finds places for the signatures that have no field: below the text of the last page for each signer, or at the
// foot of the page where nothing is empty. It finds fields that cover text at the same time.

import type { DocumentEngine } from '../../pdf/engine/engine.ts';
import { roundPoints } from '../../placement/sizes.ts';
import { isAnchored } from '../input/field-spec.ts';
import type { SearchedPdf } from './anchors.ts';
import {
  emptyPlaceWarning,
  type FieldOnPage,
  type FieldWarning,
  findCoveredFields,
  type ReadyPdf,
} from './field-warnings.ts';
import { boxesAtFoot, DEFAULT_BOX, edgeMargin, type FieldBox, needsPages, resolveBox } from './placement.ts';
import { type Plan, type PlannedPlace, pagesOfFile } from './plan.ts';

type Documents = Pick<
  DocumentEngine,
  'coveredText' | 'findBlanks' | 'findFreeBoxes' | 'listBraced' | 'listWords' | 'readForm'
>;

/**
 * Adds the places to the plan.
 * @param pdfs the files of the plan as PDF, undefined for those that only the service can convert
 */
export async function placeSignatures(
  planned: Plan,
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: Documents,
): Promise<Plan> {
  const plan = planned.isEdited ? await withoutSuggested(planned, pdfs, documents) : planned;
  const fields = plan.files.map((_, index) => fieldsOn(plan, index));
  const last = plan.files.length - 1;
  const pdf = pdfs[last];
  const signatures =
    pdf && plan.boxesFor.length > 0 ? await placesFor(plan, pdf, fields[last] ?? [], documents) : undefined;
  const warnings = [...(signatures?.warnings ?? [])];
  for (const [index, ready] of pdfs.entries()) {
    if (!ready) continue;
    const isAtFoot = index === last && signatures?.warnings.length;
    const onPages = [...(fields[index] ?? []), ...(isAtFoot ? signatures.fields : [])];
    warnings.push(...(await findCoveredFields(ready, onPages, documents)));
  }
  return {
    ...plan,
    ...(signatures && { places: signatures.fields.map(({ box }) => box) }),
    warnings: [...(plan.warnings ?? []), ...warnings],
  };
}

/** The editor suggests signatures at lines of the text, in whose place nobody needs another one. */
async function withoutSuggested(
  plan: Plan,
  pdfs: readonly (SearchedPdf | undefined)[],
  documents: Documents,
): Promise<Plan> {
  if (plan.boxesFor.length === 0) return plan;
  const { suggestForDocuments } = await import('./suggestions.ts');
  const { suggested } = await suggestForDocuments(pdfs, undefined, documents);
  const signers = plan.recipients.filter(({ role }) => role === 'signer');
  const suggestedFor = new Set(
    suggested.flatMap(({ type, recipient }) => (type === 'signature' ? (signers[recipient] ?? []) : [])),
  );
  return {
    ...plan,
    boxesFor: plan.boxesFor.filter((position) => !suggestedFor.has(plan.recipients[position]!)),
  };
}

function fieldsOn(plan: Plan, index: number): FieldOnPage[] {
  const pages = pagesOfFile(plan.files[index]);
  return plan.fields
    .filter((field): field is PlannedPlace => field.document === index && !isAnchored(field))
    .filter((field) => pages !== undefined || !needsPages(field))
    .map((field) => ({
      type: field.type,
      recipient: field.recipient,
      words: field.words,
      box: resolveBox(field, pages, plan.files[index]?.name ?? ''),
    }));
}

async function placesFor(
  plan: Plan,
  { name, sha256, pdf }: ReadyPdf,
  others: readonly FieldOnPage[],
  documents: Documents,
): Promise<{ fields: FieldOnPage[]; warnings: FieldWarning[] }> {
  const sizes = plan.files.at(-1)?.pages ?? [];
  const page = sizes.length - 1;
  const size = sizes[page];
  if (!size) return { fields: [], warnings: [] };
  const { width, height, gap } = DEFAULT_BOX;
  const taken = others
    .filter(({ box }) => box.page === page)
    .map(({ box }) => ({ x: box.positionX, y: box.positionY, width: box.width, height: box.height }));
  const wanted = {
    count: plan.boxesFor.length,
    ...{ width, height, gap, taken },
    margin: edgeMargin(size),
    page: { width: size.width, height: size.height },
  };
  const found = await documents.findFreeBoxes({ sha256, bytes: async () => pdf }, page, wanted, 'own');
  const boxes =
    found.ok && found.boxes
      ? found.boxes.map(
          (box): FieldBox => ({
            page,
            positionX: roundPoints(box.x),
            positionY: roundPoints(box.y),
            width: roundPoints(box.width),
            height: roundPoints(box.height),
          }),
        )
      : undefined;
  const fields = (boxes ?? boxesAtFoot(size, page, plan.boxesFor.length, name)).map((box, index) => ({
    type: 'signature',
    recipient: plan.recipients[plan.boxesFor[index] ?? -1]?.email ?? null,
    box,
  }));
  return { fields, warnings: boxes ? [] : fields.map((field) => emptyPlaceWarning(name, field)) };
}
