// Tagged documents: a program that signs adds a tag for the box of its signature. What the tags say of anything else stays as it was.
import { describe, expect, test } from 'vitest';
import {
  basePdf,
  CATALOG,
  FORM,
  N,
  type Objects,
  PAGE,
  PAGE_ANNOTATIONS,
  signPdf,
  updated,
} from '../../../support/documents/signed-pdf.ts';
import { behind, faultsOf, PKI, stepsBehind, WITH_INFO } from '../../../support/documents/verification.ts';

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

const signedOnce = () => signPdf(tagged(), { party: PKI.signer, entries: '', trailer: WITH_INFO });

const nodesOfParents = (kids: string) => `<</Nums[0 44 0 R 1 45 0 R]/Kids[${kids}]>>`;

/** What a program writes that signs in a new, tagged box. */
const SECOND: Objects = {
  [TAGS.root]: root(2),
  [TAGS.document]: documentTag('42 0 R 45 0 R'),
  [TAGS.parents]: '<</Nums[0 44 0 R 1 45 0 R]>>',
  [TAGS.form]: formTag(71),
};

const signedTwice = (more: Objects = {}) =>
  faultsOf(
    signPdf(signedOnce(), {
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

describe('the tree of tags', () => {
  test('gets a tag for the box of a further signature, as iText writes it', () => {
    expect(signedTwice()).toEqual([]);
    expect(signedTwice({ 48: '[42 0 R]', [TAGS.parents]: '<</Nums[0 48 0 R 1 45 0 R]>>' })).toEqual([]);
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

  test.each<[string, (next: number) => string]>([
    ['nodes', (next) => `<</Kids[${next} 0 R ${next} 0 R]>>`],
    ['lists of nodes', (next) => `[<</Kids ${next} 0 R>><</Kids ${next} 0 R>>]`],
  ])('is not followed again and again through the same %s', (name, naming) => {
    // Each leads to the next one twice: two to the power of 31 ways.
    const parts = Array.from({ length: 31 }, (_, index) => [900 + index, naming(901 + index)]);
    const isOfNodes = name === 'nodes';
    expect(
      signedTwice({
        ...Object.fromEntries(parts),
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
