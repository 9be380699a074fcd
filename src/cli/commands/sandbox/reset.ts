import { defineCommand } from '../../command/command.ts';
import type { Uses } from '../../command/context.ts';
import { cliError } from '../../command/errors.ts';
import { boolean, list, number, object, only, prints, text } from '../../command/json-output.ts';
import type { Outcome } from '../../command/outcome.ts';
import { notConfirmed } from '../../terminal/prompts.ts';
import { importFile } from './exported-file.ts';

export const command = defineCommand({
  summary: 'Delete all data in the sandbox',
  details:
    'Keeps the URL, the keys and the default user of the sandbox. With --to, the sandbox has the state of a file of `esign sandbox export` afterwards: the ' +
    'whole file is verified first, and everything is replaced at once, while the sandbox may be served. The certificate authority stays: ' +
    'that of another sandbox replaces it after a question, or with --trust-authority. Without a terminal, --yes is required.',
  arguments: [],
  options: {
    to: {
      short: 't',
      value: 'FILE',
      completes: 'file',
      summary: 'File of `esign sandbox export` with the new state',
    },
    'trust-authority': {
      summary: 'Use the certificate authority in the file of --to, which `esign verify` then trusts',
    },
  },
  json: prints(
    object({ reset: only(true) }),
    '; with --to, also ',
    object({
      file: text,
      secrets: boolean,
      tables: list(object({ name: text, rows: number, sha256: text })),
      blobs: object({ count: number, bytes: number, sha256: text }),
      authority: text,
    }),
  ),
  examples: [
    { line: 'esign sandbox reset --yes', about: 'Start again with an empty sandbox' },
    { line: 'esign sandbox reset --to leases.zip --yes', about: 'Start again with the state of a file' },
  ],
  async run(context, { options: { to, 'trust-authority': trusts } }) {
    if (to === undefined && trusts)
      throw cliError('option_missing', { sentence: '--trust-authority needs --to.', hint: 'Add --to.' });
    const question =
      to === undefined ? 'Delete everything in the sandbox?' : 'Replace everything in the sandbox?';
    if (!(await context.prompts.confirm(question))) throw notConfirmed();
    if (to !== undefined) {
      return resetToFile(context, { file: to, trustsAuthority: trusts === true });
    }
    const { client } = await context.connections.sandbox();
    const json = await client['sandbox.reset']({ body: {} });
    return {
      kind: 'record',
      json,
      headline: 'Deleted all data in the sandbox.',
      entries: [{ key: 'reset', value: true }],
    };
  },
});

export async function resetToFile(
  context: Uses<'connections' | 'prompts'>,
  wish: { file: string; trustsAuthority: boolean },
): Promise<Outcome> {
  const headline = 'Replaced the state of the sandbox.';
  const outcome = await importFile(context, { ...wish, replaces: true, headline });
  return {
    ...outcome,
    json: { reset: true, ...outcome.json },
    entries: [{ key: 'reset', value: true }, ...outcome.entries],
  };
}
