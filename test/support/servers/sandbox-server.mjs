// Starts the built program as a user does: `esign sandbox serve` on a fresh home; measures its children and their memory.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const esign = fileURLToPath(new URL('../../../bin/esign.js', import.meta.url));

export async function startSandboxServer() {
  const home = mkdtempSync(join(tmpdir(), 'esign-served-'));
  const env = { PATH: process.env.PATH, HOME: home, ESIGN_HOME: home, ESIGN_SOFFICE: 'off' };
  const child = spawn(process.execPath, [esign, 'sandbox', 'serve', '--port', '0', '--json', '--quiet'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'exit');
  const [line] = await once(child.stdout, 'data');
  const { base_url: url } = JSON.parse(String(line));
  const said = (...words) =>
    spawnSync(process.execPath, [esign, 'sandbox', ...words], { env, encoding: 'utf8' }).stdout.trim();
  const token = said('token', '--raw');
  return {
    url,
    token,
    /** The same server for a user of another company. */
    ofCompany(name) {
      const email = `somebody@${name.toLowerCase()}.example`;
      said('users', 'add', `Somebody <${email}>`, '--company', name);
      const theirs = said('token', '--raw', '--user', email);
      return { ...this, token: theirs, call: (method, path, body) => call(url, theirs, method, path, body) };
    },
    pid: child.pid,
    call: (method, path, body) => call(url, token, method, path, body),
    kill: (signal) => child.kill(signal),
    /** The exit code, or the signal it was ended by. */
    ended: ended.then(([code, signal]) => code ?? signal),
    async close() {
      child.kill('SIGKILL');
      await ended;
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

async function call(url, token, method, path, body) {
  const isForm = body instanceof FormData;
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      // A kept connection may have been closed by the server while this process was too busy to notice.
      connection: 'close',
      ...(body && !isForm && { 'content-type': 'application/json' }),
    },
    body: body && (isForm ? body : JSON.stringify(body)),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(bytes.toString()) : bytes };
}

/** Creates a draft with one document. @returns undefined where the file was refused, with the refusal */
export async function draftWith(served, name, bytes) {
  const form = new FormData();
  form.set('file', new Blob([bytes]), name);
  const uploaded = await served.call('POST', '/v1/file/upload', form);
  if (uploaded.status !== 201) return { refused: uploaded };
  const { body: transaction } = await served.call('POST', '/v1/transaction', { name: 'Agreement' });
  const path = `/v1/transaction/${transaction.id}`;
  await served.call('POST', `${path}/document`, { token: uploaded.body.token });
  const { body: detail } = await served.call('GET', path);
  return { path, detail };
}

/** Uploads the file and reads the picture of its first page, if both succeed. */
export async function uploadAndShow(served, { fileName, bytes }) {
  const startedMs = performance.now();
  const { refused, detail } = await draftWith(served, fileName, bytes);
  const answer = refused ?? (await pictureOf(served, detail));
  const { status, body } = answer;
  return { status, code: body.code, detail: body.detail, tookMs: performance.now() - startedMs };
}

export const pictureOf = (served, detail) =>
  served.call('GET', `/v1/file/${detail.template.documents[0].pages[0].file.id}`);

/** Requests a detail repeatedly until it is stopped. @returns how long each answer took */
export function askAgainAndAgain(served, path) {
  const tookMs = [];
  let isOver = false;
  const asking = (async () => {
    while (!isOver) {
      const startedMs = performance.now();
      const { status } = await served.call('GET', path);
      if (status !== 200) throw new Error(`${path} answered ${status}`);
      tookMs.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    return tookMs;
  })();
  asking.catch(() => undefined);
  return {
    stop() {
      isOver = true;
      return asking;
    },
  };
}

/** The interval of samples: reading memory takes milliseconds, so more samples would dominate the test. */
const SAMPLE_MS = 100;

/** Measures the peak memory of a process and its children together. Where /proc is missing it stays 0. */
export function watchMemory(pid) {
  let peakBytes = 0;
  const timer = setInterval(() => {
    const bytes = [pid, ...childrenOf(pid)].reduce((sum, one) => sum + memoryOf(one), 0);
    peakBytes = Math.max(peakBytes, bytes);
  }, SAMPLE_MS);
  return {
    stop() {
      clearInterval(timer);
      return peakBytes;
    },
  };
}

/** The memory of a process, with its share of shared pages. */
function memoryOf(pid) {
  try {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
    return Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

/** The children that process documents. */
export const enginesOf = (pid) =>
  childrenOf(pid).filter((child) =>
    safely(() => readFileSync(`/proc/${child}/cmdline`, 'utf8'))?.includes('document-engine'),
  );

function childrenOf(pid) {
  const children = [];
  for (const name of safely(() => readdirSync('/proc')) ?? []) {
    if (!/^\d+$/.test(name)) continue;
    const stat = safely(() => readFileSync(`/proc/${name}/stat`, 'utf8'));
    const [state, parent] = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? [];
    if (Number(parent) === pid && state !== 'Z') children.push(Number(name));
  }
  return children;
}

/** Whether a process runs; a zombie does not count. */
export function isRunning(pid) {
  const stat = safely(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  return stat !== undefined && stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z';
}

function safely(read) {
  try {
    return read();
  } catch {
    return undefined;
  }
}
