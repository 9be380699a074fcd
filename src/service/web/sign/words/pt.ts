// What the signing pages say, in Portuguese, in words that are usual in Brazil and in Portugal. Readers are addressed formally,
// without a pronoun.
import { countedIn } from './counted.ts';
import type { Words } from './en.ts';

const counted = countedIn('pt');

export const PT: Words = {
  // ── every page ──
  language: 'Idioma',
  changeLanguage: 'Alterar',
  skip: 'Ir para o conteúdo',
  error: (title) => `Erro: ${title}`,
  problems: 'Corrija o seguinte para continuar',
  requiredMark: 'obrigatório',
  optionalMark: 'opcional',
  filledBySender: 'Preenchido pelo remetente',
  filledAtSigning: (zone: string) => `Data da assinatura, preenchida automaticamente (fuso horário: ${zone})`,
  fieldsOfOthers: 'Nos campos dos outros',
  back: 'Voltar aos documentos',
  cancel: 'Cancelar',
  stepStart: 'Início',
  stepFill: 'Preencher',
  stepReview: 'Rever e assinar',
  steps: 'Etapas',
  imprint: 'Aviso legal',
  privacy: 'Política de privacidade',

  // ── start ──
  asksYou: (sender) => `${sender} pede a sua assinatura`,
  asksYouProxy: (sender) => `${sender} pede que assine em nome de outra pessoa`,
  from: 'De',
  to: 'Para',
  until: 'Prazo para assinar',
  noEnd: 'Sem prazo',
  documents: 'Documentos',
  pageCount: (count) => counted(count, { one: '# página', other: '# páginas' }),
  message: 'Mensagem do remetente',
  description: 'Sobre este pedido',
  consentTitle: 'Consentimento para assinar eletronicamente',
  consent:
    'Aceito assinar estes documentos eletronicamente. A minha assinatura, feita eletronicamente, mostra que os aceito, como faria uma assinatura em papel. Posso ler os documentos e fazer o download deles antes de assinar. Se não quiser assinar eletronicamente, posso rejeitar o pedido e solicitar ao remetente outra forma de assinar. A hora, o meu endereço IP e o meu navegador ficam guardados como prova.',
  agree: 'Li o texto acima e aceito',
  agreeFirst: 'Para continuar, aceite assinar eletronicamente ou rejeite o pedido',
  start: 'Continuar para os documentos',

  // ── document ──
  pageOf: (page, count) => `Página ${page} de ${count}`,
  download: 'Download em PDF',
  readAsText: 'Ler como texto',
  noText: 'Esta página não tem texto que possa ser lido em voz alta. Pergunte ao remetente o que ela contém.',
  pageBefore: 'Página anterior',
  pageAfter: 'Próxima página',
  yourFields: 'Os seus campos',
  left: (count) =>
    count === 0 ? 'Pronto para rever' : counted(count, { one: 'Falta # campo', other: 'Faltam # campos' }),
  nothingToFill:
    'Não há campos para preencher. Leia os documentos e continue para aprová-los tal como estão.',
  onPage: (page, document) => `Página ${page}, ${document}`,
  choose: 'Escolher',
  chooseOption: 'Escolha uma opção',
  notChosen: 'Nenhuma opção',
  sign: 'Assinar',
  signHere: 'Assinar aqui',
  initialsHere: 'Rubricar aqui',
  changeSignature: 'Alterar',
  removeSignature: 'Remover',
  save: 'Guardar',
  toReview: 'Rever',
  next: 'Próximo campo',
  previous: 'Campo anterior',
  morePages: 'Mostrar mais páginas',
  saved: 'Guardado',
  saving: 'Guardando…',
  notSaved: 'Ainda não foi guardado. Verifique o acesso à Internet. A tentativa repete-se automaticamente.',
  zoomIn: 'Ampliar',
  zoomOut: 'Reduzir',
  zoomFit: 'Ajustar à largura',
  notReached: 'O serviço não está acessível. Verifique o acesso à Internet e tente novamente.',
  today: 'Hoje',
  cannotShow: 'Algumas páginas não podem ser mostradas. Fale com o remetente antes de assinar.',
  cannotShowPage: (page) => `A página ${page} não pode ser mostrada. Fale com o remetente antes de assinar.`,
  remarks: 'Sobre este documento',
  remarkApproximateLayout: 'A apresentação pode ser diferente da do documento Word original.',
  remarkContentMissing: (page) => `Um elemento do documento Word original não é mostrado na página ${page}.`,
  remarkContentMissingSomewhere: 'Um elemento do documento Word original não é mostrado.',
  remarkTrackedChanges:
    'O documento Word original contém alterações registadas. O texto inserido está sublinhado e o eliminado está rasurado.',
  remarkDynamicForm:
    'O original é um formulário interativo. As páginas que vê e assina são as suas páginas estáticas.',
  remarkAlreadySigned: 'O original já contém assinaturas. Elas são mostradas como imagens.',

  // ── text that no font of the service has ──
  unshownTitle: 'Texto que as páginas não mostram',
  unshownLead:
    'Não havia nenhum tipo de letra para este texto, por isso as páginas mostram espaços vazios ou caixas no seu lugar. Leia-o aqui. Se não o compreender, pergunte ao remetente antes de assinar.',
  unshownUnreadable: 'Não é possível ler este texto no ficheiro. Pergunte ao remetente o que diz.',
  unshownElsewhere: (document) =>
    `Outras páginas de ${document} também podem conter texto que não é mostrado. Peça ao remetente um ficheiro que inclua os seus tipos de letra.`,
  unshownConfirm: 'Sei que este texto faz parte dos documentos, embora as páginas não o mostrem',
  unshownFirst: 'Confirme que conhece o texto que as páginas não mostram',

  // ── signature ──
  signatureTitle: 'A sua assinatura',
  initialsTitle: 'A sua rubrica',
  draw: 'Desenhar',
  type: 'Escrever',
  upload: 'Enviar uma imagem',
  drawHint: 'Desenhe com o dedo, com uma caneta ou com o cursor.',
  clear: 'Limpar',
  typeLabel: 'O seu nome, tal como assina',
  typeInitialsLabel: 'As suas iniciais',
  faceLabel: 'Estilo',
  face: (number) => `Estilo ${number}`,
  uploadLabel: 'Imagem',
  uploadHint: 'PNG, JPEG ou outro formato de imagem, até 10\u00a0MB.',
  adopt: 'Usar esta assinatura',
  adoptInitials: 'Usar esta rubrica',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'O campo é preenchido.' : 'Todos os campos correspondentes são preenchidos.'} Nada fica assinado antes da confirmação no final.`,
  signatureMissing: 'Escreva o seu nome ou escolha uma imagem',
  pictureUnusable: 'Esta imagem não pode ser usada como assinatura. Escolha uma imagem PNG ou JPEG.',
  pictureTooLarge: 'A imagem é grande demais. Escolha uma imagem de até 10\u00a0MB.',
  signaturePreview: 'A sua assinatura',
  nothingDrawn: 'Desenhe primeiro a sua assinatura',

  // ── review ──
  reviewTitle: 'Rever e assinar',
  reviewLead: 'Confira os seus dados. Depois de assinar, eles são definitivos.',
  reviewApprove: 'Os documentos são aprovados tal como estão. Depois de assinar, a aprovação é definitiva.',
  signingAs: 'Assina como',
  yourEntries: 'Os seus dados',
  empty: 'Deixado em branco',
  checked: 'Marcado',
  notChecked: 'Não marcado',
  change: 'Alterar',
  changeField: (label) => `Alterar: ${label}`,
  submit: 'Assinar agora',
  changedMeanwhile:
    'Os seus dados mudaram depois da abertura desta página, talvez em outra janela. Confira-os novamente e depois assine.',
  dateChanged:
    'A data mudou depois da abertura desta página e, com ela, a data da assinatura nos documentos. Confira novamente os seus dados e depois assine.',
  interrupted:
    'O serviço foi interrompido enquanto processava a sua assinatura. Nada foi assinado e os seus dados continuam disponíveis. Assine novamente.',

  // ── reject ──
  reject: 'Rejeitar',
  rejectTitle: 'Rejeitar este pedido?',
  rejectLead: (sender) =>
    `Se o rejeitar, ninguém mais poderá assinar estes documentos e ${sender} receberá essa informação. Não é possível desfazer esta ação.`,
  reason: 'Motivo',
  reasonHint: (sender) => `${sender} e os outros destinatários podem ver o motivo.`,
  reasonMissing: 'Indique um motivo',
  reasonTooLong: (most) =>
    `O motivo pode ter no máximo ${counted(most, { one: '# caractere', other: '# caracteres' })}`,
  rejectNow: 'Rejeitar o pedido',

  // ── ends ──
  sealingTitle: 'A sua assinatura está a ser processada',
  sealingLead:
    'Os documentos estão a ser selados. Esta página atualiza-se sozinha. Terá terminado quando indicar que assinou ou que todos assinaram.',
  signedTitle: 'A sua assinatura está concluída',
  signedLead:
    'Agradecemos. Outros destinatários ainda têm de assinar. Depois receberá os documentos assinados por e-mail. Pode fechar esta página.',
  completedTitle: 'Todos assinaram',
  completedLead:
    'Todas as assinaturas estão completas. Transfira os documentos assinados e guarde-os. Também os receberá por e-mail.',
  rejectedTitle: 'Este pedido foi rejeitado',
  rejectedByYou: 'A decisão de rejeitar foi sua. Estes documentos já não podem ser assinados.',
  rejectedBy: (name) => `${name} rejeitou o pedido. Estes documentos já não podem ser assinados.`,
  cancelledTitle: 'Este pedido foi cancelado',
  cancelledBy: (sender) => `${sender} cancelou o pedido. Estes documentos já não podem ser assinados.`,
  expiredTitle: 'Este pedido expirou',
  expiredLead: (sender) =>
    `O prazo para assinar terminou. Peça a ${sender} que envie os documentos novamente.`,
  expiredAt: 'Expirou em',
  signedAt: 'Data da sua assinatura',
  sealedDocuments: 'Documentos assinados',
  originals: 'Documentos originais',
  given: 'Motivo indicado',

  // ── links that lead nowhere ──
  linkTitle: 'Este link não funciona',
  linkLead: 'O endereço pode estar incompleto. Abra novamente o link do e-mail ou peça um novo ao remetente.',
  openMailTitle: 'Abra o link do seu e-mail',
  openMailLead:
    'Para sua segurança, esta página só abre no navegador em que esse link foi aberto. O navegador tem de aceitar cookies deste site.',
  notYetTitle: 'Ainda não é a sua vez',
  notYetLead: 'Outros destinatários assinam antes. Quando chegar a sua vez, receberá um e-mail com um link.',
  outOfDateTitle: 'Esta página está desatualizada',
  outOfDateLead: 'Nada foi alterado. Abra a página novamente.',
  foreignTitle: 'Este formulário não veio deste site',
  foreignLead: 'Para sua segurança, não foi processado. Abra o link do seu e-mail.',
  tooMuchTitle: 'Os seus dados são longos demais',
  tooMuchLead: 'Encurte-os e tente novamente.',
  nothingHereTitle: 'Página não encontrada',
  nothingHereLead: 'Abra novamente o link do seu e-mail.',
  unavailableTitle: 'O serviço não está disponível neste momento',
  unavailableLead: 'Esta página volta a carregar sozinha dentro de alguns segundos.',
  unavailableSentLead: 'Volte atrás no navegador e tente de novo daqui a um momento.',
  failedTitle: 'Ocorreu um erro',
  failedLead: (id) =>
    `Tudo o que já estava guardado continua disponível. Tente novamente em instantes. Se comunicar o problema, indique o identificador ${id}.`,
  busyTitle: 'O serviço está ocupado',
  busyLead: 'Tudo o que já estava guardado continua disponível. Tente novamente dentro de um minuto.',
  notSealedTitle: 'Não foi possível concluir os documentos',
  notSealedLead:
    'Nada foi assinado. Tudo o que preencheu continua disponível e o remetente pode ver o motivo. Tente novamente mais tarde ou contacte o remetente.',
  openAgain: 'Abrir a página novamente',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label) => `Preencha “${label}”`,
  wrongSignature: (label) => `Assine em “${label}”`,
  wrongTicked: (label) => `Marque “${label}”`,
  wrongOption: (label) => `Escolha uma das opções de “${label}”`,
  wrongEmail: (label) => `Insira um endereço de e-mail em “${label}”, por exemplo, name@example.com`,
  wrongDate: (label) => `Insira uma data em “${label}”`,
  wrongNumber: (label, example) => `Insira um número em “${label}”, por exemplo, ${example}`,
  wrongDrawing: (label) => `Assine novamente em “${label}”`,
  verySmall: (label) => `“${label}” aparece muito pequeno no documento, porque é longo para a sua caixa`,
  wrongPattern: (label) => `“${label}” não está no formato pedido`,
  wrongUntestable: (label) =>
    `Não é possível verificar “${label}”. Peça ao remetente que envie os documentos novamente.`,
  wrongMinValue: (label, limit) => `O valor de “${label}” deve ser, no mínimo, ${limit}`,
  wrongMaxValue: (label, limit) => `O valor de “${label}” deve ser, no máximo, ${limit}`,
  wrongMinLength: (label, count) =>
    `“${label}” deve ter pelo menos ${counted(count, { one: '# caractere', other: '# caracteres' })}`,
  wrongCharacters: (label, characters) =>
    `Remova do campo “${label}” os caracteres que não podem ser escritos no documento: ${characters}`,
  wrongMaxLength: (label, count) =>
    `“${label}” pode ter no máximo ${counted(count, { one: '# caractere', other: '# caracteres' })}`,

  // ── names of fields without a label ──
  typeText: 'Texto',
  typeSignature: 'Assinatura',
  typeInitials: 'Rubrica',
  typePersonName: 'Nome',
  typeEmail: 'E-mail',
  typeDate: 'Data',
  typeNumber: 'Número',
  typeCheckbox: 'Caixa de seleção',
  typeSelect: 'Lista de opções',
  typeRadio: 'Escolha',
};
