// Rejects the transaction, with a reason: it ends for all recipients.
import { LIMITS } from '../../../api/contract/limits.ts';
import { codePoints, withoutControls } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { html } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/language.ts';
import { rejectTransaction } from '../../signing/sign.ts';
import { maxlength } from './controls.ts';
import { readSigningForm, refuseForm } from './forms.ts';
import { goTo, renderSigningPage, senderNameOf, tokenField, type WrongControl } from './layout.ts';
import type { Guest } from './request.ts';

export const showRejection = (guest: Guest): Reply => rejectPage(guest, '', []);

function rejectPage(guest: Guest, reason: string, wrong: readonly WrongControl[]): Reply {
  const { words } = guest;
  const sender = isolateDirection(senderNameOf(guest));
  const [message] = wrong.map((error) => error.message);
  return renderSigningPage(guest, {
    title: words.rejectTitle,
    guest,
    wrong,
    status: wrong.length > 0 ? 422 : 200,
    body: html`<h1>${words.rejectTitle}</h1>
<p>${words.rejectLead({ sender })}</p>
<form class="sheet" method="post" action="${guest.at('reject')}" novalidate>${tokenField(guest)}
<div class="field"><label for="reason">${words.reason}</label>
<p class="hint" id="reason-hint">${words.reasonHint({ sender })}</p>
${message && html`<p class="wrong" id="reason-wrong">${message}</p>`}
<textarea id="reason" name="reason" required dir="auto" rows="4" maxlength="${maxlength(LIMITS.reasonLength)}" aria-describedby="reason-hint${message && ' reason-wrong'}"${message && html` aria-invalid="true"`}>${'\n'}${reason}</textarea></div>
<p class="actions"><button class="danger" data-once>${words.rejectNow}</button> <a class="button plain" href="${guest.at()}">${words.cancel}</a></p>
</form>`,
  });
}

export async function submitRejection(guest: Guest): Promise<Reply> {
  const sent = await readSigningForm(guest);
  if (!sent.ok) return sent.reply;
  const { words } = guest;
  const reason = withoutControls((sent.values.get('reason') ?? '').replaceAll('\r\n', '\n')).trim();
  if (reason === '') return rejectPage(guest, reason, [{ id: 'reason', message: words.reasonMissing }]);
  if (codePoints(reason) > LIMITS.reasonLength)
    return rejectPage(guest, reason, [
      { id: 'reason', message: words.reasonTooLong({ count: LIMITS.reasonLength }) },
    ]);
  const rejected = await rejectTransaction(guest.context, guest.token, reason, guest.link);
  return rejected.ok ? goTo(guest.at()) : refuseForm(guest, rejected.refusal);
}
