// What a client receives is typed by what it checks: anything the embedded service promises can be received, and every
// operation says how.

import { expect, expectTypeOf, test } from 'vitest';
import { readReceived } from '../../src/api/contract/lenient.ts';
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
