// Exports the functions that the rows of sandboxes for tests measure, as one module.
export { openSqlite } from '../../src/database/sqlite.ts';
export { migrations } from '../../src/service/store/migrations.ts';
