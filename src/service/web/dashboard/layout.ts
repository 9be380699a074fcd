// Renders the frame of every page, and what many pages have: a form on a sheet, a question before an action that cannot be undone, secrets
// that are shown once, and the page of an error. Everything works without scripts; only the editor of fields has one.
import type { Reply } from '../../../api/transport.ts';
import { asIs, type Html, type HtmlValue, html } from '../../rendering/html.ts';
import type { SignedIn } from '../../store/accounts/sessions.ts';
import { utcTime } from './lists.ts';
import { FORM_TOKEN, type PageRequest } from './request.ts';
import { type Sending, sendPage } from './response.ts';
import STYLE from './style.css';

export type WrongField = { field: string; message: string };

export type PageContent = {
  title: string;
  body: HtmlValue;
  /** A page with a few fields or a question is narrow; otherwise it is as wide as a list needs. */
  isNarrow?: boolean;
  /** The page loads this script, and has this style, which is as wide as the screen. */
  scripted?: { script: string; style: string } | undefined;
  wrong?: readonly WrongField[];
};

export function show(request: PageRequest, content: PageContent, sending: Sending = {}): Reply {
  const { title, body, isNarrow = false, scripted, wrong = [] } = content;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${wrong.length > 0 && 'Error: '}${title} · esign</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${asIs(scripted?.style ?? STYLE)}</style>${scripted && html`\n<script src="${scripted.script}" defer></script>`}
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
<header class="top"><div>
<a class="brand" href="/"><img src="/icon.svg" alt="" width="22" height="22">esign</a>
${navigation(request)}
</div></header>
<main id="main"${(isNarrow || scripted) && html` class="${isNarrow ? 'narrow' : 'wide'}"`}>
${wrong.length > 0 && errorSummary(wrong)}
${request.context.clock.isMoved && movedClock(request)}${body}
</main>
${request.user && account(request.user)}
</body>
</html>
`;
  const status = wrong.length > 0 ? 422 : 200;
  return sendPage(request, page, { status, ...sending, scriptedStyle: scripted?.style });
}

const errorSummary = (
  wrong: readonly WrongField[],
): Html => html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>Correct the following to continue</h2>
<ul>${wrong.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`)}</ul>
</div>`;

/** The clock of a sandbox can be moved. Its time must not be taken for real. */
const movedClock = ({ context: { now } }: PageRequest): Html =>
  html`<p class="quiet">The clock of this sandbox was moved. It shows ${utcTime(now)}.</p>
`;

const account = ({ name, email, company }: SignedIn): Html =>
  html`<footer class="foot quiet"><p>You are signed in as <bdi>${name}</bdi>, <bdi>${email}</bdi>, of <bdi>${company}</bdi>.</p></footer>`;

const LINKS = [
  ['/transactions', 'Transactions'],
  ['/templates', 'Templates'],
  ['/mailbox', 'Mailbox'],
  ['/webhooks', 'Webhooks'],
  ['/applications', 'Applications'],
  ['/consents', 'Consents'],
  ['/company', 'Company'],
] as const;

/**
 * On a small screen the links are in a menu. It opens without a script, and a browser that knows no popover shows the
 * links.
 */
function navigation(request: PageRequest): Html {
  const item = (path: string, label: string) =>
    html`<a href="${path}"${currentMark(request.url.pathname, path)}>${label}</a>`;
  if (!request.user)
    return html`<nav aria-label="Account">${item('/sign-in', 'Sign in')} ${request.context.isFromOwner && item('/register', 'Register')}</nav>`;
  return html`<button class="menu plain" popovertarget="menu">Menu</button>
<nav aria-label="Dashboard" id="menu" popover>${LINKS.map(([path, label]) => html`${item(path, label)} `)}
${buttonForm(request, '/sign-out', html`<button class="text">Sign out</button>`)}</nav>`;
}

/** The list of transactions is the home page as well, and the page of an entry is below its list. */
const currentMark = (here: string, path: string): Html | false => {
  if (here === path || (here === '/' && path === '/transactions')) return html` aria-current="page"`;
  return here.startsWith(`${path}/`) && html` aria-current="true"`;
};

// ── forms ───────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Ties a form to the browser it was shown in. */
export const formTokenField = (request: PageRequest): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${request.formToken()}">`;

/** Renders a form that is one button. @param content the button, and hidden fields before it */
export const buttonForm = (request: PageRequest, action: string, content: Html): Html =>
  html`<form method="post" action="${action}">${formTokenField(request)}${content}</form>`;

export type SheetForm = { action: string; title?: string; fields: Html; buttons: Html };

export const sheetForm = (request: PageRequest, { action, title, fields, buttons }: SheetForm): Html =>
  html`<form class="sheet" method="post" action="${action}" novalidate>
${title && html`<h2>${title}</h2>\n`}${formTokenField(request)}
${fields}
${buttons}
</form>`;

export type Confirmation = {
  title: string;
  question: Html;
  /** It says what the consequences are. */
  text: HtmlValue;
  /** They describe the thing that the question is about. */
  details?: Html;
  action: string;
  hidden?: Readonly<Record<string, string | null>>;
  /** They have to be filled in first. */
  fields?: Html;
  wrong?: readonly WrongField[];
  button: string;
  /** The action loses something, so its button warns. */
  isDanger?: boolean;
  back: string;
};

/** Asks before an action that cannot be undone: its consequences, one button that does it, and a link back. */
export function askToConfirm(request: PageRequest, confirmation: Confirmation): Reply {
  const { title, question, text, details, action, hidden = {}, fields, wrong = [] } = confirmation;
  const { button, isDanger = false, back } = confirmation;
  const body = html`<h1>${question}</h1>
<p class="lead">${text}</p>
${details}
<form method="post" action="${action}" novalidate>
${formTokenField(request)}${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields}
<p class="actions"><button${isDanger && html` class="danger"`}>${button}</button> <a class="button plain" href="${back}">Keep it</a></p>
</form>`;
  return show(request, { title, isNarrow: true, wrong, body });
}

// ── answers ─────────────────────────────────────────────────────────────────────────────────────────────────────────

export type Secrets = {
  title: HtmlValue;
  /** Says what the secrets are for, and that this is the only time. */
  text: HtmlValue;
  entries: readonly { id: string; label: string; value: string }[];
};

/** Shows secrets in the answer to the form that made them. No page is stored by a browser, and the store has hashes only. */
export const secretsOnce = ({ title, text, entries }: Secrets): Html =>
  html`<section class="done" aria-labelledby="made">
<h2 id="made">${title}</h2>
<p>${text}</p>
<dl>${entries.map(({ id, label, value }) => html`<dt>${label}</dt><dd><code id="${id}">${value}</code></dd>`)}</dl>
</section>`;

export const done = (text: HtmlValue): Html => html`<div class="done" role="status"><p>${text}</p></div>`;

export type ErrorContent = {
  status: number;
  title: string;
  text: HtmlValue;
  /** It leads to the page to continue with, by default the start page. */
  link?: Html;
  headers?: Record<string, string>;
};

/** Renders a page that says what cannot be done and what to do instead. */
export const errorPage = (
  request: PageRequest,
  { status, title, text, link = html`<a href="/">Go to the home page</a>`, headers = {} }: ErrorContent,
): Reply =>
  show(
    request,
    {
      title,
      isNarrow: true,
      body: html`<h1>${title}</h1>
<p>${text}</p>
<p>${link}</p>`,
    },
    { status, headers },
  );
