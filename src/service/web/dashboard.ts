// The dashboard: which page answers which path. Loaded with the first page that is asked for; an API call never pays
// for it. Host and address were checked by the request pipeline.
import type { Call, Reply } from '../../api/transport.ts';
import { createApplication, deleteApplication, showApplications, showDeletion } from './applications.ts';
import { answerConsent, showConsentForm } from './authorize.ts';
import { revoke, showConsents } from './consents.ts';
import { showHome } from './home.ts';
import { errorPage } from './layout.ts';
import { type PageRequest, pageRequestOf, type WebOptions } from './page-request.ts';
import { sendPicture } from './page-response.ts';
import { isPagePath, type PagePath } from './paths.ts';
import { register, showRegistration } from './register.ts';
import { showSignIn, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { ICON } from './style.ts';

type Page = (request: PageRequest) => Promise<Reply> | Reply;

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
  const request = await pageRequestOf(call, url, options);
  if (!isPagePath(url.pathname)) return nothingHere(request);
  const page = PAGES[url.pathname];
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  if (method === 'GET' && page.GET) return page.GET(request);
  if (method === 'POST' && page.POST) return page.POST(request);
  return errorPage(request, {
    status: 405,
    title: 'This is not how this page is used',
    text: 'Go back, and use the links and buttons of the page.',
    headers: { allow: [page.GET && 'GET, HEAD', page.POST && 'POST'].filter(Boolean).join(', ') },
  });
}

const nothingHere = (request: PageRequest): Reply =>
  errorPage(request, {
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
  return errorPage(await pageRequestOf(stranger, url, options), {
    status: 500,
    title: 'Something went wrong inside',
    text: `It was not your fault. If you report it, name the request id ${requestId}.`,
  });
}
