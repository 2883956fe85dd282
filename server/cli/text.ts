/** [S-42] Names come from services: nothing in them may steer a terminal or hide behind another. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu;

export function visible(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
    return `\\u${hex}`;
  });
}

const segmenter = new Intl.Segmenter();
const widthOf = (text: string): number => Array.from(segmenter.segment(text)).length;

/** Columns lined up with two spaces; the first row is the head. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const clean = rows.map((row) => row.map(visible));
  const widths = (clean[0] ?? []).map((_, column) =>
    Math.max(...clean.map((row) => widthOf(row[column] ?? ''))),
  );
  return clean.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** One JSON document; names stay exact, but nothing in it reaches the terminal raw. */
export function json(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.round(share * 100)} %`;

export const utc = (at: number): string =>
  new Date(at).toISOString().replace('T', ' ').slice(0, 19);
