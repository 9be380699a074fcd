// Makes elements of the page.
type Attributes = Record<string, string | number | boolean | undefined>;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';

export function drawing<K extends keyof SVGElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Node[]
): SVGElementTagNameMap[K] {
  const made = document.createElementNS(SVG, name);
  setAttributes(made, attributes);
  made.append(...children);
  return made;
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
  const made = element('button', { type: 'button', ...attributes }, label);
  made.addEventListener('click', onPress);
  return made;
}
