import { PDFDocument, PDFName } from '@cantoo/pdf-lib';
import { describe, expect, test } from 'vitest';
import { encodePng, renderPage } from '../../../src/pdf/render/render.ts';
import { contentPdf } from '../../support/documents/pdf.ts';
import { colorName, pngOfPage, quarters, readPixels, shown } from '../../support/documents/pixels.ts';

// The upper left quarter of the page as it is written, before any turn.
const redCorner = '1 0 0 rg 0 100 50 100 re f';

describe('encodePng', () => {
  test('every pixel comes back, with the fourth byte ignored', async () => {
    const rgbx = Uint8Array.from({ length: 7 * 5 * 4 }, (_, index) => (index * 37) & 0xff);
    const picture = readPixels(await encodePng(rgbx, 7, 5));
    for (let y = 0; y < 5; y += 1) {
      for (let x = 0; x < 7; x += 1) {
        const start = (y * 7 + x) * 4;
        expect(picture.at(x, y)).toEqual([...rgbx.subarray(start, start + 3), 255]);
      }
    }
  });

  test('a picture without color is written in gray', async () => {
    const rgbx = Uint8Array.from({ length: 4 * 4 * 4 }, (_, index) => (index >> 2) * 16);
    const png = Buffer.from(await encodePng(rgbx, 4, 4));
    expect(png[25]).toBe(0);
    expect(readPixels(png).at(3, 2)).toEqual([176, 176, 176, 255]);
  });
});

describe('renderPage', () => {
  test('one pixel a point at 72 dpi, on white', async () => {
    const picture = await shown(contentPdf(redCorner));
    expect([picture.width, picture.height]).toEqual([100, 200]);
    expect(quarters(picture)).toEqual(['red', 'white', 'white', 'white']);
  });

  test.each([
    [90, 200, 100, ['white', 'red', 'white', 'white']],
    [180, 100, 200, ['white', 'white', 'white', 'red']],
    [270, 200, 100, ['white', 'white', 'red', 'white']],
  ])('turned by %i', async (rotation, width, height, colors) => {
    const picture = await shown(contentPdf(redCorner, `/MediaBox[0 0 100 200]/Rotate ${rotation}`));
    expect([picture.width, picture.height]).toEqual([width, height]);
    expect(quarters(picture)).toEqual(colors);
  });

  test('only the CropBox, and UserUnit makes it larger', async () => {
    const page = '/MediaBox[0 0 100 200]/CropBox[0 100 50 200]/UserUnit 2';
    const picture = await shown(contentPdf(redCorner, page));
    expect([picture.width, picture.height]).toEqual([100, 200]);
    expect(quarters(picture)).toEqual(['red', 'red', 'red', 'red']);
  });

  test.each([
    ['/MediaBox[0 0 100 200]', 300],
    ['/MediaBox[0 0 2000000 3]', 72],
    ['/MediaBox[0 0 3 2000000]', 72],
    ['/MediaBox[0 0 1000000 1000000]', 600],
  ])('never more pixels than allowed: %s at %i dpi', async (page, dpi) => {
    const { width, height } = readPixels(await pngOfPage(contentPdf('', page), 0, { dpi, maxPixels: 5000 }));
    expect(width * height).toBeLessThanOrEqual(5000);
    expect(width * height).toBeGreaterThan(4000);
  });

  test('values of form fields and annotations are drawn', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([100, 200]);
    const field = document.getForm().createTextField('name');
    field.addToPage(page, { x: 0, y: 0, width: 50, height: 100, borderWidth: 0 });
    const fill = document.context.flateStream('0 0 1 rg 0 0 50 100 re f');
    fill.dict.set(PDFName.of('Type'), PDFName.of('XObject'));
    fill.dict.set(PDFName.of('Subtype'), PDFName.of('Form'));
    fill.dict.set(PDFName.of('BBox'), document.context.obj([0, 0, 50, 100]));
    const appearance = document.context.register(fill);
    field.acroField.getWidgets()[0]!.setNormalAppearance(appearance);
    const annotation = {
      Type: 'Annot',
      Subtype: 'Stamp',
      F: 4,
      Rect: [50, 100, 100, 200],
      AP: { N: appearance },
    };
    page.node.addAnnot(document.context.register(document.context.obj(annotation)));
    const picture = await shown(await document.save({ updateFieldAppearances: false }));
    expect(quarters(picture)).toEqual(['white', 'blue', 'blue', 'white']);
  });

  test('a page that does not exist is a mistake of the caller, and the next call works', async () => {
    await expect(renderPage(contentPdf(''), 3, { dpi: 72, maxPixels: 5000 })).rejects.toThrow('no page 3');
    expect(colorName((await shown(contentPdf(redCorner))).at(1, 1))).toBe('red');
  });
});
