// docs/ten-minutes.md, carried out on PostgreSQL and with a mail server, without containers: `docker compose` is a script that starts the program
// with the environment of docs/compose.yaml, in which addresses and the places of secrets are those of this machine.
import { readFileSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parse } from 'yaml';
import { type MailServer, startPlainMailServer } from '../support/servers/mail-server.ts';
import { freePort } from '../support/servers/ports.ts';
import { needsPostgres } from '../support/servers/postgres-server.ts';
import { sharedPostgres } from '../support/servers/shared-postgres.ts';
import { codeBlocks } from '../support/stories/code-blocks.ts';
import { createStoryFixture, runCommand, type StoryFixture } from '../support/stories/story.ts';

type Compose = {
  services: Record<string, { environment: Record<string, string>; command: string[]; secrets: string[] }>;
  secrets: Record<string, { file: string }>;
};

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const page = readFileSync(join(docs, 'ten-minutes.md'), 'utf8');
const [, change = '', secrets = '', start = '', user = ''] = codeBlocks(page, '1. On the server').map(
  ({ code }) => code,
);

const need = needsPostgres();

describe.skipIf(need.skip)(`a service in ten minutes${need.why}`, () => {
  let fixture: StoryFixture;
  let mail: MailServer;
  let database: string;
  let port: number;
  let folder: string;

  beforeAll(async () => {
    [fixture, mail, database, port] = await Promise.all([
      createStoryFixture(),
      startPlainMailServer(),
      sharedPostgres().createDatabase(),
      freePort(),
    ]);
    folder = join(fixture.folder, 'docs');
    const bin = join(fixture.folder, '.bin');
    await Promise.all([mkdir(folder), mkdir(bin)]);
    await copyFile(join(docs, 'compose.yaml'), join(folder, 'compose.yaml'));
    await writeFile(join(bin, 'sudo'), '#!/bin/sh\n', { mode: 0o755 });
    await writeFile(
      join(bin, 'docker'),
      `#!/bin/sh
set -eu
. '${folder}/container.env'
case "$*" in
  'compose up --detach --wait')
    esign serve --listen 127.0.0.1:${port} >served 2>&1 & echo $! > pid
    for try in $(seq 300); do
      node -e "fetch('http://127.0.0.1:${port}/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))" && exit 0
      kill -0 $(cat pid) || { cat served; exit 1; }
      sleep 0.2
    done
    cat served
    exit 1 ;;
  'compose exec '*)
    shift 2
    [ "$1" != --no-TTY ] || shift
    [ "$1" = esign ] && shift
    exec "$@" ;;
  *) echo "unexpected: $*"; exit 1 ;;
esac
`,
      { mode: 0o755 },
    );
    fixture.env.PATH = `${bin}:${fixture.env.PATH}`;
  });
  afterAll(async () => {
    const pid = Number(await readFile(join(folder, 'pid'), 'utf8').catch(() => ''));
    if (pid > 0) process.kill(pid);
    await Promise.all([mail.close(), fixture.close()]);
    await sharedPostgres().dropDatabase(database);
  });

  async function succeeds(code: string, env: Record<string, string> = {}) {
    const story = { ...fixture, env: { ...fixture.env, ...env }, commandProcess: undefined };
    const ran = await runCommand(story, `cd '${folder}'\nset -e\n${code}`);
    expect(ran, `${code}\n${ran.out}${ran.err}`).toMatchObject({ code: 0 });
    return ran.out;
  }

  /** Writes the environment of the container, as a shell reads it. */
  async function writeEnvironment(): Promise<void> {
    const compose = parse(await readFile(join(folder, 'compose.yaml'), 'utf8')) as Compose;
    const { environment = {}, command } = compose.services.esign ?? {};
    expect(command).toEqual(['serve', '--listen', '0.0.0.0:8080']);
    const here: Record<string, string> = {
      ESIGN_SERVE_ORIGIN: `http://127.0.0.1:${port}`,
      ESIGN_SERVE_TRUSTED_PROXY: '127.0.0.1',
      ESIGN_SERVE_DATA_DIR: join(folder, 'copies'),
      ESIGN_SERVE_METRICS: '127.0.0.1:0',
      ESIGN_SERVE_WORKERS: '1',
      ESIGN_SERVE_MAIL_TLS: 'none',
    };
    const lines = Object.entries({ ...environment, ...here }).map(([name, value]) => {
      const secret = /^\/run\/secrets\/(.*)$/.exec(value)?.[1];
      const shown = secret === undefined ? value : join(folder, compose.secrets[secret]?.file ?? 'missing');
      return `export ${name}='${shown}'\n`;
    });
    // A mail server without TLS takes no password.
    await writeFile(
      join(folder, 'container.env'),
      `${lines.join('')}unset ESIGN_SERVE_MAIL_USER ESIGN_SMTP_PASSWORD_FILE\n`,
    );
  }

  test('is set up on the server as the page says, checks its mail and its proxy, and has a user, a root certificate and a backup', async () => {
    await succeeds(
      change
        .replace('YOUR-HOST', 'sign.engines.example')
        .replace('YOUR-MAIL-SERVER:587', `127.0.0.1:${mail.port}`)
        .replace('YOUR-ADDRESS', 'sign@engines.example'),
    );
    const changed = await readFile(join(folder, 'compose.yaml'), 'utf8');
    expect(changed).not.toMatch(/^[^#]*example\.com/m);
    await succeeds(secrets.replace('cat > mail-password', 'echo secret > mail-password'));
    expect(await readFile(join(folder, 'database-url'), 'utf8')).toMatch(
      /^postgres:\/\/esign:[0-9a-f]{48}@database:5432\/esign\n$/,
    );
    await writeFile(join(folder, 'database-url'), database);
    await writeEnvironment();
    await succeeds(start.replace('YOUR-ADDRESS', 'ada@engines.example'));
    await vi.waitFor(() => expect(mail.taken.map(({ to }) => to)).toEqual([['ada@engines.example']]), 20_000);
    const password = (await succeeds(user)).trim().split('\n').at(-1);
    expect(password).toMatch(/^\S{20,}$/);

    expect(await readFile(join(folder, 'root.pem'), 'utf8')).toMatch(/^-----BEGIN CERTIFICATE-----/);
    expect(await succeeds('docker compose exec esign esign serve user list --json')).toContain(
      'ada@example.com',
    );
    const backup = /`(docker compose exec esign esign store backup) \S+`/.exec(page)?.[1];
    await succeeds(`${backup} backup.zip`);
  }, 180_000);
});
