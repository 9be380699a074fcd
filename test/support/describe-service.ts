// `describeService`: a suite that is run against the service in process, and in the slow tier over HTTP as well. A test fails if the service
// logged an error or answered something that its contract does not declare.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type Harness, openHarness, WAYS, type Way } from './harness.ts';
import { FULL, SHARE, SLOW } from './tier.ts';

type Body = (fixture: () => Harness, way: Way) => void;

function expectNoErrors(harness: Harness | undefined): void {
  expect(harness?.errors.splice(0)).toEqual([]);
  expect(harness?.contractViolations.splice(0)).toEqual([]);
}

/** Suites about HTTP itself run both ways in the short tier too. */
export type WaysToRun = 'over HTTP in the slow tier' | 'both ways';

/** At a landing, three of four suites that are not about HTTP leave it out. */
function waysOf(ways: WaysToRun, title: string): Way[] {
  const isOverHttp = ways === 'both ways' || FULL || (SLOW && title.length % 4 === SHARE % 4);
  return WAYS.filter((way) => isOverHttp || way !== 'over HTTP');
}

/** Describes a suite with a fresh service for each test. */
export function describeService(
  title: string,
  body: Body,
  ways: WaysToRun = 'over HTTP in the slow tier',
): void {
  describe.each(waysOf(ways, title))(`${title}, %s`, (way) => {
    let harness: Harness | undefined;
    beforeEach(async () => {
      harness = await openHarness(way);
    });
    afterEach(async () => {
      await harness?.close();
      expectNoErrors(harness);
    });
    body(() => harness as Harness, way);
  });
}

/** Describes a suite with one service for all tests, which must not affect each other. */
export function describeSharedService(
  title: string,
  body: Body,
  ways: WaysToRun = 'over HTTP in the slow tier',
): void {
  describe.each(waysOf(ways, title))(`${title}, %s`, (way) => {
    let harness: Harness | undefined;
    beforeAll(async () => {
      harness = await openHarness(way);
    });
    afterEach(() => expectNoErrors(harness));
    afterAll(() => harness?.close());
    body(() => harness as Harness, way);
  });
}
