// Hashes beginnings of a file. Signatures, timestamps and the evidence each name one, and most of it is the same for all of them: the
// hash is kept after every few bytes, so that the same bytes are not hashed for each.

import type { Hash } from 'node:crypto';
import { copyHash, createHashOf, type HashName } from '../sign/algorithms.ts';
import type { PdfFile } from '../syntax/read-pdf.ts';

const STEP_BYTES = 1024 * 1024;

/** After none, one, two … steps. */
const hashes = new WeakMap<PdfFile, Map<HashName, Hash[]>>();

/** The hash of the first `end` bytes, to which more can be added. */
export function hashOfBeginning(file: PdfFile, name: HashName, end: number): Hash {
  const kept = keptOf(file, name);
  const steps = Math.floor(end / STEP_BYTES);
  for (let step = kept.length; step <= steps; step += 1) {
    const from = (step - 1) * STEP_BYTES;
    kept.push(copyHash(kept[step - 1]!, name).update(file.bytes.subarray(from, from + STEP_BYTES)));
  }
  return copyHash(kept[steps]!, name).update(file.bytes.subarray(steps * STEP_BYTES, end));
}

function keptOf(file: PdfFile, name: HashName): Hash[] {
  const ofFile = hashes.get(file) ?? new Map<HashName, Hash[]>();
  hashes.set(file, ofFile);
  const kept = ofFile.get(name) ?? [createHashOf(name)];
  ofFile.set(name, kept);
  return kept;
}
