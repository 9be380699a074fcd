// Brings an element into view and keeps it there until the person scrolls: a page that arrives, a sheet or a keyboard that
// opens, or a screen that is rotated may move it meanwhile.

export type View = {
  /** @param find looks it up each time: what it finds may be exchanged for something else */
  hold(find: () => Element | undefined): void;
  /** The page calls this when something on the screen has changed. */
  settle(): void;
};

/** A scroll is over when nothing has scrolled for so long, and in the two frames after it; not every browser says so. */
const QUIET_MS = 120;
/**
 * The end of a scroll is corrected at most so often, because an element larger than the free screen is never in view.
 */
const MOST_CORRECTIONS = 3;
/** A jump over more screens than this is instant, because the way there shows nothing. */
const GLIDE_SCREENS = 1.5;

/** @param around may change its size. @param steering holds the buttons that lead somewhere: a click elsewhere is a person's own way */
export function startView(around: Element, steering: Element): View {
  let find: (() => Element | undefined) | undefined;
  /** The scroll under way was started by this file. */
  let isOwn = false;
  let isGliding = false;
  let corrections = 0;
  let quiet: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;

  const release = () => {
    find = undefined;
  };

  // A slow machine shows frames later than timers, and events of scrolling come with frames.
  const waitForQuiet = () => {
    clearTimeout(quiet);
    cancelAnimationFrame(frame);
    quiet = setTimeout(() => {
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(endScroll);
      });
    }, QUIET_MS);
  };

  /** Browsers add what a smooth scroll did in another thread to an instant scroll that replaces it, so both may end elsewhere. */
  function endScroll(): void {
    [isOwn, isGliding] = [false, false];
    if (corrections === 0) return;
    corrections -= 1;
    settle();
  }

  function reveal(mayGlide: boolean): void {
    const target = find?.();
    if (!target || isGliding || isInView(target)) return;
    isOwn = true;
    isGliding = mayGlide && isNear(target) && !matchMedia('(prefers-reduced-motion: reduce)').matches;
    target.scrollIntoView({
      block: 'center',
      inline: 'center',
      behavior: isGliding ? 'smooth' : 'instant',
    });
    waitForQuiet();
  }

  const settle = () => reveal(false);

  /**
   * Stops holding when anything else scrolls, such as a scroll bar, a search in the page or a screen reader: the person
   * means it.
   */
  function noteScroll({ target }: Event): void {
    if (target !== document && target !== around) return;
    if (isOwn) waitForQuiet();
    else if (find && !isInView(find() ?? around)) release();
  }

  // This hears columns that scroll by themselves as well: an event of scrolling does not bubble.
  document.addEventListener('scroll', noteScroll, { capture: true, passive: true });
  for (const type of ['wheel', 'touchmove'])
    document.addEventListener(type, release, { capture: true, passive: true });
  for (const type of ['pointerdown', 'click'])
    document.addEventListener(type, ({ target }) => !steering.contains(target as Node) && release(), true);
  document.addEventListener('keydown', ({ key, target }) => {
    const isTyping = target instanceof Element && target.matches('input, textarea, select');
    if (/^Page/.test(key) || (!isTyping && /^(Home|End|Arrow)/.test(key))) release();
  });
  new ResizeObserver(settle).observe(around);
  window.addEventListener('resize', settle);
  return {
    hold(findTarget) {
      find = findTarget;
      isGliding = false;
      corrections = MOST_CORRECTIONS;
      reveal(true);
    },
    settle,
  };
}

/** Measures the free part of the screen, between what stands at its top and at its bottom. */
function freeScreen(): { top: number; bottom: number } {
  const padding = getComputedStyle(document.documentElement);
  return {
    top: Math.max(0, document.querySelector('.top')?.getBoundingClientRect().bottom ?? 0),
    bottom: window.innerHeight - (Number.parseFloat(padding.scrollPaddingBottom) || 0),
  };
}

function isInView(element: Element): boolean {
  const { top, bottom, left, right } = element.getBoundingClientRect();
  const free = freeScreen();
  const column = element.closest('.documents')?.getBoundingClientRect();
  const isInColumn = !column || (left >= column.left - 1 && right <= column.right + 1);
  return top >= free.top && bottom <= free.bottom && isInColumn;
}

function isNear(element: Element): boolean {
  const { top, bottom } = element.getBoundingClientRect();
  const far = window.innerHeight * GLIDE_SCREENS;
  return bottom > -far && top < window.innerHeight + far;
}
