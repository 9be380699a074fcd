// Draws a signature with a finger, a pen or the mouse. The canvas follows the size of the screen without losing a stroke, and
// returns the ink alone, black on transparent.
import SignaturePad, { type PointGroup } from 'signature_pad';

export type SignatureDrawing = {
  isEmpty(): boolean;
  clear(): void;
  /** A PNG that is cut to the ink. */
  picture(): Promise<Blob | null>;
};

const PEN = { penColor: '#000', minWidth: 0.9, maxWidth: 2.8 };
/** Pixels of the picture for one of the screen: it stays sharp on paper. */
const DENSITY = 3;
/** Around the ink. */
const MARGIN = 6;

export function startDrawing(canvas: HTMLCanvasElement): SignatureDrawing {
  const pad = new SignaturePad(canvas, PEN);
  let width = 0;

  function fit(): void {
    const { clientWidth, clientHeight } = canvas;
    const ratio = window.devicePixelRatio || 1;
    if (clientWidth === 0 || canvas.width === Math.round(clientWidth * ratio)) return;
    const strokes = resized(pad.toData(), width === 0 ? 1 : clientWidth / width);
    width = clientWidth;
    scaleTo(canvas, { width: clientWidth, height: clientHeight }, ratio);
    pad.fromData(strokes);
  }

  new ResizeObserver(fit).observe(canvas);
  return {
    isEmpty: () => pad.isEmpty(),
    clear: () => pad.clear(),
    picture: () => inkOf(pad.toData(), { width: canvas.clientWidth, height: canvas.clientHeight }),
  };
}

type Size = { width: number; height: number };

function scaleTo(canvas: HTMLCanvasElement, { width, height }: Size, ratio: number): void {
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.getContext('2d')?.scale(ratio, ratio);
}

const resized = (strokes: readonly PointGroup[], scale: number): PointGroup[] =>
  strokes.map((stroke) => ({
    ...stroke,
    minWidth: stroke.minWidth * scale,
    maxWidth: stroke.maxWidth * scale,
    points: stroke.points.map((point) => ({ ...point, x: point.x * scale, y: point.y * scale })),
  }));

async function inkOf(strokes: PointGroup[], size: Size): Promise<Blob | null> {
  const whole = document.createElement('canvas');
  scaleTo(whole, size, DENSITY);
  const pad = new SignaturePad(whole, PEN);
  pad.off();
  pad.fromData(strokes);
  const ink = boundsOf(whole);
  if (!ink) return null;
  const cut = document.createElement('canvas');
  [cut.width, cut.height] = [ink.width, ink.height];
  cut.getContext('2d')?.drawImage(whole, -ink.x, -ink.y);
  return new Promise((resolve) => cut.toBlob(resolve, 'image/png'));
}

function boundsOf(canvas: HTMLCanvasElement): DOMRect | undefined {
  const { width, height } = canvas;
  const pixels = canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? [];
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let index = 3; index < pixels.length; index += 4) {
    if (pixels[index] === 0) continue;
    const [x, y] = [((index - 3) / 4) % width, Math.floor((index - 3) / 4 / width)];
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [top, bottom] = [Math.min(top, y), Math.max(bottom, y)];
  }
  if (right < 0) return undefined;
  const [x, y] = [Math.max(0, left - MARGIN), Math.max(0, top - MARGIN)];
  return new DOMRect(
    x,
    y,
    Math.min(width, right + MARGIN + 1) - x,
    Math.min(height, bottom + MARGIN + 1) - y,
  );
}
