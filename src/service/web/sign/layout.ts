// Renders the frame of a signing page, and sends it with protective headers: no other site may frame it, give it scripts, or
// store it; it loads everything from this service. A stranger who opens the link sees at once who the sender is: the sender is
// named at the top of every step, the company with its pages about itself at the foot.
import { createHash } from 'node:crypto';
import { LANGUAGES } from '../../../api/contract/languages.ts';
import type { Reply } from '../../../api/transport.ts';
import { asIs, type Html, type HtmlValue, html, markupText } from '../../rendering/html.ts';
import { isolateDirection } from '../../rendering/language.ts';
import { companyLinks } from '../dashboard/company.ts';
import { FORM_TOKEN } from '../dashboard/request.ts';
import { type Guest, kindOfPage, type SignRequest } from './request.ts';
import { FACE_PATHS, SCRIPT_PATH, signStyle } from './static-files.ts';
import type { Words } from './words.ts';

/** It names a field of a form by the id of its control, and says what is wrong with it. */
export type WrongControl = { id: string; message: string };

type SigningStep = 'start' | 'fill' | 'review';

type SigningPage = {
  title: string;
  body: HtmlValue;
  /** The page belongs to this recipient; without one there is no language to choose. */
  guest?: Guest | undefined;
  step?: SigningStep | undefined;
  wrong?: readonly WrongControl[];
  /** They stand beside the steps. */
  tools?: HtmlValue;
  isWide?: boolean;
  status?: number;
};

const STYLE = signStyle(FACE_PATHS);
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "script-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * It is `same-origin`, because with `no-referrer` browsers send `Origin: null` with our own forms. Other sites get none
 * either way.
 */
export const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
};

export function renderSigningPage(request: SignRequest, content: SigningPage): Reply {
  const { words, language } = request;
  const { title, body, guest, step, wrong = [], tools, isWide = false, status = 200 } = content;
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<meta name="robots" content="noindex, nofollow">
<title>${wrong.length > 0 ? words.error({ title: isolateDirection(title) }) : title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${asIs(STYLE)}</style>
<script src="${SCRIPT_PATH}" defer></script>
</head>
<body>
<a class="skip" href="#main">${words.skip}</a>
${
  (step || tools || guest) &&
  html`<header class="top"><div>
${step && steps(words, step)}
${tools}
${guest && languageForm(guest)}
</div></header>`
}
<main id="main"${html` class="${isWide ? 'wide' : 'narrow'}"`}>
${wrong.length > 0 && summary(words, wrong)}
${guest && senderLine(guest)}
${body}
</main>
${guest && companyFoot(guest)}
</body>
</html>
`;
  return {
    status,
    headers: { ...SAFE_HEADERS, 'content-type': 'text/html; charset=utf-8', vary: 'Accept-Language' },
    body: markupText(document),
  };
}

function steps(words: Words, current: SigningStep): Html {
  const all: [SigningStep, string][] = [
    ['start', words.stepStart],
    ['fill', words.stepFill],
    ['review', words.stepReview],
  ];
  return html`<nav class="steps" aria-label="${words.steps}"><ol>${all.map(
    ([step, label]) => html`<li${step === current && html` aria-current="step"`}>${label}</li>`,
  )}</ol></nav>`;
}

const languageForm = (
  guest: Guest,
): Html => html`<form class="language" method="post" action="${guest.at('language')}">
${tokenField(guest)}<input type="hidden" name="next" value="${guest.url.pathname}${kindOfPage(guest.url)}">
<label for="language">${guest.words.language}</label>
<select id="language" name="language">${Object.entries(LANGUAGES).map(
  ([code, name]) =>
    html`<option value="${code}" lang="${code}"${code === guest.language && html` selected`}>${name}</option>`,
)}</select>
<button class="plain small">${guest.words.changeLanguage}</button>
</form>`;

/** Renders the hidden field that ties a form to the recipient whose page it is on. */
export const tokenField = ({ formToken }: Guest): Html =>
  html`<input type="hidden" name="${FORM_TOKEN}" value="${formToken}">`;

/** Renders a link that stands apart from what leads on, and looks like no part of it. */
export const rejectLink = (guest: Guest): Html =>
  html`<a class="button danger apart" href="${guest.at('reject')}">${guest.words.reject}</a>`;

const summary = (
  words: Words,
  wrong: readonly WrongControl[],
): Html => html`<div class="summary" role="alert" tabindex="-1" id="problems">
<h2>${words.problems}</h2>
<ul>${wrong.map(({ id, message }) => html`<li><a href="#${id}">${message}</a></li>`)}</ul>
</div>`;

/** Redirects with 303: whatever was sent, the browser gets the next address. */
export const goTo = (location: string, cookie?: string): Reply => ({
  status: 303,
  headers: { ...SAFE_HEADERS, location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
  body: '',
});

type PlainPage = {
  status: number;
  title: string;
  text: HtmlValue;
  guest?: Guest | undefined;
  to?: string;
};

/** Renders a page that says what cannot be done and what to do instead. */
export const plainPage = (request: SignRequest, { status, title, text, guest, to }: PlainPage): Reply =>
  renderSigningPage(request, {
    title,
    guest,
    status,
    body: html`<h1>${title}</h1>
<p>${text}</p>
${to !== undefined && html`<p><a class="button" href="${to}">${request.words.openAgain}</a></p>`}`,
  });

/** @returns `alias` where the sender has given another name for this transaction */
const shownSenderOf = ({ visit }: Guest): { name: string; email: string; alias: string | null } => {
  const { content } = visit.transaction;
  const sender = content.recipients.find(({ role }) => role === 'sender');
  const alias = content.email_alias || null;
  return { name: sender?.name ?? '', email: sender?.email ?? '', alias };
};

/** @returns the sender's name for sentences */
export const senderNameOf = (guest: Guest): string => {
  const { alias, name } = shownSenderOf(guest);
  return alias ?? name;
};

function senderLine(guest: Guest): Html {
  const { alias, name, email } = shownSenderOf(guest);
  const names = [alias, name, guest.visit.company.name, email].filter((text) => text);
  const [first, ...rest] = [...new Set(names)];
  return html`<p class="sender">${guest.words.from} <b><bdi>${first}</bdi></b>${rest.map((text) => html` · <bdi>${text}</bdi>`)}</p>`;
}

/** @returns nothing, where the company names no such page */
function companyFoot({ words, visit }: Guest): Html | false {
  const { name } = visit.company;
  const links = companyLinks(visit.company, { imprint: words.imprint, privacy: words.privacy });
  return (
    links.length > 0 &&
    html`<footer class="foot"><p><bdi>${name}</bdi>${links.map((link) => html` · ${link}`)}</p></footer>`
  );
}
