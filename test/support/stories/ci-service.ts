// A sandbox that is served in the place of a service, with what a job of a CI system needs to sign with it.
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import { createStoryFixture, runCommand, type StoryFixture, startCommand } from './story.ts';

export type CiService = {
  fixture: StoryFixture;
  url: string;
  /** The variables of a job, and the root certificate of the service. */
  settings: Record<CiVariable | 'SERVICE_ROOT', string>;
  /** Runs a command at the service, which must succeed. @returns what it prints */
  run(command: string): Promise<string>;
  /** Waits until the transaction has started that no earlier call returned, and signs as its recipient. @returns its ID */
  signNext(): Promise<string>;
  close(): Promise<void>;
};

type CiVariable =
  | 'ESIGN_BASE_URL'
  | 'ESIGN_SENDER'
  | 'ESIGN_CLIENT_ID'
  | 'ESIGN_CLIENT_SECRET'
  | 'ESIGN_REFRESH_TOKEN';

export async function startCiService(): Promise<CiService> {
  const fixture = await createStoryFixture();
  const service: StoryFixture = {
    ...fixture,
    env: { ...fixture.env, ESIGN_HOME: join(fixture.folder, 'service') },
    commandProcess: undefined,
  };
  const onService = async (command: string): Promise<string> => {
    const ran = await runCommand(service, command);
    expect(ran, command).toMatchObject({ code: 0 });
    return ran.out.trim();
  };
  const serving = startCommand(service, 'exec esign sandbox serve --port 0');
  await vi.waitFor(() => expect(serving.said().out).toMatch(/http:\S+/), { timeout: 60_000 });
  const [url = ''] = /http:\/\/[^/\s"]+/.exec(serving.said().out) ?? [];

  async function settings(): Promise<CiService['settings']> {
    await onService('esign sandbox users add "Release Bot <release@example.com>"');
    const app = 'esign sandbox apps create CI --callback-url http://127.0.0.1:8976/callback --json';
    const { client_id, client_secret } = JSON.parse(await onService(app));
    const printed = await onService(
      `esign sandbox token --code --raw --client ${client_id} --user release@example.com`,
    );
    const code = /[?&]code=([^&]+)/.exec(printed)?.[1] ?? printed;
    const response = await fetch(`${url}/v1/oauth/exchange/code`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_id, client_secret, code }),
    });
    expect(response.status).toBe(200);
    const { refresh_token } = (await response.json()) as { refresh_token: string };
    return {
      ESIGN_BASE_URL: url,
      ESIGN_SENDER: 'Release Bot <release@example.com>',
      ESIGN_CLIENT_ID: client_id,
      ESIGN_CLIENT_SECRET: client_secret,
      ESIGN_REFRESH_TOKEN: refresh_token,
      SERVICE_ROOT: await onService('esign sandbox ca export --pem >/dev/null && cat esign-sandbox-root.pem'),
    };
  }

  const signed = new Set<string>();
  return {
    fixture,
    url,
    settings: await settings(),
    run: onService,
    async signNext() {
      const started = `.items[] | select(.type == "transaction_started") | .data.id`;
      let id: string | undefined;
      await expect
        .poll(
          async () => {
            const ids = (await onService(`esign events list --jq '${started}' | tr -d '"'`)).split('\n');
            id = ids.find((listed) => listed !== '' && !signed.has(listed));
            return id;
          },
          { timeout: 60_000 },
        )
        .toBeDefined();
      signed.add(id ?? '');
      await onService(`esign sandbox sign ${id}`);
      return id ?? '';
    },
    async close() {
      const closed = once(serving.process, 'close');
      serving.process.kill('SIGKILL');
      await closed;
      await fixture.close();
    },
  };
}
