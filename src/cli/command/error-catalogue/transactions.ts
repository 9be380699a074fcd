// Errors about transactions: their recipients, the plan of sending one, and what can be done in which status.
import { didYouMean } from '../../../common/nearest.ts';
import { errorRow, plainErrorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const exit = EXIT.usage;

/** A recipient as it was typed, and how the sentence about it continues. `name`: the option; absent for the answer to a question. */
type Typed = { name?: string | undefined; value: string; problem: string; hint: string };

const typed = (sample: Pick<Typed, 'problem' | 'hint'>) =>
  errorRow<Typed>({
    exit,
    sentence: ({ name, value, problem }) => `${name === undefined ? '' : `${name} `}"${value}" ${problem}.`,
    hint: ({ hint }) => hint,
    samples: [{ name: '--to', value: 'VALUE', ...sample }],
  });

const isOpen = (outcome: string): boolean => outcome === 'draft' || outcome === 'started';

const aDraft = (outcome: string): string => (outcome === 'draft' ? 'a draft' : outcome);

export const TRANSACTION_ERRORS = {
  recipient_missing: errorRow<{ draft?: string }>({
    exit,
    sentence: ({ draft }) =>
      draft === undefined
        ? 'No recipients given.'
        : `The draft ${draft} has no recipients. A draft can be updated only when it has at least one.`,
    hint: () => 'Add a recipient with --to "Ada <ada@example.com>".',
    samples: [{}, { draft: 'TRANSACTION' }],
  }),
  recipient_invalid: typed({ problem: 'contains a control character', hint: 'Remove it.' }),
  email_invalid: errorRow<{ name?: string | undefined } & ({ email: string } | { value: string })>({
    exit,
    sentence: (facts) => {
      const option = facts.name === undefined ? '' : `${facts.name}: `;
      return 'email' in facts
        ? `${option}"${facts.email}" is not a valid email address.`
        : `${option}"${facts.value}" has no email address.`;
    },
    hint: () => 'For example "Ada <ada@example.com>".',
    samples: [{ name: '--to', email: 'EMAIL' }, { name: '--to', value: 'Ada' }, { email: 'EMAIL' }],
  }),
  recipient_twice: errorRow<{ recipient: string; isTyped?: boolean }>({
    exit,
    sentence: ({ recipient, isTyped }) =>
      isTyped ? `You have already entered ${recipient}.` : `--to contains ${recipient} twice.`,
    hint: () => 'Add each recipient once. Two people with the same email address need different names.',
    samples: [{ recipient: 'NAME <EMAIL>' }, { recipient: 'NAME <EMAIL>', isTyped: true }],
  }),
  recipient_fields_lost: errorRow<{ recipients: readonly string[] }>({
    exit,
    sentence: ({ recipients }) =>
      `The update removes ${recipients.length === 1 ? 'a recipient' : 'recipients'} with fields: ${recipients.join('; ')}.`,
    hint: () =>
      'Nothing was changed. Add --yes to remove these fields. A recipient with the email or the name of an earlier one keeps their fields.',
    samples: [
      { recipients: ['NAME <EMAIL> (signature on page 1)'] },
      { recipients: ['A <a@x.test> (date on page 1)', 'B <b@x.test> (signature on page 1)'] },
    ],
  }),
  sender_missing: plainErrorRow({
    exit,
    sentence: 'No sender given.',
    hint: 'Add --sender "Name <email>" or set ESIGN_SENDER. The sender is the user that the access token belongs to.',
  }),
  sender_email_mismatch: errorRow<{
    given: string;
    own: string;
    /** Whose access token it is; `profile` where a login of this machine has it. */
    tokenOf: 'sandbox' | { profile: string } | 'environment';
  }>({
    exit,
    sentence: ({ given, own, tokenOf }) =>
      tokenOf === 'sandbox'
        ? `The sender is ${given}, but the user of the sandbox is ${own}.`
        : `The sender is ${given}, but the access token belongs to ${own}.`,
    hint: ({ own, tokenOf }) =>
      tokenOf === 'sandbox'
        ? 'Leave the sender out. In the sandbox, its own user sends.'
        : `Nothing was sent. Use --sender ${own}, or leave out --sender and ESIGN_SENDER: the user of the token sends.`,
    next: ({ tokenOf }) =>
      typeof tokenOf === 'object'
        ? [{ command: `esign login --profile ${tokenOf.profile}`, when: 'to log in as the sender' }]
        : [],
    samples: [
      { given: 'EMAIL', own: 'OWN_EMAIL', tokenOf: 'sandbox' },
      { given: 'EMAIL', own: 'OWN_EMAIL', tokenOf: { profile: 'PROFILE' } },
    ],
  }),
  sender_refused_before: errorRow<{ given: string; profile: string; service: string }>({
    exit,
    sentence: ({ given, profile, service }) =>
      `The sender is ${given}, but the login of the profile "${profile}" belongs to another user: ${service} has refused this sender before.`,
    hint: () =>
      'Nothing was sent. Specify the user you logged in as with --sender, or log in as the sender with `esign login`.',
    next: ({ profile }) => [{ command: `esign login --profile ${profile}`, when: 'to log in as the sender' }],
    samples: [{ given: 'EMAIL', profile: 'PROFILE', service: 'SERVICE' }],
  }),
  content_lost: errorRow<{ documents: string; losses: string }>({
    exit,
    sentence: ({ documents, losses }) => `The conversion of ${documents} lost content: ${losses}`,
    hint: () => 'Nothing was sent. Send a PDF, or add --accept-losses to send what was converted.',
    samples: [{ documents: '"FILE"', losses: 'A chart on page 2 is not shown.' }],
  }),
  template_missing: plainErrorRow({
    exit,
    sentence: 'The service has no templates.',
    hint: 'Specify a file to send.',
  }),
  items_too_many: errorRow<{ what: 'recipients' | 'templates' | 'fields'; count: number; most: number }>({
    exit,
    sentence: ({ what, count, most }) => `There are ${count} ${what}. A transaction has at most ${most}.`,
    hint: () => 'Nothing was sent. Send several transactions.',
    samples: [{ what: 'recipients', count: 101, most: 100 }],
  }),
  template_recipients_differ: errorRow<{
    templates: readonly string[];
    given: number;
    /** With their fields. */
    recipients: readonly string[];
    isMissing: boolean;
  }>({
    exit,
    sentence: ({ templates, given, recipients }) =>
      `--to names ${given} ${given === 1 ? 'recipient' : 'recipients'}, but ${templates.length === 1 ? `the template ${templates[0]} has` : `the templates ${templates.join(', ')} have`} ${recipients.length}: ${recipients.join('; ')}.`,
    hint: ({ isMissing }) =>
      `Nothing was sent. ${isMissing ? 'Add a --to for each of them, in this order; an email or name of the template finds its own place.' : 'Leave out the others, or add a FILE that they sign.'} Without --to, these people are asked.`,
    samples: [
      {
        templates: ['ID'],
        given: 1,
        recipients: ['NAME <EMAIL> (signature)', 'OTHER <OTHER_EMAIL> (no field)'],
        isMissing: true,
      },
      { templates: ['ID', 'ID'], given: 2, recipients: ['NAME <EMAIL> (signature)'], isMissing: false },
    ],
  }),
  plan_not_found: errorRow<{ plan: string; meant?: string | undefined }>({
    exit: EXIT.notFound,
    sentence: ({ plan }) => `Plan "${plan}" not found on this machine.`,
    hint: ({ meant }) =>
      didYouMean(
        meant,
        'A plan can be resumed only on the machine where `esign tx send` was run, with the same ESIGN_HOME.',
      ),
    samples: [{ plan: 'PLAN' }, { plan: 'plan-abcd2345efgj', meant: 'plan-abcd2345efgh' }],
  }),
  plan_of_another_service: errorRow<{ plan: string; service: string; current: string }>({
    exit,
    sentence: ({ plan, service, current }) =>
      `The plan ${plan} was made for ${service}. This command uses ${current}.`,
    hint: ({ service }) =>
      service === 'sandbox' ? 'Add --sandbox.' : 'Use the same profile, or set the same ESIGN_BASE_URL.',
    samples: [
      { plan: 'PLAN', service: 'SERVICE', current: 'CURRENT' },
      { plan: 'p', service: 'sandbox', current: 'https://x.test' },
    ],
  }),
  plan_newer: errorRow<{ plan: string }>({
    exit,
    sentence: ({ plan }) => `The plan ${plan} was written by a newer version of esign.`,
    hint: () => 'Nothing was done. Update esign, then resume the plan.',
    samples: [{ plan: 'PLAN' }],
  }),
  plan_unreadable: errorRow<{ plan: string }>({
    exit,
    sentence: ({ plan }) => `The plan ${plan} cannot be read: it is damaged, or another program wrote it.`,
    hint: () =>
      'Nothing was done. Look for a draft in the dashboard of the service, delete it, and send again without --resume.',
    samples: [{ plan: 'PLAN' }],
  }),
  plan_in_use: errorRow<{ plan: string }>({
    exit: EXIT.conflict,
    retryable: true,
    sentence: ({ plan }) => `Another process is running the plan ${plan}.`,
    hint: () => 'Wait until that process has ended.',
    samples: [{ plan: 'PLAN' }],
  }),
  outcome_unknown: errorRow<{ name: string }>({
    exit: EXIT.partly,
    sentence: () =>
      'The service did not respond, and esign cannot check what happened. The transaction may or may not have been created.',
    hint: ({ name }) =>
      `Look for a draft named "${name}" in the dashboard of the service. If there is none, send again without --resume.`,
    samples: [{ name: 'NAME' }],
  }),
  nobody_to_sign: errorRow<{ id: string; outcome: string }>({
    exit: EXIT.conflict,
    sentence: ({ id, outcome }) => `Transaction ${id} is ${aDraft(outcome)}: no recipient can sign it now.`,
    next: ({ id, outcome }) => [
      outcome === 'draft'
        ? { command: `esign tx start ${id}`, when: 'to start it' }
        : { command: `esign tx show ${id}`, when: 'to see who has signed' },
    ],
    samples: [
      { id: 'TRANSACTION', outcome: 'completed' },
      { id: 'a', outcome: 'draft' },
    ],
  }),
  app_url_missing: plainErrorRow({
    exit,
    sentence:
      'The URL of the signing pages is not known: no setting has it, and the service does not say it. Signing URLs are made from it.',
    hint: 'Set it with `esign config set app_url https://…`, or in ESIGN_APP_URL.',
  }),
  dashboard_url_missing: plainErrorRow({
    exit,
    sentence:
      'The URL of the dashboard is not known: no setting has it, and the service does not say it. No recipient can sign now, so the page to open is the one in the dashboard.',
    hint: 'Set it with `esign config set dashboard_url https://…`, or in ESIGN_DASHBOARD_URL.',
  }),
  signing_address_unknown: plainErrorRow({
    exit: EXIT.notFound,
    sentence: 'The service does not return a signing URL for the recipient.',
    hint: 'It is shown only to the user who sends the transaction. The recipient finds it in the email from the service.',
  }),
  transaction_not_started: errorRow<{ id: string; outcome: string; action?: string }>({
    exit: EXIT.conflict,
    sentence: ({ id, outcome, action }) =>
      `Transaction ${id} is ${aDraft(outcome)}${action === undefined ? '' : `; only a transaction with the status started can be ${action}`}.`,
    next: ({ id }) => [{ command: `esign tx show ${id}`, when: 'to see its current status' }],
    samples: [
      { id: 'TRANSACTION', outcome: 'cancelled' },
      { id: 'a', outcome: 'draft', action: 'cancelled' },
    ],
  }),
  transaction_not_completed: errorRow<{ id: string; outcome: string }>({
    exit: ({ outcome }) => (isOpen(outcome) ? EXIT.conflict : EXIT.endedBadly),
    sentence: ({ id, outcome }) =>
      `Transaction ${id} is ${aDraft(outcome)}. It has no sealed documents${isOpen(outcome) ? ' yet' : ''}.`,
    next: ({ id, outcome }) => [
      ...(outcome === 'started'
        ? [{ command: `esign tx wait ${id}`, when: 'to wait until it is completed' }]
        : []),
      { command: `esign tx download ${id} --original`, when: 'to download the documents as they were sent' },
    ],
    samples: [
      { id: 'TRANSACTION', outcome: 'started' },
      { id: 'a', outcome: 'rejected' },
      { id: 'b', outcome: 'draft' },
    ],
  }),
  documents_missing: errorRow<{ id: string }>({
    exit: EXIT.conflict,
    sentence: ({ id }) => `Transaction ${id} has no documents yet.`,
    next: ({ id }) => [{ command: `esign tx upload ${id} FILE`, when: 'to add one' }],
    samples: [{ id: 'TRANSACTION' }],
  }),
  document_not_given: errorRow<{ document: string; hint: string }>({
    exit: EXIT.notFound,
    sentence: ({ document }) => `The service offers no download of "${document}".`,
    hint: ({ hint }) => hint,
    samples: [
      { document: 'DOCUMENT', hint: 'Get the document from the dashboard or the email of the service.' },
    ],
  }),
  download_damaged: errorRow<{ document: string; found: string; expected: string }>({
    exit: EXIT.network,
    retryable: true,
    sentence: ({ document, found, expected }) =>
      `The download of "${document}" is damaged: its SHA-256 is ${found}, not ${expected}.`,
    hint: () => 'No file was written. Try again.',
    samples: [{ document: 'DOCUMENT', found: 'SHA256', expected: 'EXPECTED_SHA256' }],
  }),
  download_not_pdf: errorRow<{ document: string }>({
    exit: EXIT.network,
    sentence: ({ document }) => `The service did not return a PDF for "${document}".`,
    hint: () =>
      'No file was written. Try again. To see what the service returns, use `esign api file.content`.',
    samples: [{ document: 'DOCUMENT' }],
  }),
  evidence_missing: plainErrorRow({
    exit: EXIT.notFound,
    sentence: 'The document contains no evidence.',
    hint: 'Leave out --evidence. Only documents that esign has sealed contain evidence.',
  }),
  evidence_damaged: errorRow<{ fault: string }>({
    exit: EXIT.endedBadly,
    sentence: ({ fault }) => `The evidence in the document is damaged (${fault}).`,
    hint: () => 'Check the document with `esign verify FILE`.',
    samples: [{ fault: 'FAULT' }],
  }),
  answer_incomplete: errorRow<{ missing: string }>({
    exit: EXIT.unexpected,
    sentence: ({ missing }) => `The response of the service does not contain ${missing}.`,
    hint: () => 'Check the URL of the service. `esign api` prints a response unchanged.',
    samples: [{ missing: 'VALUE' }],
  }),
  insufficient_scope: errorRow<{ profile: string; granted: readonly string[]; missing: readonly string[] }>({
    exit: EXIT.access,
    sentence: ({ profile, missing }) =>
      `The login of the profile "${profile}" lacks the scope ${missing.join(', ')}. Nothing was sent.`,
    hint: () => 'Log in again with this scope.',
    next: ({ profile, granted, missing }) => [
      {
        command: `esign login --profile ${profile} --scopes ${[...granted, ...missing].join(',')}`,
        when: 'to log in with this scope',
      },
    ],
    samples: [{ profile: 'PROFILE', granted: ['transaction.read'], missing: ['SCOPE'] }],
  }),
};
