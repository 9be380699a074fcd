// Files whose objects refer to each other so that following all references takes practically for ever.
import { MIB, onePage, pdfOf, stream } from './parts.mjs';

const levels = (count, object) => Array.from({ length: count }, (_, level) => object(level));

/** A form whose fields have two kids each, and both are the same: 2 to the power of `depth` at the end. */
const doublingForm = (depth) => () => {
  const node = (level) => `<</T(a)/Kids[${level + 6} 0 R ${level + 6} 0 R]>>`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</DA(/Helv 0 Tf)/Fields[5 0 R]>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<>>>>',
    stream('', ''),
    ...levels(depth, node),
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(z)/Rect[0 0 9 9]>>',
  ]);
};

export const formDoubling24 = doublingForm(24);
export const formDoubling40 = doublingForm(40);

/** Fields in one line, each the kid of the one before. */
export const deepForm = () => {
  const depth = 40_000;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R]>>>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<<>>>>',
    stream('', ''),
    ...levels(depth, (level) => `<</T(a)/Kids[${level + 6} 0 R]>>`),
    '<</Type/Annot/Subtype/Widget/FT/Tx/T(z)/Rect[0 0 9 9]>>',
  ]);
};

/** Drawings in drawings: 16 levels, each drawing the next four times. */
export const nestedForms = () => {
  const depth = 16;
  const form = (level) =>
    stream(
      `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F ${level + 6} 0 R>>>>`,
      '/F Do /F Do /F Do /F Do',
    );
  const last = stream('/Type/XObject/Subtype/Form/BBox[0 0 9 9]', '0 0 9 9 re f');
  return onePage('/F Do', '/XObject<</F 5 0 R>>', [...levels(depth, form), last]);
};

/** A page tree whose nodes name one child twice each; its root says that there is one page. */
const sharedTree = (depth, count) => () =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    ...levels(
      depth,
      (level) => `<</Type/Pages/Count ${count(level)}/Kids[${level + 3} 0 R ${level + 3} 0 R]>>`,
    ),
    '<</Type/Page/MediaBox[0 0 9 9]>>',
  ]);

export const sharedPages = sharedTree(24, (level) => 2 ** (24 - level));
export const sharedPagesDenied = sharedTree(40, () => 900);

/** Pages in one line of 40,000 nodes. */
export const deepPages = () => {
  const depth = 40_000;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    ...levels(
      depth,
      (level) => `<</Type/Pages/Count 1/Parent ${Math.max(1, level + 1)} 0 R/Kids[${level + 3} 0 R]>>`,
    ),
    `<</Type/Page/Parent ${depth + 1} 0 R/MediaBox[0 0 9 9]>>`,
  ]);
};

/** One page, named a million times. */
export const samePage = () => {
  const count = 1_000_000;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/Kids[${'3 0 R '.repeat(count)}]>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
  ]);
};

/** 10 MB of opening brackets. */
export const brackets = () => {
  const head = '%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/X ';
  return Buffer.from(head + '['.repeat(10 * MIB - head.length));
};

/** Cross-reference tables that name each other, one of them itself. */
export const xrefCycle = () => {
  const body = onePage('0 0 9 9 re f').toString('latin1');
  const table = body.lastIndexOf('xref\n0 ');
  const at = body.indexOf('trailer', table);
  const first = body.slice(0, at);
  const second = `${first}trailer\n<</Size 5/Root 1 0 R/Prev 0000000000>>\nstartxref\n${table}\n%%EOF\n`;
  const xref = (prev) => `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size 5/Root 1 0 R/Prev ${prev}>>\n`;
  const third = second.length;
  const text = `${second.replace('0000000000>>', `${String(third).padStart(10, '0')}>>`)}${xref(table)}`;
  return Buffer.from(`${text}${xref(text.length)}startxref\n${third}\n%%EOF\n`, 'latin1');
};

/** A thousand pages whose unit is an object of 9 MB. */
export const unitFarAway = () => {
  const count = 1000;
  const kids = levels(count, (level) => `${level + 4} 0 R`).join(' ');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${count}/MediaBox[0 0 9 9]/Kids[${kids}]>>`,
    `(${'x'.repeat(9_000_000)})`,
    ...levels(count, () => '<</Type/Page/Parent 2 0 R/UserUnit 3 0 R>>'),
  ]);
};
