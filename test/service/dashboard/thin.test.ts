import { expect, it } from 'vitest';
import { suite } from '../../support/suite.ts';
import { registered } from '../../support/visitor.ts';

suite('thin', (world) => {
  it('goes all the way', async () => {
    const ada = await registered(world());
    expect(ada.arrived.location).toBe('/');
    const page = await ada.get('/applications');
    const made = await ada.send(page, '/applications', {
      name: 'Orders',
      callback_url: 'https://orders.example.com/cb?x=1',
    });
    expect(made.status).toBe(200);
    const id = /id="client-id">([^<]*)</.exec(made.html)?.[1] ?? '';
    const secret = /id="client-secret">([^<]*)</.exec(made.html)?.[1] ?? '';
    const consent = await ada.get(
      `/oauth/authorize?client_id=${id}&scopes=transaction:read%20file:create&state=a%20b+c%FF`,
    );
    expect(consent.status).toBe(200);
    const back = await ada.send(consent, '/oauth/authorize', { answer: 'allow' });
    expect(back.status).toBe(303);
    expect(back.location).toMatch(/^https:\/\/orders.example.com\/cb\?x=1&code=[\w-]{43}&state=a%20b\+c%FF$/);
    const code = /code=([^&]*)/.exec(back.location ?? '')?.[1] ?? '';
    const t = await world()
      .clientWith(undefined)
      ['oauth.exchange_code']({ body: { client_id: id, client_secret: secret, code } });
    expect(t.expires_in).toBe(3600);
  });
});
