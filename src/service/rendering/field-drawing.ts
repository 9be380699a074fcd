// Draws the values of fields on pages exactly as they are sealed, whatever fonts the browser has. Positions are in points of the page, as
// those of fields.
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { fieldPictures, type PictureShape } from '../../pdf/write/field-picture.ts';
import type { StampField } from '../../pdf/write/plan.ts';
import { type Html, html } from './html.ts';

/** `isSmall` means that the value had to be set smaller than can be read. */
export type FieldDrawing = { picture: Html; isSmall: boolean };

/** If the value is a picture, it is at the address. Only the size of a value that is not shown is computed. */
type FieldToDraw = { field: StampField; inkAddress: string; isShown: boolean };

/** Draws fields one after the other, so that other requests are answered meanwhile. */
export async function drawFields(fields: readonly FieldToDraw[]): Promise<FieldDrawing[]> {
  const pictureOf = fieldPictures();
  const drawings: FieldDrawing[] = [];
  for (const { field, inkAddress, isShown } of fields) {
    await yieldToEventLoop();
    const { shapes, isSmall } = pictureOf(field, isShown);
    drawings.push({ picture: html`${shapes.map((shape) => drawn(shape, inkAddress))}`, isSmall });
  }
  return drawings;
}

function drawn(shape: PictureShape, inkAddress: string): Html {
  switch (shape.kind) {
    case 'outline':
      return html`<path transform="matrix(${shape.matrix.map(precise).join(' ')})" d="${shape.path}" fill="#${shape.color}"/>`;
    case 'box':
      return html`<rect ${boxOf(shape.box)} fill="#${shape.color}"/>`;
    case 'stroke':
      return html`<path d="M${shape.points.map(({ x, y }) => `${n(x)} ${n(y)}`).join('L')}" fill="none" stroke="#${shape.pen.color}" stroke-width="${n(shape.pen.width)}" stroke-linecap="round" stroke-linejoin="round"/>`;
    case 'ring':
      return html`<circle ${circleOf(shape.circle)} fill="none" stroke="#${shape.pen.color}" stroke-width="${n(shape.pen.width)}"/>`;
    case 'disc':
      return html`<circle ${circleOf(shape.circle)} fill="#${shape.color}"/>`;
    case 'ink':
      return html`<image href="${inkAddress}" ${boxOf(shape.box)} preserveAspectRatio="none"/>`;
  }
}

const boxOf = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }): Html =>
  html`x="${n(x)}" y="${n(y)}" width="${n(width)}" height="${n(height)}"`;

const circleOf = ({ x, y, radius }: { x: number; y: number; radius: number }): Html =>
  html`cx="${n(x)}" cy="${n(y)}" r="${n(radius)}"`;

/** Writes a number with as many digits as the sealed page has. */
const n = (value: number): string => `${Math.round(value * 100) / 100}`;
const precise = (value: number): string => `${Math.round(value * 1e8) / 1e8}`;
