// What changed after a signature, and whether it was allowed to: every object that differs is looked at by what it is for.
// What is not understood as allowed is not allowed.
import type { PdfFile, PdfView } from '../../../reader/read-pdf.ts';
import type { Fault } from '../findings.ts';
import { compareCatalogs } from './catalog.ts';
import {
  type Change,
  type Comparison,
  type ComparisonBudget,
  createComparison,
  type Rules,
} from './comparison.ts';
import { differencesSince, strayByteAfter } from './differences.ts';
import { compareForms } from './form.ts';
import { comparePages } from './pages.ts';

export type { Change, ChangeKind, ComparisonBudget, Permission, Rules } from './comparison.ts';

export type Judged = { changes: Change[]; faults: Fault[] };

/**
 * @param end where the bytes that are signed end
 * @param budget one for all signatures of a file
 */
export function changesSince(
  file: PdfFile,
  old: PdfView,
  end: number,
  rules: Rules,
  budget: ComparisonBudget,
): Judged {
  if (end === file.bytes.length) return { changes: [], faults: [] };
  const stray = strayByteAfter(file, end);
  if (stray !== undefined) return { changes: [], faults: [{ code: 'bytes_after', at: stray }] };
  const { changed, doubtful, containers } = differencesSince(file, old);
  const [first] = doubtful;
  if (first !== undefined) return { changes: [], faults: [{ code: 'update_unreadable', object: first }] };
  if (file.isExhausted()) return { changes: [], faults: [{ code: 'update_unreadable' }] };
  if (changed.size === 0) return { changes: [], faults: [] };
  return judged(createComparison({ file, old, changed, containers, rules, budget }));
}

function judged(comparison: Comparison): Judged {
  const { changed, explained, faults, changes, fail } = comparison;
  const catalogs = compareCatalogs(comparison);
  if (catalogs) {
    const { before, after } = catalogs;
    compareForms(comparison, before.get('AcroForm'), after.get('AcroForm'));
    comparePages(comparison, before.get('Pages'), after.get('Pages'));
  }
  const unexplained = [...changed].filter((number) => !explained.has(number)).find(comparison.isInUse);
  if (comparison.isExhausted()) fail('update_unreadable');
  else if (faults.length === 0 && unexplained !== undefined) fail('changed_structure', unexplained);
  const content = faults.filter(({ code }) => code === 'changed_content');
  if (content.length > 0)
    changes.push({ kind: 'content', objects: content.flatMap(({ object }) => object ?? []) });
  return { changes, faults };
}
