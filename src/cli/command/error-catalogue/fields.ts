// Errors about fields: how one is written, where it is placed, and who fills it in; and about tags that fields are made of.
import { didYouMean } from '../../../common/nearest.ts';
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

type AtWords = { words: string; document: string };

/** Pages count from 1. `isScan`: none of the pages that were searched has text. */
type WordsMissing = AtWords & {
  page?: number;
  withoutText: readonly number[];
  isScan: boolean;
  /** Words of the document that are nearly the same. */
  meant?: { text: string; page: number } | undefined;
};

function wordsMissing({ words, document, page, isScan }: WordsMissing): string {
  if (page !== undefined)
    return isScan
      ? `No field can be placed at "${words}": page ${page} of "${document}" has no text. It may be a scan.`
      : `No field can be placed at "${words}": these words are not on page ${page} of "${document}".`;
  return isScan
    ? `No field can be placed at "${words}": "${document}" has no text. It may be a scan.`
    : `No field can be placed at "${words}": these words are not in "${document}".`;
}

/** `match` is the number that was asked for, where there are fewer places. `isCut`: there are more places than these. */
type WordsInMany = AtWords & {
  match?: number;
  places: readonly { page: number; excerpt: string }[];
  isCut: boolean;
};

const MOST_PLACES = 8;

function wordsInMany({ words, document, match, places, isCut }: WordsInMany): string {
  const count = `${isCut ? 'more than ' : ''}${places.length} ${places.length === 1 ? 'place' : 'places'}`;
  const listed = places.slice(0, MOST_PLACES).map(({ page, excerpt }) => `page ${page}: ${excerpt}`);
  const rest = places.length > MOST_PLACES ? [`and ${places.length - MOST_PLACES} more`] : [];
  const chosen = isCut ? `, of which number ${match} cannot be chosen` : ` only, not in ${match}`;
  const where = match === undefined ? `in ${count}` : `in ${count}${chosen}`;
  return `The words "${words}" are ${where} of "${document}": ${[...listed, ...rest].join('; ')}.`;
}

/** 1, 2 and 3; of many the first. */
function inList(pages: readonly number[]): string {
  const shown = pages.slice(0, MOST_PLACES).map(String);
  if (pages.length > MOST_PLACES) return `${shown.join(', ')} and ${pages.length - MOST_PLACES} more`;
  return shown.length === 1 ? shown[0]! : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Pages count from 1. */
type TagPlace = { tag: string; document: string; page: number };

const TAG_SAMPLE = { tag: '{{signature, r2}}', document: 'FILE', page: 1 };

const tagPlace = ({ tag, document, page }: TagPlace): string =>
  `The tag ${tag} on page ${page} of "${document}"`;

type NotRemovable = {
  document: string;
  /** Why, as the end of a sentence. */
  problem: string;
  hint: string;
  page?: number | undefined;
  tag?: string | undefined;
};

/** `document`: one that the value cannot be drawn into. */
type ValueNotTaken = {
  field: string;
  profile: string;
  document?: string;
  isOfTemplate?: boolean;
  /** A date that the service would fill in when its recipient signs. */
  isOfSigning?: boolean;
};

const DRAWN_INSTEAD = 'With the property readonly, the value is drawn into the PDF instead.';

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
  field_too_small: errorRow<{ field: string; width: number; height: number; least: number }>({
    exit,
    sentence: ({ field, width, height }) =>
      `The field "${field}" is ${width} x ${height} pt, which is too small.`,
    hint: ({ least }) => `A field is at least ${least} pt wide and ${least} pt high.`,
    samples: [{ field: 'FIELD', width: 2, height: 20, least: 4 }],
  }),
  page_too_small: errorRow<{ document: string; width: number; height: number; count: number }>({
    exit,
    sentence: ({ document, width, height, count }) =>
      `The last page of "${document}" is ${width} x ${height} pt, which is too small for ${count} signature ${count === 1 ? 'field' : 'fields'}.`,
    hint: ({ count }) =>
      count === 1
        ? 'Send the document with a larger page.'
        : 'Send the document with a larger page, or place the fields on other pages with --field.',
    samples: [
      { document: 'FILE', width: 3.84, height: 3.84, count: 1 },
      { document: 'a', width: 40, height: 40, count: 100 },
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
  words_not_found: errorRow<WordsMissing>({
    exit,
    sentence: wordsMissing,
    hint: ({ isScan, withoutText, document, meant }) => {
      if (meant) return `Did you mean "${meant.text}" on page ${meant.page}?`;
      if (isScan)
        return `Place the field by its position instead; \`esign tx preview ${document} --grid\` shows the coordinates.`;
      const silent =
        withoutText.length === 0
          ? ''
          : `${withoutText.length === 1 ? 'Page' : 'Pages'} ${inList(withoutText)} ${withoutText.length === 1 ? 'has' : 'have'} no text and may be scanned. `;
      return `${silent}\`esign tx text ${document}\` prints the words of a document.`;
    },
    samples: [
      { words: 'WORDS', document: 'FILE', withoutText: [], isScan: false },
      {
        words: 'Signatur',
        document: 'b',
        withoutText: [],
        isScan: false,
        meant: { text: 'Signature', page: 3 },
      },
      { words: 'b', document: 'c', withoutText: [3], isScan: false },
      { words: 'b', document: 'c', withoutText: [], isScan: true },
      { words: 'b', document: 'c', page: 2, withoutText: [], isScan: false },
      { words: 'b', document: 'c', page: 2, withoutText: [], isScan: true },
    ],
  }),
  words_ambiguous: errorRow<WordsInMany>({
    exit,
    sentence: wordsInMany,
    hint: ({ match, isCut }) => {
      if (isCut) return 'Use more words or page=N, or match=N to choose one of the first places.';
      return match === undefined
        ? 'Use more words, page=N, match=N or match=last to choose one, or match=all to place a field at each.'
        : 'Use a smaller number, last or all.';
    },
    samples: [
      {
        words: 'WORDS',
        document: 'FILE',
        isCut: false,
        places: [
          { page: 1, excerpt: 'the «WORDS» of' },
          { page: 2, excerpt: '«WORDS»:' },
        ],
      },
      {
        words: 'b',
        document: 'c',
        isCut: true,
        match: 9,
        places: [{ page: 1, excerpt: 'the «b»' }],
      },
      { words: 'b', document: 'c', isCut: false, match: 2, places: [{ page: 1, excerpt: 'the «b»' }] },
    ],
  }),
  words_unread: errorRow<AtWords & { isImage?: boolean }>({
    exit,
    sentence: ({ words, document, isImage }) =>
      isImage
        ? `No field can be placed at "${words}": "${document}" is an image, which has no text.`
        : `No field can be placed at "${words}": the service does not return "${document}" as a PDF, so its words are not known.`,
    hint: ({ isImage }) =>
      isImage
        ? 'Place the field by its position instead; `esign tx preview FILE --grid` shows the coordinates.'
        : 'Convert the document to PDF and send that, or place the field by its position.',
    samples: [
      { words: 'WORDS', document: 'FILE' },
      { words: 'b', document: 'c', isImage: true },
    ],
  }),
  field_value_unknown: errorRow<ValueNotTaken>({
    exit,
    sentence: ({ field, profile, document, isOfTemplate, isOfSigning }) => {
      const takesNone = `the service of the profile "${profile}" does not take values of fields`;
      if (isOfSigning)
        return `The date "${field}" cannot be filled in when its recipient signs: ${takesNone}.`;
      if (isOfTemplate) return `The field "${field}" of a template cannot be filled in: ${takesNone}.`;
      return document === undefined
        ? `The field "${field}" has a value, but ${takesNone}.`
        : `The field "${field}" has a value, but ${takesNone}, and "${document}" is not a PDF that it could be drawn into.`;
    },
    hint: ({ document, isOfTemplate, isOfSigning }) => {
      const otherWay = document === undefined ? DRAWN_INSTEAD : 'Convert the document to PDF.';
      const other = isOfSigning
        ? 'Send the field without a value, so that the recipient enters the date.'
        : otherWay;
      return `${isOfTemplate ? '' : `${other} `}If the service takes values, run \`esign config set field_values true\`.`;
    },
    samples: [
      { field: 'FIELD', profile: 'NAME' },
      { field: 'a', profile: 'b', document: 'c' },
      { field: 'a', profile: 'b', isOfTemplate: true },
      { field: 'a', profile: 'b', isOfSigning: true },
    ],
  }),
  values_not_drawn: errorRow<{ document: string; what?: string | undefined }>({
    exit,
    sentence: ({ document, what }) =>
      `The values cannot be drawn into "${document}"${what === undefined ? '' : `: ${what}`}.`,
    hint: () => 'Use characters that a font on this machine has, or send the document without these values.',
    samples: [{ document: 'FILE', what: 'City' }, { document: 'a' }],
  }),
  form_missing: errorRow<{ documents: readonly string[] }>({
    exit,
    sentence: ({ documents }) => {
      const names = documents.map((name) => `"${name}"`);
      if (names.length === 0) return 'No form can be read, because no PDF is given.';
      if (names.length === 1) return `${names[0]} has no form.`;
      return `None of these documents has a form: ${names.join(', ')}.`;
    },
    hint: () =>
      'Remove --form-fields, or use a PDF with fields (AcroForm). Place other fields with --field; see `esign help fields`.',
    samples: [{ documents: ['FILE'] }, { documents: [] }, { documents: ['a', 'b'] }],
  }),
  form_recipient_missing: errorRow<{ count: number }>({
    exit,
    sentence: ({ count }) =>
      count === 0
        ? 'The fields of the form have no recipient.'
        : `The fields of the form have no recipient, and the transaction has ${count}.`,
    hint: () => 'Add --form-to with the email of a recipient, or with its number, starting at 1.',
    samples: [{ count: 2 }, { count: 0 }],
  }),
  form_too_large: errorRow<{ count: number; most: number } | { document: string }>({
    exit,
    sentence: (facts) =>
      'count' in facts
        ? `The forms have ${facts.count} fields. A transaction can have ${facts.most}.`
        : `The form of "${facts.document}" is too large to be read.`,
    hint: () => 'Split the document, or place the fields that are needed with --field or --fields.',
    samples: [{ count: 3000, most: 2000 }, { document: 'FILE' }],
  }),
  form_unreadable: errorRow<{ document: string; isDynamic: boolean }>({
    exit,
    sentence: ({ document, isDynamic }) =>
      isDynamic
        ? `The form of "${document}" cannot be read: it is a dynamic form (XFA) without other fields.`
        : `The form of "${document}" cannot be read, because the file is damaged.`,
    hint: ({ isDynamic }) =>
      isDynamic
        ? 'Print the form to a new PDF, and place fields with --field.'
        : 'Save the file anew in a PDF program, or place fields with --field.',
    samples: [
      { document: 'FILE', isDynamic: true },
      { document: 'a', isDynamic: false },
    ],
  }),
  data_invalid: errorRow<{ source: string; problem: string; meant?: string | undefined }>({
    exit,
    sentence: ({ source, problem }) => `${source} ${problem}.`,
    hint: ({ meant }) =>
      didYouMean(
        meant,
        'Use an object of labels and values, such as {"City": "Berlin"}, or {"ada@example.com": {"City": "Berlin"}} for the fields of one recipient.',
      ),
    samples: [
      { source: 'FILE', problem: 'is not a JSON object' },
      { source: 'a', problem: 'has a value for "b", which is the label of no field', meant: 'c' },
    ],
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
    | { field: string; recipient: string; meant?: string | undefined }
    | { field: string; people: string; meant?: string | undefined }
    | { email: string; meant?: string | undefined }
  >({
    exit,
    sentence: (facts) => {
      if ('email' in facts) return `No recipient has the email address ${facts.email}.`;
      return 'people' in facts
        ? `The field "${facts.field}" has no recipient of this transaction.`
        : `The field "${facts.field}" is for "${facts.recipient}", which is not one of the recipients given with --to.`;
    },
    hint: (facts) => {
      const next =
        'email' in facts
          ? 'Use the email address of a recipient of the template, or of one given with --to.'
          : 'people' in facts
            ? `Add =EMAIL. The transaction has ${facts.people}.`
            : 'Use the email address of a recipient given with --to, or its number, starting at 1.';
      return didYouMean(facts.meant, next);
    },
    samples: [
      { field: 'FIELD', recipient: 'RECIPIENT' },
      { field: 'a', recipient: 'ada@exmaple.com', meant: 'ada@example.com' },
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
  tag_refused: errorRow<TagPlace & { problem: string }>({
    exit,
    sentence: ({ problem, ...place }) => `${tagPlace(place)} ${problem}.`,
    hint: () => 'Correct the tag, or place the field with --field; see `esign help fields`.',
    samples: [{ ...TAG_SAMPLE, problem: 'has "condition=A", which cannot be honoured' }],
  }),
  tag_unfinished: errorRow<TagPlace>({
    exit,
    sentence: ({ tag, document, page }) =>
      `The end of the tag "${tag}" is not on page ${page} of "${document}".`,
    hint: () => 'Put the whole tag on one page, or write }} at its end.',
    samples: [{ ...TAG_SAMPLE, tag: '{{signature, ' }],
  }),
  tag_recipient_unknown: errorRow<TagPlace & ({ number: number; count: number } | { role: string })>({
    exit,
    sentence: (facts) =>
      'role' in facts
        ? `${tagPlace(facts)} is for "${facts.role}", and no recipient has this role.`
        : `${tagPlace(facts)} is for recipient ${facts.number}, but there ${facts.count === 1 ? 'is 1 recipient' : `are ${facts.count} recipients`}.`,
    hint: (facts) =>
      'role' in facts
        ? `Add it to a recipient: --to "Ada <ada@example.com>,tag=${facts.role}".`
        : 'Add a recipient with --to. r1 is the first recipient.',
    samples: [
      { ...TAG_SAMPLE, number: 2, count: 1 },
      { ...TAG_SAMPLE, number: 3, count: 2 },
      { ...TAG_SAMPLE, role: 'Customer' },
    ],
  }),
  tag_recipient_missing: errorRow<TagPlace & { count: number }>({
    exit,
    sentence: ({ count, ...place }) =>
      `${tagPlace(place)} has no role, and the transaction has ${count} recipients.`,
    hint: () => 'Add role=NAME to the tag, and ,tag=NAME to a --to.',
    samples: [{ ...TAG_SAMPLE, count: 2 }],
  }),
  tag_role_unused: errorRow<{ role: string; roles: readonly string[] }>({
    exit,
    sentence: ({ role }) => `No tag is for "${role}", the role of a recipient.`,
    hint: ({ roles }) =>
      roles.length === 0
        ? 'The tags have no roles. Remove ,tag= from --to.'
        : `The tags have the roles ${roles.map((one) => `"${one}"`).join(', ')}.`,
    samples: [
      { role: 'Custmer', roles: ['Customer'] },
      { role: 'a', roles: [] },
    ],
  }),
  tags_missing: errorRow<{ documents: readonly string[] }>({
    exit,
    sentence: ({ documents }) => {
      const names = documents.map((name) => `"${name}"`);
      if (names.length === 0) return 'No tags can be read, because no PDF or Word document is given.';
      if (names.length === 1) return `${names[0]} has no tags.`;
      return `None of these documents has tags: ${names.join(', ')}.`;
    },
    hint: () =>
      'Remove --tags, or write tags like {{signature, r1}} or {{Name;type=text;role=Customer}}; see `esign help fields`.',
    samples: [{ documents: ['FILE'] }, { documents: [] }, { documents: ['a', 'b'] }],
  }),
  tags_stored: errorRow<{ transaction: string }>({
    exit,
    sentence: () =>
      '--tags cannot be used here, because tags cannot be removed from documents that are stored already.',
    hint: ({ transaction }) =>
      `Add the file again with \`esign tx upload ${transaction} FILE --tags\`, and leave the stored document out with \`esign tx update ${transaction} --document …\`.`,
    samples: [{ transaction: 'ID' }],
  }),
  tags_too_many: errorRow<{ most: number }>({
    exit,
    sentence: ({ most }) =>
      `The documents have more tags than a transaction can have fields, which is ${most}.`,
    hint: () => 'Split the documents.',
    samples: [{ most: 2000 }],
  }),
  tags_not_removable: errorRow<NotRemovable>({
    exit,
    sentence: ({ document, problem, page, tag }) => {
      const subject = tag === undefined ? 'The tags' : `The tag ${tag}`;
      const where = page === undefined ? `"${document}"` : `page ${page} of "${document}"`;
      return `${subject} cannot be removed from ${where}: ${problem}.`;
    },
    hint: ({ hint }) => hint,
    samples: [
      {
        document: 'FILE',
        problem: 'the document is encrypted',
        hint: 'Save the document without encryption.',
      },
      { ...TAG_SAMPLE, problem: 'it is hidden', hint: 'Place fields with --field.' },
    ],
  }),
};
