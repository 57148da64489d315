/** Lines and columns from 1, columns in UTF-16 code units, as an HTML tokenizer counts them. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * Returns the position of an offset in a text. Offsets must not decrease, so that all calls together read the text
 * once. CR, LF and CRLF each end a line (HTML standard, "Preprocessing the input stream").
 */
export function positionsIn(text: string): (offset: number) => Position {
  let at = 0;
  let line = 1;
  let lineStart = 0;
  return (offset) => {
    for (; at < offset; at++) {
      const code = text.charCodeAt(at);
      const ends = code === CARRIAGE_RETURN ? text.charCodeAt(at + 1) !== LINE_FEED : code === LINE_FEED;
      if (!ends) continue;
      line++;
      lineStart = at + 1;
    }
    return { line, column: offset - lineStart + 1 };
  };
}
