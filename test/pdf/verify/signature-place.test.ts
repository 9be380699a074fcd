// Attacks on the place of a signature: universal signature forgery, which takes away what there is to check, and signature wrapping, which moves
// what is signed.
import { describe, expect, test } from 'vitest';
import {
  lastSectionOf,
  withContents,
  withCopiedSignature,
  withRange,
  withWideGap,
} from '../../support/documents/attack-files.ts';
import { updated } from '../../support/documents/signed-pdf.ts';
import { certified, faultsOf, signed } from '../../support/documents/verification.ts';

describe('the place of a signature', () => {
  test.each<[string, string, string]>([
    ['missing', '/ByteRang_[0 1 2 3]', 'byte_range_missing'],
    ['null', '/ByteRange null', 'byte_range_missing'],
    ['empty', '/ByteRange []', 'byte_range_malformed'],
    ['of three numbers', '/ByteRange[0 1 2]', 'byte_range_malformed'],
    ['of zeros', '/ByteRange[0 0 0 0]', 'byte_range_malformed'],
    ['negative', '/ByteRange[0 -10 20 30]', 'byte_range_malformed'],
    ['that overlaps itself', '/ByteRange[0 900 800 100]', 'byte_range_malformed'],
    ['that begins later', '/ByteRange[5 900 1000 10]', 'byte_range_malformed'],
    ['huge', '/ByteRange[0 9 99 9999999999]', 'signature_dictionary_doubtful'],
    ['of what is no number', '/ByteRange[0 /a (b) 1]', 'byte_range_malformed'],
    ['with fractions', '/ByteRange[0 1.5 2.5 9]', 'byte_range_malformed'],
    ['with another gap', '/ByteRange[0 100 2000 100]', 'byte_range_gap'],
  ])('universal signature forgery: a byte range that is %s', (_, value, code) => {
    expect(faultsOf(withRange(value))).toEqual([code]);
  });

  test.each<[string, string, string]>([
    ['missing', '/Content_(x)', 'contents_missing'],
    ['null', '/Contents null', 'contents_missing'],
    ['empty', '/Contents<>', 'contents_missing'],
    ['zero', '/Contents<00>', 'contents_missing'],
    ['text', '/Contents(abc)', 'contents_malformed'],
    ['no signature', '/Contents<30030101>', 'byte_range_gap'],
  ])('universal signature forgery: contents that are %s', (_, value, code) => {
    const result = faultsOf(withContents(() => value));
    expect(result).toContain(code);
  });

  test('signature wrapping: a gap that is larger than the signature, with content in it', () => {
    expect(faultsOf(withWideGap('00'))).not.toEqual([]);
    expect(faultsOf(withWideGap('30'))).toEqual(['byte_range_gap']);
  });

  test('other bytes where the signature is filled up', () => {
    const text = signed().toString('latin1');
    const end = text.indexOf('>', text.indexOf('/Contents<'));
    const hostile = Buffer.from(text, 'latin1');
    hostile.write('41', end - 2, 'latin1');
    expect(faultsOf(hostile)).toEqual(['contents_malformed']);
  });

  test('signature wrapping: a copy of the signature, and content before it', () => {
    const file = signed();
    // The signed file is moved behind another one; its numbers say still where it was.
    expect(faultsOf(Buffer.concat([file, Buffer.from(' ')]))).toEqual([]);
    const moved = Buffer.concat([Buffer.from('%PDF-1.7\n%moved\n'), file]);
    expect(() => faultsOf(moved)).toThrow();
    expect(faultsOf(withCopiedSignature())).toEqual(['byte_range_gap']);
  });

  test('a dictionary with a key twice, or in an object stream', () => {
    const twice = signed({ entries: '/ByteRange[0 1 2 3]' });
    expect(faultsOf(twice)).toEqual(['signature_dictionary_doubtful']);
  });

  test('a signature that ends in the middle of a save', () => {
    const half = signed();
    const text = half.toString('latin1');
    const [, before, behind, length] = /ByteRange\[0 (\d+) +(\d+) +(\d+)/.exec(text)!.map(Number) as number[];
    const short = `/ByteRange[0 ${before} ${behind} ${length! - 20}]`;
    expect(faultsOf(withRange(short, half))).toEqual(['byte_range_end']);
  });

  test('incremental saving attack without a table: bytes that belong to nothing', () => {
    const junk = '4 0 obj\n<</Length 1>>\nstream\nx\nendstream\nendobj\n';
    const file = certified(2);
    expect(() => faultsOf(Buffer.concat([file, Buffer.from('x'.repeat(3000))]))).toThrow('no_end');
    expect(faultsOf(Buffer.concat([file, Buffer.from(junk)]))).toEqual(['bytes_after']);
    expect(
      faultsOf(
        updated(Buffer.concat([file, Buffer.from(`${junk}startxref\n${lastSectionOf(file)}\n%%EOF\n`)]), {}),
      ),
    ).toEqual(['bytes_after']);
    expect(faultsOf(Buffer.concat([file, Buffer.from('\n% a comment\n')]))).toEqual([]);
    expect(faultsOf(Buffer.concat([file, Buffer.from('\n% 4 0 obj\n')]))).toEqual(['bytes_after']);
  });
});
