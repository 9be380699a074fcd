// Decides which pages go into the next report. The service refuses a report as a whole, so the pages of a refused one are reported alone:
// a page that the service does not take must not lose the others.
/** The service takes so many pages in one report. */
const MOST_IN_REPORT = 50;

export type ReportResult = 'recorded' | 'refused' | 'over' | 'failed';

export type ReportQueue = {
  add(number: number): void;
  /** @returns the pages of the next report; none while one is on its way */
  next(): readonly number[];
  settle(result: ReportResult): void;
  /** Empties the queue. @returns the reports for all that is in it or on its way */
  rest(): readonly (readonly number[])[];
};

export function createReportQueue(): ReportQueue {
  const waiting = new Set<number>();
  /** These pages come from refused reports. */
  const doubtful = new Set<number>();
  let sending: readonly number[] = [];

  const reportsOf = (numbers: readonly number[]): number[][] => {
    const sure = numbers.filter((number) => !doubtful.has(number)).slice(0, MOST_IN_REPORT);
    const alone = numbers.filter((number) => doubtful.has(number)).map((number) => [number]);
    return sure.length > 0 ? [sure, ...alone] : alone;
  };

  return {
    add: (number) => void waiting.add(number),
    next() {
      if (sending.length > 0) return [];
      sending = reportsOf([...waiting])[0] ?? [];
      for (const number of sending) waiting.delete(number);
      return sending;
    },
    settle(result) {
      const isRefusedTogether = result === 'refused' && sending.length > 1;
      for (const number of sending) {
        if (result === 'recorded') doubtful.delete(number);
        if (isRefusedTogether) doubtful.add(number);
        if (isRefusedTogether || result === 'failed') waiting.add(number);
      }
      sending = [];
    },
    rest() {
      const reports = reportsOf([...new Set([...sending, ...waiting])]);
      waiting.clear();
      return reports;
    },
  };
}
