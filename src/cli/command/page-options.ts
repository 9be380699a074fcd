// The options of lists that come in pages.
import type { OptionSpec } from './description.ts';

export const PAGE_OPTIONS = {
  limit: { value: 'N', summary: 'Number of entries per page, at most 100', default: '30' },
  page: { value: 'N', summary: 'Page number, from 1', default: '1' },
  all: { summary: 'Print every page; with --json, one object per line' },
} as const satisfies Record<string, OptionSpec>;
