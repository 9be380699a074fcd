// The form of the MCP server in which a person confirms that real people are written to: everything of the call that reaches them. What
// would be too long to read is refused and not cut.

import { LIMITS } from '../../api/contract/limits.ts';
import { codePoints } from '../../api/contract/values.ts';
import { cliError, PartialFailure } from '../command/errors.ts';
import { safeText } from '../terminal/safe-text.ts';
import { idOf, type Question, type ToolCommand } from './tool.ts';

type Shown = {
  name?: string | null;
  recipients?: { name: string; email: string; role?: string | null }[];
  recipient?: { name: string; email: string };
};

/** Makes one line of a text of other people. Nothing is cut, because the rest would be sent unread. */
function shownText(text: unknown, longest: number = LIMITS.textLength): string {
  const whole = String(text);
  const length = codePoints(whole);
  if (length > longest)
    throw formTooLong(
      `the text "${safeText(whole.slice(0, 40))}…" has ${length} characters, and at most ${longest} are shown`,
    );
  return safeText(whole);
}

/** Makes the error for a form that nobody would read to its end. */
const formTooLong = (why: string) =>
  cliError('confirmation_too_long', {
    sentence: `A person must confirm this and cannot be shown all of it: ${why}. Nothing was sent.`,
    hint: 'Use fewer fields with texts, or shorter texts. A person can send it with `esign tx send`.',
  });

/** A name must not look like another address. */
const shownPerson = ({ name, email }: { name: string; email: string }): string =>
  `${/[<>"]/.test(name) ? JSON.stringify(shownText(name)) : shownText(name)} <${shownText(email)}>`;

/** @returns no line where the value is absent */
const labelled = (label: string, value: unknown): string[] =>
  value === undefined || value === null || value === '' ? [] : [`${label}: "${shownText(value)}"`];

const peopleLines = ({ recipients = [] }: Shown): string[] =>
  recipients
    .filter(({ role }) => role !== 'sender')
    .map(
      (recipient, index) =>
        `${index + 1}. ${shownPerson(recipient)}${recipient.role === 'proxy' ? ', on behalf of another person' : ''}`,
    );

const showing = (id: string): ToolCommand => ({ path: ['tx', 'show'], args: { id } });

/** Shows the transaction before somebody of it is written to. */
const aboutTransaction = (lines: Question['lines']): Question => ({
  prepare: async ({ input: values, run }) => ({ json: await run(showing(idOf(values).id)) }),
  lines,
});

const shownName = ({ name }: Shown): string => `"${shownText(name ?? 'Untitled')}"`;

export const ABOUT_REMINDING = aboutTransaction((json) => {
  const { recipient } = json as Shown;
  return [
    `Send a reminder of ${shownName(json as Shown)} to`,
    recipient ? shownPerson(recipient) : 'whoever of these has to sign now (the service does not tell):',
    ...(recipient ? [] : peopleLines(json as Shown)),
  ];
});

export const ABOUT_CANCELLING = aboutTransaction((json, { reason }) => [
  `Cancel ${shownName(json as Shown)}`,
  ...labelled('Reason, which the recipients may see', reason),
  ...peopleLines(json as Shown),
]);

type Content = {
  documents: readonly { name: string; pages: number | null }[];
  people: Shown;
  fields: readonly ShownField[];
  texts: {
    name?: string | null;
    description?: string | null;
    email_subject?: string | null;
    email_body?: string | null;
    email_alias?: string | null;
  };
  days: number | null | undefined;
};

type ShownField = {
  type?: string | null;
  /** The name of its document. */
  document?: string | undefined;
  /** From 0. */
  page?: number | null;
  words?: { text: string };
  label?: string | null;
  value?: string | null;
  helper_text?: string | null;
  options?: readonly string[] | null;
  readonly?: boolean | null;
  /** The value is drawn into the document, and there is no field. */
  isDrawn?: true;
};

/** The message comes last, because it is the longest. */
const contentLines = ({ documents, people, fields, texts, days }: Content): string[] => [
  'Documents:',
  ...documents.map(({ name, pages }) => `- ${shownText(name)}${pageCount(pages)}`),
  'Recipients:',
  ...peopleLines(people),
  ...(typeof days === 'number' ? [`Expires after ${days} days`] : []),
  `Fields: ${fieldCounts(fields)}`,
  ...fieldLines(fields, documents.length > 1),
  ...labelled('Name', texts.name),
  ...labelled('Description', texts.description),
  ...labelled('Sender shown in emails', texts.email_alias),
  ...labelled('Subject', texts.email_subject),
  ...labelled('Message', texts.email_body),
];

/** A person reads no more. */
const MOST_FIELD_LINES = 50;
const LONGEST_FIELD_TEXT = 300;

/**
 * Shows each field that brings a text of its own, because that text becomes a part of the document or stands beside it.
 * @throws CliError where these are too many
 */
function fieldLines(fields: Content['fields'], namesDocuments: boolean): string[] {
  const lines = fields.flatMap((field) => fieldLine(field, namesDocuments));
  if (lines.length > MOST_FIELD_LINES)
    throw formTooLong(`${lines.length} fields have texts, and at most ${MOST_FIELD_LINES} are shown`);
  const length = codePoints(lines.join(''));
  if (length > LIMITS.textLength)
    throw formTooLong(
      `the texts of fields have ${length} characters, and at most ${LIMITS.textLength} are shown`,
    );
  return lines;
}

/** @returns such as `- text on page 1, read-only: label "Sum", value "100"`, or no line for a field without texts */
function fieldLine(field: ShownField, namesDocuments: boolean): string[] {
  const { type, document, page, words, readonly, isDrawn } = field;
  const texts = [
    ...fieldText('label', field.label === type ? undefined : field.label),
    ...fieldText('value', field.value),
    ...fieldText('help', field.helper_text),
    ...(field.options ?? []).flatMap((option) => fieldText('option', option)),
  ];
  if (texts.length === 0 && readonly !== true) return [];
  const place = [
    shownText(type ?? 'unknown'),
    ...(typeof page === 'number' ? [`on page ${page + 1}`] : words ? [`at ${quoted(words.text)}`] : []),
    ...(namesDocuments && document !== undefined ? [`of ${quoted(document)}`] : []),
  ].join(' ');
  const marks = `${readonly === true ? ', read-only' : ''}${isDrawn ? ', written into the document' : ''}`;
  return [`- ${place}${marks}${texts.length > 0 ? `: ${texts.join(', ')}` : ''}`];
}

const fieldText = (name: string, text: string | null | undefined): string[] =>
  text === undefined || text === null || text === '' ? [] : [`${name} ${quoted(text)}`];

/** Several texts share a line, so none may look as if it ended early. */
const quoted = (text: string): string => `"${shownText(text.replace(/["\\]/g, '\\$&'), LONGEST_FIELD_TEXT)}"`;

const pageCount = (pages: number | null): string =>
  pages === null ? '' : `, ${pages} ${pages === 1 ? 'page' : 'pages'}`;

/** A field of a plan has the position of its document. */
type PlannedField = Omit<ShownField, 'document'> & { document: number };

/** Shows the plan. Nothing of a file leaves this machine before the person has confirmed. */
export const ABOUT_FILES: Question = {
  prepare: async ({ command, run }) => ({
    json: await run({ ...command, options: { ...command.options, 'dry-run': true } }),
  }),
  lines(json) {
    const {
      files,
      fields,
      drawn_values: drawn = [],
      transaction,
    } = json as {
      files: Content['documents'];
      fields: PlannedField[];
      drawn_values?: PlannedField[];
      transaction: Content['texts'] & { expiration_days?: number };
    };
    return contentLines({
      documents: files,
      people: json as Shown,
      fields: [...fields, ...drawn.map((value) => ({ ...value, isDrawn: true as const }))].map(
        ({ document, ...field }) => ({ ...field, document: files[document]?.name }),
      ),
      texts: transaction,
      days: transaction.expiration_days,
    });
  },
};

/** Shows the draft, because a service tells all that a template brings only of a transaction that it has made of it. */
export const ABOUT_TEMPLATE: Question = {
  async prepare({ command, run }) {
    const { id } = (await run({ ...command, options: { ...command.options, draft: true } })) as {
      id: string;
    };
    const draft = { id, start: { path: ['tx', 'start'], args: { id } } };
    const json = await run(showing(id)).catch((error: unknown) => {
      throw new PartialFailure(error, { partial: { id } });
    });
    return { json, draft };
  },
  lines(json) {
    const {
      documents,
      template,
      expiration_days: days,
    } = json as {
      documents: (Content['documents'][number] & { id: string })[];
      template?:
        | (Content['texts'] & { fields?: (ShownField & { document_id?: string | null })[] | null })
        | null;
      expiration_days?: number | null;
    };
    const { fields, ...texts } = template ?? {};
    const named = (fields ?? []).map(({ document_id: id, ...field }) => ({
      ...field,
      document: documents.find((document) => document.id === id)?.name,
    }));
    return contentLines({ documents, people: json as Shown, fields: named, texts, days });
  },
};

/** The draft that is made of a template would take the files to the service before anybody has confirmed. */
export const ABOUT_BOTH: Question = {
  async prepare() {
    throw cliError('template_with_files', {
      sentence:
        'A template and files cannot be sent together where a person must confirm: the files would reach the service before. Nothing was sent.',
      hint: 'Send the template or the files. With `draft`, both are uploaded and nobody is asked.',
    });
  },
  lines: () => [],
};

/** @returns such as `2 signature, 1 text` */
function fieldCounts(fields: Content['fields']): string {
  const counts = new Map<string, number>();
  for (const { type } of fields.filter(({ isDrawn }) => !isDrawn))
    counts.set(type ?? 'unknown', (counts.get(type ?? 'unknown') ?? 0) + 1);
  return [...counts].map(([type, count]) => `${count} ${shownText(type)}`).join(', ') || 'none';
}
