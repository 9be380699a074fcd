// Judges the catalog of a document and what belongs to it: information, metadata, validation data. Of everything else that
// the catalog names nothing may change.

import { DOCUMENT_LIMITS } from '../../../limits.ts';
import type { PdfView } from '../../../syntax/read-pdf.ts';
import { type Dict, isSame, PdfStream, Ref, type Value } from '../../../syntax/values.ts';
import { digestOf } from '../../algorithms.ts';
import { checksOfFile } from '../../signed-by.ts';
import { readCrl } from '../crl.ts';
import { readOcsp } from '../ocsp.ts';
import { type Comparison, keysOf, objectNumberOf } from './comparison.ts';
import { isMovedApart } from './moved-values.ts';

/** Judged on their own. */
const JUDGED = new Set(['AcroForm', 'Pages', 'Metadata', 'DSS', 'StructTreeRoot']);

/** Both catalogs, or nothing where another object became the catalog. */
export function compareCatalogs(comparison: Comparison): { before: Dict; after: Dict } | undefined {
  const { old, latest, fail, mark, keep, explain } = comparison;
  const before = old.dict(old.root);
  const after = latest.dict(latest.root);
  const isSameRoot = isSame(old.root, latest.root);
  const isSameKey = isSame(old.trailer.get('Encrypt'), latest.trailer.get('Encrypt'));
  // A catalog that is a stream as well could have other data, which a page draws.
  const isStream = [old, latest].some((view) => view.resolve(view.root) instanceof PdfStream);
  if (!before || !after || !isSameRoot || !isSameKey || isStream) {
    fail('changed_structure', latest.root?.number, { part: isSameKey ? 'Root' : 'Encrypt' });
    return undefined;
  }
  govern(comparison, before);
  mark(latest.root);
  compareInformation(comparison, before, after);
  compareValidationData(comparison, before.get('DSS'), after.get('DSS'));
  for (const key of keysOf(before, after)) {
    const value = after.get(key);
    if (JUDGED.has(key)) continue;
    if (key === 'Version' && typeof value === 'string' && /^[12]\.\d$/.test(value)) continue;
    // Says which extensions of the format a writer used.
    if (key === 'Extensions' && value !== undefined) explain(value);
    else if (
      key !== 'OCProperties' &&
      !isSame(before.get(key), value) &&
      isMovedApart(comparison, before.get(key), value)
    )
      explain(value);
    else
      keep(before.get(key), value, key === 'OCProperties', {
        code: 'changed_structure',
        object: latest.root?.number,
        facts: { part: key },
      });
  }
  return { before, after };
}

/** Finds what has rules of its own. */
function govern({ old, governed, nodes }: Comparison, catalog: Dict): undefined {
  const add = (value: Value | undefined): Dict | undefined => {
    const number = objectNumberOf(value);
    if (number !== undefined && governed.has(number)) return undefined;
    if (number !== undefined) governed.add(number);
    const dict = old.resolve(value);
    return dict instanceof Map ? dict : undefined;
  };
  const walk = (items: Value | undefined, depth: number, isPageTree = false): undefined => {
    if (depth > DOCUMENT_LIMITS.pageTreeDepth) return;
    for (const item of old.array(items) ?? []) {
      const dict = add(item);
      if (!dict) continue;
      if (isPageTree && item instanceof Ref) nodes.add(item.number);
      for (const annotation of old.array(dict.get('Annots')) ?? []) add(annotation);
      walk(dict.get('Kids'), depth + 1, isPageTree);
    }
  };
  add(old.root);
  if (old.root) nodes.add(old.root.number);
  walk(add(catalog.get('AcroForm'))?.get('Fields'), 0);
  walk([catalog.get('Pages') ?? null], 0, true);
}

/** Title, author, times: shown beside a document, never in it. */
function compareInformation(comparison: Comparison, before: Dict, after: Dict): undefined {
  const { old, latest, fail, explain, isTouched, changes, rules } = comparison;
  const objects: number[] = [];
  const [known, info] = [old, latest].map(({ trailer }) => trailer.get('Info'));
  // An object that was there may be named instead, so that none differs.
  const isAnother = known !== undefined && info !== undefined && !isSame(known, info);
  if (!isSame(known, info) || isTouched(info)) objects.push(...explain(info));
  const metadata = after.get('Metadata');
  if (!isSame(before.get('Metadata'), metadata) || isTouched(metadata)) {
    const stream = latest.resolve(metadata);
    if (!(stream instanceof PdfStream) || stream.dict.get('Subtype') !== 'XML')
      return fail('changed_structure', objectNumberOf(metadata), { part: 'Metadata' });
    objects.push(...explain(metadata));
  }
  if (objects.length === 0 && !isAnother) return;
  changes.push({ kind: 'metadata', objects });
  if (rules.permission === 'nothing') fail('changed_structure', objects[0], { part: 'Metadata' });
}

// ── validation data ─────────────────────────────────────────────────────────────────────────────────────────────

const STORES = ['Certs', 'CRLs', 'OCSPs'];
const STORES_OF_SIGNATURE = ['Cert', 'CRL', 'OCSP'];

/** Certificates and lists may be added, because these streams are never drawn. None may be removed, unless a fresh one takes its place. */
function compareValidationData(comparison: Comparison, before: Value | undefined, after: Value | undefined) {
  const { old, latest, fail, explain, changes } = comparison;
  const objects = explain(after, true);
  if (objects.length === 0 && isSame(before, after)) return;
  const facts = { part: 'DSS' };
  const store = latest.dict(after);
  if (!store || !isValidationData(latest, store))
    return fail('changed_structure', objectNumberOf(after), facts);
  changes.push({ kind: 'validation_data', objects });
  const was = itemsOf(comparison, old, old.dict(before));
  const is = itemsOf(comparison, latest, store);
  const added = [...is].flatMap(([name, item]) => (was.has(name) ? [] : [item]));
  const removed = [...was].flatMap(([name, item]) => (is.has(name) ? [] : [item]));
  if (removed.length > 0 && !areReplaced(comparison, removed, added))
    fail('validation_data_removed', objectNumberOf(after));
}

/**
 * Whether each answer made way for another one about the same certificates, as iText writes it when it prolongs a timestamp, and each list for a later
 * one. The earlier one is still read where a signature covers it, so that a revocation that it names stays known.
 */
function areReplaced(
  { spend, isExhausted }: Comparison,
  removed: readonly StoredItem[],
  added: readonly StoredItem[],
): boolean {
  const checks = checksOfFile();
  const read = <Read>(data: Buffer, reader: (bytes: Buffer) => Read | undefined): Read | undefined => {
    spend(READ_STEPS + Math.floor(data.length / READ_BYTES));
    return isExhausted() ? undefined : reader(data);
  };
  const serialsOf = (data: Buffer): string[] => {
    const serials = [...(read(data, readOcsp)?.answers(checks).keys() ?? [])];
    spend(ANSWER_STEPS * serials.length);
    return isExhausted() ? [] : serials;
  };
  /** Of each issuer, the time of its last list. */
  const times = new Map<string, number>();
  /** Of each certificate, the answers about it. */
  const answers = new Map<string, Set<StoredItem>>();
  for (const item of added) {
    const crl = item.list === 'CRLs' ? read(item.data, readCrl) : undefined;
    const issuer = crl?.issuer.toString('latin1');
    if (crl && issuer !== undefined)
      times.set(issuer, Math.max(times.get(issuer) ?? crl.thisUpdate, crl.thisUpdate));
    for (const serial of item.list === 'OCSPs' ? serialsOf(item.data) : [])
      answers.set(serial, (answers.get(serial) ?? new Set()).add(item));
  }
  const isAnswering = (item: StoredItem, serial: string): boolean => {
    spend(1);
    return !isExhausted() && answers.get(serial)?.has(item) === true;
  };
  return removed.every(({ list, data }) => {
    if (list === 'CRLs') {
      const crl = read(data, readCrl);
      const time = crl && times.get(crl.issuer.toString('latin1'));
      return time !== undefined && crl!.thisUpdate <= time;
    }
    const serials = list === 'OCSPs' ? serialsOf(data) : [];
    const others = [...(answers.get(serials[0] ?? '') ?? [])];
    return others.some((item) => serials.every((serial) => isAnswering(item, serial))) && checks.left >= 0;
  });
}

/** Of the work that a list or an answer takes, compared with that of a value that is looked at; and how many of its bytes, read or only hashed, take one more. */
const READ_STEPS = 100;
const READ_BYTES = 32;
const HASHED_BYTES = 256;
/** Of an answer about one certificate. */
const ANSWER_STEPS = 16;

function isValidationData(view: PdfView, store: Dict): boolean {
  const isStreams = (value: Value) =>
    view.array(value)?.every((item) => view.resolve(item) instanceof PdfStream) === true;
  const isStore = (dict: Dict, keys: readonly string[]) =>
    [...dict].every(([key, value]) => {
      if (key === 'Type' || key === 'TU') return !(value instanceof Ref);
      if (key === 'TS') return view.resolve(value) instanceof PdfStream;
      return keys.includes(key) && isStreams(value);
    });
  const ofSignatures = view.dict(store.get('VRI')) ?? new Map<string, Value>();
  const rest = new Map([...store].filter(([key]) => key !== 'VRI'));
  return (
    isStore(rest, STORES) &&
    [...ofSignatures].every(([key, value]) => {
      const dict = view.dict(value);
      return key === 'Type' || (dict !== undefined && isStore(dict, STORES_OF_SIGNATURE));
    })
  );
}

type StoredItem = { list: string; data: Buffer };

/** What each list of the store holds, by its bytes: writers give the same certificate another number. */
const itemsOf = (
  { spend, isExhausted }: Comparison,
  view: PdfView,
  store: Dict | undefined,
): Map<string, StoredItem> =>
  new Map(
    STORES.flatMap((list) =>
      (view.array(store?.get(list)) ?? []).flatMap((stream) => {
        if (isExhausted()) return [];
        const data = view.data(stream) ?? Buffer.alloc(0);
        spend(1 + Math.floor(data.length / HASHED_BYTES));
        return [[`${list} ${digestOf('sha256', data).toString('hex')}`, { list, data }] as const];
      }),
    ),
  );
