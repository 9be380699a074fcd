// Shapes that commands of several subjects print with `--json`.
import { boolean, nameOnly, nullable, number, object, only, text } from './json-output.ts';

export const PERSON = object({ name: text, email: text });

/** The page of a list. */
export const PAGE_META = nameOnly(
  object({
    current_page: number,
    is_first_page: boolean,
    is_last_page: boolean,
    limit: number,
    next_page: nullable(number),
    page_count: number,
    previous_page: nullable(number),
  }),
);

/** What became of an attempt to deliver an event or an email. */
export const ATTEMPT = {
  at: text,
  ok: boolean,
  status: nullable(number),
  why: nullable(text),
  answer: text,
  duration_ms: number,
  next_at: nullable(text),
};

export const DELIVERY_STATE = nameOnly(only('waiting', 'delivered', 'undelivered'));

/** The counts of deliveries of an event or to a webhook. */
export const DELIVERY_COUNTS = { waiting: number, delivered: number, undelivered: number };

/** `esign doctor` and a team server print checks like this. */
export const CHECK = object({
  name: text,
  state: only('ok', 'warn', 'fail', 'skip'),
  message: text,
  hint: nullable(text),
});

export const NEXT_COMMAND = object({ command: text, when: text });
