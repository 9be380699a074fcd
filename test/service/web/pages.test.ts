// What every page has: headers that keep it to itself, and text from outside that stays text.
import { beforeAll, describe, expect, test } from 'vitest';
import { isPagePath, PAGE_PATHS } from '../../../src/service/web/paths.ts';
import {
  type BrowserClient,
  type HtmlPage,
  openBrowserClient,
  PASSWORD,
  registerUser,
} from '../../support/browser-client.ts';
import {
  authorizationLink,
  CALLBACK_URL,
  createApplication,
  describeDashboard,
} from '../../support/describe-dashboard.ts';
import { contractPdf, createDraft, updateBodyOf } from '../../support/fixtures/transactions.ts';
import { problemFrom } from '../../support/http-client.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

describeDashboard('a page', (harness) => {
  let ada: BrowserClient;
  let link: string;
  beforeAll(async () => {
    ada = await registerUser(harness());
    link = authorizationLink((await createApplication(ada)).client_id);
  });

  function expectKeptToItself({ headers }: HtmlPage): void {
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src 'self'; form-action 'self'( \S+)?; frame-ancestors 'none'; base-uri 'none'$/,
    );
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers.get('x-request-id')).toMatch(/./);
  }

  test.each(sampleOf([...PAGE_PATHS, '/nothing', '/oauth', '/applications/'], 5))(
    '%s is kept to itself',
    async (path) => {
      const full = path === '/oauth/authorize' ? link : path;
      for (const visitor of [ada, openBrowserClient(harness())]) {
        const page = await visitor.get(full);
        expectKeptToItself(page);
        expect(page.html).not.toMatch(/<script|\son\w+=|style="|javascript:/i);
      }
      if (isPagePath(path)) expectKeptToItself(await ada.post(full, '', {}));
    },
  );

  test('of a user asks a stranger to sign in, who arrives there afterwards', async () => {
    const open = [
      '/',
      '/register',
      '/sign-in',
      '/sign-in/link',
      '/sign-out',
      '/oauth/authorize',
      '/icon.svg',
    ];
    const id = '00000000-0000-4000-8000-000000000000';
    const paths = [
      ...PAGE_PATHS.filter((path) => !open.includes(path)),
      ...['', '/cancel', '/template', '/edit', `/documents/${id}.pdf`].map(
        (page) => `/transactions/${id}${page}`,
      ),
      ...['', '/edit'].map((page) => `/templates/${id}${page}`),
      ...['', '/rotate', '/delete'].map((page) => `/webhooks/${id}${page}`),
      ...['', '/html'].map((page) => `/mailbox/${id}${page}`),
    ];
    const stranger = openBrowserClient(harness());
    for (const path of paths) {
      const signIn = `/sign-in?${new URLSearchParams({ next: path })}`;
      const asked = await stranger.get(path);
      expect([path, asked.status, asked.location]).toEqual([path, 303, signIn]);
      expect([path, (await ada.get(signIn)).location]).toEqual([path, path]);
    }
  });

  test('that does not exist is a page for a browser, and a problem for any other program', async () => {
    for (const path of ['/nothing', '/applications/x', '/oauth', '/v1/nothing', '/favicon.ico']) {
      const page = await ada.get(path);
      expect([path, page.status, page.headers.get('content-type')]).toEqual([
        path,
        404,
        'text/html; charset=utf-8',
      ]);
      expect(page.text).toContain('Page not found');
      expect(await problemFrom(harness(), `GET ${path}`)).toMatchObject({ code: 'route_not_found' });
    }
  });

  test('is not had with another method', async () => {
    for (const [what, allow] of [
      ['PUT /', 'GET, HEAD'],
      ['POST /', 'GET, HEAD'],
      ['GET /sign-out', 'POST'],
      ['HEAD /sign-out', 'POST'],
      ['DELETE /consents', 'GET, HEAD, POST'],
      ['OPTIONS /oauth/authorize', 'GET, HEAD, POST'],
    ] as const) {
      const [method = '', path = ''] = what.split(' ');
      const response = await harness().transport(new Request(harness().baseUrl + path, { method }));
      expect([what, response.status, response.headers.get('allow')]).toEqual([what, 405, allow]);
    }
  });

  test.skipIf(!SLOW)('and an operation answer HEAD as GET, without the body', async () => {
    const head = (path: string) =>
      harness().transport(
        new Request(harness().baseUrl + path, {
          method: 'HEAD',
          redirect: 'manual',
          headers: { authorization: `Bearer ${harness().service.ownToken}` },
        }),
      );
    for (const [path, status] of [
      ['/sign-in', 200],
      ['/applications', 303],
      ['/openapi.json', 200],
      ['/llms.txt', 200],
      ['/v1/webhook?limit=1&page=1', 200],
      ['/v1/transaction/unknown', 404],
    ] as const) {
      const response = await head(path);
      expect([path, response.status, await response.text()]).toEqual([path, status, '']);
    }
  });

  test('is not shown to a foreign page that gives its own name to this machine', async () => {
    const { port } = new URL(harness().baseUrl);
    for (const path of ['/', '/sign-in', '/oauth/authorize', '/nothing']) {
      const reply = await harness().service.transport({
        method: 'GET',
        url: `http://evil.example:${port}${path}`,
        headers: { accept: 'text/html' },
      });
      expect([reply.status, String(reply.body)]).toEqual([400, expect.stringContaining('host_not_allowed')]);
    }
  });

  test('says that something went wrong inside, with the request id and nothing else', async () => {
    const broken = { ...harness().store, database: { ...harness().store.database } };
    broken.database.read = async () => {
      throw new Error('SECRET of the disk');
    };
    const { createService } = await import('../../../src/service/service.ts');
    const failures: unknown[] = [];
    const service = await createService({ store: broken, onError: (error) => failures.push(error) });
    const [session] = ada.jar.values();
    const cookie = `esign-${new URL(service.origin).port}=${session}`;
    const reply = await service.transport({
      method: 'GET',
      url: `${service.origin}/applications`,
      headers: { cookie },
    });
    expect(reply.status).toBe(500);
    expect(failures).toHaveLength(1);
    expect(String(reply.body)).toContain(reply.headers['x-request-id']);
    expect(String(reply.body)).not.toContain('SECRET');
  });
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><h1>x</h1>',
  '</style><script>x</script>',
  '<!--',
  ']]><svg/onload=alert(1)>',
  '&lt;b&gt;&amp;',
  '`$\u007balert(1)}`',
  '{{7*7}}',
  '<a href="javascript:alert(1)">x</a>',
  '\u202aabc'.slice(1),
];

describeDashboard('text from outside', (harness) => {
  /** Every tag of the page is one that the program itself writes. */
  function expectHarmless({ html }: HtmlPage): void {
    const tags = new Set(
      [...html.matchAll(/<\/?([a-z!][\w-]*)/gi)].map(([, name = '']) => name.toLowerCase()),
    );
    expect([...tags].filter((tag) => !OWN_TAGS.has(tag))).toEqual([]);
    // What stands in quotes is a value: quotes of others are written as entities.
    expect(html.replaceAll(/="[^"]*"/g, '=""')).not.toMatch(/<[^>]*\son\w+\s*=/i);
    expect(html.match(/<h1/g)).toHaveLength(1);
  }
  const OWN_TAGS = new Set(
    `!doctype html head meta title link style body a header div img nav form input button main section h1 h2 p bdi
     dl dt dd code ul ol li span strong q label textarea time footer fieldset legend`.split(/\s+/),
  );

  test.each(sampleOf(HOSTILE, 8))('stays text, wherever it stands: %j', async (text) => {
    const { email, jar } = await registerUser(harness());
    const eve = openBrowserClient(harness());
    for (const [name, value] of jar) eve.jar.set(name, value);
    const made = await createApplication(eve, `${CALLBACK_URL}?${encodeURIComponent(text)}`, text);
    const link = authorizationLink(made.client_id);
    const consent = await eve.get(link);
    expect(consent.text).toContain(`${text.replaceAll(/\s+/g, ' ')} asks for your consent`);
    await eve.send(consent, '/oauth/authorize', { answer: 'allow' });
    const encoded = encodeURIComponent(text);
    const pages = [
      consent,
      await eve.get('/applications'),
      await eve.get('/consents'),
      await eve.get(`/applications/delete?client_id=${made.client_id}`),
      await eve.get(`/applications/delete?client_id=${encoded}`),
      await eve.get(authorizationLink(text)),
      await eve.get(authorizationLink(made.client_id, `scopes=${encoded}`)),
      await eve.get(`${link}&redirect_uri=${encoded}`),
      await eve.get(`${link}&state=${encoded}`),
      await eve.get(`/${encoded}`),
      await eve.send(await eve.get('/applications'), '/applications', { name: text, callback_url: text }),
      await eve.get(`/applications/rotate?client_id=${made.client_id}`),
      await eve.get(`/transactions?q=${encoded}`),
      await eve.get(`/templates?q=${encoded}`),
      await eve.send(await eve.get('/webhooks/new'), '/webhooks/new', {
        name: text,
        endpoint: text,
        events: text,
      }),
      await eve.send(await eve.get('/webhooks/new'), '/webhooks/new', {
        name: text,
        endpoint: `https://hooks.example.com/?${encoded}`,
        events: 'transaction_completed',
      }),
      await eve.get('/webhooks'),
    ];
    const webhook = /href="(\/webhooks\/[0-9a-f-]{36})"/.exec(pages.at(-1)?.html ?? '')?.[1] ?? '';
    for (const path of ['', '/rotate', '/delete']) {
      const page = await eve.get(webhook + path);
      expect(page.text).toContain(text.replaceAll(/\s+/g, ' '));
      pages.push(page);
    }
    const stranger = openBrowserClient(harness());
    const signIn = `/sign-in?next=${encodeURIComponent(`${link}&state=${encoded}`)}`;
    pages.push(
      await stranger.get(signIn),
      await stranger.get(`/sign-in?next=${encoded}`),
      await stranger.send(await stranger.get(signIn), '/sign-in', { email: text, password: text }),
      await stranger.send(await stranger.get('/register'), '/register', {
        name: text,
        company: text,
        email: text,
        password: 'short',
      }),
    );
    for (const page of pages) expectHarmless(page);
    expect(email).toContain('@');
  });

  test('stays text in transactions: names, texts, files, recipients, reasons', async () => {
    const text = HOSTILE.join(' ').slice(0, 250);
    const draft = await createDraft(harness(), [{ name: text, email: "o'hara+b@example.com" }]);
    const params = { transactionId: draft.id };
    const texts = { name: text, description: text, email_subject: text, email_body: text, email_alias: text };
    await harness().client['transaction.update']({ params, body: updateBodyOf(draft.detail, texts) });
    const { token } = await harness().client['file.upload']({
      form: { name: `${text}.pdf` },
      file: { name: 'contract.pdf', content: await contractPdf() },
    });
    await harness().client['transaction.add_document']({ params, body: { token } });
    await harness().client['transaction.start']({ params });
    const { email, password = '' } = await harness().client['sandbox.set_password']({ body: {} });
    const sender = openBrowserClient(harness());
    await sender.send(await sender.get('/sign-in'), '/sign-in', { email, password });
    const at = `/transactions/${draft.id}`;
    const cancelling = await sender.get(`${at}/cancel`);
    const pages = [await sender.get('/transactions'), await sender.get(at), cancelling];
    const saving = await sender.get(`${at}/template`);
    const entry = { name: text, description: text };
    const saved = await sender.send(saving, `${at}/template`, entry);
    pages.push(saving, await sender.get(saved.location ?? ''), await sender.get('/templates'));
    pages.push(await sender.get(`/transactions?${new URLSearchParams({ q: text })}`));
    for (const state of ['draft', text])
      pages.push(await sender.get(`/transactions?${new URLSearchParams({ state, older: text })}`));
    pages.push(await sender.send(cancelling, `${at}/cancel`, { reason: `${text}\u0000` }));
    await sender.send(cancelling, `${at}/cancel`, { reason: text });
    pages.push(await sender.get(at), await sender.get(`${at}/cancel`));
    for (const page of pages) expectHarmless(page);
    expect((await sender.get(at)).text).toContain(`Reason: ${text.replaceAll(/\s+/g, ' ').trim()}`);
  });

  describe('names of people and companies', () => {
    test.each(sampleOf(HOSTILE, 8))('stay text as well: %j', async (text) => {
      const eve = openBrowserClient(harness());
      const count = HOSTILE.indexOf(text);
      await eve.send(await eve.get('/register'), '/register', {
        name: text,
        company: text,
        email: `o'hara+${count}&x=1@example.com`,
        password: PASSWORD,
      });
      const home = await eve.get('/');
      expect(home.text).toContain(`You are signed in as ${text.replaceAll(/\s+/g, ' ')}`);
      expect(home.text).toContain(`o'hara+${count}&x=1@example.com`);
      expectHarmless(home);
      const { client_id } = await createApplication(eve);
      expectHarmless(await eve.get(authorizationLink(client_id)));
    });
  });
});
