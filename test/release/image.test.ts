// The image, without a program for containers: the steps of the Dockerfile are carried out in a copy of this checkout, and its program runs on
// the file tree that they make, in a root of its own that is read-only, as the user of the image. The system below /usr is that of this machine.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freePort } from '../support/servers/ports.ts';
import { needsCommand, needsMount, unmet } from '../support/tools.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

type Instruction = { name: string; text: string };

/** Reads the instructions of each stage; a line that ends with a backslash goes on. */
function stagesOf(dockerfile: string): Instruction[][] {
  const lines = dockerfile
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const stages: Instruction[][] = [];
  for (const line of lines) {
    const [, name = '', text = ''] = /^(\S+)\s+(.*)$/.exec(line) ?? [];
    if (name === 'FROM') stages.push([]);
    stages.at(-1)?.push({ name, text });
  }
  return stages;
}

const [build = [], image = []] = stagesOf(readFileSync(join(root, 'Dockerfile'), 'utf8'));

const textsOf = (stage: readonly Instruction[], name: string): string[] =>
  stage.flatMap((instruction) => (instruction.name === name ? [instruction.text] : []));

type PackageLock = { packages: Record<string, { dev?: true }> };

/** What `npm pack` reads. */
const BUILT = [
  'bin',
  'CHANGELOG.md',
  'completions',
  'dist',
  'docs',
  'fonts',
  'LICENSE',
  'man',
  'package.json',
  'package-lock.json',
  'README.md',
];

const HEALTHCHECK = /CMD (\[.*\])$/.exec(textsOf(image, 'HEALTHCHECK')[0] ?? '')?.[1] ?? '[]';

test('the image is of a released Node, and runs as a user that cannot write to its program', () => {
  for (const stage of [build, image])
    expect(stage[0]?.text).toMatch(/^(--platform=\$BUILDPLATFORM )?node:2[2-9]-bookworm-slim( AS build)?$/);
  expect(textsOf(image, 'USER')).toEqual(['1000:1000']);
  expect(textsOf(image, 'COPY')).toEqual(['--from=build /out/package /opt/esign']);
});

const need = unmet(needsMount(), needsCommand('unshare'), needsCommand('setpriv'));

describe.skipIf(need.skip)(`a container of the image${need.why}`, () => {
  let folder: string;
  let port: number;

  const here = (text: string) =>
    text
      .replaceAll('/out', join(folder, 'out'))
      .replaceAll('/tmp', join(folder, 'packed'))
      .replaceAll('8080', String(port));

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'esign-image-'));
    port = await freePort();
    mkdirSync(join(folder, 'packed'));
    const source = join(folder, 'src');
    mkdirSync(source);
    // What is only needed to build is left out: `npm prune` would remove it.
    const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as PackageLock;
    const needed = Object.keys(packages).filter((path) => path !== '' && !packages[path]?.dev);
    for (const path of [...BUILT, ...needed])
      if (existsSync(join(root, path))) cpSync(join(root, path), join(source, path), { recursive: true });
    const [install, ...steps] = textsOf(build, 'RUN');
    // The checkout is installed and built already.
    expect(install).toMatch(/^npm ci /);
    for (const step of steps) run('sh', ['-euc', here(step)], source);
  }, 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function run(command: string, words: readonly string[], cwd = root): string {
    const ran = spawnSync(command, words, { cwd, encoding: 'utf8', timeout: 100_000 });
    expect(ran.status, `${command} ${words.join(' ')}\n${ran.stderr}`).toBe(0);
    return ran.stdout;
  }

  /** Runs `commands` beside the program of the image, in its root, and then ends the program. */
  async function inContainer(commands: string): Promise<{ code: number | null; out: string }> {
    const env = textsOf(image, 'ENV');
    const [entry, command] = ['ENTRYPOINT', 'CMD'].map((name) =>
      JSON.parse(here(textsOf(image, name)[0] ?? '')),
    );
    const script = join(folder, 'container.sh');
    const quoted = (words: readonly string[]) =>
      words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
    const asUser = `setpriv --reuid=1000 --regid=1000 --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all env --ignore-environment PATH=/usr/local/bin:/usr/bin:/bin ${quoted(env)}`;
    writeFileSync(
      script,
      `set -eu
cd '${folder}'
mkdir root state
mount -t tmpfs -o mode=755 tmpfs root
mkdir -p root/usr root/opt/esign root/var/lib root/tmp root/proc root/dev root/etc
for name in bin lib lib64; do [ ! -e /$name ] || ln -s usr/$name root/$name; done
mount --rbind -o ro /usr root/usr
mount -t tmpfs -o mode=755 tmpfs root/usr/local
mkdir root/usr/local/bin
cp '${process.execPath}' root/usr/local/bin/node
mount --bind out/package root/opt/esign
mount -o remount,bind,ro root/opt/esign
mount --bind /proc root/proc
mount --rbind /dev root/dev
echo 'user:x:1000:1000::/:/bin/sh' > root/etc/passwd
${textsOf(image, 'RUN')
  .map((step) => `chroot root sh -euc ${quoted([step])}`)
  .join('\n')}
mount --bind state root/var/lib/esign
chown 1000:1000 state
chmod 700 state
mount -t tmpfs -o mode=1777 tmpfs root/tmp
mount -o remount,ro root/usr/local
mount -o remount,ro root
touch root/opt/file 2>/dev/null && exit 90
chroot root ${asUser} ${quoted([...entry, ...command])} >'${folder}/served' 2>&1 &
served=$!
for try in $(seq 300); do
  chroot root ${asUser} ${quoted(JSON.parse(here(HEALTHCHECK)))} && break
  kill -0 $served 2>/dev/null || { cat '${folder}/served'; exit 91; }
  sleep 0.2
done
cat > root/tmp/commands
chroot root ${asUser} sh -euc 'cd /tmp; . ./commands' || { cat '${folder}/served'; exit 92; }
kill $served
wait $served || echo "ended with $?"
`,
    );
    const child = spawn('unshare', ['--mount', 'bash', script], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (out += text));
    child.stdin.end(commands);
    const [code] = await once(child, 'close');
    return { code, out };
  }

  test('answers its health check, signs and seals, and ends when it is stopped, on a read-only root', async () => {
    const contract = join(root, 'test/fixtures/contract.pdf');
    const { code, out } = await inContainer(`
base64 -d > contract.pdf <<'END'
${readFileSync(contract).toString('base64')}
END
export ESIGN_BASE_URL=http://127.0.0.1:${port} ESIGN_APP_URL=http://localhost:${port}
ESIGN_ACCESS_TOKEN=$(env -u ESIGN_BASE_URL -u ESIGN_APP_URL esign sandbox token --raw)
export ESIGN_ACCESS_TOKEN ESIGN_SENDER='Sandbox Sender <sender@esign.test>'
esign tx send contract.pdf --to 'Ada <ada@example.com>' --jq '.url, .id' > sent
cat sent
id=$(tail -n 1 sent | tr -d '"')
unset ESIGN_BASE_URL ESIGN_APP_URL ESIGN_ACCESS_TOKEN ESIGN_SENDER
esign sandbox sign "$id"
esign tx download "$id" -o signed
esign verify signed/contract.sealed.pdf
`);
    expect(code, out).toBe(0);
    expect(out).toContain(`http://localhost:${port}/sign?token=`);
    expect(out).toMatch(/valid/i);
    expect(out).toContain('ended with 143');
  }, 120_000);
});
