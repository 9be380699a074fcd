// The files beside docs/self-hosting.md: their syntax, and that `esign serve` knows every setting in them.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { topicPage } from '../../src/cli/describe/topics.ts';
import { TREE } from '../../src/cli/tree.ts';
import { readServeSettings } from '../../src/config/serve.ts';
import { needsCommand, unmet } from '../support/tools.ts';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

const namesIn = (text: string): string[] => text.match(/\bESIGN_[A-Z0-9_]*[A-Z0-9]\b(?!_)/g) ?? [];
const KNOWN = new Set(namesIn(JSON.stringify(await topicPage('environment', TREE))));

test.each(['compose.yaml', 'esign.service', 'self-hosting.md', 'ten-minutes.md'])(
  '%s names known variables only',
  (name) => {
    expect(namesIn(read(name)).filter((variable) => !KNOWN.has(variable))).toEqual([]);
  },
);

type Service = {
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  command: string[];
};

test('compose.yaml has settings that a server takes, and secrets and volumes that it declares', async () => {
  const { services, secrets, volumes } = parse(read('compose.yaml')) as Record<
    'services',
    Record<string, Service>
  > &
    Record<'secrets' | 'volumes', Record<string, unknown>>;
  // The secrets are files of the container.
  const here = {
    ESIGN_SERVE_KEY_FILE: undefined,
    ESIGN_SERVE_KEY: 'ab'.repeat(32),
    ESIGN_SERVE_DATABASE_FILE: undefined,
    ESIGN_SERVE_DATABASE: 'postgres://esign:secret@database:5432/esign',
    ESIGN_SMTP_PASSWORD_FILE: undefined,
    ESIGN_SMTP_PASSWORD: 'secret',
  };
  const settings = await readServeSettings({}, { ...services.esign?.environment, ...here });
  expect(settings).toMatchObject({ workers: 2, metrics: { port: 9464 } });
  for (const service of Object.values(services)) {
    for (const secret of service.secrets ?? []) expect(secrets).toHaveProperty(secret);
    for (const volume of service.volumes ?? [])
      if (!volume.startsWith('/')) expect(volumes).toHaveProperty(volume.split(':')[0] ?? '');
  }
  expect(services.esign?.command).toEqual(['serve', '--listen', '0.0.0.0:8080']);
});

const analyze = unmet(needsCommand('systemd-analyze'));

test.skipIf(analyze.skip)(`esign.service is accepted by systemd${analyze.why}`, () => {
  const path = new URL('../../docs/esign.service', import.meta.url).pathname;
  expect(() => execFileSync('systemd-analyze', ['verify', path], { stdio: 'pipe' })).not.toThrow();
});
