// Loads further pages of the documents, and the text over their pictures, which can be selected, searched and read aloud. Each page has its room
// from the start, as high as the page will be: nothing moves when it arrives. Pages are loaded when a person gets near them, or to
// one of their fields, and not when the screen passes them quickly.
import { getPart } from './requests.ts';

type MorePages = {
  /** @param page from 1, through all documents. @returns when it is there, or could not be loaded */
  load(page: number): Promise<void>;
};

/** The service gives so many pages at once. */
const AT_ONCE = 3;
/** A page is near when it is about a page and a half away. */
const PAGE_NEAR = '1500px';

/** @param onArrival is given what came */
export function loadMorePages(documents: HTMLElement, onArrival: (arrived: Element[]) => void): MorePages {
  const near = new Set<number>();
  const requested = new Map<number, () => void>();
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
    { rootMargin: PAGE_NEAR },
  );

  /** Pages that a person jumps to come first, then the pages near the view. */
  function nextPage(): number | undefined {
    const [page] = requested.keys();
    return page ?? [...near].sort((a, b) => a - b)[0];
  }

  async function start(): Promise<void> {
    if (isLoading) return;
    isLoading = true;
    for (let page = nextPage(); page !== undefined; page = nextPage()) {
      // A page that could not be loaded is tried again when it comes near again, or its link is pressed.
      near.delete(page);
      if (roomFor(documents, page)) await fetchAround(page);
      requested.get(page)?.();
      requested.delete(page);
    }
    isLoading = false;
  }

  async function fetchAround(page: number): Promise<void> {
    const response = await getPart(`${documents.dataset.sheets}?page=${firstAround(documents, page)}`);
    const arrived = response.kind === 'part' ? put(documents, response.part) : [];
    for (const { dataset } of arrived) near.delete(Number(dataset.page));
    onArrival(arrived);
  }

  function load(page: number): Promise<void> {
    if (!roomFor(documents, page)) return Promise.resolve();
    return new Promise((resolve) => {
      const before = requested.get(page);
      requested.set(page, () => {
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

/** Finds the place that is kept for a page. */
export const roomFor = (documents: HTMLElement, page: number): HTMLElement | undefined =>
  documents.querySelector<HTMLElement>(`figure[data-missing][data-page="${page}"]`) ?? undefined;

/** Chooses the page and the two after it or, where those are there already, the two before it. */
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

/** Makes an empty page, as high as the page that comes here. Its link is for those who go from link to link. */
function emptyPage(viewBox: string, options: { page: number; label: string; address: string }): HTMLElement {
  const figure = document.createElement('figure');
  figure.className = 'sheet-of-document';
  figure.dataset.page = `${options.page}`;
  figure.dataset.missing = '';
  const paper = document.createElement('div');
  paper.className = 'paper';
  const room = document.createElementNS(SVG, 'svg');
  room.setAttribute('class', 'over');
  room.setAttribute('viewBox', viewBox);
  paper.append(room);
  const caption = document.createElement('figcaption');
  const link = document.createElement('a');
  link.href = options.address;
  link.textContent = options.label;
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

const TEXT_NEAR = '600px';

/** Watches the pages under `root`; pages that are added later are handed in again. */
export function watchTexts(root: ParentNode): void {
  for (const link of root.querySelectorAll('a[data-text]')) {
    const sheet = link.closest('figure');
    if (sheet) nearSheets.observe(sheet);
  }
}

const nearSheets = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      nearSheets.unobserve(target);
      void showText(target);
    }
  },
  { rootMargin: TEXT_NEAR },
);

async function showText(sheet: Element): Promise<void> {
  const layer = sheet.querySelector('g.words');
  const link = sheet.querySelector<HTMLAnchorElement>('a[data-text]');
  if (!layer || !link) return;
  // Without it, the picture and the text page remain.
  const response = await getPart(link.href, 'image/svg+xml');
  if (response.kind === 'part') layer.replaceChildren(...response.part.documentElement.childNodes);
}
