// Reads lists that come in pages: one page, or all of them one after another.
import { LIMITS } from '../../api/contract/limits.ts';
import type { ReceivedPages } from '../../api/contract/received.ts';
import { wholeNumber } from './parse-input.ts';

export type PageInput = { limit: string; page: string; all: boolean };

type ListedPage<T> = { items: T[]; meta?: ReceivedPages | undefined };

export type PagesRead<T> = { items: T[]; json: unknown; lines?: readonly T[] };

/** Reads one page or all. @param read requests one page */
export async function readPages<T>(
  { limit, page, all }: PageInput,
  read: (query: { limit: string; page: string }) => Promise<ListedPage<T>>,
): Promise<PagesRead<T>> {
  const size = wholeNumber('--limit', limit, 1, LIMITS.pageSizeMax);
  const first = wholeNumber('--page', page, 1, LIMITS.pageNumberMax);
  const one = (number: number) =>
    read({ limit: String(all ? LIMITS.pageSizeMax : size), page: String(number) });
  if (!all) {
    const { items, meta } = await one(first);
    return { items, json: { items, meta: meta ?? null } };
  }
  const items: T[] = [];
  for (let number = 1; ; ) {
    const { items: some, meta } = await one(number);
    items.push(...some);
    const next = meta?.next_page;
    // A service that always returns the same page must not keep the command running for ever.
    if (!meta || meta.is_last_page || !next || next <= number)
      return { items, json: { items }, lines: items };
    number = next;
  }
}
