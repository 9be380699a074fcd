// Draws the icons of the editor: types of fields and tools.
import { drawing, element } from './elements.ts';

/** Lines in a square from 0 to 16. */
const PATHS: Readonly<Record<string, string>> = {
  signature: 'M2 10c2-5 4-7 4.5-5.5S4.5 11 6 11s2-4 3.2-4 0 3.5 1.3 3.5S12 9 14 9M2 14h12',
  initials: 'M2.5 12L5.5 4l3 8M3.5 9.5h4M11 4v8M10 4h2M10 12h2',
  person_name: 'M8 7.5a2.7 2.7 0 1 0-.01 0ZM2.5 14c.6-3.5 2.600-5 5.5-5s4.900 1.5 5.5 5',
  email: 'M2 4h12v8.5H2ZM2 4.5l6 5 6-5',
  date: 'M2.5 3.5h11V14h-11ZM2.5 7h11M5.5 2v3M10.5 2v3',
  text: 'M3 5V3h10v2M8 3v10M6 13h4',
  number: 'M6 2.5L4.5 13.5M11.5 2.5L10 13.5M2.5 6h11.5M2 10h11.5',
  checkbox: 'M2.5 2.5h11v11h-11ZM5 8l2.2 2.5L11.5 5.5',
  select: 'M2 3.5h12v9H2ZM5.5 7l2.5 2.5L10.5 7',
  radio: 'M8 2.5a5.5 5.5 0 1 1-.01 0ZM8 6a2 2 0 1 1-.01 0Z',
  undo: 'M5.5 3L2.5 6l3 3M2.5 6H10a3.5 3.5 0 0 1 0 7H6',
  redo: 'M10.5 3l3 3-3 3M13.5 6H6a3.5 3.5 0 0 0 0 7h4',
};

export const icon = (name: string): SVGSVGElement =>
  drawing(
    'svg',
    { viewBox: '0 0 16 16', width: 16, height: 16, class: 'icon', 'aria-hidden': 'true' },
    drawing('path', { d: PATHS[name] ?? '' }),
  );

/** The words of a button, which a small screen hides beside an icon. */
export const wordsBesideIcon = (words: string): HTMLElement => element('span', { class: 'words' }, words);
