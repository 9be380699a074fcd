// spec §5: the link, consent, and the way back with a code.
import { beforeAll, expect, test } from 'vitest';
import { ALL_SCOPES, SCOPES } from '../../../src/api/contract/operation.ts';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { openBrowserClient, registerUser } from '../../support/browser-client.ts';
import {
  type Application,
  answerConsent,
  authorizationLink,
  CALLBACK_URL,
  codeFrom,
  createApplication,
  describeDashboard,
  linkAccount,
} from '../../support/describe-dashboard.ts';
import { describeService } from '../../support/describe-service.ts';
import { refusalOf } from '../../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../../support/http-client.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const EXCHANGE = 'POST /v1/oauth/exchange/code';

describeService('the whole way', (harness) => {
  test('leads from a link through registering and consent to a token of that user', async () => {
    const { client_id, client_secret } = await harness().client['sandbox.add_client']({
      body: { name: 'Orders', callback_url: CALLBACK_URL },
    });
    const link = authorizationLink(client_id, 'scopes=transaction:create%20transaction:read');
    const stranger = await openBrowserClient(harness()).get(link);
    expect(stranger.status).toBe(303);
    expect(stranger.location).toBe(`/sign-in?${new URLSearchParams({ next: link })}`);
    const ada = await registerUser(harness(), link);
    expect(ada.arrived.location).toBe(link);
    const back = await answerConsent(ada, link, 'allow');
    expect(back.status).toBe(303);
    expect(back.location).toMatch(/^https:\/\/orders\.example\.com\/callback\?code=[\w-]{43}$/);
    const body = { client_id, client_secret, code: codeFrom(back) };
    const { access_token } = await harness().clientWith(undefined)['oauth.exchange_code']({ body });
    const { id } = await harness()
      .clientWith(access_token)
      ['transaction.create']({ body: { name: 'A' } });
    const { items } = await harness().client['sandbox.events']({ query: { transaction_id: id } });
    expect(items).toMatchObject([{ data: { created_by: { email: ada.email } } }]);
  });
});

describeDashboard('consent', (harness) => {
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let application: Application;
  beforeAll(async () => {
    ada = await registerUser(harness());
    application = await createApplication(ada);
  });
  const link = (rest?: string) => authorizationLink(application.client_id, rest);

  test('says which application asks, what for in words, in whose name, and where one goes back to', async () => {
    const page = await ada.get(link(`scopes=${ALL_SCOPES.join('%20')}`));
    expect(page.status).toBe(200);
    for (const words of Object.values(SCOPES)) expect(page.text).toContain(words);
    for (const words of ['Orders', ada.company, ada.email, 'https://orders.example.com', 'Allow', 'Deny'])
      expect(page.text).toContain(words);
  });

  test('is asked for exactly the scopes of the link, separated by spaces', async () => {
    const page = await ada.get(link('scopes=template:read%20file:create++file:create'));
    expect(page.text).toContain('upload files');
    expect(page.text).not.toContain('transaction:');
    const { access_token } = await linkAccount(
      harness(),
      ada,
      application,
      link('scopes=template:read%20file:create'),
    );
    expect(
      await problemFrom(harness(), 'GET /v1/webhook?limit=1&page=1', { token: access_token }),
    ).toMatchObject({ code: 'insufficient_scope' });
    expect(
      (await sendRequest(harness(), 'GET /v1/template?limit=1&page=1', { token: access_token })).status,
    ).toBe(200);
  });

  test('refused leads back with error=access_denied and the state, and grants nothing', async () => {
    const page = await ada.get(link('scopes=file:create&state=S'));
    const back = await assertUnchanged(harness(), () =>
      ada.send(page, '/oauth/authorize', { answer: 'deny' }),
    );
    expect(back).toMatchObject({ status: 303, location: `${CALLBACK_URL}?error=access_denied&state=S` });
    // Whatever is not Allow is no.
    expect((await ada.send(page, '/oauth/authorize', {})).location).toContain('error=access_denied');
  });

  test.each(
    sampleOf(
      [
        ['abc', 'abc'],
        ['a%20b+c', 'a%20b+c'],
        ['%C3%A4%FF%00', '%C3%A4%FF%00'],
        ['a%26code%3Devil%23', 'a%26code%3Devil%23'],
        ['%0D%0ASet-Cookie:%20a=b', '%0D%0ASet-Cookie:%20a=b'],
        ['x=y=z?/:@', 'x=y=z?/:@'],
        ['', ''],
        ['"<script>', '%22%3Cscript%3E'],
      ],
      4,
    ),
  )('gives the state back byte for byte: %s', async (state, echoed) => {
    for (const [given, pattern] of [
      ['allow', /\?code=[\w-]{43}&state=(.*)$/s],
      ['deny', /\?error=access_denied&state=(.*)$/s],
    ] as const) {
      const back = await answerConsent(ada, link(`scopes=file:create&state=${state}`), given);
      expect(pattern.exec(back.location ?? '')?.[1]).toBe(echoed);
    }
  });

  test('for a public application needs a challenge, and its code needs the verifier', async () => {
    const callback = 'http://127.0.0.1:8976/callback';
    const page = await ada.send(await ada.get('/applications'), '/applications', {
      name: 'Terminal',
      callback_url: callback,
      public: 'yes',
    });
    expect(page.html).not.toContain('id="client-secret"');
    const client_id = /id="client-id">([^<]+)</.exec(page.html)?.[1] ?? '';
    const plain = await assertUnchanged(harness(), () => ada.get(authorizationLink(client_id)));
    expect([plain.status, plain.text]).toEqual([400, expect.stringContaining('code_challenge')]);
    const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
    const rest = `scopes=transaction:read&code_challenge=${challenge}&code_challenge_method=S256`;
    const asked = await ada.get(authorizationLink(client_id, rest));
    expect(asked.text).toContain('you have just started a login yourself');
    const code = codeFrom(await answerConsent(ada, authorizationLink(client_id, rest), 'allow'));
    const json = { client_id, code };
    expect(await problemFrom(harness(), EXCHANGE, { json, token: null })).toMatchObject({
      code: 'invalid_grant',
    });
    const tokens = await sendRequest(harness(), EXCHANGE, { json: { ...json, code_verifier }, token: null });
    expect(tokens.status).toBe(200);
  });

  test('of a public application is given at no link that leads off this computer', async () => {
    const { client_id } = await createApplication(ada, 'https://orders.example.com/cb');
    await harness().store.database.write((db) =>
      db.updateTable('client').set({ is_public: 1 }).where('id', '=', client_id).execute(),
    );
    const rest = `scopes=file:create&code_challenge=${'A'.repeat(43)}&code_challenge_method=S256`;
    const page = await ada.get(authorizationLink(client_id, rest));
    expect([page.status, page.text]).toEqual([400, expect.stringContaining('not on this computer')]);
  });

  test('sends no state where none was sent', async () => {
    expect((await answerConsent(ada, link(), 'allow')).location).toMatch(/\?code=[\w-]{43}$/);
  });

  test('keeps the query that the Callback URL has', async () => {
    const { client_id } = await createApplication(ada, 'https://orders.example.com/cb?a=1%202&b');
    expect((await answerConsent(ada, authorizationLink(client_id), 'allow')).location).toMatch(
      /^https:\/\/orders\.example\.com\/cb\?a=1%202&b&code=[\w-]{43}$/,
    );
  });

  test('gives a code that works until ten minutes are over, once', async () => {
    const exchange = (code: string) =>
      harness()
        .clientWith(undefined)
        ['oauth.exchange_code']({ body: { ...application, code } });
    const [late, early] = [
      codeFrom(await answerConsent(ada, link(), 'allow')),
      codeFrom(await answerConsent(ada, link(), 'allow')),
    ];
    harness().clock.advance(10 * 60_000 - 1);
    await exchange(early);
    expect((await refusalOf(exchange(early))).message).toContain('already used');
    harness().clock.advance(1);
    expect((await refusalOf(exchange(late))).message).toContain('expired');
  });

  test('keeps no code as it is', async () => {
    const code = codeFrom(await answerConsent(ada, link(), 'allow'));
    const rows = await harness().store.database.read((db) =>
      db.selectFrom('authorization_code').selectAll().execute(),
    );
    expect(JSON.stringify(rows)).not.toContain(code);
  });

  test('is not asked for by a link that is wrong: a page says what is, and redirects to nothing', async () => {
    const id = application.client_id;
    const evil = encodeURIComponent('https://evil.example/');
    const wrong: [string, string][] = [
      ['/oauth/authorize', 'client_id'],
      ['/oauth/authorize?client_id=&scopes=file:create', 'client_id'],
      [authorizationLink('nobody'), 'nobody'],
      [authorizationLink('nobody', `scopes=file:create&redirect_uri=${evil}`), 'nobody'],
      [authorizationLink(id, ''), 'scopes'],
      [authorizationLink(id, 'scopes=%20'), 'scopes'],
      [authorizationLink(id, 'scope=file:create'), 'scopes'],
      [authorizationLink(id, 'scopes=file:create%20file:delete'), '“file:delete” is not a scope'],
      [authorizationLink(id, 'scopes=constructor'), '“constructor” is not a scope'],
      [authorizationLink(id, 'scopes=file:create%0Atransaction:read'), 'is not a scope'],
      [authorizationLink(id, `scopes=file:create&client_id=${id}`), 'more than one client_id'],
      [authorizationLink(id, 'scopes=file:create&scopes=file:create'), 'more than one scopes'],
      [authorizationLink(id, 'scopes=file:create&state=a&state=b'), 'more than one state'],
      [
        authorizationLink(id, 'scopes=file:create&redirect_uri=a&redirect_uri=b'),
        'more than one redirect_uri',
      ],
      [authorizationLink(id, `scopes=file:create&state=${'x'.repeat(4097)}`), 'state'],
    ];
    for (const visitor of [ada, openBrowserClient(harness())])
      for (const [path, words] of wrong) {
        const page = await visitor.get(path);
        expect([path, page.status, page.location]).toEqual([path, 400, null]);
        expect(page.text).toContain(words);
        expect(page.headers.get('content-security-policy')).toContain("form-action 'self';");
      }
  });

  test.each(
    sampleOf(
      [
        'https://evil.example/callback',
        'https://orders.example.com/callback/',
        'https://orders.example.com/callback?x',
        'https://orders.example.com/callback#x',
        'https://orders.example.com:443/callback',
        'https://orders.example.com@evil.example/callback',
        'https://orders.example.com/callback/../evil',
        'https://orders.example.com/Callback',
        'HTTPS://orders.example.com/callback',
        'http://orders.example.com/callback',
        'https://orders.example.com/callback%00',
        '//evil.example/callback',
        '/callback',
        'javascript:alert(1)',
        'data:text/html,x',
        '',
      ],
      6,
    ),
  )('never leads to an address that is not the registered one: %s', async (address) => {
    const path = link(`scopes=file:create&redirect_uri=${encodeURIComponent(address)}`);
    const page = await ada.get(path);
    expect(page).toMatchObject({ status: 400, location: null });
    expect(page.text).toContain('registered another callback URL');
    const good = await ada.get(link());
    const forced = await ada.post(
      path,
      new URLSearchParams({
        form_token: /value="([\w-]{43})"/.exec(good.html)?.[1] ?? '',
        answer: 'allow',
      }).toString(),
      {
        'content-type': 'application/x-www-form-urlencoded',
        origin: harness().baseUrl,
        'sec-fetch-site': 'same-origin',
      },
    );
    expect(forced).toMatchObject({ status: 400, location: null });
  });

  test('takes the registered address where the link names it, and any port of a loopback literal', async () => {
    const named = link(`scopes=file:create&redirect_uri=${encodeURIComponent(CALLBACK_URL)}`);
    expect((await answerConsent(ada, named, 'allow')).location).toContain(`${CALLBACK_URL}?code=`);
    const { client_id } = await createApplication(ada, 'http://127.0.0.1:8976/callback');
    const at = (address: string) =>
      ada.get(authorizationLink(client_id, `scopes=file:create&redirect_uri=${encodeURIComponent(address)}`));
    const page = await at('http://127.0.0.1:50123/callback');
    expect(page.headers.get('content-security-policy')).toContain(
      "form-action 'self' http://127.0.0.1:50123;",
    );
    expect((await ada.send(page, '/oauth/authorize', { answer: 'allow' })).location).toMatch(
      /^http:\/\/127\.0\.0\.1:50123\/callback\?code=/,
    );
    for (const other of [
      'http://localhost:8976/callback',
      'http://127.0.0.2:8976/callback',
      'http://127.0.0.1:8976/other',
      'https://127.0.0.1:8976/callback',
      'http://127.0.0.1:99999/callback',
    ])
      expect((await at(other)).status).toBe(400);
  });

  test('lets the form lead to the callback, and to nowhere else', async () => {
    const policy = (await ada.get(link())).headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' https://orders.example.com;");
    // Not every host can stand in a policy.
    const { client_id } = await createApplication(ada, 'http://my_app:3000/callback');
    const odd = (await ada.get(authorizationLink(client_id))).headers.get('content-security-policy');
    expect(odd).toContain("form-action 'self' http:;");
  });

  test('needs the session to be there still when it is given', async () => {
    const page = await ada.get(link());
    const bob = await registerUser(harness());
    const forms = await bob.get(link());
    await bob.send(await bob.get('/'), '/sign-out', {});
    expect((await bob.send(forms, '/oauth/authorize', { answer: 'allow' })).location).toMatch(
      /^\/sign-in\?next=/,
    );
    // Another user has signed in meanwhile: the earlier page is not valid any more.
    const mixed = openBrowserClient(harness());
    for (const [name, value] of (await registerUser(harness())).jar) mixed.jar.set(name, value);
    expect(await mixed.send(page, '/oauth/authorize', { answer: 'allow' })).toMatchObject({
      status: 403,
      location: null,
    });
  });
});

describeDashboard('consent that is taken back', (harness) => {
  test('ends every token and code that was issued under it, and no other', async () => {
    const [ada, bob] = [await registerUser(harness()), await registerUser(harness())];
    const application = await createApplication(ada);
    const other = await createApplication(ada, CALLBACK_URL, 'Invoices');
    const [hers, his, others] = [
      await linkAccount(
        harness(),
        ada,
        application,
        authorizationLink(application.client_id, 'scopes=webhook:read'),
      ),
      await linkAccount(
        harness(),
        bob,
        application,
        authorizationLink(application.client_id, 'scopes=webhook:read'),
      ),
      await linkAccount(harness(), ada, other, authorizationLink(other.client_id, 'scopes=webhook:read')),
    ];
    const body = { ...application, refresh_token: hers.refresh_token };
    const refreshed = await harness().clientWith(undefined)['oauth.refresh_token']({ body });
    const waiting = codeFrom(await answerConsent(ada, authorizationLink(application.client_id), 'allow'));
    const works = async (token: string) =>
      (await sendRequest(harness(), 'GET /v1/webhook?limit=1&page=1', { token })).status;
    const page = await ada.get('/consents');
    expect(page.text).toContain('Orders');
    expect(page.text).toContain('view the webhooks');
    const form = { client_id: application.client_id };
    expect((await ada.send(page, '/consents', {}, { hidden: form })).status).toBe(303);
    expect(await Promise.all([hers, refreshed, his, others].map((one) => works(one.access_token)))).toEqual([
      401, 401, 200, 200,
    ]);
    expect(await refusalOf(harness().clientWith(undefined)['oauth.refresh_token']({ body }))).toMatchObject({
      code: 'invalid_grant',
    });
    const exchange = harness()
      .clientWith(undefined)
      ['oauth.exchange_code']({ body: { ...application, code: waiting } });
    expect(await refusalOf(exchange)).toMatchObject({ code: 'invalid_grant' });
    expect((await ada.get('/consents')).text).not.toContain('Orders');
    expect((await bob.get('/consents')).text).toContain('Orders');
    // A second time changes nothing, and neither does a consent that was never given.
    await assertUnchanged(harness(), () => ada.send(page, '/consents', {}, { hidden: form }));
  });

  test("does not touch the access token of the store's own user", async () => {
    const { email, password = '' } = await harness().client['sandbox.set_password']({ body: {} });
    const own = openBrowserClient(harness());
    await own.send(await own.get('/sign-in'), '/sign-in', { email, password });
    await answerConsent(own, authorizationLink('esign-sandbox'), 'allow');
    const page = await own.get('/consents');
    await own.send(page, '/consents', {});
    expect((await own.get('/consents')).text).toContain('No application can act on your behalf');
    expect((await sendRequest(harness(), 'GET /v1/webhook?limit=1&page=1')).status).toBe(200);
  });

  test.skipIf(!SLOW)('lists all that was allowed until then', async () => {
    const ada = await registerUser(harness());
    const { client_id } = await createApplication(ada);
    await answerConsent(ada, authorizationLink(client_id, 'scopes=file:create'), 'allow');
    await answerConsent(ada, authorizationLink(client_id, 'scopes=webhook:read'), 'allow');
    const { text } = await ada.get('/consents');
    expect(text).toContain('file:create');
    expect(text).toContain('webhook:read');
    expect(text).not.toContain('transaction:read');
  });

  test.skipIf(!SLOW)('goes with an application that is deleted', async () => {
    const ada = await registerUser(harness());
    const application = await createApplication(ada);
    const { access_token } = await linkAccount(harness(), ada, application);
    const page = await ada.get(`/applications/delete?client_id=${application.client_id}`);
    await ada.send(page, '/applications/delete', {});
    const rows = await harness().store.database.read((db) =>
      db.selectFrom('consent').selectAll().where('client_id', '=', application.client_id).execute(),
    );
    expect(rows).toEqual([]);
    expect((await ada.get('/consents')).text).toContain('No application can act on your behalf');
    expect(
      (await sendRequest(harness(), 'GET /v1/webhook?limit=1&page=1', { token: access_token })).status,
    ).toBe(401);
    expect((await ada.get(authorizationLink(application.client_id))).status).toBe(400);
  });
});
