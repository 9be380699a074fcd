// `describeService`: a suite that is run against the service in process, and in the slow tiers on PostgreSQL and over HTTP as well. A test fails if
// the service logged an error or answered something that its contract does not declare.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest';
import { type Harness, openHarness, WAYS, type Way } from './harness.ts';
import { FULL, SHARE, SLOW } from './tier.ts';

type Body = (fixture: () => Harness, way: Way) => void;

function expectNoErrors(harness: Harness | undefined): void {
  expect(harness?.errors.splice(0)).toEqual([]);
  expect(harness?.contractViolations.splice(0)).toEqual([]);
}

/** `isAboutHttp`: it is run over HTTP at each landing; of the other suites, one in four is, and one in two on PostgreSQL. */
type Options = { isAboutHttp?: boolean };
/** Options stand before the body, as those of vitest do. */
type Suite = [body: Body] | [options: Options, body: Body];

function waysOf(title: string, { isAboutHttp = false }: Options): Way[] {
  const isOverHttp = FULL || (SLOW && (isAboutHttp || title.length % 4 === SHARE % 4));
  const isOnPostgres = FULL || title.length % 2 === SHARE % 2;
  return WAYS.filter((way) => way === 'in process' || (way === 'over HTTP' ? isOverHttp : isOnPostgres));
}

/** Describes a suite with a fresh service for each test. */
export function describeService(title: string, ...suite: Suite): void {
  const [options, body] = suite.length === 1 ? [{}, suite[0]] : suite;
  describe.each(waysOf(title, options))(`${title}, %s`, (way) => {
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
export function describeSharedService(title: string, ...suite: Suite): void {
  const [options, body] = suite.length === 1 ? [{}, suite[0]] : suite;
  describe.each(waysOf(title, options))(`${title}, %s`, (way) => {
    let harness: Harness | undefined;
    beforeAll(async () => {
      harness = await openHarness(way);
    });
    afterEach(() => expectNoErrors(harness));
    afterAll(() => harness?.close());
    body(() => harness as Harness, way);
  });
}
