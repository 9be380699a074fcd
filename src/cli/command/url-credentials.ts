// Removes the user name and password from URLs in text that is about to be printed. Such URLs come from variables, settings and
// arguments, and printed text reaches logs of CI jobs, reports and screens.

/** A URL has its credentials between `://` and `@`. */
const CREDENTIALS = /(:\/\/)[^\s/?#"'<>]*@/g;

/**
 * A password may contain a character that ends the host (`/`, `?`, `#`), so that the URL is not valid. What follows
 * the colon is a port when it is a number of up to five digits.
 */
const SPOILED = /(:\/\/)[^\s:/?#"'<>@]*:(?!\d{0,5}(?:[/?#\s"'<>]|$))[^\s"'<>]*@/g;

/** `http://ada:secret@host` → `http://***@host` */
export const withoutCredentials = (text: string): string =>
  text.includes('://') ? text.replace(SPOILED, '$1***@').replace(CREDENTIALS, '$1***@') : text;
