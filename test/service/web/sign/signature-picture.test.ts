// A signature as a picture: it is decoded and drawn anew, its paper is gone, and nothing else of the file is kept.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PNG } from 'pngjs';
import { expect, test } from 'vitest';
import { LIMITS } from '../../../../src/api/contract/limits.ts';
import { loadWords } from '../../../../src/service/web/sign/words.ts';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  giveConsent,
  openSigningPages,
  startWithEveryField,
} from '../../../support/fixtures/signing-pages.ts';
import { sampleOf } from '../../../support/tier.ts';

const EN = await loadWords('en');

/** Gray paper with a dark stroke, and a secret in a chunk of text that no picture needs. */
function photograph({ paper = 200, ink = 20, width = 300, height = 120 } = {}): Buffer {
  const png = new PNG({ width, height });
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const isInk = x > 50 && x < 250 && y > 50 && y < 60;
      png.data.set(
        [isInk ? ink : paper, isInk ? ink : paper, isInk ? ink + 60 : paper, 255],
        (y * width + x) * 4,
      );
    }
  const bytes = PNG.sync.write(png);
  const text = Buffer.concat([Buffer.from('tEXtComment\0SECRET-OF-THE-CAMERA')]);
  const chunk = Buffer.alloc(text.length + 8);
  chunk.writeUInt32BE(text.length - 4, 0);
  text.copy(chunk, 4);
  chunk.writeUInt32BE(crc32(text), chunk.length - 4);
  return Buffer.concat([bytes.subarray(0, 33), chunk, bytes.subarray(33)]);
}

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}

describeSharedService('a signature as a picture', (harness) => {
  const adopt = async (bytes: Uint8Array, name = 'signature.png') => {
    const transaction = await startWithEveryField(harness());
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    const page = await guest.open('signature');
    const sent = await guest.sendFile(
      page,
      `${guest.base}/signature`,
      {},
      new File([Uint8Array.from(bytes)], name),
    );
    return { transaction, guest, sent };
  };

  test('is announced for the one field of its kind, or for all of several', async () => {
    const transaction = await startWithEveryField(harness());
    const guest = await giveConsent(await openSigningPages(harness(), transaction.token));
    const fields = transaction.detail.template.fields.filter(({ type }) => type === 'initials').length;
    expect((await guest.open('signature?for=initials')).text).toContain(
      fields === 1 ? EN.adoptHint : EN.adoptHintAll,
    );
    expect([EN.adoptHint, EN.adoptHintAll].map((hint) => hint.split('.')[0])).toEqual([
      'This fills in the field',
      'This fills in all matching fields',
    ]);
  });

  test('is put into all signature fields, without its paper', async () => {
    const { transaction, guest, sent } = await adopt(photograph());
    expect(sent.location).toBe(`${guest.base}/document`);
    const document = await guest.open('document');
    const pictures = [...document.html.matchAll(/<img src="([^"]*marks[^"]*)"/g)].map(([, path]) => path);
    expect(pictures).toHaveLength(3);
    const { store } = harness();
    const row = await store.database.read((db) =>
      db
        .selectFrom('signing')
        .selectAll()
        .where('recipient_id', '=', transaction.recipientId)
        .executeTakeFirst(),
    );
    const { signature } = JSON.parse(store.keys.decrypt(row?.values_sealed ?? ''));
    expect(signature.kind).toBe('uploaded');
    const png = PNG.sync.read(Buffer.from(signature.value.split(',')[1], 'base64'));
    // Trimmed to the stroke, which is twenty times as wide as it is high.
    expect(png.width / png.height).toBeGreaterThan(15);
    const [red, green, blue, alpha] = png.data.subarray(png.data.length / 2, png.data.length / 2 + 4);
    expect(alpha).toBeGreaterThan(200);
    expect(Math.max(red ?? 255, green ?? 255)).toBeLessThan(60);
    expect(blue).toBeGreaterThan((red ?? 0) + 20);
  });

  test.each(
    sampleOf(
      [
        ['signature', EN.signatureTitle],
        ['initials', EN.initialsTitle],
      ],
      2,
    ),
  )('that is too large is answered on the page for %s that it was meant for', async (mark, title) => {
    const { token } = await startWithEveryField(harness());
    const guest = await giveConsent(await openSigningPages(harness(), token));
    const page = await guest.open(`signature?for=${mark}`);
    const file = new File([new Uint8Array(LIMITS.fileBytes + 1)], 'large.png');
    const sent = await guest.sendFile(page, `${guest.base}/signature`, {}, file);
    expect(sent).toMatchObject({ status: 422, text: expect.stringContaining(EN.pictureTooLarge) });
    expect(sent.html).toContain(`<h1>${title}</h1>`);
    expect(sent.html).toContain(`data-mark="${mark}"`);
  });

  test('leaves nothing else of the file anywhere', async () => {
    await adopt(photograph());
    const files = await readdir(harness().folder, { recursive: true, withFileTypes: true });
    for (const file of files.filter((entry) => entry.isFile())) {
      // The picture of a page that is drawn meanwhile loses its temporary name.
      const bytes = await readFile(join(file.parentPath, file.name)).catch(() => undefined);
      expect(bytes?.includes('SECRET-OF-THE-CAMERA') ?? false).toBe(false);
    }
  });

  test.each(
    sampleOf(
      [
        ['no picture', Buffer.from('hello'), 'signature.png'],
        ['half a picture', photograph().subarray(0, 200), 'signature.png'],
        ['a PDF', Buffer.from('%PDF-1.7\n%%EOF'), 'signature.png'],
        ['white paper', photograph({ ink: 200 - 60, paper: 200, width: 40, height: 40 }), 'signature.png'],
      ],
      2,
    ),
  )('that is %s is refused with a sentence', async (_, bytes, name) => {
    const { guest, sent } = await adopt(bytes, name);
    expect(sent.status).toBe(422);
    expect(sent.text).toContain('This file cannot be used as a signature');
    expect((await guest.open('document')).text).toContain('8 fields left');
  });
});
