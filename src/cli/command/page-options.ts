// The options of lists that come in pages.
import type { OptionSpec } from './description.ts';

export const PAGE_OPTIONS = {
  limit: { value: 'N', summary: 'entries a page, at most 100', default: '30' },
  page: { value: 'N', summary: 'page, from 1', default: '1' },
  all: { summary: 'every page; with --json one object a line' },
} as const satisfies Record<string, OptionSpec>;
