/**
 * Reads shapes from the pixels of a screenshot, as an eye without colours does: how much ink lies in
 * each field of a small grid, told apart from the ground by lightness alone.
 */
import type { Page } from 'playwright-core';

const FIELDS = 8;

export type Box = { readonly x: number; readonly y: number; readonly size: number };
/** Ink of each field, 0 to 1, row by row. */
type Inks = readonly number[];
/** As it stands, and nudged by a pixel in every direction. */
export type Shape = readonly Inks[];

type Reading = { readonly png: string; readonly boxes: readonly Box[]; readonly fields: number };

// It runs in the page of the reader, which gets this function alone.
/* oxlint-disable unicorn/consistent-function-scoping */
async function readInPage({ png, boxes, fields }: Reading): Promise<number[][][]> {
  const picture = new Image();
  picture.src = `data:image/png;base64,${png}`;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('no canvas');
  context.drawImage(picture, 0, 0);
  const read = (left: number, top: number, inner: number) => {
    const side = inner + 2;
    const { data } = context.getImageData(left - 1, top - 1, side, side);
    const light = (column: number, row: number) => {
      const at = (row * side + column) * 4;
      const [r = 0, g = 0, b = 0] = data.slice(at, at + 3);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const edge: number[] = [];
    for (let at = 0; at < side; at += 1) {
      edge.push(light(at, 0), light(at, side - 1), light(0, at), light(side - 1, at));
    }
    const ground = edge.sort((a, b) => a - b)[Math.floor(edge.length / 2)] ?? 0;
    const sums = Array.from({ length: fields * fields }, () => ({ ink: 0, pixels: 0 }));
    const fieldOf = (at: number) => Math.floor(((at - 1) * fields) / inner);
    for (let row = 1; row <= inner; row += 1) {
      for (let column = 1; column <= inner; column += 1) {
        const field = sums[fieldOf(row) * fields + fieldOf(column)];
        if (field === undefined) continue;
        field.ink += Math.abs(light(column, row) - ground);
        field.pixels += 1;
      }
    }
    const inks = sums.map(({ ink, pixels }) => ink / Math.max(1, pixels));
    const most = Math.max(...inks, 1);
    return inks.map((ink) => ink / most);
  };
  // A glyph may stand between pixels: an eye does not mind, so neither does the reader.
  const nudges = [-1, 0, 1];
  return boxes.map(({ x, y, size }) =>
    nudges.flatMap((right) =>
      nudges.map((down) => read(Math.round(x) + right, Math.round(y) + down, Math.round(size))),
    ),
  );
}
/* oxlint-enable unicorn/consistent-function-scoping */

/** The shapes in these boxes of a picture; `reader` is any empty page. */
export const readShapes = (reader: Page, png: Buffer, boxes: readonly Box[]): Promise<Shape[]> =>
  reader.evaluate(readInPage, { png: png.toString('base64'), boxes, fields: FIELDS });

const apart = (a: Inks, b: Inks) =>
  a.reduce((sum, ink, field) => sum + Math.abs(ink - (b[field] ?? 0)), 0);

/** The name of the known shape that this one is most like. */
export function nameOf(shape: Shape, known: readonly (readonly [string, Shape])[]): string {
  let best = { name: 'nothing known', distance: Infinity };
  for (const [name, variants] of known) {
    // Straight in its own box is how a shape is meant.
    const meant = variants[Math.floor(variants.length / 2)] ?? [];
    for (const seen of shape) {
      const distance = apart(seen, meant);
      if (distance < best.distance) best = { name, distance };
    }
  }
  return best.name;
}
