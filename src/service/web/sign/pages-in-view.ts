// Receives the report of the script about the pages that were on the screen. It is as untrusted as any form: it names pages and nothing
// else.
import type { Reply } from '../../../api/transport.ts';
import { recordPagesInView } from '../../signing/page-records.ts';
import { readSigningForm } from './forms.ts';
import { plainPage, SAFE_HEADERS } from './layout.ts';
import { refuseForm } from './refuse-form.ts';
import type { Guest } from './sign-request.ts';

export async function receivePagesInView(guest: Guest): Promise<Reply> {
  const sent = await readSigningForm(guest);
  if (!sent.ok) return sent.reply;
  const recorded = await recordPagesInView(guest.context, guest.token, sent.values.get('pages') ?? '');
  if (recorded.ok) return { status: 204, headers: { ...SAFE_HEADERS }, body: '' };
  if (recorded.refusal.code !== 'validation_failed') return refuseForm(guest, recorded.refusal);
  const { outOfDateTitle: title, outOfDateLead: text } = guest.words;
  return plainPage(guest, { status: 422, title, text, guest, to: guest.at() });
}
