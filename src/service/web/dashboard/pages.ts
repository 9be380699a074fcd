// Maps the paths of the dashboard to pages. Loaded when the first page is requested; an API call never pays for it. Host and
// address were checked by the request pipeline.
import type { Call, Reply } from '../../../api/transport.ts';
import type { RequestContext } from '../../context.ts';
import { html } from '../../rendering/html.ts';
import { headersUntilAvailable, type PageFailure } from '../../rendering/page-failure.ts';
import { editPage } from '../edit/pages.ts';
import {
  isPagePath,
  MAIL_PAGE,
  type PagePath,
  TEMPLATE_PAGE,
  TRANSACTION_PAGE,
  WEBHOOK_PAGE,
} from '../paths.ts';
import {
  createApplication,
  deleteApplication,
  rotateSecret,
  showApplications,
  showDeletion,
  showRotation,
} from './applications.ts';
import { saveCompany, showCompany } from './company.ts';
import { answerConsent, revoke, showConsentForm, showConsents } from './consent.ts';
import { errorPage, show } from './layout.ts';
import { sendMailHtml, showMailbox, showOwnMail } from './mailbox.ts';
import { register, showRegistration } from './register.ts';
import { type PageRequest, readPageRequest } from './request.ts';
import { sendPicture } from './response.ts';
import { showSignIn, signIn, signInByLink, signOut } from './sign-in.ts';
import { sendTemplateDocument, showTemplate, showTemplates } from './templates.ts';
import { sendDocument, sendSealed, showTransaction } from './transaction.ts';
import {
  saveAsTemplate,
  showCancelling,
  showSaveTemplate,
  submitCancellation,
  submitReminder,
} from './transaction-forms.ts';
import { showTransactions } from './transactions.ts';
import {
  ping,
  removeWebhook,
  rotateSecretOfWebhook,
  sendEventAgain,
  setEnabled,
  showSecretRotation,
  showWebhook,
  showWebhookDeletion,
} from './webhook.ts';
import { createNewWebhook, showNewWebhook, showWebhooks } from './webhooks.ts';

/** A sheet of paper with a signature's stroke. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5c48"/><path d="M7 21c4-9 7-12 8-10s-4 9-2 9 4-6 6-6 0 5 2 5 2-1 4-3" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const showHome = (request: PageRequest): Reply | Promise<Reply> =>
  request.user ? showTransactions(request) : welcome(request);

const welcome = (request: PageRequest): Reply =>
  show(request, {
    title: 'Dashboard',
    isNarrow: true,
    body: html`<h1>Send documents for signature</h1>
<p class="lead">Track the transactions of your company, register applications, and decide what they can do on your behalf.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a> ${request.context.isFromOwner && html`<a class="button plain" href="/register">Register</a>`}</p>`,
  });

type PageHandler = (request: PageRequest) => Promise<Reply> | Reply;

/** What is shown at a path, and what a form there does. */
type Methods = { GET?: PageHandler; POST?: PageHandler };

const PAGES: Record<PagePath, Methods> = {
  '/': { GET: showHome },
  '/register': { GET: showRegistration, POST: register },
  '/sign-in': { GET: showSignIn, POST: signIn },
  '/sign-in/link': { GET: signInByLink },
  '/sign-out': { POST: signOut },
  '/company': { GET: showCompany, POST: saveCompany },
  '/applications': { GET: showApplications, POST: createApplication },
  '/applications/delete': { GET: showDeletion, POST: deleteApplication },
  '/applications/rotate': { GET: showRotation, POST: rotateSecret },
  '/consents': { GET: showConsents, POST: revoke },
  '/transactions': { GET: showTransactions },
  '/templates': { GET: showTemplates },
  '/webhooks': { GET: showWebhooks },
  '/webhooks/new': { GET: showNewWebhook, POST: createNewWebhook },
  '/mailbox': { GET: showMailbox },
  '/oauth/authorize': { GET: showConsentForm, POST: answerConsent },
  '/icon.svg': { GET: () => sendPicture(ICON) },
};

/** Pages of one transaction. */
function transactionPage(path: string): Methods | undefined {
  const [, id = '', rest = ''] = TRANSACTION_PAGE.exec(path) ?? [];
  if (id === '') return undefined;
  if (rest === '') return { GET: (request) => showTransaction(request, id) };
  if (rest === 'cancel')
    return {
      GET: (request) => showCancelling(request, id),
      POST: (request) => submitCancellation(request, id),
    };
  if (rest === 'template')
    return {
      GET: (request) => showSaveTemplate(request, id),
      POST: (request) => saveAsTemplate(request, id),
    };
  if (rest === 'remind') return { POST: (request) => submitReminder(request, id) };
  if (rest.startsWith('edit')) return editPage({ kind: 'transaction', id }, rest.slice('edit'.length));
  const [, kind, fileId = ''] = /^(documents|sealed)\/([^/]+)\.pdf$/.exec(rest) ?? [];
  if (kind === undefined) return undefined;
  const send = kind === 'sealed' ? sendSealed : sendDocument;
  return { GET: (request) => send(request, id, fileId) };
}

function templatePage(path: string): Methods | undefined {
  const [, id = '', rest = ''] = TEMPLATE_PAGE.exec(path) ?? [];
  if (id === '') return undefined;
  if (rest === '') return { GET: (request) => showTemplate(request, id) };
  if (rest.startsWith('edit')) return editPage({ kind: 'template', id }, rest.slice('edit'.length));
  const [, documentId] = /^documents\/([^/]+)\.pdf$/.exec(rest) ?? [];
  return documentId === undefined
    ? undefined
    : { GET: (request) => sendTemplateDocument(request, id, documentId) };
}

function webhookPage(path: string): Methods | undefined {
  const [, id = '', action] = WEBHOOK_PAGE.exec(path) ?? [];
  if (id === '') return undefined;
  const GET: PageHandler = (request) => showWebhook(request, id);
  // After signing in, a form that was sent too late leads to the page that it was on.
  switch (action) {
    case undefined:
      return { GET };
    case 'rotate':
      return {
        GET: (request) => showSecretRotation(request, id),
        POST: (request) => rotateSecretOfWebhook(request, id),
      };
    case 'delete':
      return {
        GET: (request) => showWebhookDeletion(request, id),
        POST: (request) => removeWebhook(request, id),
      };
    case 'ping':
      return { GET, POST: (request) => ping(request, id) };
    case 'resend':
      return { GET, POST: (request) => sendEventAgain(request, id) };
    default:
      return { GET, POST: (request) => setEnabled(request, id, action === 'enable') };
  }
}

function mailPage(path: string): Methods | undefined {
  const [, id = '', html] = MAIL_PAGE.exec(path) ?? [];
  if (id === '') return undefined;
  return { GET: (request) => (html === undefined ? showOwnMail(request, id) : sendMailHtml(request, id)) };
}

const PAGES_OF_ONE = [transactionPage, templatePage, webhookPage, mailPage];

export async function answerPage(call: Call, url: URL, context: RequestContext): Promise<Reply> {
  const request = await readPageRequest(call, url, context);
  const page = isPagePath(url.pathname)
    ? PAGES[url.pathname]
    : PAGES_OF_ONE.map((pageOf) => pageOf(url.pathname)).find(Boolean);
  if (!page) return nothingHere(request);
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  if (method === 'GET' && page.GET) return page.GET(request);
  if (method === 'POST' && page.POST) return page.POST(request);
  return errorPage(request, {
    status: 405,
    title: 'This page cannot be used like this',
    text: 'Go back, and use the links and buttons of the page.',
    headers: { allow: [page.GET && 'GET, HEAD', page.POST && 'POST'].filter(Boolean).join(', ') },
  });
}

const nothingHere = (request: PageRequest): Reply =>
  errorPage(request, {
    status: 404,
    title: 'Page not found',
    text: 'There is no page at this URL. Check it for a typing error.',
  });

/** The page that is shown when the program failed, or its database does not answer. */
export async function answerFailure(
  call: Call,
  url: URL,
  context: RequestContext,
  { requestId, isUnavailable }: PageFailure,
): Promise<Reply> {
  // The user is not looked up, because what failed may fail again.
  const stranger = { ...call, headers: { ...call.headers, cookie: '' } };
  const request = await readPageRequest(stranger, url, context);
  if (isUnavailable)
    return errorPage(request, {
      status: 503,
      title: 'The service is not available right now',
      text:
        call.method === 'POST'
          ? 'Go back in your browser, and try again in a moment.'
          : 'This page reloads automatically in a few seconds.',
      headers: headersUntilAvailable(call),
    });
  return errorPage(request, {
    status: 500,
    title: 'Something went wrong',
    text: `The service failed to process this request. If you report the problem, include the request ID ${requestId}.`,
  });
}
