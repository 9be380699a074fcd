// Loads the text of pages over their pictures as they come near: it can be selected, searched and read aloud.
import { getPart } from './requests.ts';

const NEAR = '600px';

/** Watches the pages under `root`; pages that are added later are handed in again. */
export function watchTexts(root: ParentNode): void {
  for (const link of root.querySelectorAll('a[data-text]')) {
    const sheet = link.closest('figure');
    if (sheet) seen.observe(sheet);
  }
}

const seen = new IntersectionObserver(
  (entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      seen.unobserve(target);
      void showText(target);
    }
  },
  { rootMargin: NEAR },
);

async function showText(sheet: Element): Promise<void> {
  const layer = sheet.querySelector('g.words');
  const link = sheet.querySelector<HTMLAnchorElement>('a[data-text]');
  if (!layer || !link) return;
  // Without it, the picture and the text page remain.
  const got = await getPart(link.href, 'image/svg+xml');
  if (got.kind === 'part') layer.replaceChildren(...got.part.documentElement.childNodes);
}
