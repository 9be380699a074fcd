// Lists the words beside lines to write on, in the eight languages of the signing pages, by what they ask for, and joins the words of a page
// that stand together on one line.
import type { PageBlanks } from '../../pdf/engine/engine.ts';
import type { Box, Size } from '../../pdf/geometry.ts';

/** A `party` is someone who signs, such as a tenant; a `witness` signs and is no party. */
export type LabelKind =
  | 'signature'
  | 'initials'
  | 'date'
  | 'place'
  | 'name'
  | 'email'
  | 'company'
  | 'text'
  | 'party'
  | 'witness';

type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pl' | 'pt';
type LabelWords = Record<LabelKind, string>;

/** Words are in lower case. Plurals are not listed: they are headings. */
const LABELS: Record<Language, LabelWords> = {
  en: {
    signature: 'signature signed sign autograph',
    initials: 'initials initial',
    date: 'date dated',
    place: 'place city location',
    name: 'name names surname',
    email: 'email e-mail',
    company: 'company organisation organization business corporation',
    text: 'title position role capacity address telephone phone street country department',
    party:
      'tenant landlord lessee lessor buyer seller purchaser vendor customer client provider contractor subcontractor supplier employer employee licensor licensee borrower lender investor partner consultant guarantor reseller distributor founder investigator sponsor agent carrier shipper publisher author owner discloser recipient signatory signer',
    witness: 'witness',
  },
  de: {
    signature: 'unterschrift unterzeichnet gezeichnet signatur',
    initials: 'initialen paraphe kürzel handzeichen',
    date: 'datum',
    place: 'ort',
    name: 'name vorname nachname familienname',
    email: 'email e-mail',
    company: 'firma unternehmen gesellschaft firmenname',
    text: 'titel position anschrift adresse telefon straße strasse land abteilung funktion',
    party:
      'mieter mieterin vermieter vermieterin käufer käuferin verkäufer verkäuferin kunde kundin auftraggeber auftraggeberin auftragnehmer auftragnehmerin arbeitgeber arbeitgeberin arbeitnehmer arbeitnehmerin darlehensgeber darlehensnehmer lizenzgeber lizenznehmer lieferant lieferantin besteller dienstleister anbieter bürge gesellschafter unterzeichner unterzeichnerin',
    witness: 'zeuge zeugin',
  },
  fr: {
    signature: 'signature signé',
    initials: 'initiales paraphe paraphes',
    date: 'date',
    place: 'lieu ville',
    name: 'nom prénom noms',
    email: 'email courriel e-mail',
    company: 'société entreprise compagnie',
    text: 'titre fonction adresse téléphone rue pays qualité',
    party:
      'locataire bailleur acheteur vendeur acquéreur client cliente prestataire employeur salarié salariée emprunteur prêteur fournisseur cédant cessionnaire mandant mandataire concédant licencié garant caution signataire',
    witness: 'témoin',
  },
  es: {
    signature: 'firma firmado',
    initials: 'iniciales rúbrica',
    date: 'fecha',
    place: 'lugar ciudad localidad',
    name: 'nombre nombres apellido apellidos',
    email: 'email correo e-mail',
    company: 'empresa sociedad compañía',
    text: 'título cargo dirección domicilio teléfono calle país',
    party:
      'arrendatario arrendador inquilino propietario comprador vendedor cliente contratista empleador empleado trabajador proveedor prestador licenciante licenciatario firmante',
    witness: 'testigo',
  },
  it: {
    signature: 'firma firmato sottoscrizione',
    initials: 'iniziali sigla',
    date: 'data',
    place: 'luogo città',
    name: 'nome cognome nominativo',
    email: 'email e-mail',
    company: 'azienda società impresa',
    text: 'titolo carica indirizzo telefono via paese qualifica',
    party:
      'conduttore locatore acquirente venditore compratore cliente committente appaltatore lavoratore inquilino fornitore datore licenziante licenziatario firmatario',
    witness: 'testimone',
  },
  nl: {
    signature: 'handtekening ondertekening ondertekend',
    initials: 'initialen paraaf parafen',
    date: 'datum',
    place: 'plaats',
    name: 'naam voornaam achternaam',
    email: 'email e-mail',
    company: 'bedrijf firma organisatie onderneming',
    text: 'titel functie adres telefoon straat land',
    party:
      'huurder verhuurder koper verkoper klant opdrachtgever opdrachtnemer werkgever werknemer leverancier afnemer ondertekenaar',
    witness: 'getuige',
  },
  pl: {
    signature: 'podpis podpisano podpisał podpisała',
    initials: 'inicjały parafa parafka',
    date: 'data dnia',
    place: 'miejsce miejscowość',
    name: 'imię nazwisko imiona',
    email: 'email e-mail',
    company: 'firma spółka przedsiębiorstwo',
    text: 'tytuł stanowisko adres telefon ulica kraj funkcja',
    party:
      'najemca wynajmujący kupujący sprzedający klient zleceniodawca zleceniobiorca pracodawca pracownik zamawiający wykonawca dostawca',
    witness: 'świadek',
  },
  pt: {
    signature: 'assinatura assinado',
    initials: 'iniciais rubrica',
    date: 'data',
    place: 'local localidade cidade',
    name: 'nome apelido sobrenome',
    email: 'email e-mail',
    company: 'empresa sociedade',
    text: 'título cargo endereço morada telefone rua país função',
    party:
      'inquilino senhorio locatário locador comprador vendedor cliente contratante contratado contratada empregador empregado fornecedor signatário',
    witness: 'testemunha',
  },
};

/** Only one of the languages has these frequent words, or has them most often. */
const COMMON: Record<Language, string> = {
  en: 'the and of to this shall with',
  de: 'der die und das ist von mit nicht',
  fr: 'les des est le du une dans pour',
  es: 'los las el y por con una del',
  it: 'il di che gli della sono non per',
  nl: 'het een van zijn voor niet dat met',
  pl: 'w z się na jest oraz nie przez',
  pt: 'os as ou da do em não uma',
};

const LANGUAGES = Object.keys(LABELS) as Language[];
const KINDS = Object.keys(LABELS.en) as LabelKind[];

/** Languages use some words for different things: `firma` is a company in German, and a signature in Italian. */
export type WordReader = (word: string) => LabelKind | undefined;

/** Makes a reader for the words of a document, which asks the language of the document first. */
export function readerFor(words: Iterable<string>): WordReader {
  const [first, ...others] = languagesBySpeech(words);
  const tables = [first ?? 'en', ...others].map(tableOf);
  return (word) => {
    const plain = word.normalize('NFKC').toLowerCase();
    for (const table of tables) {
      const kind = table.get(plain);
      if (kind) return kind;
    }
    return undefined;
  };
}

/** English comes first of two languages that are spoken as much. */
function languagesBySpeech(words: Iterable<string>): Language[] {
  const languageOf = new Map<string, Language>();
  for (const language of LANGUAGES)
    for (const word of COMMON[language].split(' ')) languageOf.set(word, language);
  const counts = new Map<Language, number>(LANGUAGES.map((language) => [language, 0]));
  for (const word of words) {
    const language = languageOf.get(word.toLowerCase());
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...LANGUAGES].sort((a, b) => (counts.get(b) ?? 0) - (counts.get(a) ?? 0));
}

function tableOf(language: Language): Map<string, LabelKind> {
  const table = new Map<string, LabelKind>();
  for (const kind of KINDS) for (const word of LABELS[language][kind].split(' ')) table.set(word, kind);
  return table;
}

// ── phrases ─────────────────────────────────────────────────────────────────────────────────────────────────────

export type Word = PageBlanks['words'][number];

/** The words are on one line and belong together. With `isMargin` they are a header or footer, at the same place of several pages. */
export type Phrase = Box & { words: Word[]; isMargin?: boolean };

export type ReadPage = PageBlanks & { phrases: Phrase[] };

/** A header takes at most this share of the height of a page. */
const HEADER = 0.1;
const FOOTER = 0.88;

export function readPages(pages: readonly PageBlanks[], sizes: readonly Size[]): ReadPage[] {
  const read = pages.map((page) => ({ ...page, phrases: phrasesOf(page.words) }));
  const counts = new Map<string, number>();
  for (const { phrases } of read)
    for (const key of new Set(phrases.map(placeOf))) counts.set(key, (counts.get(key) ?? 0) + 1);
  for (const { page, phrases } of read)
    for (const phrase of phrases) {
      const at = middleOf(phrase) / (sizes[page]?.height ?? Infinity);
      const isRepeated = (counts.get(placeOf(phrase)) ?? 0) > 1;
      if (isRepeated && (at < HEADER || at > FOOTER)) phrase.isMargin = true;
    }
  return read;
}

/** Pages differ in their numbers. */
const placeOf = (phrase: Phrase): string =>
  `${Math.round(phrase.y)} ${textOf(phrase.words).replace(/\d+/g, '0')}`;

/** Gaps wider than this many times the height of a word end a phrase. */
const WORD_GAP = 0.9;

function phrasesOf(words: readonly Word[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (const word of words) {
    const last = phrases.at(-1);
    if (last && isNext(last, word)) {
      last.words.push(word);
      Object.assign(last, around(last, word));
    } else phrases.push({ ...boxOf(word), words: [word] });
  }
  return phrases;
}

export const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ');

export const boxOf = ({ x, y, width, height }: Box): Box => ({ x, y, width, height });

export const endOf = ({ x, width }: Pick<Box, 'x' | 'width'>): number => x + width;

export const middleOf = ({ y, height }: Pick<Box, 'y' | 'height'>): number => y + height / 2;

function isNext(phrase: Phrase, word: Word): boolean {
  const gap = word.x - endOf(phrase);
  const isBeside = Math.abs(middleOf(word) - middleOf(phrase)) < word.height / 2;
  return isBeside && gap < word.height * WORD_GAP && gap > -word.height;
}

export function around(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  const right = Math.max(endOf(a), endOf(b));
  const bottom = Math.max(a.y + a.height, b.y + b.height);
  return { x, y, width: right - x, height: bottom - y };
}
