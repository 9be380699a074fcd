// Holds what is edited: the fields with the steps that can be undone, the selection, and what is placed next. Parts of the page
// hear of every change.
import type { EditedDraft, EditedField } from './draft.ts';

export type Editor = {
  readonly draft: EditedDraft;
  fields(): readonly EditedField[];
  selected(): readonly EditedField[];
  isSelected(id: string): boolean;
  select(ids: Iterable<string>): void;
  /** @param series steps of the same series, such as presses of an arrow key, are undone together */
  change(fields: readonly EditedField[], series?: string): void;
  /** Changes the selected fields. */
  changeSelected(change: (field: EditedField) => EditedField, series?: string): void;
  /** Applies what another person has changed to the fields and to every step, without a step of its own. */
  rebase(change: (fields: readonly EditedField[]) => readonly EditedField[]): void;
  undo(): void;
  redo(): void;
  canUndo(): boolean;
  canRedo(): boolean;
  /** A click on a page places a field of this type. */
  type(): string | undefined;
  setType(type: string | undefined): void;
  recipientId(): string;
  setRecipient(id: string): void;
  /** The errors are listed by the id of their field. */
  errors(): ReadonlyMap<string, string>;
  setErrors(errors: ReadonlyMap<string, string>): void;
  onChange(listener: () => void): void;
};

export function createEditor(draft: EditedDraft): Editor {
  let fields: readonly EditedField[] = draft.fields;
  let selection = new Set<string>();
  let type: string | undefined;
  let recipientId = firstRecipientId(draft);
  let errors: ReadonlyMap<string, string> = new Map();
  const steps = createSteps<readonly EditedField[]>();
  const listeners: (() => void)[] = [];
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  function put(next: readonly EditedField[] | undefined): void {
    if (!next) return;
    fields = next;
    const ids = new Set(next.map(({ id }) => id));
    selection = new Set([...selection].filter((id) => ids.has(id)));
    tell();
  }

  function change(next: readonly EditedField[], series?: string): void {
    steps.add(fields, series);
    put(next);
  }

  return {
    draft,
    fields: () => fields,
    selected: () => fields.filter(({ id }) => selection.has(id)),
    isSelected: (id) => selection.has(id),
    select(ids) {
      const next = new Set(ids);
      if (next.size === selection.size && [...next].every((id) => selection.has(id))) return;
      selection = next;
      steps.endSeries();
      tell();
    },
    change,
    changeSelected(changeOne, series) {
      if (selection.size === 0) return;
      const next = fields.map((field) => (selection.has(field.id) ? changeOne(field) : field));
      change(next, series);
    },
    rebase(changeAll) {
      steps.map(changeAll);
      put(changeAll(fields));
    },
    undo: () => put(steps.undo(fields)),
    redo: () => put(steps.redo(fields)),
    canUndo: steps.canUndo,
    canRedo: steps.canRedo,
    type: () => type,
    setType(next) {
      type = next;
      tell();
    },
    recipientId: () => recipientId,
    setRecipient(id) {
      recipientId = id;
      tell();
    },
    errors: () => errors,
    setErrors(next) {
      errors = next;
      tell();
    },
    onChange: (listener) => {
      listeners.push(listener);
    },
  };
}

const firstRecipientId = ({ recipients }: EditedDraft): string =>
  (recipients.find(({ role }) => role !== 'sender') ?? recipients[0])?.id ?? '';

// Keeps the steps that can be undone and done again.
type Steps<T> = {
  /** @param series steps of the same series, such as presses of an arrow key, are undone together */
  add(before: T, series?: string): void;
  endSeries(): void;
  undo(now: T): T | undefined;
  redo(now: T): T | undefined;
  canUndo(): boolean;
  canRedo(): boolean;
  /** Changes what every step goes back to. */
  map(change: (state: T) => T): void;
};

const MOST_STEPS = 200;

function createSteps<T>(): Steps<T> {
  const past: T[] = [];
  const future: T[] = [];
  let lastSeries: string | undefined;

  function go(from: T[], to: T[], now: T): T | undefined {
    const next = from.pop();
    if (next === undefined) return undefined;
    to.push(now);
    lastSeries = undefined;
    return next;
  }

  return {
    add(before, series) {
      if (series === undefined || series !== lastSeries) past.push(before);
      if (past.length > MOST_STEPS) past.shift();
      future.length = 0;
      lastSeries = series;
    },
    endSeries() {
      lastSeries = undefined;
    },
    undo: (now) => go(past, future, now),
    redo: (now) => go(future, past, now),
    canUndo: () => past.length > 0,
    canRedo: () => future.length > 0,
    map(change) {
      for (const states of [past, future]) states.splice(0, states.length, ...states.map(change));
      lastSeries = undefined;
    },
  };
}
