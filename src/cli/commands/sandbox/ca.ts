import { sandboxOperations } from '../../../api/contract/operations.ts';
import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { list, nameOnly, object, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { checkValue } from '../../input/check-value.ts';
import { openFolder } from '../../sending/output-folder.ts';

export const commands = {
  issue: defineCommand({
    summary: 'Issue a TLS certificate for a server on this machine',
    details:
      'Webhooks are always delivered over TLS, on this machine too. This command writes a certificate and ' +
      'its key for a server you develop, as NAME.pem and NAME-key.pem (after the first name). The sandbox ' +
      'trusts it when delivering webhooks; other programs trust it if you give them the same file. ' +
      'Certificates are limited to localhost, names below it and loopback addresses, and are valid for 367 ' +
      'days. The certificate authority that issues them is not the one that seals documents.',
    arguments: [
      { name: 'name', repeat: true, summary: 'Host name: localhost, a name below it, 127.0.0.1 or ::1' },
    ],
    options: {
      output: {
        short: 'o',
        value: 'DIR',
        completes: 'folder',
        summary: 'Directory to write to (default: the current directory)',
      },
    },
    json: prints(object({ names: nameOnly(list(text)), valid_to: text, certificate: text, key: text })),
    examples: [
      { line: 'esign sandbox ca issue localhost', about: 'Write localhost.pem and localhost-key.pem' },
      {
        line: 'esign sandbox ca issue localhost 127.0.0.1 ::1 -o certificates',
        about: 'Issue one certificate for a name and two IP addresses',
      },
    ],
    async run(context, { args, options }) {
      return writeServerCertificate(context, { names: args.name, output: options.output });
    },
  }),

  export: defineCommand({
    summary: 'Export the root certificate of sealed documents',
    details:
      'PDF readers report the signature of a sealed document as valid but its signer as unknown until they ' +
      'trust the root certificate of the sandbox. This command writes the certificate to a file and ' +
      'explains how to trust it in Acrobat, in programs with an NSS database (Firefox, pdfsig), and in a ' +
      'Linux system. The certificate stays the same, even after `esign sandbox reset`. Only when it is not valid at the ' +
      'time of this machine, it is issued again for the same key; the earlier one is then written as well. It proves ' +
      'nothing about who created it, so trust it only for testing.',
    arguments: [],
    options: {
      output: {
        short: 'o',
        value: 'DIR',
        completes: 'folder',
        summary: 'Directory to write to (default: the current directory)',
      },
      pem: { summary: 'Write only the PEM format, esign-sandbox-root.pem (default: both formats)' },
      der: { summary: 'Write only the DER format, esign-sandbox-root.cer (default: both formats)' },
    },
    json: prints(
      object({ name: text, sha256: text, valid_from: text, valid_to: text, files: nameOnly(list(text)) }),
    ),
    examples: [
      { line: 'esign sandbox ca export', about: 'Write both formats and show how to trust them' },
      {
        line: 'esign sandbox ca export -o certificates --pem',
        about: 'Write the PEM file for openssl and pdfsig',
      },
    ],
    async run(context, { options }) {
      return exportRoot(context, { ...options, pem: options.pem === true, der: options.der === true });
    },
  }),
};

type IssueOptions = { names: readonly string[]; output: string | undefined };

const OWNER_ONLY = 0o600;

async function writeServerCertificate(
  context: Uses<'connections' | 'process' | 'settings'>,
  { names: typedNames, output }: IssueOptions,
): Promise<Outcome> {
  const names = [...new Set(typedNames.map((name) => name.toLowerCase()))];
  checkValue(sandboxOperations['sandbox.issue_certificate'].body, { names }, { names: 'NAME' });
  const folder = await openFolder(context, output ?? '.', {
    isForced: context.settings.yes,
    force: '--yes',
  });
  const stem = stemOf(names[0]!);
  const [certificateFile, keyFile] = [`${stem}.pem`, `${stem}-key.pem`];
  await folder.mustBeFree([certificateFile, keyFile]);
  const { client } = await context.connections.sandbox();
  const issued = await client['sandbox.issue_certificate']({ body: { names } });
  const certificate = await folder.write(certificateFile, Buffer.from(issued.certificate));
  const key = await folder.write(keyFile, Buffer.from(issued.key), OWNER_ONLY);
  return {
    kind: 'record',
    json: { names, valid_to: issued.valid_to, certificate, key },
    entries: [
      { key: 'names', label: 'Names', value: names.join(', ') },
      { key: 'valid_to', label: 'Valid until', value: { instant: issued.valid_to } },
      { key: 'certificate', label: 'Certificate', value: certificate },
      { key: 'key', label: 'Key', value: key },
    ],
    notes: howToUse(certificate, key, names[0]!),
  };
}

/** The name of the file without its ending. An IPv6 address has colons, which some systems refuse in the name of a file. */
const stemOf = (name: string): string => (name.includes(':') ? 'loopback' : name);

const howToUse = (certificate: string, key: string, name: string): string[] => [
  'In Node.js:',
  `  https.createServer({ cert: fs.readFileSync('${certificate}'), key: fs.readFileSync('${key}') }, receive).listen(3000)`,
  'To create a webhook for it:',
  `  esign webhooks create --name Local --endpoint https://${name.includes(':') ? `[${name}]` : name}:3000/ --event transaction_completed`,
  'The sandbox trusts this certificate. For other programs:',
  `  NODE_EXTRA_CA_CERTS=${certificate} node client.js`,
  `  curl --cacert ${certificate} https://${name.includes(':') ? `[${name}]` : name}:3000/`,
];

type ExportOptions = { output: string | undefined; pem: boolean; der: boolean };

const PEM_FILE = 'esign-sandbox-root.pem';

const DER_FILE = 'esign-sandbox-root.cer';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

async function exportRoot(
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
