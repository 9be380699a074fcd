// Compares names of people and companies as a reader does: without accents, case, ligatures, titles and the order of given name and
// surname.

/** It holds a word in the ways it is written: `Brückner` is also `bruckner` and `brueckner`. */
type Folded = ReadonlySet<string>;

/** No decomposition turns these letters into plain ones. */
const PLAIN: Record<string, string> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};
const SPELLED: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' };

const GENITIVE = /['’]s(?!\p{L})/gu;
const WORDS = /[\p{L}\p{M}\p{N}]+(?:['’‘`ʼ][\p{L}\p{M}\p{N}]+)*/gu;
const APOSTROPHE = /['’‘`ʼ]/;

function fold(word: string): Folded {
  const lower = word.normalize('NFKC').toLowerCase();
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .replace(/[^a-z0-9]/g, (letter) => PLAIN[letter] ?? letter);
  return new Set([plain(lower), plain(lower.replace(/[äöüåø]/g, (letter) => SPELLED[letter] ?? letter))]);
}

const isSame = (a: Folded, b: Folded): boolean => [...a].some((form) => b.has(form));

export type Tokens = readonly Folded[];

/** `O'Connor` is also `OConnor` and `Connor`, `l'Atelier` also `Atelier`. */
export const tokensOf = (text: string): Tokens =>
  (text.normalize('NFKC').replace(GENITIVE, '').match(WORDS) ?? []).map((word) => {
    const pieces = word.split(APOSTROPHE);
    return new Set([fold(pieces.join('')), fold(pieces.at(-1) ?? '')].flatMap((forms) => [...forms]));
  });

/** Finds the place of a sequence of words in a text, or -1. */
export function indexOfTokens(text: Tokens, words: Tokens): number {
  if (words.length === 0) return -1;
  for (let at = 0; at + words.length <= text.length; at += 1)
    if (words.every((word, index) => isSame(word, text[at + index]!))) return at;
  return -1;
}

// ── people ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const TITLES = tokensOf(
  'Dr Prof Dipl Ing Mr Mrs Ms Miss Sir Herr Frau Hr Fr M Mme Mlle Sr Sra Sig Dott Jr Sen MBA PhD LLM RA',
);

/** Returns the words of a name without titles and initials, unless nothing else is there. */
export function nameTokens(name: string): Tokens {
  const words = tokensOf(name);
  const full = words.filter((word) => !isInitial(word) && !TITLES.some((title) => isSame(title, word)));
  return full.length > 0 ? full : words;
}

const isInitial = (word: Folded): boolean => [...word].every((form) => form.length === 1);

/** The weights say how certain it is that a text names a person. */
export const NAME_WEIGHT = { full: 10, initial: 7, single: 5 } as const;

/** This many words, such as a middle name, may stand between the others of a name. */
const BETWEEN = 2;

/** @returns a weight, 0 where the text does not name the person */
export function weightOfName(text: Tokens, name: Tokens): number {
  const [first, last] = [name[0], name.at(-1)];
  if (!first || !last) return 0;
  if (name.length === 1)
    return [...first].some((form) => form.length >= 3) && text.some((word) => isSame(word, first))
      ? NAME_WEIGHT.single
      : 0;
  for (let at = 0; at < text.length; at += 1) {
    const near = text.slice(at, at + name.length + BETWEEN);
    if (!isOneOf(near[0], name)) continue;
    if (name.every((word) => isOneOf(word, near))) return NAME_WEIGHT.full;
  }
  return text.some(
    (word, at) =>
      isSame(word, last) &&
      [text[at - 1], text[at - 2], text[at + 1]].some((other) => other && isInitialOf(other, first)),
  )
    ? NAME_WEIGHT.initial
    : 0;
}

const isOneOf = (word: Folded | undefined, words: Tokens): boolean =>
  word !== undefined && words.some((other) => isSame(word, other));

const isInitialOf = (word: Folded, first: Folded): boolean =>
  isInitial(word) && [...word].some((form) => [...first].some((other) => other.startsWith(form)));

// ── companies ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** These words follow the name of a company. */
const LEGAL_FORMS =
  'Ltd Limited LLC LLP LP Inc Incorporated Corp Corporation PLC Co Company GmbH mbH AG KG KGaA OHG UG eG GbR SE SA SAS SARL SASU EURL SCI SL SLU SpA Srl BV NV VOF Oy AB AS ApS Lda Ltda Unip zoo'.split(
    ' ',
  );
const FORM = new RegExp(
  `(?<![\\p{L}])(?:${LEGAL_FORMS.join('|')}|e\\.\\s?[KV]|S\\.?A\\.?R\\.?L|S\\.?A\\.?S|S\\.?A|S\\.?p\\.?A|S\\.?r\\.?l|B\\.?V|N\\.?V|sp\\. z o\\.\\s?o|L\\.?L\\.?C|Pty)(?![\\p{L}])`,
  'u',
);

export const hasLegalForm = (text: string): boolean => FORM.test(text);

const CAPITAL = /^[\p{Lu}\p{N}]/u;

/** Returns the last company that a text names with its legal form, without that form. */
export function companyIn(text: string): Tokens {
  const words = text.split(/\s+/);
  const end = words.findLastIndex((word) => hasLegalForm(word) && CAPITAL.test(word));
  const before: string[] = [];
  for (let at = end - 1; at >= 0 && before.length < 5; at -= 1) {
    const word = words[at] ?? '';
    const isPart = CAPITAL.test(word) || /^(&|und|and|et|y|e|de|of|the)$/.test(word);
    if (!isPart || (/[,;:.)”"“]$/.test(word) && !hasLegalForm(word))) break;
    before.unshift(word);
  }
  while (before[0] && !CAPITAL.test(before[0])) before.shift();
  return tokensOf(before.join(' ')).filter((word) => !LEGAL.some((form) => isSame(form, word)));
}

const LEGAL = tokensOf(LEGAL_FORMS.join(' '));

/** These parts of a domain name nobody. */
const GENERAL =
  /^(?:www|mail|email|e-mail|post|info|co|com|org|net|ac|gov|edu|example|test|localhost|invalid|sandbox|gmail|googlemail|outlook|hotmail|live|icloud|me|mac|yahoo|aol|gmx|web|proton|protonmail|pm|posteo|mailbox|fastmail|orange|free|laposte|wanadoo|sfr|t-online|freenet|libero|wp|onet|interia|group|holding|international|global|consulting|services|solutions|systems|software|digital|legal|law|bank|office|company|firma|team)$/;
const SHORTEST_PART = 4;
/** A company name in a domain has at most this many words. */
const WORDS_OF_DOMAIN = 4;

/** Returns the parts of the domain of an address that may name a company: `ada@nordwind-robotics.com` has `nordwind-robotics`. */
export function companyPartsOf(email: string): string[] {
  const labels = (email.split('@')[1] ?? '').toLowerCase().split('.').slice(0, -1);
  return labels.filter((label) => label.length >= SHORTEST_PART && !GENERAL.test(label));
}

/** Returns true if a text names the company of a domain, in one word or as several words written together. */
export function namesCompany(text: Tokens, domainPieces: readonly string[]): boolean {
  return domainPieces.some((part) => {
    const together = part.replaceAll('-', '');
    const pieces = part.split('-').filter((piece) => piece.length >= SHORTEST_PART && !GENERAL.test(piece));
    return text.some((word, at) => {
      if (pieces[0] !== undefined && word.has(pieces[0])) return true;
      let forms = [''];
      for (const next of text.slice(at, at + WORDS_OF_DOMAIN)) {
        forms = forms.flatMap((form) => [...next].map((more) => form + more));
        if (forms.includes(together)) return true;
      }
      return false;
    });
  });
}
