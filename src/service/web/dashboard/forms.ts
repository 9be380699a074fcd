// Shows, reads and runs the forms of the dashboard. A form is described once: its fields, what is wrong with an entry, and
// what it does. Here it is shown, read, checked, shown again with its errors, and run. It is read only if it came from a
// page of ours: from this origin, and from a page of this browser.
import type { ZodType } from 'zod';
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Reply } from '../../../api/transport.ts';
import { readBody } from '../../http/body.ts';
import { type Html, type HtmlValue, html } from '../../rendering/html.ts';
import { errorPage, type WrongField } from './layout.ts';
import { FORM_TOKEN, type PageRequest, type UserRequest } from './request.ts';

/**
 * @template Subject what the form is about, such as a webhook; it comes from the ID in the address, or from a value that the form carries
 */
export type Form<R extends PageRequest, Subject, F extends Fields> = {
  /** @param value of a hidden field when the form is sent, and of the query when its page is opened */
  find(request: R, id: string, value: (name: string) => string): Found<Subject> | Promise<Found<Subject>>;
  fields: F;
  /** Fills the fields when the page is opened. */
  initial?(subject: Subject): Entry<F>;
  /** @param fields the fields with their values and errors */
  page(request: R, subject: Subject, fields: Html, wrong: readonly WrongField[]): Reply | Promise<Reply>;
  /**
   * @param showAgain answers with the page of the form, about what has just been changed
   * @returns what is wrong with the entry, where only the store can tell
   */
  run(
    request: R,
    subject: Subject,
    entry: Entry<F>,
    showAgain: (subject: Subject) => Promise<Reply>,
  ): Promise<Reply | WrongField[]>;
};

export type Found<T> = { ok: true; output: T } | { ok: false; reply: Reply };

/** The form is about nothing that exists before it. */
export const withoutSubject = (): Found<undefined> => ({ ok: true, output: undefined });

export type Fields = Readonly<Record<string, TextField | BoxField | ChoicesField>>;

export type TextField = {
  label: string;
  type?: 'text' | 'email' | 'password' | 'url';
  /** The field is a text of so many lines. */
  rows?: number;
  hint?: HtmlValue;
  autocomplete?: string;
  isOptional?: true;
  /** @returns the error; nothing where the value can be used */
  check?(text: string, entry: Readonly<Record<string, string | string[]>>): string | undefined;
};

/** A single checkbox sends `yes`, or nothing. */
export type BoxField = { box: HtmlValue };

/** Several of its checkboxes can be ticked. */
export type ChoicesField = {
  legend: string;
  choices: readonly { value: string; label: string }[];
  check(values: string[]): string | undefined;
};

export type Entry<F extends Fields> = { [Name in keyof F]: F[Name] extends ChoicesField ? string[] : string };

type Handler<R extends PageRequest> = (request: R, id?: string) => Promise<Reply>;

/** @returns the two handlers of the form's path */
export function formPage<F extends Fields, Subject, R extends PageRequest = UserRequest>(
  form: Form<R, Subject, F>,
): { GET: Handler<R>; POST: Handler<R> } {
  const show = async (request: R, subject: Subject, entry?: Entry<F>, wrong: readonly WrongField[] = []) =>
    form.page(request, subject, renderFields(form.fields, entry ?? form.initial?.(subject), wrong), wrong);
  return {
    async GET(request, id = '') {
      const loaded = await form.find(request, id, (name) => request.url.searchParams.get(name) ?? '');
      return loaded.ok ? show(request, loaded.output) : loaded.reply;
    },
    POST: receiveForm(async (request: R, sent, id) => {
      const loaded = await form.find(request, id, sent.get);
      if (!loaded.ok) return loaded.reply;
      const entry = entryIn(form.fields, sent);
      const wrong = wrongIn(form.fields, entry);
      if (wrong.length > 0) return show(request, loaded.output, entry, wrong);
      const result = await form.run(request, loaded.output, entry, (subject) => show(request, subject));
      return Array.isArray(result) ? show(request, loaded.output, entry, result) : result;
    }),
  };
}

/** Handles a form without fields to fill in, such as a button. */
export const receiveForm =
  <R extends PageRequest>(run: (request: R, sent: PageForm, id: string) => Promise<Reply>): Handler<R> =>
  async (request, id = '') => {
    const sent = await readPageForm(request);
    return sent.ok ? run(request, sent.output, id) : sent.reply;
  };

function entryIn<F extends Fields>(fields: F, { get, getAll }: PageForm): Entry<F> {
  const read = (name: string): string | string[] => {
    const field = fields[name]!;
    if ('legend' in field) return getAll(name);
    if ('box' in field) return get(name) === 'yes' ? 'yes' : '';
    // A password may begin or end with spaces.
    if (field.type === 'password') return get(name);
    // A browser ends the lines of a text with CR LF.
    return (field.rows === undefined ? get(name) : get(name).replaceAll('\r\n', '\n')).trim();
  };
  return Object.fromEntries(Object.keys(fields).map((name) => [name, read(name)])) as Entry<F>;
}

const wrongIn = (fields: Fields, entry: Readonly<Record<string, string | string[]>>): WrongField[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const value = entry[name]!;
    const message =
      'legend' in field
        ? field.check([value].flat())
        : 'label' in field && typeof value === 'string' && field.check?.(value, entry);
    return message ? [{ field: name, message }] : [];
  });

/** @returns a check by a rule of the contract, whose messages continue a sentence that begins with `subject` */
export const checkedBy =
  (rule: ZodType, subject: string, ifEmpty?: string) =>
  (text: string): string | undefined => {
    const { success, error } = rule.safeParse(text);
    if (success) return undefined;
    return text === '' && ifEmpty !== undefined ? ifEmpty : `${subject} ${error.issues[0]?.message}`;
  };

/** @returns a check whose one message says what to enter */
export const required =
  (message: string, rule?: ZodType) =>
  (text: string): string | undefined =>
    (rule ? rule.safeParse(text).success : text !== '') ? undefined : message;

// ── reading ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export type PageForm = { get(name: string): string; getAll(name: string): string[] };

/** Answers any other form with a page that says so, before its content is read. */
export async function readPageForm(
  request: PageRequest,
  maxBytes: number = LIMITS.formBytes,
): Promise<Found<PageForm>> {
  const { call } = request;
  const refused = (status: number, title: string, text: string) => ({
    ok: false as const,
    reply: errorPage(request, { status, title, text }),
  });
  if (!isFromOurPage(request))
    return refused(
      403,
      'This form did not come from this site',
      'For your security, it was not processed. Open the page on this site and send the form again.',
    );
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(call.headers['content-type'] ?? ''))
    return refused(415, 'The form cannot be read', 'Open the page and send the form again.');
  const body = await readBody(call, maxBytes);
  if (body === 'too_large')
    return refused(413, 'The form is too large', `A form can have at most ${maxBytes} bytes.`);
  if (body === 'refused')
    return refused(503, 'The service is busy', 'Nothing was changed. Send the form again in a few seconds.');
  if (typeof body === 'string')
    return refused(400, 'The form cannot be read', 'Open the page and send the form again.');
  const values = new URLSearchParams(body.text);
  if (!request.isFormToken(values.get(FORM_TOKEN) ?? ''))
    return refused(
      403,
      'This page is out of date',
      'You have signed in or out since it was opened, or your browser does not accept cookies. Nothing was changed. Open the page again.',
    );
  return {
    ok: true,
    output: { get: (name) => values.get(name) ?? '', getAll: (name) => values.getAll(name) },
  };
}

/**
 * Browsers say where a form was sent from. `Sec-Fetch-Site` cannot be set by a page at all; `Origin` is sent with every POST. A
 * request with neither is from no browser, and has no form of ours.
 */
export function isFromOurPage({ call: { headers }, origin }: Pick<PageRequest, 'call' | 'origin'>): boolean {
  const site = headers['sec-fetch-site'];
  const from = headers.origin;
  if (site !== undefined && site !== 'same-origin') return false;
  if (from !== undefined && from !== 'null') return from === origin;
  return site === 'same-origin';
}

// ── showing ─────────────────────────────────────────────────────────────────────────────────────────────────────────

const renderFields = <F extends Fields>(
  fields: F,
  entry: Partial<Entry<F>> = {},
  wrong: readonly WrongField[] = [],
): Html =>
  html`${Object.entries(fields).map(
    ([name, field], index) => html`${index > 0 && '\n'}${renderField(name, field, entry[name] ?? '', wrong)}`,
  )}`;

function renderField(
  name: string,
  field: Fields[string],
  value: string | string[],
  wrong: readonly WrongField[],
): Html {
  if ('legend' in field) return checkboxes(name, field, value, wrong);
  if ('box' in field)
    return html`<p class="check"><input type="checkbox" id="${name}" name="${name}" value="yes"${value === 'yes' && html` checked`}>
<label for="${name}">${field.box}</label></p>`;
  const text = `${value}`;
  if (field.rows !== undefined) return textArea({ ...field, name, rows: field.rows, value: text, wrong });
  // A password is never sent back.
  return labelledInput({ ...field, name, wrong, ...(field.type !== 'password' && { value: text }) });
}

type ControlOptions = Pick<TextField, 'label' | 'hint' | 'isOptional'> & {
  name: string;
  value?: string;
  wrong: readonly WrongField[];
};

export function labelledInput(options: ControlOptions & Pick<TextField, 'type' | 'autocomplete'>): Html {
  const { name, type = 'text', value, autocomplete = 'off', isOptional } = options;
  return labelled(
    options,
    (attributes) =>
      html`<input id="${name}" name="${name}" type="${type}"${!isOptional && html` required`} autocomplete="${autocomplete}" spellcheck="false" autocapitalize="${type === 'text' ? 'words' : 'none'}"${value && html` value="${value}"`}${attributes}>`,
  );
}

export const textArea = (options: ControlOptions & { rows: number }): Html =>
  labelled(
    options,
    (attributes) =>
      html`<textarea id="${options.name}" name="${options.name}"${!options.isOptional && html` required`} dir="auto" rows="${options.rows}"${attributes}>${'\n'}${options.value}</textarea>`,
  );

function labelled({ name, label, hint, wrong }: ControlOptions, control: (attributes: Html) => Html): Html {
  const message = messageFor(name, wrong);
  const described = [hint && `${name}-hint`, message && `${name}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
${control(html`${message && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}`)}
</div>`;
}

/** The first checkbox has the name of the group as its ID, so that an error in the summary leads to it. */
function checkboxes(
  name: string,
  { legend, choices }: ChoicesField,
  checked: string | readonly string[],
  wrong: readonly WrongField[],
): Html {
  const message = messageFor(name, wrong);
  const idOf = (value: string) => (value === choices[0]?.value ? name : `${name}-${value}`);
  return html`<fieldset class="field"${message && html` aria-describedby="${name}-wrong"`}>
<legend>${legend}</legend>
${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
${choices.map(
  ({ value, label }) =>
    html`<p class="check"><input type="checkbox" id="${idOf(value)}" name="${name}" value="${value}"${checked.includes(value) && html` checked`}>
<label for="${idOf(value)}">${label} <code>${value}</code></label></p>`,
)}
</fieldset>`;
}

const messageFor = (name: string, wrong: readonly WrongField[]): string | undefined =>
  wrong.find(({ field }) => field === name)?.message;
