// What the signing pages say, in Polish. Sentences are formal without naming the reader's or the sender's gender.
import { countedIn } from './counted.ts';
import type { Words } from './en.ts';

const counted = countedIn('pl');

const characters = (count: number): string =>
  counted(count, { one: '# znak', few: '# znaki', many: '# znaków', other: '# znaku' });

export const PL: Words = {
  // ── every page ──
  language: 'Język',
  changeLanguage: 'Zmień',
  skip: 'Przejdź do treści',
  error: (title) => `Błąd: ${title}`,
  problems: 'Aby kontynuować, należy poprawić następujące pozycje',
  requiredMark: 'wymagane',
  optionalMark: 'opcjonalne',
  filledBySender: 'Wypełnione przez nadawcę',
  filledAtSigning: (zone: string) => `Data podpisania, wpisywana automatycznie (strefa czasowa: ${zone})`,
  fieldsOfOthers: 'W polach innych osób',
  back: 'Wróć do dokumentów',
  cancel: 'Anuluj',
  stepStart: 'Początek',
  stepFill: 'Wypełnianie',
  stepReview: 'Sprawdzenie i podpis',
  steps: 'Kroki',
  imprint: 'Nota prawna',
  privacy: 'Polityka prywatności',

  // ── start ──
  asksYou: (sender) => `${sender} prosi o podpis`,
  asksYouProxy: (sender) => `${sender} prosi o podpis w imieniu innej osoby`,
  from: 'Od',
  to: 'Do',
  until: 'Termin podpisania',
  noEnd: 'Bez terminu',
  documents: 'Dokumenty',
  pageCount: (count) =>
    counted(count, { one: '# strona', few: '# strony', many: '# stron', other: '# strony' }),
  message: 'Wiadomość od nadawcy',
  description: 'Informacje o tej prośbie',
  consentTitle: 'Zgoda na podpisanie elektroniczne',
  consent:
    'Wyrażam zgodę na elektroniczne podpisanie tych dokumentów. Mój podpis elektroniczny pokazuje, że je akceptuję, tak jak pokazałby to podpis na papierze. Przed podpisaniem mogę przeczytać i pobrać dokumenty. Jeśli nie chcę podpisywać elektronicznie, mogę odrzucić prośbę i poprosić nadawcę o inny sposób podpisania. Czas, mój adres IP i moja przeglądarka są zapisywane jako dowód.',
  agree: 'Znam powyższą treść i wyrażam zgodę',
  agreeFirst: 'Aby kontynuować, należy wyrazić zgodę na podpisanie elektroniczne albo odrzucić prośbę',
  start: 'Przejdź do dokumentów',

  // ── document ──
  pageOf: (page, count) => `Strona ${page} z ${count}`,
  download: 'Pobierz jako PDF',
  readAsText: 'Czytaj jako tekst',
  noText: 'Na tej stronie nie ma tekstu, który można odczytać na głos. O jej treść proszę zapytać nadawcę.',
  pageBefore: 'Poprzednia strona',
  pageAfter: 'Następna strona',
  yourFields: 'Pola do wypełnienia',
  left: (count) =>
    count === 0
      ? 'Gotowe do sprawdzenia'
      : counted(count, {
          one: 'Pozostało # pole',
          few: 'Pozostały # pola',
          many: 'Pozostało # pól',
          other: 'Pozostało # pola',
        }),
  nothingToFill:
    'Nie ma pól do wypełnienia. Proszę przeczytać dokumenty i przejść dalej, aby zatwierdzić je bez zmian.',
  onPage: (page, document) => `Strona ${page}, ${document}`,
  choose: 'Wybierz',
  chooseOption: 'Wybierz opcję',
  notChosen: 'Brak wyboru',
  sign: 'Podpisz',
  signHere: 'Podpisz tutaj',
  initialsHere: 'Parafuj tutaj',
  changeSignature: 'Zmień',
  removeSignature: 'Usuń',
  save: 'Zapisz',
  toReview: 'Sprawdź',
  next: 'Następne pole',
  previous: 'Poprzednie pole',
  morePages: 'Pokaż więcej stron',
  saved: 'Zapisano',
  saving: 'Zapisywanie…',
  notSaved: 'Jeszcze nie zapisano. Proszę sprawdzić połączenie. Próba zapisu jest ponawiana automatycznie.',
  zoomIn: 'Powiększ',
  zoomOut: 'Pomniejsz',
  zoomFit: 'Dopasuj do szerokości',
  notReached: 'Nie można połączyć się z usługą. Proszę sprawdzić połączenie i spróbować ponownie.',
  today: 'Dzisiaj',
  cannotShow: 'Niektórych stron nie można wyświetlić. Przed podpisaniem proszę skontaktować się z nadawcą.',
  cannotShowPage: (page) =>
    `Nie można wyświetlić strony ${page}. Przed podpisaniem proszę skontaktować się z nadawcą.`,
  remarks: 'Informacje o tym dokumencie',
  remarkApproximateLayout: 'Układ może różnić się od oryginalnego dokumentu Word.',
  remarkContentMissing: (page) =>
    `Na stronie ${page} nie jest wyświetlany element oryginalnego dokumentu Word.`,
  remarkContentMissingSomewhere: 'Jeden z elementów oryginalnego dokumentu Word nie jest wyświetlany.',
  remarkTrackedChanges:
    'Oryginalny dokument Word zawiera prześledzone zmiany. Tekst wstawiony jest podkreślony, a usunięty – przekreślony.',
  remarkDynamicForm:
    'Oryginał jest formularzem interaktywnym. Wyświetlane i podpisywane są jego strony statyczne.',
  remarkAlreadySigned: 'Oryginał zawiera już podpisy. Są one wyświetlane jako obrazy.',

  // ── text that no font of the service has ──
  unshownTitle: 'Tekst, którego strony nie pokazują',
  unshownLead:
    'Dla tego tekstu nie było dostępnej czcionki, więc w jego miejscu strony pokazują luki lub prostokąty. Proszę przeczytać go tutaj. Jeśli jest niezrozumiały, przed podpisaniem proszę zapytać nadawcę.',
  unshownUnreadable: 'Tego tekstu nie można odczytać z pliku. Proszę zapytać nadawcę o jego treść.',
  unshownElsewhere: (document) =>
    `Inne strony dokumentu ${document} również mogą zawierać tekst, który nie jest pokazany. Proszę poprosić nadawcę o plik zawierający czcionki.`,
  unshownConfirm: 'Wiem, że ten tekst jest częścią dokumentów, mimo że strony go nie pokazują',
  unshownFirst: 'Proszę potwierdzić znajomość tekstu, którego strony nie pokazują',

  // ── signature ──
  signatureTitle: 'Podpis',
  initialsTitle: 'Parafa',
  draw: 'Narysuj',
  type: 'Wpisz',
  upload: 'Prześlij obraz',
  drawHint: 'Podpis można narysować palcem, rysikiem lub myszą.',
  clear: 'Wyczyść',
  typeLabel: 'Imię i nazwisko, jak w podpisie',
  typeInitialsLabel: 'Inicjały',
  faceLabel: 'Styl',
  face: (number) => `Styl ${number}`,
  uploadLabel: 'Plik obrazu',
  uploadHint: 'PNG, JPEG lub inny format obrazu, do 10\u00a0MB.',
  adopt: 'Użyj tego podpisu',
  adoptInitials: 'Użyj tej parafy',
  adoptHint: (fields: number) =>
    `${fields === 1 ? 'Pole zostanie wypełnione.' : 'Wypełnione zostaną wszystkie odpowiednie pola.'} Nic nie jest podpisane do czasu potwierdzenia na końcu.`,
  signatureMissing: 'Proszę wpisać imię i nazwisko lub wybrać obraz',
  pictureUnusable: 'Tego pliku nie można użyć jako podpisu. Proszę wybrać obraz PNG lub JPEG.',
  pictureTooLarge: 'Plik jest za duży. Proszę wybrać obraz o rozmiarze do 10\u00a0MB.',
  signaturePreview: 'Podpis',
  nothingDrawn: 'Proszę najpierw narysować podpis',

  // ── review ──
  reviewTitle: 'Sprawdzenie i podpis',
  reviewLead: 'Proszę sprawdzić wpisane dane. Po podpisaniu są one ostateczne.',
  reviewApprove: 'Podpisanie oznacza zatwierdzenie dokumentów bez zmian i jest ostateczne.',
  signingAs: 'Osoba podpisująca',
  yourEntries: 'Wprowadzone dane',
  empty: 'Pozostawiono puste',
  checked: 'Zaznaczone',
  notChecked: 'Niezaznaczone',
  change: 'Zmień',
  changeField: (label) => `Zmień: ${label}`,
  submit: 'Podpisz teraz',
  changedMeanwhile:
    'Wpisane dane zmieniły się od otwarcia tej strony, być może w innej karcie. Proszę sprawdzić je ponownie, a następnie podpisać.',
  dateChanged:
    'Od otwarcia tej strony zmieniła się data, a wraz z nią data podpisania w dokumentach. Proszę ponownie sprawdzić wpisane dane, a następnie podpisać.',
  interrupted:
    'Działanie usługi zostało przerwane podczas przetwarzania podpisu. Nic nie zostało podpisane, a wprowadzone dane zostały zachowane. Proszę podpisać ponownie.',

  // ── reject ──
  reject: 'Odrzuć',
  rejectTitle: 'Odrzucić tę prośbę?',
  rejectLead: (sender) =>
    `Po odrzuceniu nikt nie będzie już mógł podpisać tych dokumentów. Informację o tym otrzyma ${sender}. Tej operacji nie można cofnąć.`,
  reason: 'Powód',
  reasonHint: (sender) => `Powód mogą zobaczyć ${sender} i pozostali odbiorcy.`,
  reasonMissing: 'Proszę podać powód',
  reasonTooLong: (most) => `Powód może mieć najwyżej ${characters(most)}`,
  rejectNow: 'Odrzuć prośbę',

  // ── ends ──
  sealingTitle: 'Podpis jest przetwarzany',
  sealingLead:
    'Dokumenty są pieczętowane. Ta strona odświeża się sama. Wszystko będzie gotowe, gdy pojawi się informacja, że dokumenty zostały podpisane.',
  signedTitle: 'Podpis został złożony',
  signedLead:
    'Dziękujemy. Inni odbiorcy muszą jeszcze podpisać. Podpisane dokumenty zostaną potem przesłane e-mailem. Można zamknąć tę stronę.',
  completedTitle: 'Podpisano przez wszystkich',
  completedLead:
    'Zebrano wszystkie podpisy. Proszę pobrać podpisane dokumenty i je zachować. Zostaną także przesłane e-mailem.',
  rejectedTitle: 'Ta prośba została odrzucona',
  rejectedByYou: 'Odmowa podpisania została zapisana. Tych dokumentów nie można już podpisać.',
  rejectedBy: (name) => `Prośbę odrzuciła osoba: ${name}. Tych dokumentów nie można już podpisać.`,
  cancelledTitle: 'Ta prośba została anulowana',
  cancelledBy: (sender) =>
    `Prośba została anulowana przez nadawcę: ${sender}. Tych dokumentów nie można już podpisać.`,
  expiredTitle: 'Ta prośba wygasła',
  expiredLead: (sender) =>
    `Termin podpisania minął. O ponowne wysłanie dokumentów można poprosić nadawcę: ${sender}.`,
  expiredAt: 'Wygasła',
  signedAt: 'Data podpisania',
  sealedDocuments: 'Podpisane dokumenty',
  originals: 'Oryginalne dokumenty',
  given: 'Podany powód',

  // ── links that lead nowhere ──
  linkTitle: 'Ten link nie działa',
  linkLead:
    'Adres może być niepełny. Proszę ponownie otworzyć link z wiadomości e-mail lub poprosić nadawcę o nowy.',
  openMailTitle: 'Proszę otworzyć link z wiadomości e-mail',
  openMailLead:
    'Ze względów bezpieczeństwa ta strona otwiera się tylko w przeglądarce, w której otwarto ten link. Przeglądarka musi akceptować pliki cookie z tej witryny.',
  notYetTitle: 'Kolej na ten podpis jeszcze nie nadeszła',
  notYetLead: 'Najpierw podpisują inni odbiorcy. We właściwym czasie przyjdzie wiadomość e-mail z linkiem.',
  outOfDateTitle: 'Ta strona jest nieaktualna',
  outOfDateLead: 'Niczego nie zmieniono. Proszę otworzyć stronę ponownie.',
  foreignTitle: 'Ten formularz nie pochodzi z tej witryny',
  foreignLead:
    'Ze względów bezpieczeństwa nie został przetworzony. Proszę otworzyć link z wiadomości e-mail.',
  tooMuchTitle: 'Wpisane dane są za długie',
  tooMuchLead: 'Proszę je skrócić i spróbować ponownie.',
  nothingHereTitle: 'Nie znaleziono strony',
  nothingHereLead: 'Proszę ponownie otworzyć link z wiadomości e-mail.',
  unavailableTitle: 'Usługa jest teraz niedostępna',
  unavailableLead: 'Ta strona za kilka sekund załaduje się ponownie sama.',
  unavailableSentLead: 'Proszę wrócić w przeglądarce i za chwilę spróbować ponownie.',
  failedTitle: 'Wystąpił błąd',
  failedLead: (id) =>
    `Wszystko, co było już zapisane, zostało zachowane. Proszę spróbować ponownie za chwilę. Zgłaszając problem, proszę podać identyfikator żądania ${id}.`,
  busyTitle: 'Usługa jest przeciążona',
  busyLead: 'Wszystko, co było już zapisane, zostało zachowane. Proszę spróbować ponownie za minutę.',
  notSealedTitle: 'Nie udało się ukończyć dokumentów',
  notSealedLead:
    'Nic nie zostało podpisane. Wszystkie wprowadzone dane zostały zachowane, a przyczyna jest widoczna w widoku nadawcy. Proszę spróbować później lub skontaktować się z nadawcą.',
  openAgain: 'Otwórz stronę ponownie',

  // ── what is wrong with a value; each names the field by its label ──
  wrongRequired: (label) => `Proszę wypełnić pole „${label}”`,
  wrongSignature: (label) => `Proszę złożyć podpis w polu „${label}”`,
  wrongTicked: (label) => `Proszę zaznaczyć pole „${label}”`,
  wrongOption: (label) => `Proszę wybrać jedną z opcji pola „${label}”`,
  wrongEmail: (label) => `Proszę wpisać adres e-mail w polu „${label}”, na przykład name@example.com`,
  wrongDate: (label) => `Proszę wpisać datę w polu „${label}”`,
  wrongNumber: (label, example) => `Proszę wpisać liczbę w polu „${label}”, na przykład ${example}`,
  wrongDrawing: (label) => `Proszę ponownie złożyć podpis w polu „${label}”`,
  verySmall: (label) =>
    `Pole „${label}” będzie w dokumencie bardzo małe, bo tekst jest za długi na swoją ramkę`,
  wrongPattern: (label) => `Pole „${label}” nie ma wymaganego formatu`,
  wrongUntestable: (label) =>
    `Nie można sprawdzić pola „${label}”. Proszę poprosić nadawcę o ponowne wysłanie dokumentów.`,
  wrongMinValue: (label, limit) => `Wartość pola „${label}” musi wynosić co najmniej ${limit}`,
  wrongMaxValue: (label, limit) => `Wartość pola „${label}” może wynosić najwyżej ${limit}`,
  wrongMinLength: (label, count) => `Pole „${label}” musi mieć co najmniej ${characters(count)}`,
  wrongCharacters: (label, characters) =>
    `Proszę usunąć z pola „${label}” znaki, których nie można zapisać w dokumencie: ${characters}`,
  wrongMaxLength: (label, count) => `Pole „${label}” może mieć najwyżej ${characters(count)}`,

  // ── names of fields without a label ──
  typeText: 'Tekst',
  typeSignature: 'Podpis',
  typeInitials: 'Parafa',
  typePersonName: 'Imię i nazwisko',
  typeEmail: 'Adres e-mail',
  typeDate: 'Data',
  typeNumber: 'Liczba',
  typeCheckbox: 'Pole wyboru',
  typeSelect: 'Lista wyboru',
  typeRadio: 'Wybór',
};
