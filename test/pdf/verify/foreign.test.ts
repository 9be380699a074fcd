// Signatures and timestamps that openssl made, so that ours are not only right among themselves.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCertificates, verifyPdf } from '../../../src/pdf/verify/verify.ts';
import { basePdf, signPdf, withStore } from '../../support/documents/signed-pdf.ts';
import { PKI } from '../../support/documents/verification.ts';
import { SLOW } from '../../support/tier.ts';
import { needsCommand } from '../../support/tools.ts';

const { skip, why } = needsCommand('openssl');

const CONFIG = `
[req]
distinguished_name=name
[name]
[ca]
basicConstraints=critical,CA:true
keyUsage=critical,keyCertSign,cRLSign
[signer]
basicConstraints=CA:false
keyUsage=critical,digitalSignature
[tsa]
basicConstraints=CA:false
keyUsage=critical,digitalSignature
extendedKeyUsage=critical,timeStamping
[tsa_config]
serial=serial
signer_digest=sha256
default_policy=1.2.3.4.1
digests=sha256,sha384,sha512
ess_cert_id_alg=sha256
[authority]
database=index
crlnumber=number
default_md=sha256
default_crl_days=30
`;

describe.skipIf(skip)(`openssl${why}`, () => {
  let folder = '';
  const openssl = (line: string, ...more: string[]) =>
    execFileSync('openssl', [...line.split(' '), ...more], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  const file = (name: string) => readFileSync(join(folder, name));

  const issue = (
    name: string,
    kind: string,
    algorithm = '-algorithm EC -pkeyopt ec_paramgen_curve:P-256',
  ) => {
    openssl(`genpkey ${algorithm} -out ${name}.key`);
    openssl(`req -new -key ${name}.key -out ${name}.csr -subj /O=Example/CN=${name}`);
    openssl(
      `x509 -req -in ${name}.csr -CA root.pem -CAkey root.key -CAcreateserial -days 30 -extfile config -extensions ${kind} -out ${name}.pem`,
    );
  };

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'esign-openssl-'));
    writeFileSync(join(folder, 'config'), CONFIG);
    writeFileSync(join(folder, 'index'), '');
    writeFileSync(join(folder, 'number'), '01');
    writeFileSync(join(folder, 'serial'), '01');
    openssl('genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out root.key');
    openssl(
      'req -new -x509 -key root.key -days 30 -out root.pem -config config -extensions ca -subj /O=Example/CN=Root',
    );
    issue('ec', 'signer');
    issue('rsa', 'signer', '-algorithm RSA -pkeyopt rsa_keygen_bits:2048');
    issue('tsa', 'tsa');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const signed = (name: string, options: string, subFilter = 'ETSI.CAdES.detached') => {
    const make = (data: Buffer) => {
      writeFileSync(join(folder, 'data'), data);
      return openssl(
        `cms -sign -binary -in data -signer ${name}.pem -inkey ${name}.key -certfile root.pem -outform DER ${options}`,
      );
    };
    return signPdf(basePdf(), { party: PKI.signer, make, subFilter });
  };

  const timestamp = (data: Buffer, hash = 'sha256') => {
    writeFileSync(join(folder, 'data'), data);
    openssl(`ts -query -data data -${hash} -cert -out query`);
    openssl(
      'ts -reply -config config -section tsa_config -queryfile query -signer tsa.pem -inkey tsa.key -chain root.pem -token_out -out token',
    );
    return file('token');
  };

  const inspect = (pdf: Buffer) => {
    const anchors = readCertificates(file('root.pem')).map((certificate) => ({
      certificate,
      why: 'the test',
    }));
    const report = verifyPdf(pdf, { trust: { anchors }, now: Date.now() + 2000 });
    if (!report.ok) throw new Error(report.reason);
    return report.signatures;
  };

  test.each([
    ['ec', '-md sha256 -cades', 'ECDSA with SHA-256'],
    ['ec', '-md sha512 -cades', 'ECDSA with SHA-512'],
    ['rsa', '-md sha256 -cades', 'RSA with SHA-256'],
    ['rsa', '-md sha384 -cades -keyopt rsa_padding_mode:pss', 'RSA-PSS with SHA-384'],
    ['rsa', '-md sha256 -cades -keyid', 'RSA with SHA-256'],
  ])('cms -sign with %s %s', (name, options, algorithm) => {
    // openssl always signs a time along, which PAdES forbids.
    const [report] = inspect(signed(name, options));
    expect(report).toMatchObject({ faults: [], algorithm, level: undefined });
    expect(report?.notHigher).toContain('signing_time');
    expect(report?.signer?.subjectName).toBe(`CN=${name}, O=Example`);
  });

  test('a signer whose certificate is not signed along, which only the older format allows', () => {
    expect(inspect(signed('rsa', '-md sha256'))[0]?.faults).toEqual([{ code: 'attributes_missing' }]);
    const older = signed('rsa', '-md sha256', 'adbe.pkcs7.detached');
    expect(inspect(older)[0]?.faults).toEqual([]);
  });

  test('the older format; and one whose lengths have no end, which holds the document itself', () => {
    expect(inspect(signed('rsa', '-md sha256', 'adbe.pkcs7.detached'))[0]).toMatchObject({ faults: [] });
    const [streamed] = inspect(signed('ec', '-md sha256 -cades -stream'));
    expect(streamed?.faults).toMatchObject([{ code: 'cms_content_inside' }]);
  });

  test('SHA-1 is named as weak', () => {
    expect(inspect(signed('rsa', '-md sha1 -cades'))[0]?.faults).toMatchObject([{ code: 'algorithm_weak' }]);
  });

  test.each(SLOW ? ['sha256', 'sha384', 'sha512'] : ['sha384'])(
    'ts -reply with %s, over a document',
    (hash) => {
      const file = signPdf(signed('ec', '-md sha256 -cades'), {
        party: PKI.signer,
        number: 70,
        subFilter: 'ETSI.RFC3161',
        entries: '',
        objects: (number) => ({
          71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(Time)/Rect[0 0 0 0]/F 132/P 3 0 R/V ${number} 0 R>>`,
          6: '<</Fields[7 0 R 9 0 R 71 0 R]/SigFlags 3>>',
        }),
        make: (data) => timestamp(data, hash),
      });
      const reports = inspect(file);
      expect(reports.map(({ kind, faults }) => [kind, faults])).toEqual([
        ['signature', []],
        ['timestamp', []],
      ]);
      expect(reports[0]?.proven?.by).toBe('tsa');
    },
  );

  test('a list of revoked certificates, before and after one is', () => {
    const withList = (pdf: Buffer) => {
      openssl('ca -gencrl -config config -name authority -cert root.pem -keyfile root.key -out list.pem');
      const crls = [openssl('crl -in list.pem -outform DER')];
      return withStore(pdf, { certificates: [], crls });
    };
    const pdf = signed('ec', '-md sha256 -cades');
    expect(inspect(withList(pdf))[0]).toMatchObject({ faults: [], chain: { unchecked: [] } });
    openssl('ca -revoke ec.pem -config config -name authority -cert root.pem -keyfile root.key');
    expect(inspect(withList(pdf))[0]?.faults).toMatchObject([{ code: 'certificate_revoked' }]);
  });

  test('what openssl signed is refused once it was changed', () => {
    const pdf = signed('rsa', '-md sha256 -cades');
    pdf.write('900', pdf.indexOf('100 euros'), 'latin1');
    expect(inspect(pdf)[0]?.faults).toMatchObject([{ code: 'digest_mismatch' }]);
  });
});
