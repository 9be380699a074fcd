// Mail had a sender and a recipient as `Name <address>`, and a text. Names and addresses get columns of their own; the text
// stays as it was, because it is encrypted and nothing here can read it.
import { type ColumnDefinitionBuilder, type Kysely, sql } from 'kysely';

const text = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo('');

const COLUMNS: readonly [name: string, type: 'text' | 'varchar(20)' | 'varchar(10)'][] = [
  ['kind', 'varchar(20)'],
  ['language', 'varchar(10)'],
  ['from_name', 'text'],
  ['from_email', 'text'],
  ['reply_name', 'text'],
  ['reply_email', 'text'],
  ['to_name', 'text'],
  ['to_email', 'text'],
  ['attachments', 'text'],
];

export async function nameAndAddressOfMail(db: Kysely<unknown>): Promise<void> {
  for (const [name, type] of COLUMNS)
    await db.schema.alterTable('mail').addColumn(name, type, text).execute();
  await db.schema
    .alterTable('mail')
    .addColumn('is_text', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema.alterTable('mail').renameColumn('body_sealed', 'letter_sealed').execute();
  await carryOver(db as Kysely<{ mail: OldMail }>);
  await db.schema.alterTable('mail').dropColumn('sender').execute();
  await db.schema.alterTable('mail').dropColumn('recipient').execute();
  await db.schema.createIndex('mail_by_company').on('mail').columns(['company_id', 'seq']).execute();
}

type OldMail = { seq: number; id: string; sender: string; recipient: string };

const SLICE = 500;

/** Each mail was an invitation in English, from the address of the sender. */
async function carryOver(db: Kysely<{ mail: OldMail }>): Promise<void> {
  let last = 0;
  for (;;) {
    const rows = await db
      .selectFrom('mail')
      .select(['seq', 'id', 'sender', 'recipient'])
      .where('seq', '>', last)
      .orderBy('seq')
      .limit(SLICE)
      .execute();
    for (const { seq, sender, recipient } of rows) {
      const [from, to] = [personIn(sender), personIn(recipient)];
      await sql`update mail set kind = 'invitation', language = 'en', is_text = 1, attachments = '[]',
        from_name = ${from.name}, from_email = ${from.email}, to_name = ${to.name}, to_email = ${to.email}
        where seq = ${seq}`.execute(db);
      last = seq;
    }
    if (rows.length < SLICE) return;
  }
}

/** `Ada <ada@example.com>`. A name may have such brackets itself; an address has none. */
function personIn(text: string): { name: string; email: string } {
  const start = text.lastIndexOf(' <');
  return start < 0 || !text.endsWith('>')
    ? { name: '', email: text }
    : { name: text.slice(0, start), email: text.slice(start + 2, -1) };
}
