import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask, problemFrom } from '../support/ask.ts';
import { contractPdf, detailOf } from '../support/deal.ts';
import { docxOf } from '../support/docx-by-hand.ts';
import { FORM_TYPE, type Part, pieces, postForm, streamOf } from '../support/form.ts';
import { HOSTILE } from '../support/hostile/index.mjs';
import { everything, expectNothingChanged, filesIn } from '../support/look.ts';
import { CORPUS, needsCorpus } from '../support/needs.ts';
import { sharedSuite } from '../support/suite.ts';
import { bmp, gif, tiff, webp } from '../unit/pdf/images/kinds-by-hand.ts';
import { photograph, pngOf } from '../unit/pdf/pictures-by-hand.ts';

const TEN_MIB = 10 * 1024 * 1024;
const corpus = needsCorpus();
const ENCRYPTED = join(CORPUS, 'py-pdf-sample-files/libreoffice-writer-password.pdf');

const contract = new Uint8Array(await (await contractPdf()).arrayBuffer());
const white = pngOf({ width: 2, height: 2, bits: 8, colourType: 2, pixel: () => [255, 255, 255] });

const hostile = (name: string) => HOSTILE.find((file) => file.name === name)!.bytes;

/** A PDF of exactly this many bytes: the comment after its end is part of the file. */
function pdfOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(sizeBytes).fill(0x20);
  padded.set(contract);
  padded.set(new TextEncoder().encode('\n%'), contract.length);
  return padded;
}

const file = (content: string | Uint8Array, filename = 'contract.pdf'): Part[] => [
  { name: 'file', filename, content: typeof content === 'string' ? content : new Uint8Array(content) },
];

sharedSuite(
  'uploading a file',
  (world) => {
    it('answers 201 with a token and a temporary address of the stored file', async () => {
      const { status, body } = await postForm(world(), streamOf(pieces(file(contract))));
      expect(status).toBe(201);
      expect(Object.keys(body).sort()).toEqual(['presigned_url', 'token']);
      const stored = await world().transport(new Request(body.presigned_url ?? ''));
      expect(stored.headers.get('content-type')).toBe('application/pdf');
      expect(new Uint8Array(await stored.arrayBuffer())).toEqual(contract);
    });

    it('gives another token each time, and keeps equal bytes once', async () => {
      const first = await postForm(world(), streamOf(pieces(file(contract))));
      const second = await postForm(world(), streamOf(pieces(file(contract))));
      expect(first.body.token).not.toBe(second.body.token);
      const sha256 = createHash('sha256').update(contract).digest('hex');
      expect(
        (await filesIn(join(world().folder, 'blobs'))).filter((path) => path.endsWith(sha256)),
      ).toHaveLength(1);
    });

    it.each([
      ['PNG', white, 'a.png'],
      ['JPEG', photograph(), 'a.jpg'],
      ['WebP', webp(), 'a.webp'],
      ['GIF', gif(), 'a.gif'],
      ['TIFF', tiff({}), 'a.tiff'],
      ['BMP', bmp(), 'a.bmp'],
      ['PNG called .pdf', white, 'a.pdf'],
      ['PDF called .png', contract, 'a.png'],
      ['DOCX', docxOf('<w:p><w:r><w:t>text</w:t></w:r></w:p>'), 'a.docx'],
    ])('takes a %s by its bytes, as a document with pages', async (_, content, name) => {
      const { status, body } = await postForm(world(), streamOf(pieces(file(content, name))));
      expect(status).toBe(201);
      const { id } = await world().client['transaction.create']({ body: {} });
      await world().client['transaction.add_document']({
        params: { transactionId: id },
        body: { token: body.token ?? '' },
      });
      const [document] = (await detailOf(world(), id)).template.documents;
      expect(document?.pages).toHaveLength(content === contract ? 3 : 1);
      expect(document?.file.original_name).toBe(name);
      const shown = await world().client['file.content']({ params: { fileId: document?.file.id ?? '' } });
      expect(Buffer.from(shown.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    });

    it('says that the layout of a Word document is approximate, where LibreOffice did not make it', async () => {
      const docx = docxOf('<w:p><w:r><w:t>text</w:t></w:r></w:p>');
      const { body } = await postForm(world(), streamOf(pieces(file(docx, 'a.docx'))));
      expect(body).toMatchObject({
        remarks: [{ code: 'approximate_layout', message: expect.stringContaining('install LibreOffice') }],
      });
    });

    it.each([
      ['a text file called .pdf', 'Hello', 'hello.pdf', 'not a type the service knows'],
      ['a web page', '<!doctype html><p>%PDF', 'page.html', 'not a type the service knows'],
      [
        'an old Word document',
        Buffer.from(
          '\u00d0\u00cf\u0011\u00e0 W\u0000o\u0000r\u0000d\u0000D\u0000o\u0000c\u0000u\u0000m\u0000e\u0000n\u0000t\u0000',
          'latin1',
        ),
        'a.doc',
        'a document in the old Word format (.doc)',
      ],
      ['a HEIC photograph', '\0\0\0\x18ftypheic', 'photo.heic', 'a HEIC photograph by its bytes'],
      ['an SVG drawing', '<svg/>', 'drawing.svg', 'accepted. Save it as a JPEG or PDF.'],
    ])('refuses %s by name', async (_, content, name, sentence) => {
      const { status, body } = await expectNothingChanged(world(), () =>
        postForm(world(), streamOf(pieces(file(content, name)))),
      );
      expect({ status, code: body.code }).toEqual({ status: 415, code: 'file_type_not_accepted' });
      expect(body.detail).toContain(`"${name}"`);
      expect(body.detail).toContain(sentence);
    });

    it.each([
      ['an empty file', file(''), 422, 'file_empty', '"contract.pdf" has no bytes'],
      ['a form without a file', [{ name: 'name', content: 'x' }], 422, 'file_missing', 'no part "file"'],
      [
        'a broken PDF',
        file('%PDF-1.7\nnothing else'),
        422,
        'document_unreadable',
        '"contract.pdf" is damaged',
      ],
      [
        'a PDF without its second half',
        file(contract.subarray(0, 5000)),
        422,
        'document_unreadable',
        '"contract.pdf" is incomplete: its end, or part of its content, is missing. Download it or save it again and',
      ],
      [
        'a PDF whose pattern would be drawn for hours',
        file(hostile('tiny tiles')),
        422,
        'document_too_complex',
        '"contract.pdf" is too complex: it contains a pattern that repeats too many times (page 1). Print it to a new PDF and upload it again.',
      ],
      [
        'a form that never ends',
        file(hostile('form doubling 40 times')),
        422,
        'document_too_complex',
        'its form has too many fields. Print it to a new PDF',
      ],
      [
        'a picture of 320 MB',
        file(hostile('deep pixels'), 'a.png'),
        422,
        'document_too_complex',
        '"a.png" is too complex: it has too many bytes when unpacked (319,936,000; at most 167,772,160 are allowed). Make the picture smaller and',
      ],
      [
        'a broken PNG',
        file(white.subarray(0, 30), 'a.png'),
        422,
        'document_unreadable',
        '"a.png" is damaged',
      ],
      [
        'a name of 256 characters',
        [{ name: 'name', content: 'x'.repeat(256) }, ...file(contract)],
        422,
        'validation_failed',
        'this has 256',
      ],
      [
        'an empty name',
        [{ name: 'name', content: '' }, ...file(contract)],
        422,
        'validation_failed',
        'name must not be empty',
      ],
      [
        'a name with NUL',
        [{ name: 'name', content: 'a\u0000.pdf' }, ...file(contract)],
        422,
        'validation_failed',
        'control characters',
      ],
      [
        'a name with an escape sequence',
        [{ name: 'name', content: '\u001b[2J.pdf' }, ...file(contract)],
        422,
        'validation_failed',
        'control',
      ],
      [
        'a file name with an escape sequence',
        file(contract, '\u001b[2J.pdf'),
        422,
        'validation_failed',
        'name must not contain control',
      ],
      [
        'a file name that turns text round',
        file(contract, 'a\u202efdp.exe'),
        422,
        'validation_failed',
        'name must not contain control',
      ],
    ] as [string, Part[], number, string, string][])(
      'refuses %s',
      async (_, parts, status, code, sentence) => {
        const answered = await expectNothingChanged(world(), () =>
          postForm(world(), streamOf(pieces(parts))),
        );
        expect({ status: answered.status, code: answered.body.code }).toEqual({ status, code });
        expect(answered.body.detail).toContain(sentence);
      },
    );

    it.each([
      [
        'no form',
        { 'content-type': 'application/pdf' },
        415,
        'unsupported_media_type',
        'multipart/form-data, not application/pdf',
      ],
      [
        'a form without boundary',
        { 'content-type': 'multipart/form-data' },
        400,
        'malformed_multipart',
        'no boundary',
      ],
      [
        'a form with an empty boundary',
        { 'content-type': 'multipart/form-data; charset=x' },
        400,
        'malformed_multipart',
        'no boundary',
      ],
    ])('refuses %s', async (_, headers, status, code, sentence) => {
      const problem = await expectNothingChanged(world(), () =>
        problemFrom(world(), 'POST /v1/file/upload', { headers, body: 'x' }),
      );
      expect(problem).toMatchObject({ status, code });
      expect(problem.detail).toContain(sentence);
    });

    it('refuses a request without a body', async () => {
      const problem = await problemFrom(world(), 'POST /v1/file/upload', {
        headers: { 'content-type': FORM_TYPE },
      });
      expect(problem).toMatchObject({ status: 400, code: 'malformed_multipart' });
    });

    it('refuses a form that ends in the middle of the file, and keeps nothing', async () => {
      const cut = pieces(file(contract), { cut: true });
      const { status, body } = await expectNothingChanged(world(), () => postForm(world(), streamOf(cut)));
      expect({ status, code: body.code }).toEqual({ status: 400, code: 'malformed_multipart' });
    });

    it('keeps nothing when the body breaks off, and goes on', async () => {
      const attempt = postForm(
        world(),
        streamOf(pieces(file(contract), { cut: true, pieceBytes: 1000 }), 'break'),
      );
      // Over HTTP the connection is gone and nobody hears the answer; in process it is a refusal.
      const outcome = await attempt.then(({ status }) => status).catch(() => 'connection lost');
      expect([400, 'connection lost']).toContain(outcome);
      await expect
        .poll(async () => (await everything(world())).blobs?.filter((path) => path.endsWith('.tmp')))
        .toEqual([]);
      expect((await postForm(world(), streamOf(pieces(file(contract))))).status).toBe(201);
    });

    it.skipIf(corpus.skip)(`refuses a PDF that needs a password by name${corpus.why}`, async () => {
      const content = readFileSync(ENCRYPTED);
      const { status, body } = await expectNothingChanged(world(), () =>
        postForm(world(), streamOf(pieces(file(content, 'secret.pdf')))),
      );
      expect({ status, code: body.code }).toEqual({ status: 422, code: 'document_encrypted' });
      expect(body.detail).toContain('"secret.pdf"');
    });
  },
  'over HTTP in the slow tier',
);

sharedSuite('a form with more than one file', (world) => {
  it('is refused, however large the second is, and nothing of it stays', async () => {
    const second = { name: 'file', filename: 'b.pdf', content: pdfOf(TEN_MIB) };
    const parts = [{ name: 'file', filename: 'a.txt', content: 'text' }, second];
    const answered = await expectNothingChanged(world(), () => postForm(world(), streamOf(pieces(parts))));
    expect(answered).toMatchObject({ status: 400, body: { code: 'malformed_multipart' } });
    expect(answered.body.detail).toContain('more than one file');
  });
});

sharedSuite(
  'the limit of 10 MB',
  (world) => {
    it('takes exactly 10 MiB, of known and of unknown length', async () => {
      const whole = pieces(file(pdfOf(TEN_MIB)), { pieceBytes: 1 << 20 });
      expect((await postForm(world(), streamOf(whole))).status).toBe(201);
      expect((await postForm(world(), new Blob(whole))).status).toBe(201);
    });

    it.each(['known', 'unknown'])(
      'refuses one byte more, of %s length, and keeps nothing',
      async (length) => {
        const whole = pieces(file(pdfOf(TEN_MIB + 1)), { pieceBytes: 1 << 20 });
        const { status, body } = await expectNothingChanged(world(), () =>
          postForm(world(), length === 'known' ? new Blob(whole) : streamOf(whole)),
        );
        expect({ status, code: body.code }).toEqual({ status: 413, code: 'file_too_large' });
        expect(body.detail).toContain(String(TEN_MIB));
        expect((await ask(world(), 'GET /v1/webhook?limit=1&page=1')).status).toBe(200);
      },
    );

    it('says so while the file is still coming', async () => {
      const endless = pieces(file(new Uint8Array(TEN_MIB + 1)), { cut: true, pieceBytes: 1 << 20 });
      const { status, body } = await expectNothingChanged(world(), () =>
        postForm(world(), streamOf(endless, 'hang')),
      );
      expect({ status, code: body.code }).toEqual({ status: 413, code: 'file_too_large' });
    });
  },
  'over HTTP in the slow tier',
);

sharedSuite(
  'names of files',
  (world) => {
    const names = [
      '../../etc/passwd',
      'C:\\x\\y.pdf',
      '/dev/null',
      '.',
      '..',
      'Vertrag für Zoë – 契約書 🖋.pdf',
      'x'.repeat(255),
      '🖋'.repeat(255),
      'a"b\'c`d$(e);f|g&h.pdf',
      '<script>.pdf',
      '%2e%2e%2fsecret.pdf',
    ];

    describe.each(names)('%s', (name) => {
      it('comes back as it was given and never becomes part of a path', async () => {
        const parts: Part[] = [{ name: 'name', content: name }, ...file(contract, 'other.pdf')];
        const { status, body } = await postForm(world(), streamOf(pieces(parts)));
        expect(status).toBe(201);
        const { id } = await world().client['transaction.create']({ body: {} });
        await world().client['transaction.add_document']({
          params: { transactionId: id },
          body: { token: body.token ?? '' },
        });
        const [document] = (await detailOf(world(), id)).template.documents;
        expect(document?.file.original_name).toBe(name);
        for (const path of await filesIn(world().folder))
          expect(path).toMatch(/^(key|store\.db(-wal|-shm)?|blobs\/[0-9a-f]{2}\/[0-9a-f]{64})$/);
      });
    });

    it.each([
      ['../../etc/passwd', 'passwd'],
      ['C:\\\\x\\\\y.pdf', 'y.pdf'],
      ['Vertrag für Zoë.pdf', 'Vertrag für Zoë.pdf'],
      ['', 'document'],
    ])('takes the last part of the file name %j where no name is given', async (filename, name) => {
      const { body } = await postForm(world(), streamOf(pieces(file(contract, filename))));
      const { id } = await world().client['transaction.create']({ body: {} });
      await world().client['transaction.add_document']({
        params: { transactionId: id },
        body: { token: body.token ?? '' },
      });
      expect((await detailOf(world(), id)).template.documents[0]?.file.original_name).toBe(name);
    });
  },
  'over HTTP in the slow tier',
);
