// Removes from a document what acts by itself or changes what is shown: scripts, actions, XFA, the form, and signatures that are
// no longer valid. It counts what it removes. It must never touch the content of a page.
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFStream } from '@cantoo/pdf-lib';
import { STAMP_LIMITS } from '../limits.ts';
import { dictIn, nameIn } from './look-up.ts';
import type { Removed, RemovedCode } from './plan.ts';

/** These actions navigate when the user activates them, and do nothing else (ISO 32000-1, 12.6.4). */
const HARMLESS = new Set(['GoTo', 'GoToR', 'URI', 'Named']);

/** These entries of the catalog belong to the form or to signatures, or make a reader show something else than the pages. */
const OF_CATALOG = ['AcroForm', 'Perms', 'DSS', 'Legal', 'Requirements', 'Collection', 'NeedsRendering'];

export function clean(context: PDFContext, catalog: PDFDict, tally: Tally): void {
  const form = dictIn(catalog, 'AcroForm');
  if (form?.has(PDFName.of('XFA'))) tally.count('xfa');
  removeScripts(catalog, tally);
  if (isActing(catalog.lookup(PDFName.of('OpenAction')))) {
    countAction(catalog.lookup(PDFName.of('OpenAction')), tally);
    catalog.delete(PDFName.of('OpenAction'));
  }
  for (const key of OF_CATALOG) catalog.delete(PDFName.of(key));
  for (const [, object] of context.enumerateIndirectObjects()) removeActions(object, context, tally);
}

/** Scripts that run when the document is opened have names (ISO 32000-1, 12.6.4.16). */
function removeScripts(catalog: PDFDict, tally: Tally): void {
  const names = dictIn(catalog, 'Names');
  const key = PDFName.of('JavaScript');
  if (!names?.has(key)) return;
  tally.count('javascript');
  names.delete(key);
}

function removeActions(object: PDFObject, context: PDFContext, tally: Tally): void {
  const waiting: PDFObject[] = [object];
  const visited = new Set<PDFObject>();
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    const dict = next instanceof PDFStream ? next.dict : next;
    if (dict instanceof PDFArray) for (const item of dict.asArray().filter(isContainer)) waiting.push(item);
    if (!(dict instanceof PDFDict)) continue;
    removeTriggers(dict, context, tally);
    for (const value of dict.values().filter(isContainer)) waiting.push(value);
  }
}

const isContainer = (value: PDFObject): boolean => value instanceof PDFDict || value instanceof PDFArray;

/** Removes actions on events, such as a pointer that enters, a page that opens or a field that loses focus, and actions chained to harmless ones. */
function removeTriggers(dict: PDFDict, context: PDFContext, tally: Tally): void {
  const triggers = dictIn(dict, 'AA');
  if (triggers) {
    for (const action of triggers.values()) countAction(context.lookup(action), tally);
    dict.delete(PDFName.of('AA'));
  }
  for (const key of ['A', 'PA', 'Next']) {
    const name = PDFName.of(key);
    const action = dict.has(name) ? context.lookup(dict.get(name)) : undefined;
    if (!isActing(action)) continue;
    countAction(action, tally);
    dict.delete(name);
  }
}

/** Tells whether it is an action, or a list of some, that does more than go somewhere. Attributes of tags have the same key. */
function isActing(value: PDFObject | undefined): boolean {
  if (value instanceof PDFArray) return value.asArray().some((_, index) => isActing(value.lookup(index)));
  if (!(value instanceof PDFDict) || value.has(PDFName.of('O'))) return false;
  const kind = nameIn(value, 'S');
  return kind !== undefined && !HARMLESS.has(kind);
}

function countAction(action: PDFObject | undefined, tally: Tally): void {
  if (action instanceof PDFArray) {
    for (let index = 0; index < action.size(); index += 1) countAction(action.lookup(index), tally);
    return;
  }
  if (!(action instanceof PDFDict)) return;
  const kind = nameIn(action, 'S');
  if (kind === 'JavaScript') tally.count('javascript');
  else tally.count('actions', kind);
}

export type Tally = { count(code: RemovedCode, name?: string): void; all(): Removed[] };

export function newTally(): Tally {
  const counts = new Map<RemovedCode, { count: number; names: Set<string> }>();
  return {
    count(code, name) {
      const entry = counts.get(code) ?? { count: 0, names: new Set() };
      entry.count += 1;
      if (name && entry.names.size < STAMP_LIMITS.named)
        entry.names.add(name.slice(0, STAMP_LIMITS.nameLength));
      counts.set(code, entry);
    },
    all: () =>
      [...counts].map(([code, { count, names }]) => ({
        code,
        count,
        ...(names.size > 0 && { names: [...names] }),
      })),
  };
}
