import { defineCommand } from '../../../command/command.ts';
import { UPDATE_ARGUMENTS, UPDATE_OPTIONS } from './options.ts';

export const command = defineCommand({
  summary: 'Change the properties, recipients or documents of a draft',
  details:
    'Changes only the properties you specify; everything else stays unchanged. Lists (--to, --document) ' +
    'replace the existing list.',
  arguments: UPDATE_ARGUMENTS,
  options: UPDATE_OPTIONS,
  json: '{id, name, status, outcome, profile, documents: […], recipients: […]}',
  examples: [
    {
      line: 'esign tx update @ --name "Second version" --expires 14',
      about: 'Change the name and the expiry',
    },
    {
      line: 'esign tx update @ --to "Ada <ada@example.com>" --to "Grace <grace@example.com>"',
      about: 'Replace the recipients: Ada signs first, then Grace',
    },
  ],
  async check(_, { options }) {
    (await import('./update-draft.ts')).readUpdateOptions(options);
  },
  async run(context, input) {
    const { updateDraft } = await import('./update-draft.ts');
    return updateDraft(context, input);
  },
});
