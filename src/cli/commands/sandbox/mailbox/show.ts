import { defineCommand } from '../../../command/command.ts';

export const command = defineCommand({
  summary: 'Show an email',
  details:
    'Prints the email as text unless another format is requested. --eml prints what a mail ' +
    'server receives, with headers and attachments; mail programs can open it as an .eml file. Only its ' +
    'signing link differs: the evidence says that it was opened from the mailbox.',
  arguments: [
    { name: 'id', completes: 'mail', summary: 'ID of the email, from `esign sandbox mailbox list`' },
  ],
  options: {
    html: { summary: 'Print the HTML version' },
    eml: { summary: 'Print the complete email with headers and attachments' },
    output: {
      short: 'o',
      value: 'FILE',
      completes: 'file',
      summary: 'File to write to, with --eml or --html',
    },
  },
  json: '{id, transaction_id, recipient_id, kind, language, created, from, reply_to, to, subject, body, html, attachments: [{id, name, size_bytes}], delivery: null}; with --output {id, file}',
  examples: [
    { line: 'esign sandbox mailbox show ID', about: 'Read an email' },
    {
      line: 'esign sandbox mailbox show ID --eml -o invitation.eml',
      about: 'Save an email as a file for a mail program',
    },
  ],
  async run(context, { args, options }) {
    const { showMailMessage } = await import('./show-mail.ts');
    return showMailMessage(context, args.id, {
      html: options.html === true,
      eml: options.eml === true,
      output: options.output,
    });
  },
});
