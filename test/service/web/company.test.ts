// What a company tells its recipients about itself is set on a page of the dashboard, and is a link that may be shown to strangers.
import { beforeAll, expect, test } from 'vitest';
import { findCompany, findCompanyById } from '../../../src/service/store/accounts/accounts.ts';
import { assertUnchanged } from '../../support/assert-unchanged.ts';
import { registerUser } from '../../support/browser-client.ts';
import { describeDashboard } from '../../support/describe-dashboard.ts';

describeDashboard('the page of a company', (harness) => {
  let ada: Awaited<ReturnType<typeof registerUser>>;
  let eve: Awaited<ReturnType<typeof registerUser>>;
  beforeAll(async () => {
    ada = await registerUser(harness());
    eve = await registerUser(harness());
  });

  const stored = (company: string) =>
    harness().store.database.read(async (db) =>
      findCompanyById(db, (await findCompany(db, company))?.id ?? ''),
    );

  const save = async (imprint_url: string, privacy_url: string) =>
    ada.send(await ada.get('/company'), '/company', { imprint_url, privacy_url });

  test('keeps imprint and privacy notice for that company alone, and forgets them again', async () => {
    const saved = await save(' https://engines.example/imprint ', 'privacy@engines.example');
    expect(saved).toMatchObject({ status: 200 });
    expect(saved.text).toContain('The links were saved.');
    expect(await stored(ada.company)).toEqual({
      name: ada.company,
      imprint_url: 'https://engines.example/imprint',
      privacy_url: 'mailto:privacy@engines.example',
    });
    expect((await ada.get('/company')).html).toContain('value="mailto:privacy@engines.example"');
    expect((await eve.get('/company')).html).not.toContain('engines.example');
    expect(await stored(eve.company)).toMatchObject({ imprint_url: null, privacy_url: null });
    await save('', '');
    expect(await stored(ada.company)).toMatchObject({ imprint_url: null, privacy_url: null });
  });

  test.each([
    'javascript:alert(1)',
    'http://engines.example/imprint',
    'https://user:password@engines.example/',
    'mailto:a@b.example?bcc=c@d.example',
    'mailto:a@b.example,c@d.example',
    'data:text/html,x',
    '//engines.example',
    'engines.example/imprint',
    `https://engines.example/${'x'.repeat(2048)}`,
    '"><script>alert(1)</script>',
  ])('refuses %s and says what it takes', async (address) => {
    const page = await ada.get('/company');
    const refused = await assertUnchanged(harness(), () =>
      ada.send(page, '/company', { imprint_url: address, privacy_url: address }),
    );
    expect(refused.status).toBe(422);
    expect(refused.text).toContain(
      'The imprint must be a URL that begins with https://, or an email address',
    );
    expect(refused.text).toContain('The privacy notice must be a URL');
    expect(refused.html).not.toContain('<script>');
  });
});
