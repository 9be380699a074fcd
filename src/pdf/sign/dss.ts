// Appends what a reader needs to check the signatures of a PDF later: certificates and revocation lists (EN 319 142-1,
// 5.4). It covers nothing and signs nothing.
import { appendUpdate, openForUpdate } from '../syntax/incremental.ts';
import type { Ref, Value } from '../syntax/values.ts';
import { writeDictionary } from '../syntax/write-value.ts';
import { ChangedObjects } from './changed-objects.ts';

export type ValidationData = {
  certificates: readonly Uint8Array[];
  revocationLists: readonly Uint8Array[];
};

/** @param pdf has no such data yet */
export function appendValidationData(
  pdf: Uint8Array,
  { certificates, revocationLists }: ValidationData,
): Uint8Array {
  const file = openForUpdate(pdf);
  const objects = new ChangedObjects(file);
  const streams = (all: readonly Uint8Array[]): Ref[] => all.map((der) => objects.addStream(stream(der)));
  const store = objects.add(
    new Map<string, Value>([
      ['Type', 'DSS'],
      ['Certs', streams(certificates)],
      ['CRLs', streams(revocationLists)],
    ]),
  );
  objects.change(file.latest.root!, ['DSS'], () => store);
  return appendUpdate(file, { objects: objects.contents() }).pdf;
}

const stream = (data: Uint8Array): Buffer =>
  Buffer.concat([
    Buffer.from(`${writeDictionary([['Length', String(data.length)]])}\nstream\n`, 'latin1'),
    data,
    Buffer.from('\nendstream', 'latin1'),
  ]);
