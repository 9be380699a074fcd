// Larger and smaller pages. What is in the middle of the screen stays there, and browsers are told how wide pages are shown, so that they
// load the picture that is sharp.

export type Zoom = {
  /** More pages have come. */
  apply(): void;
};

const STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3];
const FIT = 1;

export function startZoom(documents: HTMLElement): Zoom {
  const tools = document.querySelector<HTMLElement>('[data-zoom]');
  const button = (name: string) => tools?.querySelector<HTMLButtonElement>(`[data-zoom-${name}]`);
  const [smaller, fit, larger] = [button('out'), button('fit'), button('in')];
  const fitLabel = fit?.getAttribute('aria-label');
  let zoom = FIT;
  if (tools) tools.hidden = false;

  function apply(): void {
    documents.classList.toggle('zoomed', zoom !== FIT);
    documents.style.setProperty('--zoom', `${zoom}`);
    for (const picture of documents.querySelectorAll<HTMLImageElement>('.paper img'))
      tellWidth(picture, zoom);
  }

  function show(wanted: number | undefined): void {
    if (wanted === undefined) return;
    const restore = holdMiddle(documents);
    zoom = wanted;
    apply();
    restore();
    tell();
  }

  function tell(): void {
    const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' }).format(zoom);
    if (fit) fit.textContent = percent;
    fit?.setAttribute('aria-label', `${fitLabel}: ${percent}`);
    for (const [one, end] of [
      [smaller, STEPS[0]],
      [larger, STEPS.at(-1)],
    ] as const)
      one?.setAttribute('aria-disabled', `${zoom === end}`);
  }

  smaller?.addEventListener('click', () => show(STEPS.filter((step) => step < zoom).at(-1)));
  larger?.addEventListener('click', () => show(STEPS.find((step) => step > zoom)));
  fit?.addEventListener('click', () => show(FIT));
  tell();
  window.addEventListener('resize', () => zoom !== FIT && apply());
  return { apply: () => zoom !== FIT && apply() };
}

/** The page came with the width that fits. */
function tellWidth(picture: HTMLImageElement, zoom: number): void {
  picture.dataset.fits ??= picture.sizes;
  const sizes = zoom === FIT ? picture.dataset.fits : `${Math.ceil(picture.clientWidth)}px`;
  if (picture.sizes !== sizes) picture.sizes = sizes;
}

/** Remembers which point of which page is in the middle. @returns what brings it back there */
function holdMiddle(documents: HTMLElement): () => void {
  const column = documents.getBoundingClientRect();
  const middle = { x: column.left + documents.clientWidth / 2, y: window.innerHeight / 2 };
  const papers = [...documents.querySelectorAll<HTMLElement>('.paper')];
  const paper = papers.find((one) => one.getBoundingClientRect().bottom >= middle.y) ?? papers.at(-1);
  if (!paper) return () => undefined;
  const root = document.documentElement;
  // Browsers hold on to what is at the top of the screen; here it is the middle.
  root.style.setProperty('overflow-anchor', 'none');
  const before = paper.getBoundingClientRect();
  const [across, down] = [(middle.x - before.left) / before.width, (middle.y - before.top) / before.height];
  return () => {
    const after = paper.getBoundingClientRect();
    documents.scrollLeft += after.left + across * after.width - middle.x;
    window.scrollBy({ top: after.top + down * after.height - middle.y, behavior: 'instant' });
    requestAnimationFrame(() => requestAnimationFrame(() => root.style.removeProperty('overflow-anchor')));
  };
}
