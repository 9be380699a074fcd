import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertUnchanged, filesIn, snapshotOf } from '../support/assert-unchanged.ts';
import { describeSharedService } from '../support/describe-service.ts';
import { docxOf } from '../support/documents/docx.ts';
import { encryptedPdf } from '../support/documents/encrypted-pdf.ts';
import { HOSTILE } from '../support/documents/hostile/index.mjs';
import { bmp, gif, tiff, webp } from '../support/documents/picture-kinds.ts';
import { photograph, pngOf } from '../support/documents/pictures.ts';
import { contractPdf, readDetail } from '../support/fixtures/transactions.ts';
import { problemFrom, sendRequest } from '../support/http-client.ts';
import {
  bodyStreamOf,
  MULTIPART_TYPE,
  type MultipartPart,
  multipartChunks,
  postMultipart,
} from '../support/multipart.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const TEN_MIB = 10 * 1024 * 1024;

const contract = new Uint8Array(await (await contractPdf()).arrayBuffer());
const white = pngOf({ width: 2, height: 2, bits: 8, colorType: 2, pixel: () => [255, 255, 255] });

const hostile = (name: string) => HOSTILE.find((file) => file.name === name)!.bytes;

/** A PDF of exactly this many bytes: the comment after its end is part of the file. */
function pdfOf(sizeBytes: number): Uint8Array<ArrayBuffer> {
  const padded = new Uint8Array(sizeBytes).fill(0x20);
  padded.set(contract);
  padded.set(new TextEncoder().encode('\n%'), contract.length);
  return padded;
}

const file = (content: string | Uint8Array, filename = 'contract.pdf'): MultipartPart[] => [
  { name: 'file', filename, content: typeof content === 'string' ? content : new Uint8Array(content) },
];

describeSharedService('uploading a file', (harness) => {
  test('answers 201 with a token and a temporary address of the stored file', async () => {
    const { status, body } = await postMultipart(harness(), bodyStreamOf(multipartChunks(file(contract))));
    expect(status).toBe(201);
    expect(Object.keys(body).sort()).toEqual(['presigned_url', 'token']);
    const stored = await harness().transport(new Request(body.presigned_url ?? ''));
    expect(stored.headers.get('content-type')).toBe('application/pdf');
    expect(stored.headers.get('content-disposition')).toMatch(/^inline; filename="contract.pdf"; /);
    expect(new Uint8Array(await stored.arrayBuffer())).toEqual(contract);
  });

  test('gives another token each time, and keeps equal bytes once', async () => {
    const first = await postMultipart(harness(), bodyStreamOf(multipartChunks(file(contract))));
    const second = await postMultipart(harness(), bodyStreamOf(multipartChunks(file(contract))));
    expect(first.body.token).not.toBe(second.body.token);
    const sha256 = createHash('sha256').update(contract).digest('hex');
    expect(
      (await filesIn(join(harness().folder, 'blobs'))).filter((path) => path.endsWith(sha256)),
    ).toHaveLength(1);
  });

  test.each(
    sampleOf(
      [
        ['PNG', white, 'a.png'],
        ['JPEG', photograph(), 'a.jpg'],
        ['WebP', webp(), 'a.webp'],
        ['GIF', gif(), 'a.gif'],
        ['TIFF', tiff({}), 'a.tiff'],
        ['BMP', bmp(), 'a.bmp'],
        ['PNG called .pdf', white, 'a.pdf'],
        ['PDF called .png', contract, 'a.png'],
        ['DOCX', docxOf('<w:p><w:r><w:t>text</w:t></w:r></w:p>'), 'a.docx'],
      ],
      5,
    ),
  )(
    'takes a %s by its bytes, as a document with pages, and gives it back as PDF',
    async (_, content, name) => {
      const { status, body } = await postMultipart(
        harness(),
        bodyStreamOf(multipartChunks(file(content, name))),
      );
      expect(status).toBe(201);
      const stored = await harness().transport(new Request(body.presigned_url ?? ''));
      expect(stored.headers.get('content-type')).toBe('application/pdf');
      expect((await stored.text()).slice(0, 5)).toBe('%PDF-');
      const { id } = await harness().client['transaction.create']({ body: {} });
      await harness().client['transaction.add_document']({
        params: { transactionId: id },
        body: { token: body.token ?? '' },
      });
      const [document] = (await readDetail(harness(), id)).template.documents;
      expect(document?.pages).toHaveLength(content === contract ? 3 : 1);
      expect(document?.file.original_name).toBe(name);
      const shown = await harness().client['file.content']({ params: { fileId: document?.file.id ?? '' } });
      expect(Buffer.from(shown.bytes.subarray(0, 5)).toString()).toBe('%PDF-');
    },
  );

  test('says that the layout of a Word document is approximate, where LibreOffice did not make it', async () => {
    const docx = docxOf('<w:p><w:r><w:t>text</w:t></w:r></w:p>');
    const { body } = await postMultipart(harness(), bodyStreamOf(multipartChunks(file(docx, 'a.docx'))));
    expect(body).toMatchObject({
      remarks: [{ code: 'approximate_layout', message: expect.stringContaining('install LibreOffice') }],
    });
  });

  test.each([
    ['a text file called .pdf', 'Hello', 'hello.pdf', 'a file of an unknown type'],
    ['a web page', '<!doctype html><p>%PDF', 'page.html', 'a file of an unknown type'],
    [
      'an old Word document',
      Buffer.from(
        '\u00d0\u00cf\u0011\u00e0 W\u0000o\u0000r\u0000d\u0000D\u0000o\u0000c\u0000u\u0000m\u0000e\u0000n\u0000t\u0000',
        'latin1',
      ),
      'a.doc',
      'a document in the old Word format (.doc)',
    ],
    ['a HEIC photo', '\0\0\0\x18ftypheic', 'photo.heic', 'a HEIC photo, which is not accepted'],
    ['an SVG drawing', '<svg/>', 'drawing.svg', 'which is not accepted. Save it as a JPEG or PDF.'],
  ])('refuses %s by name', async (_, content, name, sentence) => {
    const { status, body } = await assertUnchanged(harness(), () =>
      postMultipart(harness(), bodyStreamOf(multipartChunks(file(content, name)))),
    );
    expect({ status, code: body.code }).toEqual({ status: 415, code: 'file_type_not_accepted' });
    expect(body.detail).toContain(`"${name}"`);
    expect(body.detail).toContain(sentence);
  });

  test.each(
    sampleOf(
      [
        ['an empty file', file(''), 422, 'file_empty', '"contract.pdf" is empty'],
        [
          'a form without a file',
          [{ name: 'name', content: 'x' }],
          422,
          'file_missing',
          'no file in the part "file"',
        ],
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
          '"contract.pdf" is incomplete: part of the file is missing. Download or save it again and',
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
          '"a.png" is too complex: it has too many bytes when unpacked (319,936,000; at most 167,772,160 are allowed). Make the image smaller and',
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
          'but has 256',
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
      ] as [string, MultipartPart[], number, string, string][],
      3,
    ),
  )('refuses %s', async (_, parts, status, code, sentence) => {
    const answered = await assertUnchanged(harness(), () =>
      postMultipart(harness(), bodyStreamOf(multipartChunks(parts))),
    );
    expect({ status: answered.status, code: answered.body.code }).toEqual({ status, code });
    expect(answered.body.detail).toContain(sentence);
  });

  test.each([
    [
      'no form',
      { 'content-type': 'application/pdf' },
      415,
      'unsupported_media_type',
      'does not accept Content-Type: application/pdf. Use multipart/form-data',
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
    const problem = await assertUnchanged(harness(), () =>
      problemFrom(harness(), 'POST /v1/file/upload', { headers, body: 'x' }),
    );
    expect(problem).toMatchObject({ status, code });
    expect(problem.detail).toContain(sentence);
  });

  test('refuses a request without a body', async () => {
    const problem = await problemFrom(harness(), 'POST /v1/file/upload', {
      headers: { 'content-type': MULTIPART_TYPE },
    });
    expect(problem).toMatchObject({ status: 400, code: 'malformed_multipart' });
  });

  test('refuses a form that ends in the middle of the file, and keeps nothing', async () => {
    const cut = multipartChunks(file(contract), { cut: true });
    const { status, body } = await assertUnchanged(harness(), () =>
      postMultipart(harness(), bodyStreamOf(cut)),
    );
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'malformed_multipart' });
  });

  test('keeps nothing when the body breaks off, and continues', async () => {
    const attempt = postMultipart(
      harness(),
      bodyStreamOf(multipartChunks(file(contract), { cut: true, pieceBytes: 1000 }), 'break'),
    );
    // Over HTTP the connection is gone and the answer is lost; in process it is a refusal.
    const outcome = await attempt.then(({ status }) => status).catch(() => 'connection lost');
    expect([400, 'connection lost']).toContain(outcome);
    await expect
      .poll(async () => (await snapshotOf(harness())).blobs?.filter((path) => path.endsWith('.tmp')))
      .toEqual([]);
    expect((await postMultipart(harness(), bodyStreamOf(multipartChunks(file(contract))))).status).toBe(201);
  });

  test('refuses a PDF that needs a password by name', async () => {
    const content = await encryptedPdf('a password');
    const { status, body } = await assertUnchanged(harness(), () =>
      postMultipart(harness(), bodyStreamOf(multipartChunks(file(content, 'secret.pdf')))),
    );
    expect({ status, code: body.code }).toEqual({ status: 422, code: 'document_encrypted' });
    expect(body.detail).toContain('"secret.pdf"');
  });
});

describeSharedService('a form with more than one file', (harness) => {
  test('is refused, however large the second is, and nothing of it stays', async () => {
    const second = { name: 'file', filename: 'b.pdf', content: pdfOf(TEN_MIB) };
    const parts = [{ name: 'file', filename: 'a.txt', content: 'text' }, second];
    const answered = await assertUnchanged(harness(), () =>
      postMultipart(harness(), bodyStreamOf(multipartChunks(parts))),
    );
    expect(answered).toMatchObject({ status: 400, body: { code: 'malformed_multipart' } });
    expect(answered.body.detail).toContain('more than one file');
  });
});

describeSharedService('the limit of 10 MB', (harness) => {
  test.skipIf(!SLOW)('takes exactly 10 MiB, of known and of unknown length', async () => {
    const whole = multipartChunks(file(pdfOf(TEN_MIB)), { pieceBytes: 1 << 20 });
    expect((await postMultipart(harness(), bodyStreamOf(whole))).status).toBe(201);
    expect((await postMultipart(harness(), new Blob(whole))).status).toBe(201);
  });

  test.each(sampleOf(['known', 'unknown'], 2))(
    'refuses one byte more, of %s length, and keeps nothing',
    async (length) => {
      const whole = multipartChunks(file(pdfOf(TEN_MIB + 1)), { pieceBytes: 1 << 20 });
      const { status, body } = await assertUnchanged(harness(), () =>
        postMultipart(harness(), length === 'known' ? new Blob(whole) : bodyStreamOf(whole)),
      );
      expect({ status, code: body.code }).toEqual({ status: 413, code: 'file_too_large' });
      expect(body.detail).toContain(String(TEN_MIB));
      expect((await sendRequest(harness(), 'GET /v1/webhook?limit=1&page=1')).status).toBe(200);
    },
  );

  test('says so while the file is still coming', async () => {
    const endless = multipartChunks(file(new Uint8Array(TEN_MIB + 1)), { cut: true, pieceBytes: 1 << 20 });
    const { status, body } = await assertUnchanged(harness(), () =>
      postMultipart(harness(), bodyStreamOf(endless, 'hang')),
    );
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'file_too_large' });
  });
});

describeSharedService('names of files', (harness) => {
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
    test('comes back as it was given and never becomes part of a path', async () => {
      const parts: MultipartPart[] = [{ name: 'name', content: name }, ...file(contract, 'other.pdf')];
      const { status, body } = await postMultipart(harness(), bodyStreamOf(multipartChunks(parts)));
      expect(status).toBe(201);
      const { id } = await harness().client['transaction.create']({ body: {} });
      await harness().client['transaction.add_document']({
        params: { transactionId: id },
        body: { token: body.token ?? '' },
      });
      const [document] = (await readDetail(harness(), id)).template.documents;
      expect(document?.file.original_name).toBe(name);
      for (const path of await filesIn(harness().folder))
        expect(path).toMatch(/^(key|store\.db(-wal|-shm|-count)?|blobs\/[0-9a-f]{2}\/[0-9a-f]{64})$/);
    });
  });

  test.each([
    ['../../etc/passwd', 'passwd'],
    ['C:\\\\x\\\\y.pdf', 'y.pdf'],
    ['Vertrag für Zoë.pdf', 'Vertrag für Zoë.pdf'],
    ['', 'document'],
  ])('takes the last part of the file name %j where no name is given', async (filename, name) => {
    const { body } = await postMultipart(harness(), bodyStreamOf(multipartChunks(file(contract, filename))));
    const { id } = await harness().client['transaction.create']({ body: {} });
    await harness().client['transaction.add_document']({
      params: { transactionId: id },
      body: { token: body.token ?? '' },
    });
    expect((await readDetail(harness(), id)).template.documents[0]?.file.original_name).toBe(name);
  });
});
