// The hash of the beginning of a file is that of its bytes, in whichever order beginnings are asked for.

import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { digestOf } from '../../../src/pdf/sign/algorithms.ts';
import type { PdfFile } from '../../../src/pdf/syntax/read-pdf.ts';
import { hashOfBeginning } from '../../../src/pdf/verify/signature.ts';
import { sampleOf } from '../../support/tier.ts';

const MB = 1024 * 1024;
const bytes = randomBytes(3 * MB + 10);
const ENDS = [2 * MB + 1, 0, 1, MB - 1, MB, MB + 1, 3 * MB + 5, 2 * MB, bytes.length, 0];

test.each(sampleOf(['sha256', 'sha512', 'sha3-256', 'shake256'] as const, 2))('with %s', (name) => {
  const file = { bytes } as PdfFile;
  const more = Buffer.from('behind the gap');
  for (const end of [...ENDS, ...ENDS]) {
    const digest = hashOfBeginning(file, name, end).update(more).digest();
    expect(digest, `${end} bytes`).toEqual(digestOf(name, bytes.subarray(0, end), more));
  }
});

test('of two files, each has its own', () => {
  const [one, other] = [{ bytes }, { bytes: randomBytes(2 * MB) }].map((file) => file as PdfFile);
  const digests = [one!, other!].map((file) => hashOfBeginning(file, 'sha256', MB + 1).digest('hex'));
  expect(digests[0]).not.toBe(digests[1]);
});
