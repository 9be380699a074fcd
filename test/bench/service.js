// Measures the served service, compared with the simplest program that does the same work.
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  draftWith,
  startSandboxServer,
  uploadAndShow,
  watchMemory,
} from '../support/servers/sandbox-server.mjs';
import { median } from './median.js';

const ROUNDS = 3;
const SECONDS = 3;
const contract = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

/** Runs the service in a child on a fresh store. `used` gets its address and secrets; the child is always ended. */
export async function withService(folder, use, env = {}) {
  const child = spawn(process.execPath, [beside('serve.js'), folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  try {
    const facts = JSON.parse(await firstLine(child.stdout));
    return await use({ ...facts, pid: child.pid });
  } finally {
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function firstLine(stream) {
  let text = '';
  return new Promise((resolve) => {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
      if (text.endsWith('\n')) resolve(text);
    });
  });
}

export async function withFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const load = async (options) => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    beside('load.js'),
    JSON.stringify(options),
  ]);
  const { perSecond, failed } = JSON.parse(stdout);
  if (failed > 0) throw new Error(`${failed} requests failed`);
  return perSecond;
};

export function createCaller({ url, token }) {
  return async (method, path, body) => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && !isForm && { 'content-type': 'application/json' }),
      },
      body: body && (isForm ? body : JSON.stringify(body)),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return response.json();
  };
}

const SENDER = { name: 'Sandbox Sender', email: 'sender@esign.test' };

/** Registers a user of a new company. @returns the user, and a function to call the service as this user */
export async function registerCompany(service, name, email) {
  const control = async (path, body) => {
    const response = await fetch(`${service.url}/_sandbox/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-esign-control': service.control },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  await control('user', { name: 'Sender', email, company: name });
  const { access_token: token } = await control('token', { user: email });
  return { sender: { name: 'Sender', email }, call: createCaller({ url: service.url, token }) };
}

/** Starts a transaction like the README's. @returns its id */
export async function startTransaction(call, bytes = readFileSync(contract), sender = SENDER) {
  const form = new FormData();
  form.set('name', 'contract.pdf');
  form.set('file', new Blob([bytes]), 'contract.pdf');
  const { token } = await call('POST', '/v1/file/upload', form);
  const { id } = await call('POST', '/v1/transaction', { name: 'Agreement' });
  const path = `/v1/transaction/${id}`;
  await call('POST', `${path}/document`, { token });
  const draft = await call('GET', path);
  const [document] = draft.template.documents;
  const people = [
    { role: 'sender', index: 0, ...sender },
    { role: 'signer', index: 1, name: 'Ada', email: 'ada@example.com' },
  ];
  await call('PUT', path, {
    name: 'Agreement',
    documents: [{ id: document.id, index: 0 }],
    recipients: people,
  });
  const signer = (await call('GET', path)).template.recipients[1];
  const box = { page: 2, width: 200, height: 50, positionX: 72, positionY: 650 };
  await call('PUT', `${path}/fields`, {
    fields: [{ ...box, document_id: document.id, recipient_id: signer.id, type: 'signature' }],
  });
  for (;;) {
    const refused = await call('PUT', `${path}/start`).then(
      () => undefined,
      (error) => error,
    );
    if (!refused) return id;
    // The pages of a long document are drawn once before, within the time limit of a request.
    if (!/documents_not_checked/.test(refused.message)) throw refused;
  }
}

/** Ratios of pairs measured one after the other. */
export async function ratioOf(ours, theirs) {
  const pairs = [];
  // Warm up both: the first second is spent compiling.
  await ours();
  for (let round = 0; round < ROUNDS; round += 1) pairs.push([await ours(), await theirs()]);
  const shown = pairs.map(([a, b]) => `${a.toFixed(0)} ÷ ${b.toFixed(0)}`).join(', ');
  return `${median(pairs.map(([a, b]) => a / b)).toFixed(2)}   (${shown})`;
}

export const detailRatio = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const call = createCaller(service);
      const path = `/v1/transaction/${await startTransaction(call)}`;
      const headers = { authorization: `Bearer ${service.token}` };
      const bare = await bareServer(await fetch(service.url + path, { headers }));
      try {
        return await ratioOf(
          () => load({ url: service.url + path, headers, seconds: SECONDS }),
          () => load({ url: bare.url, headers, seconds: SECONDS }),
        );
      } finally {
        bare.child.kill();
      }
    }),
  );

const MANY_IDS = 2000;
const WRITES_PER_SECOND = 50;

/** Reads 2,000 transactions in turn, while others are created. */
export const busyDetailRatio = () =>
  withFolder((folder) =>
    withService(
      folder,
      async (service) => {
        const headers = { authorization: `Bearer ${service.token}` };
        const paths = service.ids.map((id) => `/v1/transaction/${id}`);
        const bare = await bareServer(await fetch(service.url + paths[0], { headers }));
        const call = createCaller(service);
        const writes = async (stop) => {
          while (!stop.aborted)
            await Promise.all([
              call('POST', '/v1/transaction', { name: 'Agreement' }),
              pause(1000 / WRITES_PER_SECOND),
            ]);
        };
        const whileWritten = async (work) => {
          const stop = new AbortController();
          const writing = writes(stop.signal);
          try {
            return await work();
          } finally {
            stop.abort();
            await writing;
          }
        };
        try {
          return await ratioOf(
            () => whileWritten(() => load({ url: service.url, paths, headers, seconds: SECONDS })),
            () => load({ url: bare.url, headers, seconds: SECONDS }),
          );
        } finally {
          bare.child.kill();
        }
      },
      { ESIGN_BENCH_FILL: String(MANY_IDS) },
    ),
  );

/** Headers that node:http itself sets, on both sides. */
const OF_THE_CONNECTION = new Set(['connection', 'keep-alive', 'date']);

/** Starts node:http in a process of its own that answers the same bytes, headers included. */
async function bareServer(answer) {
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_CONNECTION.has(name)));
  const child = spawn(process.execPath, [beside('bare.js')], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify({ headers, body: await answer.text() }));
  const url = String(await new Promise((resolve) => child.stdout.once('data', resolve))).trim();
  return { child, url };
}

export const durablePosts = () =>
  withFolder((folder) => withService(folder, (service) => ratioOf(() => posts(service), singleInserts)));

/** Measures what HTTP adds to a POST: the same call in process is validated, committed and answered as well. */
export const postsOverHttp = () =>
  withFolder((folder) => withService(folder, (service) => ratioOf(() => posts(service), postsInProcess)));

const posts = ({ url, token }) =>
  load({
    url: `${url}/v1/transaction`,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"Agreement"}',
    seconds: SECONDS,
  });

/** @returns calls a second */
const postsInProcess = () =>
  withFolder(async (folder) => {
    const { stdout } = await promisify(execFile)(process.execPath, [
      beside('in-process.js'),
      folder,
      String(SECONDS),
    ]);
    return Number(stdout);
  });

/** Inserts rows of 300 bytes, each in a durable commit of its own, with the same SQLite in one process. @returns rows a second */
export const singleInserts = () => durableRuns('insert into row (data) values (?)', () => ['x'.repeat(300)]);

const ROWS = 1000;

/** Updates one column of rows of 300 bytes, each in a durable commit of its own. @returns rows a second */
export const singleUpdates = () =>
  durableRuns('update row set state = ? where id = ?', (done) => [`state ${done}`, (done % ROWS) + 1]);

const durableRuns = (sql, valuesOf) =>
  withFolder(async (folder) => {
    const driver = isBuiltin('node:sqlite') ? 'node:sqlite' : '@photostructure/sqlite';
    const { DatabaseSync } = await import(driver);
    const database = new DatabaseSync(join(folder, 'single.db'));
    database.exec(`pragma journal_mode = wal; pragma synchronous = full;
      create table row (id integer primary key, data text, state text);
      with recursive numbers(number) as (select 1 union all select number + 1 from numbers where number < ${ROWS})
      insert into row (data) select '${'x'.repeat(300)}' from numbers`);
    const statement = database.prepare(sql);
    const startedAt = performance.now();
    let done = 0;
    for (; performance.now() - startedAt < SECONDS * 1000; done += 1) statement.run(...valuesOf(done));
    database.close();
    return done / SECONDS;
  });

export const MANY = Number(process.env.ESIGN_BENCH_MANY ?? 100_000);
export const FEW = 1000;

/** Sends the same requests to two stores in turn. */
export const sizeRatio = () =>
  withFolder((small) =>
    withFolder((large) =>
      withService(
        small,
        (few) =>
          withService(
            large,
            async (many) => {
              const requests = {
                detail: (id) => `/v1/transaction/${id}`,
                list: () => '/v1/template?limit=20&page=1',
              };
              const ratios = [];
              for (const [name, path] of Object.entries(requests))
                ratios.push(`${name} ${await latencyRatio(few, many, path)}`);
              return ratios.join(', ');
            },
            { ESIGN_BENCH_FILL: String(MANY) },
          ),
        { ESIGN_BENCH_FILL: String(FEW) },
      ),
    ),
  );

const SAMPLES = 400;

export async function latencyRatio(few, many, pathOf) {
  const times = { few: [], many: [] };
  for (let sample = 0; sample < SAMPLES; sample += 1)
    for (const [name, { url, token, ids }] of Object.entries({ few, many })) {
      // Reads another transaction each time, so that no answer comes from the cache.
      const path = pathOf(ids[(sample * 7) % ids.length]);
      const startedAt = performance.now();
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
      await response.arrayBuffer();
      if (!response.ok) throw new Error(`${path} answered ${response.status}`);
      times[name].push(performance.now() - startedAt);
    }
  const [a, b] = [median(times.many), median(times.few)];
  return `${(a / b).toFixed(2)} (${a.toFixed(2)} ms ÷ ${b.toFixed(2)} ms)`;
}

/** Measures the wait of another client at the 99th percentile, compared with its wait on an idle service. */
export const hostileWait = async () => {
  const { HOSTILE } = await import('../support/documents/hostile/index.mjs');
  const target = await startSandboxServer();
  try {
    const { path } = await draftWith(target, 'contract.pdf', readFileSync(contract));
    const asked = { url: target.url + path, headers: { authorization: `Bearer ${target.token}` } };
    const waits = async (work) => {
      const asking = spawn(process.execPath, [beside('wait.js'), JSON.stringify(asked)], {
        stdio: ['pipe', 'pipe', 'inherit'],
      });
      const said = asking.stdout.setEncoding('utf8').toArray();
      await work();
      asking.stdin.end();
      return JSON.parse((await said).join(''));
    };
    // Created before the measurement.
    for (const { bytes } of HOSTILE) if (bytes.length === 0) throw new Error('A hostile file is empty.');
    await waits(() => new Promise((resolve) => setTimeout(resolve, 2000)));
    const idle = await waits(() => new Promise((resolve) => setTimeout(resolve, 5000)));
    const memory = watchMemory(target.pid);
    let longestMs = 0;
    const busy = await waits(async () => {
      for (const file of HOSTILE) longestMs = Math.max(longestMs, (await uploadAndShow(target, file)).tookMs);
    });
    const crowd = await waits(() =>
      Promise.all(Array.from({ length: CROWD }, (_, index) => hostileOne(index))),
    );
    const [quiet, one, many] = [idle, busy, crowd].map((times) => percentile(times, 0.99));
    const figures = `one at a time ${one.toFixed(1)}, ${CROWD} at once ${many.toFixed(1)} ms ÷ ${quiet.toFixed(1)} ms`;
    const more = `longest file ${(longestMs / 1000).toFixed(1)} s, peak ${(memory.stop() / MB).toFixed(0)} MB`;
    return `${(one / quiet).toFixed(1)} and ${(many / quiet).toFixed(1)}   (${figures}; ${more})`;
    function hostileOne(index) {
      return uploadAndShow(target, HOSTILE[index % HOSTILE.length]);
    }
  } finally {
    await target.close();
  }
};

const CROWD = 50;

export function percentile(values, share) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

const UPLOADS = 10;
const MB = 1024 * 1024;

/** Uploads ten files of 10 MB at once. @returns the highest resident size */
export const uploadMemory = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const call = createCaller(service);
      const bytes = largePdf(10 * MB);
      let peak = 0;
      const watch = setInterval(() => {
        peak = Math.max(peak, residentBytes(service.pid));
      }, 10);
      await Promise.all(
        Array.from({ length: UPLOADS }, () => {
          const form = new FormData();
          form.set('file', new Blob([bytes]), 'large.pdf');
          return call('POST', '/v1/file/upload', form);
        }),
      );
      clearInterval(watch);
      return `${(Math.max(peak, highWaterBytes(service.pid)) / MB).toFixed(0)}`;
    }),
  );

/** The contract, with a stream that nothing refers to appended as an incremental update. */
function largePdf(sizeBytes) {
  const pdf = readFileSync(contract);
  return Buffer.concat([pdf, Buffer.from(`\n%${'x'.repeat(sizeBytes - pdf.length - 2)}`)]);
}

/** Bytes; 0 for a process that has ended. */
const statusLine = (pid, name) => {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) * 1024;
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return 0;
    throw error;
  }
};
export const residentBytes = (pid) => statusLine(pid, 'VmRSS');
export const highWaterBytes = (pid) => statusLine(pid, 'VmHWM');
