// Tells what a shape without text is, and whether it can be seen: only what can be seen is missed where it is not drawn.
import type { LostKind } from './model.ts';
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
