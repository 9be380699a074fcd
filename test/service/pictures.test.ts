import { expect, test } from 'vitest';
import { describeSharedService } from '../support/describe-service.ts';
import { readPixels } from '../support/documents/pixels.ts';
import {
  addAccount,
  contractPdf,
  createDraft,
  currentToken,
  readDetail,
  refusalOf,
  startTransaction,
} from '../support/fixtures/transactions.ts';
import { problemFrom } from '../support/http-client.ts';
import { SLOW, sampleOf } from '../support/tier.ts';

const HOUR_MS = 3600 * 1000;

describeSharedService('pictures of pages', (harness) => {
  test('draws a page when it is first read, and reads it back from then on', async () => {
    const { id, detail } = await createDraft(harness());
    const [document] = detail.template.documents;
    const pictures = () =>
      harness().store.database.read((db) =>
        db.selectFrom('picture').selectAll().where('page', '=', 1).execute(),
      );
    expect(await pictures()).toEqual([]);
    const fileId = document?.pages[1]?.file.id ?? '';
    const first = await harness().client['file.content']({ params: { fileId } });
    expect(first.mediaType).toBe('image/png');
    const { width, height } = readPixels(first.bytes);
    expect(width / height).toBeCloseTo(595.28 / 841.89, 2);
    const drawn = await pictures();
    expect(drawn).toHaveLength(1);
    const stored = await harness().store.blobs.get(`${drawn[0]?.sha256}`);
    expect(Buffer.compare(stored, first.bytes)).toBe(0);
    harness().clock.advance(HOUR_MS);
    const again = await harness().client['file.content']({ params: { fileId } });
    expect(Buffer.compare(again.bytes, first.bytes)).toBe(0);
    expect(await pictures()).toEqual(drawn);
    expect((await readDetail(harness(), id)).template.documents).toEqual(detail.template.documents);
  });

  test.skipIf(!SLOW)(
    'gives the same picture to the recipient who is asked, by the address in their view',
    async () => {
      const { token, detail } = await startTransaction(harness());
      const view = await harness().client['signing.view']({ query: { token } });
      const [page] = view.documents[0]?.pages ?? [];
      expect(page).toMatchObject({
        id: detail.template.documents[0]?.pages[0]?.id,
        width: 595.28,
        height: 841.89,
      });
      const response = await harness().transport(new Request(page?.picture ?? ''));
      expect(response.headers.get('content-type')).toBe('image/png');
      const fileId = detail.template.documents[0]?.pages[0]?.file.id ?? '';
      const { bytes } = await harness().client['file.content']({ params: { fileId } });
      expect(Buffer.compare(new Uint8Array(await response.arrayBuffer()), bytes)).toBe(0);
    },
  );

  test('does not give out the page of another transaction', async () => {
    const other = await createDraft(harness());
    const { id } = await startTransaction(harness());
    const token = await currentToken(harness(), id);
    const pageId = other.detail.template.documents[0]?.pages[0]?.id ?? '';
    for (const wrong of [pageId, 'unknown', id])
      expect(await problemFrom(harness(), `GET /sign/page/${wrong}?token=${token}`)).toMatchObject({
        status: 404,
        code: 'file_not_found',
      });
    expect(await problemFrom(harness(), `GET /sign/page/${pageId}?token=nonsense`)).toMatchObject({
      code: 'signing_link_invalid',
    });
  });

  test("does not show another company's document and page", async () => {
    const { detail } = await createDraft(harness());
    const stranger = await addAccount(harness(), 'Elsewhere Ltd');
    const [document] = detail.template.documents;
    for (const fileId of [document?.file.id ?? '', document?.pages[0]?.file.id ?? ''])
      expect(await refusalOf(stranger.client['file.content']({ params: { fileId } }))).toMatchObject({
        status: 404,
        code: 'file_not_found',
      });
  });
});

describeSharedService('the temporary address of a stored file', (harness) => {
  const uploaded = async () => {
    const { presigned_url = '' } = await harness().client['file.upload']({
      form: {},
      file: { name: 'a.pdf', content: await contractPdf() },
    });
    return new URL(presigned_url);
  };
  const read = (url: URL) => harness().transport(new Request(url));

  test('needs no token and works for an hour, to the millisecond', async () => {
    const url = await uploaded();
    expect(url.origin).toBe(harness().baseUrl);
    expect((await read(url)).status).toBe(200);
    harness().clock.advance(HOUR_MS);
    expect((await read(url)).status).toBe(200);
    harness().clock.advance(1);
    expect(await (await read(url)).json()).toMatchObject({ status: 403, code: 'link_invalid' });
  });

  test.each(
    sampleOf(
      [
        [
          'a longer life',
          (url: URL) => url.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 1)),
        ],
        ['another signature', (url: URL) => url.searchParams.set('signature', 'A'.repeat(43))],
        [
          'half the signature',
          (url: URL) =>
            url.searchParams.set('signature', (url.searchParams.get('signature') ?? '').slice(0, 20)),
        ],
        [
          'another file',
          (url: URL) => {
            url.pathname = '/files/00000000-0000-4000-8000-000000000000';
          },
        ],
      ],
      4,
    ),
  )('refuses %s', async (_, change) => {
    const url = await uploaded();
    change(url);
    expect(await (await read(url)).json()).toMatchObject({ status: 403, code: 'link_invalid' });
  });

  test.each(['expires', 'signature'])('refuses an address without %s', async (name) => {
    const url = await uploaded();
    url.searchParams.delete(name);
    expect(await (await read(url)).json()).toMatchObject({
      status: 422,
      errors: [{ path: name, message: 'is required' }],
    });
  });
});
