// Every column of the store is a secret that an export without secrets replaces, or is listed here as none: a new column has to be decided about.
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openBulkSqlite } from '../../../src/database/bulk-sqlite.ts';
import { isCopied } from '../../../src/service/copies/database-rows.ts';
import {
  COLUMNS_OF_PROCESSES,
  ENCRYPTED_COLUMNS,
  SECRET_COLUMNS,
  SECRET_TABLES,
} from '../../../src/service/copies/portable-export.ts';
import { FACTS } from '../../support/stores/databases.ts';
import { emptyStoreFolder } from '../../support/stores/empty-store.ts';

/** No secrets, and no hashes of one. A hash of a consent is that of a published text; letters and values are decrypted, and links in letters are replaced. */
const OPEN: Record<string, string> = {
  attempt: 'answer at delivery_id duration_ms endpoint next_at ok seq server status why',
  audit: 'company_id created details id recipient_id seq subject transaction_id type',
  client:
    'callback_url company_id created_at id is_public name notification_rotated_at notification_rotations',
  company: 'created_at id imprint_url name privacy_url',
  consent: 'client_id created_at scopes updated_at user_id',
  delivery:
    'attempts client_id company_id created done_at due_at endpoint id kind lease leased_until reason scheduled_at seq state subject_id transaction_id',
  document: 'file_id id index original_name preparation remarks stored_name template_id',
  event: 'company_id created data id seq transaction_id type',
  field:
    'document_id height id is_required label ordinal page recipient_id settings template_id type value width x y',
  file: 'company_id created_at id is_plain linked_at media_type original_name original_sha256 pages pdf_sha256 remarks size_bytes',
  mail: 'attachments company_id created from_email from_name id kind language letter_sealed recipient_id reply_email reply_name seq subject to_email to_name transaction_id',
  meta: 'key value',
  page: 'document_id file_id height id index template_id width',
  page_text: 'exceeded is_cut page pdf_sha256 runs tried_at',
  picture: 'dpi exceeded page pdf_sha256 sha256 tried_at',
  recipient:
    'color created_at email id index is_current name opened_at role submitted_at template_id updated_at',
  sealed_document:
    'company_id created_at document_id evidence_sha256 id index name sha256 size_bytes transaction_id',
  signing:
    'consent_hash consent_version consented_at language recipient_id time_zone updated_at values_sealed',
  stamped_comparison: 'exceeded pdf_sha256 places_sha256 tried_at',
  template:
    'company_id created_at created_by_id description edit_navigation email_alias email_body email_subject id name name_key reusable updated_at',
  transaction:
    'cancelled_at cancelled_by_id cancelled_reason client_id company_id completed_at created_at created_by_id expiration_days expired_at expires_at id notification_endpoint rejected_at rejected_by_id rejected_reason sealing_failed_at sealing_failed_reason sender_id sent_at status template_id updated_at',
  user: 'company_id created_at email email_key id name',
  verified_user: 'user_id verified_at',
  webhook:
    'company_id created_at created_by_id disabled_at disabled_reason enabled endpoint events id name rotated_at',
};

async function listColumns(): Promise<Map<string, readonly string[]>> {
  const store = await emptyStoreFolder(FACTS);
  const connection = openBulkSqlite(join(store, 'store.db'), { isReadOnly: true });
  const tables = (await connection.tables()).filter(({ name }) => isCopied(name));
  await connection.close();
  await rm(store, { recursive: true });
  return new Map(tables.map(({ name, columns }) => [name, columns]));
}

test('replaces every column that is a secret, and omits every table of secrets with a reason', async () => {
  const tables = await listColumns();
  const expected = Object.entries(OPEN).map(([name, columns]) => [name, ...columns.split(' ')]);
  const open = [...tables]
    .filter(([name]) => !Object.hasOwn(SECRET_TABLES, name))
    .map(([name, columns]) => [
      name,
      ...columns.filter((column) => !Object.hasOwn(SECRET_COLUMNS, `${name}.${column}`)),
    ]);
  expect(open).toEqual(expected);
  expect(Object.values(SECRET_TABLES).every((reason) => reason.length > 20)).toBe(true);
});

test('decrypts every column that is encrypted, and names no column that does not exist', async () => {
  const columns = [...(await listColumns())].flatMap(([name, names]) =>
    names.map((column) => `${name}.${column}`),
  );
  expect(columns.filter((column) => column.endsWith('_sealed'))).toEqual([...ENCRYPTED_COLUMNS]);
  for (const column of [...Object.keys(SECRET_COLUMNS), ...Object.keys(COLUMNS_OF_PROCESSES)])
    expect(columns).toContain(column);
  expect([...(await listColumns()).keys()]).toEqual(expect.arrayContaining(Object.keys(SECRET_TABLES)));
});
