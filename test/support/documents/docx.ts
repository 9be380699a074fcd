// Builds a DOCX from the XML of a test: the other parts are the minimum that Word itself accepts.
import { type Zippable, zipSync } from 'fflate';

const OFFICE = 'http://schemas.openxmlformats.org';
const NAMESPACES = [
  ['w', `${OFFICE}/wordprocessingml/2006/main`],
  ['r', `${OFFICE}/officeDocument/2006/relationships`],
  ['wp', `${OFFICE}/drawingml/2006/wordprocessingDrawing`],
  ['a', `${OFFICE}/drawingml/2006/main`],
  ['pic', `${OFFICE}/drawingml/2006/picture`],
  ['c', `${OFFICE}/drawingml/2006/chart`],
  ['mc', `${OFFICE}/markup-compatibility/2006`],
  ['m', `${OFFICE}/officeDocument/2006/math`],
  ['wps', 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape'],
  ['v', 'urn:schemas-microsoft-com:vml'],
  ['o', 'urn:schemas-microsoft-com:office:office'],
]
  .map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`)
  .join(' ');
const TYPES = `${OFFICE}/package/2006/content-types`;
const RELATIONSHIPS = `${OFFICE}/package/2006/relationships`;
const WORD = 'application/vnd.openxmlformats-officedocument.wordprocessingml';
export const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';

export type DocxParts = {
  body: string;
  styles?: string;
  numbering?: string;
  settings?: string;
  footnotes?: string;
  endnotes?: string;
  /** `header1`, `footer1`: their content. */
  running?: Record<string, string>;
  /** Pictures and other files, by the name in `word/`. */
  files?: Record<string, Uint8Array | string>;
  /** `[id, kind, target]`, or with `'External'` as the fourth. */
  relationships?: readonly (readonly [string, string, string, string?])[];
};

const part = (root: string, content: string): string =>
  `${XML}<w:${root} ${NAMESPACES}>${content}</w:${root}>`;

export function partsOfDocx(parts: DocxParts): Record<string, string | Uint8Array> {
  const {
    body,
    styles,
    numbering,
    settings,
    footnotes,
    endnotes,
    running = {},
    files = {},
    relationships = [],
  } = parts;
  const roots: Record<string, string | undefined> = { styles, numbering, settings, footnotes, endnotes };
  const named = Object.entries(roots).filter(([, content]) => content !== undefined);
  const links = [
    ...named.map(([name]) => [`own-${name}`, name, `${name}.xml`] as const),
    ...Object.keys(running).map((name) => [name, name.replace(/\d+$/, ''), `${name}.xml`] as const),
    ...relationships,
  ];
  return {
    '[Content_Types].xml': contentTypes([...named.map(([name]) => name), ...Object.keys(running)]),
    '_rels/.rels': relationshipsXml([['rId1', 'officeDocument', 'word/document.xml']]),
    'word/document.xml': part('document', `<w:body>${body}</w:body>`),
    'word/_rels/document.xml.rels': relationshipsXml(links),
    ...Object.fromEntries(named.map(([name, content]) => [`word/${name}.xml`, part(name, content!)])),
    ...Object.fromEntries(
      Object.entries(running).map(([name, content]) => [
        `word/${name}.xml`,
        part(name.startsWith('header') ? 'hdr' : 'ftr', content),
      ]),
    ),
    ...Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`word/${name}`, bytes])),
  };
}

export const docxOf = (parts: DocxParts | string): Uint8Array =>
  zipOf(partsOfDocx(typeof parts === 'string' ? { body: parts } : parts));

export function zipOf(parts: Record<string, string | Uint8Array>): Uint8Array {
  const files: Zippable = {};
  for (const [name, content] of Object.entries(parts))
    files[name] = [typeof content === 'string' ? Buffer.from(content) : content, { mtime: '2026-01-01' }];
  return zipSync(files);
}

function contentTypes(names: readonly string[]): string {
  const overrides = names.map(
    (name) =>
      `<Override PartName="/word/${name}.xml" ContentType="${WORD}.${name.replace(/\d+$/, '')}+xml"/>`,
  );
  const main = `<Override PartName="/word/document.xml" ContentType="${WORD}.document.main+xml"/>`;
  const defaults = Object.entries({
    rels: 'application/vnd.openxmlformats-package.relationships+xml',
    xml: 'application/xml',
    png: 'image/png',
    jpg: 'image/jpeg',
  }).map(([extension, type]) => `<Default Extension="${extension}" ContentType="${type}"/>`);
  return `${XML}<Types xmlns="${TYPES}">${defaults.join('')}${main}${overrides.join('')}</Types>`;
}

function relationshipsXml(links: readonly (readonly [string, string, string, string?])[]): string {
  const all = links.map(([id, kind, target, mode]) => {
    const type = `${OFFICE}/officeDocument/2006/relationships/${kind}`;
    return `<Relationship Id="${id}" Type="${type}" Target="${target}"${mode ? ` TargetMode="${mode}"` : ''}/>`;
  });
  return `${XML}<Relationships xmlns="${RELATIONSHIPS}">${all.join('')}</Relationships>`;
}

// --- Words of WordprocessingML that tests use again and again. ---

export const run = (text: string, properties = ''): string =>
  `<w:r>${properties && `<w:rPr>${properties}</w:rPr>`}<w:t xml:space="preserve">${text}</w:t></w:r>`;

export const paragraph = (content: string, properties = ''): string =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content.startsWith('<') ? content : run(content)}</w:p>`;

export const cell = (content: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${content.startsWith('<') ? content : paragraph(content)}</w:tc>`;

export const row = (cells: readonly string[], properties = ''): string =>
  `<w:tr>${properties && `<w:trPr>${properties}</w:trPr>`}${cells.join('')}</w:tr>`;

const LINES = ['top', 'left', 'bottom', 'right', 'insideH', 'insideV']
  .map((side) => `<w:${side} w:val="single" w:sz="4" w:color="000000"/>`)
  .join('');

export const table = (columns: readonly number[], rows: readonly string[], properties = ''): string =>
  `<w:tbl><w:tblPr><w:tblBorders>${LINES}</w:tblBorders>${properties}</w:tblPr><w:tblGrid>${columns
    .map((width) => `<w:gridCol w:w="${width}"/>`)
    .join('')}</w:tblGrid>${rows.join('')}</w:tbl>`;

export const section = (content: string, size = '<w:pgSz w:w="11906" w:h="16838"/>'): string =>
  `<w:sectPr>${content}${size}<w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="708" w:footer="708"/></w:sectPr>`;

export const docxField = (code: string, result: string): string =>
  `<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> ${code} </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r>${run(result)}<w:r><w:fldChar w:fldCharType="end"/></w:r>`;

/** Width and height in points. */
export const picture = (id: string, width: number, height: number, anchor = ''): string => {
  const extent = `<wp:extent cx="${width * 12_700}" cy="${height * 12_700}"/>`;
  const graphic = `<a:graphic><a:graphicData uri="p"><pic:pic><pic:nvPicPr><pic:cNvPr id="1" name="Logo"/></pic:nvPicPr><pic:blipFill><a:blip r:embed="${id}"/></pic:blipFill></pic:pic></a:graphicData></a:graphic>`;
  const named = '<wp:docPr id="1" name="Picture"/>';
  const placed = anchor
    ? `<wp:anchor behindDoc="0">${anchor}${extent}<wp:wrapNone/>${named}${graphic}</wp:anchor>`
    : `<wp:inline>${extent}${named}${graphic}</wp:inline>`;
  return `<w:r><w:drawing>${placed}</w:drawing></w:r>`;
};

const level = (index: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${index}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/>${more}<w:pPr><w:ind w:left="${720 * (index + 1)}" w:hanging="360"/></w:pPr></w:lvl>`;

/** 1 counts `1.`, `1.1.`, `(a)`; 2 is one of bullets; 3 is 1 again, from its beginning. */
export const LISTS = [
  `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2.')}${level(2, 'lowerLetter', '(%3)')}</w:abstractNum>`,
  `<w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '\uf0b7', '<w:rPr><w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/></w:rPr>')}${level(1, 'bullet', 'o')}</w:abstractNum>`,
  '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
  '<w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>',
  '<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>',
].join('');

export const item = (list: number, depth: number, text: string): string =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${depth}"/><w:numId w:val="${list}"/></w:numPr>`);

export const STYLES = [
  '<w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Calibri" w:hAnsi="Calibri"/><w:sz w:val="22"/></w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="259" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>',
  '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>',
  '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/><w:basedOn w:val="Normal"/><w:pPr><w:keepNext/><w:spacing w:before="240" w:after="0"/></w:pPr><w:rPr><w:b/><w:color w:val="2F5496"/><w:sz w:val="32"/></w:rPr></w:style>',
  '<w:style w:type="paragraph" w:styleId="Heading2"><w:name w:val="heading 2"/><w:basedOn w:val="Heading1"/><w:rPr><w:sz w:val="26"/></w:rPr></w:style>',
  '<w:style w:type="character" w:styleId="Hyperlink"><w:name w:val="Hyperlink"/><w:rPr><w:color w:val="0563C1"/><w:u w:val="single"/></w:rPr></w:style>',
].join('');
