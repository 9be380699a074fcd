// Tagged documents: a program that signs adds a tag for the box of its signature. What the tags say of anything else stays as it was.
import { describe, expect, test } from 'vitest';
import {
  basePdf,
  CATALOG,
  certifying,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  streamOf,
  updated,
  withTimestamp,
} from '../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, stepsBehind, WITH_INFO } from '../../support/documents/verification.ts';
import { sampleOf } from '../../support/tier.ts';

const TAGS = {
  root: 40,
  document: 41,
  paragraph: 42,
  parents: 43,
  ofPage: 44,
  form: 45,
  outlines: 46,
  entry: 47,
} as const;

const root = (nextKey: number, more = '') =>
  `<</Type/StructTreeRoot/K[41 0 R]/ParentTree 43 0 R/ParentTreeNextKey ${nextKey}${more}>>`;
const documentTag = (kids: string, more = '') => `<</Type/StructElem/S/Document/P 40 0 R/K[${kids}]${more}>>`;
const PARAGRAPH = '<</Type/StructElem/S/P/P 41 0 R/Pg 3 0 R/K 0/ActualText(I owe you 100 euros)>>';
const formTag = (box: number, more = '', kids = `<</Type/OBJR/Obj ${box} 0 R>>`) =>
  `<</Type/StructElem/S/Form/P 41 0 R/Pg 3 0 R/K ${kids}${more}>>`;

const tagged = (): Buffer =>
  updated(
    basePdf(),
    {
      [N.catalog]: CATALOG('/MarkInfo<</Marked true>>/StructTreeRoot 40 0 R/Outlines 46 0 R'),
      [TAGS.root]: root(1),
      [TAGS.document]: documentTag('42 0 R'),
      [TAGS.paragraph]: PARAGRAPH,
      [TAGS.parents]: '<</Nums[0 44 0 R]>>',
      [TAGS.ofPage]: '[42 0 R]',
      [TAGS.outlines]: '<</Type/Outlines/First 47 0 R/Last 47 0 R/Count 1>>',
      [TAGS.entry]: '<</Title(Terms)/Parent 46 0 R/Dest[3 0 R/Fit]/SE 41 0 R>>',
      [N.page]: PAGE(PAGE_ANNOTATIONS, '/StructParents 0'),
    },
    WITH_INFO,
  );

const signedOnce = (before: Objects = {}) =>
  signPdf(updated(tagged(), before, WITH_INFO), { party: PKI.signer, entries: '', trailer: WITH_INFO });

const nodesOfParents = (kids: string) => `<</Nums[0 44 0 R 1 45 0 R]/Kids[${kids}]>>`;

/** A program writes this that signs in a new, tagged box. */
const SECOND: Objects = {
  [TAGS.root]: root(2),
  [TAGS.document]: documentTag('42 0 R 45 0 R'),
  [TAGS.parents]: '<</Nums[0 44 0 R 1 45 0 R]>>',
  [TAGS.form]: formTag(71),
};

const signedTwice = (more: Objects = {}, before: Objects = {}) =>
  faultsOf(
    signPdf(signedOnce(before), {
      party: PKI.signer,
      number: 70,
      entries: '',
      trailer: WITH_INFO,
      objects: (number) => ({
        71: `<</Type/Annot/Subtype/Widget/FT/Sig/T(New)/Rect[0 0 0 0]/F 132/P 3 0 R/StructParent 1/V ${number} 0 R>>`,
        [N.form]: FORM('7 0 R 9 0 R 71 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 71 0 R`, '/StructParents 0/Tabs/S'),
        ...SECOND,
        ...more,
      }),
    }),
  );

const TAG = '<</Type/StructElem/S/P/P 41 0 R/Pg 3 0 R/K 0>>';

describe('a tag that is named elsewhere than in the tree', () => {
  const SPEAKING = TAG.replace('/K 0', '/K 0/ActualText(I owe you 900 euros)');
  const WITH_OUTLINES = '/MarkInfo<</Marked true>>/StructTreeRoot 40 0 R/Outlines 46 0 R';
  const spokenBy = (before: Objects, later: Objects, entries = '') => {
    const file = updated(tagged(), { 99: TAG, ...before }, WITH_INFO);
    const signed = signPdf(file, { party: PKI.signer, entries, trailer: WITH_INFO });
    return behind({ 99: SPEAKING, ...later }, signed);
  };
  const waiting = (value = '') =>
    `<</Type/Annot/Subtype/Widget/FT/Sig/T(Second)/Rect[10 60 150 110]/F 132/P 3 0 R/AP 50 0 R${value}>>`;
  const appearance = (entries = '') =>
    streamOf('0 0 140 50 re S', `/Type/XObject/Subtype/Form/BBox[0 0 140 50]/Resources<<>>${entries}`);

  const PLACES: [string, Objects][] = [
    ['the tags of a page', { [TAGS.ofPage]: '[42 0 R 99 0 R]' }],
    ['the tags of an annotation', { [TAGS.parents]: '<</Nums[0 44 0 R 1 99 0 R]>>' }],
    [
      'an entry of the outlines',
      { [TAGS.entry]: '<</Title(Terms)/Parent 46 0 R/Dest[3 0 R/Fit]/SE 99 0 R>>' },
    ],
    ['a list among tags', { [TAGS.document]: documentTag('42 0 R 48 0 R'), 48: '[99 0 R]' }],
    ['a list among the tags of a page', { [TAGS.ofPage]: '[42 0 R 48 0 R]', 48: '[99 0 R]' }],
    [
      'a tag that stands in no tree',
      { [TAGS.ofPage]: '[42 0 R 48 0 R]', 48: TAG.replace('41 0 R', '99 0 R') },
    ],
  ];

  test.each(PLACES)('says what it said where %s names it', (_, before) => {
    expect(spokenBy(before, {})).toEqual(['changed_structure']);
    expect(spokenBy(before, { [N.info]: '<</Title(Contract)/X 99 0 R>>' })).toEqual(['changed_structure']);
    const prepared = { ...before, [N.info]: '<</Title(Contract)/X 99 0 R>>' };
    expect(spokenBy(prepared, { [N.info]: '<</Title(Contract)/X 99 0 R>>' })).toEqual(['changed_structure']);
    const store = {
      [N.catalog]: CATALOG(`${WITH_OUTLINES}/DSS 70 0 R`),
      70: '<</Type/DSS/Certs[71 0 R]>>',
      71: streamOf(Buffer.from(PKI.issuing.der), '/X 99 0 R'),
    };
    for (const entries of ['', certifying(1)])
      expect(spokenBy(before, store, entries)).toEqual(['changed_structure']);
  });

  test.each(PLACES)('says what it said where %s and the look of a field name it', (_, before) => {
    const file = updated(
      tagged(),
      {
        99: TAG,
        50: '<</N 51 0 R>>',
        51: appearance('/PieceInfo 99 0 R'),
        52: waiting(),
        [N.form]: FORM('7 0 R 9 0 R 52 0 R'),
        [N.page]: PAGE(`${PAGE_ANNOTATIONS} 52 0 R`, '/StructParents 0'),
        ...before,
      },
      WITH_INFO,
    );
    const signing = (more: Objects) =>
      faultsOf(
        signPdf(signPdf(file, { party: PKI.signer, entries: '', trailer: WITH_INFO }), {
          party: PKI.signer,
          number: 80,
          entries: '',
          trailer: WITH_INFO,
          objects: (number) => ({ 52: waiting(`/V ${number} 0 R`), ...more }),
        }),
      );
    expect(signing({ 51: appearance() })).toEqual([]);
    expect(signing({ 99: SPEAKING })).toEqual(['changed_structure']);
  });

  test('is no place in a document that has the name of such an entry', () => {
    const place = { [N.catalog]: CATALOG(`${WITH_OUTLINES}/Dests<</SE 49 0 R>>`), 49: '[3 0 R/Fit]' };
    const later = { 49: '[3 0 R/XYZ 0 0 9]', [N.info]: '<</Title(Contract)/X 49 0 R>>' };
    expect(spokenBy(place, { 99: TAG, ...later })).toEqual(['changed_structure']);
  });
});

describe('the tree of tags', () => {
  test('gets a tag for the box of a further signature, as iText writes it', () => {
    expect(signedTwice()).toEqual([]);
    expect(signedTwice({ 48: '[42 0 R]', [TAGS.parents]: '<</Nums[0 48 0 R 1 45 0 R]>>' })).toEqual([]);
  });

  test('gets one as well where a branch is named by the numbers alone, as merged documents have it', () => {
    const branch = { [TAGS.ofPage]: '[42 0 R 48 0 R]', 48: TAG.replace('41 0 R', '99 0 R'), 99: TAG };
    expect(signedTwice({}, branch)).toEqual([]);
    expect(signedTwice({ 99: TAG.replace('/K 0', '/K 0/T(other)') }, branch)).toEqual(['changed_structure']);
  });

  test('may have nodes in its numbers', () => {
    expect(signedTwice({ [TAGS.parents]: nodesOfParents('48 0 R 49 0 R'), 48: '<<>>', 49: '<<>>' })).toEqual(
      [],
    );
  });

  test('may be left alone', () => {
    expect(behind({ [N.page]: PAGE(PAGE_ANNOTATIONS, '/StructParents 0/Tabs/S') }, signedOnce())).toEqual([]);
  });

  test.each<[string, Objects]>([
    ['another text for a paragraph', { [TAGS.paragraph]: PARAGRAPH.replace('100', '900') }],
    ['a text for all of it', { [TAGS.document]: documentTag('42 0 R 45 0 R', '/ActualText(I owe nothing)') }],
    ['a tag less', { [TAGS.document]: documentTag('45 0 R') }],
    [
      'another order',
      { [TAGS.document]: documentTag('45 0 R 42 0 R'), [TAGS.form]: formTag(71, '/Alt(I owe nothing)') },
    ],
    ['a new tag that speaks', { [TAGS.form]: formTag(71, '/Alt(I owe nothing)') }],
    ['a new tag with a title', { [TAGS.form]: formTag(71, '/T(I owe nothing)') }],
    ['a new tag with attributes', { [TAGS.form]: formTag(71, '/A<</O/PrintField/Desc(Void)>>') }],
    ['a new tag of another kind', { [TAGS.form]: formTag(71).replace('/S/Form', '/S/P') }],
    ['a new tag for the content of the page', { [TAGS.form]: formTag(71, '', '0') }],
    ['a new tag for a box that was there', { [TAGS.form]: formTag(N.text) }],
    ['a new tag with tags below it', { [TAGS.form]: formTag(71, '', '[48 0 R]'), 48: formTag(71) }],
    ['a role for a kind of tag', { [TAGS.root]: root(2, '/RoleMap<</P/Artifact>>') }],
    ['a class of attributes', { [TAGS.root]: root(2, '/ClassMap<</C<</O/Layout>>>>') }],
    [
      'other tags for the content of the page',
      { [TAGS.parents]: '<</Nums[0 48 0 R 1 45 0 R]>>', 48: '[45 0 R]' },
    ],
    ['no tags for the content of the page', { [TAGS.parents]: '<</Nums[1 45 0 R]>>' }],
    ['a node of numbers twice', { [TAGS.parents]: nodesOfParents('48 0 R 48 0 R'), 48: '<<>>' }],
    [
      'a list of nodes twice',
      { [TAGS.parents]: nodesOfParents('<</Kids 48 0 R>><</Kids 48 0 R>>'), 48: '[]' },
    ],
    ['a number twice', { [TAGS.parents]: '<</Nums[0 44 0 R 0 45 0 R]>>' }],
    ['a tag that was there for the new box', { [TAGS.parents]: '<</Nums[0 44 0 R 1 42 0 R]>>' }],
    [
      'a document beside the one that it has',
      {
        [TAGS.root]: root(2).replace('[41 0 R]', '[41 0 R 48 0 R]'),
        [TAGS.document]: documentTag('42 0 R'),
        48: documentTag('45 0 R'),
        [TAGS.form]: formTag(71).replace('/P 41', '/P 48'),
      },
    ],
    ['a sound for the new tag', { [TAGS.form]: formTag(71, '/AF[49 0 R]'), 49: '<</Type/Filespec>>' }],
  ])('does not get %s', (_, more) => {
    expect(signedTwice(more)).toContain('changed_structure');
  });

  test('does not come, go or become another one', () => {
    expect(
      behind({ [N.catalog]: CATALOG('/StructTreeRoot 40 0 R'), [TAGS.root]: '<</Type/StructTreeRoot/K[]>>' }),
    ).toContain('changed_structure');
    expect(behind({ [N.catalog]: CATALOG('/Outlines 46 0 R') }, signedOnce())).toContain('changed_structure');
    const other = CATALOG('/MarkInfo<</Marked true>>/StructTreeRoot 48 0 R/Outlines 46 0 R');
    expect(behind({ [N.catalog]: other, 48: root(1) }, signedOnce())).toContain('changed_structure');
  });

  test('keeps the number by which a page names the tags of its contents', () => {
    const silent = PAGE(`${PAGE_ANNOTATIONS} 71 0 R`, '/StructParents 7/Tabs/S');
    expect(signedTwice({ [N.page]: silent })).toEqual(['changed_content']);
  });

  test.each<[string, (next: number) => string]>([
    ['nodes', (next) => `<</Kids[${next} 0 R ${next} 0 R]>>`],
    ['lists of nodes', (next) => `[<</Kids ${next} 0 R>><</Kids ${next} 0 R>>]`],
  ])('is not followed again and again through the same %s', (name, naming) => {
    // Each leads to the next one twice: two to the power of 31 ways.
    const pieces = Array.from({ length: 31 }, (_, index) => [900 + index, naming(901 + index)]);
    const isOfNodes = name === 'nodes';
    expect(
      signedTwice({
        ...Object.fromEntries(pieces),
        931: isOfNodes ? '<<>>' : '[]',
        [TAGS.parents]: `<</Nums[0 44 0 R 1 45 0 R]/Kids ${isOfNodes ? '[900 0 R]' : '900 0 R'}>>`,
      }),
    ).toContain('changed_structure');
  });

  /** A page whose contents have this many tags, and as many numbers that name them. */
  const withParents = (count: number): Buffer =>
    updated(
      tagged(),
      {
        [TAGS.parents]: `<</Nums[${Array.from({ length: count }, (_, index) => `${index} 44 0 R`).join(' ')}]>>`,
        [TAGS.ofPage]: `[${'42 0 R '.repeat(count)}]`,
      },
      WITH_INFO,
    );
  const stepsFor = (count: number): number => {
    const signed = signPdf(withParents(count), { party: PKI.signer, entries: '', trailer: WITH_INFO });
    return stepsBehind(signed, updated(signed, { [TAGS.root]: root(2) }, WITH_INFO));
  };

  test('is judged within the limit for a file, by its numbers and by the tags that each names', () => {
    // Both versions have the numbers, and each of these names all tags.
    expect(stepsFor(200) - stepsFor(100)).toBeGreaterThanOrEqual(2 * 100 + (200 * 200 - 100 * 100));
  });

  test('gets no tag without a signature', () => {
    expect(behind({ ...SECOND, [TAGS.form]: formTag(N.note) }, signedOnce())).toContain('changed_structure');
  });
});

test('outlines that name a tag say where they lead, and not what became of the tag', () => {
  expect(
    signedTwice({ [TAGS.entry]: '<</Title(Other)/Parent 46 0 R/Dest[3 0 R/Fit]/SE 41 0 R>>' }),
  ).toContain('changed_structure');
});

const { signer, tsa } = PKI;

// ── references to pages: that a page got a signature does not change what refers to it, and what is drawn on it may not change ──

/** Entries of the page, each of which leads to the page itself, to the catalog and to object 12. */
const REFERENCES = {
  PieceInfo: '/PieceInfo<</App<</Private[3 0 R 1 0 R 12 0 R]>>>>',
  SeparationInfo: '/SeparationInfo<</Pages[3 0 R 1 0 R]/X 12 0 R>>',
  PresSteps: '/PresSteps<</Type/NavNode/NA<</S/GoTo/D[3 0 R]>>/X[1 0 R 12 0 R]>>',
  'another entry': '/Other[3 0 R 1 0 R 12 0 R]',
};

const signed = (entries: string): Buffer =>
  signPdf(updated(basePdf(), { [N.page]: PAGE(PAGE_ANNOTATIONS, entries) }), { party: signer });

test.each(Object.entries(REFERENCES))('%s of a page that is signed later is valid', (_, entries) => {
  expect(faultsOf(withTimestamp(signed(entries), { tsa, page: entries }))).toEqual([]);
});

test.each(
  sampleOf(
    Object.values(REFERENCES).flatMap((entries): [string, Objects][] => [
      [entries, { 12: '(other)' }],
      [entries, { [N.content]: streamOf('BT /F 12 Tf 20 150 Td (I owe you 900 euros) Tj ET') }],
      [entries, { [N.page]: PAGE(PAGE_ANNOTATIONS, `${entries}/Rotate 90`) }],
      [entries, { [N.catalog]: CATALOG('/PageLabels<<>>') }],
    ]),
    4,
  ),
)('with %s, nothing else may change', (entries, objects) => {
  expect(faultsOf(updated(signed(entries), objects))).toEqual([
    expect.stringMatching(/^changed_(content|structure)$/),
  ]);
});

const LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 300 200]/Resources<</Font<</F 5 0 R>>>>';

test.each([
  ['fonts', '/Font 1 0 R', '/Extensions<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>'],
  ['drawings', '/Font<</F 5 0 R>>/XObject 1 0 R', '/Extensions 90 0 R'],
  ['patterns, by way of another reference', '/Font<</F 5 0 R>>/Pattern 91 0 R', '/Metadata 90 0 R'],
  ['states', '/Font<</F 5 0 R>>/ExtGState 1 0 R', '/Extensions<</TR2 90 0 R>>'],
  ['letters', '/Font<</F<</Type/Font/Subtype/Type3/CharProcs 1 0 R>>>>', '/Metadata 90 0 R'],
])('the catalog must not change where it is the dictionary of %s', (_, resources, entries) => {
  const page = PAGE(PAGE_ANNOTATIONS).replace('/Font<</F 5 0 R>>', resources);
  const file = signPdf(updated(basePdf(), { [N.page]: page, 91: '1 0 R' }), { party: signer });
  const drawn = streamOf('0 0 50 50 re f', entries.includes('Metadata') ? '/Subtype/XML' : LOOK);
  const save: Objects = { [N.catalog]: CATALOG(entries), 90: drawn };
  expect(faultsOf(updated(file, save))).toEqual(['changed_content']);
});
