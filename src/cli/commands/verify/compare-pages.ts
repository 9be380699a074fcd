// Compares the pages of a file with those of each version that was signed, and tells what they show differently.
import type {
  DrawnOver,
  OtherValue,
  VersionsComparedAnswer,
  VersionToCompare,
} from '../../../pdf/engine/engine.ts';
import {
  type Fault,
  judgeAppearance,
  judgementOf,
  type PdfReport,
  versionsToCompare,
} from '../../../pdf/verify/verify.ts';
import type { VerifyRemark } from './remarks.ts';

/**
 * `not_needed`: nothing that a page draws was saved after the signatures, or they are invalid anyway. `skipped`: not asked for. `compared`: how many
 * of the pages were drawn and compared.
 */
export type Rendering =
  | { state: 'not_needed' | 'skipped' }
  | { state: 'compared'; pages: number; of: number };

/** Compares the file with an earlier version of it. */
export type CompareVersions = (
  bytes: Uint8Array,
  version: VersionToCompare,
) => Promise<VersionsComparedAnswer>;

export type ComparedPages = { rendering: Rendering; faults: Fault[]; remarks: VerifyRemark[] };

/** Compares nothing if a signature is invalid already. */
export async function compareDrawnPages(
  report: PdfReport,
  bytes: Uint8Array,
  {
    compareVersions,
    password,
  }: { compareVersions: CompareVersions | undefined; password: string | undefined },
): Promise<ComparedPages> {
  const versions = versionsToCompare(report);
  const isInvalid = report.signatures.some(({ faults }) => judgementOf(faults).verdict === 'invalid');
  if (isInvalid || versions.length === 0) return without({ state: 'not_needed' });
  if (!compareVersions) return without({ state: 'skipped' });
  let rendering: Rendering = { state: 'compared', pages: 0, of: 0 };
  const found = createRemarks();
  for (const version of versions) {
    const answer = await compareVersions(bytes, { ...version, ...(password !== undefined && { password }) });
    const faults = judgeAppearance(answer);
    if (answer.ok) {
      const { compared, pageCount } = answer;
      rendering = { state: 'compared', pages: Math.max(rendering.pages, compared), of: pageCount };
    }
    if (!answer.ok || faults.length > 0) return without(rendering, faults);
    found.add(answer);
  }
  return { rendering, faults: [], remarks: found.all() };
}

const without = (rendering: Rendering, faults: Fault[] = []): ComparedPages => ({
  rendering,
  faults,
  remarks: [],
});

/** Each signed version is compared with the file, so that the same is found several times. */
function createRemarks() {
  const pages = new Map<number, Set<string>>();
  const fields = new Map<string, VerifyRemark>();
  return {
    add({ drawnOver, otherValues }: { drawnOver: readonly DrawnOver[]; otherValues: readonly OtherValue[] }) {
      for (const { page, words } of drawnOver)
        pages.set(page, new Set([...(pages.get(page) ?? []), ...words]));
      for (const { page, field, value, shown, isDrawn } of otherValues)
        fields.set(`${page} ${field}`, {
          code: 'value_shown_differently',
          page: page + 1,
          field,
          value,
          shown,
          ...(isDrawn && { isDrawn }),
        });
    },
    all: (): VerifyRemark[] => [
      ...[...pages].map(
        ([page, words]): VerifyRemark => ({ code: 'drawn_over_text', page: page + 1, words: [...words] }),
      ),
      ...fields.values(),
    ],
  };
}
