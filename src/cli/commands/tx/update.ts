import { defineCommand, type Input } from '../../command.ts';
import { TEXT_OPTIONS } from './text-options.ts';

const ARGUMENTS = [{ name: 'id', completes: 'transaction', summary: 'id of the transaction' }] as const;

const OPTIONS = {
  ...TEXT_OPTIONS,
  to: {
    value: 'RECIPIENT',
    repeat: true,
    completes: 'recipient',
    summary: 'all who are asked, in this order: "Name <email>[;role=proxy]"',
  },
  sender: { value: 'PERSON', summary: 'who sends: "Name <email>"' },
  document: { value: 'ID', repeat: true, summary: 'all documents, in this order, by id' },
  from: {
    value: 'FILE',
    completes: 'file',
    summary: 'properties of the update as JSON; - is standard input',
  },
} as const;

export type UpdateInput = Input<typeof ARGUMENTS, typeof OPTIONS>;

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
  async run(app, input) {
    const { updateDraft } = await import('../../flows/update.ts');
    return updateDraft(app, input);
  },
});
