// Classifies a shape without text: its kind, whether it can be drawn, and whether it is visible, because only a visible shape that is not drawn is reported.
import { color, emus } from './measures.ts';
import type { Frame, LostKind, PlainShape } from './model.ts';
import { childOf, descend, type Element, val } from './xml.ts';

/** Those of VML that draw something. */
export const VML_SHAPES: Record<string, LostKind> = {
  'v:line': 'line',
  'v:polyline': 'line',
  'v:curve': 'line',
  'v:arc': 'line',
  'v:rect': 'shape',
  'v:roundrect': 'shape',
  'v:oval': 'shape',
  'v:shape': 'shape',
};

const LINES = /^(line|lineInv|(straight|bent|curved)Connector\d?)$/;

/** @param shape a `wps:wsp` */
export function kindOfShape(shape: Element): LostKind {
  const form = val(descend(shape, 'wps:spPr', 'a:prstGeom'), 'prst') ?? '';
  return LINES.test(form) ? 'line' : 'shape';
}

/** @param shape a `wps:wsp`, or one of VML */
export function isVisibleShape(shape: Element): boolean {
  if (shape.name.startsWith('v:')) return !(isOff(val(shape, 'stroked')) && isOff(val(shape, 'filled')));
  const properties = childOf(shape, 'wps:spPr');
  const isFilled = childOf(properties, 'a:noFill') === undefined;
  const line = childOf(properties, 'a:ln');
  return isFilled || line === undefined || childOf(line, 'a:noFill') === undefined;
}

const isOff = (value: string | undefined): boolean => value === 'f' || value === 'false' || value === '0';

const FORMS: Record<string, PlainShape['form']> = { line: 'line', straightConnector1: 'line', rect: 'box' };
const POINTS_OF_LINE = 0.75;
const WIDEST = 12;

/**
 * A straight line or an empty box as it is drawn; undefined for every other shape. What is filled is not drawn, because it could cover text.
 * @param shape a `wps:wsp`
 */
export function plainShape(shape: Element, frame: Frame): PlainShape | undefined {
  const properties = childOf(shape, 'wps:spPr');
  const transform = childOf(properties, 'a:xfrm');
  const form = FORMS[val(childOf(properties, 'a:prstGeom'), 'prst') ?? ''];
  const isTurned = (val(transform, 'rot') ?? '0') !== '0';
  const isFilled = form === 'box' && childOf(properties, 'a:noFill') === undefined;
  if (!form || isTurned || isFilled) return undefined;
  const line = childOf(properties, 'a:ln');
  return {
    form,
    frame,
    width: Math.min(WIDEST, Math.max(0.25, emus(val(line, 'w')) ?? POINTS_OF_LINE)),
    color: color(val(descend(line, 'a:solidFill', 'a:srgbClr'), 'val')) ?? '000000',
    isRising: isFlipped(transform, 'flipH') !== isFlipped(transform, 'flipV'),
  };
}

const isFlipped = (transform: Element | undefined, how: string): boolean =>
  /^(1|true)$/.test(val(transform, how) ?? '');
