// Recognises the paths of pages, and says what a page of a failure needs. The request pipeline calls it for every request: it must import nothing.
import type { Call } from '../../api/transport.ts';

export const PAGE_PATHS = [
  '/',
  '/register',
  '/sign-in',
  '/sign-in/link',
  '/sign-out',
  '/company',
  '/applications',
  '/applications/delete',
  '/applications/rotate',
  '/consents',
  '/transactions',
  '/templates',
  '/webhooks',
  '/webhooks/new',
  '/mailbox',
  '/oauth/authorize',
  '/icon.svg',
] as const;

export type PagePath = (typeof PAGE_PATHS)[number];

const PATHS: ReadonlySet<string> = new Set(PAGE_PATHS);

export const isPagePath = (path: string): path is PagePath => PATHS.has(path);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';

/** A transaction has these pages: the page itself, `cancel`, `remind`, `template`, `edit`, `documents/DOCUMENT.pdf`. */
export const TRANSACTION_PAGE = new RegExp(`^/transactions/(${UUID})(?:/(.*))?$`);

/** A mail has a page, and its HTML for the frame in which it is shown. */
export const MAIL_PAGE = new RegExp(`^/mailbox/(${UUID})(/html)?$`);

/** A template has these pages: the page itself, `edit`, `documents/DOCUMENT.pdf`. */
export const TEMPLATE_PAGE = new RegExp(`^/templates/(${UUID})(?:/(.*))?$`);

/** A webhook has a page, and one for each action. */
export const WEBHOOK_PAGE = new RegExp(
  `^/webhooks/(${UUID})(?:/(enable|disable|ping|resend|rotate|delete))?$`,
);

/** These pages are about one transaction, template, webhook or mail. */
const PAGES_OF_ONE = [TRANSACTION_PAGE, TEMPLATE_PAGE, WEBHOOK_PAGE, MAIL_PAGE];

/** Recognises pages of the dashboard, which have a path of their own or are about one thing. */
export const isDashboardPath = (path: string): boolean =>
  isPagePath(path) || PAGES_OF_ONE.some((pages) => pages.test(path));

/** A recipient has these pages, and the pages of all recipients load some files. */
export const SIGN_PAGE = new RegExp(`^/sign/(${UUID})(?:/(.*))?$`, 'i');

/** The address that a recipient is sent answers a program with data and a browser with a page (assumed: A48). */
export const isSignPage = (path: string, method: string, headers: Record<string, string>): boolean =>
  path.startsWith('/sign') &&
  (SIGN_PAGE.test(path) ||
    path.startsWith('/sign/static/') ||
    (path === '/sign' && isBrowser(method, headers)));

/** Recognises a browser: it gets a page for an unknown path, and any other program a problem. */
export const isBrowser = (method: string, headers: Record<string, string>): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '');

export type PageFailure = {
  /** Whoever reports the problem can name it. */
  requestId: string;
  /** The database does not answer, or the service has to be restarted. That passes, and another node may be able to answer at once. */
  isUnavailable: boolean;
};

const AGAIN_AFTER_S = 5;

/** Lets proxies ask another node, and browsers load the page again. A form is never sent again by itself. */
export const headersUntilAvailable = ({ method }: Call): Record<string, string> => ({
  'retry-after': String(AGAIN_AFTER_S),
  ...(method !== 'POST' && { refresh: String(AGAIN_AFTER_S) }),
});
