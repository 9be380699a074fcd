import { defineCommand } from '../../command/command.ts';
import { DATABASE_OPTIONS } from '../../input/serve-options.ts';

export const command = defineCommand({
  summary: 'Print the root certificate of a team server',
  details:
    'An installation without a certificate of its own (ESIGN_SERVE_SEALING_*) seals documents with an authority that it makes. ' +
    'Programs report such a signature as valid and its signer as unknown until they trust this root certificate.',
  arguments: [],
  options: DATABASE_OPTIONS,
  json: '{name, sha256, valid_from, valid_to, pem}',
  examples: [
    { line: 'esign serve ca > root.pem', about: 'Save the certificate for `esign verify --trust root.pem`' },
  ],
  async run(context, { options }) {
    const team = await context.connections.openTeamServer({ ...options, migrates: false });
    const root = await team.root();
    return { kind: 'text', text: root.pem.trimEnd(), json: root };
  },
});
