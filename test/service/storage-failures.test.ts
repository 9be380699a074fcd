// What a caller and the operator of the service see when the storage fails: the kind of failure, with one request id.
import { describe, expect, test } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import { createService } from '../../src/service/service.ts';
import type { Tables } from '../../src/service/store/schema.ts';
import { openHarness } from '../support/harness.ts';
import { sampleOf } from '../support/tier.ts';

const failing = (facts: object) => Object.assign(new Error('It failed.'), facts);

const FAILURES: [name: string, error: Error, status: number, code: string, said: string][] = [
  ['a full disk (system)', failing({ code: 'ENOSPC' }), 507, 'storage_full', 'No space is left'],
  ['a quota', failing({ code: 'EDQUOT' }), 507, 'storage_full', 'No space is left'],
  ['a full disk (SQLite)', failing({ errcode: 13 }), 507, 'storage_full', 'No space is left'],
  ['a log that cannot grow', failing({ errcode: 4874 }), 507, 'storage_full', 'No space is left'],
  ['a full disk (PostgreSQL)', failing({ code: '53100' }), 507, 'storage_full', 'No space is left'],
  ['a disk that is read-only', failing({ code: 'EROFS' }), 503, 'storage_unusable', 'it is read-only'],
  ['a database that is read-only', failing({ errcode: 8 }), 503, 'storage_unusable', 'it is read-only'],
  ['no permission', failing({ code: 'EACCES' }), 503, 'storage_unusable', 'no permission'],
  ['too many open files', failing({ code: 'EMFILE' }), 503, 'storage_unusable', 'too many files'],
  ['a file that cannot be opened', failing({ errcode: 14 }), 503, 'storage_unusable', 'cannot be opened'],
  ['an error of the disk', failing({ errcode: 266 }), 503, 'storage_unusable', 'I/O error'],
  ['another process that hangs', failing({ errcode: 5 }), 503, 'storage_unusable', 'has locked it'],
  ['a damaged database', failing({ errcode: 11 }), 500, 'storage_damaged', 'The database is damaged.'],
  ['a damaged table (PostgreSQL)', failing({ code: 'XX001' }), 500, 'storage_damaged', 'is damaged'],
  ['anything else', failing({ code: 'ERR_OTHER' }), 500, 'internal_error', 'failed to process this request'],
];

describe('a request that meets', () => {
  test.each(sampleOf(FAILURES, 4))('%s', async (_, error, status, code, said) => {
    const harness = await openHarness('in process');
    const reported: [unknown, string][] = [];
    const write: Database<Tables>['write'] = () => Promise.reject(error);
    const database = { ...harness.store.database, write };
    const service = await createService({
      store: { ...harness.store, database },
      validateResponses: true,
      onError: (failure, id) => reported.push([failure, id]),
    });
    const answer = await service.fetch(
      new Request(`${service.origin}/v1/transaction`, {
        method: 'POST',
        headers: { authorization: `Bearer ${service.ownToken}`, 'content-type': 'application/json' },
        body: '{"name":"A"}',
      }),
    );
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ code, detail: expect.stringContaining(said) });
    expect(reported).toEqual([[error, answer.headers.get('x-request-id')]]);
    await harness.close();
  });

  test('a failure without a request: it is reported once, not each second', async () => {
    const harness = await openHarness('in process');
    const reported: string[] = [];
    const read: Database<Tables>['read'] = () => Promise.reject(failing({ code: 'EIO' }));
    const database = { ...harness.store.database, read };
    const service = await createService({
      store: { ...harness.store, database },
      onError: (_, id) => reported.push(id),
    });
    for (let round = 0; round < 5; round += 1) await service.work();
    expect(reported).toEqual(['work on what is due']);
    await harness.close();
  });
});
