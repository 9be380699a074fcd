// verifyWebhook gives the same answers as the implementation that signs (api/standard-webhooks.ts), also for hostile requests.
import { describe, expect, test } from 'vitest';
import { secretOf, signedHeaders, verifySignature } from '../../src/api/standard-webhooks.ts';
import { EsignError } from '../../src/client/errors.ts';
import { verifyWebhook } from '../../src/client/verify-webhook.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER = secretOf(new Uint8Array(32).fill(7));
const NOW = 1_614_265_330;
const BODY = JSON.stringify({
  id: 'E1',
  type: 'transaction_expired',
  created: '2026-03-01T09:00:00.000Z',
  data: { id: 'T1', status: 'expired', expiration_days: 'many' },
});
const HEADERS = signedHeaders([OTHER, SECRET], { id: 'E1', timestamp: NOW, body: BODY });
const SIGNATURE = HEADERS['webhook-signature'] ?? '';
const [, OWN = ''] = SIGNATURE.split(' ');

type Delivery = {
  secret: string;
  headers: Record<string, string | undefined>;
  body: string;
  nowSeconds: number;
};

const delivery = (changed: Partial<Delivery> = {}): Delivery => ({
  secret: SECRET,
  headers: HEADERS,
  body: BODY,
  nowSeconds: NOW,
  ...changed,
});

const withHeader = (name: string, value: string | undefined): Delivery =>
  delivery({ headers: { ...HEADERS, [name]: value } });

const CASES: [string, string, Delivery][] = [
  ['a valid delivery', 'valid', delivery()],
  ['the other secret of a rotation', 'valid', delivery({ secret: OTHER })],
  ['a secret without its prefix', 'valid', delivery({ secret: SECRET.slice(6) })],
  ['the limit of the tolerance', 'valid', delivery({ nowSeconds: NOW + 300 })],
  ['a message that is too old', 'webhook_timestamp_invalid', delivery({ nowSeconds: NOW + 301 })],
  ['a message from the future', 'webhook_timestamp_invalid', delivery({ nowSeconds: NOW - 301 })],
  ['a body with one more space', 'webhook_signature_invalid', delivery({ body: `${BODY} ` })],
  ['an unknown secret', 'webhook_signature_invalid', delivery({ secret: secretOf(new Uint8Array(32)) })],
  ['an empty secret', 'webhook_secret_invalid', delivery({ secret: '' })],
  ['a secret with nothing but its prefix', 'webhook_secret_invalid', delivery({ secret: 'whsec_' })],
  ['a secret that is no base64', 'webhook_secret_invalid', delivery({ secret: 'whsec_not base64!' })],
  ['another id', 'webhook_signature_invalid', withHeader('webhook-id', 'E2')],
  ['no id', 'webhook_headers_invalid', withHeader('webhook-id', undefined)],
  ['an empty id', 'webhook_headers_invalid', withHeader('webhook-id', '')],
  ['another time', 'webhook_signature_invalid', withHeader('webhook-timestamp', String(NOW + 1))],
  ['a time in hexadecimal', 'webhook_headers_invalid', withHeader('webhook-timestamp', '0x60379432')],
  ['a time with a sign', 'webhook_headers_invalid', withHeader('webhook-timestamp', `+${NOW}`)],
  ['a time that is no number', 'webhook_headers_invalid', withHeader('webhook-timestamp', 'NaN')],
  ['a time of 13 digits', 'webhook_headers_invalid', withHeader('webhook-timestamp', `${NOW}000`)],
  ['no signature', 'webhook_headers_invalid', withHeader('webhook-signature', undefined)],
  ['an empty signature', 'webhook_headers_invalid', withHeader('webhook-signature', '')],
  ['spaces in place of a signature', 'webhook_headers_invalid', withHeader('webhook-signature', '   ')],
  [
    'a signature without its version',
    'webhook_signature_invalid',
    withHeader('webhook-signature', OWN.slice(3)),
  ],
  [
    'a signature of another version',
    'webhook_signature_invalid',
    withHeader('webhook-signature', OWN.replace('v1,', 'v1a,')),
  ],
  [
    'a signature that is cut off',
    'webhook_signature_invalid',
    withHeader('webhook-signature', OWN.slice(0, -1)),
  ],
  [
    'a signature with more behind it',
    'webhook_signature_invalid',
    withHeader('webhook-signature', `${OWN}=`),
  ],
  [
    'a signature in base64url',
    'webhook_signature_invalid',
    withHeader('webhook-signature', OWN.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '')),
  ],
  [
    'a valid signature among a thousand',
    'valid',
    withHeader('webhook-signature', `${'v1,AAAA '.repeat(1000)}${OWN}`),
  ],
];

const codeOf = (error: unknown): string =>
  error instanceof EsignError ? error.code : `not refused: ${error}`;

const verdict = ({ secret, headers, body, nowSeconds }: Delivery): Promise<string> =>
  verifyWebhook(body, headers, secret, { now: nowSeconds * 1000 }).then(() => 'valid', codeOf);

describe('verifyWebhook', () => {
  test.each(CASES)('says of %s: %s, as the implementation that signs does', async (_, expected, given) => {
    const { secret, headers, body, nowSeconds } = given;
    expect(await verdict(given)).toBe(expected);
    expect(verifySignature(secret, headers, new TextEncoder().encode(body), nowSeconds)).toBe(
      expected === 'valid',
    );
  });

  test('reads bytes, web headers, headers of node:http in any case, and several secrets', async () => {
    const now = { now: NOW * 1000 };
    const bytes = new TextEncoder().encode(BODY);
    const upper = Object.fromEntries(
      Object.entries(HEADERS).map(([name, value]) => [name.toUpperCase(), value]),
    );
    for (const [body, headers, secret] of [
      [bytes, new Headers(HEADERS as Record<string, string>), SECRET],
      [bytes.buffer as ArrayBuffer, upper, [secretOf(new Uint8Array(32)), SECRET]],
    ] as const)
      expect((await verifyWebhook(body, headers, secret, now)).id).toBe('E1');
  });

  test('refuses a header that came twice, because it cannot tell which one counts', async () => {
    const headers = { ...HEADERS, 'webhook-id': ['E1', 'E1'] };
    expect(await verifyWebhook(BODY, headers, SECRET, { now: NOW * 1000 }).catch(codeOf)).toBe(
      'webhook_headers_invalid',
    );
  });

  test('takes another tolerance, and refuses everything where it is not a number', async () => {
    const late = { now: (NOW + 600) * 1000 };
    expect((await verifyWebhook(BODY, HEADERS, SECRET, { ...late, tolerance: 600 })).type).toBe(
      'transaction_expired',
    );
    expect(
      await verifyWebhook(BODY, HEADERS, SECRET, { now: NOW * 1000, tolerance: Number.NaN }).catch(codeOf),
    ).toBe('webhook_timestamp_invalid');
  });

  test('returns the event, without values of a wrong type', async () => {
    const event = await verifyWebhook(BODY, HEADERS, SECRET, { now: NOW * 1000 });
    expect(event.data).toEqual({ id: 'T1', status: 'expired' });
  });

  test.each(['', 'null', '[]', '{}', 'not json', '{"id":"E1","type":"ping"}', '['.repeat(5000)])(
    'refuses a signed body that is no event: %.20s',
    async (body) => {
      const headers = signedHeaders([SECRET], { id: 'E1', timestamp: NOW, body });
      expect(await verifyWebhook(body, headers, SECRET, { now: NOW * 1000 }).catch(codeOf)).toBe(
        'webhook_body_invalid',
      );
    },
  );

  test.each([undefined, null, [], [SECRET, ''], 42])('refuses %j in place of a secret', async (secret) => {
    expect(await verifyWebhook(BODY, HEADERS, secret as never).catch(codeOf)).toBe('webhook_secret_invalid');
  });

  test('never names the secret in an error', async () => {
    const error = await verifyWebhook(`${BODY} `, HEADERS, SECRET, { now: NOW * 1000 }).catch(
      (caught) => caught,
    );
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(SECRET.slice(6));
  });
});
