// Hides secrets from a program with a language model that runs a command: what the command prints is in its conversation, which goes to
// others. Only `--reveal` prints them. Everything that is printed comes through here, so that no command has to think of it.
import type { Variables } from '../../config/environment.ts';
import type { Outcome } from '../command/outcome.ts';
import { mapTexts } from '../command/secrets.ts';
import type { Sink } from './streams.ts';

/** Stands in the place of a secret, in texts and in JSON, where the property stays a text. */
export const HIDDEN = '(hidden: --reveal prints it)';

export type HiddenSecrets = {
  /** Learns the secrets in an answer of the service. */
  learn(json: unknown): void;
  /** Hides the secrets of an outcome before it is drawn, because a filter of `--jq` could take them apart. */
  hideIn(outcome: Outcome): Outcome;
  /** Makes the last check of everything that is written, errors included. */
  sink(sink: Sink): Sink;
};

/** @param isRevealed whether `--reveal` is given, which is known when the words are parsed */
export function createHiddenSecrets(variables: Variables, isRevealed: () => boolean): HiddenSecrets {
  const values = new Set<string>();
  const add = (value: string | undefined) => {
    if (value !== undefined && value.length >= SHORTEST_SECRET) values.add(value);
  };
  const learn = (json: unknown): void => {
    if (typeof json === 'string') for (const [, token] of json.matchAll(TOKEN_IN_LINK)) add(token);
    if (typeof json !== 'object' || json === null) return;
    for (const [key, value] of Object.entries(json)) {
      if (typeof value === 'string' && SECRET_NAME.test(key)) add(value);
      learn(value);
    }
  };
  for (const [name, value] of Object.entries(variables)) if (SECRET_VARIABLE.test(name)) add(value);

  const hideInText = (text: string): string => {
    let hidden = text.replace(LINK, HIDDEN).replace(WEBHOOK_SECRET, HIDDEN);
    // A secret may be a part of another one.
    for (const value of [...values].sort((a, b) => b.length - a.length))
      hidden = hidden.replaceAll(value, HIDDEN);
    return hidden;
  };
  const hideInBytes = (bytes: Uint8Array): Uint8Array => {
    const text = textOf(bytes);
    const hidden = text === undefined ? undefined : hideInText(text);
    return hidden === undefined || hidden === text ? bytes : Buffer.from(hidden);
  };
  return {
    learn,
    hideIn(outcome) {
      if (isRevealed() || outcome.kind === 'page') return outcome;
      learn(outcome.json);
      if ('lines' in outcome) learn(outcome.lines);
      outcome.secrets?.forEach(add);
      const hidden = mapTexts(withoutMail(outcome), hideInText) as Outcome;
      if (hidden.kind !== 'bytes') return hidden;
      return {
        ...hidden,
        bytes: isMail(hidden.mediaType) ? Buffer.from(`${HIDDEN}\n`) : hideInBytes(hidden.bytes),
      };
    },
    sink: (sink) => ({
      isTerminal: sink.isTerminal,
      get columns() {
        return sink.columns;
      },
      get rows() {
        return sink.rows;
      },
      get isGone() {
        return sink.isGone ?? false;
      },
      write(text) {
        if (isRevealed()) sink.write(text);
        else sink.write(typeof text === 'string' ? hideInText(text) : hideInBytes(text));
      },
    }),
  };
}

/** Shorter values are words that stand elsewhere as well. */
const SHORTEST_SECRET = 8;

const SECRET_NAME = /(^|_)(token|secret|password)$/;
const SECRET_VARIABLE = /^(ESIGN|AWS)_\w*(TOKEN|SECRET|SECRET_ACCESS_KEY|PASSWORD)$/;

/** Links that let whoever opens them in: to signing pages, to the dashboard, and back from a consent. */
const LINK = /(?:https?:\/\/|\/)[^\s"'<>()]*[?&](?:token|signature|code)=(?:3D)?[\w%.~+-]{16,}[^\s"'<>()]*/g;
const TOKEN_IN_LINK = /[?&](?:token|signature|code)=([\w%.~+-]{16,})/g;
const WEBHOOK_SECRET = /whsec_[\w+/=-]{20,}/g;

/** A mail as it is sent encodes its text, links included, in several ways. */
const isMail = (mediaType: string): boolean => mediaType.startsWith('message/');

/** Hides the mail that `esign api` describes in its JSON. */
function withoutMail<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutMail) as T;
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  const { content_type } = value as { content_type?: unknown };
  const isEncoded = 'base64' in value && typeof content_type === 'string' && isMail(content_type);
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutMail(inner)]);
  return { ...Object.fromEntries(entries), ...(isEncoded && { base64: HIDDEN }) };
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\u0000') ? undefined : text;
  } catch {
    return undefined;
  }
}
