// Names the places of whole numbers, which readers understand differently when they are written as `2.0`.

import type { Value } from './values.ts';

/** What hides or turns something, or says how long it is. */
export const WHOLE_NUMBERS = new Set([
  'F',
  'Ff',
  'Rotate',
  'Length',
  'N',
  'First',
  'Count',
  'Predictor',
  'Columns',
  'Colors',
  'K',
  'Width',
  'Height',
  'BitsPerComponent',
  'BitsPerCoordinate',
  'BitsPerFlag',
  'BitsPerSample',
  'Differences',
  'EarlyChange',
  'FirstChar',
  'Flags',
  'FormType',
  'FunctionType',
  'LastChar',
  'Mask',
  'MaxLen',
  'Order',
  'PaintType',
  'PatternType',
  'Q',
  'Rows',
  'ShadingType',
  'Size',
  'SMaskInData',
  'Supplement',
  'TilingType',
  'WMode',
]);

/** How a destination shows its page (ISO 32000-2, table 149), with coordinates. */
const FIT = /^(?:XYZ|Fit)/;

/** Whether whole numbers in an array beside names count or name something, such as the colors of an index. */
export const isCounted = (items: readonly Value[]): boolean =>
  items.some((item) => typeof item === 'string') && !FIT.test(String(items[1]));
