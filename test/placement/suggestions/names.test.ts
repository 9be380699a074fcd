// Names are compared as a reader does.
import { describe, expect, test } from 'vitest';
import {
  companyIn,
  companyPartsOf,
  namesCompany,
  nameTokens,
  tokensOf,
  weightOfName,
} from '../../../src/placement/suggestions/names.ts';

describe('a text names a person', () => {
  test.each([
    ['in capitals', 'JÜRGEN BRÜCKNER', 'Jürgen Brückner'],
    ['without accents', 'Siobhan O Connor, Siobhan O’Connor', "Siobhán O'Connor"],
    ['with spelled umlauts', 'Juergen Brueckner', 'Jürgen Brückner'],
    ['with the surname first', 'Brückner, Jürgen', 'Jürgen Brückner'],
    ['with a ligature', 'Soﬁa Steﬀens', 'Sofia Steffens'],
    ['with letters that are no accents', 'Tomasz Lukasik', 'Tomasz Łukasik'],
    ['with decomposed accents', 'Jürgen Brückner'.normalize('NFD'), 'Jürgen Brückner'],
    ['with a title and a middle name', 'Prof. Dr. Ada M. Lovelace', 'Ada Lovelace'],
    ['by an initial', 'J. Brückner', 'Jürgen Brückner'],
    ['by a given name alone, where nothing else is known', 'Ada Lovelace', 'Ada'],
  ])('%s', (_, text, name) => {
    expect(weightOfName(tokensOf(text), nameTokens(name))).toBeGreaterThan(0);
  });

  test.each([
    ['of another person with the same surname', 'Käthe Brückner', 'Jürgen Brückner'],
    ['whose words are far apart', 'Jürgen and many other people of the firm Brückner', 'Jürgen Brückner'],
    ['by a part of a word', 'Adam', 'Ada'],
  ])('but not %s', (_, text, name) => {
    expect(weightOfName(tokensOf(text), nameTokens(name))).toBe(0);
  });
});

describe('a text names the company of an address', () => {
  test.each([
    ['in one word', 'Nordwind Robotics Ltd', 'j@nordwind.example', true],
    ['in words written together', 'Nordwind Robotics Ltd', 'j@nordwindrobotics.co.uk', true],
    ['with hyphens', 'Sol y Mar SL', 'ana@sol-y-mar.es', true],
    ['in a part of the domain', 'Kestrel Foods', 's@mail.kestrel-foods.com', true],
    ['not by the domain of a mail service', 'Gmail Outlook Example', 's@gmail.com', false],
    ['not by a word of many companies', 'Office Group', 's@office.group.com', false],
    ['not by a part of a word', 'Nordwindig', 'j@nordwind.example', false],
  ])('%s', (_, text, email, expected) => {
    expect(namesCompany(tokensOf(text), companyPartsOf(email))).toBe(expected);
  });
});

test.each([
  ['This agreement is made between Nordwind Robotics Ltd, Leeds (the', ['nordwind', 'robotics']],
  ['und der Werft Ost GmbH & Co. KG – nachfolgend', ['werft', 'ost']],
  ['signed by Ada Lovelace', []],
])('the company in "%s" is read without its legal form', (text, expected) => {
  expect(companyIn(text).map((word) => [...word][0])).toEqual(expected);
});
