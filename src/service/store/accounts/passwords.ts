// Hashes passwords with scrypt (RFC 7914), with the parameters beside each hash so that they can be raised later. No password
// is kept here, and the time a comparison takes does not show whether there is a hash.
import { scrypt, timingSafeEqual } from 'node:crypto';

/** The parameters are those of scrypt, which takes 128 × N × r bytes of memory. */
export type PasswordCost = { N: number; r: number; p: number };

/** OWASP's password storage cheat sheet asks for 32 MB and three rounds. */
const COST: PasswordCost = { N: 2 ** 15, r: 8, p: 3 };

export type Passwords = {
  /** @returns `scrypt:N:r:p:salt:key`, for a column */
  hash(password: string): Promise<string>;
  /** @param hash undefined where there is nothing to compare with: the same work is done, and the answer is no */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  /** Generates a password that is easy to type. */
  make(): string;
};

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** The 32 letters and digits are not confused when read aloud, and every byte gives five bits without a bias. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const MADE_LENGTH = 12;
const GROUP = /.{4}(?=.)/g;

/** @param cost of new hashes; those that are there are compared at their own */
export function createPasswords(random: (bytes: number) => Uint8Array, cost = COST): Passwords {
  return {
    async hash(password) {
      const salt = random(SALT_BYTES);
      const key = await derive(password, salt, cost);
      const [shownSalt, shownKey] = [salt, key].map((bytes) => Buffer.from(bytes).toString('base64url'));
      return ['scrypt', cost.N, cost.r, cost.p, shownSalt, shownKey].join(':');
    },
    async matches(password, hash) {
      const [kind, N, r, p, salt = '', key = ''] = hash?.split(':') ?? [];
      if (kind !== 'scrypt') {
        await derive(password, new Uint8Array(SALT_BYTES), cost);
        return false;
      }
      const derived = await derive(password, Buffer.from(salt, 'base64url'), {
        N: Number(N),
        r: Number(r),
        p: Number(p),
      });
      const expected = Buffer.from(key, 'base64url');
      return expected.length === derived.length && timingSafeEqual(expected, derived);
    },
    make() {
      const letters = [...random(MADE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
      return letters.join('').replaceAll(GROUP, '$&-');
    },
  };
}

/** Derives a key. A password typed on two keyboards can have two spellings in Unicode, which give the same key. */
const derive = (password: string, salt: Uint8Array, cost: PasswordCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 256 * cost.N * cost.r;
    scrypt(password.normalize('NFC'), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
