// Reads the code blocks of a document, so that a test can run them.

export type CodeBlock = { language: string; code: string };

/** Returns the blocks of the section with this heading (`# ` or `## `), with those of the sections inside it. */
export function codeBlocks(markdown: string, heading: string): CodeBlock[] {
  const section = markdown.split(/^##? /m).find((part) => part.startsWith(`${heading}\n`));
  if (section === undefined) throw new Error(`There is no section "${heading}".`);
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }));
}

/** Returns every block of a page, those in lists as well. */
export const allCodeBlocks = (markdown: string): CodeBlock[] =>
  [...markdown.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map(
    ([, indent = '', language = '', code = '']) => ({
      language,
      code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
