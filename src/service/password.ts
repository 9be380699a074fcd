// Passwords: scrypt (RFC 7914), its parameters kept beside each hash so that they can be raised later. Nothing here
// keeps a password, and whether there is one to compare with cannot be told from the time it takes.
import { scrypt, timingSafeEqual } from 'node:crypto';

/** As OWASP's password storage cheat sheet asks for: 32 MB, three rounds. */
const COST = { N: 2 ** 15, r: 8, p: 3 } as const;

type Cost = { N: number; r: number; p: number };

const KEY_BYTES = 32;
const SALT_BYTES = 16;

/** Twelve letters and digits that are told apart when read aloud, in three groups: 60 bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GENERATED_LENGTH = 12;
const GROUP = /.{4}(?=.)/g;

type Random = (bytes: number) => Uint8Array;

/** Of one password typed on two keyboards there are several spellings in Unicode: they are one. */
const spelled = (password: string): string => password.normalize('NFC');

const derive = (password: string, salt: Uint8Array, cost: Cost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const maxmem = 256 * cost.N * cost.r;
    scrypt(spelled(password), salt, KEY_BYTES, { ...cost, maxmem }, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });

/** @returns `scrypt:N:r:p:salt:key`, for a column */
export async function hashPassword(password: string, random: Random): Promise<string> {
  const salt = random(SALT_BYTES);
  const key = await derive(password, salt, COST);
  const { N, r, p } = COST;
  return ['scrypt', N, r, p, Buffer.from(salt).toString('base64url'), key.toString('base64url')].join(':');
}

/** @param hash undefined where there is nothing to compare with: the same work is done, and the answer is no */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [kind, N, r, p, salt = '', key = ''] = hash?.split(':') ?? [];
  if (kind !== 'scrypt') {
    await derive(password, new Uint8Array(SALT_BYTES), COST);
    return false;
  }
  const cost = { N: Number(N), r: Number(r), p: Number(p) };
  const given = await derive(password, Buffer.from(salt, 'base64url'), cost);
  const known = Buffer.from(key, 'base64url');
  return known.length === given.length && timingSafeEqual(known, given);
}

/** For somebody to type: 32 letters to choose from, so that every byte gives five bits without a bias. */
export function newPassword(random: Random): string {
  const letters = [...random(GENERATED_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]);
  return letters.join('').replaceAll(GROUP, '$&-');
}
