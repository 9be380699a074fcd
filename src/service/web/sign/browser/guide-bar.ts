// Shows the bar that says how many fields are left and leads to the next one, and reserves its room on the screen.

export type Bar = {
  element: HTMLElement;
  next: HTMLButtonElement;
  previous: HTMLButtonElement;
  showAll(isAll: boolean): void;
  tell(standing: { done: number; all: number; call: string }): void;
};

export function barOf(form: HTMLFormElement): Bar | undefined {
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
export function leaveRoom(form: HTMLFormElement, bar: HTMLElement, onChange: () => void): () => void {
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
