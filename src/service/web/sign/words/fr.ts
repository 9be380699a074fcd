// What the signing pages say, in French. Readers are addressed as "vous"; a no-break space stands before ? : ; and in « ».
import { countedIn } from './counted.ts';
import type { Words } from './en.ts';

const counted = countedIn('fr');
const quoted = (label: string): string => `«\u00a0${label}\u00a0»`;

export const FR: Words = {
  // ── every page ──
  language: 'Langue',
  changeLanguage: 'Modifier',
  skip: 'Aller au contenu',
  error: (title) => `Erreur\u00a0: ${title}`,
  problems: 'Veuillez corriger les points suivants pour continuer',
  requiredMark: 'obligatoire',
  optionalMark: 'facultatif',
  filledBySender: 'Rempli par l’expéditeur',
  filledAtSigning: (zone: string) => `Date de signature, remplie automatiquement (fuseau horaire : ${zone})`,
  fieldsOfOthers: 'Dans les champs des autres',
  back: 'Retour aux documents',
  cancel: 'Annuler',
  stepStart: 'Début',
  stepFill: 'Remplir',
  stepReview: 'Vérifier et signer',
  steps: 'Étapes',
  imprint: 'Mentions légales',
  privacy: 'Politique de confidentialité',

  // ── start ──
  asksYou: (sender) => `${sender} vous demande de signer`,
  asksYouProxy: (sender) => `${sender} vous demande de signer au nom d’une autre personne`,
  from: 'De',
  to: 'À',
  until: 'Date limite de signature',
  noEnd: 'Aucune',
  documents: 'Documents',
  pageCount: (count) => counted(count, { one: '# page', other: '# pages' }),
  message: 'Message de l’expéditeur',
  description: 'À propos de cette demande',
  consentTitle: 'Consentement à la signature électronique',
  consent:
    'J’accepte de signer ces documents par voie électronique. Ma signature électronique montre que je les accepte, comme le ferait une signature sur papier. Je peux lire et télécharger les documents avant de signer. Si je ne souhaite pas signer par voie électronique, je peux refuser la demande et proposer à l’expéditeur de signer d’une autre manière. L’heure, mon adresse IP et mon navigateur sont enregistrés à titre de preuve.',
  agree: 'J’ai lu ce qui précède et je l’accepte',
  agreeFirst: 'Pour continuer, acceptez de signer par voie électronique, ou refusez la demande',
  start: 'Continuer vers les documents',

  // ── document ──
  pageOf: (page, count) => `Page ${page} sur ${count}`,
  download: 'Télécharger au format PDF',
  readAsText: 'Lire en texte brut',
  noText:
    'Cette page ne contient aucun texte pouvant être lu à voix haute. Demandez à l’expéditeur ce qu’elle contient.',
  pageBefore: 'Page précédente',
  pageAfter: 'Page suivante',
  yourFields: 'Vos champs',
  left: (count) =>
    count === 0
      ? 'Prêt pour la vérification'
      : counted(count, { one: '# champ restant', other: '# champs restants' }),
  nothingToFill:
    'Vous n’avez aucun champ à remplir. Lisez les documents, puis continuez pour les approuver en l’état.',
  onPage: (page, document) => `Page ${page} de ${document}`,
  choose: 'Choisir',
  chooseOption: 'Choisir une option',
  notChosen: 'Aucun choix',
  sign: 'Signer',
  signHere: 'Signer ici',
  initialsHere: 'Parapher ici',
  changeSignature: 'Modifier',
  removeSignature: 'Supprimer',
  save: 'Enregistrer',
  toReview: 'Vérifier',
  next: 'Champ suivant',
  previous: 'Champ précédent',
  morePages: 'Afficher plus de pages',
  saved: 'Enregistré',
  saving: 'Enregistrement…',
  notSaved:
    'Pas encore enregistré. Vérifiez votre connexion. Une nouvelle tentative est faite automatiquement.',
  zoomIn: 'Zoom avant',
  zoomOut: 'Zoom arrière',
  zoomFit: 'Ajuster à la largeur',
  notReached: 'Le service est injoignable. Vérifiez votre connexion et réessayez.',
  today: 'Aujourd’hui',
  cannotShow: 'Certaines pages ne peuvent pas être affichées. Contactez l’expéditeur avant de signer.',
  cannotShowPage: (page) =>
    `La page ${page} ne peut pas être affichée. Contactez l’expéditeur avant de signer.`,
  remarks: 'À propos de ce document',
  remarkApproximateLayout: 'La mise en page peut différer de celle du document Word d’origine.',
  remarkContentMissing: (page) =>
    `Un élément du document Word d’origine n’est pas affiché à la page ${page}.`,
  remarkContentMissingSomewhere: 'Un élément du document Word d’origine n’est pas affiché.',
  remarkTrackedChanges:
    'Le document Word d’origine contient des modifications suivies. Le texte ajouté est souligné, le texte supprimé est barré.',
  remarkDynamicForm: 'L’original est un formulaire interactif. Vous voyez et signez ses pages statiques.',
  remarkAlreadySigned: 'L’original contient déjà des signatures. Elles sont affichées sous forme d’images.',

  // ── text that no font of the service has ──
  unshownTitle: 'Texte que les pages n’affichent pas',
  unshownLead:
    'Aucune police n’était disponible pour ce texte : les pages affichent des vides ou des cases à sa place. Lisez-le ici. Si vous ne le comprenez pas, demandez à l’expéditeur avant de signer.',
  unshownUnreadable:
    'Ce texte ne peut pas être lu dans le fichier. Demandez à l’expéditeur ce qu’il contient.',
  unshownElsewhere: (document) =>
    `D’autres pages de ${document} peuvent aussi contenir du texte qui n’est pas affiché. Demandez à l’expéditeur un fichier qui contient ses polices.`,
  unshownConfirm: 'Je sais que ce texte fait partie des documents, bien que les pages ne l’affichent pas',
  unshownFirst: 'Confirmez que vous connaissez le texte que les pages n’affichent pas',

  // ── signature ──
  signatureTitle: 'Votre signature',
  initialsTitle: 'Vos initiales',
  draw: 'Dessiner',
  type: 'Saisir',
  upload: 'Importer une image',
  drawHint: 'Dessinez avec le doigt, un stylet ou la souris.',
  clear: 'Effacer',
  typeLabel: 'Votre nom, tel que vous signez',
  typeInitialsLabel: 'Vos initiales',
  faceLabel: 'Style d’écriture',
  face: (number) => `Style ${number}`,
  uploadLabel: 'Fichier image',
  uploadHint: 'PNG, JPEG ou un autre format d’image, 10\u00a0Mo au maximum.',
  adopt: 'Utiliser cette signature',
  adoptInitials: 'Utiliser ces initiales',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'Le champ est ainsi rempli.' : 'Tous les champs correspondants sont ainsi remplis.'} Rien n’est signé tant que vous n’avez pas confirmé à la fin.`,
  signatureMissing: 'Saisissez votre nom ou choisissez une image',
  pictureUnusable: 'Ce fichier ne peut pas servir de signature. Choisissez une image au format PNG ou JPEG.',
  pictureTooLarge: 'Le fichier est trop volumineux. Choisissez une image de 10\u00a0Mo au maximum.',
  signaturePreview: 'Votre signature',
  nothingDrawn: 'Dessinez d’abord votre signature',

  // ── review ──
  reviewTitle: 'Vérifier et signer',
  reviewLead: 'Vérifiez vos saisies. Une fois que vous avez signé, elles sont définitives.',
  reviewApprove: 'Vous approuvez les documents en l’état. Une fois que vous avez signé, c’est définitif.',
  signingAs: 'Vous signez en tant que',
  yourEntries: 'Vos saisies',
  empty: 'Laissé vide',
  checked: 'Coché',
  notChecked: 'Non coché',
  change: 'Modifier',
  changeField: (label) => `Modifier\u00a0: ${label}`,
  submit: 'Signer maintenant',
  changedMeanwhile:
    'Vos saisies ont changé depuis que vous avez ouvert cette page, peut-être dans un autre onglet. Vérifiez-les à nouveau, puis signez.',
  dateChanged:
    'La date a changé depuis que vous avez ouvert cette page, et avec elle la date de signature dans les documents. Vérifiez à nouveau vos saisies, puis signez.',
  interrupted:
    'Le service a été interrompu pendant le traitement de votre signature. Rien n’a été signé et vos saisies sont conservées. Signez à nouveau.',

  // ── reject ──
  reject: 'Refuser',
  rejectTitle: 'Refuser cette demande\u00a0?',
  rejectLead: (sender) =>
    `Si vous refusez, plus personne ne pourra signer ces documents et l’information sera transmise à ${sender}. Cette action est irréversible.`,
  reason: 'Motif',
  reasonHint: (sender) => `${sender} et les autres destinataires peuvent voir le motif.`,
  reasonMissing: 'Indiquez un motif',
  reasonTooLong: (most) =>
    `Le motif peut comporter au maximum ${counted(most, { one: '# caractère', other: '# caractères' })}`,
  rejectNow: 'Refuser la demande',

  // ── ends ──
  sealingTitle: 'Votre signature est en cours de traitement',
  sealingLead:
    'Les documents sont en cours de scellement. Cette page s’actualise toute seule. Vous avez terminé lorsqu’elle indique que vous avez signé ou que tout le monde a signé.',
  signedTitle: 'Vous avez signé',
  signedLead:
    'Merci. D’autres destinataires doivent encore signer. Vous recevrez ensuite les documents signés par e-mail. Vous pouvez fermer cette page.',
  completedTitle: 'Tout le monde a signé',
  completedLead:
    'Toutes les signatures ont été recueillies. Téléchargez les documents signés et conservez-les. Vous les recevrez aussi par e-mail.',
  rejectedTitle: 'Cette demande a été refusée',
  rejectedByYou: 'Vous l’avez refusée. Ces documents ne peuvent plus être signés.',
  rejectedBy: (name) => `${name} l’a refusée. Ces documents ne peuvent plus être signés.`,
  cancelledTitle: 'Cette demande a été annulée',
  cancelledBy: (sender) => `${sender} l’a annulée. Ces documents ne peuvent plus être signés.`,
  expiredTitle: 'Cette demande a expiré',
  expiredLead: (sender) =>
    `La date limite de signature est dépassée. Demandez à ${sender} d’envoyer à nouveau les documents.`,
  expiredAt: 'Expirée le',
  signedAt: 'Signé par vous le',
  sealedDocuments: 'Documents signés',
  originals: 'Documents d’origine',
  given: 'Motif indiqué',

  // ── links that lead nowhere ──
  linkTitle: 'Ce lien ne fonctionne pas',
  linkLead:
    'L’adresse est peut-être incomplète. Ouvrez à nouveau le lien reçu par e-mail ou demandez-en un nouveau à l’expéditeur.',
  openMailTitle: 'Ouvrez le lien reçu par e-mail',
  openMailLead:
    'Pour votre sécurité, cette page ne s’ouvre que dans le navigateur où vous avez ouvert ce lien. Votre navigateur doit accepter les cookies de ce site.',
  notYetTitle: 'Ce n’est pas encore votre tour',
  notYetLead:
    'D’autres destinataires signent avant vous. Quand viendra votre tour, vous recevrez un e-mail avec un lien.',
  outOfDateTitle: 'Cette page n’est plus à jour',
  outOfDateLead: 'Rien n’a été modifié. Ouvrez à nouveau la page.',
  foreignTitle: 'Ce formulaire ne provient pas de ce site',
  foreignLead: 'Pour votre sécurité, il n’a pas été traité. Ouvrez le lien reçu par e-mail.',
  tooMuchTitle: 'Vos saisies sont trop longues',
  tooMuchLead: 'Raccourcissez-les et réessayez.',
  nothingHereTitle: 'Page introuvable',
  nothingHereLead: 'Ouvrez à nouveau le lien reçu par e-mail.',
  unavailableTitle: 'Le service n’est pas disponible pour le moment',
  unavailableLead: 'Cette page se recharge d’elle-même dans quelques secondes.',
  unavailableSentLead: 'Revenez en arrière dans votre navigateur et réessayez dans un instant.',
  failedTitle: 'Une erreur est survenue',
  failedLead: (id) =>
    `Tout ce qui était déjà enregistré est conservé. Réessayez dans un instant. Si vous signalez le problème, indiquez l’identifiant de la requête ${id}.`,
  busyTitle: 'Le service est très sollicité',
  busyLead: 'Tout ce qui était déjà enregistré est conservé. Réessayez dans une minute.',
  notSealedTitle: 'Les documents n’ont pas pu être finalisés',
  notSealedLead:
    'Rien n’a été signé. Tout ce que vous avez rempli est conservé, et l’expéditeur peut voir la raison. Réessayez plus tard ou contactez l’expéditeur.',
  openAgain: 'Rouvrir la page',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label) => `Remplissez ${quoted(label)}`,
  wrongSignature: (label) => `Signez dans ${quoted(label)}`,
  wrongTicked: (label) => `Cochez ${quoted(label)}`,
  wrongOption: (label) => `Choisissez l’une des options de ${quoted(label)}`,
  wrongEmail: (label) => `Saisissez une adresse e-mail dans ${quoted(label)}, par exemple name@example.com`,
  wrongDate: (label) => `Saisissez une date dans ${quoted(label)}`,
  wrongNumber: (label, example) => `Saisissez un nombre dans ${quoted(label)}, par exemple ${example}`,
  wrongDrawing: (label) => `Signez à nouveau dans ${quoted(label)}`,
  verySmall: (label) =>
    `${quoted(label)} apparaît en très petit dans le document, car le texte est long pour son cadre`,
  wrongPattern: (label) => `${quoted(label)} n’a pas le format demandé`,
  wrongUntestable: (label) =>
    `${quoted(label)} ne peut pas être vérifié. Demandez à l’expéditeur d’envoyer à nouveau les documents.`,
  wrongMinValue: (label, limit) => `La valeur de ${quoted(label)} doit être d’au moins ${limit}`,
  wrongMaxValue: (label, limit) => `La valeur de ${quoted(label)} doit être d’au plus ${limit}`,
  wrongMinLength: (label, count) =>
    `${quoted(label)} doit comporter au moins ${counted(count, { one: '# caractère', other: '# caractères' })}`,
  wrongCharacters: (label, characters) =>
    `Supprimez du champ ${quoted(label)} les caractères qui ne peuvent pas être écrits dans le document : ${characters}`,
  wrongMaxLength: (label, count) =>
    `${quoted(label)} doit comporter au plus ${counted(count, { one: '# caractère', other: '# caractères' })}`,

  // ── names of fields without a label ──
  typeText: 'Texte',
  typeSignature: 'Signature',
  typeInitials: 'Initiales',
  typePersonName: 'Nom',
  typeEmail: 'E-mail',
  typeDate: 'Date',
  typeNumber: 'Nombre',
  typeCheckbox: 'Case à cocher',
  typeSelect: 'Sélection',
  typeRadio: 'Choix',
};
