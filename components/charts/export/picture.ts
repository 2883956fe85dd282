/** A chart as one SVG document that stands alone: no style sheet, no script, nothing fetched. */

export type Paint = { readonly color: string; readonly opacity: number };

export type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: Paint;
  readonly hatch: Paint | null;
  /** A line along the left side. */
  readonly edge: Paint | null;
};

export type Label = {
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly fill: Paint;
  readonly size: number;
};

export type Picture = {
  readonly width: number;
  readonly height: number;
  readonly ground: Paint;
  readonly ink: Paint;
  readonly muted: Paint;
  readonly title: string;
  readonly subtitle: string;
  readonly legend: readonly { readonly text: string; readonly paint: Paint }[];
  readonly boxes: readonly Box[];
  /** SVG elements with their place in them. */
  readonly drawings: readonly string[];
  readonly labels: readonly Label[];
  readonly notes: readonly string[];
};

const FONT = 'system-ui, -apple-system, Segoe UI, Roboto, sans-serif';
const PAD = 14;
const HEAD = 50;
const ROW = 18;
const LEGEND_SIZE = 11;
/** Nobody measures text here; this is generous for every common font. */
const CHAR = 6.4;

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
// XML has no way to write these at all.
// oxlint-disable-next-line no-control-regex
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const LONE_SURROGATE = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/** [S-27] Names come from services: none may end an element or begin one. */
export function xmlText(text: string): string {
  return text
    .replace(FORBIDDEN, '')
    .replace(LONE_SURROGATE, '\ufffd')
    .replaceAll(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '');
}

const px = (value: number) => String(Math.round(value * 100) / 100);

function paint(name: 'fill' | 'stroke', { color, opacity }: Paint): string {
  const thin = opacity < 1 ? ` ${name}-opacity="${px(opacity)}"` : '';
  return `${name}="${xmlText(color)}"${thin}`;
}

type TextPart = Omit<Label, 'size'> & { readonly size: number; readonly bold?: boolean };

function textElement({ x, y, text, fill, size, bold = false }: TextPart): string {
  const weight = bold ? ' font-weight="600"' : '';
  return `<text x="${px(x)}" y="${px(y)}" ${paint('fill', fill)} font-size="${size}"${weight}>${xmlText(text)}</text>`;
}

type Hatches = Map<string, { readonly id: string; readonly paint: Paint }>;

function hatchesOf(boxes: readonly Box[]): Hatches {
  const hatches: Hatches = new Map();
  for (const { hatch } of boxes) {
    if (hatch === null) continue;
    const key = paint('stroke', hatch);
    if (!hatches.has(key)) hatches.set(key, { id: `hatch-${hatches.size}`, paint: hatch });
  }
  return hatches;
}

function hatchElement({ id, paint: ink }: { id: string; paint: Paint }): string {
  const line = `<path d="M0 0V7" ${paint('stroke', ink)} stroke-width="4"/>`;
  return `<pattern id="${id}" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">${line}</pattern>`;
}

function boxElement(box: Box, hatches: Hatches): string {
  const place = `x="${px(box.x)}" y="${px(box.y)}" width="${px(box.width)}" height="${px(box.height)}"`;
  const hatch = box.hatch && hatches.get(paint('stroke', box.hatch));
  const edge =
    box.edge &&
    `<path d="M${px(box.x)} ${px(box.y)}v${px(box.height)}" ${paint('stroke', box.edge)}/>`;
  return [
    box.fill.opacity > 0 ? `<rect ${place} ${paint('fill', box.fill)}/>` : '',
    hatch ? `<rect ${place} fill="url(#${hatch.id})"/>` : '',
    edge ?? '',
  ].join('');
}

/** Items one after the other, on as many rows as they need. */
function legendRows({ legend, width, ink }: Picture): { markup: string; rows: number } {
  let x = PAD;
  let row = 0;
  const items = legend.map(({ text, paint: tone }) => {
    const wide = 20 + text.length * CHAR + 14;
    if (x + wide > width - PAD && x > PAD) {
      x = PAD;
      row += 1;
    }
    const y = HEAD + row * ROW + 12;
    const markup = `<rect x="${px(x)}" y="${px(y - 8)}" width="12" height="8" ${paint('fill', tone)}/>${textElement({ x: x + 17, y, text, fill: ink, size: LEGEND_SIZE })}`;
    x += wide;
    return markup;
  });
  return { markup: items.join(''), rows: legend.length === 0 ? 0 : row + 1 };
}

/** Width and height come with it, for whoever draws it on a canvas. */
export function svgOf(picture: Picture): { svg: string; width: number; height: number } {
  const { width, ground, ink, muted, title, subtitle, boxes, drawings, labels, notes } = picture;
  const legend = legendRows(picture);
  const top = HEAD + legend.rows * ROW + 6;
  const notesTop = top + picture.height + 6;
  const height = Math.ceil(notesTop + notes.length * ROW + PAD);
  const hatches = hatchesOf(boxes);
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${FONT}" role="img" aria-label="${xmlText(`${title}: ${subtitle}`)}">`,
    `<title>${xmlText(title)}</title>`,
    hatches.size > 0 ? `<defs>${[...hatches.values()].map(hatchElement).join('')}</defs>` : '',
    `<rect width="${width}" height="${height}" ${paint('fill', ground)}/>`,
    textElement({ x: PAD, y: 24, text: title, fill: ink, size: 15, bold: true }),
    textElement({ x: PAD, y: 41, text: subtitle, fill: muted, size: 11 }),
    legend.markup,
    `<g transform="translate(0 ${px(top)})">`,
    ...boxes.map((box) => boxElement(box, hatches)),
    ...drawings,
    ...labels.map(textElement),
    '</g>',
    ...notes.map((text, index) =>
      textElement({ x: PAD, y: notesTop + 12 + index * ROW, text, fill: muted, size: 11 }),
    ),
    '</svg>',
  ].join('');
  return { svg, width, height };
}
