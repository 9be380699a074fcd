// Builds markup with a template that escapes every value: the only way text gets into a page. Markup made by another template
// stays as it is; a plain string is always escaped.

const MARKUP = Symbol('markup');

export type Html = { readonly [MARKUP]: string };

export type HtmlValue = Html | string | number | false | null | undefined | readonly HtmlValue[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '`': '&#96;',
};

const escaped = (text: string): string => text.replaceAll(/[&<>"'`]/g, (sign) => ENTITIES[sign] ?? sign);

/** Makes markup. Values may stand in element content and in quoted attributes, and nowhere else. */
export const html = (texts: TemplateStringsArray, ...values: HtmlValue[]): Html => ({
  [MARKUP]: texts.reduce((before, part, index) => before + markupOf(values[index - 1]) + part),
});

function markupOf(value: HtmlValue): string {
  if (value === undefined || value === null || value === false) return '';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  if (MARKUP in value) return value[MARKUP];
  return value.map(markupOf).join('');
}

export const markupText = (page: Html): string => page[MARKUP];

/** Marks text of this program itself, such as a style sheet, as markup. */
export const asIs = (text: string): Html => ({ [MARKUP]: text });
