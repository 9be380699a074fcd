// Enlarges and reduces pages. The middle of the screen stays where it is, and browsers learn how wide pages are shown, so that
// they load the sharp picture.

export type Zoom = {
  /** The page calls this when more pages have come. */
  apply(): void;
  /**
   * Enlarges a page until a field of this width fits and the text around it can be read, unless the recipient has chosen
   * another size.
   */
  enlarge(page: SVGSVGElement, width: number): void;
};

const STEPS = [0.5, 0.75, 1, 1.25, 1.5, 2, 2.5, 3];
const FIT = 1;
/** At so many pixels for a point, usual text of 10 to 12 points is as large as small print. */
const READABLE = 1.05;
/** So many pixels are left free on both sides of a field. */
const MARGIN = 8;

export function startZoom(documents: HTMLElement): Zoom {
  const tools = document.querySelector<HTMLElement>('[data-zoom]');
  const button = (name: string) => tools?.querySelector<HTMLButtonElement>(`[data-zoom-${name}]`);
  const [smaller, fit, larger] = [button('out'), button('fit'), button('in')];
  const fitLabel = fit?.getAttribute('aria-label');
  let zoom = FIT;
  let isChosen = false;
  if (tools) tools.hidden = false;

  function apply(): void {
    documents.classList.toggle('zoomed', zoom !== FIT);
    documents.style.setProperty('--zoom', `${zoom}`);
    for (const picture of documents.querySelectorAll<HTMLImageElement>('.paper img'))
      setShownWidth(picture, zoom);
  }

  function show(next: number | undefined): void {
    if (next === undefined) return;
    const restore = holdMiddle(documents);
    zoom = next;
    apply();
    restore();
    tell();
  }

  const choose = (next: number | undefined) => {
    isChosen = true;
    show(next);
  };

  function enlarge(page: SVGSVGElement, width: number): void {
    if (isChosen) return;
    const scale = page.getBoundingClientRect().width / zoom / page.viewBox.baseVal.width;
    const most = (documents.clientWidth - 2 * MARGIN) / (scale * width);
    const steps = STEPS.filter((step) => step >= FIT && step <= most);
    const readable = steps.find((step) => step * scale >= READABLE) ?? steps.at(-1) ?? FIT;
    if (readable !== zoom) show(readable);
  }

  function tell(): void {
    const percent = new Intl.NumberFormat(document.documentElement.lang, { style: 'percent' }).format(zoom);
    if (fit) fit.textContent = percent;
    fit?.setAttribute('aria-label', `${fitLabel}: ${percent}`);
    for (const [button, end] of [
      [smaller, STEPS[0]],
      [larger, STEPS.at(-1)],
    ] as const)
      button?.setAttribute('aria-disabled', `${zoom === end}`);
  }

  smaller?.addEventListener('click', () => choose(STEPS.filter((step) => step < zoom).at(-1)));
  larger?.addEventListener('click', () => choose(STEPS.find((step) => step > zoom)));
  fit?.addEventListener('click', () => choose(FIT));
  tell();
  window.addEventListener('resize', () => zoom !== FIT && apply());
  return { apply: () => zoom !== FIT && apply(), enlarge };
}

/** Sets the width of a picture; the page came with the width that fits. */
function setShownWidth(picture: HTMLImageElement, zoom: number): void {
  picture.dataset.fits ??= picture.sizes;
  const sizes = zoom === FIT ? picture.dataset.fits : `${Math.ceil(picture.clientWidth)}px`;
  if (picture.sizes !== sizes) picture.sizes = sizes;
}

/** Remembers which point of which page is in the middle. @returns what brings it back there */
function holdMiddle(documents: HTMLElement): () => void {
  const column = documents.getBoundingClientRect();
  const middle = { x: column.left + documents.clientWidth / 2, y: window.innerHeight / 2 };
  const papers = [...documents.querySelectorAll<HTMLElement>('.paper')];
  const paper = papers.find((paper) => paper.getBoundingClientRect().bottom >= middle.y) ?? papers.at(-1);
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
