// Pages of the documents that are not there yet: they come when somebody gets near them, or to one of their fields. In between a
// link stands for all pages that are missing there, so that a jump to the last page does not load all the others.
import { getPart } from './ask.ts';

export type MorePages = {
  /** @param page from 1, through all documents. @returns when it is there */
  load(page: number): Promise<void>;
};

/** As many as the service gives at once. */
const AT_ONCE = 3;
/** How near: about a page and a half. */
const NEAR = '1500px';

/** @param onArrival is given what came */
export function loadMorePages(documents: HTMLElement, onArrival: (arrived: Element[]) => void): MorePages {
  let queue: Promise<unknown> = Promise.resolve();
  const near = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries)
        if (isIntersecting) void load(pageWanted(documents, target as HTMLAnchorElement));
    },
    { rootMargin: NEAR },
  );
  const watch = () => {
    near.disconnect();
    for (const link of linksIn(documents)) near.observe(link);
  };

  async function fetchFrom(page: number): Promise<void> {
    if (isThere(documents, page)) return;
    const got = await getPart(`${documents.dataset.sheets}?page=${page}`);
    // A link that could not be followed stays, and can be pressed.
    if (got.kind !== 'part') return;
    const arrived = put(documents, page, got.part.body);
    watch();
    onArrival(arrived);
  }

  function load(page: number): Promise<void> {
    const loaded = queue.then(() => fetchFrom(page));
    queue = loaded;
    return loaded;
  }

  documents.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[data-more]');
    if (!link) return;
    event.preventDefault();
    void load(pageWanted(documents, link));
  });
  watch();
  return { load };
}

const linksIn = (place: ParentNode): HTMLAnchorElement[] => [
  ...place.querySelectorAll<HTMLAnchorElement>('a[data-more]'),
];

const isThere = (documents: HTMLElement, page: number): boolean =>
  documents.querySelector(`figure[data-page="${page}"]`) !== null;

/** The first of the missing pages; the last ones for somebody who comes from below. */
function pageWanted(documents: HTMLElement, link: HTMLAnchorElement): number {
  const first = Number(link.dataset.more);
  const next = [...documents.querySelectorAll<HTMLElement>('figure[data-page]')]
    .map(({ dataset }) => Number(dataset.page))
    .find((page) => page > first);
  const isAbove = link.getBoundingClientRect().top < 0;
  return isAbove && next !== undefined ? Math.max(first, next - AT_ONCE) : first;
}

/** Puts pages where they belong, and leaves out those that are there. @returns what was put */
function put(documents: HTMLElement, page: number, part: HTMLElement): Element[] {
  for (const known of part.querySelectorAll('[id]'))
    if (known.parentElement === part && document.getElementById(known.id)) known.remove();
  for (const link of linksIn(part))
    if (isThere(documents, Number(link.dataset.more))) link.parentElement?.remove();
  const before = [...documents.children].filter((child) => placeOf(child) <= page).at(-1);
  const nodes = [...part.children];
  if (!before) documents.prepend(...nodes);
  else if (linksIn(before).some(({ dataset }) => Number(dataset.more) === page)) before.replaceWith(...nodes);
  else before.after(...nodes);
  return nodes;
}

function placeOf(child: Element): number {
  if (child instanceof HTMLElement && child.dataset.page !== undefined) return Number(child.dataset.page);
  const [link] = linksIn(child);
  return link ? Number(link.dataset.more) : Number.POSITIVE_INFINITY;
}
