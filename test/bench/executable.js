// Measures the executable of this system (scripts/executables.js), which is made once from the Nodes in ESIGN_NODES.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commandOf, ROOT, ratioToOther, withHome } from './start-up.js';

const nodes = process.env.ESIGN_NODES;
const MISSING = 'not measured: set ESIGN_NODES to a folder of scripts/fetch-nodes.js';
const target = `${process.platform}-${process.arch}`;
let release;

/** Start-up of a command, compared with the script that the same Node runs. */
export const executableStartUp = (name) =>
  nodes === undefined
    ? MISSING
    : withHome((env) => {
        const { words, env: variables } = commandOf(name, {
          root: ROOT,
          node: join(nodes, target, 'node'),
          env,
        });
        const executable = {
          words: [join(makeRelease(), target, 'esign'), ...words.slice(2)],
          env: variables,
        };
        return ratioToOther({ words, env: variables }, executable);
      });

export function executableSize() {
  if (nodes === undefined) return MISSING;
  const folder = makeRelease();
  const archive = readdirSync(folder).find((name) => name.includes(target));
  const [whole, packed, inside] = [
    join(folder, target, 'esign'),
    join(folder, archive),
    join(nodes, target, 'node'),
  ].map((path) => (statSync(path).size / 1e6).toFixed(1));
  return `${packed} MB packed, ${whole} MB unpacked, of which Node is ${inside}`;
}

function makeRelease() {
  if (release !== undefined) return release;
  release = mkdtempSync(join(tmpdir(), 'esign-bench-'));
  process.once('exit', () => rmSync(release, { recursive: true, force: true }));
  for (const words of [['--executables', '--nodes', nodes, '--only', target], ['--archives']]) {
    const { status, stderr } = spawnSync(
      process.execPath,
      [join(ROOT, 'scripts/release.js'), ...words, '--out', release],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
  }
  return release;
}
