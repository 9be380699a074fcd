// Parses a URL that may be none, and decodes parts of one. `URL.canParse` must not be used: on Node 20 and 22 it answers false for a host with letters
// such as ü once the code that calls it is optimized, after some thousand calls (test/common/parse-url.test.ts).

/** @returns undefined where the text is not a URL */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** The user name or password of a URL; what is not encoded right is meant as it stands. */
export function decodedPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
