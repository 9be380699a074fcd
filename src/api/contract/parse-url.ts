// Parses a URL that may be none. `URL.canParse` must not be used: on Node 20 and 22 it answers false for a host with letters
// such as ü once the code that calls it is optimized, after some thousand calls (test/api/contract/parse-url.test.ts).

/** @returns undefined where the text is not a URL */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
