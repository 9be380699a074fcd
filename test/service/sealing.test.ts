// What a store seals with: an authority of its own that is made once, or the key and the timestamp authority that are set.

import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createInProcessEngine } from '../../src/pdf/engine/in-process.ts';
import { childrenOf, contentOf, derInteger, readDer, sequence, TAG } from '../../src/pdf/sign/der.ts';
import { readCrl } from '../../src/pdf/sign/revocation-data.ts';
import { SealingUnavailable, sealPdf } from '../../src/pdf/sign/seal.ts';
import { issueTimestamp } from '../../src/pdf/sign/timestamp.ts';
import { checkSealing } from '../../src/service/sealing/check-sealing.ts';
import type { SealingSettings } from '../../src/service/sealing/configured-sealing.ts';
import { createSealingSource } from '../../src/service/sealing/sealing-source.ts';
import { sendWebRequest } from '../../src/service/sealing/web-timestamps.ts';
import {
  ConfigurableAuthority,
  daysFromNow,
  type IssuedCertificate,
  KEY_KINDS,
  now,
} from '../support/certificates/key-kinds.ts';
import { expectAccepted, needsForeignVerifiers } from '../support/documents/foreign-verifiers.ts';
import { preparedPdf, SEAL_FIELD_NAME } from '../support/documents/prepared-pdf.ts';
import { type Harness, openHarness } from '../support/harness.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const COMPANY = { id: '0199a3a0-0000-7000-8000-000000000001', name: 'Ada & Söhne, Ltd.' };

let harness: Harness;
let folder: string;
beforeAll(async () => {
  harness = await openHarness('in process');
  folder = mkdtempSync(join(tmpdir(), 'esign-sealing-'));
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

const sealingWith = (settings: SealingSettings, { store } = harness) =>
  createSealingSource({
    store,
    isSandbox: true,
    clock: Date.now,
    random: (n) => crypto.getRandomValues(new Uint8Array(n)),
    readSettings: async () => settings,
  })(COMPANY);

const file = (name: string, content: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const pem = (...certificates: Uint8Array[]) =>
  certificates.map((der) => new X509Certificate(der).toString()).join('');
const pemKey = ({ key }: IssuedCertificate) => key.export({ type: 'pkcs8', format: 'pem' }) as string;

const whyNot = (promise: Promise<unknown>) =>
  promise.then(
    () => 'sealed',
    (error: unknown) => (error instanceof SealingUnavailable ? `${error.message} ${error.wayOut}` : error),
  );

describe('the authority of a store', () => {
  test('is the same for all who ask at the same moment, and after a reset', async () => {
    const home = await temporaryFolder();
    const services = await Promise.all([1, 2, 3, 4].map(() => openHarness('in process', { folder: home })));
    const roots = await Promise.all(services.map(({ client }) => client['sandbox.authority']()));
    expect(new Set(roots.map(({ sha256 }) => sha256)).size).toBe(1);
    const [first] = services;
    const signers = await Promise.all(services.map((one) => sealingWith({}, one)));
    expect(
      new Set(signers.map(({ signer }) => Buffer.from(signer.certificates[0]!).toString('hex'))).size,
    ).toBe(1);
    const rows = () => first!.store.database.read((db) => db.selectFrom('authority').selectAll().execute());
    expect((await rows()).map(({ id }) => id).sort()).toEqual([COMPANY.id, 'authority']);
    expect(JSON.stringify(await rows())).not.toContain('certificate');
    await first!.client['sandbox.reset']({ body: {} });
    expect((await rows()).map(({ id }) => id)).toEqual(['authority']);
    expect((await first!.client['sandbox.authority']()).sha256).toBe(roots[0]?.sha256);
    for (const one of services) await one.close();
    const key = await readFile(join(home, 'store.db'));
    expect(key.includes('PRIVATE KEY')).toBe(false);
    rmSync(home, { recursive: true });
  });

  test('names its company, and has lists that are not ahead of the clock', async () => {
    const sealing = await sealingWith({});
    const { subject } = new X509Certificate(sealing.signer.certificates[0]!);
    expect(subject).toBe(
      `O=${COMPANY.name}\nOU=esign sandbox\nCN=${COMPANY.name}`.replaceAll(', Ltd', '\\, Ltd'),
    );
    const lists = (await sealing.revocationLists!([])).map((der) => readCrl(Buffer.from(der))!);
    expect(lists).toHaveLength(2);
    for (const { thisUpdate, nextUpdate } of lists) {
      expect(thisUpdate).toBeLessThanOrEqual(Date.now());
      expect(nextUpdate! > Date.parse(daysFromNow(3000))).toBe(true);
    }
  });

  test.skipIf(!SLOW)('can be tried without being made', async () => {
    const fresh = await openHarness('in process');
    const parts = {
      store: fresh.store,
      isSandbox: true,
      documents: createInProcessEngine(),
      clock: now,
      random: (n: number) => crypto.getRandomValues(new Uint8Array(n)),
    };
    expect(await checkSealing({}, parts)).toEqual({
      state: 'ok',
      says: 'Documents are sealed at level LTA with the certificate authority of the sandbox.',
    });
    expect(await fresh.store.database.read((db) => db.selectFrom('authority').selectAll().execute())).toEqual(
      [],
    );
    await fresh.close();
  });
});

const foreign = needsForeignVerifiers();

describe.skipIf(foreign.skip)(`a key of one's own${foreign.why}`, () => {
  let root: ConfigurableAuthority;
  let own: IssuedCertificate;
  let files: { key: string; certificate: string; revocation_lists: string };
  beforeAll(async () => {
    root = await ConfigurableAuthority.make('P-384', 'Own root');
    own = await root.issue('Own seal', { kind: 'documents' });
    files = {
      key: file('key.pem', pemKey(own)),
      certificate: file('chain.pem', pem(root.certificate, own.certificate)),
      revocation_lists: file('list.crl', await root.list()),
    };
  });

  const sealed = async (settings: SealingSettings) =>
    sealPdf(await preparedPdf(), SEAL_FIELD_NAME, await sealingWith(settings));

  test('in PEM, with its list in a file and the timestamps of the store', async () => {
    const pdf = await sealed(files);
    const { pem: storeRoot } = await harness.client['sandbox.authority']();
    await expectAccepted(pdf, {
      root: root.certificate,
      timestampRoot: new X509Certificate(storeRoot).raw,
      level: 'LTA',
    });
  });

  test('encrypted, with the right password, a wrong one and none', async () => {
    const secret = own.key.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'a pass word',
    });
    const key = file('secret.pem', secret as string);
    expect(await whyNot(sealed({ ...files, key, password: 'a pass word' }))).toBe('sealed');
    expect(await whyNot(sealed({ ...files, key, password: 'other' }))).toBe(
      `The password for the key in "${key}" is wrong. Check ESIGN_SEALING_PASSWORD or sealing.password_file.`,
    );
    expect(await whyNot(sealed({ ...files, key }))).toMatch(
      /^The key in ".*" is encrypted. Set ESIGN_SEALING_PASSWORD/,
    );
  });

  const p12 = (name: string, ...more: string[]) => {
    const path = join(folder, name);
    execFileSync(
      'openssl',
      [
        'pkcs12',
        '-export',
        '-inkey',
        files.key,
        '-in',
        file('own.pem', pem(own.certificate)),
        '-certfile',
        file('root.pem', pem(root.certificate)),
        '-out',
        path,
        ...more,
      ],
      { stdio: 'pipe' },
    );
    return path;
  };

  test('as PKCS #12; one that is encrypted as twenty years ago is converted first', async () => {
    const { revocation_lists } = files;
    const modern = { p12: p12('new.p12', '-passout', 'pass:secret'), revocation_lists };
    expect(await whyNot(sealed({ ...modern, password: 'secret' }))).toBe('sealed');
    expect(await whyNot(sealed({ ...modern, password: 'wrong' }))).toMatch(
      /^The password for ".*new.p12" is wrong/,
    );
    const legacy = { p12: p12('old.p12', '-passout', 'pass:secret', '-legacy'), revocation_lists };
    expect(await whyNot(sealed({ ...legacy, password: 'secret' }))).toMatch(
      /an outdated algorithm \(RC2, 3DES\)\. Convert it: openssl pkcs12 -legacy/,
    );
    expect(await whyNot(sealed({ p12: file('none.p12', 'nothing'), password: '' }))).toMatch(
      /cannot be opened: it is damaged/,
    );
  });

  test('whose algorithm is weak by now seals, and doctor warns', async () => {
    const old = await root.issue('Old', { kind: 'documents' }, KEY_KINDS['RSA 2048'](), {
      from: '2029-01-02T00:00:00.000Z',
      to: '2030-01-01T00:00:00.000Z',
    });
    const parts = {
      store: harness.store,
      isSandbox: true,
      documents: createInProcessEngine(),
      clock: () => '2029-06-01T12:00:00.000Z',
      random: (n: number) => crypto.getRandomValues(new Uint8Array(n)),
    };
    const certificate = file('old.pem', pem(old.certificate, root.certificate));
    const settings = { key: file('old-key.pem', pemKey(old)), certificate, level: 'T' };
    expect(await checkSealing(settings, parts)).toMatchObject({
      state: 'warn',
      says: expect.stringMatching(/weak algorithms.*RSA with the padding of PKCS #1 v1\.5/),
    });
  });

  test('that does not fit, is not there or has no list is named', async () => {
    const other = await root.issue('Other', { kind: 'documents' });
    const of = (settings: SealingSettings) => whyNot(sealed({ ...files, ...settings }));
    expect(await of({ key: file('other.pem', pemKey(other)) })).toMatch(
      /^The sealing certificate does not belong to the sealing key/,
    );
    expect(await of({ key: join(folder, 'no.pem') })).toMatch(/\(sealing\.key\) cannot be read \(ENOENT\)/);
    expect(await of({ key: files.certificate })).toMatch(/does not contain a private key in PEM format/);
    expect(await of({ certificate: files.key })).toMatch(/does not contain a certificate/);
    expect(await of({ level: 'X' })).toBe(
      '"X" is not a valid value for sealing.level. Use one of B, T, LT, LTA.',
    );
    expect(await whyNot(sealed({ key: files.key }))).toMatch(/^sealing.certificate is not set/);
    const { revocation_lists: _, ...without } = files;
    expect(await whyNot(sealed(without))).toMatch(
      /^The revocation status of the certificate "Own seal" is unknown/,
    );
    expect(await whyNot(sealed({ ...without, level: 'T' }))).toBe('sealed');
  });

  test('whose list is loaded from where its certificate says', async () => {
    const list = await root.list();
    const { url, close } = await serving((_, response) => response.end(list));
    const path = (name: string) => join(folder, name);
    const run = (words: string[]) => execFileSync('openssl', words, { stdio: 'pipe' });
    file('root-key.pem', root.key.export({ type: 'pkcs8', format: 'pem' }) as string);
    file('ca.pem', pem(root.certificate));
    file('ext', `keyUsage=critical,digitalSignature\ncrlDistributionPoints=URI:${url}list.crl\n`);
    run(['req', '-new', '-key', files.key, '-subj', '/CN=Listed', '-out', path('own.csr')]);
    run([
      'x509',
      '-req',
      '-in',
      path('own.csr'),
      '-CA',
      path('ca.pem'),
      '-CAkey',
      path('root-key.pem'),
      '-set_serial',
      '77',
      '-days',
      '30',
      '-extfile',
      path('ext'),
      '-out',
      path('listed.pem'),
    ]);
    const certificate = file(
      'listed-chain.pem',
      `${await readFile(path('listed.pem'), 'utf8')}${pem(root.certificate)}`,
    );
    const settings = { key: files.key, certificate };
    expect(await whyNot(sealed(settings))).toBe('sealed');
    await close();
    expect(await whyNot(sealed(settings))).toMatch(
      /^The revocation status of the certificate "Listed" is unknown/,
    );
  });
});

// --- An authority for timestamps on the web ---

let servers: Server[] = [];
afterEach(() => {
  for (const server of servers) server.close();
  servers = [];
});

async function serving(listener: RequestListener) {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, close: () => new Promise((done) => server.close(done)) };
}

describe('timestamps from the web', () => {
  let root: ConfigurableAuthority;
  let stamper: IssuedCertificate;
  beforeAll(async () => {
    root = await ConfigurableAuthority.make('P-256', 'Stamp root');
    stamper = await root.issue('Stamps', { kind: 'timestamps' });
  });

  /** Answers as RFC 3161 wants, an hour off where that is asked for. */
  const authority =
    (offMs = 0, keepsNonce = true): RequestListener =>
    async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const [, imprint, ...rest] = childrenOf(readDer(Buffer.concat(chunks)))!;
      const nonce = rest.find(({ tag }) => tag === TAG.integer);
      const token = await issueTimestamp(
        {
          certificate: stamper.facts,
          key: stamper.signing,
          certificates: [stamper.certificate, root.certificate],
        },
        {
          digest: 'sha256',
          imprint: contentOf(childrenOf(imprint)![1]!),
          serial: Buffer.from([1]),
          policy: '2.999.7',
          at: new Date(Date.now() + offMs).toISOString(),
          accuracySeconds: 1,
          nonce: keepsNonce ? contentOf(nonce!) : Buffer.from([7]),
        },
      );
      response.end(sequence(sequence(derInteger(0)), token));
    };

  const checkWith = async (listener: RequestListener, settings: SealingSettings = {}) => {
    const { url } = await serving(listener);
    const parts = {
      store: harness.store,
      isSandbox: true,
      documents: createInProcessEngine(),
      clock: now,
      random: (n: number) => crypto.getRandomValues(new Uint8Array(n)),
    };
    return checkSealing({ tsa: url, level: 'T', ...settings }, parts);
  };

  test('are asked for, checked and used', async () => {
    const { url } = await serving(authority());
    const sealing = await sealingWith({
      tsa: url,
      level: 'T',
      tsa_certificates: file('tsa.pem', pem(root.certificate)),
    });
    const pdf = await sealPdf(await preparedPdf(), SEAL_FIELD_NAME, sealing);
    expect(Buffer.from(pdf).toString('latin1')).toContain(
      Buffer.from(stamper.certificate).toString('hex').toUpperCase(),
    );
  });

  test.each<[string, RequestListener, RegExp]>(
    sampleOf(
      [
        [
          'an error',
          (_, response) => response.writeHead(500).end(),
          /: it responded with HTTP status 500\.$/,
        ],
        [
          'a redirect',
          (_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
          /HTTP status 302/,
        ],
        ['a page', (_, response) => response.end('<html>'), /its response is not a valid RFC 3161 response/],
        ['too much', (_, response) => response.end(Buffer.alloc(70_000)), /larger than 65536 bytes/],
        ['nothing', (request) => request.socket.destroy(), /it cannot be reached \(ECONNRESET\)/],
      ],
      5,
    ),
  )('%s is no answer', async (_, listener, why) => {
    const finding = await checkWith(listener);
    expect(finding.state).toBe('fail');
    expect(finding.says).toMatch(why);
  });

  test.skipIf(!SLOW)('another nonce, policy or root is no answer either', async () => {
    expect((await checkWith(authority(0, false))).says).toMatch(/its timestamp answers another request/);
    expect((await checkWith(authority(), { tsa_policy: '1.2.3' })).says).toMatch(
      /the policy 2\.999\.7 instead of 1\.2\.3/,
    );
    const other = await ConfigurableAuthority.make();
    const tsa_certificates = file('others.pem', pem(other.certificate));
    expect((await checkWith(authority(), { tsa_certificates })).says).toMatch(
      /was not issued by any certificate in sealing\.tsa_certificates/,
    );
    expect((await checkWith(authority(), { tsa_digest: 'md5' })).says).toBe(
      '"md5" is not a valid value for sealing.tsa_digest.',
    );
    expect((await checkWith(authority(), { tsa: 'ftp://x' })).says).toBe(
      '"ftp://x" is not a valid URL (sealing.tsa).',
    );
  });

  test.skipIf(!SLOW)('a clock that is off is named; level LT needs the lists of the authority', async () => {
    expect(await checkWith(authority())).toMatchObject({ state: 'ok' });
    expect(await checkWith(authority(-3_600_000))).toMatchObject({
      state: 'warn',
      says: expect.stringMatching(
        /^The clock of this machine is 3[56]\d\d s ahead of the timestamp authority/,
      ),
    });
    expect((await checkWith(authority(), { level: 'LTA' })).says).toMatch(/certificate "Stamps" is unknown/);
    const revocation_lists = file('stamps.crl', await root.list());
    expect(await checkWith(authority(), { level: 'LTA', revocation_lists })).toMatchObject({ state: 'ok' });
  });

  test('one that does not end is not waited for', async () => {
    const { url } = await serving((_, response) => void response.write('a'));
    const asked = { url, maxBytes: 100, timeoutMs: 60 };
    expect(await sendWebRequest(asked)).toEqual({ ok: false, why: 'it did not respond within 0.06 s' });
  });
});
