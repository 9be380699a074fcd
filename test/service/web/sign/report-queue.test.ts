// Pages that were in view reach the service, even when one of a report is refused.
import { expect, test } from 'vitest';
import { createReportQueue } from '../../../../src/service/web/sign/browser/report-queue.ts';

test('after a refusal each page is reported by itself, and a refused one is given up', () => {
  const queue = createReportQueue();
  const recorded: number[] = [];
  for (const number of [1, 2, 3, 4]) queue.add(number);
  for (let report = queue.next(); report.length > 0; report = queue.next()) {
    const isRefused = report.includes(3);
    if (!isRefused) recorded.push(...report);
    queue.settle(isRefused ? 'refused' : 'recorded');
  }
  expect(recorded).toEqual([1, 2, 4]);
  // What was refused is never again in a report with others.
  for (const number of [3, 4, 5]) queue.add(number);
  expect(queue.rest()).toEqual([[4, 5], [3]]);
  expect(queue.next()).toEqual([]);
});

test('a report that failed is sent again as it was, one at a time, of at most fifty pages', () => {
  const queue = createReportQueue();
  for (let number = 1; number <= 60; number += 1) queue.add(number);
  expect(queue.next()).toHaveLength(50);
  expect(queue.next()).toEqual([]);
  queue.settle('failed');
  expect(queue.next()).toEqual([51, 52, 53, 54, 55, 56, 57, 58, 59, 60, ...numbersTo(40)]);
  queue.settle('recorded');
  expect(queue.next()).toEqual([41, 42, 43, 44, 45, 46, 47, 48, 49, 50]);
});

const numbersTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);
