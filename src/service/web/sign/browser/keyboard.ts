// Keeps the bottom bar above the on-screen keyboard, which covers it in browsers that do not shrink the page.

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
