// Writes counts in sentences: "1 page", "2 pages", "5 stron". A language gives the forms that it has, and its plural rules pick
// one.

/** By the categories of Unicode (CLDR); `#` stands for the number. */
export type Forms = Readonly<{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>>;

export type Counted = (count: number, forms: Forms) => string;

export function countedIn(language: string): Counted {
  const rules = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (count, forms) => (forms[rules.select(count)] ?? forms.other).replace('#', numbers.format(count));
}
