// Signatures of deliveries against the published example of Standard Webhooks, and what counts as a secret.
import { describe, expect, test } from 'vitest';
import {
  isSecret,
  secretOf,
  signatureOf,
  signedHeaders,
  verifySignature,
} from '../../src/api/standard-webhooks.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const MESSAGE = {
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1_614_265_330,
  body: '{"test": 2432232314}',
};

describe('Standard Webhooks', () => {
  test('signs as the published example does, text and bytes alike', () => {
    const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
    expect(signatureOf(SECRET, MESSAGE)).toBe(signature);
    expect(signatureOf(SECRET, { ...MESSAGE, body: new TextEncoder().encode(MESSAGE.body) })).toBe(signature);
  });

  test('writes one signature a secret into one header', () => {
    const other = secretOf(new Uint8Array(32).fill(7));
    expect(signedHeaders([SECRET, other], MESSAGE)).toEqual({
      'webhook-id': MESSAGE.id,
      'webhook-timestamp': '1614265330',
      'webhook-signature': `${signatureOf(SECRET, MESSAGE)} ${signatureOf(other, MESSAGE)}`,
    });
  });

  test('checks what was signed: either secret, every byte, and the time', () => {
    const body = new TextEncoder().encode(MESSAGE.body);
    const other = secretOf(new Uint8Array(32).fill(7));
    const headers = signedHeaders([other, SECRET], MESSAGE);
    const check = (
      more: Record<string, string | undefined> = {},
      bytes = body,
      seconds = MESSAGE.timestamp,
    ) => verifySignature(SECRET, { ...headers, ...more }, bytes, seconds);
    expect(check()).toBe(true);
    expect(verifySignature(other, headers, body, MESSAGE.timestamp)).toBe(true);
    expect(verifySignature(secretOf(new Uint8Array(32)), headers, body, MESSAGE.timestamp)).toBe(false);
    expect(check({}, new TextEncoder().encode(`${MESSAGE.body} `))).toBe(false);
    expect(check({ 'webhook-id': 'other' })).toBe(false);
    expect(check({ 'webhook-timestamp': String(MESSAGE.timestamp + 1) })).toBe(false);
    for (const name of Object.keys(headers)) expect(check({ [name]: undefined })).toBe(false);
    expect(check({}, body, MESSAGE.timestamp + 300)).toBe(true);
    expect(check({}, body, MESSAGE.timestamp + 301)).toBe(false);
    expect(check({}, body, MESSAGE.timestamp - 301)).toBe(false);
    expect(check({ 'webhook-signature': '' })).toBe(false);
  });

  test.each([
    [SECRET, true],
    [secretOf(new Uint8Array(24)), true],
    [secretOf(new Uint8Array(64)), true],
    [secretOf(new Uint8Array(23)), false],
    [secretOf(new Uint8Array(65)), false],
    ['whsec_', false],
    ['whsec_not base64 at all, not at all', false],
    [SECRET.slice(6), false],
  ])('takes %s for a secret: %s', (text, expected) => {
    expect(isSecret(text)).toBe(expected);
  });
});
