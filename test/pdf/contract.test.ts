// The contract of our tests: made anew, it is the file that lies there, and any reader finds three pages in it.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { inspectPdf } from '../../src/pdf/render/inspect.ts';
import { SLOW } from '../support/tier.ts';

const script = fileURLToPath(new URL('../../scripts/make-contract.js', import.meta.url));
const fixture = readFileSync(new URL('../fixtures/contract.pdf', import.meta.url));

test.skipIf(!SLOW)(
  'scripts/make-contract.js writes test/fixtures/contract.pdf, byte for byte, in any time zone',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'contract-'));
    try {
      const target = join(folder, 'contract.pdf');
      execFileSync(process.execPath, [script, target], { env: { ...process.env, TZ: 'Asia/Tokyo' } });
      expect(readFileSync(target).equals(fixture)).toBe(true);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

test('the contract has three pages of A4', async () => {
  const a4 = { width: 595.28, height: 841.89, rotation: 0 };
  expect(await inspectPdf(fixture, { maxPages: 3 })).toEqual({ ok: true, pages: [a4, a4, a4], remarks: [] });
});
