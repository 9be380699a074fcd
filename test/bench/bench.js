// `npm run bench`: measures the figures of the project as ratios. Each pair is measured in one run, alternating, and medians are compared.
// Nothing here is a test, because the load of the machine changes the figures. `npm run bench -- NAME…` runs only some rows.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { compareRows } from './against.js';
import { convertDocx } from './conversion.js';
import { deliveryDelay, deliveryFairness, deliveryRate, startWhileHanging } from './deliveries.js';
import { executableSize, executableStartUp } from './executable.js';
import { expirySweep } from './expiry.js';
import { anchorsInLongText, hasPoppler, sendWithAnchors } from './fields.js';
import { advanceClock, completeStories, hundredSandboxes, openSandbox, resetSandbox } from './sandboxes.js';
import { sealCheck, sealCold, sealCrowd, sealLarge, sealMemory, sealPages, sealSmall } from './sealing.js';
import {
  busyDetailRatio,
  detailRatio,
  durablePosts,
  FEW,
  hostileWait,
  MANY,
  postsOverHttp,
  sizeRatio,
  uploadMemory,
} from './service.js';
import { crowdOfSigners, firstPage, longDocument } from './signing.js';
import { peer, showRemote, startUp } from './start-up.js';
import {
  hasPostgres,
  teamCreates,
  teamDeliveries,
  teamDetails,
  teamLimit,
  teamSize,
  teamStories,
} from './team.js';
import { verifyDrawn, verifyHostile, verifyLarge, verifyMany, verifyMore, verifySealed } from './verify.js';
import { clientBundle, installed, tarball } from './weight.js';

const node24 = process.env.ESIGN_NODE24;

/** `reach` is the limit of a row, and `bound` names what keeps it from being less (src/decisions/0057). */
const rows = [
  ...onBoth('version', 'esign --version ÷ node -e 0', ['≤ 1.2', '≤ 1.2'], (node) => startUp('version', node)),
  ...onBoth('help', 'esign --help ÷ node -e 0', ['≤ 1.35', '≤ 1.6'], (node) => startUp('help', node)),
  ...onBoth(
    'tab',
    'one TAB, an id of a transaction ÷ node -e 0',
    ['≤ 1.5', '≤ 1.7'],
    (node) => startUp('tab', node),
    'Node, which compiles dist/completion.cjs: a completion has no cached code',
  ),
  ...onBoth(
    'show',
    'tx show in the sandbox ÷ node -e 0',
    ['≤ 4.2', '≤ 3.9'],
    (node) => startUp('show', node),
    'load in cli/start/bundles.ts takes half of it, openStore a tenth',
  ),
  ...onBoth(
    'remote',
    'tx show of a remote on loopback ÷ node -e 0',
    ['≤ 3.9', '≤ 5.7'],
    showRemote,
    'load in cli/start/bundles.ts; on Node 24 also V8, which optimises the parser of undici at the end',
  ),
  ...onBoth(
    'send',
    'tx send, three pages ÷ node -e 0',
    ['≤ 7.6', '≤ 6.5'],
    (node) => startUp('send', node),
    'load in cli/start/bundles.ts takes a third of it, respond in service/http/pipeline.ts with its seven requests another one',
  ),
  {
    name: 'send-uncached',
    what: 'tx send without the compiled code cache ÷ node -e 0',
    reach: '',
    run: () => startUp('send-uncached'),
  },
  {
    name: 'anchors',
    what: 'tx send --dry-run, ten fields at words of 300 pages ÷ pdftotext -bbox',
    reach: '≤ 3.3',
    bound:
      'withLetters in pdf/text/page-letters.ts: two thirds of it is the text of 300 pages, which PDFium reads as WebAssembly and pdftotext as native code',
    run: () => (hasPoppler ? anchorsInLongText() : 'needs pdftotext'),
  },
  {
    name: 'send-anchors',
    what: 'tx send with two fields at words ÷ without',
    reach: '≤ 2.5',
    bound: 'startEngine in pdf/read/pdfium.ts: without words no PDFium is started',
    run: sendWithAnchors,
  },
  ...(hasPostgres
    ? [
        {
          name: 'team-creates',
          what: 'two nodes on PostgreSQL, creates/s, 32 connections ÷ the sandbox on SQLite',
          reach: '≥ 0.7',
          run: teamCreates,
        },
        {
          name: 'team-limit',
          what: 'two nodes on PostgreSQL, creates/s ÷ inserts of pgbench',
          reach: '≥ 0.02',
          bound:
            'respond in service/http/pipeline.ts: a create takes 1 to 2 ms of processor time, an insert of pgbench 0.04 ms; the disk bounds neither',
          run: teamLimit,
        },
        {
          name: 'team-deliveries',
          what: 'three nodes on PostgreSQL, 10,000 due deliveries ÷ one node',
          reach: '≥ 1.5',
          run: teamDeliveries,
        },
        {
          name: 'team-details',
          what: 'two nodes on PostgreSQL, details/s, 32 connections ÷ the sandbox on SQLite',
          reach: '≥ 0.6',
          run: teamDetails,
        },
        {
          name: 'team-stories',
          what: 'two nodes on PostgreSQL, from the upload to the seal, 32 clients ÷ the sandbox on SQLite',
          reach: '≥ 0.5',
          run: teamStories,
        },
        {
          name: 'team-size',
          what: `one node on PostgreSQL, p50 with ${MANY.toLocaleString('en')} transactions ÷ with 1,000`,
          reach: '≤ 1.2',
          run: teamSize,
        },
      ]
    : []),
  {
    name: 'detail',
    what: 'served detail, requests/s ÷ bare node:http, same bytes',
    reach: '≥ 0.35',
    run: detailRatio,
  },
  {
    name: 'detail-busy',
    what: 'served detail, 2,000 ids in turn, 50 commits/s ÷ bare node:http, same bytes',
    reach: '≥ 0.2',
    run: busyDetailRatio,
  },
  {
    name: 'post',
    what: 'durable POST/s, 32 connections ÷ single durable inserts/s',
    reach: '≥ 0.5',
    bound:
      'respond in service/http/pipeline.ts: the processor bounds the POSTs, and 32 of them share a commit; on a disk with 7,000 commits a second that saves nothing',
    run: durablePosts,
  },
  {
    name: 'post-http',
    what: 'the same POST/s ÷ the same calls in process, 32 at a time',
    reach: '≥ 0.4',
    bound: 'the client of the load, which shares two processors with the service: calls in process have none',
    run: postsOverHttp,
  },
  {
    name: 'size',
    what: `latency with ${MANY.toLocaleString('en')} transactions ÷ with ${FEW.toLocaleString('en')} (detail, list)`,
    reach: '≤ 1.2',
    run: sizeRatio,
  },
  {
    name: 'expiry',
    what: '100,000 due at once: expired/s ÷ single durable updates/s; p99 of others ÷ idle',
    reach: '≥ 0.4; ≤ 2',
    run: expirySweep,
  },
  {
    name: 'sandbox-open',
    what: 'createSandbox() in a test ÷ opening its database alone',
    reach: '≤ 1.5',
    run: openSandbox,
  },
  {
    name: 'sandbox-reset',
    what: 'reset() after a completed transaction ÷ createSandbox()',
    reach: '≤ 0.2',
    run: resetSandbox,
  },
  {
    name: 'sandbox-hundred',
    what: '100 sandboxes in one process: memory beyond the first',
    reach: '≤ 150 MB',
    run: hundredSandboxes,
  },
  {
    name: 'sandbox-stories',
    what: '1,000 transactions from nothing to their end, headless',
    reach: '',
    run: completeStories,
  },
  {
    name: 'sandbox-advance',
    what: 'advance 30d with 100,000 due ÷ the same expiries without it',
    reach: '≤ 1.2',
    run: advanceClock,
  },
  ...peers(),
  {
    name: 'hostile',
    what: 'hostile set: p99 of another client ÷ idle',
    reach: '≤ 10',
    run: hostileWait,
  },
  {
    name: 'deliveries',
    what: '10,000 due deliveries to one receiver, a second ÷ the same POSTs by undici',
    reach: '≥ 0.2',
    bound:
      'claimDue and recordDelivered in service/store/delivery/deliveries.ts: undici alone stores nothing',
    run: deliveryRate,
  },
  {
    name: 'deliveries-fair',
    what: '100 receivers of which 10 hang: the other 90 have theirs ÷ without those',
    reach: '≤ 1.2',
    run: deliveryFairness,
  },
  {
    name: 'deliveries-start',
    what: 'p99 of start with a receiver that hangs ÷ without',
    reach: '≤ 1.1',
    run: startWhileHanging,
  },
  {
    name: 'deliveries-delay',
    what: 'from the commit to the first byte at the receiver, idle',
    reach: '≤ 20 ms',
    run: deliveryDelay,
  },
  {
    name: 'page',
    what: 'signing page and first picture ÷ PDFium drawing that page',
    reach: '≤ 2.5',
    bound:
      'renderPage, in the child for documents: the picture takes as much processor time as on the other side, and the page 10 ms; client, service and child share two processors',
    run: firstPage,
  },
  {
    name: 'long',
    what: 'first page of 200 ÷ of 3: bytes, time',
    reach: '≤ 1.2',
    run: longDocument,
  },
  {
    name: 'crowd',
    what: '100 recipients of 10 companies sign at once: lost; p99 ÷ median of a request',
    reach: '0; 8',
    run: crowdOfSigners,
  },
  {
    name: 'seal',
    what: 'values, certificate and B-LTA ÷ @libpdf/core, B-LTA alone',
    reach: '≤ 1.2',
    run: sealSmall,
  },
  { name: 'seal-1mb', what: 'the same, 1 MB', reach: '≤ 1.0', run: sealLarge },
  {
    name: 'seal-pages',
    what: 'a page more: from 100 to 1,000 pages ÷ from 10 to 100',
    reach: '≤ 1.2',
    run: sealPages,
  },
  {
    name: 'seal-check',
    what: 'what verifying a seal adds to values, certificate and seal',
    reach: '≤ 0.15; 0.2; 0.65',
    bound:
      'createIndex and differenceIn in pdf/verify: each object of 1,000 pages is read, for values on three of them',
    run: sealCheck,
  },
  {
    name: 'seal-cold',
    what: 'sandbox sign that completes ÷ node -e 0',
    reach: '≤ 35',
    bound:
      'load in cli/start/bundles.ts: a quarter of it are stamping, fonts and sealing as code, and the rest runs once, before V8 optimises it',
    run: sealCold,
  },
  {
    name: 'seal-crowd',
    what: '50 completions at once: lost; peak MB of all',
    reach: '0; 600',
    run: sealCrowd,
  },
  { name: 'seal-memory', what: 'sealing 10 MB, 200 pages: MB beyond idle', reach: '≤ 250', run: sealMemory },
  {
    name: 'convert',
    what: 'a Word document of 300 paragraphs ÷ LibreOffice',
    reach: '≤ 1',
    run: convertDocx,
  },
  {
    name: 'verify',
    what: 'verify of a signed file of 10 MB ÷ pdfsig',
    reach: '≤ 4.8',
    bound:
      'load in cli/start/bundles.ts: Node and the code of the command take 94 of 164 ms before the file is read, and pdfsig 12 of 38',
    run: verifyLarge,
  },
  {
    name: 'verify-drawn',
    what: 'the same with a page that was saved again, drawn twice and compared',
    reach: '≤ 7.5',
    bound: 'startEngine in pdf/read/pdfium.ts: PDFium as WebAssembly takes 100 ms more than the row verify',
    run: verifyDrawn,
  },
  {
    name: 'verify-sealed',
    what: 'verify of a file that the sandbox sealed ÷ esign --version',
    reach: '≤ 5.8',
    bound: 'load in cli/start/bundles.ts takes 94 of 150 ms, verifyPdf the rest; --version does without both',
    run: verifySealed,
  },
  { name: 'verify-more', what: 'each further file of one call', reach: '≤ 50 ms', run: verifyMore },
  {
    name: 'verify-hostile',
    what: 'verify of files of 10 MB that are made to keep it busy',
    reach: '≤ 5 s, ≤ 500 MB',
    run: verifyHostile,
  },
  { name: 'verify-many', what: 'verify of 1,000 files in one call', reach: '', run: verifyMany },
  { name: 'tarball', what: 'the package', reach: '≤ 6 MB', run: tarball },
  {
    name: 'installed',
    what: 'packages beside it, on this system',
    reach: '≤ 9',
    bound: 'dependencies in package.json, with the keyring and SQLite of this system',
    run: installed,
  },
  ...['version', 'help', 'show'].map((name) => ({
    name: `executable-${name}`,
    what: `${name} of the executable ÷ the script, on the same Node`,
    reach: '≤ 1.2',
    run: () => executableStartUp(name),
  })),
  {
    name: 'executable',
    what: 'the executable of this system',
    reach: '',
    bound: 'Node, which is not stripped: nine tenths of it',
    run: executableSize,
  },
  {
    name: 'client',
    what: 'a bundle that imports createClient alone',
    reach: '≤ 30 kB gzip',
    run: clientBundle,
  },
  { name: 'memory', what: 'serve during ten 10 MB uploads, peak MB', reach: '≤ 300', run: uploadMemory },
];

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    /** Another checkout, whose build is measured in turn. */
    against: { type: 'string' },
    /** The largest ratio to it that passes. */
    most: { type: 'string' },
    /** Prints the figure alone, for `--against`. */
    figure: { type: 'boolean' },
  },
});
const chosen = rows.filter((row) => wanted.length === 0 || wanted.includes(row.name));
if (options.figure) for (const { run } of chosen) process.stdout.write(`${await figureOf(run)}\n`);
else {
  process.stdout.write(
    `node ${process.version}${node24 ? `, ${versionOf(node24)} from ESIGN_NODE24` : ''}\n`,
  );
  if (options.against === undefined) await printFigures();
  else await compareRows(chosen, options.against, options.most && Number(options.most));
}

async function printFigures() {
  for (const { what, reach, bound, needs24, run } of chosen) {
    const figure =
      needs24 && !(node24 && existsSync(node24))
        ? 'not measured: set ESIGN_NODE24 to a Node 24'
        : await figureOf(run);
    process.stdout.write(`${what.padEnd(62)} ${reach.padEnd(7)} ${figure}\n`);
    if (bound) process.stdout.write(`      bound by ${bound}\n`);
  }
}

/** Returns the figure of a row; a row that fails reports the reason, and the others are still measured. */
async function figureOf(run) {
  try {
    return await run();
  } catch (error) {
    process.exitCode = 1;
    return `FAILED: ${error.message}`;
  }
}

/** Measures on the Node of this run and on Node 24. */
function onBoth(name, what, [reach, reach24], run, bound) {
  return [
    { name, what, reach, bound, run: () => run(process.execPath) },
    {
      name: `${name}24`,
      what: 'the same on Node 24',
      reach: reach24,
      bound,
      needs24: true,
      run: () => run(node24),
    },
  ];
}

/** Other command lines of this machine, for comparison: ESIGN_PEERS="gh=/usr/bin/gh,vercel=/path/to/vc.js". */
function peers() {
  const named = (process.env.ESIGN_PEERS ?? '').split(',').filter(Boolean);
  return named.flatMap((one) => {
    const [name, command] = one.split('=');
    return ['--version', '--help'].map((word) => ({
      name: 'peers',
      what: `${name} ${word} ÷ node -e 0`,
      reach: '',
      run: () => peer(command, word),
    }));
  });
}

function versionOf(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}
