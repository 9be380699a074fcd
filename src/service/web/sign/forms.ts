// Reads a form of a signing page, and checks that it came from a page of ours: from this origin, and from a page of the same
// recipient. Any other form is answered with a page that says so, before its content is read. A form that was read may still
// be refused: the turn has passed, the values differ from those that were shown, or the documents could not be sealed.
import { LIMITS } from '../../../api/contract/limits.ts';
import { PROBLEMS, type ProblemCode, type Refusal } from '../../../api/contract/problems.ts';
import type { Reply } from '../../../api/transport.ts';
import { readBody } from '../../http/body.ts';
import { readUploadForm as readParts } from '../../http/form.ts';
import type { Spooled } from '../../store/blobs/blobs.ts';
import { isFromOurPage } from '../dashboard/forms.ts';
import { FORM_TOKEN } from '../dashboard/request.ts';
import { goTo, plainPage } from './layout.ts';
import type { Guest } from './request.ts';

type SubmittedForm = { ok: true; values: ReadonlyMap<string, string> } | { ok: false; reply: Reply };

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

type SentFile =
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

/** The first page shows the state, whatever happened meanwhile. */
export function refuseForm(guest: Guest, { code }: Refusal): Reply {
  const { words } = guest;
  if (code === 'signing_link_invalid') return goTo(guest.at());
  if (code === 'validation_failed') return goTo(guest.at('document?check=1'));
  if (code === 'values_changed' || code === 'transaction_changed') return goTo(guest.at('review?changed=1'));
  const isNotSealed = NOT_SEALED.includes(code);
  return plainPage(guest, {
    status: isNotSealed ? PROBLEMS[code].status : 503,
    title: isNotSealed ? words.notSealedTitle : words.busyTitle,
    text: isNotSealed ? words.notSealedLead : words.busyLead,
    guest,
    to: guest.at(),
  });
}

/** These refusals do not pass by themselves within a minute. */
const NOT_SEALED: readonly ProblemCode[] = [
  'document_not_sealable',
  'document_not_as_shown',
  'document_too_complex',
  'sealing_unavailable',
  'sealing_failed',
  'storage_damaged',
];
