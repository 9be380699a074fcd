import { expect, test } from 'vitest';
import { forPipes, listRecords, showRecord, time } from '../../../src/cli/command/record.ts';

test('a record has a line for each label, in their order, and all of its JSON', () => {
  const json = { id: 'w1', removed: true, ends: '2026-03-01T09:00:00.000Z', began: null, secret: 'x' };
  const labels = { ends: time('Until'), began: time('From'), id: 'Webhook', removed: forPipes } as const;
  expect(showRecord(json, labels, { headline: 'Done.', exit: 7 })).toEqual({
    kind: 'record',
    headline: 'Done.',
    exit: 7,
    json,
    entries: [
      { key: 'ends', label: 'Until', value: { instant: json.ends } },
      { key: 'began', label: 'From', value: undefined },
      { key: 'id', label: 'Webhook', value: 'w1' },
      { key: 'removed', value: true },
    ],
  });
});

test('a list has a column for each property or function, and a line for each item where that is asked for', () => {
  const items = [{ id: 'a', ok: true }];
  const columns = { ID: 'id', OK: ({ ok }: { ok: boolean }) => (ok ? 'yes' : 'no') } as const;
  const table = { columns: ['ID', 'OK'], rows: [['a', 'yes']] };
  expect(listRecords(items, 'None.', columns)).toEqual({
    kind: 'list',
    json: { items },
    empty: 'None.',
    table,
  });
  expect(listRecords(items, 'None.', columns, { json: items, lines: items })).toMatchObject({
    json: items,
    lines: items,
  });
});
