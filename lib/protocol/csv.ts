/** [S-43] RFC 4180. A cell that a spreadsheet would take for a formula gets a leading quote. */

/** Leading blanks do not keep a spreadsheet from seeing a formula; some read wide characters too. */
const FORMULA = /^[\s\p{Cf}]*[=+\-@＝＋－＠]/u;
const STARTERS = new Set(['\t', '\r', '\0']);

/**
 * Where the list separator of the machine is another one, a cell begins behind it, and a row behind
 * the end of a line.
 */
const LATER_FORMULA = /([;\t\r\n][\s"\p{Cf}]*)(?=[=+\-@＝＋－＠])/gu;

function cell(text: string): string {
  const first = FORMULA.test(text) || STARTERS.has(text.charAt(0)) ? `'${text}` : text;
  const safe = first.replaceAll(LATER_FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const csvOf = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`;
