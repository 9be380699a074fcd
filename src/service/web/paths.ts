// Which paths are pages of the dashboard. The request pipeline asks for every request: nothing may be imported here.

export const PAGE_PATHS = [
  '/',
  '/register',
  '/sign-in',
  '/sign-out',
  '/applications',
  '/applications/delete',
  '/consents',
  '/oauth/authorize',
  '/icon.svg',
] as const;

export type PagePath = (typeof PAGE_PATHS)[number];

const PATHS: ReadonlySet<string> = new Set(PAGE_PATHS);

export const isPagePath = (path: string): path is PagePath => PATHS.has(path);

/** What is in no table is told to a browser as a page, and to any other program as a problem. */
export const isBrowser = (method: string, headers: Record<string, string>): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '');
