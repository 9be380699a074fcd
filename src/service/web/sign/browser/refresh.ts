// Replaces signatures and their boxes on the page with those that the service renders.

import { controlOf, focusableOf, isSignature } from './fields.ts';
import { getPart } from './requests.ts';

/** @returns how it went; the page is as before unless it went well */
export async function refresh(form: HTMLFormElement): Promise<'done' | 'over' | 'failed'> {
  const got = await getPart(form.dataset.fields ?? '');
  if (got.kind !== 'part') return got.kind;
  for (const fresh of got.part.querySelectorAll<HTMLElement>('[data-control]')) {
    const old = controlOf(fresh.dataset.control ?? '');
    if (!old || !isSignature(old)) continue;
    const hadFocus = old.contains(document.activeElement);
    fresh.classList.toggle('current', old.classList.contains('current'));
    old.replaceWith(fresh);
    const now = controlOf(old.dataset.control);
    if (hadFocus && now) focusableOf(now).focus({ preventScroll: true });
  }
  replaceBoxes(got.part);
  showLeft(got.part.querySelector('[data-count]')?.textContent ?? '');
  return 'done';
}

/** @param ids of the fields whose boxes are replaced; by default all that came */
export function replaceBoxes(part: Document, ids?: ReadonlySet<string>): void {
  const fresh = new Map(
    [...part.querySelectorAll<SVGAElement>('a.mark[data-field]')].map((box) => [box.dataset.field, box]),
  );
  for (const old of document.querySelectorAll<SVGAElement>('a.mark[data-field]')) {
    const box = fresh.get(old.dataset.field);
    if (!box || ids?.has(old.dataset.field ?? '') === false) continue;
    box.classList.toggle('current', old.classList.contains('current'));
    old.replaceWith(box);
  }
}

/** How many fields are left, in words, wherever that is said. */
export function showLeft(text: string): void {
  for (const place of document.querySelectorAll('[data-count]'))
    if (place.textContent !== text) place.textContent = text;
}
