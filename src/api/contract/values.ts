// The small schemas everything else is built from: text with a length, e-mail, address, number.
// A rule stands here when one value alone can break it; what needs a second value is the domain's business.
import * as z from 'zod';
import { LIMITS } from './limits.ts';

/** Lengths are counted in Unicode code points (assumed: A43), so that an emoji is one. */
export const codePoints = (text: string): number => [...text].length;

/** C0 and C1 controls and what a name or label never needs: NUL, ESC, bidi overrides, line ends. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** In texts of several lines tab and line ends are fine. */
const CONTROL_IN_TEXT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/u;

const LONE_SURROGATE = /[\ud800-\udfff]/u;

/** Lengths in code points, which JSON Schema counts as well; kept beside the schema for the OpenAPI document. */
export const LENGTHS = new WeakMap<object, { minLength: number; maxLength: number }>();

/** One check instead of several: each further one makes a schema anew, and a command pays for all it touches. */
function bounded(min: number, max: number, forbidden: RegExp) {
  const schema = z.string().check(({ value, issues }) => {
    const complain = (message: string) => issues.push({ code: 'custom', input: value, message });
    const length = codePoints(value);
    if (length < min) complain(min === 1 ? 'must not be empty' : `must have at least ${min} characters`);
    if (length > max) complain(`must have at most ${max} characters; this has ${length}`);
    if (forbidden.test(value) || LONE_SURROGATE.test(value)) complain('must not contain control characters');
  });
  LENGTHS.set(schema, { minLength: min, maxLength: max });
  return schema;
}

/** What somebody typed or pasted, without what cannot be seen and no text may have. */
export const withoutControls = (value: string): string =>
  value.replaceAll(new RegExp(`${CONTROL_IN_TEXT.source}|${LONE_SURROGATE.source}`, 'gu'), '');

/** One line: a name, a subject, a label. */
export const line = (min: number, max: number) => bounded(min, max, CONTROL);

/** Several lines: a description, a message. */
export const text = (max: number = LIMITS.textLength, min = 0) => bounded(min, max, CONTROL_IN_TEXT);

export const id = z
  .string()
  .min(1, { error: 'must not be empty' })
  .max(128, { error: 'is longer than an id can be' })
  .regex(/^[\w.:-]+$/, { error: 'holds characters that no id has' });

/** A name an address bar would accept: one @, a dotted or single-label host, nothing that could break a header. */
const EMAIL =
  /^[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+@[^\s@<>()[\]\\,;:"\u0000-\u001f\u007f-\u009f]+$/u;
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
    HOST.test(host)
  );
}

export const email = z
  .string()
  .refine(isEmail, { error: (issue) => `"${String(issue.input)}" is not an e-mail address` });

/** A password that somebody chooses. No message repeats it. */
export const newPasswordText = z.string().check(({ value, issues }) => {
  const complain = (message: string) => issues.push({ code: 'custom', input: value, message });
  if (codePoints(value) < LIMITS.passwordLengthMin)
    complain(`must have at least ${LIMITS.passwordLengthMin} characters`);
  if (new TextEncoder().encode(value).length > LIMITS.passwordBytes)
    complain(`must have at most ${LIMITS.passwordBytes} bytes`);
  if (LONE_SURROGATE.test(value) || value.includes('\u0000'))
    complain('must not contain NUL or half characters');
});
LENGTHS.set(newPasswordText, { minLength: LIMITS.passwordLengthMin, maxLength: LIMITS.passwordBytes });

/** E-mail addresses are compared without regard to case. */
export const sameEmail = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

const parsedUrl = (value: string): URL | undefined => (URL.canParse(value) ? new URL(value) : undefined);

/** `https`, without credentials (spec §2: a webhook's endpoint must be secure). */
export const isSecureUrl = (value: string): boolean => {
  const url = parsedUrl(value);
  return url?.protocol === 'https:' && url.username === '' && url.password === '';
};

/** assumed: A43, https or http on loopback. */
export const isNotifiableUrl = (value: string): boolean => {
  const url = parsedUrl(value);
  return (
    isSecureUrl(value) ||
    (url?.protocol === 'http:' && LOOPBACK.has(url.hostname) && url.username === '' && url.password === '')
  );
};

export const integer = (min: number, max: number) =>
  z
    .int({ error: 'must be a whole number' })
    .min(min, { error: `must be at least ${min}` })
    .max(max, { error: `must be at most ${max}` });

/** A finite number. */
export const number = z.number({ error: 'must be a number' });

/** A number in a query string: digits only, so that `1e3`, `0x10` and ` 1` are told apart from a number. */
export const queryInteger = (min: number, max: number) =>
  z
    .string({ error: 'is required' })
    .regex(/^-?\d{1,15}$/, { error: (issue) => `"${String(issue.input)}" is not a whole number` })
    .transform(Number)
    .pipe(integer(min, max));

export const hexColor = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour of the form #RRGGBB' });

export const instant = z.iso.datetime({ precision: 3 });
export const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();
