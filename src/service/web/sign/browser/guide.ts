// Leads from field to field: a bar says how many are left and goes to the next one, which is shown in its place on the page and in
// the panel. On a narrow screen the panel shows the control of one field at a time.
import {
  allControls,
  boxOf,
  type Control,
  controlAround,
  controlOf,
  focusableOf,
  isOpen,
  isSignature,
} from './fields.ts';

export type Guide = {
  next(): void;
  /** Fields, their boxes or their values are not those of before. */
  update(): void;
  /** Brings the box of the current field into view again. */
  showCurrent(): void;
};

export type GuideParts = {
  /** @param page from 1, through all documents */
  loadPage(page: number): Promise<void>;
  sign(control: Control): void;
  /** What is to stand in a field. */
  valueFor(control: Control): string;
  review(): void;
};

const FIELD_ANCHOR = /^#field-(.+)$/;

export function startGuide(
  form: HTMLFormElement,
  documents: HTMLElement,
  { loadPage, sign, valueFor, review }: GuideParts,
): Guide | undefined {
  const bar = barOf(form);
  if (!bar) return undefined;
  let current: string | undefined;
  const showCurrent = () => {
    const control = current === undefined ? undefined : controlOf(current);
    if (control) void show(control);
  };
  const measure = leaveRoom(form, bar.element, showCurrent);

  function update(): void {
    const controls = allControls();
    const open = controls.filter(isOpen).length;
    const { toNext = '', toReview = '' } = bar?.next.dataset ?? {};
    bar?.tell({ done: controls.length - open, all: controls.length, call: open > 0 ? toNext : toReview });
    for (const control of controls) {
      const isCurrent = control.dataset.control === current;
      control.classList.toggle('current', isCurrent);
      boxOf(control)?.classList.toggle('current', isCurrent);
    }
  }

  function choose(control: Control | undefined): void {
    current = control?.dataset.control;
    update();
  }

  async function show(control: Control): Promise<void> {
    if (!boxOf(control)) await loadPage(Number(control.dataset.page));
    measure();
    const box = boxOf(control);
    if (box && control.dataset.control === current) reveal(box);
  }

  /** The focus comes first: phones open their keyboard only while a tap is being answered. */
  function goTo(control: Control): void {
    choose(control);
    focusableOf(control).focus({ preventScroll: true });
    control.scrollIntoView({ block: 'nearest' });
    void show(control);
  }

  function next(): void {
    const controls = allControls();
    const at = controls.findIndex(({ dataset }) => dataset.control === current);
    const open = [...controls.slice(at + 1), ...controls.slice(0, at + 1)].find(isOpen);
    bar?.showAll(false);
    if (open) goTo(open);
    else review();
  }

  function previous(): void {
    const controls = allControls();
    const at = controls.findIndex(({ dataset }) => dataset.control === current);
    const before = controls.at(at > 0 ? at - 1 : -1);
    bar?.showAll(false);
    if (before) goTo(before);
  }

  function press(box: SVGAElement): void {
    const control = controlOf(box.dataset.field ?? '');
    if (!control) return;
    bar?.showAll(false);
    if (control.dataset.type === 'checkbox') {
      choose(control);
      focusableOf(control).focus({ preventScroll: true });
      focusableOf(control).click();
    } else if (isSignature(control) && valueFor(control) === '') {
      choose(control);
      sign(control);
    } else goTo(control);
  }

  bar.next.addEventListener('click', next);
  bar.previous.addEventListener('click', previous);
  documents.addEventListener('click', (event) => {
    const box = event.target instanceof Element && event.target.closest<SVGAElement>('a.mark');
    if (box) {
      event.preventDefault();
      press(box);
    } else if (!form.contains(document.activeElement)) choose(undefined);
  });
  followFocus(form, (control) => {
    if (control.dataset.control !== current) {
      choose(control);
      return showCurrent;
    }
    return undefined;
  });
  followLinks((id) => {
    const control = controlOf(id);
    if (control) goTo(control);
  });
  update();
  return { next, update, showCurrent };
}

type Bar = {
  element: HTMLElement;
  next: HTMLButtonElement;
  previous: HTMLButtonElement;
  showAll(isAll: boolean): void;
  tell(standing: { done: number; all: number; call: string }): void;
};

function barOf(form: HTMLFormElement): Bar | undefined {
  const bar = form.querySelector<HTMLElement>('[data-guide]');
  const button = (name: string) => bar?.querySelector<HTMLButtonElement>(`button[data-${name}]`);
  const [next, previous, all] = [button('next'), button('previous'), button('all')];
  const progress = bar?.querySelector<HTMLProgressElement>('[data-progress]');
  if (!bar || !next || !previous || !all) return undefined;
  bar.hidden = false;
  form.classList.add('guided');
  const showAll = (isAll: boolean) => {
    form.classList.toggle('all', isAll);
    all.setAttribute('aria-expanded', `${isAll}`);
  };
  all.addEventListener('click', () => showAll(!form.classList.contains('all')));
  return {
    element: bar,
    next,
    previous,
    showAll,
    tell: ({ done, all: most, call }) => {
      if (progress) [progress.max, progress.value] = [most, done];
      if (next.textContent !== call) next.textContent = call;
    },
  };
}

/**
 * What lies at the bottom of the screen covers neither the end of the page nor what is scrolled to.
 * @returns measures it anew
 */
function leaveRoom(form: HTMLFormElement, bar: HTMLElement, onChange: () => void): () => void {
  const root = document.documentElement;
  let covered = 0;
  const measure = () => {
    const isSheet = getComputedStyle(form).position === 'fixed';
    const now = (isSheet ? form : bar).offsetHeight;
    if (now === covered) return false;
    covered = now;
    root.style.setProperty('--covered', `${covered}px`);
    return true;
  };
  const observe = () => measure() && onChange();
  const observer = new ResizeObserver(observe);
  observer.observe(form);
  observer.observe(bar);
  window.addEventListener('resize', observe);
  return measure;
}

function reveal(box: SVGAElement): void {
  // What is written in a box may be wider than it.
  const frame = box.querySelector('rect') ?? box;
  const { top, bottom, left, right } = frame.getBoundingClientRect();
  const padding = getComputedStyle(document.documentElement);
  const end = window.innerHeight - (Number.parseFloat(padding.scrollPaddingBottom) || 0);
  const start = Math.max(0, document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0);
  const column = box.closest('.documents')?.getBoundingClientRect();
  const isInColumn = !column || (left >= column.left && right <= column.right);
  if (top >= start && bottom <= end && isInColumn) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  frame.scrollIntoView({ block: 'center', inline: 'center', behavior: isCalm ? 'instant' : 'smooth' });
}

/** @param onFocus what it returns moves the page, and waits until a button of the mouse is released: a click would miss otherwise */
function followFocus(form: HTMLFormElement, onFocus: (control: Control) => (() => void) | undefined): void {
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
function followLinks(goTo: (id: string) => void): void {
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
