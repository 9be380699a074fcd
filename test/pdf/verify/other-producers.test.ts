// Files that iText, PDFBox and poppler signed one after the other: each of them writes a later save in its own way, and all of them are sound.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { fileAsJson } from '../../../src/cli/commands/verify/as-json.ts';
import { verifyFile } from '../../../src/cli/commands/verify/verified-file.ts';
import { compareVersions } from '../../../src/pdf/render/comparison/compare-versions.ts';
import { readCertificates } from '../../../src/pdf/verify/verify.ts';
import { pdfOf } from '../../support/documents/pdf.ts';
import { basePdf, streamOf } from '../../support/documents/signed-pdf.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { need, needsCommand, unmet } from '../../support/tools.ts';

const JARS = ['itext5', 'pdfbox2', 'fontbox2', 'commons-logging', 'bcprov', 'bcpkix', 'bcutil'].map(
  (name) => `/usr/share/java/${name}.jar`,
);
const PROGRAM = fileURLToPath(new URL('../../support/producers/SignPdfs.java', import.meta.url));

const { skip, why } = unmet(
  ...['openssl', 'pdfsig', 'certutil', 'pk12util', 'javac'].map(needsCommand),
  need('libitext5-java, libpdfbox2-java or libbcpkix-java is not installed', () => JARS.every(existsSync)),
);

const PRODUCERS = ['itext', 'pdfbox', 'poppler'] as const;
type Producer = (typeof PRODUCERS)[number] | 'itext-certifying';

/** Its page inherits all it can, with more digits than some writers keep, and its catalog holds dictionaries in an array. */
const INHERITING = pdfOf([
  '<</Type/Catalog/Pages 2 0 R/PageLabels<</Nums[0<</S/r>>1<</S/D>>]>>>>',
  '<</Type/Pages/Count 1/Kids[3 0 R]/MediaBox[0 0 595.303937007874 841.889763779528]/Resources<</Font<</F 5 0 R>>>>>>',
  '<</Type/Page/Parent 2 0 R/Contents 4 0 R>>',
  streamOf('BT /F 12 Tf 20 150 Td (I owe you 100 euros) Tj ET').toString('latin1'),
  '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
]);
const BASES = { form: basePdf(), inheriting: INHERITING };

describe.skipIf(skip)(`signed by several programs${why}`, () => {
  let folder = '';
  const run = (command: string, words: readonly string[], input = '') =>
    execFileSync(command, words, { cwd: folder, input, stdio: ['pipe', 'pipe', 'pipe'] });
  const openssl = (line: string) => run('openssl', line.split(' '));

  /** Signs each of the files, which are named by those who signed them. */
  function sign(names: readonly string[]): void {
    const jobs = names.map((name) => {
      const pieces = name.split(' ');
      return {
        name,
        from: pieces.slice(0, -1).join(' '),
        by: pieces.at(-1) as Producer,
        field: `F${pieces.length}`,
      };
    });
    const lines = jobs
      .filter(({ by }) => by !== 'poppler')
      .map(({ name, from, by, field }) => `${by}\t${from}.pdf\t${name}.pdf\t${field}\n`);
    run('java', ['-cp', ['.', ...JARS].join(':'), 'SignPdfs', 'signer.p12'], lines.join(''));
    for (const { name, from } of jobs.filter(({ by }) => by === 'poppler'))
      run('pdfsig', [
        '-nssdir',
        'sql:keys',
        '-add-signature',
        '-nick',
        'signer',
        `${from}.pdf`,
        `${name}.pdf`,
      ]);
  }

  async function verify(name: string, change = (bytes: Buffer) => bytes) {
    const [root] = readCertificates(readFileSync(join(folder, 'root.pem')));
    const trust = { anchors: [{ certificate: root!, why: 'the test' }] };
    const bytes = change(readFileSync(join(folder, `${name}.pdf`)));
    const file = await verifyFile(name, bytes, {
      trust: { named: trust, all: async () => trust },
      // The clocks of certificates have whole seconds.
      now: Date.now() + 2000,
      level: undefined,
      original: undefined,
      password: undefined,
      textOfPage: () => async () => undefined,
      compareVersions,
    });
    return fileAsJson(file);
  }

  beforeAll(async () => {
    folder = await temporaryFolder();
    for (const [name, bytes] of Object.entries(BASES)) writeFileSync(join(folder, `${name}.pdf`), bytes);
    writeFileSync(
      join(folder, 'extensions'),
      'basicConstraints=CA:false\nkeyUsage=critical,digitalSignature\n',
    );
    openssl(
      'req -x509 -newkey rsa:2048 -nodes -keyout root.key -out root.pem -days 30 -subj /CN=Root -addext basicConstraints=critical,CA:true -addext keyUsage=critical,keyCertSign',
    );
    openssl('req -newkey rsa:2048 -nodes -keyout signer.key -out signer.csr -subj /CN=Signer');
    openssl(
      'x509 -req -in signer.csr -CA root.pem -CAkey root.key -CAcreateserial -days 20 -extfile extensions -out signer.pem',
    );
    openssl(
      'pkcs12 -export -inkey signer.key -in signer.pem -certfile root.pem -name signer -out signer.p12 -passout pass:secret',
    );
    run('mkdir', ['keys']);
    run('certutil', ['-N', '-d', 'sql:keys', '--empty-password']);
    run('pk12util', ['-i', 'signer.p12', '-d', 'sql:keys', '-W', 'secret']);
    run('javac', ['-cp', JARS.join(':'), '-d', '.', PROGRAM]);
    const first = [...PRODUCERS, 'itext-certifying'].flatMap((by) =>
      Object.keys(BASES).map((base) => `${base} ${by}`),
    );
    sign(first);
    sign(first.flatMap((name) => PRODUCERS.map((by) => `${name} ${by}`)));
  });

  const pairs = Object.keys(BASES).flatMap((base) =>
    PRODUCERS.flatMap((first) => PRODUCERS.map((second) => [base, first, second] as const)),
  );
  // iText and PDFBox put a new form into the catalog itself. Poppler 22.12 does not add its field there, so that only some programs find it.
  const isForgotten = ([base, first, second]: (typeof pairs)[number]) =>
    base === 'inheriting' && first !== 'poppler' && second === 'poppler';

  test.each(pairs.filter((pair) => !isForgotten(pair)))(
    'a %s by %s and then by %s is valid',
    async (...names) => {
      const report = await verify(names.join(' '));
      // PDFBox adds a field that shows nothing and no look for it: no page can have changed then.
      expect(report).toMatchObject({ verdict: 'valid', faults: [] });
      expect(['compared', 'not_needed']).toContain(report.rendering);
      expect(report.signatures.map(({ signer }) => signer?.name)).toEqual(['Signer', 'Signer']);
      expect(report.signatures[0]?.changes.map(({ kind }) => kind)).toContain('signature');
      const changed = await verify(names.join(' '), (bytes) => {
        bytes[bytes.indexOf('100 euros')] = 0x39;
        return bytes;
      });
      expect(changed.verdict).toBe('invalid');
    },
  );

  test.each(pairs.filter(isForgotten))(
    'a %s by %s and then by %s, whose field is in no form, is not',
    async (...names) => {
      const { verdict, signatures } = await verify(names.join(' '));
      expect(verdict).toBe('invalid');
      expect(signatures.map(({ faults }) => faults.map(({ code }) => code))).toEqual([
        ['changed_annotations'],
      ]);
    },
  );

  test('one that iText certified may be signed where nothing is seen of it', async () => {
    expect(await verify('form itext-certifying pdfbox')).toMatchObject({ verdict: 'valid' });
    const { signatures } = await verify('form itext-certifying itext');
    expect(signatures[0]?.faults.map(({ code }) => code)).toEqual(['overlay']);
  });
});
