// A store that several processes open at the moment at which it is made, and at which the last one leaves it.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { openHarness } from '../support/harness.ts';
import { type ChildWithLines, startChildProcess } from '../support/processes/child.ts';
import { SLOW } from '../support/tier.ts';

const PROCESSES = SLOW ? 8 : 4;
const STORES = SLOW ? 20 : 2;
/** Once when it is new, and again when it is there. */
const VISITS = 2;

type Line = {
  ready?: true;
  round?: number;
  origin?: string;
  token?: string;
  status?: number;
  failed?: string;
};

describe.skipIf(!SLOW)(`${PROCESSES} processes that open one store`, () => {
  let root: string;
  let children: ChildWithLines<Line>[] = [];
  afterEach(async () => {
    for (const child of children) child.kill();
    await rm(root, { recursive: true, force: true });
  });

  test(`find the same one, ${STORES} times`, async () => {
    root = await mkdtemp(join(tmpdir(), 'esign-opening-'));
    const worker = new URL('open-worker.mjs', import.meta.url);
    children = Array.from({ length: PROCESSES }, () => startChildProcess<Line>(worker));
    await Promise.all(children.map((child) => child.until(({ ready }) => ready === true)));
    for (let round = 0; round < STORES * VISITS; round += 1) {
      const folder = join(root, `store-${Math.floor(round / VISITS)}`);
      for (const child of children) child.tell({ round, folder });
      const lines = await Promise.all(children.map((child) => child.until((line) => line.round === round)));
      expect(children.flatMap((child) => child.lines.filter(({ failed }) => failed))).toEqual([]);
      expect(lines.map(({ status }) => status)).toEqual(children.map(() => 201));
      expect(new Set(lines.map(({ origin, token }) => `${origin} ${token}`)).size).toBe(1);
    }
    const harness = await openHarness('in process', { folder: join(root, 'store-0') });
    expect((await harness.client['sandbox.status']({})).transactions.draft).toBe(PROCESSES * VISITS);
    await harness.close();
    for (const child of children) child.tell({});
    expect(await Promise.all(children.map((child) => child.ended))).toEqual(children.map(() => 0));
  });
});
