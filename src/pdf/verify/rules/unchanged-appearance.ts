// Pages look as they looked when they were signed, outside the places of what was filled in, signed or noted. This is the second opinion on all rules above: the
// pages that lead to an object of a later save are drawn in both versions. A version after which no page can have changed is not drawn, and no engine is started.
import type { AllowedPlace, VersionDifference, VersionToCompare } from '../../comparison/compare-versions.ts';
import { VERIFY_LIMITS } from '../../limits.ts';
import type { PdfFile, PdfView } from '../../syntax/read-pdf.ts';
import { type Dict, isSame, PdfStream, Ref, textOf } from '../../syntax/values.ts';
import { CHOICE_COMBO, hasPlace, isFlagged, isLettered } from '../changes/appearance.ts';
import { isTextAppearance } from '../changes/blank-appearance.ts';
import { type Change, inherited } from '../changes/diff-context.ts';
import { coverageOf, isCoverage } from '../coverage.ts';
import { createDrawnSearch, type DrawnSearch, pageTreeOf } from '../drawn-objects.ts';
import { formOf, signatureFieldsOf } from '../fields.ts';
import { type Fault, judgementOf } from '../findings.ts';
import { arePagesUntouched } from '../untouched-pages.ts';
import type { RuleDescription } from './rule.ts';

export const unchangedAppearance = {
  name: 'unchanged-appearance',
  allows:
    'Pages show what they showed, on the screen and on paper, outside the places of what was filled in, signed or noted.',
  source: 'ISO 32000-2, 12.8.2.2',
  codes: ['shown_differently', 'not_compared'],
} as const satisfies RuleDescription;

/** The answer of the engine that drew a signed version and the file. */
type AppearanceComparison =
  | { ok: true; differences: readonly VersionDifference[] }
  | { ok: false; reason: 'too_complex'; limit: string }
  | { ok: false; reason: 'unreadable' | 'busy' };

export function judgeAppearance(compared: AppearanceComparison): Fault[] {
  const { name: rule } = unchangedAppearance;
  if (!compared.ok) {
    const limit = compared.reason === 'too_complex' ? compared.limit : compared.reason;
    return [{ code: 'not_compared', facts: { limit }, rule }];
  }
  return compared.differences.map(({ page, medium = 'screen' }) => ({
    code: 'shown_differently',
    facts: page === undefined ? {} : { page: String(page + 1), medium },
    rule,
  }));
}

/** A file whose signatures have been verified. */
type VerifiedSignatures = {
  file: PdfFile;
  signatures: readonly {
    covers: { end: number; save: number; isWholeFile: boolean } | undefined;
    changes: readonly Change[];
    faults: readonly Fault[];
  }[];
};

/** The signed versions of which a page may be drawn differently now, each once, the first first. */
export const versionsToCompare = (report: VerifiedSignatures): VersionToCompare[] =>
  signedVersions(report).flatMap(({ isUntouched, version }) => (isUntouched() ? [] : [version()]));

/** Whether pages will have to be compared if the signatures of the file are valid. */
export const mayHaveToCompare = (file: PdfFile): boolean =>
  signatureFieldsOf(file.latest)
    .signed.slice(0, VERIFY_LIMITS.signatures)
    .some((field) => {
      const coverage = coverageOf(file, field);
      return (
        isCoverage(coverage) && coverage.end < file.bytes.length && !arePagesUntouched(file, coverage.view)
      );
    });

/**
 * The signed versions with a later save behind them. `isUntouched`: no object that a page draws can have changed since, provided that the signatures
 * are not invalid.
 */
export function signedVersions({ file, signatures }: VerifiedSignatures) {
  const isSound = signatures.every(({ faults }) => judgementOf(faults).verdict !== 'invalid');
  const ends = new Set<number>();
  return signatures.flatMap(({ covers, changes }) => {
    if (!covers || covers.isWholeFile || ends.has(covers.end)) return [];
    ends.add(covers.end);
    const { end, save } = covers;
    return {
      isUntouched: () => isSound && arePagesUntouched(file, file.view(save)),
      version: () => versionOf(file, end, changes),
    };
  });
}

function versionOf(file: PdfFile, end: number, changes: readonly Change[]): VersionToCompare {
  const later = file.sections.findIndex(({ start }) => start >= end);
  const signed = file.view(Math.max(0, later - 1));
  const written = new Set(file.sections.slice(later).flatMap(({ places }) => [...places.keys()]));
  const { pages } = pageTreeOf(file.latest);
  const leads = [createDrawnSearch(signed, written), createDrawnSearch(file.latest, written)];
  const mayDiffer = formChanges(signed, file.latest, leads) ? hasLetters : () => false;
  const affected = pages.flatMap((page, index) =>
    mayDiffer(file.latest, page) || leads.some((search) => search(page, 'page')) ? [index] : [],
  );
  return {
    end,
    pages: affected,
    pageCount: pages.length,
    allowed: placesOf(signed, file.latest, pages, changes),
  };
}

/** Whether text that has no look of its own may be drawn with something else now. */
function formChanges(signed: PdfView, latest: PdfView, leads: readonly DrawnSearch[]): boolean {
  const [was, is] = [formOf(signed), formOf(latest)];
  return ['DR', 'DA'].some((key) => {
    const value = is?.get(key) ?? null;
    return !isSame(was?.get(key) ?? null, value) || leads.some((search) => search(value, 'drawn'));
  });
}

const hasLetters = (view: PdfView, page: Ref): boolean =>
  (view.array(view.dict(page)?.get('Annots')) ?? []).some((item) => isLettered(view, view.dict(item)));

/** Timestamps show nothing: there is no place for them. MuPDF writes in the box of a field that waits for a signature. */
const SHOWN = new Set<Change['kind']>(['form_filled', 'signature', 'annotation', 'signature_field']);

function placesOf(
  signed: PdfView,
  view: PdfView,
  pages: readonly Ref[],
  changes: readonly Change[],
): AllowedPlace[] {
  const shown = changes.filter(({ kind }) => SHOWN.has(kind));
  if (shown.length === 0) return [];
  const changeOf = new Map(shown.flatMap((change) => change.objects.map((number) => [number, change])));
  return pages.flatMap((page, index) =>
    (view.array(view.dict(page)?.get('Annots')) ?? []).flatMap((item) => {
      const annotation = view.dict(item);
      const parent = annotation?.get('Parent');
      const changed = [item, parent].flatMap(
        (owner) => (owner instanceof Ref && changeOf.get(owner.number)) || [],
      );
      const rect = changed.length > 0 && rectOf(view, annotation);
      const filled = filledText(view, annotation, changed);
      const isSignature = changed.some(({ kind }) => kind === 'signature');
      const isWaiting = changed.some(({ kind }) => kind === 'signature_field');
      if (!rect || (isWaiting && !hasPlace(view, annotation))) return [];
      // A box that comes with a signature may lie over what others show, which is a remark.
      const wasThere = item instanceof Ref && signed.object(item.number) !== undefined;
      const mustBeEmpty = wasThere && (filled !== undefined || isSignature);
      const kinds = {
        ...(isSignature && { isSignature }),
        ...(mustBeEmpty && { mustBeEmpty }),
        ...(isWaiting && { mustBeBlank: true }),
      };
      return [{ page: index, rect, ...(filled && { filled }), ...kinds }];
    }),
  );
}

/** What a text field or a list was filled in with, as it is shown; a box that is ticked shows another text than its value. */
function filledText(
  view: PdfView,
  annotation: Dict | undefined,
  changes: readonly Change[],
): AllowedPlace['filled'] | undefined {
  const change = changes.find(({ kind }) => kind === 'form_filled');
  const type = annotation && view.resolve(inherited(view, annotation, 'FT'));
  if (!change || !annotation) return undefined;
  const normal = view.resolve(view.dict(annotation.get('AP'))?.get('N'));
  const isDrawn = normal instanceof PdfStream && !isTextAppearance(view, normal);
  const filled = { name: change.field ?? '', value: change.after ?? '', ...(isDrawn && { isDrawn }) };
  if (type === 'Tx') return filled;
  const flags = view.resolve(inherited(view, annotation, 'Ff'));
  if (type !== 'Ch') return undefined;
  const isCombo = isFlagged(flags, CHOICE_COMBO);
  const value = isCombo ? optionShown(view, annotation, filled.value) : optionsOf(view, annotation).join(' ');
  return { ...filled, value };
}

/** All texts that a list may show: other words in its look are none of its options. */
function optionsOf(view: PdfView, annotation: Dict): string[] {
  const options = view.array(inherited(view, annotation, 'Opt')) ?? [];
  return options.flatMap((option) => {
    const resolved = view.resolve(option);
    const shown = Array.isArray(resolved) ? view.resolve(resolved[1]) : resolved;
    return textOf(shown) ?? [];
  });
}

/** An option may be shown by another text than the value that it stands for (ISO 32000-2, table 234). */
function optionShown(view: PdfView, annotation: Dict, value: string): string {
  const options = view.array(inherited(view, annotation, 'Opt')) ?? [];
  const pairs = options.map((option) => (view.array(option) ?? []).map((text) => textOf(view.resolve(text))));
  return pairs.find(([exported]) => exported === value)?.[1] ?? value;
}

function rectOf(view: PdfView, annotation: Dict | undefined): AllowedPlace['rect'] | undefined {
  const corners = view.array(annotation?.get('Rect'))?.map((value) => view.resolve(value)) ?? [];
  if (corners.length !== 4 || !corners.every((value) => typeof value === 'number')) return undefined;
  const [x1, y1, x2, y2] = corners as [number, number, number, number];
  return { left: Math.min(x1, x2), bottom: Math.min(y1, y2), right: Math.max(x1, x2), top: Math.max(y1, y2) };
}
