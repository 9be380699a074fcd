// Reads a form, and checks that it came from a page of ours: from this origin, and from this browser's page. Any other form is
// answered with a page that says so, before its content is read.
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Reply } from '../../../api/transport.ts';
import { readBody } from '../../http/body.ts';
import { type Html, html } from '../../rendering/html.ts';
import { errorPage, type WrongField } from './layout.ts';
import { FORM_TOKEN, type PageRequest } from './request.ts';

export type PageForm = { get(name: string): string; getAll(name: string): string[] };

export async function readPageForm(
  request: PageRequest,
  maxBytes: number = LIMITS.formBytes,
): Promise<{ ok: true; form: PageForm } | { ok: false; reply: Reply }> {
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
  const fields = new URLSearchParams(body.text);
  if (!request.isFormToken(fields.get(FORM_TOKEN) ?? ''))
    return refused(
      403,
      'This page is out of date',
      'You have signed in or out since it was opened, or your browser does not accept cookies. Nothing was changed. Open the page again.',
    );
  return { ok: true, form: { get: (name) => fields.get(name) ?? '', getAll: (name) => fields.getAll(name) } };
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

type CheckboxesParts = {
  name: string;
  legend: string;
  choices: readonly { value: string; label: string }[];
  checked: readonly string[];
  wrong: readonly WrongField[];
};

/** The first checkbox has the name of the group as its id, so that an error in the summary leads to it. */
export function checkboxes({ name, legend, choices, checked, wrong }: CheckboxesParts): Html {
  const message = wrong.find((one) => one.field === name)?.message;
  return html`<fieldset class="field"${message && html` aria-describedby="${name}-wrong"`}>
<legend>${legend}</legend>
${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
${choices.map(
  ({ value, label }, index) =>
    html`<p class="check"><input type="checkbox" id="${index === 0 ? name : `${name}-${value}`}" name="${name}" value="${value}"${checked.includes(value) && html` checked`}>
<label for="${index === 0 ? name : `${name}-${value}`}">${label} <code>${value}</code></label></p>`,
)}
</fieldset>`;
}
