// Builds XML and HTML with a template that escapes every value. A report is opened in browsers and read by other programs, and nearly all of its
// text comes from files of strangers.

const MARKUP = Symbol('markup');

export type Markup = { readonly [MARKUP]: string };

export type MarkupValue = Markup | string | number | undefined | false | readonly MarkupValue[];

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** What XML 1.0 has no place for, also escaped: controls, halves of characters, and two numbers that stand for none. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const escaped = (text: string): string =>
  text.replaceAll(FORBIDDEN, '\ufffd').replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

/** In content and in quoted attributes; no value goes anywhere else. */
export const markup = (parts: TemplateStringsArray, ...values: MarkupValue[]): Markup => ({
  [MARKUP]: parts.reduce((before, part, index) => before + textOf(values[index - 1]) + part),
});

function textOf(value: MarkupValue): string {
  if (value === undefined || value === false) return '';
  if (typeof value === 'string') return escaped(value);
  if (typeof value === 'number') return String(value);
  if (MARKUP in value) return value[MARKUP];
  return value.map(textOf).join('');
}

export const markupText = (whole: Markup): string => whole[MARKUP];
