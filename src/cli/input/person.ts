// Parses people: `Ada Lovelace <ada@example.com>,role=proxy,tag=Customer`. A `;` is accepted for the comma.
import { LIMITS } from '../../api/contract/limits.ts';
import { isEmail, line } from '../../api/contract/values.ts';
import { didYouMean, nearest } from '../../common/nearest.ts';
import { type CliError, cliError } from '../command/errors.ts';

export type Person = { name: string; email: string };

/** `tag`: the role that tags in documents name. */
export type Addressee = Person & { role: 'signer' | 'proxy'; tag?: string | undefined };

const FORM = /^(?<name>[^<>]*)<(?<email>[^<>]*)>(?<rest>.*)$/s;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/**
 * Parses a recipient.
 * @param flag what was given, for the error: `--to`; undefined for the answer to a question
 * @param takesTag whether the recipient can have a role of tags
 */
export function parseAddressee(text: string, flag: string | undefined, { takesTag = false } = {}): Addressee {
  if (CONTROL.test(text)) throw notAccepted(flag, text, 'contains a control character', 'Remove it.');
  const { person, rest } = splitPerson(text, flag);
  return { ...person, ...optionsIn(rest, text, { flag, takesTag }) };
}

export function parsePerson(text: string, flag: string): Person {
  if (CONTROL.test(text)) throw notAccepted(flag, text, 'contains a control character', 'Remove it.');
  const { person, rest } = splitPerson(text, flag);
  if (rest !== '')
    throw notAccepted(
      flag,
      text,
      `has "${rest}" after the email address`,
      'For example "Ada <ada@example.com>".',
    );
  return person;
}

/**
 * Reads a person typed at a prompt. A domain without a dot is a typing mistake there more often than an internal address; options
 * take both.
 */
export function parseTypedPerson(text: string, flag: string): Addressee {
  const read = parseAddressee(text, undefined, { takesTag: true });
  if (read.email.split('@')[1]?.includes('.')) return read;
  throw notAccepted(
    undefined,
    read.email,
    'has a domain without a dot',
    `Correct it. An internal address can be given with ${flag}.`,
  );
}

/** Splits a person. An address alone (`ada@example.com`) is also the name. */
function splitPerson(text: string, flag: string | undefined): { person: Person; rest: string } {
  const groups = FORM.exec(text)?.groups;
  const separator = text.search(/;|,\s*(role|tag)\s*=/);
  const bare = separator < 0 ? text : text.slice(0, separator);
  const rest = (groups ? groups.rest : text.slice(bare.length))?.trim() ?? '';
  const email = (groups ? groups.email : bare)?.trim() ?? '';
  const name = unquoted(groups?.name?.trim() ?? '') || email;
  if (!isEmail(email)) {
    const option = flag === undefined ? '' : `${flag}: `;
    throw cliError('email_invalid', {
      sentence:
        email === ''
          ? `${option}"${text}" has no email address.`
          : `${option}"${email}" is not a valid email address.`,
      hint: 'For example "Ada <ada@example.com>".',
    });
  }
  const named = line(1, LIMITS.personNameLength).safeParse(name);
  if (!named.success)
    throw notAccepted(
      flag,
      text,
      `has a name that ${named.error.issues[0]?.message ?? 'is not accepted'}`,
      'Correct the name.',
    );
  return { person: { name, email }, rest };
}

const unquoted = (name: string): string => /^"(.*)"$/s.exec(name)?.[1]?.replaceAll('\\"', '"').trim() ?? name;

type Options = Pick<Addressee, 'role' | 'tag'>;

function optionsIn(
  rest: string,
  text: string,
  { flag, takesTag }: { flag: string | undefined; takesTag: boolean },
): Options {
  const options: Options = { role: 'signer' };
  for (const option of rest.split(/[,;]/).map((part) => part.trim())) {
    if (option === '') continue;
    const [, role] = /^role=(signer|proxy)$/.exec(option) ?? [];
    const [, tag] = (takesTag && /^tag=\s*(.+)$/s.exec(option)) || [];
    if (role) options.role = role as 'signer' | 'proxy';
    else if (tag) options.tag = tag;
    else
      throw notAccepted(
        flag,
        text,
        `has "${option}" after the email address`,
        `After the email address, only ,role=signer${takesTag ? ', ,role=proxy or ,tag=NAME' : ' or ,role=proxy'} is allowed.`,
      );
  }
  if (rest !== '' && !/^[,;]/.test(rest))
    throw notAccepted(
      flag,
      text,
      `has "${rest}" after the email address`,
      'For example "Ada <ada@example.com>,role=proxy".',
    );
  return options;
}

/** @param flag absent for the answer to a question @param problem how the sentence continues after what was typed */
const notAccepted = (flag: string | undefined, value: string, problem: string, hint: string) =>
  cliError('recipient_invalid', {
    sentence: `${flag === undefined ? '' : `${flag} `}"${value}" ${problem}.`,
    hint,
  });

/** @property similar the name of another company, which may be meant */
type NamedCompany = { isNew: boolean; similar: string | undefined };

export function recognizeCompany(name: string, companies: readonly string[]): NamedCompany {
  const isNew = !companies.includes(name);
  return { isNew, similar: isNew ? nearest(name, companies) : undefined };
}

export async function unknownUser(
  email: string,
  users: { list(): Promise<readonly { email: string }[]> },
): Promise<CliError> {
  const emails = (await users.list()).map((user) => user.email);
  return cliError('user_unknown', {
    sentence: `No user has the email address ${email}.`,
    hint: didYouMean(nearest(email, emails), 'List the users with `esign serve user list`.'),
    next: [{ command: 'esign serve user list', when: 'to see all users' }],
  });
}
