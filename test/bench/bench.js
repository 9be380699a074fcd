// `npm run bench`: the figures of the project as ratios, each pair measured in one run, alternating, medians compared.
// Nothing here is a test: the machine's mood shows in it. `npm run bench -- NAME…` runs only some rows.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { detailRatio, durablePosts, sizeRatio, uploadMemory } from './service.js';
import { startUp, txSend } from './start-up.js';

const node24 = process.env.ESIGN_NODE24;

const rows = [
  {
    name: 'version',
    what: 'esign --version ÷ node -e 0',
    reach: '≤ 1.2',
    run: () => startUp(process.execPath, ['--version']),
  },
  {
    name: 'version24',
    what: 'the same on Node 24',
    reach: '≤ 1.2',
    needs24: true,
    run: () => startUp(node24, ['--version']),
  },
  {
    name: 'send',
    what: 'tx send, three pages ÷ node -e 0',
    reach: '≤ 4',
    run: () => txSend(process.execPath),
  },
  { name: 'send24', what: 'the same on Node 24', reach: '≤ 8', needs24: true, run: () => txSend(node24) },
  {
    name: 'detail',
    what: 'served detail, requests/s ÷ bare node:http, same bytes',
    reach: '≥ 0.2',
    run: detailRatio,
  },
  {
    name: 'post',
    what: 'durable POST/s, 32 connections ÷ single durable inserts/s',
    reach: '≥ 0.5',
    run: durablePosts,
  },
  {
    name: 'size',
    what: 'latency with 100,000 transactions ÷ with 100 (detail, list)',
    reach: '≤ 1.3',
    run: sizeRatio,
  },
  { name: 'memory', what: 'serve during ten 10 MB uploads, peak MB', reach: '≤ 300', run: uploadMemory },
];

const wanted = process.argv.slice(2);
const chosen = rows.filter((row) => wanted.length === 0 || wanted.includes(row.name));
process.stdout.write(`node ${process.version}${node24 ? `, ${versionOf(node24)} from ESIGN_NODE24` : ''}\n`);
for (const { what, reach, needs24, run } of chosen) {
  const figure =
    needs24 && !(node24 && existsSync(node24)) ? 'not measured: set ESIGN_NODE24 to a Node 24' : await run();
  process.stdout.write(`${what.padEnd(62)} ${reach.padEnd(7)} ${figure}\n`);
}

function versionOf(node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim();
}
