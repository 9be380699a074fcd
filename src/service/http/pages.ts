// Answers requests for anything but operations: the contract itself, and pages for people. They are loaded on first use,
// because most runs of this program never open a page.
import {
  ADDRESSES_PATH,
  SERVICE_EXTENSIONS,
  type ServiceAddresses,
} from '../../api/contract/service-address.ts';
import type { Call, Reply } from '../../api/transport.ts';
import type { ServiceDeps } from '../context.ts';
import { findClient } from '../store/accounts/accounts.ts';
import { isDashboardPath, isSignPage, type PageFailure } from '../web/paths.ts';
import { createContext } from './request-context.ts';
import { parsedUrl } from './route.ts';

const OPENAPI_PATH = '/openapi.json';
/** The path that llmstxt.org proposes. */
const LLMS_PATH = '/llms.txt';

/**
 * Answers with the page at an address; undefined where an operation answers.
 * @param method that of the call, with HEAD as GET
 */
export function pageAt(call: Call, url: URL, method: string, deps: ServiceDeps): Promise<Reply> | undefined {
  if (url.pathname === OPENAPI_PATH && method === 'GET') return openApi(deps.origin);
  if (url.pathname === LLMS_PATH && method === 'GET') return llms(deps.origin);
  if (url.pathname === ADDRESSES_PATH && method === 'GET') return addresses(url, deps);
  if (isDashboardPath(url.pathname)) return dashboardPage(call, url, deps);
  if (isSignPage(url.pathname, method, call.headers)) return signPage(call, url, deps);
  return undefined;
}

export async function dashboardPage(call: Call, url: URL, deps: ServiceDeps): Promise<Reply> {
  const { answerPage } = await import('../web/dashboard/pages.ts');
  return answerPage(call, url, createContext(call, deps));
}

async function signPage(call: Call, url: URL, deps: ServiceDeps): Promise<Reply> {
  const { answerSignPage } = await import('../web/sign/pages.ts');
  return answerSignPage(call, url, createContext(call, deps));
}

/** Answers with the page for an unexpected error; undefined where no page was requested, or it fails as well. */
export async function failurePage(
  call: Call,
  failure: PageFailure,
  deps: ServiceDeps,
): Promise<Reply | undefined> {
  const url = parsedUrl(call.url);
  if (!url) return undefined;
  const isSigning = isSignPage(url.pathname, call.method, call.headers);
  if (!isSigning && !isDashboardPath(url.pathname)) return undefined;
  const context = createContext(call, deps);
  try {
    if (isSigning) {
      const { answerSignFailure } = await import('../web/sign/pages.ts');
      return await answerSignFailure(call, url, context, failure);
    }
    const { answerFailure } = await import('../web/dashboard/pages.ts');
    return await answerFailure(call, url, context, failure);
  } catch {
    return undefined;
  }
}

/** Lists the addresses of the service. It has everything at one address; the real one is spread over several. */
async function addresses(url: URL, { origin, store }: ServiceDeps): Promise<Reply> {
  const clientId = url.searchParams.get('client_id');
  const client = clientId === null ? undefined : await store.database.read((db) => findClient(db, clientId));
  const body: ServiceAddresses = {
    dashboard_url: origin,
    app_url: origin,
    extensions: SERVICE_EXTENSIONS,
    ...(client && { application: { is_public: client.is_public === 1 } }),
  };
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

async function openApi(origin: string): Promise<Reply> {
  const { openApiDocument } = await import('../../api/contract/openapi/document.ts');
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(openApiDocument(origin)),
  };
}

async function llms(origin: string): Promise<Reply> {
  const { llmsText } = await import('../web/llms-txt.ts');
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: llmsText(origin) };
}
