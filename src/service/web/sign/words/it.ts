// What the signing pages say, in Italian. Readers are addressed as "Lei"; buttons are short imperatives, as is usual.
import { countedIn } from './counted.ts';
import type { Words } from './en.ts';

const counted = countedIn('it');

export const IT: Words = {
  // ── every page ──
  language: 'Lingua',
  changeLanguage: 'Cambia',
  skip: 'Vai al contenuto',
  error: (title) => `Errore: ${title}`,
  problems: 'Per continuare, corregga quanto segue',
  requiredMark: 'obbligatorio',
  optionalMark: 'facoltativo',
  filledBySender: 'Compilato dal mittente',
  filledAtSigning: (zone: string) => `Data della firma, inserita automaticamente (fuso orario: ${zone})`,
  fieldsOfOthers: 'Nei campi degli altri',
  back: 'Torna ai documenti',
  cancel: 'Annulla',
  stepStart: 'Inizio',
  stepFill: 'Compilazione',
  stepReview: 'Verifica e firma',
  steps: 'Passaggi',
  imprint: 'Note legali',
  privacy: 'Informativa sulla privacy',

  // ── start ──
  asksYou: (sender) => `${sender} Le chiede di firmare`,
  asksYouProxy: (sender) => `${sender} Le chiede di firmare per conto di un’altra persona`,
  from: 'Da',
  to: 'A',
  until: 'Scadenza per la firma',
  noEnd: 'Nessuna',
  documents: 'Documenti',
  pageCount: (count) => counted(count, { one: '# pagina', other: '# pagine' }),
  message: 'Messaggio del mittente',
  description: 'Informazioni su questa richiesta',
  consentTitle: 'Consenso alla firma elettronica',
  consent:
    'Accetto di firmare questi documenti elettronicamente. La mia firma elettronica mostra che li accetto, come farebbe una firma su carta. Posso leggere e scaricare i documenti prima di firmare. Se non desidero firmare elettronicamente, posso rifiutare la richiesta e chiedere al mittente un altro modo di firmare. L’ora, il mio indirizzo IP e il mio browser vengono registrati come prova.',
  agree: 'Ho letto quanto sopra e acconsento',
  agreeFirst: 'Per continuare, acconsenta alla firma elettronica oppure rifiuti la richiesta',
  start: 'Continua ai documenti',

  // ── document ──
  pageOf: (page, count) => `Pagina ${page} di ${count}`,
  download: 'Scarica in formato PDF',
  readAsText: 'Leggi come testo',
  noText:
    'Questa pagina non contiene testo che possa essere letto ad alta voce. Chieda al mittente che cosa contiene.',
  pageBefore: 'Pagina precedente',
  pageAfter: 'Pagina successiva',
  yourFields: 'I Suoi campi',
  left: (count) =>
    count === 0
      ? 'Pronto per la verifica'
      : counted(count, { one: '# campo rimanente', other: '# campi rimanenti' }),
  nothingToFill:
    'Non ci sono campi da compilare. Legga i documenti, poi continui per approvarli così come sono.',
  onPage: (page, document) => `Pagina ${page}, ${document}`,
  choose: 'Scegli',
  chooseOption: 'Scegli un’opzione',
  notChosen: 'Nessuna selezione',
  sign: 'Firma',
  signHere: 'Firma qui',
  initialsHere: 'Inserisci qui le iniziali',
  changeSignature: 'Modifica',
  removeSignature: 'Rimuovi',
  save: 'Salva',
  toReview: 'Verifica',
  next: 'Campo successivo',
  previous: 'Campo precedente',
  morePages: 'Mostra altre pagine',
  saved: 'Salvato',
  saving: 'Salvataggio…',
  notSaved: 'Non ancora salvato. Controlli la connessione. Il tentativo viene ripetuto automaticamente.',
  zoomIn: 'Ingrandisci',
  zoomOut: 'Riduci',
  zoomFit: 'Adatta alla larghezza',
  notReached: 'Il servizio non è raggiungibile. Controlli la connessione e riprovi.',
  today: 'Oggi',
  cannotShow: 'Alcune pagine non possono essere visualizzate. Contatti il mittente prima di firmare.',
  cannotShowPage: (page) =>
    `La pagina ${page} non può essere visualizzata. Contatti il mittente prima di firmare.`,
  remarks: 'Informazioni su questo documento',
  remarkApproximateLayout: 'L’impaginazione può differire da quella del documento Word originale.',
  remarkContentMissing: (page) => `Un elemento del documento Word originale non è mostrato a pagina ${page}.`,
  remarkContentMissingSomewhere: 'Un elemento del documento Word originale non è mostrato.',
  remarkTrackedChanges:
    'Il documento Word originale contiene revisioni. Il testo inserito è sottolineato, quello eliminato è barrato.',
  remarkDynamicForm: 'L’originale è un modulo interattivo. Lei vede e firma le sue pagine statiche.',
  remarkAlreadySigned: 'L’originale contiene già delle firme. Sono mostrate come immagini.',

  // ── text that no font of the service has ──
  unshownTitle: 'Testo che le pagine non mostrano',
  unshownLead:
    'Per questo testo non era disponibile alcun carattere: al suo posto le pagine mostrano spazi vuoti o riquadri. Lo legga qui. Se non lo comprende, chieda al mittente prima di firmare.',
  unshownUnreadable: 'Questo testo non può essere letto dal file. Chieda al mittente che cosa dice.',
  unshownElsewhere: (document) =>
    `Anche altre pagine di ${document} possono contenere testo che non è mostrato. Chieda al mittente un file che contenga i suoi caratteri.`,
  unshownConfirm: 'So che questo testo fa parte dei documenti, anche se le pagine non lo mostrano',
  unshownFirst: 'Confermi di conoscere il testo che le pagine non mostrano',

  // ── signature ──
  signatureTitle: 'La Sua firma',
  initialsTitle: 'Le Sue iniziali',
  draw: 'Disegna',
  type: 'Digita',
  upload: 'Carica un’immagine',
  drawHint: 'Disegni con il dito, una penna o il mouse.',
  clear: 'Cancella',
  typeLabel: 'Il Suo nome, così come firma',
  typeInitialsLabel: 'Le Sue iniziali',
  faceLabel: 'Stile',
  face: (number) => `Stile ${number}`,
  uploadLabel: 'File immagine',
  uploadHint: 'PNG, JPEG o un altro formato di immagine, fino a 10\u00a0MB.',
  adopt: 'Usa questa firma',
  adoptInitials: 'Usa queste iniziali',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'In questo modo viene compilato il campo.' : 'In questo modo vengono compilati tutti i campi corrispondenti.'} Nulla viene firmato finché Lei non conferma alla fine.`,
  signatureMissing: 'Digiti il Suo nome o scelga un’immagine',
  pictureUnusable: 'Questo file non può essere usato come firma. Scelga un’immagine PNG o JPEG.',
  pictureTooLarge: 'Il file è troppo grande. Scelga un’immagine di non più di 10\u00a0MB.',
  signaturePreview: 'La Sua firma',
  nothingDrawn: 'Disegni prima la Sua firma',

  // ── review ──
  reviewTitle: 'Verifica e firma',
  reviewLead: 'Controlli i dati inseriti. Dopo la firma saranno definitivi.',
  reviewApprove: 'Lei approva i documenti così come sono. Dopo la firma l’approvazione sarà definitiva.',
  signingAs: 'Lei firma come',
  yourEntries: 'I dati inseriti',
  empty: 'Lasciato vuoto',
  checked: 'Selezionato',
  notChecked: 'Non selezionato',
  change: 'Modifica',
  changeField: (label) => `Modifica: ${label}`,
  submit: 'Firma ora',
  changedMeanwhile:
    'I dati inseriti sono cambiati da quando ha aperto questa pagina, forse in un’altra scheda. Li controlli di nuovo, poi firmi.',
  dateChanged:
    'La data è cambiata da quando ha aperto questa pagina, e con essa la data della firma nei documenti. Controlli di nuovo i dati inseriti, poi firmi.',
  interrupted:
    'Il servizio è stato interrotto durante l’elaborazione della Sua firma. Non è stato firmato nulla e i Suoi dati sono conservati. Firmi di nuovo.',

  // ── reject ──
  reject: 'Rifiuta',
  rejectTitle: 'Rifiutare questa richiesta?',
  rejectLead: (sender) =>
    `Se la rifiuta, nessuno potrà più firmare questi documenti e ${sender} ne riceverà notizia. L’operazione non può essere annullata.`,
  reason: 'Motivo',
  reasonHint: (sender) => `${sender} e gli altri destinatari possono vedere il motivo.`,
  reasonMissing: 'Inserisca un motivo',
  reasonTooLong: (most) =>
    `Il motivo può avere al massimo ${counted(most, { one: '# carattere', other: '# caratteri' })}`,
  rejectNow: 'Rifiuta la richiesta',

  // ── ends ──
  sealingTitle: 'La Sua firma è in elaborazione',
  sealingLead:
    'I documenti vengono sigillati. Questa pagina si aggiorna da sola. Ha finito quando indica che ha firmato o che tutti hanno firmato.',
  signedTitle: 'Ha firmato',
  signedLead:
    'Grazie. Altri destinatari devono ancora firmare. In seguito riceverà i documenti firmati per e-mail. Può chiudere questa pagina.',
  completedTitle: 'Tutti hanno firmato',
  completedLead:
    'Tutte le firme sono complete. Scarichi i documenti firmati e li conservi. Li riceverà anche per e-mail.',
  rejectedTitle: 'Questa richiesta è stata rifiutata',
  rejectedByYou: 'Lei l’ha rifiutata. Questi documenti non possono più essere firmati.',
  rejectedBy: (name) => `${name} l’ha rifiutata. Questi documenti non possono più essere firmati.`,
  cancelledTitle: 'Questa richiesta è stata annullata',
  cancelledBy: (sender) => `${sender} l’ha annullata. Questi documenti non possono più essere firmati.`,
  expiredTitle: 'Questa richiesta è scaduta',
  expiredLead: (sender) =>
    `Il termine per la firma è trascorso. Chieda a ${sender} di inviare di nuovo i documenti.`,
  expiredAt: 'Scaduta il',
  signedAt: 'Firmato da Lei il',
  sealedDocuments: 'Documenti firmati',
  originals: 'Documenti originali',
  given: 'Motivo indicato',

  // ── links that lead nowhere ──
  linkTitle: 'Questo link non funziona',
  linkLead:
    'L’indirizzo potrebbe essere incompleto. Apra di nuovo il link nell’e-mail o ne chieda uno nuovo al mittente.',
  openMailTitle: 'Apra il link nella Sua e-mail',
  openMailLead:
    'Per la Sua sicurezza, questa pagina si apre solo nel browser in cui ha aperto quel link. Il browser deve accettare i cookie di questo sito.',
  notYetTitle: 'Non è ancora il Suo turno',
  notYetLead:
    'Altri destinatari firmano prima di Lei. Quando sarà il Suo turno, riceverà un’e-mail con un link.',
  outOfDateTitle: 'Questa pagina non è aggiornata',
  outOfDateLead: 'Non è stato modificato nulla. Apra di nuovo la pagina.',
  foreignTitle: 'Questo modulo non proviene da questo sito',
  foreignLead: 'Per la Sua sicurezza non è stato elaborato. Apra il link nella Sua e-mail.',
  tooMuchTitle: 'I dati inseriti sono troppo lunghi',
  tooMuchLead: 'Li abbrevi e riprovi.',
  nothingHereTitle: 'Pagina non trovata',
  nothingHereLead: 'Apra di nuovo il link nella Sua e-mail.',
  unavailableTitle: 'Il servizio al momento non è disponibile',
  unavailableLead: 'Questa pagina si ricarica da sola tra pochi secondi.',
  unavailableSentLead: 'Torni indietro nel browser e riprovi tra un momento.',
  failedTitle: 'Si è verificato un errore',
  failedLead: (id) =>
    `Tutto ciò che era già salvato è conservato. Riprovi tra qualche istante. Se segnala il problema, indichi l’identificativo della richiesta ${id}.`,
  busyTitle: 'Il servizio è occupato',
  busyLead: 'Tutto ciò che era già salvato è conservato. Riprovi tra un minuto.',
  notSealedTitle: 'Non è stato possibile completare i documenti',
  notSealedLead:
    'Non è stato firmato nulla. Tutto ciò che ha compilato è conservato e il mittente può vedere il motivo. Riprovi più tardi o contatti il mittente.',
  openAgain: 'Apri di nuovo la pagina',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label) => `Compili «${label}»`,
  wrongSignature: (label) => `Firmi in «${label}»`,
  wrongTicked: (label) => `Selezioni la casella «${label}»`,
  wrongOption: (label) => `Scelga una delle opzioni di «${label}»`,
  wrongEmail: (label) => `Inserisca un indirizzo e-mail in «${label}», ad esempio name@example.com`,
  wrongDate: (label) => `Inserisca una data in «${label}»`,
  wrongNumber: (label, example) => `Inserisca un numero in «${label}», ad esempio ${example}`,
  wrongDrawing: (label) => `Firmi di nuovo in «${label}»`,
  verySmall: (label) => `«${label}» appare molto piccolo nel documento, perché è lungo per il suo riquadro`,
  wrongPattern: (label) => `«${label}» non ha il formato richiesto`,
  wrongUntestable: (label) =>
    `«${label}» non può essere verificato. Chieda al mittente di inviare di nuovo i documenti.`,
  wrongMinValue: (label, limit) => `Il valore di «${label}» deve essere almeno ${limit}`,
  wrongMaxValue: (label, limit) => `Il valore di «${label}» deve essere al massimo ${limit}`,
  wrongMinLength: (label, count) =>
    `«${label}» deve avere almeno ${counted(count, { one: '# carattere', other: '# caratteri' })}`,
  wrongCharacters: (label, characters) =>
    `Rimuova dal campo «${label}» i caratteri che non possono essere scritti nel documento: ${characters}`,
  wrongMaxLength: (label, count) =>
    `«${label}» può avere al massimo ${counted(count, { one: '# carattere', other: '# caratteri' })}`,

  // ── names of fields without a label ──
  typeText: 'Testo',
  typeSignature: 'Firma',
  typeInitials: 'Iniziali',
  typePersonName: 'Nome',
  typeEmail: 'E-mail',
  typeDate: 'Data',
  typeNumber: 'Numero',
  typeCheckbox: 'Casella di controllo',
  typeSelect: 'Elenco di opzioni',
  typeRadio: 'Scelta',
};
