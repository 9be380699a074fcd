// Types of a client state only what it checks: it can receive every answer that the embedded service promises, every operation has a reader, and
// readers agree with the schemas of the promise.

import { expect, expectTypeOf, test } from 'vitest';
import { type Reader, readReceived } from '../../src/api/contract/lenient.ts';
import { jsonSchemaOf } from '../../src/api/contract/openapi/schemas.ts';
import type { Operation } from '../../src/api/contract/operation.ts';
import {
  OPERATION_IDS,
  OPERATIONS,
  type OperationId,
  type OutputOf,
  type ReceivedOf,
} from '../../src/api/contract/operations.ts';
import { receivedTransaction } from '../../src/api/contract/transactions.ts';

/** The operations whose answers a client could not receive. */
type Unreadable = { [K in OperationId]: OutputOf<K> extends ReceivedOf<K> ? never : K }[OperationId];
/** The operations of which a client knows nothing. */
type Unknown = { [K in OperationId]: unknown extends ReceivedOf<K> ? K : never }[OperationId];

test('everything that the service promises can be received', () => {
  expectTypeOf<Unreadable>().toBeNever();
  expectTypeOf<Unknown>().toBeNever();
  for (const id of OPERATION_IDS) {
    const { received, success }: Operation = OPERATIONS[id];
    expect([id, received === undefined]).toEqual([id, success.binary === true]);
  }
});

type Schema = {
  type?: string | readonly string[];
  anyOf?: readonly Schema[];
  properties?: Record<string, Schema>;
  items?: Schema;
};

/** A value of each type of JSON Schema, to see which of them a reader accepts: an object that lacks something needed is an object all the same. */
const SAMPLES: Readonly<Record<string, unknown>> = {
  string: 'x',
  number: 1,
  boolean: true,
  object: {},
  array: [],
  null: null,
};

/** The types that a schema allows. A whole number is a number to a reader. */
const typesOf = ({ type, anyOf }: Schema): string[] =>
  (anyOf ? anyOf.flatMap(typesOf) : [type ?? []].flat()).map((name) =>
    name === 'integer' ? 'number' : name,
  );

/** Lists where a reader expects something else than the schema promises; other properties are none of its business. */
function differencesBetween(reader: Reader<unknown>, schema: Schema, path: string): string[] {
  const types = typesOf(schema);
  const accepted = Object.keys(SAMPLES).filter((type) => reader.read(SAMPLES[type]) !== undefined);
  const isRefused = types.filter((type) => !accepted.includes(type)).map((type) => `${path} can be ${type}`);
  const isOther = accepted.filter((type) => type !== 'null' && !types.includes(type));
  const parts = [schema, ...(schema.anyOf ?? [])];
  const properties = Object.assign({}, ...parts.map((part) => part.properties)) as Record<string, Schema>;
  const items = parts.find((part) => part.items)?.items;
  return [
    ...isRefused,
    ...isOther.map((type) => `${path} is never ${type}`),
    ...Object.entries(reader.shape ?? {}).flatMap(([name, property]) =>
      properties[name]
        ? differencesBetween(property, properties[name], `${path}.${name}`)
        : [`${path} has no ${name}`],
    ),
    ...(reader.item && items ? differencesBetween(reader.item, items, `${path}.0`) : []),
  ];
}

test('readers know the properties that the service promises, with their types', () => {
  const differences = OPERATION_IDS.flatMap((id) => {
    const { received, success }: Operation = OPERATIONS[id];
    return received ? differencesBetween(received, jsonSchemaOf(success.schema, 'output'), id) : [];
  });
  expect(differences).toEqual([]);
});

const recipient = { id: 'R', name: 'Ada', email: 'ada@example.com' };
const read = (value: unknown) => readReceived(receivedTransaction, value);

test('what is not known stays, what cannot be used goes, null stays null', () => {
  expect(
    read({
      id: 'T',
      status: 'sealing',
      sent_at: 5,
      cancelled_at: null,
      extra: { deep: [1] },
      sealed_documents: 'none',
      template: {
        recipients: [{ ...recipient, role: 'approver', is_current: 'yes', extra: 1 }],
        documents: null,
        more: 2,
      },
    }),
  ).toEqual({
    ok: true,
    value: {
      id: 'T',
      status: 'sealing',
      cancelled_at: null,
      extra: { deep: [1] },
      template: { recipients: [{ ...recipient, role: 'approver', extra: 1 }], more: 2 },
    },
  });
});

test.each([
  [{}, 'id'],
  [{ id: '', status: 'draft' }, 'id'],
  [{ id: 'T' }, 'status'],
  [{ id: 'T', status: 'draft', template: { recipients: [recipient, null] } }, 'template.recipients.1'],
  [
    { id: 'T', status: 'draft', template: { recipients: [{ id: 'R', name: 'A' }] } },
    'template.recipients.0.email',
  ],
  [[], 'id'],
  [null, 'id'],
])('names what is missing in %j', (value, missing) => {
  expect(read(value)).toEqual({ ok: false, missing });
});
