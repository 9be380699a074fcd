// What the signing pages say, in Dutch. Readers are addressed as "u".
import { countedIn } from './counted.ts';
import type { Words } from './en.ts';

const counted = countedIn('nl');

export const NL: Words = {
  // ── every page ──
  language: 'Taal',
  changeLanguage: 'Wijzigen',
  skip: 'Naar de inhoud',
  error: (title) => `Fout: ${title}`,
  problems: 'Corrigeer het volgende om door te gaan',
  requiredMark: 'verplicht',
  optionalMark: 'optioneel',
  filledBySender: 'Ingevuld door de afzender',
  filledAtSigning: (zone: string) => `Datum van ondertekening, automatisch ingevuld (tijdzone: ${zone})`,
  fieldsOfOthers: 'In de velden van anderen',
  back: 'Terug naar de documenten',
  cancel: 'Annuleren',
  stepStart: 'Begin',
  stepFill: 'Invullen',
  stepReview: 'Controleren en ondertekenen',
  steps: 'Stappen',
  imprint: 'Colofon',
  privacy: 'Privacyverklaring',

  // ── start ──
  asksYou: (sender) => `${sender} vraagt u om te ondertekenen`,
  asksYouProxy: (sender) => `${sender} vraagt u om namens iemand anders te ondertekenen`,
  from: 'Van',
  to: 'Aan',
  until: 'Uiterste ondertekendatum',
  noEnd: 'Geen',
  documents: 'Documenten',
  pageCount: (count) => counted(count, { one: '# pagina', other: '# pagina’s' }),
  message: 'Bericht van de afzender',
  description: 'Over dit verzoek',
  consentTitle: 'Toestemming voor elektronisch ondertekenen',
  consent:
    'Ik ga ermee akkoord deze documenten elektronisch te ondertekenen. Mijn elektronische handtekening laat zien dat ik ze aanvaard, zoals een handtekening op papier dat zou doen. Ik kan de documenten lezen en downloaden voordat ik onderteken. Als ik niet elektronisch wil ondertekenen, kan ik het verzoek weigeren en de afzender om een andere manier van ondertekenen vragen. Het tijdstip, mijn IP-adres en mijn browser worden vastgelegd als bewijs.',
  agree: 'Ik heb dit gelezen en ga akkoord',
  agreeFirst: 'Ga akkoord met elektronisch ondertekenen om door te gaan, of weiger het verzoek',
  start: 'Doorgaan naar de documenten',

  // ── document ──
  pageOf: (page, count) => `Pagina ${page} van ${count}`,
  download: 'Downloaden als pdf',
  readAsText: 'Als tekst lezen',
  noText: 'Deze pagina bevat geen tekst die kan worden voorgelezen. Vraag de afzender wat erop staat.',
  pageBefore: 'Vorige pagina',
  pageAfter: 'Volgende pagina',
  yourFields: 'Uw velden',
  left: (count) =>
    count === 0 ? 'Klaar om te controleren' : counted(count, { one: 'Nog # veld', other: 'Nog # velden' }),
  nothingToFill:
    'U hoeft geen velden in te vullen. Lees de documenten en ga daarna door om ze ongewijzigd goed te keuren.',
  onPage: (page, document) => `Pagina ${page}, ${document}`,
  choose: 'Kiezen',
  chooseOption: 'Kies een optie',
  notChosen: 'Geen keuze',
  sign: 'Ondertekenen',
  signHere: 'Hier ondertekenen',
  initialsHere: 'Hier paraferen',
  changeSignature: 'Wijzigen',
  removeSignature: 'Verwijderen',
  save: 'Opslaan',
  toReview: 'Controleren',
  next: 'Volgend veld',
  previous: 'Vorig veld',
  morePages: 'Meer pagina’s tonen',
  saved: 'Opgeslagen',
  saving: 'Bezig met opslaan…',
  notSaved:
    'Nog niet opgeslagen. Controleer uw verbinding. Er wordt automatisch opnieuw geprobeerd op te slaan.',
  zoomIn: 'Inzoomen',
  zoomOut: 'Uitzoomen',
  zoomFit: 'Aanpassen aan breedte',
  notReached: 'De dienst is niet bereikbaar. Controleer uw verbinding en probeer het opnieuw.',
  today: 'Vandaag',
  cannotShow:
    'Sommige pagina’s kunnen niet worden weergegeven. Neem contact op met de afzender voordat u ondertekent.',
  cannotShowPage: (page) =>
    `Pagina ${page} kan niet worden weergegeven. Neem contact op met de afzender voordat u ondertekent.`,
  remarks: 'Over dit document',
  remarkApproximateLayout: 'De opmaak kan afwijken van het oorspronkelijke Word-document.',
  remarkContentMissing: (page) =>
    `Een onderdeel van het oorspronkelijke Word-document wordt op pagina ${page} niet weergegeven.`,
  remarkContentMissingSomewhere:
    'Een onderdeel van het oorspronkelijke Word-document wordt niet weergegeven.',
  remarkTrackedChanges:
    'Het oorspronkelijke Word-document bevat bijgehouden wijzigingen. Ingevoegde tekst is onderstreept, verwijderde tekst is doorgehaald.',
  remarkDynamicForm:
    'Het origineel is een interactief formulier. U ziet en ondertekent de statische pagina’s ervan.',
  remarkAlreadySigned: 'Het origineel bevat al handtekeningen. Ze worden als afbeeldingen weergegeven.',

  // ── text that no font of the service has ──
  unshownTitle: 'Tekst die de pagina’s niet tonen',
  unshownLead:
    'Voor deze tekst was geen lettertype beschikbaar. De pagina’s tonen op die plaats lege plekken of vakjes. Lees de tekst hier. Als u de tekst niet begrijpt, vraag het dan aan de afzender voordat u ondertekent.',
  unshownUnreadable: 'Deze tekst kan niet uit het bestand worden gelezen. Vraag de afzender wat er staat.',
  unshownElsewhere: (document) =>
    `Ook andere pagina’s van ${document} kunnen tekst bevatten die niet wordt getoond. Vraag de afzender om een bestand dat de lettertypen bevat.`,
  unshownConfirm:
    'Ik weet dat deze tekst deel uitmaakt van de documenten, hoewel de pagina’s deze niet tonen',
  unshownFirst: 'Bevestig dat u de tekst kent die de pagina’s niet tonen',

  // ── signature ──
  signatureTitle: 'Uw handtekening',
  initialsTitle: 'Uw paraaf',
  draw: 'Tekenen',
  type: 'Typen',
  upload: 'Afbeelding uploaden',
  drawHint: 'Teken met uw vinger, een pen of de muis.',
  clear: 'Wissen',
  typeLabel: 'Uw naam, zoals u ondertekent',
  typeInitialsLabel: 'Uw initialen',
  faceLabel: 'Stijl',
  face: (number) => `Stijl ${number}`,
  uploadLabel: 'Afbeeldingsbestand',
  uploadHint: 'PNG, JPEG of een andere afbeeldingsindeling, tot 10\u00a0MB.',
  adopt: 'Deze handtekening gebruiken',
  adoptInitials: 'Deze paraaf gebruiken',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'Hiermee wordt het veld ingevuld.' : 'Hiermee worden alle bijbehorende velden ingevuld.'} Er is niets ondertekend totdat u aan het einde bevestigt.`,
  signatureMissing: 'Typ uw naam of kies een afbeelding',
  pictureUnusable:
    'Dit bestand kan niet als handtekening worden gebruikt. Kies een afbeelding in PNG- of JPEG-indeling.',
  pictureTooLarge: 'Het bestand is te groot. Kies een afbeelding van maximaal 10\u00a0MB.',
  signaturePreview: 'Uw handtekening',
  nothingDrawn: 'Teken eerst uw handtekening',

  // ── review ──
  reviewTitle: 'Controleren en ondertekenen',
  reviewLead: 'Controleer uw gegevens. Zodra u ondertekent, zijn ze definitief.',
  reviewApprove: 'U keurt de documenten ongewijzigd goed. Zodra u ondertekent, is dit definitief.',
  signingAs: 'U ondertekent als',
  yourEntries: 'Uw gegevens',
  empty: 'Leeg gelaten',
  checked: 'Aangevinkt',
  notChecked: 'Niet aangevinkt',
  change: 'Wijzigen',
  changeField: (label) => `Wijzigen: ${label}`,
  submit: 'Nu ondertekenen',
  changedMeanwhile:
    'Uw gegevens zijn gewijzigd sinds u deze pagina hebt geopend, misschien in een ander tabblad. Controleer ze opnieuw en onderteken daarna.',
  dateChanged:
    'De datum is veranderd sinds u deze pagina hebt geopend, en daarmee de datum van ondertekening in de documenten. Controleer uw gegevens opnieuw en onderteken daarna.',
  interrupted:
    'De dienst werd onderbroken tijdens de verwerking van uw handtekening. Er is niets ondertekend en uw gegevens zijn er nog. Onderteken opnieuw.',

  // ── reject ──
  reject: 'Weigeren',
  rejectTitle: 'Dit verzoek weigeren?',
  rejectLead: (sender) =>
    `Als u weigert, kan niemand deze documenten nog ondertekenen en wordt ${sender} hiervan op de hoogte gesteld. U kunt dit niet ongedaan maken.`,
  reason: 'Reden',
  reasonHint: (sender) => `${sender} en de andere ontvangers kunnen de reden zien.`,
  reasonMissing: 'Voer een reden in',
  reasonTooLong: (most) =>
    `De reden mag maximaal ${counted(most, { one: '# teken', other: '# tekens' })} hebben`,
  rejectNow: 'Verzoek weigeren',

  // ── ends ──
  sealingTitle: 'Uw handtekening wordt verwerkt',
  sealingLead:
    'De documenten worden verzegeld. Deze pagina wordt vanzelf bijgewerkt. U bent klaar zodra er staat dat u hebt ondertekend of dat iedereen heeft ondertekend.',
  signedTitle: 'U hebt ondertekend',
  signedLead:
    'Bedankt. Andere ontvangers moeten nog ondertekenen. Daarna ontvangt u de ondertekende documenten per e-mail. U kunt deze pagina sluiten.',
  completedTitle: 'Iedereen heeft ondertekend',
  completedLead:
    'Alle handtekeningen zijn compleet. Download de ondertekende documenten en bewaar ze. U ontvangt ze ook per e-mail.',
  rejectedTitle: 'Dit verzoek is geweigerd',
  rejectedByYou: 'U hebt het geweigerd. Deze documenten kunnen niet meer worden ondertekend.',
  rejectedBy: (name) => `${name} heeft het geweigerd. Deze documenten kunnen niet meer worden ondertekend.`,
  cancelledTitle: 'Dit verzoek is geannuleerd',
  cancelledBy: (sender) =>
    `${sender} heeft het geannuleerd. Deze documenten kunnen niet meer worden ondertekend.`,
  expiredTitle: 'Dit verzoek is verlopen',
  expiredLead: (sender) =>
    `De termijn om te ondertekenen is verstreken. Vraag ${sender} om de documenten opnieuw te verzenden.`,
  expiredAt: 'Verlopen op',
  signedAt: 'Door u ondertekend op',
  sealedDocuments: 'Ondertekende documenten',
  originals: 'Originele documenten',
  given: 'Opgegeven reden',

  // ── links that lead nowhere ──
  linkTitle: 'Deze link werkt niet',
  linkLead:
    'Het adres is mogelijk onvolledig. Open de link in de e-mail opnieuw of vraag de afzender om een nieuwe.',
  openMailTitle: 'Open de link in uw e-mail',
  openMailLead:
    'Voor uw veiligheid opent deze pagina alleen in de browser waarin u die link hebt geopend. Uw browser moet cookies van deze website accepteren.',
  notYetTitle: 'U bent nog niet aan de beurt',
  notYetLead:
    'Andere ontvangers ondertekenen vóór u. Wanneer u aan de beurt bent, ontvangt u een e-mail met een link.',
  outOfDateTitle: 'Deze pagina is verouderd',
  outOfDateLead: 'Er is niets gewijzigd. Open de pagina opnieuw.',
  foreignTitle: 'Dit formulier komt niet van deze site',
  foreignLead: 'Voor uw veiligheid is het niet verwerkt. Open de link in uw e-mail.',
  tooMuchTitle: 'Uw gegevens zijn te lang',
  tooMuchLead: 'Kort ze in en probeer het opnieuw.',
  nothingHereTitle: 'Pagina niet gevonden',
  nothingHereLead: 'Open de link in uw e-mail opnieuw.',
  unavailableTitle: 'De dienst is op dit moment niet beschikbaar',
  unavailableLead: 'Deze pagina wordt over enkele seconden vanzelf opnieuw geladen.',
  unavailableSentLead: 'Ga terug in uw browser en probeer het zo meteen opnieuw.',
  failedTitle: 'Er is iets misgegaan',
  failedLead: (id) =>
    `Alles wat al was opgeslagen, is er nog. Probeer het over een ogenblik opnieuw. Vermeld de aanvraag-id ${id} als u het probleem meldt.`,
  busyTitle: 'De dienst is overbelast',
  busyLead: 'Alles wat al was opgeslagen, is er nog. Probeer het over een minuut opnieuw.',
  notSealedTitle: 'De documenten konden niet worden voltooid',
  notSealedLead:
    'Er is niets ondertekend. Alles wat u hebt ingevuld, is er nog en de afzender kan de reden zien. Probeer het later opnieuw of neem contact op met de afzender.',
  openAgain: 'Pagina opnieuw openen',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label) => `Vul “${label}” in`,
  wrongSignature: (label) => `Onderteken bij “${label}”`,
  wrongTicked: (label) => `Vink “${label}” aan`,
  wrongOption: (label) => `Kies een van de opties voor “${label}”`,
  wrongEmail: (label) => `Voer bij “${label}” een e-mailadres in, bijvoorbeeld name@example.com`,
  wrongDate: (label) => `Voer bij “${label}” een datum in`,
  wrongNumber: (label, example) => `Voer bij “${label}” een getal in, bijvoorbeeld ${example}`,
  wrongDrawing: (label) => `Onderteken opnieuw bij “${label}”`,
  verySmall: (label) => `“${label}” staat heel klein in het document, omdat de tekst lang is voor zijn vak`,
  wrongPattern: (label) => `“${label}” heeft niet de vereiste notatie`,
  wrongUntestable: (label) =>
    `“${label}” kan niet worden gecontroleerd. Vraag de afzender om de documenten opnieuw te verzenden.`,
  wrongMinValue: (label, limit) => `“${label}” moet minimaal ${limit} zijn`,
  wrongMaxValue: (label, limit) => `“${label}” mag maximaal ${limit} zijn`,
  wrongMinLength: (label, count) =>
    `“${label}” moet minimaal ${counted(count, { one: '# teken', other: '# tekens' })} hebben`,
  wrongCharacters: (label, characters) =>
    `Verwijder uit het veld “${label}” de tekens die niet in het document kunnen worden geschreven: ${characters}`,
  wrongMaxLength: (label, count) =>
    `“${label}” mag maximaal ${counted(count, { one: '# teken', other: '# tekens' })} hebben`,

  // ── names of fields without a label ──
  typeText: 'Tekst',
  typeSignature: 'Handtekening',
  typeInitials: 'Paraaf',
  typePersonName: 'Naam',
  typeEmail: 'E-mailadres',
  typeDate: 'Datum',
  typeNumber: 'Getal',
  typeCheckbox: 'Selectievakje',
  typeSelect: 'Keuzelijst',
  typeRadio: 'Keuze',
};
