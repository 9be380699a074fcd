// The small schemas that everything else is built from: text with a length, email, address, number, and the pages of lists. A rule is here when one
// value alone can break it; rules about several values are in the domain.

import * as z from 'zod';
import { LONE_SURROGATE } from '../../common/text.ts';
import { type EndpointUse, judgeEndpointOfAny, refusedEndpoint } from './egress.ts';
import { lazySchema } from './lazy-schema.ts';
import { neededId, neededObject, type ReadBy, record, someFlag, someNumber, someRecord } from './lenient.ts';
import { LIMITS } from './limits.ts';

/** Lengths are counted in Unicode code points (assumed: A43), so that an emoji is one. */
export const codePoints = (text: string): number => [...text].length;

/** C0 and C1 controls and what a name or label never needs: NUL, ESC, bidi overrides, line ends. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** Texts of several lines may have tabs and line ends. */
const CONTROL_IN_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

const SHOWN = 100;

/** Cuts a text to what a sentence can name. */
export const shortened = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);

/**
 * Says what is wrong with a value and names it: `"signr" is not a role`. Only text is repeated: a list or an
 * object says nothing there, and one with a property `toString` cannot even be turned into text.
 */
export const quoteInMessage =
  (complaint: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    typeof input === 'string' ? `"${shortened(input)}" ${complaint}` : 'must be a string';

/** Accepts one of some words. A client sends any text, and the error lists the words. */
export const oneOf = <const W extends readonly [string, ...string[]]>(words: W, complaint: string) =>
  z.enum(words, { error: quoteInMessage(`${complaint} ${words.join(', ')}`) });

/** Our checks as keywords of JSON Schema, by their schema, for the OpenAPI document. It counts code points as well. */
export const TEXT_KEYWORDS = new WeakMap<object, { minLength: number; maxLength: number; format?: 'uri' }>();

/** A property of an answer that the specification does not have: a client for every service treats it as optional. */
export const extension = <T extends z.ZodType>(schema: T, description: string): T =>
  schema.meta({ description, 'x-extension': true });

/** A URI in an answer, as it was taken. */
export const uri = lazySchema(() => z.string().meta({ format: 'uri' }));

/** One check instead of several: each further one makes a schema anew, and a command pays for all it touches. */
function bounded(min: number, max: number, forbidden: RegExp) {
  const schema = z.string().check(({ value, issues }) => {
    const complain = (message: string) => issues.push({ code: 'custom', input: value, message });
    const length = codePoints(value);
    if (length < min) complain(min === 1 ? 'must not be empty' : `must have at least ${min} characters`);
    if (length > max) complain(`must have at most ${max} characters, but has ${length}`);
    if (forbidden.test(value) || LONE_SURROGATE.test(value)) complain('must not contain control characters');
  });
  TEXT_KEYWORDS.set(schema, { minLength: min, maxLength: max });
  return schema;
}

/** A typed or pasted text without control characters, which no text may contain. */
export const withoutControls = (value: string): string =>
  value.replaceAll(new RegExp(`${CONTROL_IN_TEXT.source}|${LONE_SURROGATE.source}`, 'gu'), '');

/** A text of one line: a name, a subject, a label. */
export const line = (min: number, max: number) => bounded(min, max, CONTROL);

/** A text of several lines: a description, a message. */
export const text = (max: number = LIMITS.textLength, min = 0) => bounded(min, max, CONTROL_IN_TEXT);

export const id = lazySchema(() =>
  z
    .string()
    .min(1, { error: 'must not be empty' })
    .max(128, { error: 'is too long for an ID' })
    .regex(/^[\w.:-]+$/, { error: 'contains characters that are not allowed in an ID' }),
);

/** A name an address bar would accept: one @, a dotted or single-label host, nothing that could break a header. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+$/u;
/** Nearly every host is one of these, and the pattern below takes milliseconds to compile. */
const ASCII_HOST = /^(?=.{1,253}$)[a-z\d]([a-z\d-]{0,61}[a-z\d])?(\.[a-z\d]([a-z\d-]{0,61}[a-z\d])?)*$/i;
const HOST =
  /^(?=.{1,253}$)([\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)(\.[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?)*$/u;

export function isEmail(value: string): boolean {
  if (codePoints(value) > LIMITS.emailLength || !EMAIL.test(value) || LONE_SURROGATE.test(value))
    return false;
  const [local = '', host = ''] = value.split('@');
  return (
    local.length <= 64 &&
    !local.startsWith('.') &&
    !local.endsWith('.') &&
    !local.includes('..') &&
    (ASCII_HOST.test(host) || HOST.test(host))
  );
}

export const email = lazySchema(() =>
  z.string().refine(isEmail, { error: quoteInMessage('is not a valid email address') }),
);

/** A password chosen by a user. No message repeats it. */
export const newPasswordText = lazySchema(() => {
  const schema = z.string().check(({ value, issues }) => {
    const complain = (message: string) => issues.push({ code: 'custom', input: value, message });
    if (codePoints(value) < LIMITS.passwordLengthMin)
      complain(`must have at least ${LIMITS.passwordLengthMin} characters`);
    if (new TextEncoder().encode(value).length > LIMITS.passwordBytes)
      complain(`must have at most ${LIMITS.passwordBytes} bytes`);
    if (LONE_SURROGATE.test(value) || value.includes('\u0000'))
      complain('must not contain invalid characters');
  });
  TEXT_KEYWORDS.set(schema, { minLength: LIMITS.passwordLengthMin, maxLength: LIMITS.passwordBytes });
  return schema;
});

/** Email addresses are compared without regard to case. */
export const sameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/**
 * A URL that events are sent to: by TLS (spec §2), and a notification also without on loopback (assumed: A43). The service decides whether it sends
 * events there.
 */
export const endpoint = (use: EndpointUse, maxLength: number) =>
  uriOf(maxLength, (text) =>
    text.check(({ value, issues }) => {
      // A value that is no line of text has been complained about already.
      if (issues.length > 0) return;
      const verdict = judgeEndpointOfAny(value, use);
      if (verdict.isAllowed) return;
      issues.push({ code: 'custom', input: value, message: refusedEndpoint(value, verdict.why) });
    }),
  );

/** A line of text with a check of its own, which only takes URIs. */
export function uriOf<T extends z.ZodType>(maxLength: number, checked: (text: z.ZodString) => T): T {
  const schema = checked(line(1, maxLength));
  TEXT_KEYWORDS.set(schema, { minLength: 1, maxLength, format: 'uri' });
  return schema;
}

export const integer = (min: number, max: number) =>
  z
    .int({ error: 'must be a whole number' })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must be at most ${max}` });

export const number = lazySchema(() => z.number({ error: 'must be a number' }));

/** The numbers that strings of digits in a query mean, for the OpenAPI document. */
export const NUMBERS_IN_QUERIES = new WeakMap<
  object,
  { type: 'integer'; minimum: number; maximum: number }
>();

/** A number in a query string: digits only, so that `1e3`, `0x10` and ` 1` are refused. */
export function queryInteger(min: number, max: number) {
  const schema = z
    .string({ error: 'is required' })
    .regex(/^-?\d{1,15}$/, { error: quoteInMessage('is not a whole number') })
    .transform(Number)
    .pipe(integer(min, max));
  NUMBERS_IN_QUERIES.set(schema, { type: 'integer', minimum: min, maximum: max });
  return schema;
}

export const hexColor = lazySchema(() =>
  z.string().regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a color in the form #RRGGBB' }),
);

export const instant = lazySchema(() => z.iso.datetime({ precision: 3 }));
export const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();

/** Lists: spec §4, Pagination object; assumed: A33. */
export const pageQuery = {
  limit: lazySchema(() => queryInteger(1, LIMITS.pageSizeMax)),
  page: lazySchema(() => queryInteger(1, LIMITS.pageNumberMax)),
};

export const pagination = lazySchema(() =>
  z.strictObject({
    limit: z.number(),
    is_first_page: z.boolean(),
    is_last_page: z.boolean(),
    current_page: z.number(),
    previous_page: z.number().nullable(),
    next_page: z.number().nullable(),
    page_count: z.number(),
  }),
);

export const receivedPages = someRecord({
  is_last_page: someFlag,
  next_page: someNumber,
  page_count: someNumber,
});

export type ReceivedPages = ReadBy<typeof receivedPages>;

export type Pagination = z.output<typeof pagination>;

/**
 * A page past the end is empty and the last one; the page before it is the last that holds something (assumed: A33).
 * @param total items in the whole list
 */
export function paginate(total: number, limit: number, page: number): Pagination {
  const pageCount = Math.ceil(total / limit);
  return {
    limit,
    is_first_page: page === 1,
    is_last_page: page >= pageCount,
    current_page: page,
    previous_page: page > 1 && pageCount > 0 ? Math.min(page - 1, pageCount) : null,
    next_page: page < pageCount ? page + 1 : null,
    page_count: pageCount,
  };
}

export const receivedId = record({ id: neededId });

/** Reads the answer of operations that no caller looks into. */
export const receivedAnything = neededObject;
