// Reads the error in the body of a service that we do not know, as far as it can be understood. Never throws, and never returns
// more than a person would read.
import { isRecord } from '../common/json.ts';
import type { FieldError } from './contract/problems.ts';
import { inSentences } from './contract/wrong-values.ts';

export type ParsedError = { code: string; detail: string; errors: FieldError[] };

const LONGEST = 500;
const MOST_ERRORS = 50;
const SHOWN_ERRORS = 3;

const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/**
 * Ours and RFC 9457, `{message}`, `{error}` as text or object, `{errors}` and `{detail}` as lists of text or objects or
 * as a map of fields, plain text, a page, nothing.
 */
export function parseErrorBody(text: string, status: number): ParsedError {
  const body = jsonOrUndefined(text);
  const source = isRecord(body) ? body : {};
  const inner = isRecord(source.error) ? source.error : {};
  const errors = [source.errors, source.detail, inner.errors, inner.details, source.message, source.details]
    .map(errorsIn)
    .find((errors) => errors.length > 0);
  const said = [
    source.detail,
    source.message,
    inner.message,
    inner.detail,
    source.error_description,
    source.error_message,
    source.msg,
    source.error,
    source.title,
  ].find(isText);
  const code = [source.code, inner.code, inner.type, source.error].find(
    (word): word is string => typeof word === 'string' && /^[\w.-]{1,100}$/.test(word),
  );
  return {
    code: code ?? `http_${status}`,
    detail: shortened(said ?? sentenceOf(errors ?? []) ?? plainOf(body, text, status)),
    errors: errors ?? [],
  };
}

const shortened = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
};

/** A list of sentences or objects, or a map from fields to them. A text alone is no list. */
function errorsIn(value: unknown): FieldError[] {
  const found = Array.isArray(value)
    ? value.slice(0, MOST_ERRORS).map((item) => errorOf(item))
    : isRecord(value)
      ? Object.entries(value)
          .slice(0, MOST_ERRORS)
          .flatMap(([path, said]) => [said].flat().map((item) => errorOf(item, path)))
      : [];
  return found.filter((error) => error !== undefined);
}

const PLACES = ['path', 'field', 'property', 'param', 'pointer', 'loc', 'name'];
const WORDS = ['message', 'msg', 'detail', 'reason', 'title', 'description'];

function errorOf(item: unknown, path?: string): FieldError | undefined {
  if (isText(item)) return { path: path ?? '', message: shortened(item) };
  if (!isRecord(item)) return undefined;
  const message = WORDS.map((name) => item[name]).find(isText);
  if (message === undefined) return undefined;
  const places = [
    ...PLACES.map((name) => item[name]),
    isRecord(item.source) ? item.source.pointer : undefined,
  ];
  return { path: places.map(placeOf).find(isText) ?? path ?? '', message: shortened(message) };
}

/** `["body", "recipients", 0]` and `/recipients/0` are both `recipients.0`. */
function placeOf(value: unknown): string | undefined {
  if (Array.isArray(value))
    return value
      .filter((part, index) => !(index === 0 && part === 'body'))
      .map(String)
      .join('.')
      .slice(0, LONGEST);
  return isText(value) ? value.replace(/^#?\//, '').replaceAll('/', '.').slice(0, LONGEST) : undefined;
}

function sentenceOf(errors: readonly FieldError[]): string | undefined {
  if (errors.length === 0) return undefined;
  return inSentences(errors, SHOWN_ERRORS);
}

function plainOf(body: unknown, text: string, status: number): string {
  const answered = `The service answered with status ${status}`;
  const title = /<title[^>]*>([^<]{1,200})<\/title>/i.exec(text.slice(0, 20_000))?.[1]?.trim();
  if (title) return `${answered} and a page titled "${title}".`;
  return body === undefined && text.trim() !== '' && !/[<{]/.test(text)
    ? text.slice(0, LONGEST)
    : `${answered}.`;
}

export function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
