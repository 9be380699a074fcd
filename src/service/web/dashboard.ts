// The dashboard: which page answers which path. Loaded with the first page that is asked for; an API call never pays
// for it. Host and address were checked by the request pipeline.
import type { Call, Reply } from '../../api/transport.ts';
import type { RequestContext } from '../context.ts';
import { createApplication, deleteApplication, showApplications, showDeletion } from './applications.ts';
import { answerConsent, showConsentForm } from './authorize.ts';
import { cancel, showCancelling } from './cancel.ts';
import { revoke, showConsents } from './consents.ts';
import { showHome } from './home.ts';
import { errorPage } from './layout.ts';
import { type PageRequest, pageRequestOf } from './page-request.ts';
import { sendPicture } from './page-response.ts';
import { isPagePath, type PagePath, TRANSACTION_PAGE } from './paths.ts';
import { register, showRegistration } from './register.ts';
import { showSignIn, signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { ICON } from './style.ts';
import { sendDocument, sendSealed, showTransaction } from './transaction.ts';
import { showTransactions } from './transactions.ts';

type Page = (request: PageRequest) => Promise<Reply> | Reply;

/** What is shown at a path, and what a form there does. */
type Methods = { GET?: Page; POST?: Page };

const PAGES: Record<PagePath, Methods> = {
  '/': { GET: showHome },
  '/register': { GET: showRegistration, POST: register },
  '/sign-in': { GET: showSignIn, POST: signIn },
  '/sign-out': { POST: signOut },
  '/applications': { GET: showApplications, POST: createApplication },
  '/applications/delete': { GET: showDeletion, POST: deleteApplication },
  '/consents': { GET: showConsents, POST: revoke },
  '/transactions': { GET: showTransactions },
  '/oauth/authorize': { GET: showConsentForm, POST: answerConsent },
  '/icon.svg': { GET: () => sendPicture(ICON) },
};

/** Pages of one transaction. */
function transactionPage(path: string): Methods | undefined {
  const [, id = '', rest = ''] = TRANSACTION_PAGE.exec(path) ?? [];
  if (id === '') return undefined;
  if (rest === '') return { GET: (request) => showTransaction(request, id) };
  if (rest === 'cancel')
    return { GET: (request) => showCancelling(request, id), POST: (request) => cancel(request, id) };
  const [, kind, fileId = ''] = /^(documents|sealed)\/([^/]+)\.pdf$/.exec(rest) ?? [];
  if (kind === undefined) return undefined;
  const send = kind === 'sealed' ? sendSealed : sendDocument;
  return { GET: (request) => send(request, id, fileId) };
}

export async function answerPage(call: Call, url: URL, context: RequestContext): Promise<Reply> {
  const request = await pageRequestOf(call, url, context);
  const page = isPagePath(url.pathname) ? PAGES[url.pathname] : transactionPage(url.pathname);
  if (!page) return nothingHere(request);
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
  context: RequestContext,
  requestId: string,
): Promise<Reply> {
  // Whatever failed may fail again: nobody is looked up.
  const stranger = { ...call, headers: { ...call.headers, cookie: '' } };
  return errorPage(await pageRequestOf(stranger, url, context), {
    status: 500,
    title: 'Something went wrong inside',
    text: `It was not your fault. If you report it, name the request id ${requestId}.`,
  });
}
