// Tags of two dialects, which their separators tell apart: every key is honoured, or refused by name.
import { describe, expect, test } from 'vitest';
import { readTag } from '../../../src/placement/tags/read-tag.ts';

const documenso = (type: string, properties: object, number = 1) => ({
  ...{ kind: 'tag', dialect: 'documenso', type, holder: { number } },
  properties,
});

const docuseal = (type: string, properties: object, more: object = {}) => ({
  ...{ kind: 'tag', dialect: 'docuseal', type, holder: undefined },
  properties,
  ...more,
});

describe('the dialect of documenso', () => {
  test.each([
    ['signature', 'signature'],
    ['initials', 'initials'],
    ['name', 'person_name'],
    ['email', 'email'],
    ['date', 'date'],
    ['text', 'text'],
    ['number', 'number'],
    ['radio', 'radio'],
    ['checkbox', 'checkbox'],
    ['dropdown', 'select'],
  ])('%s is the type %s, in small and large letters', (word, type) => {
    expect(readTag(`{{${word}, r1}}`)).toEqual(documenso(type, {}));
    expect(readTag(`{{ ${word.toUpperCase()},R12 }}`)).toEqual(documenso(type, {}, 12));
  });

  test.each([
    ['signature, r1, required=false', 'signature', { is_required: false }],
    ['signature, required=TRUE, r1', 'signature', { is_required: true }],
    ['text, r1, readOnly=true, text=x', 'text', { readonly: true, value: 'x' }],
    ['text, r1, fontSize=14', 'text', { font_size: 14 }],
    ['text, r1, textAlign=left', 'text', {}],
    ['text, r1, label=First name', 'text', { label: 'First name' }],
    ['text, r1, placeholder=As in the passport', 'text', { helper_text: 'As in the passport' }],
    ['text, r1, text=Ada', 'text', { value: 'Ada' }],
    ['number, r1, value=12', 'number', { value: '12' }],
    ['text, r1, characterLimit=30', 'text', { max_length: 30 }],
    ['number, r1, minValue=-1.5, maxValue=8', 'number', { min_value: -1.5, max_value: 8 }],
    ['radio, r1, options=A|B', 'radio', { options: ['A', 'B'] }],
    ['radio, r1, options=A|B, selected=B', 'radio', { options: ['A', 'B'], value: 'B' }],
    ['radio, r1, options=A|B, direction=vertical', 'radio', { options: ['A', 'B'] }],
    ['dropdown, r1, options=One way|Two ways', 'select', { options: ['One way', 'Two ways'] }],
    ['checkbox, r1, checked=true', 'checkbox', { value: true }],
    ['checkbox, r1, options=I agree, checked=I agree', 'checkbox', { label: 'I agree', value: true }],
    ['checkbox, r1, options=I agree, label=Terms', 'checkbox', { label: 'Terms' }],
    ['text, r1,', 'text', {}],
  ])('%s', (text, type, properties) => {
    expect(readTag(`{{${text}}}`)).toEqual(documenso(type, properties));
  });

  test('a backslash takes the next character as it is', () => {
    const text = String.raw`{{radio, r1, label=a\, b\=c \\ \}\}, options=x\|y|z}}`;
    expect(readTag(text)).toEqual(
      documenso('radio', { label: String.raw`a, b=c \ }}`, options: ['x|y', 'z'] }),
    );
  });

  test('an equals sign in a value belongs to it', () => {
    expect(readTag('{{text, r1, text=a=b}}')).toEqual(documenso('text', { value: 'a=b' }));
  });

  test('a line end is a space in text, and nothing in a name', () => {
    expect(readTag('{{te\nxt, r\n1, requ\nired=fal\nse, label=First\nname}}')).toEqual(
      documenso('text', { is_required: false, label: 'First name' }),
    );
  });

  test.each(['{{signature}}', '{{signature, required=true}}', '{{text, label=r1}}', '{{signature, r0}}'])(
    '%s has no number of a recipient, and is left to that service',
    (text) => {
      expect(readTag(text)).toEqual({ kind: 'other' });
    },
  );

  test.each([
    ['sgnature, r1', 'has the type "sgnature", which is none of signature, initials,'],
    ['text, r1, textAlign=center', 'has "textAlign=center", which cannot be honoured'],
    ['number, r1, numberFormat=123.456', 'has "numberFormat=123.456", which cannot be honoured'],
    ['radio, r1, options=A|B, direction=horizontal', 'has "direction=horizontal", which cannot be honoured'],
    ['text, r1, colour=red', 'has "colour", which is unknown'],
    ['text, r1, bold', 'has "bold", which is unknown'],
    ['text, r1, required', 'has "required" without a value'],
    ['text, r1, required=maybe', 'has "required=maybe", which is neither true nor false'],
    ['text, r1, fontSize=large', 'has "fontSize=large", which is not a whole number'],
    ['number, r1, minValue=x', 'has "minValue=x", which is not a number'],
    ['text, r1, options=A|B', 'has "options", which a field of its type cannot have'],
    ['date, r1, text=x', 'has "text", which a field of its type cannot have'],
    ['radio, r1, options=A||B', 'has "options=A||B", which has an empty option'],
    ['checkbox, r1, options=A|B', 'has 2 options, and a checkbox can have one'],
    ['checkbox, r1, options=A, checked=B', 'has "checked=B", which is none of its options'],
    ['text, r1, r2', 'names a second recipient, "r2"'],
    ['text, r1, label=A, Label=B', 'has "Label" twice'],
    ['dropdown, r1, options=A|B, selected=C', 'has the value "C", which is none of its options'],
    ['text, r1, readOnly=true', 'is read-only, but has no value'],
    ['number, r1, minValue=5, maxValue=2', 'has the least value 5 above the greatest 2'],
  ])('%s is refused', (text, problem) => {
    const read = readTag(`{{${text}}}`);
    expect(read).toMatchObject({ kind: 'refused' });
    expect((read as { problem: string }).problem).toContain(problem);
  });
});

describe('the dialect of docuseal', () => {
  test.each(['text', 'signature', 'initials', 'date', 'number', 'checkbox', 'radio', 'select'])(
    'type=%s',
    (type) => {
      expect(readTag(`{{Name;type=${type}}}`)).toEqual(docuseal(type, { label: 'Name' }));
    },
  );

  test.each<[string, string, object, object?]>([
    ['A;role=Customer', 'text', { label: 'A' }, { holder: { role: 'Customer' } }],
    ['A;role=First\nParty', 'text', { label: 'A' }, { holder: { role: 'First Party' } }],
    ['A;type=text;required=false', 'text', { label: 'A', is_required: false }],
    ['A;default=Ada', 'text', { label: 'A', value: 'Ada' }],
    ['A;type=checkbox;default=true', 'checkbox', { label: 'A', value: true }],
    ['A;readonly=true;default=Ada', 'text', { label: 'A', readonly: true, value: 'Ada' }],
    ['A;title=Full name', 'text', { label: 'Full name' }],
    ['A;description=As in the passport', 'text', { label: 'A', helper_text: 'As in the passport' }],
    ['A;type=radio;options=Red,Green', 'radio', { label: 'A', options: ['Red', 'Green'] }],
    ['A;options=Red,Green;type=select', 'select', { label: 'A', options: ['Red', 'Green'] }],
    ['A;width=200;height=20', 'text', { label: 'A' }, { width: 150, height: 15 }],
    ['A;min=1;max=9;type=number', 'number', { label: 'A', min_value: 1, max_value: 9 }],
    ['A;font=Courier;font_size=9', 'text', { label: 'A', font_family: 'Courier', font_size: 9 }],
    ['A;align=left;valign=center;hidden=false;mask=false', 'text', { label: 'A' }],
    ['A;format=DD/MM/YYYY;type=date', 'date', { label: 'A', date_format: 'DD/MM/YYYY' }],
    ['A;type=datenow', 'date', { label: 'A', value: 'today', readonly: true }],
    [
      'readonly=true;type=datenow;format=DD/MM/YYYY',
      'date',
      { value: 'today', readonly: true, date_format: 'DD/MM/YYYY' },
    ],
    ['type=date;role=B', 'date', {}, { holder: { role: 'B' } }],
    [';type=date;', 'date', {}],
  ])('%s', (text, type, properties, more) => {
    expect(readTag(`{{${text}}}`)).toEqual(docuseal(type, properties, more));
  });

  test.each([
    '{{Name}}',
    '{{Name;}}',
    '{{t:s;r:y;o:"CEO";}}',
    '{{#if a=b}}',
    '{{Sig_es_:signer1:signature}}',
    '{{}}',
  ])('%s is none, because it has no semicolon or no equals sign', (text) => {
    expect(readTag(text)).toEqual({ kind: 'other' });
  });

  test.each([
    ['A;condition=B', 'has "condition=B", which cannot be honoured'],
    ['A;type=date;format=D. MMM YYYY', 'has "format=D. MMM YYYY", which cannot be honoured'],
    ['A;type=number;format=DD/MM/YYYY', 'has "format=DD/MM/YYYY", which cannot be honoured'],
    ['A;font=Comic', 'has "font=Comic", which cannot be honoured'],
    ['A;align=right', 'has "align=right", which cannot be honoured'],
    ['A;valign=top', 'has "valign=top", which cannot be honoured'],
    ['A;hidden=true', 'has "hidden=true", which cannot be honoured'],
    ['A;mask=true', 'has "mask=true", which cannot be honoured'],
    ['A;type=datenow;readonly=false', 'has "readonly=false", which cannot be honoured'],
    ['A;type=datenow;default=2026-01-01', 'has "default=2026-01-01", which cannot be honoured'],
    ['A;type=image', 'has the type "image", which is none of text, signature,'],
    ['A;type=date;min=2026-01-01', 'has "min", which a field of its type cannot have'],
    ['A;type=number;max=x', 'has "max=x", which is not a number'],
    ['A;width=0', 'has "width=0", which is not a length'],
    ['A;width=wide', 'has "width=wide", which is not a number'],
    ['A;role=', 'has "role" without a value'],
    ['A;required;type=text', 'has "required" without a value'],
    ['A;roll=Customer', 'has "roll", which is unknown'],
    ['A;type=checkbox;default=Ada', 'has "default=Ada", which is neither true nor false'],
    ['A;type=signature;default=Ada', 'has "default", which a field of its type cannot have'],
    ['A;required=true;Required=false', 'has "Required" twice'],
    ['A;type=radio;options=B,C;default=D', 'has the value "D", which is none of its options'],
    ['A;readonly=true;type=text', 'is read-only, but has no value'],
    ['A;type=number;min=5;max=2', 'has the least value 5 above the greatest 2'],
  ])('%s is refused', (text, problem) => {
    const read = readTag(`{{${text}}}`);
    expect(read).toMatchObject({ kind: 'refused' });
    expect((read as { problem: string }).problem).toContain(problem);
  });
});
