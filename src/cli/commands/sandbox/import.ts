import { defineCommand } from '../../command/command.ts';
import { IMPORTED_JSON, importFile } from './exported-file.ts';

export const command = defineCommand({
  summary: 'Import an exported sandbox',
  details:
    'The sandbox must be empty; `esign sandbox reset --to FILE` replaces everything in one that is not. The whole file is verified first, and nothing is ' +
    'changed if any byte of it was. The URL, the key and the access token of the sandbox stay, and links in emails lead to its URL. The sandbox may be served ' +
    'meanwhile. A file of an earlier version is updated; one of a newer version is refused. The sandbox keeps its certificate authority, which `esign verify` trusts; that of ' +
    'another sandbox replaces it after a question, or with --trust-authority. Import only files that you trust: events and emails that wait are sent.',
  arguments: [{ name: 'file', summary: 'File of `esign sandbox export`', completes: 'file' }],
  options: {
    'trust-authority': {
      summary: 'Use the certificate authority in the file, which `esign verify` then trusts',
    },
  },
  json: IMPORTED_JSON,
  examples: [{ line: 'esign sandbox import leases.zip', about: 'Use the state of another sandbox' }],
  async run(context, { args: { file }, options }) {
    const trustsAuthority = options['trust-authority'] === true;
    return importFile(context, {
      file,
      replaces: false,
      trustsAuthority,
      headline: 'Imported the file into the sandbox.',
    });
  },
});
