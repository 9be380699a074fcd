// `describeDashboard`: a suite over one served dashboard for all its tests; and steps that several of them take, such as
// creating an application and allowing it access.
import { afterAll, afterEach, beforeAll, describe, expect } from 'vitest';
import type { BrowserClient, HtmlPage } from './browser-client.ts';
import { type Harness, openHarness } from './harness.ts';

/** Describes a suite over a served dashboard, because browsers use HTTP. */
export function describeDashboard(title: string, body: (fixture: () => Harness) => void): void {
  describe(title, () => {
    let harness: Harness | undefined;
    beforeAll(async () => {
      harness = await openHarness('over HTTP');
    });
    afterEach(() => {
      expect(harness?.errors.splice(0)).toEqual([]);
      expect(harness?.contractViolations.splice(0)).toEqual([]);
    });
    afterAll(() => harness?.close());
    body(() => harness as Harness);
  });
}

export const CALLBACK_URL = 'https://orders.example.com/callback';

export type Application = { client_id: string; client_secret: string };

/** Creates an application through the form, as a signed-in user. */
export async function createApplication(
  visitor: BrowserClient,
  callback_url = CALLBACK_URL,
  name = 'Orders',
): Promise<Application> {
  const page = await visitor.send(await visitor.get('/applications'), '/applications', {
    name,
    callback_url,
  });
  const [client_id = '', client_secret = ''] = ['client-id', 'client-secret'].map(
    (id) => new RegExp(`id="${id}">([^<]+)<`).exec(page.html)?.[1],
  );
  if (client_id === '') throw new Error(`No application was made: ${page.text}`);
  return { client_id, client_secret };
}

/** Returns the authorization link of an application, with the query unchanged. */
export const authorizationLink = (client_id: string, rest = 'scopes=transaction:read'): string =>
  `/oauth/authorize?client_id=${encodeURIComponent(client_id)}&${rest}`;

export async function answerConsent(
  visitor: BrowserClient,
  link: string,
  given: 'allow' | 'deny',
): Promise<HtmlPage> {
  return visitor.send(await visitor.get(link), '/oauth/authorize', { answer: given });
}

export const codeFrom = ({ location }: HtmlPage): string =>
  new URL(location ?? 'none:').searchParams.get('code') ?? '';

/** Allows access and exchanges the code for tokens. */
export async function linkAccount(
  fixture: Harness,
  visitor: BrowserClient,
  application: Application,
  link?: string,
) {
  const page = await answerConsent(visitor, link ?? authorizationLink(application.client_id), 'allow');
  return fixture
    .clientWith(undefined)
    ['oauth.exchange_code']({ body: { ...application, code: codeFrom(page) } });
}
