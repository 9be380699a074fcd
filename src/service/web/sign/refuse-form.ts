// Answers a form that was refused: the turn has passed, the values differ from those that were shown, the service is busy, or
// the documents could not be sealed.

import { PROBLEMS, type ProblemCode, type Refusal } from '../../../api/contract/problems.ts';
import type { Reply } from '../../../api/transport.ts';
import { goTo, plainPage } from './layout.ts';
import type { Guest } from './sign-request.ts';

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

/** What does not pass by itself within a minute. */
const NOT_SEALED: readonly ProblemCode[] = [
  'document_not_sealable',
  'document_not_as_shown',
  'document_too_complex',
  'sealing_unavailable',
  'sealing_failed',
  'storage_damaged',
];
