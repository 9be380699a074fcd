import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createPasswords } from '../../../src/service/store/accounts/passwords.ts';
import { SLOW } from '../../support/tier.ts';

const cheap = createPasswords(randomBytes, { N: 512, r: 8, p: 1 });

describe('passwords', () => {
  test('are hashed with a salt, at a cost that stands beside the hash', async () => {
    const [one, other] = [await cheap.hash('correct horse'), await cheap.hash('correct horse')];
    expect(one).toMatch(/^scrypt:512:8:1:[\w-]{22}:[\w-]{43}$/);
    expect(one).not.toBe(other);
    expect(await cheap.matches('correct horse', one)).toBe(true);
    expect(await cheap.matches('correct hors', one)).toBe(false);
    expect(await cheap.matches('', one)).toBe(false);
  });

  test.skipIf(!SLOW)('cost what is recommended today by default; a cheaper hash stays good', async () => {
    const passwords = createPasswords(randomBytes);
    const hash = await passwords.hash('correct horse');
    expect(hash).toMatch(/^scrypt:32768:8:3:/);
    expect(await passwords.matches('correct horse', hash)).toBe(true);
    expect(await passwords.matches('correct horse', await cheap.hash('correct horse'))).toBe(true);
  });

  test.skipIf(!SLOW)('match nothing where there is nothing, after the same work', async () => {
    const passwords = createPasswords(randomBytes, { N: 8192, r: 8, p: 1 });
    const hash = await passwords.hash('correct horse');
    const timed = async (kept: string | undefined) => {
      const startedMs = performance.now();
      expect(await passwords.matches('wrong horse', kept)).toBe(false);
      return performance.now() - startedMs;
    };
    // In turns, so that a machine that is busy for a moment slows both.
    let [withNothing, withHash] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let turn = 0; turn < 5; turn += 1) {
      withNothing = Math.min(withNothing, await timed(undefined));
      withHash = Math.min(withHash, await timed(hash));
    }
    expect(withNothing).toBeGreaterThan(withHash / 3);
    expect(await cheap.matches('correct horse', 'correct horse')).toBe(false);
  });

  test('that are generated are sixty bits, of letters that are not confused', () => {
    const made = Array.from({ length: 50 }, () => cheap.make());
    expect(new Set(made).size).toBe(50);
    for (const password of made) expect(password).toMatch(/^[a-km-np-z2-9]{4}(-[a-km-np-z2-9]{4}){2}$/);
  });
});
