// Measures the signing pages: how soon a page is loaded, what a long document costs, and many recipients who sign at once.
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PDFDocument } from '@cantoo/pdf-lib';
import { loadSource } from '../../scripts/load-source.js';
import { median } from './median.js';
import {
  createCaller,
  percentile,
  registerCompany,
  startTransaction,
  withFolder,
  withService,
} from './service.js';

const contract = readFileSync(fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url)));
const ROUNDS = 15;
const CROWD = 100;
const COMPANIES = 10;

/** Sends the requests of a recipient's browser. */
function recipient({ url }) {
  let cookie = '';
  const times = [];
  async function ask(path, init = {}, isCounted = true) {
    const startedAt = performance.now();
    const response = await fetch(new URL(path, url), {
      redirect: 'manual',
      ...init,
      headers: {
        accept: 'text/html',
        cookie,
        ...(init.method === 'POST' && { origin: url, 'sec-fetch-site': 'same-origin' }),
      },
    });
    const body = Buffer.from(await response.arrayBuffer());
    if (isCounted) times.push(performance.now() - startedAt);
    const set = response.headers.get('set-cookie');
    if (set) cookie = set.split(';')[0];
    if (response.status >= 400) throw new Error(`${path} answered ${response.status}`);
    return {
      body,
      text: body.toString(),
      location: response.headers.get('location'),
      isAgain: response.headers.has('refresh'),
    };
  }
  const hidden = (page, name) => new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1] ?? '';
  return {
    times,
    ask,
    async enter(token) {
      const { location } = await ask(`/sign?token=${token}`);
      return location;
    },
    send: (page, path, fields) =>
      ask(path, {
        method: 'POST',
        body: new URLSearchParams({ form_token: hidden(page, 'form_token'), ...fields }),
      }),
    async agree(base) {
      await this.send(await ask(base), `${base}/consent`, { agree: 'yes' });
    },
    async sign(base) {
      await this.agree(base);
      await ask(`${base}/document`);
      const page = await ask(`${base}/signature`);
      const body = new FormData();
      for (const [name, value] of Object.entries({
        form_token: hidden(page, 'form_token'),
        for: 'signature',
        text: 'Ada',
      }))
        body.set(name, value);
      body.set('file', new File([], ''));
      await ask(`${base}/signature`, { method: 'POST', body });
      const review = await ask(`${base}/review`);
      const { location } = await this.send(review, `${base}/submit`, { seen: hidden(review, 'seen') });
      // The page shown while the documents are sealed reloads itself.
      let isCounted = true;
      while ((await ask(location, {}, isCounted)).isAgain) {
        await pause(2000);
        isCounted = false;
      }
    },
  };
}

const tokenOf = async (call, id) =>
  (await call('GET', `/v1/transaction/${id}`)).template.recipients.find(({ is_current }) => is_current).token;

/** Repeats the contract. The number makes each file different, so that its pictures have not been drawn yet. */
async function contractOf(pages, number) {
  const source = await PDFDocument.load(contract);
  const document = await PDFDocument.create();
  while (document.getPageCount() < pages) {
    const copies = await document.copyPages(source, source.getPageIndices());
    for (const page of copies) if (document.getPageCount() < pages) document.addPage(page);
  }
  document.setTitle(`${number} ${Math.random()}`);
  return document.save();
}

/** Opens the page with the document and its first picture, which has not been drawn yet. */
async function open(service, bytes) {
  const call = createCaller(service);
  const visitor = recipient(service);
  const base = await visitor.enter(await tokenOf(call, await startTransaction(call, bytes)));
  await visitor.agree(base);
  const startedAt = performance.now();
  const page = await visitor.ask(`${base}/document`);
  const [, picture] = /<img src="([^"]+)"/.exec(page.text) ?? [];
  const { body } = await visitor.ask(picture.replaceAll('&amp;', '&'));
  return { tookMs: performance.now() - startedAt, bytes: page.body.length + body.length };
}

export const firstPage = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const { renderPage } = await loadSource('src/pdf/render/render.ts');
      const times = { ours: [], theirs: [] };
      for (let round = 0; round <= ROUNDS; round += 1) {
        const bytes = await contractOf(3, round);
        const { tookMs } = await open(service, bytes);
        const startedAt = performance.now();
        await renderPage(bytes, 0, { dpi: 110, maxPixels: 8e6 });
        // The first round is spent compiling.
        if (round === 0) continue;
        times.ours.push(tookMs);
        times.theirs.push(performance.now() - startedAt);
      }
      const [ours, theirs] = [median(times.ours), median(times.theirs)];
      return `${(ours / theirs).toFixed(2)}   (${ours.toFixed(1)} ÷ ${theirs.toFixed(1)} ms)`;
    }),
  );

export const longDocument = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const found = { 3: [], 200: [] };
      for (let round = 0; round <= ROUNDS; round += 1)
        for (const pages of [3, 200]) {
          const seen = await open(service, await contractOf(pages, round));
          if (round > 0) found[pages].push(seen);
        }
      const of = (pages, name) => median(found[pages].map((one) => one[name]));
      const [bytes, time] = ['bytes', 'tookMs'].map((name) => of(200, name) / of(3, name));
      return `${bytes.toFixed(2)}, ${time.toFixed(2)}   (${of(200, 'bytes')} ÷ ${of(3, 'bytes')} bytes, ${of(200, 'tookMs').toFixed(1)} ÷ ${of(3, 'tookMs').toFixed(1)} ms)`;
    }),
  );

export const crowdOfSigners = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const companies = [];
      for (let count = 0; count < COMPANIES; count += 1)
        companies.push(await registerCompany(service, `Company ${count}`, `sender${count}@example.com`));
      const people = [];
      for (let count = 0; count < CROWD; count += 1) {
        const { call, sender } = companies[count % COMPANIES];
        const id = await startTransaction(call, contract, sender);
        people.push({ call, id, token: await tokenOf(call, id), visitor: recipient(service) });
      }
      const startedAt = performance.now();
      await Promise.all(people.map(async ({ token, visitor }) => visitor.sign(await visitor.enter(token))));
      const tookMs = performance.now() - startedAt;
      const states = await Promise.all(
        people.map(async ({ call, id }) => (await call('GET', `/v1/transaction/${id}`)).status),
      );
      const lost = states.filter((status) => status !== 'completed').length;
      const times = people.flatMap(({ visitor }) => visitor.times);
      const [most, usual] = [percentile(times, 0.99), median(times)];
      return `${lost}; ${(most / usual).toFixed(1)}   (${most.toFixed(0)} ÷ ${usual.toFixed(0)} ms, ${times.length} requests in ${(tookMs / 1000).toFixed(1)} s)`;
    }),
  );
