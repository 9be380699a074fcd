// Text from outside on the signing pages: whatever a sender or a recipient writes stays text. The pages have the elements and
// attributes that they have with harmless texts, and no others.
import { expect, test } from 'vitest';
import { describeSharedService } from '../../../support/describe-service.ts';
import {
  controlNamesOf,
  giveConsent,
  openSigningPages,
  type SigningBrowser,
} from '../../../support/fixtures/signing-pages.ts';
import {
  contractPdf,
  fieldFor,
  readDetail,
  tokenOf,
  updateBodyOf,
} from '../../../support/fixtures/transactions.ts';
import type { Harness } from '../../../support/harness.ts';
import { sampleOf } from '../../../support/tier.ts';

const HARMLESS = 'harmless';
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><h1>x</h1>',
  '</style><script>x</script>',
  '</textarea></svg></select><script>x</script>',
  '<!--',
  '--><![CDATA[',
  ']]><svg/onload=alert(1)>',
  '&lt;b&gt;&amp;#x3c;',
  '`$\u007balert(1)}`',
  '{{7*7}}',
  '<a href="javascript:alert(1)">x</a>',
  '\u200f\u0627\u0644\u0639\u0642\u062f',
  'W'.repeat(250),
];

describeSharedService('text from outside', (harness) => {
  test.each(sampleOf(HOSTILE, 8))('%s adds no element and no attribute', async (text) => {
    const [benign, evil] = [await pagesWith(harness(), HARMLESS), await pagesWith(harness(), text)];
    for (const [name, html] of Object.entries(evil)) {
      expect(skeletonOf(html), name).toEqual(skeletonOf(benign[name] ?? ''));
      expect(html.replaceAll(TAG, ''), name).not.toMatch(/[<>]/);
    }
  });

  test('loses what cannot be seen of a value that was pasted', async () => {
    const { guest, names, id } = await asked(harness(), HARMLESS);
    await guest.submitForm('document', 'values', { [names.text ?? '']: 'a\u0000b\u202ec\u001bd\r\ne' });
    expect((await guest.open('document')).html).toContain('>\nabcd\ne</textarea>');
    expect((await readDetail(harness(), id)).status).toBe('started');
  });
});

const TAG = /<!doctype html>|<style>[^<]*<\/style>|<\/?[a-zA-Z][\w-]*(?:\s+[\w:-]+(?:="[^"<>]*")?)*\s*\/?>/g;

/** A value is drawn with as many paths as it has lines. */
const OUTLINE = '<path transform d fill/>';

/** Every tag with the names of its attributes. */
const skeletonOf = (html: string): string[] =>
  [...html.matchAll(TAG)]
    .map(([tag]) => tag.replaceAll(/="[^"]*"/g, '').replace(/( data-small .*) hidden/, '$1'))
    .filter((tag) => tag !== OUTLINE);

/** One label, so that the right sort of every text is on every page. */
async function asked(harness: Harness, text: string) {
  const { client } = harness;
  const { id } = await client['transaction.create']({ body: { name: text } });
  const params = { transactionId: id };
  const content = await contractPdf();
  const { token: file } = await client['file.upload']({ form: { name: text }, file: { name: 'x', content } });
  await client['transaction.add_document']({ params, body: { token: file } });
  const person = { name: text, email: 'ada@example.com' };
  const before = await readDetail(harness, id);
  const recipients = [
    { role: 'sender' as const, index: 0, name: text, email: 'sender@esign.test' },
    { role: 'signer' as const, index: 1, ...person },
  ];
  const texts = { name: text, description: text, email_alias: text, email_body: text, email_subject: text };
  await client['transaction.update']({ params, body: updateBodyOf(before, { ...texts, recipients }) });
  const draft = { id, detail: await readDetail(harness, id) };
  const kinds = [
    { type: 'text' as const, height: 60, label: 'text' },
    { type: 'text' as const, label: text },
    { type: 'select' as const, options: [text], label: 'select' },
    { type: 'radio' as const, options: [text], label: 'radio' },
    { type: 'signature' as const, label: 'signature' },
    { type: 'checkbox' as const, label: 'checkbox', is_required: false },
  ];
  const fields = kinds.map((kind, index) =>
    fieldFor(draft, person.email, {
      ...kind,
      helper_text: text,
      font_family: text.slice(0, 200),
      positionY: 50 * index,
    }),
  );
  await client['transaction.fields']({ params, body: { fields } });
  const { url } = await client['transaction.start']({ params });
  const recipientId = draft.detail.template.recipients[1]?.id ?? '';
  const names = await controlNamesOf(harness, { id, recipientId });
  return { id, guest: await giveConsent(await openSigningPages(harness, tokenOf(url))), names };
}

async function pagesWith(harness: Harness, text: string): Promise<Record<string, string>> {
  const { id, guest, names } = await asked(harness, text);
  const pages: Record<string, string> = {};
  const keep = async (name: string, path: string, from: SigningBrowser = guest) => {
    pages[name] = (await from.open(path)).html;
  };
  await keep('problems', 'document?check=1');
  await keep('signature', 'signature');
  await guest.sendFile(await guest.open('signature'), `${guest.base}/signature`, {
    text,
    face: 'handwriting',
  });
  const values = Object.fromEntries(Object.values(names).map((name) => [name, text]));
  await guest.submitForm('document', 'values', { ...values, [names.checkbox ?? '']: 'true' });
  await keep('document', 'document');
  await keep('review', 'review');
  await keep('reject', 'reject');
  const refused = await guest.submitForm('reject', 'reject', {
    reason: text.repeat(Math.ceil(2001 / [...text].length)),
  });
  pages.refused = refused.html;
  await harness.client['transaction.cancel']({
    params: { transactionId: id },
    body: { cancelled_reason: text },
  });
  await keep('end', '');
  return pages;
}
