// Applies the migrations that create the tables of `schema.ts`. A migration that was released never changes; the next one comes
// after it, in a file of its own. A migration is loaded only when a store needs it.
import type { Kysely } from 'kysely';
import type { Migration } from '../../database/database.ts';
import type { Dialect } from './migrations/columns.ts';

type Up = (db: Kysely<unknown>, dialect: Dialect) => Promise<void>;

const first = () => import('./migrations/0001-to-0009.ts');

/** `only`: for databases of this kind. `isAdditive`: as in `Migration`, where nodes of the version before may go on reading (decision 0044). */
const MIGRATIONS: readonly {
  name: string;
  only?: Dialect;
  isAdditive?: true;
  load: () => Promise<Up>;
}[] = [
  { name: '0001-service', load: async () => (await first()).createTables },
  { name: '0002-dashboard', load: async () => (await first()).createDashboardTables },
  { name: '0003-pictures', load: async () => (await first()).keyPicturesByContent },
  { name: '0004-remarks', load: async () => (await first()).keepRemarks },
  { name: '0005-page-text', load: async () => (await first()).keepPageText },
  { name: '0006-signing', load: async () => (await first()).createSigningTables },
  { name: '0007-overviews', load: async () => (await first()).indexOverviews },
  { name: '0008-authority', load: async () => (await first()).createAuthorityTable },
  { name: '0009-sealed-documents', load: async () => (await first()).createSealedDocuments },
  { name: '0010-outbox', load: async () => (await import('./migrations/0010-outbox.ts')).createOutboxTables },
  { name: '0011-mail', load: async () => (await import('./migrations/0011-mail.ts')).nameAndAddressOfMail },
  {
    name: '0012-company-addresses',
    load: async () => (await import('./migrations/0012-company-addresses.ts')).addCompanyAddresses,
  },
  {
    name: '0013-sign-in-links',
    load: async () => (await import('./migrations/0013-sign-in-links.ts')).createSignInLinks,
  },
  {
    name: '0014-verified-users',
    load: async () => (await import('./migrations/0014-verified-users.ts')).createVerifiedUsers,
  },
  {
    name: '0015-preparations',
    load: async () => (await import('./migrations/0015-preparations.ts')).addPreparations,
  },
  {
    name: '0016-blobs',
    only: 'postgres',
    load: async () => (await import('./migrations/0016-blobs.ts')).createBlobTables,
  },
  {
    name: '0017-cache-changes',
    only: 'postgres',
    load: async () => (await import('../../database/postgres-changes.ts')).createChangeTable,
  },
  {
    name: '0018-mail-servers',
    isAdditive: true,
    load: async () => (await import('./migrations/0018-mail-servers.ts')).addMailServers,
  },
  {
    name: '0019-public-applications',
    isAdditive: true,
    load: async () => (await import('./migrations/0019-public-applications.ts')).addPublicApplications,
  },
  {
    name: '0020-stamped-comparisons',
    isAdditive: true,
    load: async () => (await import('./migrations/0020-stamped-comparisons.ts')).createStampedComparisons,
  },
];

export const migrations = (dialect: Dialect): Migration[] =>
  MIGRATIONS.filter(({ only = dialect }) => only === dialect).map(({ name, isAdditive, load }) => ({
    name,
    ...(isAdditive && { isAdditive }),
    up: async (db) => (await load())(db as unknown as Kysely<unknown>, dialect),
  }));

/** Those that databases of every kind have: the version of the rows, whatever stores them. */
export const COMMON_MIGRATIONS: readonly string[] = MIGRATIONS.filter(({ only }) => only === undefined).map(
  ({ name }) => name,
);

/** Those that make the tables of an earlier version, which had only some of the common ones. */
export function migrationsOf(dialect: Dialect, common: readonly string[]): Migration[] {
  const later = MIGRATIONS.findIndex(({ name, only }) => only === undefined && !common.includes(name));
  const names = MIGRATIONS.slice(0, later === -1 ? undefined : later).map(({ name }) => name);
  return migrations(dialect).filter(({ name }) => names.includes(name));
}
/** The name of the newest migration that this version knows. */
export const schemaVersion = (dialect: Dialect): string => migrations(dialect).at(-1)?.name ?? '';
