// What the signing pages say, in German. Readers are addressed as "Sie".
import { countedIn } from './counted.ts';
import type { Words } from './en.ts';

const counted = countedIn('de');

export const DE: Words = {
  // ── every page ──
  language: 'Sprache',
  changeLanguage: 'Ändern',
  skip: 'Zum Inhalt springen',
  error: (title) => `Fehler: ${title}`,
  problems: 'Bitte korrigieren Sie Folgendes, um fortzufahren',
  requiredMark: 'erforderlich',
  optionalMark: 'optional',
  filledBySender: 'Vom Absender ausgefüllt',
  filledAtSigning: (zone: string) =>
    `Datum der Unterschrift, wird automatisch eingetragen (Zeitzone: ${zone})`,
  fieldsOfOthers: 'In den Feldern der anderen',
  back: 'Zurück zu den Dokumenten',
  cancel: 'Abbrechen',
  stepStart: 'Beginn',
  stepFill: 'Ausfüllen',
  stepReview: 'Prüfen und unterschreiben',
  steps: 'Schritte',
  imprint: 'Impressum',
  privacy: 'Datenschutzhinweise',

  // ── start ──
  asksYou: (sender) => `${sender} bittet Sie um Ihre Unterschrift`,
  asksYouProxy: (sender) => `${sender} bittet Sie, stellvertretend für eine andere Person zu unterschreiben`,
  from: 'Von',
  to: 'An',
  until: 'Unterschreiben bis',
  noEnd: 'Keine Frist',
  documents: 'Dokumente',
  pageCount: (count) => counted(count, { one: '# Seite', other: '# Seiten' }),
  message: 'Nachricht des Absenders',
  description: 'Zu dieser Anfrage',
  consentTitle: 'Einwilligung in die elektronische Unterschrift',
  consent:
    'Ich bin damit einverstanden, diese Dokumente elektronisch zu unterschreiben. Mit meiner elektronischen Unterschrift zeige ich, dass ich sie annehme, so wie mit einer Unterschrift auf Papier. Ich kann die Dokumente lesen und herunterladen, bevor ich unterschreibe. Möchte ich nicht elektronisch unterschreiben, kann ich die Anfrage ablehnen und den Absender um einen anderen Weg bitten. Der Zeitpunkt, meine IP-Adresse und mein Browser werden als Nachweis aufgezeichnet.',
  agree: 'Ich habe dies gelesen und stimme zu',
  agreeFirst:
    'Um fortzufahren, stimmen Sie der elektronischen Unterschrift zu; andernfalls lehnen Sie die Anfrage ab',
  start: 'Weiter zu den Dokumenten',

  // ── document ──
  pageOf: (page, count) => `Seite ${page} von ${count}`,
  download: 'Als PDF herunterladen',
  readAsText: 'Als Text lesen',
  noText:
    'Diese Seite enthält keinen Text, der vorgelesen werden kann. Fragen Sie den Absender nach dem Inhalt.',
  pageBefore: 'Vorherige Seite',
  pageAfter: 'Nächste Seite',
  yourFields: 'Ihre Felder',
  left: (count) =>
    count === 0 ? 'Bereit zur Prüfung' : counted(count, { one: 'Noch # Feld', other: 'Noch # Felder' }),
  nothingToFill:
    'Für Sie gibt es keine Felder auszufüllen. Lesen Sie die Dokumente und fahren Sie dann fort, um sie unverändert zu genehmigen.',
  onPage: (page, document) => `Seite ${page}, ${document}`,
  choose: 'Auswählen',
  chooseOption: 'Option auswählen',
  notChosen: 'Keine Auswahl',
  sign: 'Unterschreiben',
  signHere: 'Hier unterschreiben',
  initialsHere: 'Hier paraphieren',
  changeSignature: 'Ändern',
  removeSignature: 'Entfernen',
  save: 'Speichern',
  toReview: 'Prüfen',
  next: 'Nächstes Feld',
  previous: 'Vorheriges Feld',
  morePages: 'Weitere Seiten anzeigen',
  saved: 'Gespeichert',
  saving: 'Wird gespeichert…',
  notSaved: 'Noch nicht gespeichert. Prüfen Sie Ihre Verbindung. Der Versuch wird automatisch wiederholt.',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  zoomFit: 'An Breite anpassen',
  notReached: 'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
  today: 'Heute',
  cannotShow:
    'Einige Seiten können nicht angezeigt werden. Wenden Sie sich an den Absender, bevor Sie unterschreiben.',
  cannotShowPage: (page) =>
    `Seite ${page} kann nicht angezeigt werden. Wenden Sie sich an den Absender, bevor Sie unterschreiben.`,
  remarks: 'Zu diesem Dokument',
  remarkApproximateLayout: 'Das Layout kann vom ursprünglichen Word-Dokument abweichen.',
  remarkContentMissing: (page) =>
    `Ein Inhalt des ursprünglichen Word-Dokuments auf Seite ${page} wird nicht angezeigt.`,
  remarkContentMissingSomewhere: 'Ein Inhalt des ursprünglichen Word-Dokuments wird nicht angezeigt.',
  remarkTrackedChanges:
    'Das ursprüngliche Word-Dokument enthält nachverfolgte Änderungen. Eingefügter Text ist unterstrichen, gelöschter durchgestrichen.',
  remarkDynamicForm:
    'Das Original ist ein interaktives Formular. Sie sehen und unterschreiben seine statischen Seiten.',
  remarkAlreadySigned: 'Das Original enthält bereits Unterschriften. Sie werden als Bilder angezeigt.',

  // ── text that no font of the service has ──
  unshownTitle: 'Text, den die Seiten nicht zeigen',
  unshownLead:
    'Für diesen Text war keine Schriftart vorhanden. Die Seiten zeigen an seiner Stelle Lücken oder Kästchen. Lesen Sie ihn hier. Wenn Sie ihn nicht verstehen, fragen Sie den Absender, bevor Sie unterschreiben.',
  unshownUnreadable:
    'Dieser Text lässt sich aus der Datei nicht auslesen. Fragen Sie den Absender, was dort steht.',
  unshownElsewhere: (document) =>
    `Auch andere Seiten von ${document} können Text enthalten, der nicht gezeigt wird. Bitten Sie den Absender um eine Datei, die ihre Schriftarten enthält.`,
  unshownConfirm:
    'Mir ist bekannt, dass dieser Text zu den Dokumenten gehört, obwohl die Seiten ihn nicht zeigen',
  unshownFirst: 'Bestätigen Sie, dass Sie den Text kennen, den die Seiten nicht zeigen',

  // ── signature ──
  signatureTitle: 'Ihre Unterschrift',
  initialsTitle: 'Ihre Initialen',
  draw: 'Zeichnen',
  type: 'Tippen',
  upload: 'Bild hochladen',
  drawHint: 'Zeichnen Sie mit dem Finger, einem Stift oder der Maus.',
  clear: 'Löschen',
  typeLabel: 'Ihr Name, so wie Sie unterschreiben',
  typeInitialsLabel: 'Ihre Initialen',
  faceLabel: 'Schriftstil',
  face: (number) => `Stil ${number}`,
  uploadLabel: 'Bilddatei',
  uploadHint: 'PNG, JPEG oder ein anderes Bildformat, bis zu 10\u00a0MB.',
  adopt: 'Diese Unterschrift verwenden',
  adoptInitials: 'Diese Initialen verwenden',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'Damit wird das Feld ausgefüllt.' : 'Damit werden alle passenden Felder ausgefüllt.'} Unterschrieben ist erst, wenn Sie am Ende bestätigen.`,
  signatureMissing: 'Geben Sie Ihren Namen ein oder wählen Sie ein Bild aus',
  pictureUnusable:
    'Diese Datei kann nicht als Unterschrift verwendet werden. Wählen Sie ein PNG- oder JPEG-Bild aus.',
  pictureTooLarge: 'Die Datei ist zu groß. Wählen Sie ein Bild mit höchstens 10\u00a0MB aus.',
  signaturePreview: 'Ihre Unterschrift',
  nothingDrawn: 'Zeichnen Sie zuerst Ihre Unterschrift',

  // ── review ──
  reviewTitle: 'Prüfen und unterschreiben',
  reviewLead: 'Prüfen Sie Ihre Angaben. Sobald Sie unterschreiben, sind sie endgültig.',
  reviewApprove: 'Sie genehmigen die Dokumente unverändert. Sobald Sie unterschreiben, ist dies endgültig.',
  signingAs: 'Sie unterschreiben als',
  yourEntries: 'Ihre Angaben',
  empty: 'Leer gelassen',
  checked: 'Angekreuzt',
  notChecked: 'Nicht angekreuzt',
  change: 'Ändern',
  changeField: (label) => `Ändern: ${label}`,
  submit: 'Jetzt unterschreiben',
  changedMeanwhile:
    'Ihre Angaben haben sich geändert, seit Sie diese Seite geöffnet haben, vielleicht in einem anderen Tab. Prüfen Sie sie noch einmal und unterschreiben Sie dann.',
  dateChanged:
    'Seit Sie diese Seite geöffnet haben, hat ein neuer Tag begonnen. Damit hat sich das Datum der Unterschrift in den Dokumenten geändert. Prüfen Sie Ihre Angaben noch einmal und unterschreiben Sie dann.',
  interrupted:
    'Der Dienst wurde unterbrochen, während er Ihre Unterschrift verarbeitete. Es wurde nichts unterschrieben, und Ihre Angaben sind noch vorhanden. Bitte unterschreiben Sie erneut.',

  // ── reject ──
  reject: 'Ablehnen',
  rejectTitle: 'Diese Anfrage ablehnen?',
  rejectLead: (sender) =>
    `Wenn Sie ablehnen, kann niemand mehr diese Dokumente unterschreiben, und ${sender} wird informiert. Dies lässt sich nicht rückgängig machen.`,
  reason: 'Grund',
  reasonHint: (sender) => `${sender} und die anderen Empfänger können den Grund sehen.`,
  reasonMissing: 'Geben Sie einen Grund an',
  reasonTooLong: (most) => `Der Grund darf höchstens ${counted(most, { other: '# Zeichen' })} haben`,
  rejectNow: 'Anfrage ablehnen',

  // ── ends ──
  sealingTitle: 'Ihre Unterschrift wird verarbeitet',
  sealingLead:
    'Die Dokumente werden versiegelt. Diese Seite aktualisiert sich von selbst. Sie sind fertig, sobald hier steht, dass Sie oder dass alle unterschrieben haben.',
  signedTitle: 'Sie haben unterschrieben',
  signedLead:
    'Vielen Dank. Andere Empfänger müssen noch unterschreiben. Danach erhalten Sie die unterschriebenen Dokumente per E-Mail. Sie können diese Seite schließen.',
  completedTitle: 'Alle haben unterschrieben',
  completedLead:
    'Alle Unterschriften liegen vor. Laden Sie die unterschriebenen Dokumente herunter und bewahren Sie sie auf. Sie erhalten sie auch per E-Mail.',
  rejectedTitle: 'Diese Anfrage wurde abgelehnt',
  rejectedByYou: 'Sie haben sie abgelehnt. Diese Dokumente können nicht mehr unterschrieben werden.',
  rejectedBy: (name) => `${name} hat sie abgelehnt. Diese Dokumente können nicht mehr unterschrieben werden.`,
  cancelledTitle: 'Diese Anfrage wurde zurückgezogen',
  cancelledBy: (sender) =>
    `${sender} hat sie zurückgezogen. Diese Dokumente können nicht mehr unterschrieben werden.`,
  expiredTitle: 'Diese Anfrage ist abgelaufen',
  expiredLead: (sender) =>
    `Die Frist für die Unterschrift ist abgelaufen. Bitten Sie ${sender}, die Dokumente erneut zu senden.`,
  expiredAt: 'Abgelaufen',
  signedAt: 'Von Ihnen unterschrieben',
  sealedDocuments: 'Unterschriebene Dokumente',
  originals: 'Originaldokumente',
  given: 'Angegebener Grund',

  // ── links that lead nowhere ──
  linkTitle: 'Dieser Link funktioniert nicht',
  linkLead:
    'Die Adresse ist möglicherweise unvollständig. Öffnen Sie den Link in der E-Mail noch einmal oder bitten Sie den Absender um einen neuen.',
  openMailTitle: 'Öffnen Sie den Link in Ihrer E-Mail',
  openMailLead:
    'Zu Ihrer Sicherheit öffnet sich diese Seite nur in dem Browser, in dem Sie diesen Link geöffnet haben. Ihr Browser muss Cookies dieser Website zulassen.',
  notYetTitle: 'Sie sind noch nicht an der Reihe',
  notYetLead:
    'Andere Empfänger unterschreiben vor Ihnen. Wenn Sie an der Reihe sind, erhalten Sie eine E-Mail mit einem Link.',
  outOfDateTitle: 'Diese Seite ist veraltet',
  outOfDateLead: 'Es wurde nichts geändert. Öffnen Sie die Seite erneut.',
  foreignTitle: 'Dieses Formular stammt nicht von dieser Website',
  foreignLead: 'Zu Ihrer Sicherheit wurde es nicht verarbeitet. Öffnen Sie den Link in Ihrer E-Mail.',
  tooMuchTitle: 'Ihre Angaben sind zu lang',
  tooMuchLead: 'Kürzen Sie sie und versuchen Sie es erneut.',
  nothingHereTitle: 'Seite nicht gefunden',
  nothingHereLead: 'Öffnen Sie den Link in Ihrer E-Mail noch einmal.',
  unavailableTitle: 'Der Dienst ist gerade nicht verfügbar',
  unavailableLead: 'Diese Seite wird in wenigen Sekunden von selbst neu geladen.',
  unavailableSentLead: 'Gehen Sie im Browser zurück und versuchen Sie es gleich noch einmal.',
  failedTitle: 'Etwas ist schiefgegangen',
  failedLead: (id) =>
    `Alles, was bereits gespeichert war, ist noch vorhanden. Versuchen Sie es gleich noch einmal. Wenn Sie das Problem melden, geben Sie die Anfrage-ID ${id} an.`,
  busyTitle: 'Der Dienst ist ausgelastet',
  busyLead:
    'Alles, was bereits gespeichert war, ist noch vorhanden. Versuchen Sie es in einer Minute noch einmal.',
  notSealedTitle: 'Die Dokumente konnten nicht fertiggestellt werden',
  notSealedLead:
    'Es wurde nichts unterschrieben. Alle Ihre Angaben sind noch vorhanden, und der Absender kann den Grund sehen. Versuchen Sie es später noch einmal oder wenden Sie sich an den Absender.',
  openAgain: 'Seite erneut öffnen',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label) => `Füllen Sie „${label}“ aus`,
  wrongSignature: (label) => `Unterschreiben Sie bei „${label}“`,
  wrongTicked: (label) => `Kreuzen Sie „${label}“ an`,
  wrongOption: (label) => `Wählen Sie eine der Optionen für „${label}“ aus`,
  wrongEmail: (label) => `Geben Sie bei „${label}“ eine E-Mail-Adresse ein, zum Beispiel name@example.com`,
  wrongDate: (label) => `Geben Sie bei „${label}“ ein Datum ein`,
  wrongNumber: (label, example) => `Geben Sie bei „${label}“ eine Zahl ein, zum Beispiel ${example}`,
  wrongDrawing: (label) => `Unterschreiben Sie bei „${label}“ erneut`,
  verySmall: (label) => `„${label}“ wird im Dokument sehr klein, weil der Text für sein Feld lang ist`,
  wrongPattern: (label) => `„${label}“ hat nicht das verlangte Format`,
  wrongUntestable: (label) =>
    `„${label}“ kann nicht geprüft werden. Bitten Sie den Absender, die Dokumente erneut zu senden.`,
  wrongMinValue: (label, limit) => `„${label}“ muss mindestens ${limit} betragen`,
  wrongMaxValue: (label, limit) => `„${label}“ darf höchstens ${limit} betragen`,
  wrongMinLength: (label, count) =>
    `„${label}“ muss mindestens ${counted(count, { other: '# Zeichen' })} haben`,
  wrongCharacters: (label, characters) =>
    `Entfernen Sie aus dem Feld „${label}“ die Zeichen, die nicht in das Dokument geschrieben werden können: ${characters}`,
  wrongMaxLength: (label, count) =>
    `„${label}“ darf höchstens ${counted(count, { other: '# Zeichen' })} haben`,

  // ── names of fields without a label ──
  typeText: 'Text',
  typeSignature: 'Unterschrift',
  typeInitials: 'Initialen',
  typePersonName: 'Name',
  typeEmail: 'E-Mail',
  typeDate: 'Datum',
  typeNumber: 'Zahl',
  typeCheckbox: 'Kontrollkästchen',
  typeSelect: 'Auswahlliste',
  typeRadio: 'Auswahl',
};
