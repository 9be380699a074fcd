// Reads the words of a long document in several jobs, each within the time of one.

import { FIND_LIMITS } from '../limits.ts';
import type { BlankSearch } from '../text/blanks/find-blanks.ts';
import type { BracedListed } from '../text/braced-texts.ts';
import type { PageRange, WordQuery, WordSearch } from '../text/find-words.ts';
import type { WordsListed } from '../text/page-words.ts';

type Busy = { ok: false; reason: 'busy' };
type FindJob = { do: 'find'; pages: PageRange; queries: readonly WordQuery[] };
type BracedJob = { do: 'braced'; pages: PageRange };
type BlanksJob = { do: 'blanks'; pages: PageRange };
type ListJob = { do: 'words'; pages: PageRange };

/** Finds words on all pages. @param run answers a `find` job */
export async function findInParts(
  run: (job: FindJob) => Promise<{ result: object }>,
  pageCount: number,
  queries: readonly WordQuery[],
): Promise<WordSearch | Busy> {
  const total: Extract<WordSearch, { ok: true }> = {
    ok: true,
    results: queries.map(() => ({ matches: [], isCut: false })),
    withoutText: [],
  };
  for (const pages of partsOf({ from: 0, to: pageCount })) {
    const answer = (await run({ do: 'find', pages, queries })).result as WordSearch | Busy;
    if (!answer.ok) return answer;
    total.withoutText.push(...answer.withoutText);
    for (const [index, { matches, isCut }] of answer.results.entries()) {
      const result = total.results[index]!;
      // What follows a place that is missing would be counted wrongly.
      if (!result.isCut) result.matches.push(...matches);
      result.isCut ||= isCut;
    }
  }
  return total;
}

/** Lists the words of some pages. @param run answers a `words` job */
export async function listInParts(
  run: (job: ListJob) => Promise<{ result: object }>,
  pages: PageRange,
): Promise<WordsListed | Busy> {
  const listed: Extract<WordsListed, { ok: true }> = { ok: true, words: [], isCut: false };
  for (const part of partsOf(pages)) {
    const answer = (await run({ do: 'words', pages: part })).result as WordsListed | Busy;
    if (!answer.ok) return answer;
    for (const word of answer.words) listed.words.push(word);
    listed.isCut ||= answer.isCut;
  }
  return listed;
}

/** Lists the texts in double braces of some pages. @param run answers a `braced` job */
export async function listBracedInParts(
  run: (job: BracedJob) => Promise<{ result: object }>,
  pages: PageRange,
): Promise<BracedListed | Busy> {
  const listed: Extract<BracedListed, { ok: true }> = { ok: true, texts: [], unfinished: [], isCut: false };
  for (const part of partsOf(pages)) {
    const answer = (await run({ do: 'braced', pages: part })).result as BracedListed | Busy;
    if (!answer.ok) return answer;
    listed.texts.push(...answer.texts);
    listed.unfinished.push(...answer.unfinished);
    listed.isCut ||= answer.isCut;
  }
  return listed;
}

/** Finds the lines to write on of some pages. @param run answers a `blanks` job */
export async function findBlanksInParts(
  run: (job: BlanksJob) => Promise<{ result: object }>,
  pages: PageRange,
): Promise<BlankSearch | Busy> {
  const total: Extract<BlankSearch, { ok: true }> = { ok: true, pages: [] };
  for (const part of partsOf(pages)) {
    const answer = (await run({ do: 'blanks', pages: part })).result as BlankSearch | Busy;
    if (!answer.ok) return answer;
    total.pages.push(...answer.pages);
  }
  return total;
}

function* partsOf({ from, to }: PageRange): Generator<PageRange> {
  const { pagesOfJob } = FIND_LIMITS;
  for (let start = from; start < to; start += pagesOfJob)
    yield { from: start, to: Math.min(start + pagesOfJob, to) };
}
