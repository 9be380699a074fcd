// Lists the words beside lines to write on, in the eight languages of the signing pages, by what they ask for.

/** `party`: someone who signs, such as a tenant. */
export type LabelKind = 'signature' | 'initials' | 'date' | 'place' | 'name' | 'email' | 'text' | 'party';

type Language = 'en' | 'de' | 'fr' | 'es' | 'it' | 'nl' | 'pl' | 'pt';
type LabelWords = Record<LabelKind, string>;

/** In lower case. Plurals are not listed: they are headings. */
const LABELS: Record<Language, LabelWords> = {
  en: {
    signature: 'signature signed signatory sign autograph',
    initials: 'initials initial',
    date: 'date dated',
    place: 'place city location',
    name: 'name names surname',
    email: 'email e-mail',
    text: 'title position company organisation organization address telephone phone street country department',
    party:
      'tenant landlord lessee lessor buyer seller purchaser vendor customer client contractor supplier employer employee licensor licensee witness borrower lender',
  },
  de: {
    signature: 'unterschrift unterzeichner unterzeichnerin unterzeichnet gezeichnet signatur',
    initials: 'initialen paraphe kürzel handzeichen',
    date: 'datum',
    place: 'ort',
    name: 'name vorname nachname familienname',
    email: 'email e-mail',
    text: 'titel position firma unternehmen anschrift adresse telefon straße strasse land abteilung funktion',
    party:
      'mieter mieterin vermieter vermieterin käufer käuferin verkäufer verkäuferin kunde kundin auftraggeber auftragnehmer arbeitgeber arbeitnehmer zeuge zeugin darlehensgeber darlehensnehmer',
  },
  fr: {
    signature: 'signature signataire signé',
    initials: 'initiales paraphe paraphes',
    date: 'date',
    place: 'lieu ville',
    name: 'nom prénom noms',
    email: 'email courriel e-mail',
    text: 'titre fonction société entreprise adresse téléphone rue pays qualité',
    party:
      'locataire bailleur acheteur vendeur acquéreur client prestataire employeur salarié témoin emprunteur prêteur',
  },
  es: {
    signature: 'firma firmado firmante',
    initials: 'iniciales rúbrica',
    date: 'fecha',
    place: 'lugar ciudad localidad',
    name: 'nombre nombres apellido apellidos',
    email: 'email correo e-mail',
    text: 'título cargo empresa dirección domicilio teléfono calle país',
    party:
      'arrendatario arrendador inquilino propietario comprador vendedor cliente contratista empleador empleado trabajador testigo',
  },
  it: {
    signature: 'firma firmato firmatario sottoscrizione',
    initials: 'iniziali sigla',
    date: 'data',
    place: 'luogo città',
    name: 'nome cognome nominativo',
    email: 'email e-mail',
    text: 'titolo carica azienda società indirizzo telefono via paese qualifica',
    party:
      'conduttore locatore acquirente venditore compratore cliente committente appaltatore lavoratore testimone inquilino',
  },
  nl: {
    signature: 'handtekening ondertekening ondertekend ondertekenaar',
    initials: 'initialen paraaf parafen',
    date: 'datum',
    place: 'plaats',
    name: 'naam voornaam achternaam',
    email: 'email e-mail',
    text: 'titel functie bedrijf firma adres telefoon straat land organisatie',
    party: 'huurder verhuurder koper verkoper klant opdrachtgever opdrachtnemer werkgever werknemer getuige',
  },
  pl: {
    signature: 'podpis podpisano podpisał podpisała',
    initials: 'inicjały parafa parafka',
    date: 'data dnia',
    place: 'miejsce miejscowość',
    name: 'imię nazwisko imiona',
    email: 'email e-mail',
    text: 'tytuł stanowisko firma adres telefon ulica kraj funkcja',
    party:
      'najemca wynajmujący kupujący sprzedający klient zleceniodawca zleceniobiorca pracodawca pracownik świadek zamawiający wykonawca',
  },
  pt: {
    signature: 'assinatura assinado signatário',
    initials: 'iniciais rubrica',
    date: 'data',
    place: 'local localidade cidade',
    name: 'nome apelido sobrenome',
    email: 'email e-mail',
    text: 'título cargo empresa endereço morada telefone rua país função',
    party:
      'inquilino senhorio locatário locador comprador vendedor cliente contratante contratado empregador empregado testemunha',
  },
};

/** Frequent words that only one of the languages has, or has most often. */
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

/** Of two languages that are spoken as much, English comes first. */
function languagesBySpeech(words: Iterable<string>): Language[] {
  const languageOf = new Map<string, Language>();
  for (const language of LANGUAGES)
    for (const word of COMMON[language].split(' ')) languageOf.set(word, language);
  const counts = new Map<Language, number>(LANGUAGES.map((language) => [language, 0]));
  for (const word of words) {
    const language = languageOf.get(word.toLowerCase());
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  return [...LANGUAGES].sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
}

function tableOf(language: Language): Map<string, LabelKind> {
  const table = new Map<string, LabelKind>();
  for (const kind of KINDS) for (const word of LABELS[language][kind].split(' ')) table.set(word, kind);
  return table;
}
