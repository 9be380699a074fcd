// Answers of authorities for timestamps: what counts, and everything that does not.
import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { instantOf } from '../../../src/common/instant.ts';
import { derInteger, sequence, utf8 } from '../../../src/pdf/sign/der.ts';
import type { CertificatePurpose } from '../../../src/pdf/sign/make-certificates.ts';
import {
  issueTimestamp,
  readTimestampResponse,
  type TimestampInput,
  type TimestampRequest,
  writeTimestampRequest,
} from '../../../src/pdf/sign/timestamp.ts';
import {
  ConfigurableAuthority,
  daysFromNow,
  type IssuedCertificate,
  KEY_KINDS,
  now,
} from '../../support/certificates/key-kinds.ts';
import { needsCommand } from '../../support/tools.ts';

const imprint = createHash('sha256').update('what it is about').digest();
const nonce = Buffer.from('4102030405060708', 'hex');
const question: TimestampRequest = { digest: 'sha256', imprint, nonce, policy: '2.999.1' };

let authority: ConfigurableAuthority;
let stamper: IssuedCertificate;
beforeAll(async () => {
  authority = await ConfigurableAuthority.make();
  stamper = await authority.issue('Stamps', { kind: 'timestamps' });
});

const granted = sequence(derInteger(0));

async function token(
  changes: Partial<TimestampInput> = {},
  by: IssuedCertificate = stamper,
  sends = [by.certificate],
) {
  const details = {
    digest: 'sha256' as const,
    imprint,
    serial: Buffer.from([9]),
    policy: '2.999.1',
    at: now(),
    accuracySeconds: 1,
    nonce,
    ...changes,
  };
  return issueTimestamp({ certificate: by.facts, key: by.signing, certificates: sends }, details);
}

const whyNot = (answer: Uint8Array, wanted = question) => {
  const read = readTimestampResponse(answer, wanted);
  return read.ok ? 'it counts' : read.why;
};

test('an answer that is right counts', async () => {
  const aMinuteAgo = new Date(Date.now() - 60_000).setMilliseconds(345);
  const good = await token({ at: instantOf(aMinuteAgo) });
  expect(readTimestampResponse(sequence(granted, good), question)).toMatchObject({ ok: true });
});

test('an answer with RSA in the form of PKCS #1 v1.5 counts after the end of its days', async () => {
  const old = await authority.issue('Old stamps', { kind: 'timestamps' }, KEY_KINDS['RSA 2048'](), {
    from: '2029-01-02T00:00:00.000Z',
    to: '2030-01-01T00:00:00.000Z',
  });
  expect(whyNot(sequence(granted, await token({ at: '2029-06-01T12:00:00.000Z' }, old)))).toBe('it counts');
});

describe('does not count:', () => {
  test('a refusal, with what the authority says of it', () => {
    const refused = sequence(sequence(derInteger(2), sequence(utf8('no \u001b[31mmore\u202e today'))));
    expect(whyNot(refused)).toBe('it rejected the request (status 2: no 31mmore today)');
    expect(whyNot(sequence(granted))).toBe('its response contains no timestamp');
    expect(whyNot(Buffer.from('<html>'))).toBe('its response is not a valid RFC 3161 response');
  });

  test.each<[string, Partial<TimestampInput>]>([
    ['its timestamp is for other data', { imprint: createHash('sha256').update('other').digest() }],
    ['its timestamp is for other data', { digest: 'sha512' }],
    ['its timestamp answers another request', { nonce: Buffer.from([0x44]) }],
    ['its timestamp has the policy 1.2.3 instead of 2.999.1', { policy: '1.2.3' }],
    ['its certificate was not valid at the time of the timestamp', { at: '2001-01-01T00:00:00.000Z' }],
  ])('%s does not count', async (why, changes) => {
    expect(whyNot(sequence(granted, await token(changes)))).toBe(why);
  });

  test('a token without a nonce does not count', async () => {
    const details = {
      digest: 'sha256' as const,
      imprint,
      serial: nonce,
      policy: '2.999.1',
      at: now(),
      accuracySeconds: 1,
    };
    const signer = { certificate: stamper.facts, key: stamper.signing, certificates: [stamper.certificate] };
    expect(whyNot(sequence(granted, await issueTimestamp(signer, details)))).toBe(
      'its timestamp answers another request',
    );
  });

  test('a token of a certificate for something else, of none, and of another key', async () => {
    const of = async (purpose: CertificatePurpose) => token({}, await authority.issue('Other', purpose));
    expect(whyNot(sequence(granted, await of({ kind: 'documents' })))).toBe(
      'its certificate is not intended for timestamps',
    );
    expect(whyNot(sequence(granted, await token({}, stamper, [])))).toBe(
      'its timestamp does not contain the signing certificate',
    );
    const other = await authority.issue('Stamps', { kind: 'timestamps' });
    const forged = await token({}, { ...stamper, signing: other.signing });
    expect(whyNot(sequence(granted, forged))).toBe('the signature of its timestamp is invalid');
  });

  test('a token of which any byte was changed', async () => {
    const good = Buffer.from(sequence(granted, await token()));
    expect(whyNot(good)).toBe('it counts');
    // Nothing here reads the certificates of a token: the caller that trusts one checks it.
    const [from, to] = [good.indexOf(stamper.certificate), stamper.certificate.length];
    const unseen: number[] = [];
    for (let at = 0; at < good.length; at += 1) {
      if (at >= from && at < from + to) continue;
      const changed = Buffer.from(good);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      if (whyNot(changed) === 'it counts') unseen.push(at);
    }
    // Versions, tags around structures, the digests named at the beginning; and 0 (granted) becomes 1, which is granted as well.
    expect(unseen.length).toBeLessThan(40);
    const info = good.indexOf(imprint) - 24;
    expect(unseen.filter((at) => at >= info && at < from)).toEqual([]);
  });

  test('bytes that mean nothing, which are never thrown at', () => {
    for (let round = 0; round < 300; round += 1) whyNot(randomBytes(round));
    const nested = Buffer.alloc(4000, 0x30);
    expect(whyNot(nested)).toBe('its response is not a valid RFC 3161 response');
  });
});

const openssl = needsCommand('openssl');

describe.skipIf(openssl.skip)(`tokens that openssl issues${openssl.why}`, () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'esign-openssl-ts-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['sha256', 'sha384', 'sha512'] as const)('%s', async (digest) => {
    const file = (name: string, content?: string | Uint8Array) => {
      const path = join(folder, name);
      if (content !== undefined) writeFileSync(path, content);
      return path;
    };
    const pem = (der: Uint8Array) =>
      `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
    const config = `[tsa]\ndefault_tsa=t\n[t]\nserial=${file('serial', '01')}\ncrypto_device=builtin\nsigner_cert=${file('tsa.pem', pem(stamper.certificate))}
certs=${file('root.pem', pem(authority.certificate))}\nsigner_key=${file('key.pem', stamper.key.export({ type: 'pkcs8', format: 'pem' }))}
signer_digest=sha256\ndefault_policy=2.999.1\ndigests=sha256,sha384,sha512\naccuracy=secs:1\nordering=no\ntsa_name=no\ness_cert_id_chain=no\ness_cert_id_alg=${digest}\n`;
    const wanted: TimestampRequest = {
      digest,
      imprint: createHash(digest).update('data').digest(),
      nonce,
    };
    const words = [
      'ts',
      '-reply',
      '-config',
      file('ts.cnf', config),
      '-queryfile',
      file('query', writeTimestampRequest(wanted)),
    ];
    execFileSync('openssl', [...words, '-out', file('answer')], { stdio: 'pipe' });
    const read = readTimestampResponse(readFileSync(file('answer')), wanted);
    expect(read).toMatchObject({ ok: true });
    expect(read.ok && read.time > Date.parse(daysFromNow(-1))).toBe(true);
  });
});
