// Adopts a signature or initials: typed in one of two faces, drawn, or as a picture. Drawing needs the script; the page without
// it has the other two.

import { LIMITS } from '../../../api/contract/limits.ts';
import { codePoints, withoutControls } from '../../../api/contract/values.ts';
import type { Reply } from '../../../api/transport.ts';
import { redrawSignature } from '../../documents/signature-picture.ts';
import { type Adopted, adopted, SIGNATURE_FACES } from '../../domain/adoption.ts';
import { initialsOf, type SignatureKind } from '../../domain/draft.ts';
import { html } from '../../rendering/html.ts';
import { saveSignature } from '../../signing/fill.ts';
import { fieldsOfRecipient } from '../../signing/signing-session.ts';
import { faceOfSignature } from './fields.ts';
import { readFileForm, refuseForm } from './forms.ts';
import { goTo, renderSigningPage, tokenField, type WrongControl } from './layout.ts';
import type { Guest } from './request.ts';

export const showSignature = (guest: Guest): Reply => {
  const mark = markAsked(guest);
  const { draft } = guest.visit.signing;
  const stored = draft[mark];
  const { name } = guest.visit.recipient;
  const text = stored?.kind === 'typed' ? stored.value : mark === 'initials' ? initialsOf(name) : name;
  return signaturePage(guest, mark, text, []);
};

function signaturePage(
  guest: Guest,
  mark: SignatureKind,
  text: string,
  wrong: readonly WrongControl[],
): Reply {
  const { words, visit } = guest;
  const title = mark === 'initials' ? words.initialsTitle : words.signatureTitle;
  const messageOf = (id: string) => wrong.find((error) => error.id === id)?.message;
  const [wrongText, wrongFile] = [messageOf('text'), messageOf('file')];
  const fields = fieldsOfRecipient(visit).filter(({ type }) => type === mark).length;
  const face = faceOfSignature(guest, { type: visit.signing.draft[mark] ? mark : 'signature' });
  return renderSigningPage(guest, {
    title,
    guest,
    step: 'fill',
    wrong,
    status: wrong.length > 0 ? 422 : 200,
    body: html`<h1>${title}</h1>
<p class="lead">${fields === 1 ? words.adoptHint : words.adoptHintAll}</p>
<form class="sheet" id="signature" data-mark="${mark}" method="post" enctype="multipart/form-data" action="${guest.at(`signature?for=${mark}`)}" novalidate data-not-reached="${words.notReached}">
${tokenField(guest)}<input type="hidden" name="for" value="${mark}">
<div data-way="draw" hidden><fieldset disabled><legend>${words.draw}</legend>
<p class="hint" id="draw-hint">${words.drawHint}</p>
<canvas class="pad" data-pad data-nothing-drawn="${words.nothingDrawn}" role="img" aria-label="${words.draw}" aria-describedby="draw-hint"></canvas>
<p class="actions"><button type="button" class="plain small" data-clear>${words.clear}</button></p></fieldset></div>
<div data-way="type"><fieldset><legend>${words.type}</legend>
<div class="field"><label for="text">${mark === 'initials' ? words.typeInitialsLabel : words.typeLabel}</label>
${wrongText && html`<p class="wrong" id="text-wrong">${wrongText}</p>`}
<input id="text" name="text" dir="auto" autocomplete="${mark === 'initials' ? 'off' : 'name'}" maxlength="${LIMITS.personNameLength}" value="${text}"${wrongText && html` aria-invalid="true" aria-describedby="text-wrong"`}></div>
<div class="field faces" role="radiogroup" aria-label="${words.faceLabel}">${SIGNATURE_FACES.map(
      (sample, index) =>
        html`<label><input type="radio" name="face" value="${sample}"${sample === face && html` checked`} aria-label="${words.face({ number: index + 1 })}"><span class="sample ${sample}" dir="auto" data-sample>${text}</span></label>`,
    )}</div></fieldset></div>
<div data-way="upload"><fieldset><legend>${words.upload}</legend>
<div class="field"><label for="file">${words.uploadLabel}</label>
<p class="hint" id="file-hint">${words.uploadHint}</p>
${wrongFile && html`<p class="wrong" id="file-wrong">${wrongFile}</p>`}
<input id="file" name="file" type="file" accept="image/*" aria-describedby="file-hint${wrongFile && ' file-wrong'}"${wrongFile && html` aria-invalid="true"`}></div></fieldset></div>
<p class="actions"><button>${mark === 'initials' ? words.adoptInitials : words.adopt}</button> <a class="button plain" href="${guest.at('document')}" data-close>${words.cancel}</a></p>
</form>`,
  });
}

const markAsked = ({ url }: Guest): SignatureKind => markOf(url.searchParams.get('for'));

const markOf = (name: string | null | undefined): SignatureKind =>
  name === 'initials' ? 'initials' : 'signature';

export async function adoptSignature(guest: Guest): Promise<Reply> {
  const sent = await readFileForm(guest);
  const { words, context } = guest;
  if (!sent.ok && 'reply' in sent) return sent.reply;
  if (!sent.ok)
    return signaturePage(guest, markAsked(guest), '', [{ id: 'file', message: words.pictureTooLarge }]);
  try {
    const { values, file } = sent;
    const mark = markOf(values.get('for'));
    const text = withoutControls(values.get('text') ?? '').trim();
    const refused = (id: string, message: string) => signaturePage(guest, mark, text, [{ id, message }]);
    let signature: Adopted;
    if (file) {
      const owner = guest.visit.transaction.company_id;
      const picture = await redrawSignature(context, file, owner);
      if (!picture.ok)
        return refused('file', picture.reason === 'busy' ? words.busyLead : words.pictureUnusable);
      const kind = values.get('kind') === 'drawn' ? 'drawn' : 'uploaded';
      signature = adopted(picture.value, { kind, face: values.get('face') });
    } else {
      if (values.get('kind') === 'uploaded' || values.get('kind') === 'drawn')
        return refused('file', words.signatureMissing);
      if (text === '' || codePoints(text) > LIMITS.personNameLength)
        return refused('text', words.signatureMissing);
      signature = adopted(text, { face: values.get('face') });
    }
    const saved = await saveSignature(context, guest.token, mark, signature);
    return saved.ok ? goTo(guest.at('document')) : refuseForm(guest, saved.refusal);
  } finally {
    if (sent.ok) await sent.file?.discard();
  }
}
