import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
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
  json: '{name, sha256, valid_from, valid_to, files}',
  examples: [
    { line: 'esign sandbox ca export', about: 'Write both formats and show how to trust them' },
    {
      line: 'esign sandbox ca export -o certificates --pem',
      about: 'Write the PEM file for openssl and pdfsig',
    },
  ],
  async run(context, { options }) {
    const { exportRoot } = await import('./export-root.ts');
    return exportRoot(context, { ...options, pem: options.pem === true, der: options.der === true });
  },
});
