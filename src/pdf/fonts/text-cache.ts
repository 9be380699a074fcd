// Keeps results of texts by their font, up to a size: texts come from outside, however many and however long they are.

export type TextCache<Owner, Output> = {
  find(owner: Owner, text: string): Output | undefined;
  keep(owner: Owner, text: string, output: Output): void;
};

/** It is emptied when it is full. A text that is longer than all it may hold is alone in it. */
export function createTextCache<Owner, Output>(most: {
  texts: number;
  characters: number;
}): TextCache<Owner, Output> {
  const outputs = new Map<Owner, Map<string, Output>>();
  let [texts, characters] = [0, 0];
  return {
    find: (owner, text) => outputs.get(owner)?.get(text),
    keep(owner, text, output) {
      if (texts >= most.texts || characters + text.length > most.characters) {
        outputs.clear();
        [texts, characters] = [0, 0];
      }
      const ofOwner = outputs.get(owner) ?? new Map<string, Output>();
      outputs.set(owner, ofOwner.set(text, output));
      texts += 1;
      characters += text.length;
    },
  };
}
