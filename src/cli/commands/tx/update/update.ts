import { defineCommand } from '../../../command/command.ts';
import { ARGUMENTS, OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'change what is named of a draft',
  details: 'Reads the draft, changes what is named, writes it. What is not named stays as it is.',
  arguments: ARGUMENTS,
  options: OPTIONS,
  json: '{id, name, status, outcome, profile, documents: […], recipients: […]}',
  examples: [
    { line: 'esign tx update ID --name "Second version" --expires 14', about: 'another name and term' },
    {
      line: 'esign tx update ID --to "Ada <ada@example.com>" --to "Grace <grace@example.com>"',
      about: 'Ada first, then Grace',
    },
  ],
  async run(context, input) {
    const { updateDraft } = await import('./update-draft.ts');
    return updateDraft(context, input);
  },
});
