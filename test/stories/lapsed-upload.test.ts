// A plan that is resumed days later: what it had uploaded is forgotten by the service, and is sent again.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { connectSqlite } from '../../src/database/sqlite-driver.ts';
import { type BuiltProgram, openBuiltProgram } from '../support/command-line/built-program.ts';

const CONTRACT = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));

let program: BuiltProgram;
beforeEach(async () => {
  program = await openBuiltProgram();
});
afterEach(() => program.close());

function change(file: string, sql: string): void {
  const connection = connectSqlite(join(program.folder, 'home', 'data', file));
  connection.exec(sql);
  connection.close();
}

test.each([
  ['two days old', -2],
  ['from the future, because the clock was set back', 2],
])('a plan that is %s uploads its file again', async (_, days) => {
  const cut = await program.run(['tx', 'send', CONTRACT, '--to', 'Ada <ada@example.com>', '--json'], {
    // Uploaded and created; the document is not added.
    ESIGN_FAULTS: 'refuse_connection:3',
  });
  expect(cut.code).not.toBe(0);
  const { plan } = JSON.parse(cut.err.split('\n')[0] ?? '');
  change('history.db', `update plan set created_ms = created_ms + ${days * 24 * 60 * 60 * 1000}`);
  change('sandbox/store.db', `update file set created_at = '2020-01-01T00:00:00.000Z'`);
  const resumed = await program.run(['tx', 'send', '--resume', plan, '--json']);
  expect(resumed, resumed.err).toMatchObject({ code: 0 });
  expect(JSON.parse(resumed.out)).toMatchObject({ outcome: 'started' });
});
