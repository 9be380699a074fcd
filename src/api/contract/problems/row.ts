// One refusal: its status, its title, and the sentence made of the facts it carries. Every fact may come from outside.

export type None = Record<never, never>;
export type Id = { id: string };
export type Named = { name: string };
export type Because = { why: string };

export type Row<F> = { status: number; title: string; detail: (facts: F) => string };

export const row = <F = None>(status: number, title: string, detail: (facts: F) => string): Row<F> => ({
  status,
  title,
  detail,
});
