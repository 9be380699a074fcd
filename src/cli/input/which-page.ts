// Reads the option --page: one page of a document, from 1, or the last one.
import { LIMITS } from '../../api/contract/limits.ts';
import { wholeNumber } from './parse-input.ts';

/** Parses the option. Pages count from 0 in what it returns. @throws CliError exit 2 for anything else */
export function parsePage(text: string | undefined): number | 'last' | undefined {
  if (text === undefined || text === 'last') return text;
  return wholeNumber('--page', text, 1, LIMITS.pagesPerDocument) - 1;
}
