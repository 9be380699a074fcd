// The rules about what may follow a signature: for each, a sound file that it allows and an attack for each code that it raises. The other files of this
// folder have the attacks in all their forms; here stands which rule refuses them.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { compareDrawnPages } from '../../../src/cli/commands/verify/verified-file.ts';
import type { CompareVersionsAnswer } from '../../../src/pdf/engine/engine.ts';
import { CHANGE_FAULT_CODES, type ChangeFaultCode } from '../../../src/pdf/verify/findings.ts';
import { RULES, ruleNamed } from '../../../src/pdf/verify/rules/policy.ts';
import { verifyPdf } from '../../../src/pdf/verify/verify.ts';
import {
  basePdf,
  CATALOG,
  certifying,
  FORM,
  N,
  NOW,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  SEAL_FIELD,
  signPdf,
  streamOf,
  TEXT_FIELD,
  updated,
  withStore,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import {
  approved,
  certified,
  PKI,
  sealedPdf,
  signed,
  trusting,
  verifyBytes,
  WITH_INFO,
} from '../../support/documents/verification.ts';

// ── files ───────────────────────────────────────────────────────────────────────────────────────────────────────

const save = (objects: Objects, file = certified(2), trailer = WITH_INFO): Buffer =>
  updated(file, objects, trailer);

/** A document with these objects, signed afterwards. */
const prepared = (objects: Objects, entries = certifying(2)): Buffer =>
  signPdf(updated(basePdf(), objects, WITH_INFO), { party: PKI.signer, entries, trailer: WITH_INFO });

/** A save that adds a certificate, with the text of the save changed. */
function saveWithText(change: (text: string) => string): Buffer {
  const file = certified(2);
  const text = withStore(file, { certificates: PKI.signer.chain }).subarray(file.length).toString('latin1');
  expect(change(text)).not.toBe(text);
  return Buffer.concat([file, Buffer.from(change(text), 'latin1')]);
}

const withCertificates = (file = certified(2)) => withStore(file, { certificates: PKI.signer.chain });
const withData = (data: string): Objects => ({
  [N.catalog]: CATALOG('/DSS 30 0 R'),
  30: '<</Certs[31 0 R]>>',
  31: streamOf(data),
});

/** A second field for a signature, which waits for it. */
const waiting = (value = '') =>
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[10 60 100 90]/F 4/P 3 0 R${value}>>`;
const WAITING: Objects = {
  50: waiting(),
  [N.form]: FORM('7 0 R 9 0 R 50 0 R'),
  [N.page]: PAGE(`${PAGE_ANNOTATIONS} 50 0 R`),
};
const LOCK =
  '/Reference[<</TransformMethod/FieldMDP/TransformParams<</Type/TransformParams/Action/All/V/1.2>>>>]';

/** Signs the waiting field; the field of a timestamp would show it. */
const signSecond = (file: Buffer, field = waiting, subFilter?: string): Buffer =>
  signPdf(file, {
    party: PKI.signer,
    number: 70,
    entries: '',
    trailer: WITH_INFO,
    ...(subFilter && { subFilter }),
    objects: (number) => ({ 50: field(`/V ${number} 0 R`) }),
  });

/** A signature with a field of its own. */
const signInNewField = (file: Buffer, entries = '/FT/Sig/Rect[0 0 0 0]', more: Objects = {}): Buffer =>
  signPdf(file, {
    party: PKI.signer,
    number: 70,
    entries: '',
    trailer: WITH_INFO,
    objects: (number) => ({
      71: `<</Type/Annot/Subtype/Widget/T(New)/F 4/P 3 0 R/V ${number} 0 R${entries}>>`,
      [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
      [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`),
      ...more,
    }),
  });

const LOOK = (content: string) =>
  streamOf(content, '/Type/XObject/Subtype/Form/BBox[0 0 90 20]/Resources<</Font<</F 5 0 R>>>>');
const withNote = (file: Buffer, note: string) =>
  save({ 80: note, [N.page]: PAGE(`${PAGE_ANNOTATIONS} 80 0 R`) }, file);
const NOTE = '<</Type/Annot/Subtype/Text/Rect[1 1 9 9]/Contents(Hm)/P 3 0 R>>';

const tags = (kids: string, parents: string): Objects => ({
  40: '<</Type/StructTreeRoot/K[41 0 R]/ParentTree 43 0 R/ParentTreeNextKey 2>>',
  41: `<</Type/StructElem/S/Document/P 40 0 R/K[${kids}]>>`,
  43: `<</Nums[${parents}]>>`,
});
const tagged = () =>
  prepared(
    {
      [N.catalog]: CATALOG('/StructTreeRoot 40 0 R'),
      [N.page]: PAGE(PAGE_ANNOTATIONS, '/StructParents 0'),
      42: '<</Type/StructElem/S/P/P 41 0 R/Pg 3 0 R/K 0>>',
      44: '[42 0 R]',
      ...tags('42 0 R', '0 44 0 R'),
    },
    '',
  );
const signTagged = (kind: string) =>
  signInNewField(tagged(), '/FT/Sig/Rect[0 0 0 0]/StructParent 1', {
    45: `<</Type/StructElem/S/${kind}/P 41 0 R/Pg 3 0 R/K<</Type/OBJR/Obj 71 0 R>>>>`,
    [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`, '/StructParents 0'),
    ...tags('42 0 R 45 0 R', '0 44 0 R 1 45 0 R'),
  });

/** A save that writes an object anew of which the signed version had half a dictionary. */
function saveOverUnreadable(): Buffer {
  const base = basePdf();
  const at = base.indexOf('<<', base.indexOf(`\n${N.unused} 0 obj`));
  base.write('((', at, 'latin1');
  return save({ [N.unused]: '<</A 1>>' }, signPdf(base, { party: PKI.signer, trailer: WITH_INFO }));
}

// ── rules ───────────────────────────────────────────────────────────────────────────────────────────────────────

type Row = { sound: () => Buffer; attacks: Partial<Record<ChangeFaultCode, () => Buffer>> };

const ROWS: Record<string, Row> = {
  'stray-bytes': {
    sound: () => Buffer.concat([withCertificates(), Buffer.from('% a comment\n')]),
    attacks: { bytes_after: () => Buffer.concat([certified(2), Buffer.from('4 0 obj\n<<>>\nendobj\n')]) },
  },
  'entry-point': {
    sound: () => Buffer.concat([withCertificates(), Buffer.from('% a comment\n'.repeat(10))]),
    attacks: {
      update_irregular: () => Buffer.concat([withCertificates(), Buffer.from('% a comment\n'.repeat(100))]),
    },
  },
  'resurrected-objects': {
    sound: () => save(withData('x')),
    attacks: { update_irregular: () => save(withData('x\n4 0 obj\n<<>>\nendobj\n')) },
  },
  'dangling-references': {
    sound: () => save({ [N.info]: '<</Title(Other)/X 12 0 R>>' }),
    attacks: { update_irregular: () => save({ [N.info]: '<</Title(Other)/X 99 0 R>>' }) },
  },
  'save-syntax': {
    sound: () => saveWithText((text) => text.replace('/Size 200', '/Size 34')),
    attacks: { update_irregular: () => saveWithText((text) => text.replace('/Size 200', '/Size +200')) },
  },
  'trailer-entries': {
    sound: () => save({}),
    attacks: { changed_structure: () => save({ 50: CATALOG() }, certified(2), '/Root 50 0 R/Info 11 0 R') },
  },
  'readable-objects': {
    sound: () => save({ 90: '<</A 1>>' }),
    attacks: { update_unreadable: saveOverUnreadable },
  },
  catalog: {
    sound: () => save({ [N.catalog]: CATALOG('/Version/1.7/Extensions<</ADBE<</BaseVersion/1.7>>>>') }),
    attacks: {
      changed_structure: () =>
        save({ [N.catalog]: CATALOG('/OpenAction<</S/JavaScript/JS(app.alert(1))>>') }),
    },
  },
  metadata: {
    sound: () => save({ [N.info]: '<</Title(Other)>>' }),
    attacks: { changed_structure: () => save({ [N.info]: '<</Title(Other)>>' }, certified(1)) },
  },
  'validation-data': {
    sound: () => withCertificates(),
    attacks: {
      changed_structure: () =>
        save({ [N.catalog]: CATALOG('/DSS 30 0 R'), 30: '<</Certs 31 0 R>>', 31: '1' }),
      validation_data_removed: () => withStore(sealedPdf(), { certificates: [PKI.issuing.der] }, 130),
    },
  },
  'form-defaults': {
    sound: () =>
      save(
        { [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/DA(/Helv 12 Tf 0 g)') },
        prepared({ [N.textLook]: LOOK(''), [N.form]: FORM('7 0 R 9 0 R') }),
      ),
    attacks: {
      changed_form: () => save({ [N.form]: FORM('7 0 R 9 0 R', '/SigFlags 3/NeedAppearances true') }),
    },
  },
  'field-tree': {
    sound: () => {
      const form = '<</Fields 52 0 R/SigFlags 3>>';
      const file = prepared({ [N.form]: form, 52: '[7 0 R 9 0 R]' });
      return signInNewField(file, '/FT/Sig/Rect[0 0 0 0]', { [N.form]: form, 52: '[7 0 R 9 0 R 71 0 R]' });
    },
    attacks: { changed_form: () => save({ [N.form]: FORM('9 0 R') }) },
  },
  'filled-fields': {
    sound: () => save({ [N.text]: TEXT_FIELD('/V(1000)'), [N.textLook]: LOOK('BT /F 9 Tf (1000) Tj ET') }),
    attacks: {
      changed_form: () =>
        save({ [N.text]: TEXT_FIELD('/V(900)') }, prepared({ [N.text]: TEXT_FIELD('/V(100)') })),
      changed_locked_field: () => save({ [N.text]: TEXT_FIELD('/V(1)') }, signed({ entries: LOCK })),
      overlay: () => save({ [N.textLook]: LOOK('0 0 90 20 re f') }),
    },
  },
  'signed-fields': {
    sound: () => signSecond(prepared(WAITING)),
    attacks: {
      changed_signatures: () => signSecond(prepared(WAITING, certifying(1))),
      changed_locked_field: () => signSecond(prepared(WAITING, LOCK)),
      changed_form: () => signSecond(prepared(WAITING), (value) => waiting(`${value}/TU(Void)`)),
      overlay: () => save({ [N.seal]: SEAL_FIELD('/V 20 0 R/AP<</N 12 0 R>>') }),
    },
  },
  'new-signature-fields': {
    sound: () => withTimestamp(certified(1), { tsa: PKI.tsa }),
    attacks: {
      changed_form: () => signInNewField(certified(2), '/FT/Tx/Rect[0 0 0 0]'),
      changed_signatures: () => signInNewField(certified(1)),
      overlay: () => signInNewField(certified(2), '/FT/Sig/Rect[10 60 100 90]/AP<</N 12 0 R>>'),
    },
  },
  'page-tree': {
    sound: () => withTimestamp(certified(2), { tsa: PKI.tsa }),
    attacks: {
      changed_content: () => save({ [N.pages]: '<</Type/Pages/Count 2/Kids[3 0 R 3 0 R]>>' }),
    },
  },
  'page-content': {
    sound: () => save({ [N.page]: PAGE(PAGE_ANNOTATIONS, '/Tabs/S') }),
    attacks: { changed_content: () => save({ [N.content]: streamOf('(I owe you 900)') }) },
  },
  annotations: {
    sound: () => {
      const page = PAGE('').replace('/Annots[]', '/Annots 51 0 R');
      const file = prepared({ [N.page]: page, 51: `[${PAGE_ANNOTATIONS}]` });
      const list = { [N.page]: page, 51: `[${PAGE_ANNOTATIONS} 71 0 R]` };
      return signInNewField(file, '/FT/Sig/Rect[0 0 0 0]', list);
    },
    attacks: { changed_annotations: () => save({ [N.page]: PAGE('7 0 R 9 0 R') }) },
  },
  notes: {
    sound: () => withNote(certified(3), NOTE),
    attacks: {
      changed_annotations: () => withNote(certified(2), NOTE),
      overlay: () => withNote(certified(3), NOTE.replace('/Text', '/Square')),
    },
  },
  'structure-tree': {
    sound: () => signTagged('Form'),
    attacks: { changed_structure: () => signTagged('P') },
  },
  'unexplained-objects': {
    sound: () => save({ 90: streamOf('unused') }),
    attacks: { changed_structure: () => save({ [N.unused]: streamOf('x') }) },
  },
};

const faultsIn = (file: Buffer) => {
  const [report] = verifyBytes(file);
  return report!.faults.map(({ code, rule }) => `${rule}: ${code}`);
};

test.each(Object.entries(ROWS))('%s allows its sound file', (_, { sound }) => {
  expect(faultsIn(sound())).toEqual([]);
});

const ATTACKS = Object.entries(ROWS).flatMap(([rule, { attacks }]) =>
  Object.entries(attacks).map(([code, attack]) => ({ rule, code, attack })),
);

test.each(ATTACKS)('$rule refuses an attack: $code', ({ rule, code, attack }) => {
  expect(faultsIn(attack())).toContain(`${rule}: ${code}`);
});

test('what pages show is compared where an object of a page can have changed, and by one rule', async () => {
  const requests: unknown[] = [];
  const comparing = (answer: CompareVersionsAnswer) => (file: Buffer) => {
    const report = verifyPdf(file, { trust: trusting(PKI.root), now: NOW });
    if (!report.ok) throw new Error(report.reason);
    const compareVersions = async (_: Uint8Array, version: unknown) => {
      requests.push(version);
      return answer;
    };
    return compareDrawnPages(report, file, { compareVersions, password: undefined });
  };
  const differing = comparing({
    ok: true,
    compared: 1,
    pageCount: 1,
    differences: [{ page: 0 }],
    drawnOver: [],
    otherValues: [],
  });
  expect(await differing(withTimestamp(approved(), { tsa: PKI.tsa }))).toMatchObject({ faults: [] });
  expect(requests).toEqual([]);
  const written = ROWS['page-content']!.sound();
  const rule = 'unchanged-appearance';
  expect((await differing(written)).faults).toMatchObject([{ code: 'shown_differently', rule }]);
  expect(requests).toHaveLength(1);
  const endless = comparing({ ok: false, reason: 'too_complex', limit: 'time' } as CompareVersionsAnswer);
  expect((await endless(written)).faults).toMatchObject([{ code: 'not_compared', rule }]);
  expect(ruleNamed(rule)?.codes).toEqual(['shown_differently', 'not_compared']);
});

test('each rule has a sound file and an attack for each code that it raises, and only for these', () => {
  const drawn = RULES.filter(({ name }) => name === 'unchanged-appearance');
  const structural = RULES.filter((rule) => !drawn.includes(rule));
  expect(Object.keys(ROWS)).toEqual(structural.map(({ name }) => name));
  for (const { name, codes } of structural)
    expect([name, Object.keys(ROWS[name]!.attacks).sort()]).toEqual([name, [...codes].sort()]);
});

test('each code about changes is raised by these rules, and by no other', () => {
  const rulesOf = (code: ChangeFaultCode) =>
    RULES.filter(({ codes }) => codes.includes(code)).map(({ name }) => name);
  expect(Object.fromEntries(CHANGE_FAULT_CODES.map((code) => [code, rulesOf(code)]))).toEqual({
    bytes_after: ['stray-bytes'],
    update_unreadable: ['readable-objects'],
    update_irregular: ['entry-point', 'resurrected-objects', 'dangling-references', 'save-syntax'],
    changed_content: ['page-tree', 'page-content'],
    changed_form: ['form-defaults', 'field-tree', 'filled-fields', 'signed-fields', 'new-signature-fields'],
    changed_annotations: ['annotations', 'notes'],
    changed_signatures: ['signed-fields', 'new-signature-fields'],
    changed_locked_field: ['filled-fields', 'signed-fields'],
    changed_structure: [
      'trailer-entries',
      'catalog',
      'metadata',
      'validation-data',
      'structure-tree',
      'unexplained-objects',
    ],
    validation_data_removed: ['validation-data'],
    overlay: ['filled-fields', 'signed-fields', 'new-signature-fields', 'notes'],
    shown_differently: ['unchanged-appearance'],
    not_compared: ['unchanged-appearance'],
  });
});

test('docs/verify.md lists every rule', () => {
  const documented = readFileSync('docs/verify.md', 'utf8');
  for (const { name } of RULES) expect(documented).toContain(`\`${name}\``);
});

test('a rule has a name of its own, and says in a sentence what it allows and where that stands', () => {
  expect(new Set(RULES.map(({ name }) => name)).size).toBe(RULES.length);
  for (const { name, allows, source } of RULES) {
    expect(name).toMatch(/^[a-z]+(-[a-z]+)*$/);
    expect(allows).toMatch(/^[A-Z].*\.$/);
    expect(source).toMatch(/ISO|ETSI/);
  }
});
