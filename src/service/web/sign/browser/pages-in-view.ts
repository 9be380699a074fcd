// Reports to the service which pages were in view: at least half of a page, each part of it for a second without a break. A page that is
// larger than the screen counts when the parts that were in view make up half of it. What a dialog, a bar or the edge of the screen
// covers is not in view, and neither is a page whose picture has not arrived or a window that is hidden.
import { createReportQueue } from './report-queue.ts';
import { postReport } from './requests.ts';

/** A page is watched as a grid of so many parts, by the point in the middle of each. */
const COLUMNS = 4;
const ROWS = 8;
const SECOND_MS = 1000;
const WATCH_EVERY_MS = 200;
/** A report that was not answered is repeated after this time. */
const RETRY_AFTER_MS = 5000;

type WatchedPage = {
  number: number;
  figure: HTMLElement;
  /** It has the time at which each part came into view; undefined for a part that is not in view. */
  since: (number | undefined)[];
  wasInView: boolean[];
  isReported: boolean;
  isInView: boolean;
};

export type PagesInView = {
  /** @param root contains pages that have just arrived */
  watch(root: ParentNode): void;
};

/** @param form the form of the fields, whose token goes with the reports */
export function watchPagesInView(form: HTMLFormElement): PagesInView {
  const pages = new Map<Element, WatchedPage>();
  const near = new Set<WatchedPage>();
  const queue = createReportQueue();
  let sendAfter = 0;
  let timer: ReturnType<typeof setInterval> | undefined;
  let isOver = false;

  const observer = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      const page = pages.get(target);
      if (!page) continue;
      if (isIntersecting) near.add(page);
      else {
        near.delete(page);
        leave(page);
      }
    }
    run();
  });

  function run(): void {
    const isNeeded = near.size > 0 && !document.hidden && !isOver;
    if (isNeeded && timer === undefined) timer = setInterval(watchPages, WATCH_EVERY_MS);
    if (isNeeded || timer === undefined) return;
    clearInterval(timer);
    timer = undefined;
  }

  function watchPages(): void {
    for (const page of near) {
      const isInView = notePartsInView(page, performance.now());
      if (page.isInView && !isInView) leave(page);
      page.isInView = isInView;
      if (page.isReported || !isHalfInView(page)) continue;
      page.isReported = true;
      queue.add(page.number);
    }
    void send();
  }

  /** The end of a view of a page is reported as well: it is the last time. */
  function leave(page: WatchedPage): void {
    page.since.fill(undefined);
    if (page.isInView && page.isReported) queue.add(page.number);
    page.isInView = false;
  }

  async function send(): Promise<void> {
    if (isOver || performance.now() < sendAfter) return;
    const numbers = queue.next();
    if (numbers.length === 0) return;
    const result = await postReport(form, numbers);
    if (result === 'over') isOver = true;
    if (result === 'failed') sendAfter = performance.now() + RETRY_AFTER_MS;
    queue.settle(result);
    run();
  }

  function leaveAll(): void {
    for (const page of near) leave(page);
    // A report on its way may be ended with the page.
    for (const numbers of queue.rest()) if (!isOver) void postReport(form, numbers, { isLeaving: true });
  }

  document.addEventListener('visibilitychange', () => {
    if (document.hidden) leaveAll();
    run();
  });
  window.addEventListener('pagehide', leaveAll);
  return {
    watch(root) {
      for (const figure of figuresIn(root)) {
        if (pages.has(figure)) continue;
        const partCount = COLUMNS * ROWS;
        pages.set(figure, {
          number: Number(figure.dataset.page),
          figure,
          since: new Array(partCount).fill(undefined),
          wasInView: new Array(partCount).fill(false),
          isReported: false,
          isInView: false,
        });
        observer.observe(figure);
      }
    },
  };
}

const PAGE = 'figure[data-page]:not([data-missing])';

const figuresIn = (root: ParentNode): HTMLElement[] => [
  ...(root instanceof HTMLElement && root.matches(PAGE) ? [root] : []),
  ...root.querySelectorAll<HTMLElement>(PAGE),
];

/** @returns whether any part of the page has been in view for a second until now */
function notePartsInView({ figure, since, wasInView }: WatchedPage, now: number): boolean {
  const picture = figure.querySelector('img');
  if (!picture?.complete || picture.naturalWidth === 0) return false;
  const { left, top, width, height } = picture.getBoundingClientRect();
  let isInView = false;
  for (const part of since.keys()) {
    const x = left + ((part % COLUMNS) + 0.5) * (width / COLUMNS);
    const y = top + (Math.floor(part / COLUMNS) + 0.5) * (height / ROWS);
    // The element in front at this point of the screen; null beside the screen.
    const isUncovered = figure.contains(document.elementFromPoint(x, y));
    since[part] = isUncovered ? (since[part] ?? now) : undefined;
    if (!isUncovered || now - (since[part] ?? now) < SECOND_MS) continue;
    wasInView[part] = true;
    isInView = true;
  }
  return isInView;
}

const isHalfInView = ({ wasInView }: WatchedPage): boolean =>
  wasInView.filter(Boolean).length * 2 >= wasInView.length;
