// Fetches the Node of each target from nodejs.org, in the form that scripts/executables.js expects, and refuses files that are not
// what SHASUMS256.txt says.
//   node scripts/fetch-nodes.js DIR [TARGET…]
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Node inside of the executables (decision 0062), and the Node that puts the content in. */
const VERSIONS = { target: process.env.ESIGN_NODE_VERSION ?? '24.22.3', builder: '26.12.1' };
const BASE = process.env.ESIGN_NODE_BASE ?? 'https://nodejs.org/dist';
const TARGETS = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'windows-x64'];

const [folder, ...asked] = process.argv.slice(2);
try {
  if (!folder) throw new Error('Usage: node scripts/fetch-nodes.js DIR [TARGET…]');
  if (asked.length === 0)
    await fetchInto(join(folder, 'builder'), VERSIONS.builder, `${process.platform}-${process.arch}`);
  for (const target of asked.length > 0 ? asked : TARGETS)
    await fetchInto(join(folder, target), VERSIONS.target, target.replace('windows-', 'win-'));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function fetchInto(target, version, system) {
  const release = `${BASE}/v${version}`;
  const sums = new TextDecoder().decode(await download(`${release}/SHASUMS256.txt`));
  const name = `node-v${version}-${system}.tar.gz`;
  const scratch = mkdtempSync(join(tmpdir(), 'esign-node-'));
  try {
    mkdirSync(target, { recursive: true });
    if (system.startsWith('win-')) {
      // The archive for Windows is a zip; the program lies beside it as a file, and the license is that of any system.
      writeFileSync(join(target, 'node.exe'), await checked(release, `${system}/node.exe`, sums));
      await unpack(release, `node-v${version}-linux-x64.tar.gz`, sums, scratch);
    } else {
      await unpack(release, name, sums, scratch);
      copyFileSync(join(scratch, 'bin/node'), join(target, 'node'));
    }
    copyFileSync(join(scratch, 'LICENSE'), join(target, 'LICENSE'));
    process.stdout.write(`${target}: Node ${version} for ${system}\n`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function unpack(release, name, sums, folder) {
  const archive = join(folder, 'node.tar.gz');
  writeFileSync(archive, await checked(release, name, sums));
  const { status, stderr } = spawnSync('tar', ['-xzf', archive, '-C', folder, '--strip-components=1'], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tar did not unpack ${name}:\n${stderr}`);
}

async function checked(release, name, sums) {
  const line = sums.split('\n').find((text) => text.slice(64) === `  ${name}`);
  if (!line) throw new Error(`SHASUMS256.txt has no line for ${name}.`);
  const bytes = await download(`${release}/${name}`);
  const hash = createHash('sha256').update(bytes).digest('hex');
  if (hash !== line.slice(0, 64))
    throw new Error(`${release}/${name} is ${hash}; SHASUMS256.txt says ${line.slice(0, 64)}.`);
  return bytes;
}

async function download(url) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url} was answered with ${response.status}.`);
  return new Uint8Array(await response.arrayBuffer());
}
