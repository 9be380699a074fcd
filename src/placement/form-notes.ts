// Says what of a form could not be carried over into fields, each as a code with the form fields that it is about.

/** No field is made for a form field for these reasons. */
export const OMITTED = [
  'button',
  'file',
  'password',
  'readonly',
  'hidden',
  'off_page',
  'no_place',
  'signed',
  'value_stays',
  'unknown',
] as const;

/** A field lacks these traits of its form field. */
export const CHANGED = [
  'calculated',
  'validated',
  'formatted',
  'date_format',
  'number_format',
  'acting',
  'aligned',
  'rich',
  'comb',
  'one_choice',
  'own_text',
  'several_places',
  'choice_written',
  'value_left',
  'value_not_taken',
  'options_left',
  'label_cut',
  'single_line',
] as const;

export type FormNoteCode = (typeof OMITTED)[number] | (typeof CHANGED)[number];

/** `page` counts from 0, and is 0 for a form field that is on no page. */
export type FormNote = { code: FormNoteCode; name: string; page: number };

const SENTENCES: Record<FormNoteCode, string> = {
  button: 'A button only starts an action, and stays as it looks.',
  file: 'A field cannot take a file.',
  password: 'A password would be readable in the document.',
  readonly: 'A read-only value stays a part of the page.',
  hidden: 'A field that is not shown cannot be filled in.',
  off_page: 'A field outside of its page cannot be filled in.',
  no_place: 'A field that is on no page cannot be filled in.',
  signed: 'A signature stays as it is.',
  value_stays:
    'A value stays in a document that cannot be changed, such as one that is signed or stored already.',
  unknown: 'The type is unknown.',
  calculated: 'The recipient fills in what the form calculates.',
  validated: 'The script that checks the value is omitted.',
  formatted: 'The script that formats the value is omitted.',
  date_format: 'The date is written as YYYY-MM-DD.',
  number_format: 'The number is written as it is typed.',
  acting: 'What the form does on a click or another event is omitted.',
  aligned: 'The text begins at the left edge.',
  rich: 'The text has no formatting.',
  comb: 'The characters are not in cells.',
  one_choice: 'One option can be chosen, where the form takes several.',
  own_text: 'An option is chosen, where the form takes other text as well.',
  several_places: 'The value is filled in at each of its places.',
  choice_written: 'The chosen option is written beside the buttons.',
  value_left: 'The value is omitted, because the field cannot have it.',
  value_not_taken: 'The value is omitted, because the service does not take values of fields.',
  options_left: 'The recipient writes a text instead of choosing an option.',
  label_cut: 'The label is too long, and is cut.',
  single_line: 'The signing page takes a single line, because the place is too low for more.',
};

const IS_OMITTED: ReadonlySet<FormNoteCode> = new Set(OMITTED);

const MOST_NAMES = 5;

export type FormRemark = { code: FormNoteCode; message: string; page: number; isOmitted: boolean };

/** Makes one sentence for each code, with the names of the form fields, in the order in which the codes appear. */
export function remarksOfForm(notes: readonly FormNote[]): FormRemark[] {
  const byCode = new Map<FormNoteCode, FormNote[]>();
  for (const note of notes) byCode.set(note.code, [...(byCode.get(note.code) ?? []), note]);
  return [...byCode].map(([code, group]) => {
    const isOmitted = IS_OMITTED.has(code);
    const subject = isOmitted ? 'Not carried over from the form' : 'Different from the form';
    const names = listOf([...new Set(group.map(({ name }) => name))]);
    return {
      code,
      page: group[0]?.page ?? 0,
      isOmitted,
      message: `${subject}: ${names}. ${SENTENCES[code]}`,
    };
  });
}

function listOf(names: readonly string[]): string {
  const quoted = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  const rest = names.length - quoted.length;
  return rest > 0 ? `${quoted.join(', ')} and ${rest} more` : quoted.join(', ');
}
