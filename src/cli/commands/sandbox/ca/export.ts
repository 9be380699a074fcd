import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'write the root certificate that the sandbox seals documents with',
  details:
    'Programs that check a sealed PDF call its signature valid, and its signer unknown, until they trust the root certificate of the ' +
    'sandbox. This writes it as a file, and says how to make Acrobat, programs with an NSS database (Firefox, pdfsig) and a Linux system trust it. ' +
    'The certificate stays the same for the life of the sandbox, also after `esign sandbox reset`. Nobody outside can know who made ' +
    'it: trust it only where you test.',
  arguments: [],
  options: {
    output: {
      short: 'o',
      value: 'DIR',
      completes: 'folder',
      summary: 'folder to write to; left out, the one you are in',
    },
    pem: { summary: 'PEM alone (esign-sandbox-root.pem); left out, both are written' },
    der: { summary: 'DER alone (esign-sandbox-root.cer)' },
  },
  json: '{name, sha256, valid_from, valid_to, files}',
  examples: [
    { line: 'esign sandbox ca export', about: 'both files, and how to trust them' },
    { line: 'esign sandbox ca export -o certificates --pem', about: 'for openssl and pdfsig' },
  ],
  async run(context, { options }) {
    const { exportRoot } = await import('./export-root.ts');
    return exportRoot(context, { ...options, pem: options.pem === true, der: options.der === true });
  },
});
