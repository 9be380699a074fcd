// The pages that a browser shows when it comes back to a command: after a login, or after editing. They are static, without scripts, have the colors of the dashboard, and escape all text from outside.
import { createHash } from 'node:crypto';
import STYLE from './result-page.css';

export type ResultPage = { status: number; headers: Record<string, string>; body: string };

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

/** Makes a page. @param lines text from any source, which is escaped here */
export function renderResultPage(status: number, title: string, ...lines: string[]): ResultPage {
  const paragraphs = lines.map((line) => `<p>${escaped(line)}</p>`).join('');
  const body = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escaped(title)}</title><style>${STYLE}</style></head><body><main><p class="brand">esign</p><h1>${escaped(title)}</h1>${paragraphs}</main></body></html>`;
  return { status, headers: { ...HEADERS }, body };
}

/** Redirects the browser away from the address that contains the code, so that its history does not keep it. */
export const redirect = (location: string): ResultPage => ({
  status: 303,
  headers: { ...HEADERS, location },
  body: '',
});
