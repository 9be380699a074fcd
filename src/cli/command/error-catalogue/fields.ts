// Errors about fields: how one is written, where it is placed, and who fills it in.
import { errorRow } from '../error-row.ts';
import { EXIT } from '../exit-codes.ts';

const exit = EXIT.usage;

const EXAMPLE = 'For example signature@last:60%,80%,30%x6%=ada@example.com. See `esign help fields`.';

type OffPage =
  | { field: string; document: string; page: number; count: number }
  | { field: string; document: string; page: number; width: number; height: number }
  | { field: string };

function offPage(facts: OffPage): string {
  if ('count' in facts)
    return `The field "${facts.field}" is on page ${facts.page}, but "${facts.document}" has ${facts.count} ${facts.count === 1 ? 'page' : 'pages'}.`;
  return 'width' in facts
    ? `The field "${facts.field}" does not fit on page ${facts.page} of "${facts.document}", which is ${facts.width} x ${facts.height} pt.`
    : `The field "${facts.field}" has no size, or begins outside the page.`;
}

export const FIELD_ERRORS = {
  field_invalid: errorRow<{ field: string; problem: string; hint?: string }>({
    exit,
    sentence: ({ field, problem }) => `The field "${field}" ${problem}.`,
    hint: ({ hint = EXAMPLE }) => hint,
    samples: [
      { field: 'FIELD', problem: 'is not of the form TYPE@PAGE:X,Y,WxH' },
      { field: 'a', problem: 'is for document 3, but there are 2', hint: 'Documents are numbered from 1.' },
    ],
  }),
  fields_invalid: errorRow<{ source: string; problem: string }>({
    exit,
    sentence: ({ source, problem }) => `${source} ${problem}.`,
    hint: () => 'See `esign help fields` for the properties of a field.',
    samples: [{ source: 'FILE', problem: 'is not a list of fields' }],
  }),
  field_off_page: errorRow<OffPage>({
    exit,
    sentence: offPage,
    hint: (facts) =>
      'count' in facts
        ? 'Page numbers start at 1. Use "last" for the last page.'
        : 'Positions are measured from the top left corner of the page. The whole field must be on the page.',
    samples: [
      { field: 'FIELD', document: 'FILE', page: 2, width: 595, height: 842 },
      { field: 'a', document: 'b', page: 4, count: 3 },
      { field: 'a', document: 'b', page: 4, count: 1 },
      { field: 'a' },
    ],
  }),
  page_size_unknown: errorRow<{ field: string; document: string } | { document: string }>({
    exit,
    sentence: (facts) =>
      'field' in facts
        ? `The field "${facts.field}" cannot be placed: esign does not know the page sizes of "${facts.document}".`
        : `No signature field can be placed: esign does not know the page sizes of "${facts.document}".`,
    hint: (facts) =>
      'field' in facts
        ? 'Use a page number instead of "last", and points (pt) for position and size.'
        : 'Add a field in points: --field "signature@1:72pt,650pt,200x50=EMAIL".',
    samples: [{ field: 'FIELD', document: 'FILE' }, { document: 'FILE' }],
  }),
  field_type_unknown: errorRow<{ field: string; type: string; known: readonly string[] }>({
    exit,
    sentence: ({ field, type }) => `The field "${field}" has the unknown type "${type}".`,
    hint: ({ known }) => `Use one of ${known.join(', ')}.`,
    samples: [{ field: 'FIELD', type: 'TYPE', known: ['text', 'signature'] }],
  }),
  field_without_file: errorRow<{ field: string }>({
    exit,
    sentence: ({ field }) => `The field "${field}" needs a file, but no file is given.`,
    hint: () => 'Specify a file. To place fields on the documents of a template, use `esign tx fields`.',
    samples: [{ field: 'FIELD' }],
  }),
  field_recipient_missing: errorRow<{ field: string }>({
    exit,
    sentence: ({ field }) => `The field "${field}" has no recipient, and the transaction has more than one.`,
    hint: () => 'Add =EMAIL, or = and the number of the recipient, starting at 1.',
    samples: [{ field: 'FIELD' }],
  }),
  field_recipient_unknown: errorRow<
    { field: string; recipient: string } | { field: string; people: string } | { email: string }
  >({
    exit,
    sentence: (facts) => {
      if ('email' in facts) return `No recipient has the email address ${facts.email}.`;
      return 'people' in facts
        ? `The field "${facts.field}" has no recipient of this transaction.`
        : `The field "${facts.field}" is for "${facts.recipient}", which is not one of the recipients given with --to.`;
    },
    hint: (facts) => {
      if ('email' in facts)
        return 'Use the email address of a recipient of the template, or of one given with --to.';
      return 'people' in facts
        ? `Add =EMAIL. The transaction has ${facts.people}.`
        : 'Use the email address of a recipient given with --to, or its number, starting at 1.';
    },
    samples: [
      { field: 'FIELD', recipient: 'RECIPIENT' },
      { field: 'a', people: 'ada@example.com' },
      { email: 'EMAIL' },
    ],
  }),
  field_recipient_ambiguous: errorRow<{ field: string; email: string; choices: string }>({
    exit,
    sentence: ({ field, email }) =>
      `The field "${field}" is for ${email}, and more than one recipient has this email address.`,
    hint: ({ choices }) => `Use the number of the recipient: ${choices}.`,
    samples: [{ field: 'FIELD', email: 'EMAIL', choices: '=1 for Ada, =2 for Grace' }],
  }),
};
