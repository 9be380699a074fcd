// Whatever is sent, the service answers: with success, or with a problem that the contract declares (which the harness
// checks for every answer). Never with a 5xx.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resolveSchemaDeep } from '../../src/api/contract/lazy-schema.ts';
import type { Operation } from '../../src/api/contract/operation.ts';
import { OPERATION_IDS, OPERATIONS, type OperationId } from '../../src/api/contract/operations.ts';
import {
  ADA,
  createDraft,
  fieldFor,
  startTransaction,
  updateBodyOf,
} from '../support/fixtures/transactions.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { sendRequest } from '../support/http-client.ts';
import { multipartChunks, postMultipart } from '../support/multipart.ts';
import { roundsOf } from '../support/random.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const RUNS = roundsOf({ short: 4, landing: 100, full: 400 });

let harness: Harness;
let ids: Record<string, string>;
let bodies: Partial<Record<OperationId, unknown>>;

beforeAll(async () => {
  harness = await openHarness('in process');
  const draft = await createDraft(harness);
  const { token } = await startTransaction(harness);
  ids = { transactionId: draft.id, token, fileId: draft.detail.template.documents[0]?.file.id ?? '' };
  const fields = [fieldFor(draft, ADA.email)];
  bodies = { 'transaction.update': updateBodyOf(draft.detail, { fields }), 'transaction.fields': { fields } };
});
afterAll(async () => {
  await harness.close();
});

/** Cannot be turned into text or a number, and seems to be what it is not. */
const ODD_OBJECT = {
  toString: 1,
  valueOf: 1,
  toJSON: 1,
  constructor: 1,
  hasOwnProperty: 1,
  length: 1,
  map: 1,
};

/** JSON that is hard to take: odd numbers, odd text, deep things, properties that objects have anyway. */
const oddValue = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constant(ODD_OBJECT),
  fc.constantFrom(
    '',
    ' ',
    '\u0000',
    '\ud800',
    '\u202e',
    '__proto__',
    'x'.repeat(70_000),
    '%',
    "'",
    '9'.repeat(400),
  ),
  fc.constantFrom(0, -0, -1, 1e308, -1e308, 5e-324, 2 ** 53, 2 ** 31, 0.1 + 0.2),
);

/** A valid body in which one value, however deep, is something else. */
function bentBody(valid: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(valid);
  return fc.tuple(fc.constantFrom(...paths), oddValue).map(([path, value]) => replaced(valid, path, value));
}

function pathsOf(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at];
  return [at, ...Object.entries(value).flatMap(([key, inner]) => pathsOf(inner, [...at, key]))];
}

function replaced(value: unknown, [key, ...rest]: string[], by: unknown): unknown {
  if (key === undefined) return by;
  const inner = (value as Record<string, unknown>)[key];
  const changed = replaced(inner, rest, by);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...(value as object), [key]: changed };
}

/** Made once: it takes a moment to know its characters. */
const ANY_TEXT = fc.string({ unit: 'binary' });
const SOME_TEXT = fc.string({ unit: 'binary', minLength: 1 });

/** Half a surrogate pair cannot be sent at all. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

function pathTo({ path }: Operation): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'unknown');
}

async function expectAnswered(what: string, asking: Parameters<typeof sendRequest>[2]): Promise<void> {
  const { status } = await sendRequest(harness, what, {
    ...asking,
    headers: { 'x-esign-control': harness.service.controlSecret, ...asking?.headers },
  });
  expectNoFault(status);
}

/** What was found is taken away, so that one fault fails one test, and is shrunk to what causes it. */
function expectNoFault(status: number): void {
  const found = {
    errors: harness.errors.splice(0),
    contractViolations: harness.contractViolations.splice(0),
  };
  expect(found).toEqual({ errors: [], contractViolations: [] });
  expect(status).toBeLessThan(500);
}

const WITH_BODY = OPERATION_IDS.filter((id) => (OPERATIONS[id] as Operation).body && id !== 'sandbox.reset');

const validBody = (id: OperationId): unknown => bodies[id] ?? (OPERATIONS[id] as Operation).example;

async function expectBodyAnswered(id: OperationId, json: unknown): Promise<void> {
  const operation: Operation = OPERATIONS[id];
  const query = operation.query ? `?token=${ids.token}` : '';
  await expectAnswered(`${operation.method} ${pathTo(operation)}${query}`, {
    body: JSON.stringify(json) ?? 'null',
    headers: { 'content-type': 'application/json' },
  });
}

describe('random JSON', () => {
  test.each(sampleOf(WITH_BODY, 12))('sent to %s is answered', async (id) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(bentBody(validBody(id)), oddValue), (json) => expectBodyAnswered(id, json)),
      { numRuns: RUNS },
    );
  });
});

describe('an object that cannot be turned into text', () => {
  test.each(sampleOf(WITH_BODY, 4))('at any place in the body of %s is answered', async (id) => {
    const valid = validBody(id);
    for (const path of sampleOf(pathsOf(valid), 3))
      for (const odd of [ODD_OBJECT, [ODD_OBJECT]]) await expectBodyAnswered(id, replaced(valid, path, odd));
  });
});

describe('random queries and ids', () => {
  const WITH_QUERY = OPERATION_IDS.filter(
    (id) => (OPERATIONS[id] as Operation).query && !(OPERATIONS[id] as Operation).body,
  );

  test.each(sampleOf(WITH_QUERY, 3))('sent to %s are answered', async (id) => {
    const operation: Operation = OPERATIONS[id];
    const { properties = {} } = z.toJSONSchema(resolveSchemaDeep(operation.query as z.ZodType), {
      io: 'input',
      unrepresentable: 'any',
    });
    const names = Object.keys(properties);
    const query = fc.dictionary(fc.constantFrom(...names), fc.oneof(ANY_TEXT, fc.integer().map(String)));
    await fc.assert(
      fc.asyncProperty(query, async (given) => {
        const text = Object.entries(given).map(
          ([name, value]) => `${name}=${encodeURIComponent(wellFormed(value))}`,
        );
        await expectAnswered(`GET ${pathTo(operation)}?${text.join('&')}`, {});
      }),
      { numRuns: RUNS },
    );
  });

  const WITH_ID = OPERATION_IDS.filter((id) => OPERATIONS[id].path.includes('{'));

  test.each(sampleOf(WITH_ID, 10))('in the path of %s are answered', async (id) => {
    const operation: Operation = OPERATIONS[id];
    await fc.assert(
      fc.asyncProperty(SOME_TEXT, async (text) => {
        const path = operation.path.replaceAll(/\{\w+\}/g, encodeURIComponent(wellFormed(text)));
        await expectAnswered(`${operation.method} ${path}`, {});
      }),
      { numRuns: RUNS },
    );
  });

  test.skipIf(!SLOW)('as whole paths and methods are answered', async () => {
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS');
    const segment = fc.oneof(
      fc.constantFrom('v1', 'transaction', 'webhook', 'sign', '_sandbox', '..', '%2e', '%', ''),
      fc.webSegment(),
    );
    await fc.assert(
      fc.asyncProperty(method, fc.array(segment, { maxLength: 6 }), async (verb, segments) => {
        await expectAnswered(`${verb} /${segments.join('/')}`, {});
      }),
      { numRuns: RUNS * 4 },
    );
  });
});

describe('random forms', () => {
  test('sent as an upload are answered, and leave no half-written file', async () => {
    const part = fc.record({
      name: fc.constantFrom('file', 'name', 'other', '__proto__'),
      filename: fc.constantFrom('a.pdf', '', '../x'),
      content: fc.oneof(ANY_TEXT.map(wellFormed), fc.constantFrom('%PDF-1.7', 'GIF89a')),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(part, { maxLength: 4 }),
        fc.boolean(),
        fc.nat({ max: 40 }),
        async (parts, cut, garbage) => {
          const chunks = [
            ...multipartChunks(parts, { cut: cut && parts.length > 0 }),
            new Uint8Array(garbage).fill(45),
          ];
          const { status } = await postMultipart(harness, new Blob(chunks));
          expectNoFault(status);
        },
      ),
      { numRuns: RUNS * 2 },
    );
  });
});
