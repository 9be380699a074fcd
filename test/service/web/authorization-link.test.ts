// The parts of consent that need no service: the link, the address one goes back to, and the template of pages.
import { describe, expect, test } from 'vitest';
import { html, markupText } from '../../../src/service/rendering/html.ts';
import { addressWith, callbackOf, readLink } from '../../../src/service/web/dashboard/authorization-link.ts';

describe('the address one goes back to', () => {
  const LOOPBACK = 'http://127.0.0.1:8976/callback?a=b';
  test.each([
    [LOOPBACK, 'http://127.0.0.1:50000/callback?a=b'],
    [LOOPBACK, 'http://127.0.0.1/callback?a=b'],
    ['http://127.0.0.1', 'http://127.0.0.1:50000'],
    ['http://127.0.0.1:1?x', 'http://127.0.0.1?x'],
    ['http://[::1]/callback', 'http://[::1]:50000/callback'],
  ])('of %s may be %s', (registered, given) => {
    expect(callbackOf(registered, given)).toBe(given);
  });

  test.each([
    [LOOPBACK, 'http://127.0.0.1:50000/callback'],
    [LOOPBACK, 'http://127.0.0.1:50000/callback?a=b&c'],
    [LOOPBACK, 'http://127.0.0.1:50000@evil.example/callback?a=b'],
    [LOOPBACK, 'http://127.0.0.1.evil.example:50000/callback?a=b'],
    [LOOPBACK, 'http://127.0.0.1:50000x/callback?a=b'],
    [LOOPBACK, 'http://127.0.0.1:123456/callback?a=b'],
    [LOOPBACK, 'http://127.0.0.1:70000/callback?a=b'],
    [LOOPBACK, 'http://127.0.0.1:/callback?a=b'],
    [LOOPBACK, 'http://127.1:50000/callback?a=b'],
    [LOOPBACK, 'http://[::1]:50000/callback?a=b'],
    [LOOPBACK, 'https://127.0.0.1:50000/callback?a=b'],
    ['http://localhost:8976/callback', 'http://localhost:50000/callback'],
    ['http://localhost:8976/callback', 'http://127.0.0.1:8976/callback'],
    ['https://127.0.0.1:8976/callback', 'https://127.0.0.1:50000/callback'],
    ['https://a.example/', 'https://a.example'],
  ])('of %s is never %s', (registered, given) => {
    expect(callbackOf(registered, given)).toBeUndefined();
  });

  test('keeps what it says already, and gets the answer and the state', () => {
    expect(addressWith('https://a.example', { code: 'C' }, undefined)).toBe('https://a.example/?code=C');
    expect(addressWith('https://a.example/?', { code: 'C' }, 'S')).toBe('https://a.example/?code=C&state=S');
    expect(addressWith('https://a.example/x?y=+%20', { error: 'access_denied' }, '+%20%FF')).toBe(
      'https://a.example/x?y=+%20&error=access_denied&state=+%20%FF',
    );
  });
});

describe('the link', () => {
  test.each([
    ['?client_id=A&scopes=file:create', undefined],
    ['?client_id=A&scopes=file:create&state', ''],
    ['?client_id=A&scopes=file:create&state=', ''],
    ['?client_id=A&scopes=file:create&state=a=b', 'a=b'],
    ['?st%61te=x%2By&client_id=A&scopes=file:create', 'x%2By'],
    ['?client_id=A&scopes=file:create&notstate=1&xstate=2', undefined],
  ])('%s has the state %j', (search, state) => {
    expect(readLink(search, 'http://localhost')).toMatchObject({ ok: true, link: { client_id: 'A', state } });
  });
});

describe('the challenge of a link (RFC 7636)', () => {
  const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
  const read = (rest: string) => readLink(`?client_id=A&scopes=file:create${rest}`, 'http://localhost');

  test('is read with the method S256, and may be absent', () => {
    expect(read(`&code_challenge=${CHALLENGE}&code_challenge_method=S256`)).toMatchObject({
      ok: true,
      link: { code_challenge: CHALLENGE },
    });
    expect(read('')).toMatchObject({ ok: true, link: { code_challenge: undefined } });
  });

  test.each([
    ['the method plain', `&code_challenge=${CHALLENGE}&code_challenge_method=plain`],
    ['no method, which means plain', `&code_challenge=${CHALLENGE}`],
    ['the method in other letters', `&code_challenge=${CHALLENGE}&code_challenge_method=s256`],
    ['an empty method', `&code_challenge=${CHALLENGE}&code_challenge_method=`],
    ['a method alone', '&code_challenge_method=S256'],
    ['the method plain alone', '&code_challenge_method=plain'],
    ['nothing', '&code_challenge=&code_challenge_method=S256'],
    ['42 characters', `&code_challenge=${CHALLENGE.slice(1)}&code_challenge_method=S256`],
    ['44 characters', `&code_challenge=${CHALLENGE}A&code_challenge_method=S256`],
    ['padding', `&code_challenge=${CHALLENGE}=&code_challenge_method=S256`],
    ['signs of base64', `&code_challenge=${CHALLENGE.replace('-', '%2B')}&code_challenge_method=S256`],
    [
      'a last character with bits too many',
      `&code_challenge=${CHALLENGE.slice(0, -1)}N&code_challenge_method=S256`,
    ],
    ['a line break', `&code_challenge=${CHALLENGE}%0A&code_challenge_method=S256`],
    ['two challenges', `&code_challenge=${CHALLENGE}&code_challenge=${CHALLENGE}&code_challenge_method=S256`],
    ['two methods', `&code_challenge=${CHALLENGE}&code_challenge_method=S256&code_challenge_method=plain`],
  ])('is refused with %s', (_, rest) => {
    expect(read(rest)).toMatchObject({ ok: false });
  });
});

describe('the template of pages', () => {
  test('escapes every value, in text and in quoted attributes', () => {
    const text = `<b a="x" b='y'>&\``;
    expect(markupText(html`<p title="${text}">${text}</p>`)).toBe(
      '<p title="&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&#96;">&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;&#96;</p>',
    );
  });

  test('takes parts of pages as they are, lists one after another, and nothing for nothing', () => {
    const parts = [html`<b>${'<'}</b>`, 'and', 3];
    expect(markupText(html`${parts}${undefined}${null}${false}${''}`)).toBe('<b>&lt;</b>and3');
  });

  test('takes nothing for markup that only says it is', () => {
    const forged = JSON.parse('{"html":"<script>","markup":"<script>"}') as never;
    expect(() => markupText(html`${forged}`)).toThrow();
  });
});
