// spec §5, Client application credentials: a form with the Callback URL gives a client id and a client secret.
import { beforeAll, expect, test } from 'vitest';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { openBrowserClient, registerUser } from '../../support/browser-client.ts';
import {
  authorizationLink,
  CALLBACK_URL,
  createApplication,
  describeDashboard,
  linkAccount,
} from '../../support/describe-dashboard.ts';

describeDashboard('applications', (world) => {
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let eve: Awaited<ReturnType<typeof registerUser>>;
  beforeAll(async () => {
    ada = await registerUser(world());
    eve = await registerUser(world());
  });

  test('are made with a form: name and Callback URL give a client id, and a secret that is shown once', async () => {
    const made = await createApplication(ada);
    expect(made.client_secret).toMatch(/^[\w-]{43}$/);
    const page = await ada.get('/applications');
    for (const words of ['Orders', CALLBACK_URL, made.client_id]) expect(page.text).toContain(words);
    expect(page.html).not.toContain(made.client_secret);
    const rows = await world().store.database.read((db) => db.selectFrom('client').selectAll().execute());
    expect(JSON.stringify(rows)).not.toContain(made.client_secret);
    expect((await linkAccount(world(), ada, made)).expires_in).toBe(3600);
  });

  test('are listed for the company they belong to, and can be deleted by nobody else', async () => {
    const made = await createApplication(ada, CALLBACK_URL, 'Hers alone');
    expect((await eve.get('/applications')).text).not.toContain('Hers alone');
    expect((await eve.get('/')).text).toContain('Your company has no applications');
    const at = `/applications/delete?client_id=${made.client_id}`;
    expect((await eve.get(at)).status).toBe(404);
    expect((await eve.get(at)).text).not.toContain('Hers alone');
    const own = await createApplication(eve);
    const form = await eve.get(`/applications/delete?client_id=${own.client_id}`);
    const hidden = { client_id: made.client_id };
    const refused = await assertUnchanged(world(), () =>
      eve.send(form, '/applications/delete', {}, { hidden }),
    );
    expect(refused.status).toBe(404);
    // But anybody may give it their consent.
    expect((await eve.get(authorizationLink(made.client_id))).status).toBe(200);
    const page = await ada.get(at);
    expect(page.text).toContain('Delete Hers alone?');
    expect(await ada.send(page, '/applications/delete', {})).toMatchObject({
      status: 303,
      location: '/applications',
    });
    expect((await ada.get('/applications')).text).not.toContain('Hers alone');
    expect((await ada.send(page, '/applications/delete', {})).status).toBe(404);
  });

  test("leave the sandbox's own one alone", async () => {
    const { email, password = '' } = await world().client['sandbox.set_password']({ body: {} });
    const own = openBrowserClient(world());
    await own.send(await own.get('/sign-in'), '/sign-in', { email, password });
    expect((await own.get('/applications')).text).toContain('esign-sandbox');
    expect((await own.get('/applications/delete?client_id=esign-sandbox')).status).toBe(404);
  });

  test.each([
    ['name', '', 'Enter a name for the application'],
    ['name', 'x'.repeat(256), 'Enter a name for the application'],
    ['name', 'Orders\u202egnp', 'Enter a name for the application'],
    ['callback_url', '', 'The Callback URL must not be empty'],
    ['callback_url', 'orders.example.com', 'must be an http or https URL'],
    ['callback_url', 'javascript:alert(1)', 'must be an http or https URL'],
    ['callback_url', 'data:text/html,x', 'must be an http or https URL'],
    ['callback_url', 'myapp://callback', 'must be an http or https URL'],
    ['callback_url', 'https://', 'must be an http or https URL'],
    ['callback_url', 'https://ada:secret@orders.example.com/', 'without a user name, a password or #'],
    ['callback_url', 'https://orders.example.com/#done', 'without a user name, a password or #'],
    ['callback_url', "http://a;script-src'unsafe-inline'.example/", 'must be an http or https URL'],
    ['callback_url', 'https://*/', 'must be an http or https URL'],
    ['callback_url', 'https://a,b.example/', 'must be an http or https URL'],
    ['callback_url', 'https://orders.example.com/a b', 'must be an http or https URL'],
    ['callback_url', 'https://orders.example.com/\u0000', 'must not contain control characters'],
    ['callback_url', `https://orders.example.com/${'x'.repeat(2048)}`, 'must have at most 2048 characters'],
  ])('refuse %s %j and say why, and keep what was typed', async (field, value, words) => {
    const page = await ada.get('/applications');
    const entry = { name: 'Kept', callback_url: 'https://kept.example/', [field]: value };
    const refused = await assertUnchanged(world(), () => ada.send(page, '/applications', entry));
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(words);
    expect(refused.html).toContain(`value="${field === 'name' ? 'https://kept.example/' : 'Kept'}"`);
  });
});
