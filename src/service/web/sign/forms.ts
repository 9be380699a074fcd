// Reads a form of a signing page, and checks that it came from a page of ours: from this origin, and from a page of the same
// recipient. Any other form is answered with a page that says so, before its content is read.
import { LIMITS } from '../../../api/contract/limits.ts';
import type { Reply } from '../../../api/transport.ts';
import { readBody } from '../../http/body.ts';
import { readUploadForm as readParts } from '../../http/form.ts';
import type { Spooled } from '../../store/blobs.ts';
import { FORM_TOKEN } from '../form-token.ts';
import { isFromOurPage } from '../forms.ts';
import { plainPage } from './layout.ts';
import type { Guest } from './sign-request.ts';

export type SubmittedForm = { ok: true; values: ReadonlyMap<string, string> } | { ok: false; reply: Reply };

export async function readSigningForm(guest: Guest): Promise<SubmittedForm> {
  const foreign = refusedForeign(guest);
  if (foreign) return foreign;
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(guest.call.headers['content-type'] ?? ''))
    return outOfDate(guest);
  const body = await readBody(guest.call, LIMITS.jsonBytes);
  if (body === 'too_large') return tooMuch(guest);
  if (body === 'refused') return busy(guest);
  if (typeof body === 'string') return outOfDate(guest);
  const values = new Map(new URLSearchParams(body.text));
  return guest.isFormToken(values.get(FORM_TOKEN) ?? '') ? { ok: true, values } : outOfDate(guest);
}

export type SentFile =
  | { ok: true; values: ReadonlyMap<string, string>; file: Spooled | undefined }
  | { ok: false; reply: Reply }
  | { ok: false; isTooLarge: true };

/** Reads a form that may contain a file. The caller discards the file. */
export async function readFileForm(guest: Guest): Promise<SentFile> {
  const foreign = refusedForeign(guest);
  if (foreign) return foreign;
  const read = await readParts(guest.call, guest.context.store.blobs);
  if (!read.ok)
    return read.refusal.code === 'file_too_large' ? { ok: false, isTooLarge: true } : outOfDate(guest);
  const { fields, upload } = read.output;
  const { spooled } = upload;
  const hasToken = guest.isFormToken(fields[FORM_TOKEN] ?? '');
  if (hasToken && spooled.sizeBytes > 0)
    return { ok: true, values: new Map(Object.entries(fields)), file: spooled };
  await spooled.discard();
  return hasToken ? { ok: true, values: new Map(Object.entries(fields)), file: undefined } : outOfDate(guest);
}

type Refused = { ok: false; reply: Reply };

function refusedForeign(guest: Guest): Refused | undefined {
  if (isFromOurPage(guest)) return undefined;
  const { words } = guest;
  return {
    ok: false,
    reply: plainPage(guest, { status: 403, title: words.foreignTitle, text: words.foreignLead }),
  };
}

const outOfDate = (guest: Guest): Refused => ({
  ok: false,
  reply: plainPage(guest, {
    status: 403,
    title: guest.words.outOfDateTitle,
    text: guest.words.outOfDateLead,
    guest,
    to: guest.at(),
  }),
});

const busy = (guest: Guest): Refused => ({
  ok: false,
  reply: plainPage(guest, {
    status: 503,
    title: guest.words.busyTitle,
    text: guest.words.busyLead,
    guest,
    to: guest.at(),
  }),
});

const tooMuch = (guest: Guest): Refused => ({
  ok: false,
  reply: plainPage(guest, {
    status: 413,
    title: guest.words.tooMuchTitle,
    text: guest.words.tooMuchLead,
    guest,
    to: guest.at('document'),
  }),
});
