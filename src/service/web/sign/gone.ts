// What somebody is told whose form came too late: the turn has passed, or the values are not the ones they have seen.

import type { Refusal } from '../../../api/contract/problems.ts';
import type { Reply } from '../../../api/transport.ts';
import { goTo, plainPage } from './layout.ts';
import type { Guest } from './sign-request.ts';

/** The first page tells how things stand, whatever it was that came between. */
export function gone(guest: Guest, { code }: Refusal): Reply {
  const { words } = guest;
  if (code === 'signing_link_invalid') return goTo(guest.at());
  if (code === 'validation_failed') return goTo(guest.at('document?check=1'));
  if (code === 'values_changed' || code === 'transaction_changed') return goTo(guest.at('review?changed=1'));
  return plainPage(guest, {
    status: 503,
    title: words.busyTitle,
    text: words.busyLead,
    guest,
    to: guest.at(),
  });
}
