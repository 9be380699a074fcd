// Loads further pages of the documents. Each has its room from the start, as high as the page will be: nothing moves when it
// arrives. Pages are loaded when a person gets near them, or to one of their fields, and not when the screen passes them
// quickly.
import { getPart } from './requests.ts';

export type MorePages = {
  /** @param page from 1, through all documents. @returns when it is there, or could not be loaded */
  load(page: number): Promise<void>;
};

/** As many as the service gives at once. */
const AT_ONCE = 3;
/** How near: about a page and a half. */
const NEAR = '1500px';

/** @param onArrival is given what came */
export function loadMorePages(documents: HTMLElement, onArrival: (arrived: Element[]) => void): MorePages {
  const near = new Set<number>();
  const asked = new Map<number, () => void>();
  let isLoading = false;
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) {
        const page = Number((target as HTMLElement).dataset.page);
        if (isIntersecting) near.add(page);
        else near.delete(page);
      }
      void start();
    },
    { rootMargin: NEAR },
  );

  /** Pages that a person jumps to come first, then the pages near the view. */
  function nextWanted(): number | undefined {
    const [page] = asked.keys();
    return page ?? [...near].sort((a, b) => a - b)[0];
  }

  async function start(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    for (let page = nextWanted(); page !== undefined; page = nextWanted()) {
      // A page that could not be loaded is tried again when it comes near again, or its link is pressed.
      near.delete(page);
      if (roomFor(documents, page)) await fetchAround(page);
      asked.get(page)?.();
      asked.delete(page);
    }
    isLoading = false;
  }

  async function fetchAround(page: number): Promise<void> {
    const got = await getPart(`${documents.dataset.sheets}?page=${firstAround(documents, page)}`);
    const arrived = got.kind === 'part' ? put(documents, got.part) : [];
    for (const one of arrived) near.delete(Number(one.dataset.page));
    onArrival(arrived);
  }

  function load(page: number): Promise<void> {
    if (!roomFor(documents, page)) return Promise.resolve();
    return new Promise((resolve) => {
      const before = asked.get(page);
      asked.set(page, () => {
        before?.();
        resolve();
      });
      void start();
    });
  }

  for (const gap of documents.querySelectorAll<HTMLElement>('[data-gap]')) makeRoom(gap);
  for (const room of documents.querySelectorAll('figure[data-missing]')) observer.observe(room);
  documents.addEventListener('click', (event) => {
    const room = event.target instanceof Element && event.target.closest<HTMLElement>('figure[data-missing]');
    if (!room) return;
    event.preventDefault();
    void load(Number(room.dataset.page));
  });
  return { load };
}

/** The place that is kept for a page. */
export const roomFor = (documents: HTMLElement, page: number): HTMLElement | undefined =>
  documents.querySelector<HTMLElement>(`figure[data-missing][data-page="${page}"]`) ?? undefined;

/** The page and the two after it; where those are there already, the two before it. */
function firstAround(documents: HTMLElement, page: number): number {
  let first = page;
  for (let next = page + 1; next < page + AT_ONCE; next += 1) {
    if (roomFor(documents, next)) continue;
    if (!roomFor(documents, first - 1)) break;
    first -= 1;
  }
  return first;
}

/** Puts the empty pages in the place of the gap. */
function makeRoom(gap: HTMLElement): void {
  const { gap: page = '', first = '', sizes = '', label = '' } = gap.dataset;
  const address = gap.querySelector('a')?.href ?? '';
  const rooms = sizes.split(' ').flatMap((run) => {
    const [, width, height, count] = /^([\d.]+)x([\d.]+)\*(\d+)$/.exec(run) ?? [];
    return Array.from({ length: Number(count ?? 0) }, () => `0 0 ${width} ${height}`);
  });
  gap.replaceWith(
    ...rooms.map((viewBox, index) =>
      emptyPage(viewBox, {
        page: Number(page) + index,
        label: label.replace('0', `${Number(first) + index}`),
        address: address.replace(/page=\d+/, `page=${Number(page) + index}`),
      }),
    ),
  );
}

const SVG = 'http://www.w3.org/2000/svg';

/** As high as the page that comes here. Its link is for those who go from link to link. */
function emptyPage(viewBox: string, given: { page: number; label: string; address: string }): HTMLElement {
  const figure = document.createElement('figure');
  figure.className = 'sheet-of-document';
  figure.dataset.page = `${given.page}`;
  figure.dataset.missing = '';
  const paper = document.createElement('div');
  paper.className = 'paper';
  const room = document.createElementNS(SVG, 'svg');
  room.setAttribute('class', 'over');
  room.setAttribute('viewBox', viewBox);
  paper.append(room);
  const caption = document.createElement('figcaption');
  const link = document.createElement('a');
  link.href = given.address;
  link.textContent = given.label;
  caption.append(link);
  figure.append(paper, caption);
  return figure;
}

/** Puts pages into their room, except those that are there already. @returns what was put */
function put(documents: HTMLElement, part: Document): HTMLElement[] {
  const arrived: HTMLElement[] = [];
  for (const page of [...part.querySelectorAll<HTMLElement>('figure[data-page]')]) {
    const room = roomFor(documents, Number(page.dataset.page));
    if (!room) continue;
    const hadFocus = room.contains(document.activeElement);
    room.replaceWith(page);
    if (hadFocus) page.querySelector<HTMLElement>('a[data-text]')?.focus({ preventScroll: true });
    arrived.push(page);
  }
  return arrived;
}
