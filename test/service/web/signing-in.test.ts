// Who is there: registering, passwords, sessions and their cookie.
import { describe, expect, test } from 'vitest';
import { createService } from '../../../src/service/service.ts';
import { hashSecret } from '../../../src/service/store/keys.ts';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import {
  type BrowserClient,
  type HtmlPage,
  openBrowserClient,
  PASSWORD,
  registerUser,
} from '../../support/browser-client.ts';
import { describeDashboard } from '../../support/describe-dashboard.ts';
import { refusalOf } from '../../support/fixtures/transactions.ts';
import { CHEAP_HASHING } from '../../support/harness.ts';
import { SLOW, sampleOf } from '../../support/tier.ts';

const signIn = async (
  visitor: BrowserClient,
  email: string,
  password: string,
  path = '/sign-in',
): Promise<HtmlPage> => visitor.send(await visitor.get(path), '/sign-in', { email, password });

const cookieOf = ({ jar }: BrowserClient): string => [...jar.values()][0] ?? '';

const isSignedIn = async (visitor: BrowserClient): Promise<boolean> =>
  (await visitor.get('/')).text.includes('You are signed in');

describeDashboard('registering', (harness) => {
  const ENTRY = { name: 'Grace', company: 'Navy', email: 'grace@example.com', password: PASSWORD };

  test('makes a user in a company of its own, who is signed in', async () => {
    const grace = openBrowserClient(harness());
    const page = await grace.get('/register');
    const arrived = await grace.send(page, '/register', { ...ENTRY, email: ' grace@example.com ' });
    expect(arrived).toMatchObject({ status: 303, location: '/' });
    const home = await grace.get('/');
    for (const words of ['Grace', 'grace@example.com', 'Navy']) expect(home.text).toContain(words);
    const { items } = await harness().client['sandbox.list_users']();
    expect(items).toContainEqual(
      expect.objectContaining({ name: 'Grace', email: 'grace@example.com', company: 'Navy' }),
    );
  });

  test('accepts no email twice, and adds no user to an existing company', async () => {
    for (const [changed, words] of [
      [{ email: 'GRACE@example.com', company: 'Army' }, 'with this email address already'],
      [{ email: 'eve@example.com', company: 'Navy' }, 'A company with this name already exists'],
      [{ email: 'eve@example.com', company: 'Sandbox' }, 'A company with this name already exists'],
    ] as const) {
      const eve = openBrowserClient(harness());
      const page = await eve.send(await eve.get('/register'), '/register', { ...ENTRY, ...changed });
      expect(page.status).toBe(422);
      expect(page.text).toContain(words);
      expect(await isSignedIn(eve)).toBe(false);
    }
    expect((await harness().client['sandbox.list_users']()).items).toHaveLength(2);
  });

  test.each(
    sampleOf(
      [
        ['name', '', 'Enter your name'],
        ['name', 'a\u202eb', 'Enter your name'],
        ['name', 'x'.repeat(256), 'Enter your name'],
        ['company', ' ', 'Enter the name of your company'],
        ['email', '', 'Enter an email address'],
        ['email', 'grace', 'Enter an email address'],
        ['email', 'grace@example.com\r\nbcc: eve@example.com', 'Enter an email address'],
        ['password', 'seven77', 'The password must have at least 8 characters'],
        ['password', 'ä'.repeat(513), 'The password must have at most 1024 bytes'],
        ['password', 'eight\u0000888', 'must not contain invalid characters'],
      ],
      2,
    ),
  )('refuses %s %j, says so beside the field, and repeats no password', async (field, value, words) => {
    const eve = openBrowserClient(harness());
    const entry = { ...ENTRY, email: 'eve@example.com', company: 'Eves', [field]: value };
    const form = await eve.get('/register');
    const page = await assertUnchanged(harness(), () => eve.send(form, '/register', entry));
    expect(page.status).toBe(422);
    expect(page.html).toContain('<title>Error: Register');
    expect(page.html).toContain(`href="#${field}"`);
    expect(page.html).toMatch(new RegExp(`<input id="${field}"[^>]* aria-invalid="true"`));
    expect(page.text.split(words)).toHaveLength(3);
    expect(page.html).not.toMatch(/<input id="password"[^>]* value=/);
    if (field !== 'password') expect(page.html).not.toContain(PASSWORD);
  });
});

describeDashboard('signing in', (harness) => {
  test('takes the password, in whichever spelling of Unicode, and leads on to where one wanted to go', async () => {
    const ada = await registerUser(harness(), undefined, 'pässwörter');
    const again = openBrowserClient(harness());
    const next = new URLSearchParams({ next: '/consents' });
    const page = await signIn(again, ada.email.toUpperCase(), 'pa\u0308sswo\u0308rter', `/sign-in?${next}`);
    expect(page).toMatchObject({ status: 303, location: '/consents' });
    expect(await isSignedIn(again)).toBe(true);
    expect((await again.get(`/sign-in?${next}`)).location).toBe('/consents');
  });

  test('answers a wrong password, an unknown email and a user without a password alike', async () => {
    const ada = await registerUser(harness());
    await harness().client['sandbox.add_user']({ body: { name: 'Bob', email: 'bob@example.com' } });
    const answers: string[] = [];
    for (const email of [ada.email, 'nobody@example.com', 'bob@example.com', 'sender@esign.test']) {
      const page = await signIn(openBrowserClient(harness()), email, 'wrong horse');
      expect(page.status).toBe(422);
      expect(page.text).toContain('The email address or the password is wrong');
      expect(page.html).not.toContain('wrong horse');
      answers.push(page.html.replace(` value="${email}"`, '').replaceAll(/value="[\w-]{43}"/g, ''));
    }
    expect(new Set(answers).size).toBe(1);
  });

  test.each(
    sampleOf(
      [
        ['https://evil.example/'],
        ['//evil.example/'],
        ['//evil.example/applications'],
        ['/\\evil.example/'],
        ['/\t/evil.example/'],
        ['\\\\evil.example'],
        ['javascript:alert(1)'],
        ['/sign-out'],
        ['/v1/webhook'],
        ['/applications/../../evil'],
        ['http://127.0.0.1:1/applications'],
        ['/applications@evil.example'],
        [''],
      ],
      5,
    ),
  )('redirects no user to %s', async (next) => {
    const ada = await registerUser(harness(), next);
    expect(ada.arrived.location).toBe('/');
    expect((await ada.get(`/sign-in?${new URLSearchParams({ next })}`)).location).toBe('/');
  });

  test('gives a new cookie: one that was known before is worth nothing after', async () => {
    const ada = await registerUser(harness());
    const victim = openBrowserClient(harness());
    // An attacker has put their cookie into the browser of the victim, and knows the form that belongs to it.
    await victim.get('/sign-in');
    const planted = new Map(victim.jar);
    await signIn(victim, ada.email, PASSWORD);
    expect(cookieOf(victim)).not.toBe([...planted.values()][0]);
    const attacker = openBrowserClient(harness());
    for (const [name, value] of planted) attacker.jar.set(name, value);
    expect(await isSignedIn(attacker)).toBe(false);
    // A session that was there is ended by signing in anew.
    const before = new Map(victim.jar);
    const page = await victim.get('/sign-in');
    expect(page.location).toBe('/');
    await victim.send(await victim.get('/'), '/sign-out', {});
    for (const [name, value] of before) attacker.jar.set(name, value);
    expect(await isSignedIn(attacker)).toBe(false);
  });

  test('has a cookie that no script and no foreign form gets, 256 bits, kept as a hash', async () => {
    const ada = await registerUser(harness());
    expect(ada.arrived.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^esign-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    const rows = await harness().store.database.read(async (db) => [
      await db.selectFrom('session').selectAll().execute(),
      await db.selectFrom('password').selectAll().execute(),
    ]);
    expect(JSON.stringify(rows)).toContain(hashSecret(cookieOf(ada)));
    expect(JSON.stringify(rows)).not.toContain(cookieOf(ada));
    expect(JSON.stringify(rows)).not.toContain(PASSWORD);
    expect(JSON.stringify(rows)).toMatch(/"scrypt:\d+:\d+:\d+:[\w-]{22}:[\w-]{43}"/);
  });

  test('has a Secure cookie with the prefix __Host- where the service is reached over https', async () => {
    const service = await createService({
      store: harness().store,
      origin: 'https://esign.example.com',
      clock: () => harness().clock.now,
      passwordCost: CHEAP_HASHING,
    });
    await service.fetch(
      new Request(`${service.origin}/_sandbox/user`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-esign-control': service.controlSecret },
        body: JSON.stringify({ name: 'Ada', email: 'ada-tls@example.com', password: PASSWORD }),
      }),
    );
    const ada = openBrowserClient({ baseUrl: service.origin, transport: service.fetch });
    const arrived = await signIn(ada, 'ada-tls@example.com', PASSWORD);
    expect(arrived.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-esign=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/),
    ]);
    expect(await isSignedIn(ada)).toBe(true);
    const page = await ada.get('/');
    const insecure = { headers: { origin: 'http://esign.example.com' } };
    expect((await ada.send(page, '/sign-out', {}, insecure)).status).toBe(403);
  });

  test('takes no cookie that is there twice', async () => {
    const [ada, eve] = [await registerUser(harness()), await registerUser(harness())];
    const [name] = [...ada.jar.keys()];
    const both = `${name}=${cookieOf(eve)}; ${name}=${cookieOf(ada)}`;
    expect((await openBrowserClient(harness()).get('/', { cookie: both })).text).not.toContain(
      'signed in as',
    );
  });

  test('lasts twelve hours, to the millisecond', async () => {
    const ada = await registerUser(harness());
    harness().clock.advance(12 * 3600 * 1000 - 1);
    expect(await isSignedIn(ada)).toBe(true);
    harness().clock.advance(1);
    expect(await isSignedIn(ada)).toBe(false);
    expect((await ada.get('/applications')).location).toBe('/sign-in?next=%2Fapplications');
  });

  test('ends in the store when one signs out', async () => {
    const ada = await registerUser(harness());
    const kept = new Map(ada.jar);
    const out = await ada.send(await ada.get('/applications'), '/sign-out', {});
    expect(out).toMatchObject({ status: 303, location: '/sign-in' });
    expect(out.headers.getSetCookie()).toEqual([expect.stringMatching(/^esign-\d+=;.*Max-Age=0$/)]);
    for (const [name, value] of kept) ada.jar.set(name, value);
    for (const path of ['/applications', '/consents', '/applications/delete?client_id=x'])
      expect((await ada.get(path)).location).toMatch(/^\/sign-in\?next=/);
    expect(await isSignedIn(ada)).toBe(false);
  });
});

describeDashboard('a password given without registering', (harness) => {
  const set = (body: { email?: string; password?: string }) =>
    harness().client['sandbox.set_password']({ body });

  test("is generated for the store's own user, and shown once", async () => {
    const { email, password = '' } = await set({});
    expect(email).toBe('sender@esign.test');
    expect(password).toMatch(/^[a-z2-9]{4}-[a-z2-9]{4}-[a-z2-9]{4}$/);
    const own = openBrowserClient(harness());
    expect((await signIn(own, email, password)).status).toBe(303);
    expect((await own.get('/applications')).text).toContain('This application is built into the sandbox');
  });

  test('can be chosen, ends the sessions of before, and is gone when the store is emptied', async () => {
    await harness().client['sandbox.add_user']({
      body: { name: 'Bob', email: 'bob@example.com', password: 'bob is a builder' },
    });
    const bob = openBrowserClient(harness());
    expect((await signIn(bob, 'bob@example.com', 'bob is a builder')).status).toBe(303);
    expect(await set({ email: 'BOB@example.com', password: 'can we fix it' })).toEqual({
      email: 'bob@example.com',
    });
    expect(await isSignedIn(bob)).toBe(false);
    expect((await signIn(bob, 'bob@example.com', 'bob is a builder')).status).toBe(422);
    expect((await signIn(bob, 'bob@example.com', 'can we fix it')).status).toBe(303);
    await harness().client['sandbox.reset']({ body: {} });
    expect(await isSignedIn(bob)).toBe(false);
  });

  test('is refused for an unknown user, and when it is too short, without being repeated', async () => {
    expect(await refusalOf(set({ email: 'nobody@example.com', password: 'long enough' }))).toMatchObject({
      code: 'user_not_found',
    });
    const no = await refusalOf(set({ password: 'short77' }));
    expect(no.code).toBe('validation_failed');
    expect(JSON.stringify(no)).not.toContain('short77');
  });
});

describe('too many attempts', () => {
  describeDashboard('on one account', (harness) => {
    test('are refused with a page that says until when, known or not, and a new password is the way out', async () => {
      const ada = await registerUser(harness());
      const forms = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const visitor = openBrowserClient(harness());
          return { visitor, form: await visitor.get('/sign-in') };
        }),
      );
      const guess = (email: string, { visitor, form }: (typeof forms)[number]) =>
        visitor.send(form, '/sign-in', { email, password: 'a wrong guess' });
      const pages = await Promise.all(forms.map((one) => guess(ada.email, one)));
      const attempts = pages.filter(({ status }) => status === 422);
      const refused = pages.filter(({ status }) => status === 429);
      expect([attempts.length, refused.length]).toEqual([10, 6]);
      expect(refused[0]?.headers.get('retry-after')).toBe('900');
      expect(refused[0]?.text).toContain('Try again in 15 minutes');
      harness().clock.advance(60_000);
      const late = await signIn(openBrowserClient(harness()), ada.email, PASSWORD);
      expect(late.status).toBe(429);
      expect(late.headers.get('retry-after')).toBe('840');
      // The same is said of an unknown address.
      const [one] = forms;
      if (!one) throw new Error('There is no form.');
      await Promise.all(Array.from({ length: 10 }, () => guess('nobody@example.com', one)));
      expect((await guess('nobody@example.com', one)).status).toBe(429);
      // Others are not locked out.
      expect(await isSignedIn(ada)).toBe(true);
      await harness().client['sandbox.set_password']({
        body: { email: ada.email, password: 'a new password' },
      });
      expect((await signIn(openBrowserClient(harness()), ada.email, 'a new password')).status).toBe(303);
    });

    test('count for a process that read the clock a moment before', async () => {
      const ada = await registerUser(harness());
      for (let attempt = 0; attempt < 11; attempt += 1)
        await signIn(openBrowserClient(harness()), ada.email, 'a wrong guess');
      harness().clock.advance(-5);
      expect((await signIn(openBrowserClient(harness()), ada.email, PASSWORD)).status).toBe(429);
      harness().clock.advance(5);
    });

    test.skipIf(!SLOW)('do not count any more once the clock was set back to before them', async () => {
      const ada = await registerUser(harness());
      for (let attempt = 0; attempt < 11; attempt += 1)
        await signIn(openBrowserClient(harness()), ada.email, 'a wrong guess');
      expect((await signIn(openBrowserClient(harness()), ada.email, PASSWORD)).status).toBe(429);
      harness().clock.advance(-10 * 24 * 60 * 60 * 1000);
      expect((await signIn(openBrowserClient(harness()), ada.email, PASSWORD)).status).toBe(303);
    });

    test('do not lock out a browser that has been signed in to it, which is counted by itself', async () => {
      const ada = await registerUser(harness());
      await ada.send(await ada.get('/'), '/sign-out', {});
      const guess = (visitor: BrowserClient) => signIn(visitor, ada.email, 'a wrong guess');
      for (let count = 0; count < 10; count += 1) await guess(openBrowserClient(harness()));
      expect((await guess(openBrowserClient(harness()))).status).toBe(429);
      expect((await signIn(ada, ada.email, PASSWORD)).status).toBe(303);
      // What that browser does changes nothing for others.
      expect((await guess(openBrowserClient(harness()))).status).toBe(429);
      await ada.send(await ada.get('/'), '/sign-out', {});
      for (let count = 0; count < 10; count += 1) expect((await guess(ada)).status).toBe(422);
      expect((await guess(ada)).status).toBe(429);
    });

    test('are distinguished by a cookie that is good for one account, that cannot be forged, and that opens nothing', async () => {
      const [ada, eve] = [await registerUser(harness()), await registerUser(harness())];
      await ada.get('/');
      await eve.get('/');
      const [name = '', value = ''] = [...ada.jar].find(([key]) => key.endsWith('-known')) ?? [];
      expect(value).toMatch(/^[\w-]{43}\.[\w-]{43}$/);
      const thief = openBrowserClient(harness());
      thief.jar.set(name, value);
      expect(await isSignedIn(thief)).toBe(false);
      for (let count = 0; count < 10; count += 1)
        await signIn(openBrowserClient(harness()), ada.email, 'a wrong guess');
      const forged = `${'A'.repeat(43)}.${value.split('.')[1]}`;
      for (const other of [eve.jar.get(name) ?? '', forged, `${value}x`, '']) {
        const visitor = openBrowserClient(harness());
        visitor.jar.set(name, other);
        expect((await signIn(visitor, ada.email, PASSWORD)).status).toBe(429);
      }
      const same = openBrowserClient(harness());
      same.jar.set(name, value);
      expect((await signIn(same, ada.email, PASSWORD)).status).toBe(303);
    });
  });

  describeDashboard('of one client', (harness) => {
    test.skipIf(!SLOW)('are counted together, whichever of its addresses they come from', async () => {
      const { origin, transport } = harness().service;
      const from = (address: string, email: string) => {
        const fetch = async (request: Request) => {
          const reply = await transport({
            method: request.method,
            url: request.url,
            headers: Object.fromEntries(request.headers),
            ...(request.body && { body: new Uint8Array(await request.arrayBuffer()) }),
            from: address,
          });
          return new Response(reply.body as string, { status: reply.status, headers: reply.headers });
        };
        return signIn(openBrowserClient({ baseUrl: origin, transport: fetch }), email, 'a wrong guess');
      };
      for (const addressOf of [
        (index: number) => `127.0.0.${index + 1}`,
        (index: number) => `2001:db8:0:7::${(index + 1).toString(16)}`,
      ]) {
        const answers: number[] = [];
        for (let index = 0; index < 61; index += 1)
          answers.push((await from(addressOf(index), `user${index}@example.com`)).status);
        expect(answers.slice(0, 60)).toEqual(Array(60).fill(422));
        expect(answers[60]).toBe(429);
      }
      expect((await from('2001:db8:0:8::1', 'user@example.com')).status).toBe(422);
    });
  });
});
