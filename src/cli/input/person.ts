// Parses people: `Ada Lovelace <ada@example.com>,role=proxy`. A `;` is accepted for the comma.
import { LIMITS } from '../../api/contract/limits.ts';
import { isEmail, line } from '../../api/contract/values.ts';
import { cliError } from '../command/errors.ts';

export type Person = { name: string; email: string };

export type Addressee = Person & { role: 'signer' | 'proxy' };

const FORM = /^(?<name>[^<>]*)<(?<email>[^<>]*)>(?<rest>.*)$/s;
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Parses a recipient. @param flag what was given, for the error: `--to` */
export function parseAddressee(text: string, flag: string): Addressee {
  if (CONTROL.test(text)) throw notAccepted(flag, text, 'contains a control character', 'Remove it.');
  const { person, rest } = splitPerson(text, flag);
  return { ...person, role: roleIn(rest, text, flag) };
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

/** Splits a person. An address alone (`ada@example.com`) is also the name. */
function splitPerson(text: string, flag: string): { person: Person; rest: string } {
  const groups = FORM.exec(text)?.groups;
  const separator = text.search(/;|,\s*role\s*=/);
  const bare = separator < 0 ? text : text.slice(0, separator);
  const rest = (groups ? groups.rest : text.slice(bare.length))?.trim() ?? '';
  const email = (groups ? groups.email : bare)?.trim() ?? '';
  const name = unquoted(groups?.name?.trim() ?? '') || email;
  if (!isEmail(email)) {
    throw cliError('email_invalid', { name: flag, ...(email === '' ? { value: text } : { email }) });
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

function roleIn(rest: string, text: string, flag: string): 'signer' | 'proxy' {
  let role: 'signer' | 'proxy' = 'signer';
  for (const option of rest.split(/[,;]/).map((part) => part.trim())) {
    if (option === '') continue;
    const value = /^role=(signer|proxy)$/.exec(option)?.[1];
    if (!value)
      throw notAccepted(
        flag,
        text,
        `has "${option}" after the email address`,
        'After the email address, only ,role=signer or ,role=proxy is allowed.',
      );
    role = value as 'signer' | 'proxy';
  }
  if (rest !== '' && !/^[,;]/.test(rest))
    throw notAccepted(
      flag,
      text,
      `has "${rest}" after the email address`,
      'For example "Ada <ada@example.com>,role=proxy".',
    );
  return role;
}

const notAccepted = (name: string, value: string, problem: string, hint: string) =>
  cliError('recipient_invalid', { name, value, problem, hint });
