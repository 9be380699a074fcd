// A document is saved under its own name, whatever stands in it: by browsers, which decode the name, and by clients that know ASCII alone.
import { expect, test } from 'vitest';
import { fileDisposition } from '../../src/api/service-codec.ts';

test.each([
  ['contract.pdf', 'contract.pdf', 'contract.pdf'],
  ['Vertrag „Süd“.docx', 'Vertrag _S_d_.pdf', 'Vertrag%20%E2%80%9ES%C3%BCd%E2%80%9C.pdf'],
  ['a"; filename=b\\\r\nSet-Cookie: x.pdf', 'a_; filename=b___Set-Cookie: x.pdf', undefined],
  ['../../etc/passwd', '.._.._etc_passwd.pdf', '..%2F..%2Fetc%2Fpasswd.pdf'],
  ["O'Brien (1)*.pdf", "O'Brien (1)*.pdf", 'O%27Brien%20%281%29%2A.pdf'],
  ['\ud800.pdf', '_.pdf', '_.pdf'],
  ['.pdf', '.pdf.pdf', '.pdf.pdf'],
])('%j', (name, plain, encoded) => {
  const disposition = fileDisposition('inline', name);
  const [, quoted, extended] =
    /^inline; filename="([^"\\]*)"; filename\*=UTF-8''([\w%.~!#$&+^`|-]+)$/.exec(disposition) ?? [];
  expect(quoted).toBe(plain);
  if (encoded !== undefined) expect(extended).toBe(encoded);
  expect(() => new Headers({ 'content-disposition': disposition })).not.toThrow();
});
