// An example of each event, for documents: one transaction from start to completion, and the other ways to end.
import type { EventOf, EventType } from './events.ts';

type Examples = { [T in EventType]: EventOf<T>['data'] };

const ID = '0199c7a4-6d2e-7b31-9a5c-2f1d8e4b7a60';
const user = { id: '0199c7a0-11f3-7c02-8d11-5b7e2a9c4d31', email: 'grace@example.com' };
const ada = {
  id: '0199c7a4-9b10-7f4e-b6d2-71c0a8e5f9d4',
  name: 'Ada Lovelace',
  email: 'ada@example.com',
  role: 'signer',
};
const submitted = { ...ada, submitted_at: '2026-05-04T09:31:07.412Z' };

export const EVENT_EXAMPLES: Examples = {
  transaction_created: { id: ID, status: 'draft', created_by: user },
  transaction_started: { id: ID, status: 'started', started_by: user },
  transaction_completed: {
    id: ID,
    status: 'completed',
    recipients: [submitted],
    sealed_documents: [
      {
        created_at: '2026-05-04T09:31:08.020Z',
        id: '0199c7a9-3c55-7a18-a2f0-c4d6b8e01f27',
        name: 'contract.sealed.pdf',
        sha256: '3f0a7c1e5b2d94860b7f4c1a9e8d6253f01b7ac94e2d8560c3b1f7a98e4d2560',
        document: { id: '0199c7a4-8e77-7d2b-94a1-0b3c5d7e9f12', name: 'contract.pdf' },
      },
    ],
  },
  transaction_expired: {
    id: ID,
    status: 'expired',
    expiration_days: 14,
    expired_at: '2026-05-18T09:12:44.105Z',
  },
  recipient_submitted: { id: ID, status: 'started', recipient: submitted },
  transaction_rejected: { id: ID, status: 'rejected', rejected_by: ada },
  transaction_cancelled: {
    id: ID,
    status: 'expired',
    cancelled_reason: 'Wrong contract',
    cancelled_at: '2026-05-04T10:02:19.733Z',
  },
};
