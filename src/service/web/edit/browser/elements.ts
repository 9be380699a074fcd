// Makes elements of the page, icons of types and tools, and the shapes that tell recipients apart where colors do not.
type Attributes = Record<string, string | number | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

const SVG = 'http://www.w3.org/2000/svg';

export function drawing<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const node = document.createElementNS(SVG, name);
  setAttributes(node, attributes);
  node.append(...children);
  return node;
}

/** False and undefined remove an attribute. */
export function setAttributes(target: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes))
    if (value === undefined || value === false) target.removeAttribute(name);
    else target.setAttribute(name, value === true ? '' : `${value}`);
}

export function button(
  label: string,
  onPress: (event: MouseEvent) => void,
  attributes: Attributes = {},
): HTMLButtonElement {
  const node = element('button', { type: 'button', ...attributes }, label);
  node.addEventListener('click', onPress);
  return node;
}

/** The lines are drawn in a square from 0 to 16. */
const ICON_PATHS: Readonly<Record<string, string>> = {
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
    drawing('path', { d: ICON_PATHS[name] ?? '' }),
  );

/** Makes the words of a button, which a small screen hides beside an icon. */
export const wordsBesideIcon = (words: string): HTMLElement => element('span', { class: 'words' }, words);

/** The shapes are drawn in a square from 0 to 10. */
const SHAPE_PATHS = [
  'M5 0.5A4.5 4.5 0 1 1 4.99 0.5Z',
  'M1 1H9V9H1Z',
  'M5 0.5L9.5 9H0.5Z',
  'M5 0L10 5L5 10L0 5Z',
  'M3.5 0.5H6.5V3.5H9.5V6.5H6.5V9.5H3.5V6.5H0.5V3.5H3.5Z',
  'M5 0L6.5 3.4L10 3.8L7.4 6.2L8.1 9.8L5 8L1.9 9.8L2.6 6.2L0 3.8L3.5 3.4Z',
];

export const shapePath = (index: number): string => SHAPE_PATHS[index % SHAPE_PATHS.length]!;

export const shapeIcon = (index: number, color: string): SVGSVGElement =>
  drawing(
    'svg',
    { viewBox: '0 0 10 10', width: 12, height: 12, class: 'shape', 'aria-hidden': 'true' },
    drawing('path', { d: shapePath(index), fill: color }),
  );
