// An HTTP client that behaves like a browser without scripts: keeps cookies, follows no redirect, fills in the actual forms of a page, and sends
// `Origin` and `Referer` as browsers do.
import type { Harness } from './harness.ts';

export type HtmlPage = {
  status: number;
  headers: Headers;
  html: string;
  /** The visible text, entities resolved. */
  text: string;
  location: string | null;
};

export type BrowserClient = {
  jar: Map<string, string>;
  get(path: string, headers?: Record<string, string>): Promise<HtmlPage>;
  /** Sends the form of a page whose action begins like this, with these fields filled in. */
  send(
    page: HtmlPage,
    action: string,
    fields: Record<string, string>,
    changed?: FormChanges,
  ): Promise<HtmlPage>;
  /** The same for a form that may bring a file. */
  sendFile(page: HtmlPage, action: string, fields: Record<string, string>, file?: File): Promise<HtmlPage>;
  /** Sends a POST unchanged, with cookies only. */
  post(path: string, body: string | undefined, headers: Record<string, string>): Promise<HtmlPage>;
};

/** Changes to a form that is sent; undefined omits a header or a hidden field. */
export type FormChanges = {
  headers?: Record<string, string | undefined>;
  hidden?: Record<string, string | undefined>;
};

/** @param accepted headers that the browser sends with everything */
export function openBrowserClient(
  harness: Pick<Harness, 'baseUrl' | 'transport'>,
  base = harness.baseUrl,
  accepted: Record<string, string> = {},
): BrowserClient {
  const jar = new Map<string, string>();

  async function ask(
    path: string,
    init: { method: string; headers: Record<string, string>; body?: string | FormData },
  ) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await harness.transport(
      new Request(new URL(path, base), {
        ...init,
        redirect: 'manual',
        headers: { accept: 'text/html', ...accepted, ...(cookie !== '' && { cookie }), ...init.headers },
      }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (/max-age=0/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return pageOf(response);
  }

  const formFor = (page: HtmlPage, action: string) => {
    const form = formsOf(page).find((one) => one.action.startsWith(action));
    if (!form) throw new Error(`The page has no form for ${action}: ${page.text}`);
    return form;
  };

  const visitor: BrowserClient = {
    jar,
    sendFile(page, action, fields, file = new File([], '')) {
      const form = formFor(page, action);
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...form.hidden, ...fields })) body.set(name, value);
      body.set('file', file);
      return ask(form.action, { method: 'POST', headers: sentFrom(base), body });
    },
    get: (path, headers = {}) => ask(path, { method: 'GET', headers }),
    post: (path, body, headers) =>
      ask(path, { method: 'POST', headers, ...(body !== undefined && { body }) }),
    send(page, action, fields, { headers = {}, hidden = {} } = {}) {
      const form = formFor(page, action);
      const body = new URLSearchParams(present({ ...form.hidden, ...hidden, ...fields }));
      return visitor.post(
        form.action,
        body.toString(),
        present({
          'content-type': 'application/x-www-form-urlencoded',
          ...sentFrom(base),
          ...headers,
        }),
      );
    },
  };
  return visitor;
}

/** Headers of a form that a page of ours sent. */
const sentFrom = (base: string) => ({ origin: new URL(base).origin, 'sec-fetch-site': 'same-origin' });

const present = (record: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );

async function pageOf(response: Response): Promise<HtmlPage> {
  const html = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    html,
    text: readable(html),
    location: response.headers.get('location'),
  };
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", '#96': '`', amp: '&' };

const unescaped = (text: string): string =>
  text.replaceAll(/&([#\w]+);/g, (whole, name: string) => ENTITIES[name] ?? whole);

const readable = (html: string): string =>
  unescaped(
    html
      .replaceAll(/<style>[\s\S]*?<\/style>/g, '')
      .replaceAll(/<[^>]*>/g, '')
      // Isolates (UAX #9) are invisible.
      .replaceAll(/[\u2068\u2069]/g, '')
      .replaceAll(/\s+/g, ' '),
  ).trim();

/** Action and hidden fields of each form, in the order of the page. */
export const formsOf = ({ html }: HtmlPage): { action: string; hidden: Record<string, string> }[] =>
  [...html.matchAll(/<form[^>]*action="([^"]*)"[^>]*>([\s\S]*?)<\/form>/g)].map(
    ([, action = '', inside = '']) => ({
      action: unescaped(action),
      hidden: Object.fromEntries(
        [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)].map(
          ([, name = '', value = '']) => [name, unescaped(value)],
        ),
      ),
    }),
  );

let count = 0;

export const PASSWORD = 'correct horse battery';

/** Registers a user, who is then signed in. */
export async function registerUser(
  harness: Pick<Harness, 'baseUrl' | 'transport'>,
  next?: string,
  password = PASSWORD,
): Promise<BrowserClient & { email: string; company: string; arrived: HtmlPage }> {
  count += 1;
  const visitor = openBrowserClient(harness);
  const email = `ada-${count}@example.com`;
  const company = `Engines ${count}`;
  const page = await visitor.get(`/register${next === undefined ? '' : `?${new URLSearchParams({ next })}`}`);
  const entry = { name: `Ada ${count}`, company, email, password };
  const arrived = await visitor.send(page, '/register', entry);
  if (arrived.status !== 303) throw new Error(`Not registered: ${arrived.text}`);
  return Object.assign(visitor, { email, company, arrived });
}
