// The dashboard: which page answers which path. Loaded with the first page that is asked for; an API call never pays
// for it. Host and address were checked by the guard.
import type { Call, Reply } from '../../api/transport.ts';
import { createApplication, deleteApplication, showApplications, showDeletion } from './applications.ts';
import { answerConsent, showConsentForm } from './authorize.ts';
import { revoke, showConsents } from './consents.ts';
import { showHome } from './home.ts';
import { errorPage } from './layout.ts';
import { isPagePath, type PagePath } from './paths.ts';
import { register, showRegistration } from './register.ts';
import { sendPicture } from './replies.ts';
import { showSignIn, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { ICON } from './style.ts';
import { type Visit, visitOf, type WebOptions } from './visit.ts';

type Page = (visit: Visit) => Promise<Reply> | Reply;

const PAGES: Record<PagePath, { GET?: Page; POST?: Page }> = {
  '/': { GET: showHome },
  '/register': { GET: showRegistration, POST: register },
  '/sign-in': { GET: showSignIn, POST: signIn },
  '/sign-out': { POST: signOut },
  '/applications': { GET: showApplications, POST: createApplication },
  '/applications/delete': { GET: showDeletion, POST: deleteApplication },
  '/consents': { GET: showConsents, POST: revoke },
  '/oauth/authorize': { GET: showConsentForm, POST: answerConsent },
  '/icon.svg': { GET: () => sendPicture(ICON) },
};

export async function answerPage(call: Call, url: URL, options: WebOptions): Promise<Reply> {
  const visit = await visitOf(call, url, options);
  if (!isPagePath(url.pathname)) return nothingHere(visit);
  const page = PAGES[url.pathname];
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  if (method === 'GET' && page.GET) return page.GET(visit);
  if (method === 'POST' && page.POST) return page.POST(visit);
  return errorPage(visit, {
    status: 405,
    title: 'This is not how this page is used',
    text: 'Go back, and use the links and buttons of the page.',
    headers: { allow: [page.GET && 'GET, HEAD', page.POST && 'POST'].filter(Boolean).join(', ') },
  });
}

const nothingHere = (visit: Visit): Reply =>
  errorPage(visit, {
    status: 404,
    title: 'Nothing is here',
    text: 'This address leads to no page. Check it for a typing error.',
  });

/** What a browser is told when the program failed. */
export async function answerFailure(
  call: Call,
  url: URL,
  options: WebOptions,
  requestId: string,
): Promise<Reply> {
  // Whatever failed may fail again: nobody is looked up.
  const stranger = { ...call, headers: { ...call.headers, cookie: '' } };
  return errorPage(await visitOf(stranger, url, options), {
    status: 500,
    title: 'Something went wrong inside',
    text: `It was not your fault. If you report it, name the request id ${requestId}.`,
  });
}
