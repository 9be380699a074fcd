// Leads to a field without the bar: by the focus, which a keyboard or a screen reader moves, and by links that name a field.
import { type Control, controlAround } from './fields.ts';

const FIELD_ANCHOR = /^#field-(.+)$/;

/** @param onFocus what it returns moves the page, and waits until a button of the mouse is released: a click would miss otherwise */
export function followFocus(
  form: HTMLFormElement,
  onFocus: (control: Control) => (() => void) | undefined,
): void {
  let isPressed = false;
  let move: (() => void) | undefined;
  const moveSoon = () =>
    setTimeout(() => {
      if (isPressed) return;
      move?.();
      move = undefined;
    });
  form.addEventListener('pointerdown', () => {
    isPressed = true;
  });
  for (const end of ['pointerup', 'pointercancel'])
    window.addEventListener(end, () => {
      isPressed = false;
      moveSoon();
    });
  form.addEventListener('focusin', ({ target }) => {
    const control = controlAround(target);
    if (!control) return;
    move = onFocus(control) ?? move;
    moveSoon();
  });
}

/** Links to a field, in the summary of what is wrong and from the review. */
export function followLinks(goTo: (id: string) => void): void {
  const idIn = (hash: string) => FIELD_ANCHOR.exec(hash)?.[1];
  document.querySelector('.summary')?.addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a');
    const id = link ? idIn(link.hash) : undefined;
    if (id === undefined) return;
    event.preventDefault();
    goTo(id);
  });
  const follow = () => {
    const id = idIn(location.hash);
    if (id !== undefined) goTo(id);
  };
  window.addEventListener('hashchange', follow);
  follow();
}
