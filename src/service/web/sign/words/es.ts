// What the signing pages say, in Spanish. Readers are addressed as "usted".
import { countedIn } from './counted.ts';
import type { Words } from './en.ts';

const counted = countedIn('es');

export const ES: Words = {
  // ── every page ──
  language: 'Idioma',
  changeLanguage: 'Cambiar',
  skip: 'Ir al contenido',
  error: (title) => `Error: ${title}`,
  problems: 'Corrija lo siguiente para continuar',
  requiredMark: 'obligatorio',
  optionalMark: 'opcional',
  filledBySender: 'Rellenado por el remitente',
  filledAtSigning: (zone: string) => `Fecha de la firma, se rellena automáticamente (zona horaria: ${zone})`,
  fieldsOfOthers: 'En los campos de los demás',
  back: 'Volver a los documentos',
  cancel: 'Cancelar',
  stepStart: 'Inicio',
  stepFill: 'Completar',
  stepReview: 'Revisar y firmar',
  steps: 'Pasos',
  imprint: 'Aviso legal',
  privacy: 'Política de privacidad',

  // ── start ──
  asksYou: (sender) => `${sender} le pide su firma`,
  asksYouProxy: (sender) => `${sender} le pide que firme en nombre de otra persona`,
  from: 'De',
  to: 'Para',
  until: 'Fecha límite para firmar',
  noEnd: 'Ninguna',
  documents: 'Documentos',
  pageCount: (count) => counted(count, { one: '# página', other: '# páginas' }),
  message: 'Mensaje del remitente',
  description: 'Acerca de esta solicitud',
  consentTitle: 'Consentimiento para firmar electrónicamente',
  consent:
    'Acepto firmar estos documentos electrónicamente. Mi firma electrónica muestra que los acepto, como lo haría una firma en papel. Puedo leer y descargar los documentos antes de firmar. Si no deseo firmar electrónicamente, puedo rechazar la solicitud y pedir al remitente otra forma de firmar. La hora, mi dirección IP y mi navegador se registran como prueba.',
  agree: 'He leído lo anterior y lo acepto',
  agreeFirst: 'Para continuar, acepte firmar electrónicamente o rechace la solicitud',
  start: 'Continuar a los documentos',

  // ── document ──
  pageOf: (page, count) => `Página ${page} de ${count}`,
  download: 'Descargar en PDF',
  readAsText: 'Leer como texto',
  noText: 'Esta página no contiene texto que se pueda leer en voz alta. Pregunte al remitente qué contiene.',
  pageBefore: 'Página anterior',
  pageAfter: 'Página siguiente',
  yourFields: 'Sus campos',
  left: (count) =>
    count === 0 ? 'Listo para revisar' : counted(count, { one: 'Queda # campo', other: 'Quedan # campos' }),
  nothingToFill:
    'No tiene ningún campo que completar. Lea los documentos y continúe para aprobarlos tal como están.',
  onPage: (page, document) => `Página ${page}, ${document}`,
  choose: 'Elegir',
  chooseOption: 'Elija una opción',
  notChosen: 'Sin selección',
  sign: 'Firmar',
  signHere: 'Firmar aquí',
  initialsHere: 'Poner las iniciales aquí',
  changeSignature: 'Cambiar',
  removeSignature: 'Quitar',
  save: 'Guardar',
  toReview: 'Revisar',
  next: 'Campo siguiente',
  previous: 'Campo anterior',
  morePages: 'Mostrar más páginas',
  saved: 'Guardado',
  saving: 'Guardando…',
  notSaved: 'Aún no se ha guardado. Compruebe su conexión. El intento se repite automáticamente.',
  zoomIn: 'Acercar',
  zoomOut: 'Alejar',
  zoomFit: 'Ajustar al ancho',
  notReached: 'No se puede contactar con el servicio. Compruebe su conexión e inténtelo de nuevo.',
  today: 'Hoy',
  cannotShow: 'Algunas páginas no se pueden mostrar. Póngase en contacto con el remitente antes de firmar.',
  cannotShowPage: (page) =>
    `La página ${page} no se puede mostrar. Póngase en contacto con el remitente antes de firmar.`,
  remarks: 'Acerca de este documento',
  remarkApproximateLayout: 'El diseño puede diferir del documento de Word original.',
  remarkContentMissing: (page) =>
    `Un elemento del documento de Word original no se muestra en la página ${page}.`,
  remarkContentMissingSomewhere: 'Un elemento del documento de Word original no se muestra.',
  remarkTrackedChanges:
    'El documento de Word original contiene cambios registrados. El texto insertado está subrayado y el eliminado, tachado.',
  remarkDynamicForm: 'El original es un formulario interactivo. Usted ve y firma sus páginas estáticas.',
  remarkAlreadySigned: 'El original ya contiene firmas. Se muestran como imágenes.',

  // ── text that no font of the service has ──
  unshownTitle: 'Texto que las páginas no muestran',
  unshownLead:
    'No había ninguna fuente para este texto, por lo que las páginas muestran huecos o recuadros en su lugar. Léalo aquí. Si no lo entiende, pregunte al remitente antes de firmar.',
  unshownUnreadable: 'Este texto no se puede leer en el archivo. Pregunte al remitente qué dice.',
  unshownElsewhere: (document) =>
    `Otras páginas de ${document} también pueden contener texto que no se muestra. Pida al remitente un archivo que incluya sus fuentes.`,
  unshownConfirm: 'Sé que este texto forma parte de los documentos, aunque las páginas no lo muestren',
  unshownFirst: 'Confirme que conoce el texto que las páginas no muestran',

  // ── signature ──
  signatureTitle: 'Su firma',
  initialsTitle: 'Sus iniciales',
  draw: 'Dibujar',
  type: 'Escribir',
  upload: 'Subir una imagen',
  drawHint: 'Dibuje con el dedo, un lápiz óptico o el ratón.',
  clear: 'Borrar',
  typeLabel: 'Su nombre, tal como firma',
  typeInitialsLabel: 'Sus iniciales',
  faceLabel: 'Estilo',
  face: (number) => `Estilo ${number}`,
  uploadLabel: 'Archivo de imagen',
  uploadHint: 'PNG, JPEG u otro formato de imagen, de hasta 10\u00a0MB.',
  adopt: 'Usar esta firma',
  adoptInitials: 'Usar estas iniciales',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'Con esto se completa el campo.' : 'Con esto se completan todos los campos correspondientes.'} Nada queda firmado hasta que lo confirme al final.`,
  signatureMissing: 'Escriba su nombre o elija una imagen',
  pictureUnusable: 'Este archivo no se puede usar como firma. Elija una imagen PNG o JPEG.',
  pictureTooLarge: 'El archivo es demasiado grande. Elija una imagen de hasta 10\u00a0MB.',
  signaturePreview: 'Su firma',
  nothingDrawn: 'Dibuje primero su firma',

  // ── review ──
  reviewTitle: 'Revisar y firmar',
  reviewLead: 'Revise sus datos. Una vez que firme, serán definitivos.',
  reviewApprove: 'Usted aprueba los documentos tal como están. Una vez que firme, será definitivo.',
  signingAs: 'Firma como',
  yourEntries: 'Sus datos',
  empty: 'En blanco',
  checked: 'Marcado',
  notChecked: 'No marcado',
  change: 'Cambiar',
  changeField: (label) => `Cambiar: ${label}`,
  submit: 'Firmar ahora',
  changedMeanwhile:
    'Sus datos han cambiado desde que abrió esta página, quizá en otra pestaña. Revíselos de nuevo y después firme.',
  dateChanged:
    'La fecha ha cambiado desde que abrió esta página y, con ella, la fecha de la firma en los documentos. Revise sus datos de nuevo y después firme.',
  interrupted:
    'El servicio se interrumpió mientras procesaba su firma. No se ha firmado nada y sus datos se conservan. Firme de nuevo.',

  // ── reject ──
  reject: 'Rechazar',
  rejectTitle: '¿Rechazar esta solicitud?',
  rejectLead: (sender) =>
    `Si la rechaza, ya nadie podrá firmar estos documentos y se informará a ${sender}. Esta acción no se puede deshacer.`,
  reason: 'Motivo',
  reasonHint: (sender) => `${sender} y los demás destinatarios pueden ver el motivo.`,
  reasonMissing: 'Indique un motivo',
  reasonTooLong: (most) =>
    `El motivo puede tener como máximo ${counted(most, { one: '# carácter', other: '# caracteres' })}`,
  rejectNow: 'Rechazar la solicitud',

  // ── ends ──
  sealingTitle: 'Se está procesando su firma',
  sealingLead:
    'Se están sellando los documentos. Esta página se actualiza sola. Habrá terminado cuando indique que ha firmado o que todos han firmado.',
  signedTitle: 'Ha firmado',
  signedLead:
    'Gracias. Otros destinatarios aún tienen que firmar. Después recibirá los documentos firmados por correo electrónico. Puede cerrar esta página.',
  completedTitle: 'Todos han firmado',
  completedLead:
    'Todas las firmas están completas. Descargue los documentos firmados y consérvelos. También los recibirá por correo electrónico.',
  rejectedTitle: 'Esta solicitud se ha rechazado',
  rejectedByYou: 'Usted la ha rechazado. Estos documentos ya no se pueden firmar.',
  rejectedBy: (name) => `${name} la ha rechazado. Estos documentos ya no se pueden firmar.`,
  cancelledTitle: 'Esta solicitud se ha cancelado',
  cancelledBy: (sender) => `${sender} la ha cancelado. Estos documentos ya no se pueden firmar.`,
  expiredTitle: 'Esta solicitud ha caducado',
  expiredLead: (sender) =>
    `El plazo para firmar ha terminado. Pida a ${sender} que vuelva a enviar los documentos.`,
  expiredAt: 'Caducó el',
  signedAt: 'Firmado por usted el',
  sealedDocuments: 'Documentos firmados',
  originals: 'Documentos originales',
  given: 'Motivo indicado',

  // ── links that lead nowhere ──
  linkTitle: 'Este enlace no funciona',
  linkLead:
    'Es posible que la dirección esté incompleta. Abra de nuevo el enlace del correo electrónico o pida uno nuevo al remitente.',
  openMailTitle: 'Abra el enlace de su correo electrónico',
  openMailLead:
    'Por su seguridad, esta página solo se abre en el navegador en el que haya abierto ese enlace. El navegador debe aceptar las cookies de este sitio.',
  notYetTitle: 'Todavía no es su turno',
  notYetLead:
    'Otros destinatarios firman antes que usted. Cuando llegue su turno, recibirá un correo electrónico con un enlace.',
  outOfDateTitle: 'Esta página no está actualizada',
  outOfDateLead: 'No se ha cambiado nada. Abra la página de nuevo.',
  foreignTitle: 'Este formulario no procede de este sitio',
  foreignLead: 'Por su seguridad, no se ha procesado. Abra el enlace de su correo electrónico.',
  tooMuchTitle: 'Sus datos son demasiado largos',
  tooMuchLead: 'Acórtelos e inténtelo de nuevo.',
  nothingHereTitle: 'Página no encontrada',
  nothingHereLead: 'Abra de nuevo el enlace de su correo electrónico.',
  unavailableTitle: 'El servicio no está disponible en este momento',
  unavailableLead: 'Esta página se vuelve a cargar sola en unos segundos.',
  unavailableSentLead: 'Vuelva atrás en el navegador e inténtelo de nuevo en un momento.',
  failedTitle: 'Se ha producido un error',
  failedLead: (id) =>
    `Todo lo que ya estaba guardado se conserva. Inténtelo de nuevo en unos instantes. Si informa del problema, indique el identificador ${id}.`,
  busyTitle: 'El servicio está ocupado',
  busyLead: 'Todo lo que ya estaba guardado se conserva. Inténtelo de nuevo en un minuto.',
  notSealedTitle: 'No se han podido completar los documentos',
  notSealedLead:
    'No se ha firmado nada. Todo lo que ha rellenado se conserva y el remitente puede ver el motivo. Inténtelo de nuevo más tarde o póngase en contacto con el remitente.',
  openAgain: 'Abrir la página de nuevo',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label) => `Complete «${label}»`,
  wrongSignature: (label) => `Firme en «${label}»`,
  wrongTicked: (label) => `Marque «${label}»`,
  wrongOption: (label) => `Elija una de las opciones de «${label}»`,
  wrongEmail: (label) =>
    `Introduzca una dirección de correo electrónico en «${label}», por ejemplo, name@example.com`,
  wrongDate: (label) => `Introduzca una fecha en «${label}»`,
  wrongNumber: (label, example) => `Introduzca un número en «${label}», por ejemplo, ${example}`,
  wrongDrawing: (label) => `Firme de nuevo en «${label}»`,
  verySmall: (label) => `«${label}» aparece muy pequeño en el documento, porque es largo para su recuadro`,
  wrongPattern: (label) => `«${label}» no tiene el formato requerido`,
  wrongUntestable: (label) =>
    `«${label}» no se puede comprobar. Pida al remitente que vuelva a enviar los documentos.`,
  wrongMinValue: (label, limit) => `«${label}» debe ser como mínimo ${limit}`,
  wrongMaxValue: (label, limit) => `«${label}» debe ser como máximo ${limit}`,
  wrongMinLength: (label, count) =>
    `«${label}» debe tener al menos ${counted(count, { one: '# carácter', other: '# caracteres' })}`,
  wrongCharacters: (label, characters) =>
    `Elimine del campo «${label}» los caracteres que no se pueden escribir en el documento: ${characters}`,
  wrongMaxLength: (label, count) =>
    `«${label}» debe tener como máximo ${counted(count, { one: '# carácter', other: '# caracteres' })}`,

  // ── names of fields without a label ──
  typeText: 'Texto',
  typeSignature: 'Firma',
  typeInitials: 'Iniciales',
  typePersonName: 'Nombre',
  typeEmail: 'Correo electrónico',
  typeDate: 'Fecha',
  typeNumber: 'Número',
  typeCheckbox: 'Casilla',
  typeSelect: 'Lista de opciones',
  typeRadio: 'Opción',
};
