// Lists: what a caller asks for and the `meta` that comes back (spec §4, Pagination object; assumed: A33).
import * as z from 'zod';
import { lazySchema } from './lazy-schema.ts';
import { LIMITS } from './limits.ts';
import { queryInteger } from './values.ts';

export const pageQuery = {
  limit: lazySchema(() => queryInteger(1, LIMITS.pageSizeMax)),
  page: lazySchema(() => queryInteger(1, LIMITS.pageNumberMax)),
};

export const pagination = lazySchema(() =>
  z.strictObject({
    limit: z.number(),
    is_first_page: z.boolean(),
    is_last_page: z.boolean(),
    current_page: z.number(),
    previous_page: z.number().nullable(),
    next_page: z.number().nullable(),
    page_count: z.number(),
  }),
);

export type Pagination = z.output<typeof pagination>;

/**
 * A page past the end is empty and the last one; the page before it is the last that holds something (assumed: A33).
 * @param total items in the whole list
 */
export function paginate(total: number, limit: number, page: number): Pagination {
  const pageCount = Math.ceil(total / limit);
  return {
    limit,
    is_first_page: page === 1,
    is_last_page: page >= pageCount,
    current_page: page,
    previous_page: page > 1 && pageCount > 0 ? Math.min(page - 1, pageCount) : null,
    next_page: page < pageCount ? page + 1 : null,
    page_count: pageCount,
  };
}
