// Measures sealing: values, certificate and seal at B-LTA compared with another library that only seals, the cost of pages, a
// command that completes a transaction, and the memory of the service while it seals.
import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { PDFDocument } from '@cantoo/pdf-lib';
import { CryptoKeySigner, PDF } from '@libpdf/core';
import { loadSource } from '../../scripts/load-source.js';
import { median } from './median.js';
import {
  createCaller,
  highWaterBytes,
  residentBytes,
  startTransaction,
  withFolder,
  withService,
} from './service.js';
import { cpuTime, sendContract, withHome } from './start-up.js';

const RUNS = 15;
const MB = 1024 * 1024;
const esign = fileURLToPath(new URL('../../bin/esign.js', import.meta.url));
const contractPath = fileURLToPath(new URL('../fixtures/contract.pdf', import.meta.url));
const contract = readFileSync(contractPath);

/** Makes one seal of ours, and one of the other library with the same keys and the same timestamps. */
async function sealers() {
  const parts = await loadSource('test/bench/sealing-parts.ts');
  const clock = () => new Date().toISOString();
  const facts = { now: clock(), random: (count) => randomBytes(count) };
  const authority = await parts.makeAuthority('sandbox', facts);
  const holder = await parts.issueSigner(authority, 'Bench', facts);
  const timestamps = parts.timestampsOf(authority, { clock, random: facts.random });
  const lists = () => parts.revocationListsOf(authority, clock());
  const sealing = {
    signer: parts.signerOf(authority, holder),
    timestamps,
    revocationLists: lists,
    level: 'LTA',
    clock,
    name: 'Bench',
  };
  const key = await crypto.subtle.importKey(
    'pkcs8',
    Buffer.from(holder.key, 'base64'),
    { name: 'ECDSA', namedCurve: 'P-256' },
    false,
    ['sign'],
  );
  const der = (one) => new Uint8Array(Buffer.from(one.certificate, 'base64'));
  const chain = [der(authority.issuing), der(authority.root)];
  const signer = new CryptoKeySigner(key, der(holder), 'EC', 'ECDSA', chain);
  const known = await lists();
  const theirs = async (pdf) => {
    const document = await PDF.load(pdf);
    const { bytes } = await document.sign({
      signer,
      level: 'B-LTA',
      timestampAuthority: { timestamp: (digest) => timestamps.timestamp(digest) },
      revocationProvider: { getCRL: async () => known[1], getOCSP: async () => null },
    });
    return bytes;
  };
  /** `seal` is given the certified document. */
  const sealedWith = (seal) => async (pdf, fields) => {
    const stamped = await parts.stampPdf(pdf, { fields });
    if (!stamped.ok) throw new Error(`not stamped: ${stamped.reason}`);
    const sha256 = createHash('sha256').update(stamped.pdf).digest('hex');
    const evidence = parts.trialEvidence(AT, { sha256, bytes: stamped.pdf.length });
    const content = parts.certificateContent({
      parties: [parts.certificateParty({ values: certifiedValues })],
    });
    const certified = await parts.certifyPdf(stamped.pdf, content, evidence);
    const sealed = await seal(certified.pdf, parts.SEAL_FIELD, sealing);
    if (!(sealed instanceof Uint8Array)) throw sealed;
    return sealed;
  };
  return { ours: sealedWith(parts.sealVerified), unchecked: sealedWith(parts.sealPdf), theirs };
}

const field = (page, y, more) => ({
  page,
  x: 72,
  y,
  width: 200,
  height: 40,
  type: 'text',
  value: 'Ada Lovelace, London',
  label: 'Field',
  font_family: 'Helvetica',
  font_size: 12,
  font_color: '#000000',
  is_bold: false,
  is_italic: false,
  is_underline: false,
  ...more,
});

const FIELDS = [
  field(0, 120),
  field(0, 170, { value: '2026-11-21', type: 'date' }),
  field(2, 640, { type: 'signature', value: 'Ada Lovelace', face: 'handwriting' }),
];

const certifiedValues = FIELDS.flatMap(({ label, page, type, value }) =>
  type === 'signature' ? [] : [{ label, page: page + 1, text: value }],
);

const AT = '2026-11-21T18:00:00.000Z';

async function pairOf(pdf, fields) {
  const { ours, theirs } = await sealers();
  const times = { ours: [], theirs: [] };
  for (let run = -3; run < RUNS; run += 1) {
    const pair = [await timeOf(() => ours(pdf, fields)), await timeOf(() => theirs(pdf))];
    if (run < 0) continue;
    times.ours.push(pair[0]);
    times.theirs.push(pair[1]);
  }
  const [a, b] = [median(times.ours), median(times.theirs)];
  return `${(a / b).toFixed(2)}   (${a.toFixed(1)} ÷ ${b.toFixed(1)} ms)`;
}

async function timeOf(work) {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Processor time in milliseconds, which other work on the machine changes less than the time on the clock. */
async function processorTimeOf(work) {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Repeats the contract, and adds so many incompressible bytes. */
async function documentOf(pages, bytes = 0) {
  const source = await PDFDocument.load(contract);
  const document = await PDFDocument.create();
  while (document.getPageCount() < pages) {
    const copies = await document.copyPages(source, source.getPageIndices());
    for (const page of copies) if (document.getPageCount() < pages) document.addPage(page);
  }
  if (bytes > 0)
    await document.attach(randomBytes(bytes), 'annex.bin', { mimeType: 'application/octet-stream' });
  return document.save({ useObjectStreams: false });
}

export const sealSmall = () => pairOf(contract, FIELDS);
export const sealLarge = async () => pairOf(await documentOf(3, MB), FIELDS);

/** Measures the cost of an additional page, in a short document and in a long one. */
export async function sealPages() {
  const { ours } = await sealers();
  const took = new Map();
  for (const pages of [10, 100, 1000]) {
    const pdf = await documentOf(pages);
    await ours(pdf, FIELDS);
    const times = [];
    for (let run = 0; run < 5; run += 1) times.push(await processorTimeOf(() => ours(pdf, FIELDS)));
    took.set(pages, median(times));
  }
  const early = (took.get(100) - took.get(10)) / 90;
  const late = (took.get(1000) - took.get(100)) / 900;
  const shown = [...took].map(([pages, ms]) => `${pages}: ${ms.toFixed(0)} ms`).join(', ');
  return `${(late / early).toFixed(2)}   (${shown})`;
}

/** Measures what the verification of the seal adds to the time of all earlier steps. */
export async function sealCheck() {
  const { ours, unchecked } = await sealers();
  // Small documents are timed after all code is compiled.
  const kinds = [
    ['contract', contract, 30],
    ['10 MB', await documentOf(3, 10 * MB), 3],
    ['1,000 pages', await documentOf(1000), 3],
  ];
  const shares = [];
  for (const [kind, pdf, warmUp] of kinds) {
    const more = [];
    for (let run = -warmUp; run < RUNS; run += 1) {
      const [checked, bare] = [
        await processorTimeOf(() => ours(pdf, FIELDS)),
        await processorTimeOf(() => unchecked(pdf, FIELDS)),
      ];
      if (run >= 0) more.push(checked / bare - 1);
    }
    shares.push(`${median(more).toFixed(3)} (${kind})`);
  }
  return shares.join(', ');
}

/** Measures a command that completes a transaction when the authority exists already. */
export const sealCold = () =>
  withHome((env) => {
    const program = [process.execPath, esign];
    const times = { bare: [], ours: [] };
    for (let round = -2; round < RUNS; round += 1) {
      const id = sendContract(program, env);
      const pair = [
        ['-e', '0'],
        [esign, 'sandbox', 'sign', id],
      ].map((words) => cpuTime({ words: [process.execPath, ...words], env }));
      if (round < 0) continue;
      times.bare.push(pair[0]);
      times.ours.push(pair[1]);
    }
    const [ours, bare] = [median(times.ours), median(times.bare)];
    return `${(ours / bare).toFixed(2)}   (${ours.toFixed(0)} ÷ ${bare.toFixed(0)} ms of processor time)`;
  });

/** Memory of the service and its children together, in MB. */
function together(pid) {
  const children = spawnSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
    .stdout.split('\n')
    .filter(Boolean);
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + residentBytes(one), 0) / MB;
}

async function peakDuring(service, work) {
  let peak = 0;
  const watch = setInterval(() => {
    peak = Math.max(peak, together(service.pid));
  }, 20);
  try {
    return { answers: await work(), peak };
  } finally {
    clearInterval(watch);
  }
}

const signIn = (service, id) =>
  fetch(`${service.url}/_sandbox/transaction/${id}/sign`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-esign-control': service.control },
    body: '{}',
  });

/** Measures many completions at once: none is lost, and they queue instead of exhausting memory. */
export const sealCrowd = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const call = createCaller(service);
      const ids = [];
      for (let count = 0; count < 50; count += 1) ids.push(await startTransaction(call));
      const { answers, peak } = await peakDuring(service, () =>
        Promise.all(ids.map((id) => signIn(service, id))),
      );
      const lost = answers.filter(({ status }) => status !== 200).length;
      return `${lost}; ${peak.toFixed(0)}   (completed ${ids.length - lost} of ${ids.length})`;
    }),
  );

/** Measures the additional memory of service and children while a document of 10 MB and 200 pages is sealed. */
export const sealMemory = () =>
  withFolder((folder) =>
    withService(folder, async (service) => {
      const call = createCaller(service);
      await signIn(service, await startTransaction(call));
      const large = await startTransaction(call, await documentOf(200, 9 * MB));
      const before = together(service.pid);
      const { answers, peak } = await peakDuring(service, async () => [await signIn(service, large)]);
      if (answers[0].status !== 200) return `not sealed: ${await answers[0].text()}`;
      const own = highWaterBytes(service.pid) / MB;
      return `${(peak - before).toFixed(0)}   (before ${before.toFixed(0)}, peak ${peak.toFixed(0)}; the service alone ${own.toFixed(0)})`;
    }),
  );
