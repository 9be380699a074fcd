// The form of a document is read as the standard says: names, inherited entries, values, options, places, and what is wrong with it.
import { PDFDocument } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { FORM_LIMITS } from '../../../../src/pdf/limits.ts';
import type { AcroFormField } from '../../../../src/pdf/read/form/form.ts';
import { readForm } from '../../../../src/pdf/read/form/read-form.ts';
import { type FormPdf, field, formPdf, ref, widget } from '../../../support/documents/form-pdf.ts';
import { SLOW } from '../../../support/tier.ts';

async function fieldsOf(input: FormPdf): Promise<AcroFormField[]> {
  const read = await readForm(formPdf(input));
  if (!read.ok) throw new Error(read.reason);
  return read.fields;
}

async function onlyField(...objects: string[]): Promise<AcroFormField> {
  const [first, second] = await fieldsOf({ objects, fields: [0], widgets: [0] });
  expect(second).toBeUndefined();
  return first!;
}

const PLACE = '50 200 150 220';

describe('a text', () => {
  test('has name, tooltip, value, longest length, size of its font and its place from the top left corner', async () => {
    const result = await onlyField(
      field('City', PLACE, '/FT/Tx/TU(Your city)/V(Berlin)/MaxLen 20/DA(/F 9.5 Tf)'),
    );
    expect(result).toMatchObject({
      name: 'City',
      tooltip: 'Your city',
      kind: 'text',
      values: ['Berlin'],
      maxLength: 20,
      fontSize: 9.5,
      widgets: [{ page: 0, annotation: 0, box: { x: 50, y: 80, width: 100, height: 20 }, isHidden: false }],
    });
  });

  test('has a value in Unicode, or in a stream', async () => {
    const greek = await onlyField(field('a', PLACE, '/FT/Tx/V<FEFF03B103B2>'));
    expect(greek.values).toEqual(['αβ']);
    const long = await onlyField(
      field('a', PLACE, `/FT/Tx/V ${ref(1)}`),
      '<</Length 11>>\nstream\nfirst\rsecon\nendstream',
    );
    expect(long.values).toEqual(['first\nsecon']);
  });

  test('has characters that only the encoding of documents has', async () => {
    expect((await onlyField(field('a', PLACE, '/FT/Tx/V(\\204 \\240 \\200 \\344)'))).values).toEqual([
      '— € • ä',
    ]);
  });

  test('has no value where it is empty', async () => {
    expect((await onlyField(field('a', PLACE, '/FT/Tx/V()'))).values).toEqual([]);
  });

  test.each([
    ['/Ff 1', ['readonly']],
    ['/Ff 2', ['required']],
    ['/Ff 4096', ['multiline']],
    ['/Ff 8192', ['password']],
    ['/Ff 1048576', ['file']],
    ['/Ff 16777216', ['comb']],
    ['/Ff 33554432', ['rich']],
    ['/Ff 3', ['readonly', 'required']],
  ])('with %s has its traits', async (flags, traits) => {
    expect((await onlyField(field('a', PLACE, `/FT/Tx${flags}`))).traits).toEqual(traits);
  });

  test.each([
    ['/Q 1', ['aligned']],
    ['/Q 2', ['aligned']],
    ['/Q 0', []],
    ['/A<</S/ResetForm>>', ['acting']],
  ])('with %s has traits of its own', async (entries, traits) => {
    expect((await onlyField(field('a', PLACE, `/FT/Tx${entries}`))).traits).toEqual(traits);
  });

  test.each([
    ['1 0 0 rg /F 9 Tf', '#ff0000'],
    ['/F 9 Tf .5 g', '#808080'],
    ['/F 9 Tf 0 1 1 0 k', '#ff0000'],
    ['/F 9 Tf 0 g', undefined],
    ['/F 9 Tf', undefined],
  ])('with the look %s has its color', async (text, color) => {
    expect(await onlyField(field('a', PLACE, `/FT/Tx/DA(${text})`))).toMatchObject({ fontSize: 9 });
    expect((await onlyField(field('a', PLACE, `/FT/Tx/DA(${text})`))).fontColor).toBe(color);
  });

  test('takes an automatic size of its font from the form as none', async () => {
    expect((await onlyField(field('a', PLACE, '/FT/Tx'))).fontSize).toBeUndefined();
  });
});

describe('scripts', () => {
  const withScript = (key: string, script: string) =>
    onlyField(field('a', PLACE, `/FT/Tx/AA<</${key}<</S/JavaScript/JS(${script})>>>>`));

  test('of dates and numbers are recognized', async () => {
    expect(await withScript('F', 'AFDate_FormatEx\\("dd.mm.yyyy"\\);')).toMatchObject({
      format: { kind: 'date', pattern: 'dd.mm.yyyy' },
      traits: [],
    });
    expect((await withScript('K', 'AFDate_Keystroke\\(2\\)')).format).toEqual({
      kind: 'date',
      pattern: 'mm/dd/yy',
    });
    expect((await withScript('F', 'AFNumber_Format\\(2, 0, 0, 0, "", true\\)')).format).toEqual({
      kind: 'number',
    });
    expect((await withScript('V', 'AFRange_Validate\\(true, 1, true, 99.5\\)')).range).toEqual({
      min: 1,
      max: 99.5,
    });
  });

  test.each([
    ['F', 'event.value = 1', 'formatted'],
    ['K', 'AFSpecial_Keystroke\\(2\\)', 'formatted'],
    ['V', 'event.rc = false', 'validated'],
    ['C', 'AFSimple_Calculate\\("SUM"\\)', 'calculated'],
    ['Fo', 'app.beep\\(\\)', 'acting'],
  ])('at %s that are not understood are a trait', async (key, script, trait) => {
    expect((await withScript(key, script)).traits).toEqual([trait]);
  });
});

describe('buttons', () => {
  const states = (...names: string[]) => `/AP<</N<<${names.map((name) => `/${name} null`).join('')}>>>>`;

  test('are push buttons, check boxes or radio buttons by their flags', async () => {
    expect((await onlyField(field('a', PLACE, '/FT/Btn/Ff 65536'))).kind).toBe('button');
    expect((await onlyField(field('a', PLACE, '/FT/Btn'))).kind).toBe('checkbox');
    expect((await onlyField(field('a', PLACE, '/FT/Btn/Ff 32768'))).kind).toBe('radio');
  });

  test('are on where the value names their state, whatever they show', async () => {
    const appearance = states('Ja', 'Off');
    expect((await onlyField(field('a', PLACE, `/FT/Btn/V/Ja/AS/Off${appearance}`))).values).toEqual(['Ja']);
    expect((await onlyField(field('a', PLACE, `/FT/Btn/V/Off/AS/Ja${appearance}`))).values).toEqual([]);
    expect((await onlyField(field('a', PLACE, `/FT/Btn/AS/Ja${appearance}`))).values).toEqual(['Ja']);
  });

  test('of a group are one field with an option for each state', async () => {
    const [result, ...others] = await fieldsOf({
      objects: [
        `<</FT/Btn/Ff 32768/T(Choice)/V/two/Kids[${ref(1)} ${ref(2)} ${ref(3)}]>>`,
        widget('10 10 20 20', `/Parent ${ref(0)}${states('one', 'Off')}`),
        widget('30 10 40 20', `/Parent ${ref(0)}${states('two', 'Off')}`),
        widget('50 10 60 20', `/Parent ${ref(0)}${states('two', 'Off')}`),
      ],
      fields: [0],
      widgets: [1, 2, 3],
    });
    expect(others).toEqual([]);
    expect(result).toMatchObject({ name: 'Choice', kind: 'radio', values: ['two'] });
    expect(result?.options).toEqual([
      { value: 'one', text: 'one' },
      { value: 'two', text: 'two' },
    ]);
    expect(result?.widgets.map(({ state }) => state)).toEqual(['one', 'two', 'two']);
  });

  test('whose states are numbers have the texts that the field lists', async () => {
    const result = await onlyField(field('a', PLACE, `/FT/Btn/Ff 32768/Opt[(Red)(Green)]${states('1')}`));
    expect(result.options).toEqual([{ value: '1', text: 'Green' }]);
  });

  test('have states in UTF-8', async () => {
    expect((await onlyField(field('a', PLACE, `/FT/Btn${states('gr#C3#BCn')}`))).widgets[0]?.state).toBe(
      'grün',
    );
  });
});

describe('a choice', () => {
  test('has its options with what is stored for each, and its value', async () => {
    const result = await onlyField(
      field('a', PLACE, '/FT/Ch/Ff 131072/V(de)/Opt[[(de)(Germany)][(fr)(France)](Other)]'),
    );
    expect(result).toMatchObject({ kind: 'choice', traits: [], values: ['de'] });
    expect(result.options).toEqual([
      { value: 'de', text: 'Germany' },
      { value: 'fr', text: 'France' },
      { value: 'Other', text: 'Other' },
    ]);
  });

  test('has several values, and takes other texts', async () => {
    const result = await onlyField(field('a', PLACE, '/FT/Ch/Ff 2359296/V[(x)(y)]/Opt[(x)(y)]'));
    expect(result).toMatchObject({ traits: ['editable', 'multiple'], values: ['x', 'y'] });
  });
});

describe('a field', () => {
  test('has the names of all fields above it, and inherits from them', async () => {
    const [result] = await fieldsOf({
      objects: [
        `<</T(form)/FT/Tx/MaxLen 7/Ff 2/Kids[${ref(1)}]>>`,
        `<</T(person)/Parent ${ref(0)}/V(Ada)/Kids[${ref(2)}]>>`,
        field('name', PLACE, `/Parent ${ref(1)}`),
      ],
      fields: [0],
      widgets: [2],
    });
    expect(result).toMatchObject({
      name: 'form.person.name',
      maxLength: 7,
      traits: ['required'],
      values: ['Ada'],
    });
  });

  test('that only a page names is read all the same', async () => {
    const [result] = await fieldsOf({ objects: [field('lost', PLACE, '/FT/Tx/V(x)')], fields: [] });
    expect(result).toMatchObject({ name: 'lost', values: ['x'] });
  });

  test('with the name and type of another is the same field', async () => {
    const result = await fieldsOf({
      objects: [field('a', PLACE, '/FT/Tx'), field('a', '1 1 9 9', '/FT/Tx')],
    });
    expect(result.map(({ widgets }) => widgets.length)).toEqual([2]);
  });

  test('that stands on no page has no place', async () => {
    const [shown, data] = await fieldsOf({
      objects: ['<</FT/Tx/T(data)>>', field('a', PLACE, '/FT/Tx')],
      widgets: [1],
    });
    expect(shown?.name).toBe('a');
    expect(data).toMatchObject({ name: 'data', widgets: [] });
  });

  test.each([
    ['a flag says so', '/F 2', PLACE],
    ['it is for printing only', '/F 36', PLACE],
    ['it has no area', '/F 4', '50 200 50 220'],
  ])('is hidden where %s', async (_, flags, rect) => {
    const result = await onlyField(`<</Subtype/Widget${flags}/T(a)/FT/Tx/Rect[${rect}]>>`);
    expect(result.widgets[0]?.isHidden).toBe(true);
  });

  test.each([
    ['turned', '/MediaBox[0 0 400 300]/Rotate 90', { x: 200, y: 50, width: 20, height: 100 }],
    ['cropped', '/MediaBox[0 0 400 300]/CropBox[40 100 400 290]', { x: 10, y: 70, width: 100, height: 20 }],
    [
      'measured in a unit of its own',
      '/MediaBox[0 0 400 300]/UserUnit 2',
      { x: 100, y: 160, width: 200, height: 40 },
    ],
    ['from another corner', '/MediaBox[-100 -50 300 250]', { x: 150, y: 30, width: 100, height: 20 }],
  ])('on a page that is %s is where a reader shows it', async (_, page, box) => {
    const [result] = await fieldsOf({ objects: [field('a', PLACE, '/FT/Tx')], page });
    expect(result?.widgets[0]?.box).toEqual(box);
  });
});

describe('the form', () => {
  test('is signed where a signature field has a signature', async () => {
    const read = (value: string) => readForm(formPdf({ objects: [field('s', PLACE, `/FT/Sig${value}`)] }));
    expect(await read('')).toMatchObject({
      ok: true,
      isSigned: false,
      fields: [{ kind: 'signature', traits: [] }],
    });
    expect(await read('/V<</Type/Sig/Filter/X>>')).toMatchObject({
      isSigned: true,
      fields: [{ traits: ['signed'] }],
    });
  });

  test('is missing in a document without one, and where it has no fields', async () => {
    const document = await PDFDocument.create();
    document.addPage();
    expect(await readForm(await document.save())).toEqual({ ok: false, reason: 'no_form' });
    expect(await readForm(formPdf({ objects: [] }))).toEqual({ ok: false, reason: 'no_form' });
  });

  test('is dynamic where its fields are in XFA alone', async () => {
    const xfa = { objects: ['<</Length 6>>\nstream\n<xdp/>\nendstream'], fields: [], widgets: [] };
    expect(await readForm(formPdf({ ...xfa, form: `/XFA ${ref(0)}` }))).toEqual({
      ok: false,
      reason: 'dynamic',
    });
  });

  test('with fields that contain each other is read to an end', async () => {
    const result = await fieldsOf({
      objects: [
        `<</T(a)/FT/Tx/Parent ${ref(1)}/Kids[${ref(1)}]>>`,
        `<</T(b)/Parent ${ref(0)}/Kids[${ref(0)} ${ref(2)}]>>`,
        widget(PLACE, `/Parent ${ref(1)}`),
      ],
      fields: [0],
      widgets: [2],
    });
    expect(result.map(({ kind }) => kind)).toContain('text');
  });

  test.skipIf(!SLOW)('with more fields than are read is too large', async () => {
    const objects = Array.from({ length: FORM_LIMITS.fields + 1 }, (_, index) => `<</FT/Tx/T(${index})>>`);
    expect(await readForm(formPdf({ objects, widgets: [] }))).toEqual({ ok: false, reason: 'too_large' });
  });

  test.skipIf(!SLOW)('with more places than are read is too large', async () => {
    const widgets = Array.from({ length: FORM_LIMITS.places + 1 }, () => 0);
    expect(await readForm(formPdf({ objects: [field('a', PLACE, '/FT/Tx')], widgets }))).toEqual({
      ok: false,
      reason: 'too_large',
    });
  });

  test('with more text than is read is too large, and one text is cut', async () => {
    const long = 'x'.repeat(FORM_LIMITS.textBytes + 1);
    const count = Math.ceil(FORM_LIMITS.characters / FORM_LIMITS.textBytes);
    const fieldsWith = (most: number) =>
      formPdf({
        objects: [
          `(${long})`,
          ...Array.from({ length: most }, (_, index) => `<</FT/Tx/T(${index})/TU ${ref(0)}>>`),
        ],
        fields: Array.from({ length: most }, (_, index) => index + 1),
        widgets: [],
      });
    expect(await readForm(fieldsWith(count))).toEqual({ ok: false, reason: 'too_large' });
    const read = await readForm(fieldsWith(1));
    expect(read.ok && read.fields[0]?.tooltip?.length).toBe(FORM_LIMITS.textBytes);
  });

  test('with more options than a field may have has the first of them', async () => {
    const options = Array.from({ length: FORM_LIMITS.options + 1 }, (_, index) => `(${index})`);
    const result = await onlyField(field('a', PLACE, `/FT/Ch/Opt[${options.join('')}]`));
    expect(result.options).toHaveLength(FORM_LIMITS.options);
  });

  test('with names that are too long keeps fields with the same beginning apart', async () => {
    const long = 'x'.repeat(FORM_LIMITS.nameBytes);
    const result = await fieldsOf({
      objects: [field(`${long}1`, PLACE, '/FT/Tx'), field(`${long}2`, PLACE, '/FT/Tx')],
    });
    expect(result).toHaveLength(2);
  });

  test('of an encrypted file is read', async () => {
    const document = await PDFDocument.load(formPdf({ objects: [field('a', PLACE, '/FT/Tx/V(Berlin)')] }));
    document.encrypt({ ownerPassword: 'owner', userPassword: '' });
    expect(await readForm(await document.save())).toMatchObject({
      fields: [{ name: 'a', values: ['Berlin'] }],
    });
  });

  test('with a field that is its own child is read to an end', async () => {
    const result = await fieldsOf({
      objects: [field('a', PLACE, `/FT/Tx/Parent ${ref(0)}/Kids[${ref(0)}]`)],
    });
    expect(result.length).toBeGreaterThan(0);
  });
});
