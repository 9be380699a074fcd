// Decision 0044: nodes of a team server go on reading the tables that a newer version has changed, if the migration says that it only adds. A
// migration that says so wrongly makes them read something else than is meant; one that does not say it ends them too early.
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { describe, expect, test } from 'vitest';
import type { Migration } from '../../../src/database/database.ts';
import { migrations } from '../../../src/service/store/migrations.ts';

/** The last migration before nodes of an older version could go on reading. */
const LAST_BEFORE = '0003-cache-changes';

/** Migrations that only add, and after which the older version would read something else than is meant. Each needs its reason here. */
const CHANGE_MEANING: readonly string[] = [];

/** Runs a migration without a database. @returns its statements */
async function statementsOf({ up }: Pick<Migration, 'up'>): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  });
  await up(db);
  return statements;
}

const onlyAdds = (statement: string): boolean =>
  /^create (?:table|index|unique index) /.test(statement) ||
  (/^alter table "\w+" add column [^,]*$/.test(statement) &&
    (!/ not null\b/.test(statement) || / default /.test(statement)));

const LATER = migrations('postgres').filter(({ name }) => name > LAST_BEFORE);

describe('a migration', () => {
  test.each(LATER)('$name says that it only adds exactly if that is so', async (migration) => {
    const statements = await statementsOf(migration);
    expect(statements).not.toEqual([]);
    const isExpected = statements.every(onlyAdds) && !CHANGE_MEANING.includes(migration.name);
    expect({ statements, isAdditive: migration.isAdditive ?? false }).toEqual({
      statements,
      isAdditive: isExpected,
    });
  });

  test('does more than add where it changes rows, removes something, or adds a column that old rows cannot have', async () => {
    const statements = await statementsOf({
      async up(typed) {
        const db = typed as unknown as Kysely<{ file: { note: string } }>;
        await db.schema.createTable('added').addColumn('id', 'text').execute();
        await db.schema.createIndex('by_id').on('added').column('id').execute();
        await db.schema.alterTable('file').addColumn('note', 'text').execute();
        await db.schema
          .alterTable('file')
          .addColumn('size', 'integer', (column) => column.notNull().defaultTo(0))
          .execute();
        await db.schema
          .alterTable('file')
          .addColumn('kind', 'text', (column) => column.notNull())
          .execute();
        await db.schema.alterTable('file').dropColumn('name').execute();
        await db.updateTable('file').set({ note: 'changed' }).execute();
      },
    });
    expect(statements.map(onlyAdds)).toEqual([true, true, true, true, false, false, false]);
  });
});
