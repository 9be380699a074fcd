// Signs a user out: the session ends in the browser and in the store.
import type { Reply } from '../../api/transport.ts';
import { deleteSession } from '../store/sessions.ts';
import { readPageForm } from './forms.ts';
import type { PageRequest } from './page-request.ts';
import { sendTo } from './page-response.ts';
import { withReturnTo } from './return-to.ts';

export async function signOut(request: PageRequest): Promise<Reply> {
  const sent = await readPageForm(request);
  if (!sent.ok) return sent.reply;
  await request.store.database.write((db) => deleteSession(db, request.cookieHash));
  return sendTo(withReturnTo(request, '/sign-in'), request.noCookie);
}
