// The objects of the base file in the form for the web: the section of the first page is at the beginning, and the one that it
// names as its predecessor follows.
import { basePdf } from './signed-pdf.ts';

/** @param rest more entries of the trailer at the end; most programs leave the catalog to the one at the beginning */
export function linearizedPdf(rest = ''): Buffer {
  const text = basePdf().toString('latin1');
  const objects = text.slice(text.indexOf('1 0 obj'), text.indexOf('xref\n'));
  const count = objects.match(/^\d+ 0 obj$/gm)!.length;
  const place = (at: number) => String(at).padStart(10, '0');
  const written = (places: readonly number[], own: number, first: number, last: number, length: number) => {
    const rows = places.map((at) => `${place(at)} 00000 n \n`).join('');
    const parameters = `<</Linearized 1/L ${place(length)}/N 1/O 3>>`;
    const trailer = `<</Size ${count + 2}/Root 1 0 R/Info 11 0 R/Prev ${place(last)}>>`;
    return {
      head: `%PDF-1.7\n${count + 1} 0 obj\n${parameters}\nendobj\n`,
      table: `xref\n1 ${count + 1}\n${rows}${place(own)} 00000 n \ntrailer\n${trailer}\nstartxref\n0\n%%EOF\n`,
      end: `xref\n0 1\n0000000000 65535 f \ntrailer\n<</Size ${count + 1}${rest}>>\nstartxref\n${first}\n%%EOF\n`,
    };
  };
  const draft = written(Array<number>(count).fill(0), 0, 0, 0, 0);
  const first = draft.head.length;
  const start = first + draft.table.length;
  const last = start + objects.length;
  const places = [...objects.matchAll(/^\d+ 0 obj$/gm)].map(({ index }) => start + index);
  const own = draft.head.indexOf(`${count + 1} 0 obj`);
  const length = last + written(places, own, first, last, 0).end.length;
  const { head, table, end } = written(places, own, first, last, length);
  return Buffer.from(head + table + objects + end, 'latin1');
}
