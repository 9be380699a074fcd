// Certificates, lists and answers of revocation may be added (DSS), because these streams are never drawn. None may be removed, unless a fresh one takes its
// place: the known attack removes a list that names the certificate of the signer.

import type { PdfView } from '../../read/read-pdf.ts';
import { type Dict, isSame, PdfStream, Ref, type Value } from '../../read/values.ts';
import { digestOf } from '../../sign/algorithms.ts';
import { readCrl, readOcsp } from '../../sign/revocation-data.ts';
import { checksOfFile } from '../../sign/signed-by.ts';
import {
  changedObjectsIn,
  type DiffContext,
  isExhausted,
  objectNumberOf,
  spend,
} from '../changes/diff-context.ts';
import { defineRule, objection } from './rule.ts';

export const validationData = defineRule({
  name: 'validation-data',
  allows:
    'Certificates and revocation data may be added, a list or an answer may make way for a later one about the same certificates, and the store for some signatures for a store for others.',
  source: 'ISO 32000-2, 12.8.4.3; ETSI EN 319 142-1, 5.4.2',
  codes: ['changed_structure', 'validation_data_removed'],
  *judge(context) {
    const { old, latest, catalogs } = context;
    const [before, after] = [catalogs.before.get('DSS'), catalogs.after.get('DSS')];
    const objects = changedObjectsIn(context, before, after, true);
    if (objects.length === 0 && isSame(before, after)) return;
    yield { explained: [...objects, ...formerStore(context, before, after)] };
    const store = latest.dict(after);
    if (!store || !isValidationData(latest, store)) {
      yield objection('changed_structure', objectNumberOf(after), { part: 'DSS' });
      return;
    }
    yield { change: { kind: 'validation_data', objects } };
    const was = itemsOf(context, old, old.dict(before));
    const is = itemsOf(context, latest, store);
    const added = [...is].flatMap(([name, item]) => (was.has(name) ? [] : [item]));
    const removed = [...was].flatMap(([name, item]) => (is.has(name) ? [] : [item]));
    if (
      removed.length > 0 &&
      !isStoreOfOthers(context, before, after) &&
      !areReplaced(context, removed, added)
    )
      yield objection('validation_data_removed', objectNumberOf(after));
  },
});

/**
 * Finds the store that was there, where the catalog names another one: a save between both may have added to it, and has left out nothing.
 */
function formerStore(
  context: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
): readonly number[] {
  const { old, latest } = context;
  const store = isSame(before, after) ? undefined : latest.dict(before);
  if (!store || !isValidationData(latest, store)) return [];
  const is = itemsOf(context, latest, store);
  const isWhole = [...itemsOf(context, old, old.dict(before)).keys()].every((name) => is.has(name));
  return isWhole ? changedObjectsIn(context, before, before, true) : [];
}

/**
 * Tells whether another store takes the place of the earlier one, which names its signatures, and none that the earlier one named: some services store for the
 * last signature alone. What a signature covers is still read, so that a revocation stays known, and who could hide what no signature covers could also
 * take that save away.
 */
function isStoreOfOthers(
  { old, latest }: DiffContext,
  before: Value | undefined,
  after: Value | undefined,
): boolean {
  const signaturesOf = (view: PdfView, store: Value | undefined): string[] =>
    [...(view.dict(view.dict(store)?.get('VRI'))?.keys() ?? [])].filter((key) => key !== 'Type');
  const [was, is] = [new Set(signaturesOf(old, before)), signaturesOf(latest, after)];
  const isAnother = after instanceof Ref && !isSame(before, after) && old.place(after.number) === undefined;
  return isAnother && is.length > 0 && is.every((key) => /^[0-9A-F]{40}$/.test(key) && !was.has(key));
}

const STORES = ['Certs', 'CRLs', 'OCSPs'];
const STORES_OF_SIGNATURE = ['Cert', 'CRL', 'OCSP'];

/**
 * Tells whether each answer made way for another one about the same certificates, as iText writes it when it prolongs a timestamp, and each list for a later
 * one. The earlier one is still read where a signature covers it, so that a revocation that it names stays known.
 */
function areReplaced(
  context: DiffContext,
  removed: readonly StoredItem[],
  added: readonly StoredItem[],
): boolean {
  const checks = checksOfFile();
  const read = <Read>(data: Buffer, reader: (bytes: Buffer) => Read | undefined): Read | undefined => {
    spend(context, READ_STEPS + Math.floor(data.length / READ_BYTES));
    return isExhausted(context) ? undefined : reader(data);
  };
  const serialsOf = (data: Buffer): string[] => {
    const serials = [...(read(data, readOcsp)?.answers(checks).keys() ?? [])];
    spend(context, ANSWER_STEPS * serials.length);
    return isExhausted(context) ? [] : serials;
  };
  /** It gives the time of the last list of each issuer. */
  const times = new Map<string, number>();
  /** It gives the answers about each certificate. */
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
    spend(context, 1);
    return !isExhausted(context) && answers.get(serial)?.has(item) === true;
  };
  return removed.every(({ list, data }) => {
    if (list === 'CRLs') {
      const crl = read(data, readCrl);
      const time = crl && times.get(crl.issuer.toString('latin1'));
      return time !== undefined && crl!.thisUpdate <= time;
    }
    const serials = list === 'OCSPs' ? serialsOf(data) : [];
    const others = [...(answers.get(serials[0] ?? '') ?? [])];
    return (
      others.some((item) => serials.every((serial) => isAnswering(item, serial))) && checks.remaining >= 0
    );
  });
}

/**
 * A list or an answer takes as many steps as this many values that are read, and one more for so many of its bytes that are read, or only
 * hashed.
 */
const READ_STEPS = 100;
const READ_BYTES = 32;
const HASHED_BYTES = 256;
/** An answer about a certificate takes so many steps. */
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

/** Lists the items of the store by their bytes: writers give the same certificate another number. */
const itemsOf = (context: DiffContext, view: PdfView, store: Dict | undefined): Map<string, StoredItem> =>
  new Map(
    STORES.flatMap((list) =>
      (view.array(store?.get(list)) ?? []).flatMap((stream) => {
        if (isExhausted(context)) return [];
        const data = view.data(stream) ?? Buffer.alloc(0);
        spend(context, 1 + Math.floor(data.length / HASHED_BYTES));
        return [[`${list} ${digestOf('sha256', data).toString('hex')}`, { list, data }] as const];
      }),
    ),
  );
