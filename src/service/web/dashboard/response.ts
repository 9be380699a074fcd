// Sends pages with headers that keep them from being framed, given foreign scripts or stored. It also redirects, and
// decides where a user continues after signing in: at the page that required it, and never at another site.
import { createHash } from 'node:crypto';
import { fileDisposition } from '../../../api/service-codec.ts';
import type { Reply } from '../../../api/transport.ts';
import { parseUrl } from '../../../common/parse-url.ts';
import { type Html, markupText } from '../../rendering/html.ts';
import { isDashboardPath } from '../paths.ts';
import type { PageRequest } from './request.ts';
import STYLE from './style.css';

const hashOfStyle = (style: string): string => createHash('sha256').update(style).digest('base64');
const STYLE_HASH = hashOfStyle(STYLE);

/**
 * It is not `no-referrer`, which makes browsers send `Origin: null` with the dashboard's own forms, which then could not be
 * told from foreign ones. Other sites get no referrer either way.
 */
const REFERRER_POLICY = 'same-origin';

export type Sending = {
  status?: number;
  /** A form of the page leads to this callback address. */
  formTarget?: string | undefined;
  /** The page has a frame with another page of the dashboard in it. */
  hasFrame?: boolean;
  /** The page has a script, and this style. */
  scriptedStyle?: string | undefined;
  headers?: Record<string, string>;
};

export function sendPage(
  request: PageRequest,
  page: Html,
  { status = 200, formTarget, hasFrame = false, scriptedStyle, headers }: Sending = {},
): Reply {
  const cookie = request.owedCookie();
  const more = [
    ...(hasFrame ? ["frame-src 'self'"] : []),
    ...(scriptedStyle === undefined ? [] : ["script-src 'self'", "connect-src 'self'"]),
  ];
  return {
    status,
    headers: {
      ...headersOf(formTarget, more, scriptedStyle && hashOfStyle(scriptedStyle)),
      'content-type': 'text/html; charset=utf-8',
      ...(cookie !== undefined && { 'set-cookie': cookie }),
      ...headers,
    },
    body: markupText(page),
  };
}

const headersOf = (
  target?: string,
  more: readonly string[] = [],
  style?: string,
): Record<string, string> => ({
  'content-security-policy': securityPolicy(target, more, style),
  'x-frame-options': 'DENY',
  'referrer-policy': REFERRER_POLICY,
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
});

/** @param target where a form of this page may lead by a redirect, beside the dashboard itself */
function securityPolicy(target: string | undefined, more: readonly string[], style = STYLE_HASH): string {
  const targets = target === undefined ? '' : ` ${sourceOf(new URL(target))}`;
  return [
    "default-src 'none'",
    `style-src 'sha256-${style}'`,
    "img-src 'self'",
    `form-action 'self'${targets}`,
    "frame-ancestors 'none'",
    "base-uri 'none'",
    ...more,
  ].join('; ');
}

const sourceOf = ({ protocol, hostname, origin }: URL): string =>
  PLAIN_HOST.test(hostname) ? origin : protocol;

/** A policy can contain such a host unchanged. An IPv6 address in brackets cannot be written there. */
const PLAIN_HOST = /^[a-z0-9.-]+$/;

/**
 * Redirects with 303: whatever was sent, the browser gets the next address.
 * @param cookie replaces the one that the browser has
 */
export const sendTo = (location: string, cookie?: string): Reply => ({
  status: 303,
  headers: { ...headersOf(), location, ...(cookie !== undefined && { 'set-cookie': cookie }) },
  body: '',
});

/**
 * Sends markup that is shown in a frame of a page of ours and nowhere else: it runs nothing, loads nothing, leads nowhere,
 * and is of no origin.
 */
export const sendFramed = (markup: string): Reply => ({
  status: 200,
  headers: {
    ...headersOf(),
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; sandbox",
    'x-frame-options': 'SAMEORIGIN',
    'content-type': 'text/html; charset=utf-8',
  },
  body: markup,
});

export const sendPicture = (svg: string): Reply => ({
  status: 200,
  headers: { ...headersOf(), 'content-type': 'image/svg+xml' },
  body: svg,
});

export const sendPng = (bytes: Uint8Array): Reply => ({
  status: 200,
  headers: { ...headersOf(), 'content-type': 'image/png' },
  body: bytes,
});

/** Answers the script of a page. */
export const sendJson = (value: unknown): Reply => ({
  status: 200,
  headers: { ...headersOf(), 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

/** Sends a file that a browser offers to save under the name of the document. */
export const sendPdf = (bytes: Uint8Array, documentName: string): Reply => ({
  status: 200,
  headers: {
    ...headersOf(),
    'content-type': 'application/pdf',
    'content-disposition': fileDisposition('attachment', documentName),
  },
  body: bytes,
});

/** Nobody has to sign in for these pages. */
const OPEN_PATHS: ReadonlySet<string> = new Set([
  '/',
  '/register',
  '/sign-in',
  '/sign-in/link',
  '/sign-out',
  '/icon.svg',
]);

const isReturnPath = (path: string): boolean => isDashboardPath(path) && !OPEN_PATHS.has(path);

/** Only a path of ours that is on the list comes through; what is sent is built anew from its parts. */
export function returnPathOf(request: PageRequest): string | undefined {
  const next = request.url.searchParams.get('next');
  const url = next?.startsWith('/') ? parseUrl(next, request.origin) : undefined;
  if (!url) return undefined;
  const { origin, pathname, search } = url;
  return origin === request.origin && isReturnPath(pathname) ? pathname + search : undefined;
}

const withReturnPath = (path: string, returnPath: string | undefined): string =>
  returnPath === undefined ? path : `${path}?${new URLSearchParams({ next: returnPath })}`;

/** Links to a page in between, such as `/register`, which leads to the same place afterwards. */
export const withReturnTo = (request: PageRequest, path: '/sign-in' | '/register'): string =>
  withReturnPath(path, returnPathOf(request));

/** Redirects to the sign-in page, which leads back here afterwards. */
export const redirectToSignIn = ({ url }: PageRequest): Reply =>
  sendTo(withReturnPath('/sign-in', url.pathname + url.search));
