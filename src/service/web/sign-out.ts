// Signing out: the session ends here and in the store, not only in the browser.
import type { Reply } from '../../api/transport.ts';
import { deleteSession } from '../store/sessions.ts';
import { readForm } from './forms.ts';
import { onTheWay } from './going-on.ts';
import { sendTo } from './replies.ts';
import type { Visit } from './visit.ts';

export async function signOut(visit: Visit): Promise<Reply> {
  const sent = await readForm(visit);
  if (!sent.ok) return sent.reply;
  await visit.store.database.write((db) => deleteSession(db, visit.cookieHash));
  return sendTo(onTheWay(visit, '/sign-in'), visit.noCookie);
}
