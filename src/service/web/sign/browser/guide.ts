// Leads from field to field: a bar says how many are left and goes to the next one, which is shown in its place on the page and in
// the panel. The focus, and links that name a field, lead to fields as well. On a narrow screen the panel shows the control of one
// field at a time.
import { roomFor } from './document-pages.ts';
import {
  allControls,
  type Control,
  controlAround,
  controlOf,
  findBox,
  focusableOf,
  isOpen,
  isSignature,
} from './fields.ts';
import { startView } from './in-view.ts';

export type Guide = {
  next(): void;
  /** The page calls this when fields, their boxes or their values have changed. */
  update(): void;
  /** Brings the box of the current field into view again. */
  showCurrent(): void;
};

type GuideActions = {
  /** @param page from 1, through all documents */
  loadPage(page: number): Promise<void>;
  /** Shows pages as large as a field of this width and the text around it need. */
  enlarge(page: SVGSVGElement, width: number): void;
  sign(control: Control): void;
  /** Returns the text that is to stand in a field. */
  valueFor(control: Control): string;
  review(): void;
};

export function startGuide(
  form: HTMLFormElement,
  documents: HTMLElement,
  { loadPage, enlarge, sign, valueFor, review }: GuideActions,
): Guide | undefined {
  const bar = barOf(form);
  if (!bar) return undefined;
  let current: string | undefined;
  /** The bar is empty at first: what was filled in before the page was opened is no progress on it. */
  let mostOpen = 1;
  const showCurrent = () => {
    const control = current === undefined ? undefined : controlOf(current);
    if (control) void show(control);
  };
  const measure = leaveRoom(form, bar.element, () => view.settle());
  const view = startView(documents, form);

  function update(): void {
    const controls = allControls();
    const open = controls.filter(isOpen).length;
    const { toNext = '', toReview = '' } = bar?.next.dataset ?? {};
    mostOpen = Math.max(mostOpen, open);
    bar?.tell({ done: mostOpen - open, all: mostOpen, call: open > 0 ? toNext : toReview });
    for (const control of controls) {
      const isCurrent = control.dataset.control === current;
      control.classList.toggle('current', isCurrent);
      findBox(control)?.classList.toggle('current', isCurrent);
    }
  }

  function choose(control: Control | undefined): void {
    current = control?.dataset.control;
    update();
  }

  async function show(control: Control): Promise<void> {
    measure();
    const place = placeOf(documents, control);
    if (place) enlarge(place.page, place.width);
    view.hold(() => placeOf(documents, control)?.frame);
    if (findBox(control)) return;
    await loadPage(Number(control.dataset.page));
    view.settle();
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
    if (!open) review();
    else if (open.dataset.control === current && isSignature(open) && valueFor(open) === '') sign(open);
    else goTo(open);
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

type FieldPlace = { frame: SVGElement; page: SVGSVGElement; width: number };

/** Finds the place of a field, in its box or on the empty page that its own page will replace. */
function placeOf(documents: HTMLElement, control: Control): FieldPlace | undefined {
  const box = findBox(control);
  // What is written in a box may be wider than it.
  const frame = box
    ? box.querySelector('rect')
    : frameIn(roomFor(documents, Number(control.dataset.page)), control);
  const page = frame?.closest<SVGSVGElement>('svg.over');
  return frame && page ? { frame, page, width: Number(frame.getAttribute('width')) } : undefined;
}

function frameIn(room: HTMLElement | undefined, { dataset }: Control): SVGElement | undefined {
  const page = room?.querySelector('svg.over');
  if (!page) return undefined;
  const id = `room-of-${dataset.control}`;
  const existing = page.querySelector<SVGElement>(`#${CSS.escape(id)}`);
  if (existing) return existing;
  const frame = document.createElementNS(page.namespaceURI, 'rect') as SVGElement;
  frame.id = id;
  frame.setAttribute('class', 'room');
  const [x = '', y = '', width = '', height = ''] = (dataset.place ?? '').split(' ');
  for (const [name, value] of Object.entries({ x, y, width, height })) frame.setAttribute(name, value);
  page.append(frame);
  return frame;
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
 * Makes room below the page, so that the bar at the bottom of the screen covers neither its end nor what is scrolled to.
 * @returns a function that measures the room anew
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

const FIELD_ANCHOR = /^#field-(.+)$/;

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

/** Follows links to a field, which the summary of errors and the review have. */
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

/** @param onMoved there is more or less room than before */
export function keepAboveKeyboard(onMoved: () => void): void {
  const view = window.visualViewport;
  if (!view) return;
  const root = document.documentElement;
  let covered = 0;
  const place = () => {
    // A recipient who has zoomed in with two fingers sees a part of the page, and no keyboard.
    const hidden = view.scale > 1.01 ? 0 : Math.max(0, root.clientHeight - view.height - view.offsetTop);
    if (Math.round(hidden) === covered) return;
    covered = Math.round(hidden);
    root.style.setProperty('--keyboard', `${covered}px`);
    onMoved();
  };
  view.addEventListener('resize', place);
  view.addEventListener('scroll', place);
}
