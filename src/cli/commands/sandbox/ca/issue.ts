import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
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
  json: '{names, valid_to, certificate, key}',
  examples: [
    { line: 'esign sandbox ca issue localhost', about: 'Write localhost.pem and localhost-key.pem' },
    {
      line: 'esign sandbox ca issue localhost 127.0.0.1 ::1 -o certificates',
      about: 'Issue one certificate for a name and two IP addresses',
    },
  ],
  async run(context, { args, options }) {
    const { writeServerCertificate } = await import('./issue-certificate.ts');
    return writeServerCertificate(context, { names: args.name, output: options.output });
  },
});
