// Where a login finds the dashboard of a service over TLS: the service names it, or the user does. Neither the environment nor another profile
// says it for another service.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createServerAuthority,
  type ServerAuthority,
} from '../../../support/certificates/server-certificates.ts';
import { runInProcess } from '../../../support/command-line/in-process.ts';
import { type ScriptedService, startScriptedService } from '../../../support/servers/scripted-service.ts';
import { createStoryFixture, type StoryFixture } from '../../../support/stories/story.ts';
import { needsCommand } from '../../../support/tools.ts';

const { skip, why } = needsCommand('openssl');

describe.skipIf(skip)(`a service with a certificate${why}`, () => {
  let authority: ServerAuthority;
  let service: ScriptedService;
  let named: object | undefined;

  beforeAll(async () => {
    authority = createServerAuthority();
    service = await startScriptedService(
      (response) => response.writeHead(named ? 200 : 404).end(JSON.stringify(named ?? {})),
      authority.certificateFor('127.0.0.1'),
    );
  });
  afterAll(async () => {
    await service.close();
    authority.close();
  });

  let fixture: StoryFixture;
  beforeEach(async () => {
    fixture = await createStoryFixture();
  });
  afterEach(() => fixture.close());

  const logIn = (env: Record<string, string> = { ESIGN_CA_CERT: authority.file }) =>
    runInProcess(
      {
        ...fixture,
        env: {
          ...fixture.env,
          ESIGN_CREDENTIAL_STORE: 'file',
          ESIGN_CLIENT_SECRET: 's3cret',
          ...env,
        },
      },
      ['login', '--base-url', service.origin, '--start', '--client-id', 'C-1', '--json'],
    );

  test('that names its dashboard needs no option', async () => {
    named = {
      dashboard_url: 'https://dashboard.example.com',
      app_url: 'https://sign.example.com',
      extensions: ['idempotency'],
    };
    const { code, out } = await logIn();
    expect([code, JSON.parse(out).authorize_url]).toEqual([
      0,
      expect.stringMatching(/^https:\/\/dashboard\.example\.com\/oauth\/authorize\?/),
    ]);
  });

  test('that names nothing needs --dashboard-url, whatever the environment says of another service', async () => {
    named = undefined;
    const other = 'https://other.example.com';
    const { code, err } = await logIn({
      ESIGN_CA_CERT: authority.file,
      ESIGN_BASE_URL: other,
      ESIGN_DASHBOARD_URL: other,
    });
    expect([code, err]).toEqual([2, expect.stringContaining('--dashboard-url')]);
  });

  test('is named with the reason where its certificate is not trusted', async () => {
    const { code, err } = await logIn({});
    expect([code, err]).toEqual([7, expect.stringContaining('"code":"certificate_refused"')]);
  });
});
