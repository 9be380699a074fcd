// Whatever bytes of a form are changed, a file that is accepted has fields that the service accepts, inside of their pages. Assumes nothing
// about fonts: characters that no font has are left to the service.
import { expect, test } from 'vitest';
import { resolveBox } from '../../../src/cli/sending/boxes.ts';
import { readForm } from '../../../src/pdf/read/form/read-form.ts';
import { inspectPdf } from '../../../src/pdf/render/inspect.ts';
import { placeChoices } from '../../../src/placement/form-choices.ts';
import { turnForm } from '../../../src/placement/form-fields.ts';
import { fieldErrors } from '../../../src/service/checks/field-errors.ts';
import { field, formPdf, ref, widget } from '../../support/documents/form-pdf.ts';
import { SLOW } from '../../support/tier.ts';

const states = (name: string) => `/AP<</N<</${name} null/Off null>>>>`;
const script = (text: string) => `<</S/JavaScript/JS(${text})>>`;

const FORM = formPdf({
  objects: [
    field('city', '50 250 150 270', '/FT/Tx/TU(Your city)/V(Easterholm)/MaxLen 20/Ff 2/DA(/F 9 Tf 1 0 0 rg)'),
    field('note', '50 180 150 240', '/FT/Tx/Ff 4096/V<FEFF00610062>'),
    field(
      'from',
      '200 250 300 270',
      `/FT/Tx/V(01.02.2027)/AA<</F ${script('AFDate_FormatEx\\("dd.mm.yyyy"\\)')}>>`,
    ),
    field(
      'seats',
      '200 220 300 240',
      `/FT/Tx/V(7)/AA<</F ${script('AFNumber_Format\\(0\\)')}/V ${script('AFRange_Validate\\(true, 1, true, 9\\)')}>>`,
    ),
    `<</FT/Btn/Ff 32768/T(period)/V/2/Kids[${ref(5)} ${ref(6)}]>>`,
    widget('50 150 60 160', `/Parent ${ref(4)}${states('1')}`),
    widget('90 150 100 160', `/Parent ${ref(4)}${states('2')}`),
    field('terms', '50 120 60 130', `/FT/Btn/V/Yes${states('Yes')}`),
    field('country', '200 150 300 170', '/FT/Ch/Ff 131072/V(de)/Opt[[(de)(Germany)][(fr)(France)]]'),
    field('sign', '50 20 250 70', '/FT/Sig'),
  ],
  fields: [0, 1, 2, 3, 4, 7, 8, 9],
  widgets: [0, 1, 2, 3, 5, 6, 7, 8, 9],
});

/** Numbers that are the same in every run. @param seed of the sequence */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Some bytes become others, most of them such as the file has elsewhere. */
function damaged(seed: number): Buffer {
  const bytes = Buffer.from(FORM);
  const next = numbers(seed);
  for (let left = 1 + next(12); left > 0; left -= 1)
    bytes[next(bytes.length)] = next(3) === 0 ? next(256) : FORM[next(FORM.length)]!;
  return bytes;
}

test('fields of damaged forms are fields that the service accepts', async () => {
  let read = 0;
  for (let seed = 1; seed <= (SLOW ? 2000 : 150); seed += 1) {
    const bytes = damaged(seed);
    const facts = await inspectPdf(bytes, { maxPages: 10 });
    const form = facts.ok ? await readForm(facts.repaired ?? bytes) : undefined;
    if (!facts.ok || !form?.ok) continue;
    read += 1;
    const turned = turnForm(form.fields, facts.pages, { mayChange: true });
    const fields = placeChoices(turned.fields, [], facts.pages);
    for (const { page, type, box } of fields) {
      const points = (length: number) => ({ points: length });
      const [x, y, width, height] = [box.x, box.y, box.width, box.height].map(points);
      const placed = { type, page, x: x!, y: y!, width: width!, height: height! };
      const others = { recipient: undefined, document: 1, properties: {}, source: `seed ${seed}` };
      expect(() => resolveBox({ ...placed, ...others }, { sizes: facts.pages }, 'form.pdf')).not.toThrow();
    }
    const errors = await fieldErrors(fields.map(({ type, properties }) => ({ ...properties, type })));
    expect([seed, errors.filter(({ message }) => !/that cannot be written/.test(message))]).toEqual([
      seed,
      [],
    ]);
  }
  expect(read).toBeGreaterThan(50);
});
