// Paginates a list by number, for lists that are short and have no ids in the order of time.
import { LIMITS } from '../../api/contract/limits.ts';
import type { Pagination } from '../../api/contract/paging.ts';
import { type Html, html } from '../rendering/html.ts';
import type { PageRequest } from './page-request.ts';

/** An invalid page number means the first page: an address may have been shortened on its way. */
export function pageNumberOf({ url }: PageRequest): number {
  const given = url.searchParams.get('page') ?? '';
  const number = /^[1-9]\d{0,6}$/.test(given) ? Number(given) : 1;
  return Math.min(number, LIMITS.pageNumberMax);
}

export function numberedPager(
  path: string,
  { current_page, is_first_page, is_last_page }: Pagination,
  also: Record<string, string> = {},
): Html | false {
  if (is_first_page && is_last_page) return false;
  const given = Object.entries(also).filter(([, value]) => value !== '');
  const at = (page: number) => `${path}?${new URLSearchParams([...given, ['page', String(page)]])}`;
  return html`<nav class="actions" aria-label="Pages">
${!is_first_page && html`<a class="button plain" rel="prev" href="${at(current_page - 1)}">Previous</a>`}
${!is_last_page && html`<a class="button plain" rel="next" href="${at(current_page + 1)}">Next</a>`}
</nav>`;
}
