// Words of a long document are read in several jobs, whose answers become one.
import { describe, expect, test } from 'vitest';
import type { PageRange } from '../../../src/pdf/engine/engine.ts';
import { findInParts, listInParts } from '../../../src/pdf/engine/in-parts.ts';
import { FIND_LIMITS } from '../../../src/pdf/limits.ts';

const COUNT = FIND_LIMITS.pagesOfJob;
const PAGES = COUNT * 2 + 5;
const matchOn = (page: number) => ({ page, boxes: [], excerpt: '' });
const wordOn = (page: number) => ({ page, text: 'a', x: 0, y: 0, width: 1, height: 1 });

describe('a document with more pages than a job takes', () => {
  test('has the matches of all jobs, and the pages without text', async () => {
    const jobs: PageRange[] = [];
    const result = await findInParts(
      async ({ pages }) => {
        jobs.push(pages);
        return {
          result: {
            ok: true,
            results: [{ matches: [matchOn(pages.from)], isCut: false }],
            withoutText: [pages.to - 1],
          },
        };
      },
      PAGES,
      [{ text: 'a' }],
    );
    expect(jobs).toEqual([
      { from: 0, to: COUNT },
      { from: COUNT, to: COUNT * 2 },
      { from: COUNT * 2, to: PAGES },
    ]);
    expect(result).toEqual({
      ok: true,
      results: [{ matches: [matchOn(0), matchOn(COUNT), matchOn(COUNT * 2)], isCut: false }],
      withoutText: [COUNT - 1, COUNT * 2 - 1, PAGES - 1],
    });
  });

  test('has no matches after those of a job that found too many, so that each keeps its number', async () => {
    const result = await findInParts(
      async ({ pages }) => ({
        result: {
          ok: true,
          results: [{ matches: [matchOn(pages.from)], isCut: pages.from === COUNT }],
          withoutText: [],
        },
      }),
      PAGES,
      [{ text: 'a' }],
    );
    expect(result).toMatchObject({ results: [{ matches: [matchOn(0), matchOn(COUNT)], isCut: true }] });
  });

  test('has the words of all jobs', async () => {
    const listed = await listInParts(
      async ({ pages }) => ({ result: { ok: true, words: [wordOn(pages.from)], isCut: pages.from > COUNT } }),
      { from: 3, to: PAGES },
    );
    expect(listed).toEqual({
      ok: true,
      words: [wordOn(3), wordOn(3 + COUNT), wordOn(3 + COUNT * 2)],
      isCut: true,
    });
  });

  test('is refused by the first job that is', async () => {
    let jobs = 0;
    const busy = async () => {
      jobs += 1;
      return { result: { ok: false, reason: 'busy' } };
    };
    expect(await findInParts(busy, PAGES, [])).toEqual({ ok: false, reason: 'busy' });
    expect(await listInParts(busy, { from: 0, to: PAGES })).toEqual({ ok: false, reason: 'busy' });
    expect(jobs).toBe(2);
  });
});
