// Maps the paths of the dashboard to pages. It is loaded when the first page is requested, so that an API call never pays
// for it. Host and address were checked by the request pipeline.
import type { Call, Reply } from '../../../api/transport.ts';
import type { RequestContext } from '../../context.ts';
import { html } from '../../rendering/html.ts';
import { editPage } from '../edit/pages.ts';
import {
  headersUntilAvailable,
  isPagePath,
  MAIL_PAGE,
  type PageFailure,
  type PagePath,
  TEMPLATE_PAGE,
  TRANSACTION_PAGE,
  WEBHOOK_PAGE,
} from '../paths.ts';
import { applicationDeletion, applications, notificationSecretRotation } from './applications.ts';
import { company } from './company.ts';
import { answerConsent, revoke, showConsentForm, showConsents } from './consent.ts';
import { errorPage, show } from './layout.ts';
import { sendMailHtml, showMail, showMailbox } from './mailbox.ts';
import { isSignedIn, type PageRequest, readPageRequest, type UserRequest } from './request.ts';
import { redirectToSignIn, sendPicture } from './response.ts';
import { register, showRegistration, showSignIn, signInByLink, signInForm, signOut } from './sign-in.ts';
import { sendTemplateDocument, showTemplate, showTemplates } from './templates.ts';
import { sendDocument, sendSealed, showTransaction } from './transaction.ts';
import { cancellation, remind, savingAsTemplate } from './transaction-forms.ts';
import { showTransactions } from './transactions.ts';
import { disable, enable, ping, resend, secretRotation, showWebhook, webhookDeletion } from './webhook.ts';
import { showWebhooks, webhookCreation } from './webhooks.ts';

type Handler<R extends PageRequest> = (request: R, id: string) => Promise<Reply> | Reply;

type Methods<R extends PageRequest> = { GET?: Handler<R> | undefined; POST?: Handler<R> | undefined };

export async function answerPage(call: Call, url: URL, context: RequestContext): Promise<Reply> {
  const request = await readPageRequest(call, url, context);
  const { methods, id } = findPage(url.pathname);
  if (!methods)
    return errorPage(request, {
      status: 404,
      title: 'Page not found',
      text: 'There is no page at this URL. Check it for a typing error.',
    });
  const method = call.method === 'HEAD' ? 'GET' : call.method;
  const handler = method === 'GET' || method === 'POST' ? methods[method] : undefined;
  if (handler) return handler(request, id);
  return errorPage(request, {
    status: 405,
    title: 'This page cannot be used like this',
    text: 'Go back, and use the links and buttons of the page.',
    headers: { allow: [methods.GET && 'GET, HEAD', methods.POST && 'POST'].filter(Boolean).join(', ') },
  });
}

/** Finds the page of a path. `id` names the thing that the page is about, where there are many such pages. */
function findPage(path: string): { methods: Methods<PageRequest> | undefined; id: string } {
  if (isPagePath(path))
    return { methods: isOpen(path) ? OPEN_PAGES[path] : ofUser(USER_PAGES[path]), id: '' };
  for (const [pattern, methodsAt] of PAGES_OF_ONE) {
    const [, id, rest = ''] = pattern.exec(path) ?? [];
    if (id !== undefined) return { methods: ofUser(methodsAt(rest, id)), id };
  }
  return { methods: undefined, id: '' };
}

/** Visitors who are not signed in are asked to sign in, and come back to the page afterwards. */
function ofUser(methods: Methods<UserRequest> | undefined): Methods<PageRequest> | undefined {
  const checked = (handler?: Handler<UserRequest>): Handler<PageRequest> | undefined =>
    handler && ((request, id) => (isSignedIn(request) ? handler(request, id) : redirectToSignIn(request)));
  return methods && { GET: checked(methods.GET), POST: checked(methods.POST) };
}

// ── the pages ───────────────────────────────────────────────────────────────────────────────────────────────────────

const showHome = (request: PageRequest): Reply | Promise<Reply> =>
  isSignedIn(request)
    ? showTransactions(request)
    : show(request, {
        title: 'Dashboard',
        isNarrow: true,
        body: html`<h1>Send documents for signature</h1>
<p class="lead">Track the transactions of your company, register applications, and decide what they can do on your behalf.</p>
<p class="actions"><a class="button" href="/sign-in">Sign in</a> ${request.context.isFromOwner && html`<a class="button plain" href="/register">Register</a>`}</p>`,
      });

/** The icon shows a sheet of paper with a signature's stroke. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1d5c48"/><path d="M7 21c4-9 7-12 8-10s-4 9-2 9 4-6 6-6 0 5 2 5 2-1 4-3" fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const OPEN_PAGES = {
  '/': { GET: showHome },
  '/register': { GET: showRegistration, POST: register },
  '/sign-in': { GET: showSignIn, POST: signInForm.POST },
  '/sign-in/link': { GET: signInByLink },
  '/sign-out': { POST: signOut },
  '/oauth/authorize': { GET: showConsentForm, POST: answerConsent },
  '/icon.svg': { GET: () => sendPicture(ICON) },
} satisfies Partial<Record<PagePath, Methods<PageRequest>>>;

type OpenPath = keyof typeof OPEN_PAGES;

const isOpen = (path: PagePath): path is OpenPath => path in OPEN_PAGES;

const USER_PAGES: Record<Exclude<PagePath, OpenPath>, Methods<UserRequest>> = {
  '/company': company,
  '/applications': applications,
  '/applications/delete': applicationDeletion,
  '/applications/rotate': notificationSecretRotation,
  '/consents': { GET: showConsents, POST: revoke },
  '/transactions': { GET: showTransactions },
  '/templates': { GET: showTemplates },
  '/webhooks': { GET: showWebhooks },
  '/webhooks/new': webhookCreation,
  '/mailbox': { GET: showMailbox },
};

type MethodsAt = (rest: string, id: string) => Methods<UserRequest> | undefined;

const DOCUMENT = /^(documents|sealed)\/([^/]+)\.pdf$/;

const transactionPage: MethodsAt = (rest, id) => {
  if (rest.startsWith('edit')) return editPage({ kind: 'transaction', id }, rest.slice('edit'.length));
  const [, kind, fileId = ''] = DOCUMENT.exec(rest) ?? [];
  if (kind === 'documents') return { GET: (request) => sendDocument(request, id, fileId) };
  if (kind === 'sealed') return { GET: (request) => sendSealed(request, id, fileId) };
  switch (rest) {
    case '':
      return { GET: showTransaction };
    case 'cancel':
      return cancellation;
    case 'template':
      return savingAsTemplate;
    case 'remind':
      return { POST: remind };
    default:
      return undefined;
  }
};

const templatePage: MethodsAt = (rest, id) => {
  if (rest === '') return { GET: showTemplate };
  if (rest.startsWith('edit')) return editPage({ kind: 'template', id }, rest.slice('edit'.length));
  const [, kind, fileId = ''] = DOCUMENT.exec(rest) ?? [];
  return kind === 'documents' ? { GET: (request) => sendTemplateDocument(request, id, fileId) } : undefined;
};

/** After signing in, a form that was sent too late leads to the page that it was on. */
const WEBHOOK_PAGES: Readonly<Record<string, Methods<UserRequest>>> = {
  '': { GET: showWebhook },
  enable: { GET: showWebhook, POST: enable },
  disable: { GET: showWebhook, POST: disable },
  ping: { GET: showWebhook, POST: ping },
  resend: { GET: showWebhook, POST: resend },
  rotate: secretRotation,
  delete: webhookDeletion,
};

const PAGES_OF_ONE: readonly (readonly [RegExp, MethodsAt])[] = [
  [TRANSACTION_PAGE, transactionPage],
  [TEMPLATE_PAGE, templatePage],
  [WEBHOOK_PAGE, (action) => WEBHOOK_PAGES[action]],
  [MAIL_PAGE, (html) => ({ GET: html === '' ? showMail : sendMailHtml })],
];

/** Shows a page that says that the program failed, or that it cannot answer now. */
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
