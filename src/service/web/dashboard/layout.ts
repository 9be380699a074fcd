// Renders the frame of every page, and what many pages have: fields with their labels, errors with links to the fields, a question before
// an action that cannot be undone. Everything works without scripts; only the editor of fields has one.
import type { Reply } from '../../../api/transport.ts';
import { asIs, type Html, type HtmlValue, html } from '../../rendering/html.ts';
import type { SignedIn } from '../../store/accounts/sessions.ts';
import { utcTime } from './lists.ts';
import type { PageRequest } from './request.ts';
import { FORM_TOKEN } from './request.ts';
import { type Sending, sendPage } from './response.ts';
import STYLE from './style.css';

/** A field by its name, and what is wrong with it. */
export type WrongField = { field: string; message: string };

type PageParts = {
  title: string;
  body: HtmlValue;
  /** For a few fields or a question; otherwise as wide as a list needs. */
  isNarrow?: boolean;
  /** The path of a script, and the style of its page, which is as wide as the screen. */
  scripted?: { script: string; style: string } | undefined;
  wrong?: readonly WrongField[];
};

export function show(request: PageRequest, parts: PageParts, sending: Sending = {}): Reply {
  const { title, body, isNarrow = false, scripted, wrong = [] } = parts;
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
${wrong.length > 0 && summary(wrong)}
${request.context.clock.isMoved && movedClock(request)}${body}
</main>
${request.user && account(request.user)}
</body>
</html>
`;
  return sendPage(request, page, { ...sending, scriptedStyle: scripted?.style });
}

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

/** On a small screen the links of the dashboard are in a menu. It opens without a script, and where a browser knows no popover the links are simply there. */
function navigation(request: PageRequest): Html {
  const item = (path: string, label: string) =>
    html`<a href="${path}"${isAt(request.url.pathname, path)}>${label}</a>`;
  if (!request.user)
    return html`<nav aria-label="Account">${item('/sign-in', 'Sign in')} ${request.context.isFromOwner && item('/register', 'Register')}</nav>`;
  return html`<button class="menu plain" popovertarget="menu">Menu</button>
<nav aria-label="Dashboard" id="menu" popover>${LINKS.map(([path, label]) => html`${item(path, label)} `)}
<form method="post" action="/sign-out">${formTokenField(request)}<button class="text">Sign out</button></form></nav>`;
}

/** The list is the home page as well, and a page of one of its entries is below it. */
const isAt = (here: string, path: string): Html | false => {
  if (here === path || (here === '/' && path === '/transactions')) return html` aria-current="page"`;
  return here.startsWith(`${path}/`) && html` aria-current="true"`;
};

/** The hidden field that ties a form to the browser it was shown in. */
export const formTokenField = (request: PageRequest): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${request.formToken()}">`;

const summary = (
  wrong: readonly WrongField[],
): Html => html`<div class="summary" role="alert" tabindex="-1" autofocus>
<h2>Correct the following to continue</h2>
<ul>${wrong.map(({ field, message }) => html`<li><a href="#${field}">${message}</a></li>`)}</ul>
</div>`;

type FieldParts = {
  name: string;
  label: string;
  type?: 'text' | 'email' | 'password' | 'url';
  value?: string;
  hint?: HtmlValue;
  autocomplete?: string;
  wrong?: readonly WrongField[] | undefined;
  isOptional?: boolean;
};

export function labelledInput(parts: FieldParts): Html {
  const { name, type = 'text', value, autocomplete = 'off', isOptional = false } = parts;
  return labelled(
    parts,
    (attributes) =>
      html`<input id="${name}" name="${name}" type="${type}"${!isOptional && html` required`} autocomplete="${autocomplete}" spellcheck="false" autocapitalize="${type === 'text' ? 'words' : 'none'}"${value && html` value="${value}"`}${attributes}>`,
  );
}

type TextAreaParts = Pick<FieldParts, 'name' | 'label' | 'value' | 'hint' | 'wrong'> & {
  rows: number;
  isOptional?: boolean;
};

/** For text of several lines. */
export const textArea = (parts: TextAreaParts): Html =>
  labelled(
    parts,
    (attributes) =>
      html`<textarea id="${parts.name}" name="${parts.name}"${!parts.isOptional && html` required`} dir="auto" rows="${parts.rows}"${attributes}>${'\n'}${parts.value}</textarea>`,
  );

/** A control with its label, its hint and what is wrong with it. */
function labelled(
  { name, label, hint, wrong = [] }: Pick<FieldParts, 'name' | 'label' | 'hint' | 'wrong'>,
  control: (attributes: Html) => Html,
): Html {
  const message = wrong.find((one) => one.field === name)?.message;
  const described = [hint && `${name}-hint`, message && `${name}-wrong`].filter(Boolean).join(' ');
  return html`<div class="field">
<label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${message && html`<p class="wrong" id="${name}-wrong">${message}</p>`}
${control(html`${message && html` aria-invalid="true"`}${described && html` aria-describedby="${described}"`}`)}
</div>`;
}

type ErrorParts = {
  status: number;
  title: string;
  text: HtmlValue;
  /** The page to continue with; by default the start page. */
  link?: Html;
  headers?: Record<string, string>;
};

/** Renders a page that says what cannot be done and what to do instead. */
export const errorPage = (
  request: PageRequest,
  { status, title, text, link = html`<a href="/">Go to the home page</a>`, headers = {} }: ErrorParts,
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

type Confirmation = {
  title: string;
  /** The question. */
  question: Html;
  /** What follows. */
  text: HtmlValue;
  /** What the question is about. */
  facts?: Html;
  /** Where the form is sent to. */
  action: string;
  hidden?: Readonly<Record<string, string | null>>;
  /** What has to be filled in first. */
  fields?: Html;
  wrong?: readonly WrongField[];
  button: string;
  /** Whether something is lost. */
  isDanger?: boolean;
  /** The page to go back to. */
  back: string;
};

export function askToConfirm(request: PageRequest, confirmation: Confirmation): Reply {
  const { title, question, text, facts, action, hidden = {}, fields, wrong = [] } = confirmation;
  const { button, isDanger = false, back } = confirmation;
  const body = html`<h1>${question}</h1>
<p class="lead">${text}</p>
${facts}
<form method="post" action="${action}" novalidate>
${formTokenField(request)}${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${fields}
<p class="actions"><button${isDanger && html` class="danger"`}>${button}</button> <a class="button plain" href="${back}">Keep it</a></p>
</form>`;
  return show(request, { title, isNarrow: true, wrong, body }, { status: wrong.length > 0 ? 422 : 200 });
}

type OnceParts = {
  title: HtmlValue;
  /** Says what the secrets are for, and that this is the only time. */
  text: HtmlValue;
  entries: readonly { id: string; label: string; value: string }[];
};

export const secretsOnce = ({ title, text, entries }: OnceParts): Html =>
  html`<section class="done" aria-labelledby="made">
<h2 id="made">${title}</h2>
<p>${text}</p>
<dl>${entries.map(({ id, label, value }) => html`<dt>${label}</dt><dd><code id="${id}">${value}</code></dd>`)}</dl>
</section>`;
