// Measures how fast many transactions that are due at once expire, and how this affects other requests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createCaller, singleUpdates, startTransaction, withFolder, withService } from './service.js';

const DUE = Number(process.env.ESIGN_BENCH_DUE ?? 100_000);
const OTHERS = 200;
const EVERY_MS = 5;
/** Measuring starts after this time, because before much of the time goes into compilation. */
const WARM_MS = 3000;
const IDLE_MS = 10_000;
const WAIT_MS = 20;
const SOON_MS = 3000;
const FAR = '2999-01-01T00:00:00.000Z';

export const expirySweep = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const call = createCaller(service);
      const id = await startTransaction(call);
      const database = await openBeside(folder);
      copies(database, id, 'due', DUE);
      copies(database, id, 'other', OTHERS);
      const paths = Array.from({ length: OTHERS }, (_, n) => `/v1/transaction/${id}-other-${n + 1}`);
      const others = { ...service, paths, everyMs: EVERY_MS };
      const idle = await latencyDuring(others, async (begin) => {
        await pause(WARM_MS);
        begin();
        await pause(IDLE_MS);
      });
      const dueAt = new Date(Date.now() + SOON_MS).toISOString();
      database.prepare('update "transaction" set expires_at = ? where id like ?').run(dueAt, `${id}-due-%`);
      const isLeft = database.prepare(
        `select exists(select 1 from "transaction" where status = 'started' and expires_at = ?) as yes`,
      );
      const isBegun = database.prepare(
        `select exists(select 1 from "transaction" where status = 'expired') as yes`,
      );
      let perSecond = 0;
      const busy = await latencyDuring(others, async (begin) => {
        while (isBegun.get().yes === 0) await pause(WAIT_MS);
        begin();
        const startedAt = performance.now();
        while (isLeft.get(dueAt).yes === 1) await pause(WAIT_MS);
        perSecond = (DUE / (performance.now() - startedAt)) * 1000;
      });
      database.close();
      const ratios = ['get', 'post'].map((name) => {
        const [a, b] = [quantile(busy[name], 0.99), quantile(idle[name], 0.99)];
        return `${name} ${(a / b).toFixed(2)} (${a.toFixed(1)} ÷ ${b.toFixed(1)} ms)`;
      });
      const single = await singleUpdates();
      const rate = `${(perSecond / single).toFixed(2)} (${perSecond.toFixed(0)} ÷ ${single.toFixed(0)} a second)`;
      return `${rate}; p99 of others ÷ idle: ${ratios.join(', ')}`;
    }),
  );

export async function openBeside(folder) {
  const { DatabaseSync } = await import(isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite');
  const database = new DatabaseSync(join(folder, 'store.db'));
  database.exec('pragma busy_timeout = 20000');
  return database;
}

const TABLES = ['template', 'document', 'page', 'recipient', 'field'];
const IDS = ['id', 'template_id', 'document_id', 'recipient_id', 'sender_id'];

/** Copies one transaction many times, with numbered rows: making them one by one would take minutes. */
export function copies(database, id, tag, count) {
  const suffix = `'-${tag}-' || number`;
  const copy = (table, where, values) => {
    const columns = database.prepare(`select name from pragma_table_info('${table}')`).all();
    const names = columns.map(({ name }) => name);
    const selected = names.map((name) =>
      name in values ? values[name] : IDS.includes(name) ? `t."${name}" || ${suffix}` : `t."${name}"`,
    );
    database.exec(
      `with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${count})
       insert into "${table}" (${names.map((name) => `"${name}"`).join()})
       select ${selected.join()} from "${table}" t, numbers where ${where}`,
    );
  };
  const { template_id } = database.prepare('select template_id from "transaction" where id = ?').get(id);
  database.exec('begin immediate');
  for (const table of TABLES)
    copy(table, `t.${table === 'template' ? 'id' : 'template_id'} = '${template_id}'`, {
      token_hash: `t.token_hash || ${suffix}`,
      ...(table === 'page' && { file_id: `t.file_id || ${suffix}` }),
    });
  copy('transaction', `t.id = '${id}'`, { expires_at: `'${FAR}'`, expiration_days: '3650' });
  database.exec('commit');
}

/** @param work receives a function; measurements before its call do not count */
async function latencyDuring(options, work) {
  const program = fileURLToPath(new URL('latency.js', import.meta.url));
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk) => {
    said += chunk;
  });
  await work(() => child.stdin.write('begin'));
  child.stdin.end();
  await once(child, 'close');
  return JSON.parse(said);
}

const quantile = (values, q) => values.sort((a, b) => a - b)[Math.floor(values.length * q)];
