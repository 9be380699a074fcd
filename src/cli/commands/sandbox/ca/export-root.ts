// Writes the root certificate of the sandbox, with earlier ones of the same root, and says how to make programs trust it.
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { openFolder } from '../../../sending/output-folder.ts';

export type ExportOptions = { output: string | undefined; pem: boolean; der: boolean };

const PEM_FILE = 'esign-sandbox-root.pem';
const DER_FILE = 'esign-sandbox-root.cer';
const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export async function exportRoot(
  context: Uses<'connections' | 'process' | 'settings'>,
  wish: ExportOptions,
): Promise<Outcome> {
  const { client } = await context.connections.sandbox();
  const { pem, ...root } = await client['sandbox.authority']();
  const formats = wish.pem || wish.der ? wish : { pem: true, der: true };
  const wanted = [
    ...(formats.pem ? [{ name: PEM_FILE, bytes: Buffer.from(pem) }] : []),
    ...(formats.der ? (pem.match(CERTIFICATE) ?? []).map(derFile) : []),
  ];
  const folder = await openFolder(context, wish.output ?? '.', {
    isForced: context.settings.yes,
    force: '--yes',
  });
  // Replacing a file by the same certificate loses nothing.
  const missing: typeof wanted = [];
  for (const file of wanted) if (!(await folder.holds(file.name, file.bytes))) missing.push(file);
  await folder.mustBeFree(missing.map(({ name }) => name));
  for (const { name, bytes } of missing) await folder.write(name, bytes);
  const files = wanted.map(({ name }) => folder.pathOf(name));
  return {
    kind: 'record',
    json: { ...root, files },
    entries: [
      { key: 'name', label: 'Root certificate', value: root.name },
      { key: 'sha256', label: 'SHA-256', value: root.sha256 },
      { key: 'valid_to', label: 'Valid until', value: { instant: root.valid_to } },
      ...files.map((value, index) => ({ key: 'file', label: index === 0 ? 'Written' : '', value })),
    ],
    notes: [
      ...(formats.der ? trustInAcrobat(folder.pathOf(DER_FILE)) : []),
      ...(formats.pem ? trustElsewhere(folder.pathOf(PEM_FILE)) : []),
      ...(formats.der ? [] : ['For Acrobat, export the DER format as well: leave out --pem.']),
      ...(formats.pem
        ? []
        : ['For Firefox, pdfsig and the system, export the PEM format as well: leave out --der.']),
      'Trust it only for testing, because no one can verify who created it.',
    ],
  };
}

/** DER has no room for a second certificate: the root before a renewal has a file of its own. */
const derFile = (pem: string, index: number) => ({
  name: index === 0 ? DER_FILE : DER_FILE.replace('.cer', `-${index + 1}.cer`),
  bytes: Buffer.from(pem.replace(/-----[A-Z ]+-----/g, ''), 'base64'),
});

const trustInAcrobat = (der: string): string[] => [
  'To trust it in Acrobat: Preferences > Signatures > Identities & Trusted Certificates > More > Trusted Certificates > Import,',
  `  choose ${der}, then Edit Trust > "Use this certificate as a trusted root" and "Certified documents"`,
];

const trustElsewhere = (pem: string): string[] => [
  'In an NSS database, as used by Firefox and pdfsig (pdfsig -nssdir):',
  `  certutil -A -d sql:FOLDER -n esign-sandbox -t C,C,C -i ${pem}`,
  'In the system, on Debian and Ubuntu:',
  `  sudo install -m 644 ${pem} /usr/local/share/ca-certificates/esign-sandbox-root.crt && sudo update-ca-certificates`,
];
