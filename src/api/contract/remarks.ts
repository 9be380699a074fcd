// What is said of a document that was accepted, though something of it could not be kept or shown (assumed: A27).
import * as z from 'zod';
import { meaningOf } from './unusable.ts';

/** `page` counts from 0, as everywhere on the wire. */
export const remark = z.lazy(() =>
  z.strictObject({
    code: z.enum(['page_not_drawable']),
    message: z.string(),
    page: z.int().min(0).optional(),
  }),
);

/** @param page from 0; @param exceeded the limit that stands against the page */
export const undrawableRemark = (page: number, exceeded: string) => ({
  code: 'page_not_drawable' as const,
  message: `Page ${page + 1} cannot be shown: ${meaningOf(exceeded)}.`,
  page,
});
