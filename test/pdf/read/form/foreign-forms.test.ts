// Forms of real files are read as qpdf reads them: names, kinds, flags, values, options, limits and places. Values that poppler shows on
// turned and cropped pages are inside of the places that we find, and gone once these were emptied.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import type { AcroFormField, FormRead } from '../../../../src/pdf/read/form/form.ts';
import { readForm } from '../../../../src/pdf/read/form/read-form.ts';
import { inspectPdf } from '../../../../src/pdf/render/inspect.ts';
import { stampPdf } from '../../../../src/pdf/write/stamp-pdf.ts';
import { turnForm } from '../../../../src/placement/form-fields.ts';
import { field, formPdf, look, ref } from '../../../support/documents/form-pdf.ts';
import { expectSound, outputOf, textOf } from '../../../support/documents/stamped-pdf.ts';
import { SLOW } from '../../../support/tier.ts';
import { CORPUS, needsCommand, needsCorpus, unmet } from '../../../support/tools.ts';

const folder = join(CORPUS, 'py-pdf-sample-files');
const files = SLOW && existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.pdf')) : [];
const qpdf = needsCommand('qpdf');
const poppler = needsCommand('pdftotext');
const corpus = unmet(needsCorpus(), qpdf);

type QpdfField = {
  fullname: string;
  alternativename: string;
  fieldtype: string;
  fieldflags: number;
  value: string | null;
  choices: string[];
  object: string;
  annotation: { object: string };
};
type QpdfObject = { value?: Record<string, unknown> };
type Judged = { fields: QpdfField[]; objects: Record<string, QpdfObject> };

async function judge(pdf: Uint8Array): Promise<Judged> {
  const keys = ['--json-key=acroform', '--json-key=qpdf'];
  const stated = JSON.parse(await outputOf(pdf, 'qpdf', '--warning-exit-0', '--json', ...keys, 'FILE'));
  return { fields: stated.acroform.fields, objects: stated.qpdf[1] };
}

const TYPES: Record<AcroFormField['kind'], string> = {
  text: '/Tx',
  choice: '/Ch',
  signature: '/Sig',
  button: '/Btn',
  checkbox: '/Btn',
  radio: '/Btn',
  unknown: '',
};

/** qpdf writes texts as `u:…` and names as `/…`. */
const valuesToldOf = (stated: string | null): string[] => {
  const text = stated?.replace(/^u:|^\//, '') ?? '';
  return text === '' || stated === '/Off' ? [] : [text];
};

/** Flags by the positions of their bits, from 1. */
const has = (flags: number, bit: number): boolean => (flags & (1 << (bit - 1))) !== 0;

function flagsOf({ fieldflags, fieldtype }: QpdfField): string[] {
  const named: [string, number][] = [
    ['readonly', 1],
    ['required', 2],
  ];
  if (fieldtype === '/Tx') named.push(['multiline', 13], ['password', 14], ['comb', 25]);
  if (fieldtype === '/Ch') named.push(['editable', 19], ['multiple', 22]);
  return named.filter(([, bit]) => has(fieldflags, bit)).map(([name]) => name);
}

/** An entry of a field, or of the nearest field above it. */
function entryOf({ objects }: Judged, object: string, key: string): unknown {
  for (let at: unknown = object; typeof at === 'string'; ) {
    const entries: Record<string, unknown> = objects[`obj:${at}`]?.value ?? {};
    if (key in entries) return entries[key];
    at = entries['/Parent'];
  }
  return undefined;
}

/** Pairs of what is stored and what is shown. qpdf lists the choices of a field that has no pairs only. */
function optionsOf(judged: Judged, { object, choices }: QpdfField): string[][] {
  const options = (entryOf(judged, object, '/Opt') ?? []) as (string | string[])[];
  const pairs = options.map((item) => (Array.isArray(item) ? item : [item, item]));
  if (choices.length > 0) expect(choices).toEqual(pairs.map(([, text]) => text?.slice(2)));
  return pairs.map((pair) => pair.map((text) => text.slice(2)));
}

/** @returns how many widgets were compared */
function expectSame(read: FormRead, judged: Judged): number {
  if (judged.fields.length === 0) {
    expect(read).toEqual({ ok: false, reason: 'no_form' });
    return 0;
  }
  if (!read.ok) throw new Error(read.reason);
  const names = (fields: { name: string }[]) => [...new Set(fields.map(({ name }) => name))].sort();
  expect(names(read.fields)).toEqual(names(judged.fields.map(({ fullname }) => ({ name: fullname }))));
  for (const stated of judged.fields) {
    const result = read.fields.find(({ name }) => name === stated.fullname)!;
    expect(TYPES[result.kind]).toBe(stated.fieldtype);
    expect(result.tooltip ?? result.name).toBe(stated.alternativename);
    expect(result.values).toEqual(valuesToldOf(stated.value));
    expect(result.traits).toEqual(flagsOf(stated));
    if (result.kind === 'choice')
      expect(result.options.map(({ value, text }) => [value, text])).toEqual(optionsOf(judged, stated));
    expect(result.maxLength).toEqual(entryOf(judged, stated.object, '/MaxLen'));
    expect(result.widgets.map(({ box }) => corners(box))).toContainEqual(placeOf(judged, stated));
  }
  return judged.fields.length;
}

const tenths = (points: number): number => Math.round(points * 10) / 10;

const corners = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
  [x, y, x + width, y + height].map(tenths);

/** Computes the corners of a widget, of a page that is neither turned nor cropped, from its top left corner. */
function placeOf(judged: Judged, { annotation: { object } }: QpdfField): number[] {
  const widget = judged.objects[`obj:${object}`]?.value ?? {};
  const [x1, y1, x2, y2] = widget['/Rect'] as [number, number, number, number];
  const page = Object.values(judged.objects).find(
    ({ value }) => Array.isArray(value?.['/Annots']) && value['/Annots'].includes(object),
  )?.value;
  const media = (page?.['/MediaBox'] ?? [0, 0, 0, 0]) as [number, number, number, number];
  expect([media[0], media[1], page?.['/Rotate'] ?? 0]).toEqual([0, 0, 0]);
  return [x1, media[3] - y2, x2, media[3] - y1].map(tenths);
}

describe.skipIf(corpus.skip)(`forms of real files${corpus.why}`, () => {
  test('are as qpdf reads them', async () => {
    let compared = 0;
    for (const name of files) {
      const pdf = readFileSync(join(folder, name));
      if (!(await inspectPdf(pdf, { maxPages: 1000 })).ok) continue;
      compared += expectSame(await readForm(pdf), await judge(pdf));
    }
    expect(compared).toBeGreaterThanOrEqual(12);
  });
});

/** Two programs read what the pages show. */
async function textsOf(pdf: Uint8Array): Promise<string[]> {
  return [await textOf(pdf), await outputOf(pdf, 'mutool', 'draw', '-q', '-F', 'text', 'FILE')];
}

const viewers = unmet(needsCorpus(), poppler, needsCommand('mutool'));

describe.skipIf(viewers.skip)(`values of real forms${viewers.why}`, () => {
  test.each(['libreoffice-form.pdf', 'pdflatex-forms.pdf'])(
    'of %s are shown once by every viewer',
    async (name) => {
      const pdf = readFileSync(join(folder, name));
      const [details, read] = [await inspectPdf(pdf, { maxPages: 1000 }), await readForm(pdf)];
      if (!read.ok || !details.ok) throw new Error('The file cannot be read.');
      const { fields, emptied } = turnForm(read.fields, details.pages, { mayChange: true });
      const sent = await stampPdf(pdf, { fields: [], emptied });
      if (!sent.ok) throw new Error(sent.reason);
      const filled = fields.filter(({ type }) => type === 'text');
      for (const text of await textsOf(sent.pdf))
        for (const { properties } of filled.filter((item) => item.properties.value !== undefined))
          expect(text).not.toContain(String(properties.value));
      const values = filled.map(({ page, box, properties }, index) => ({
        ...{ page, ...box, type: 'text' as const, value: String(properties.value ?? `value${index}`) },
        ...{ label: '', font_family: 'Helvetica', font_size: 11, font_color: '#000000' },
        ...{ is_bold: false, is_italic: false, is_underline: false },
      }));
      expect(values.length).toBeGreaterThan(0);
      const sealed = await stampPdf(sent.pdf, { fields: values });
      if (!sealed.ok) throw new Error(sealed.reason);
      for (const text of await textsOf(sealed.pdf))
        for (const { value } of values) expect([value, text.split(value).length - 1]).toEqual([value, 1]);
      await expectSound(sealed.pdf);
    },
  );
});

const SIZE = { width: 100, height: 20 };
const NAMES = ['Northerholm', 'Easterholm', 'Southerholm'];
const objects = NAMES.flatMap((name, index) => [
  field(
    name,
    `${50 + 120 * (index % 2)} ${120 + 40 * index} ${150 + 120 * (index % 2)} ${140 + 40 * index}`,
    `/FT/Tx/Ff ${index === 1 ? 4098 : 0}/MaxLen ${20 + index}/TU(Town ${index})/V(${name})/AP<</N ${ref(2 * index + 1)}>>`,
  ),
  look(name, SIZE),
]);
const input = { objects, fields: [0, 2, 4], widgets: [4, 0, 2] };

const PAGES = [
  '/MediaBox[0 0 400 300]',
  '/MediaBox[0 0 400 300]/Rotate 90',
  '/MediaBox[0 0 400 300]/Rotate 180',
  '/MediaBox[0 0 400 300]/Rotate 270',
  '/MediaBox[0 0 400 300]/CropBox[40 90 390 280]',
  '/MediaBox[-20 -30 400 300]/CropBox[40 90 390 280]/Rotate 90',
];

test.skipIf(qpdf.skip)(`a form is as qpdf reads it${qpdf.why}`, async () => {
  const pdf = formPdf(input);
  expect(expectSame(await readForm(pdf), await judge(pdf))).toBe(3);
});

/** A form of another program, with a field of each kind, filled in. */
async function libraryForm(useObjectStreams: boolean): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const pages = [document.addPage([400, 300]), document.addPage([500, 600])];
  const form = document.getForm();
  const at = (index: number) => ({ x: 40, y: 20 + 30 * index, width: 120, height: 20 });
  const text = form.createTextField('person.name');
  text.setText('Ada Lovelace');
  text.setMaxLength(40);
  text.enableRequired();
  text.addToPage(pages[0]!, at(0));
  const note = form.createTextField('note');
  note.enableMultiline();
  note.setText('first\nsecond');
  note.addToPage(pages[0]!, { ...at(1), height: 60 });
  const terms = form.createCheckBox('terms');
  terms.addToPage(pages[0]!, { ...at(4), width: 12, height: 12 });
  terms.check();
  const radio = form.createRadioGroup('period');
  for (const [index, option] of ['Yearly', 'Monthly'].entries())
    radio.addOptionToPage(option, pages[1]!, { ...at(index), width: 12, height: 12 });
  radio.select('Monthly');
  const country = form.createDropdown('country');
  country.addOptions(['Germany', 'France', 'Österreich']);
  country.select('Österreich');
  country.addToPage(pages[1]!, at(3));
  const colors = form.createOptionList('colors');
  colors.addOptions(['red', 'green']);
  colors.select('green');
  colors.addToPage(pages[1]!, { ...at(5), height: 50 });
  return document.save({ useObjectStreams });
}

test.skipIf(qpdf.skip).each([false, true])(
  `a form of another program is as qpdf reads it, packed: %s${qpdf.why}`,
  async (isPacked) => {
    const pdf = await libraryForm(isPacked);
    expect(expectSame(await readForm(pdf), await judge(pdf))).toBe(7);
  },
);

describe.skipIf(poppler.skip)(`a form${poppler.why}`, () => {
  test.each(PAGES)('on a page with %s has each value inside of the place of its field', async (page) => {
    const pdf = formPdf({ ...input, page });
    const read = await readForm(pdf);
    if (!read.ok) throw new Error(read.reason);
    const words = await outputOf(pdf, 'pdftotext', '-bbox', '-cropbox', 'FILE', '-');
    for (const { name, widgets } of read.fields) {
      const [, left, top, right, bottom] =
        new RegExp(`xMin="(.*?)" yMin="(.*?)" xMax="(.*?)" yMax="(.*?)">${name}<`).exec(words) ?? [];
      const { x, y, width, height } = widgets[0]!.box;
      expect(Number(left)).toBeGreaterThan(x);
      expect(Number(right)).toBeLessThan(x + width);
      expect(Number(top)).toBeGreaterThan(y - 1);
      expect(Number(bottom)).toBeLessThan(y + height + 1);
    }
  });

  test('that was emptied shows the values of other fields only, once, and is no form any more', async () => {
    const pdf = formPdf(input);
    const stamped = await stampPdf(pdf, { fields: [], emptied: [{ page: 0, annotation: 1 }] });
    if (!stamped.ok) throw new Error(stamped.reason);
    const text = await textOf(stamped.pdf);
    expect(text.match(/\w+holm/g)?.sort()).toEqual(['Easterholm', 'Southerholm']);
    expect(await outputOf(stamped.pdf, 'pdfinfo', 'FILE')).toMatch(/Form: +none/);
    await expectSound(stamped.pdf);
  });
});
