// Writes a certificate for the developer's own server, and says how a server and its clients use it.
import { sandboxOperations } from '../../../../api/contract/sandbox.ts';
import type { Uses } from '../../../command/context.ts';
import type { Outcome } from '../../../command/outcome.ts';
import { parseWith } from '../../../input/parse-input.ts';
import { openFolder } from '../../../sending/output-folder.ts';

export type IssueOptions = { names: readonly string[]; output: string | undefined };

const OWNER_ONLY = 0o600;

export async function writeServerCertificate(
  context: Uses<'connections' | 'process' | 'settings'>,
  { names: given, output }: IssueOptions,
): Promise<Outcome> {
  const names = [...new Set(given.map((name) => name.toLowerCase()))];
  parseWith(sandboxOperations['sandbox.issue_certificate'].body, { names }, { names: 'NAME' });
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
