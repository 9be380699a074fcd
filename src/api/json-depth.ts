// Checks whether a JSON text is nested deeper than any real answer. This happens before it is parsed, because parsing is
// recursive.

/** Deeper than any answer goes; what is printed is walked through by recursion. */
const DEPTH = 100;

/** Whether JSON is nested deeper than anything means. */
export function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (isInText) {
      if (code === BACKSLASH) at += 1;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === BRACKET || code === BRACE) {
      depth += 1;
      if (depth > DEPTH) return true;
    } else if (code === BRACKET_END || code === BRACE_END) depth -= 1;
  }
  return false;
}

const [QUOTE, BACKSLASH, BRACKET, BRACE, BRACKET_END, BRACE_END] = [0x22, 0x5c, 0x5b, 0x7b, 0x5d, 0x7d];
