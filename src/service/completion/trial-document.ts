// The smallest PDF that can be sealed: one empty page with a field for the seal. Nobody ever sees it.

export const TRIAL_FIELD = 'Seal';

const OBJECTS = [
  '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]/SigFlags 3>>>>',
  '<</Type/Pages/Kids[3 0 R]/Count 1>>',
  '<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 100]/Resources<<>>/Annots[4 0 R]>>',
  `<</Type/Annot/Subtype/Widget/FT/Sig/T(${TRIAL_FIELD})/Rect[0 0 0 0]/F 132/P 3 0 R>>`,
];

export function trialDocument(): Uint8Array {
  let text = '%PDF-1.7\n';
  const places = OBJECTS.map((content, index) => {
    const place = `${String(text.length).padStart(10, '0')} 00000 n \n`;
    text += `${index + 1} 0 obj\n${content}\nendobj\n`;
    return place;
  });
  const size = OBJECTS.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${places.join('')}`;
  const end = `trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + end, 'latin1');
}
