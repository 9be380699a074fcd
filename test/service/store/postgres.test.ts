import { describe } from 'vitest';
import { needsPostgres } from '../../support/servers/postgres-server.ts';
import { postgresStores } from '../../support/stores/databases.ts';
import { storeSuite } from './store.suite.ts';

const { skip, why } = needsPostgres();

describe.skipIf(skip)(`the store on PostgreSQL${why}`, () => storeSuite(postgresStores()));
