// Records what the current version stores, as a fixture that later versions must be able to open (`test/stories/earlier-formats.test.ts`):
// a sandbox with a transaction that waits for Ada, the history with three interrupted plans, and a configuration.
// Run after a build: `node scripts/record-format.js`. The file is named by the version and the newest migration of the sandbox. A version
// that is recorded stays as it is; `--again` records it anew, as long as it is not released.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFormats, formatsFolder } from './find-formats.js';
import { loadSource } from './load-source.js';

const { connectSqlite } = await loadSource('src/database/sqlite-driver.ts');

const root = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const formats = findFormats(root, version);
if (formats.length > 0 && !process.argv.includes('--again')) {
  process.stderr.write(`${formats.join(', ')} is there already. To record ${version} again, add --again.\n`);
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), 'esign-format-'));
const home = join(folder, 'home');
const env = { PATH: process.env.PATH, HOME: folder, ESIGN_HOME: home, ESIGN_SOFFICE: 'off' };

const TO_ADA = [
  ...['tx', 'send', 'contract.pdf', '--name', 'NDA', '--to', 'Ada Lovelace <ada@example.com>'],
  ...['--field', 'signature@last:72pt,700pt,200x50=ada@example.com'],
];
const TO_BOTH = [
  ...[...TO_ADA, '--to', 'Bob Boole <bob@example.com>'],
  ...['--field', 'text@1:72pt,600pt,200x20=bob@example.com;label=City'],
];

/** The requests at which the three plans are interrupted. */
const FAULTY_OPERATIONS = ['file.upload', 'transaction.update', 'transaction.start'];

try {
  copyFileSync(join(root, 'test/fixtures/contract.pdf'), join(folder, 'contract.pdf'));
  esign(
    'profile',
    'create',
    'work',
    '--base-url',
    'https://api.example.com',
    '--sender',
    'Me <me@example.com>',
  );
  esign(
    'webhooks',
    'create',
    '--name',
    'Orders',
    '--endpoint',
    'https://127.0.0.1:4011/hook',
    '--event',
    'transaction_completed',
  );
  const { id: started } = JSON.parse(esign(...TO_ADA));
  const plans = FAULTY_OPERATIONS.map((operation) => {
    esign('sandbox', 'faults', 'add', operation, 'error-before-commit');
    const plan = interruptSending();
    esign('sandbox', 'faults', 'clear');
    return plan;
  });
  const data = join(home, 'data');
  const key = readFileSync(join(data, 'sandbox', 'key')).toString('hex');
  const store = dump(join(data, 'sandbox', 'store.db'), ['idempotency']);
  const sections = {
    facts: JSON.stringify({ key, started, plans }),
    config: readFileSync(join(home, 'config', 'config.json'), 'utf8').trim(),
    history: dump(join(data, 'history.db')).replaceAll(`${folder}/`, ''),
    store,
  };
  const migrations = [...store.matchAll(/schema_migration" .* values \('(.*)'\)/g)].map(([, name]) => name);
  const file = join(formatsFolder(root), `${version}-${migrations.sort().at(-1)}.txt`);
  for (const path of formats) rmSync(path);
  writeFileSync(
    file,
    Object.entries(sections)
      .map(([title, text]) => `-- ${title}\n${text}\n`)
      .join(''),
  );
  console.log(file);
} finally {
  rmSync(folder, { recursive: true });
}

function esign(...words) {
  const command = [join(root, 'bin/esign.js'), ...words, '--sandbox', '--json', '--yes'];
  return execFileSync(process.execPath, command, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** Sends the contract until the fault ends the command. @returns the ID of the plan */
function interruptSending() {
  try {
    esign(...TO_BOTH);
  } catch ({ stderr }) {
    return JSON.parse(stderr.trim().split('\n').at(-1)).error.partial.plan;
  }
  throw new Error('The command was not interrupted.');
}

/** The statements that create a database again. @param omitted tables whose rows are left out */
function dump(file, omitted = []) {
  const connection = connectSqlite(file);
  const rows = (sql) => connection.prepare(sql).all([]);
  const lines = [];
  for (const { name, sql } of rows(
    "select name, sql from sqlite_master where sql is not null and name not like 'sqlite_%' order by type desc, name",
  )) {
    lines.push(`${sql.replace(/\s+/g, ' ')};`);
    if (!sql.startsWith('CREATE TABLE') || omitted.includes(name)) continue;
    for (const row of rows(`select * from "${name}" order by rowid`)) {
      const columns = Object.keys(row)
        .map((column) => `"${column}"`)
        .join(', ');
      lines.push(
        `insert into "${name}" (${columns}) values (${Object.values(row).map(literal).join(', ')});`,
      );
    }
  }
  connection.close();
  return lines.join('\n');
}

function literal(value) {
  if (value === null || typeof value === 'number') return String(value);
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  throw new Error(`A value is ${typeof value}.`);
}
