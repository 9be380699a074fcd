// The pages that a browser shows when it comes back to a command: after a login, or after editing. They are static, without scripts, and escape all text from outside.
import { createHash } from 'node:crypto';

export type ResultPage = { status: number; headers: Record<string, string>; body: string };

/** The pages have the colors of the dashboard. */
const STYLE = [
  ':root{color-scheme:light dark;--paper:#faf9f6;--sheet:#fff;--ink:#1c2330;--line:#dcd9d1;--accent:#1d5c48}',
  '@media(prefers-color-scheme:dark){:root{--paper:#14171b;--sheet:#1c2026;--ink:#e9e7e2;--line:#363c46;--accent:#84cdb0}}',
  'body{font:1.05rem/1.55 system-ui,sans-serif;margin:0;padding:14vh 1rem 2rem;background:var(--paper);color:var(--ink);overflow-wrap:anywhere}',
  'main{max-width:30rem;margin:0 auto;padding:1.5rem 1.75rem;background:var(--sheet);border:1px solid var(--line);border-top:4px solid var(--accent);border-radius:.7rem}',
  '.brand{font-weight:700;color:var(--accent);margin:0 0 1rem}h1{font-size:1.4rem;line-height:1.25;margin:0 0 .5rem}p{margin:.5rem 0}',
].join('');

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
