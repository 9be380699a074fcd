// The text of pages over their pictures, fetched as pages come near: it can be selected, searched and read aloud.
import { getPart } from './ask.ts';

const NEAR = '600px';

/** Watches the pages under `root`; pages that are added later are handed in again. */
export function watchTexts(root: ParentNode): void {
  for (const link of root.querySelectorAll<HTMLAnchorElement>('a[data-text]')) seen.observe(link);
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void showText(target as HTMLAnchorElement);
    }
  },
  { rootMargin: NEAR },
);

async function showText(link: HTMLAnchorElement): Promise<void> {
  const layer = link.closest('figure')?.querySelector('g.words');
  if (!layer) return;
  // Without it there is still the picture, and the text as a page.
  const got = await getPart(link.href, 'image/svg+xml');
  if (got.kind === 'part') layer.replaceChildren(...got.part.documentElement.childNodes);
}
