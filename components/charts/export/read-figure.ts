import type { Box, Label, Paint, Picture } from './picture';

/** What a drawing needs of its computed style to look the same without the style sheet. */
const KEPT = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-opacity',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linecap',
  'opacity',
  'font-size',
  'font-weight',
  'text-anchor',
] as const;
const COLOURS: ReadonlySet<string> = new Set(['fill', 'stroke']);

const NOTHING: Paint = { color: '#000000', opacity: 0 };
const hex = (value: number) => value.toString(16).padStart(2, '0');

/** Any colour of CSS as one that every reader of SVG knows; a canvas is what can tell. */
function makePainter(): (css: string) => Paint {
  const canvas = document.createElement('canvas');
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext('2d', { willReadFrequently: true });
  const known = new Map<string, Paint>();
  return (css) => {
    const held = known.get(css);
    if (held !== undefined) return held;
    if (context === null) return NOTHING;
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = '#00000000';
    context.fillStyle = css;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    const paint = { color: `#${hex(red)}${hex(green)}${hex(blue)}`, opacity: alpha / 255 };
    known.set(css, paint);
    return paint;
  };
}

type Painter = ReturnType<typeof makePainter>;

function keepStyle(from: Element, to: Element, painter: Painter): void {
  const style = getComputedStyle(from);
  to.removeAttribute('class');
  to.removeAttribute('style');
  for (const name of KEPT) {
    const value = style.getPropertyValue(name);
    if (value === '') continue;
    if (!COLOURS.has(name) || value === 'none' || value.startsWith('url')) {
      to.setAttribute(name, value);
      continue;
    }
    const { color, opacity } = painter(value);
    to.setAttribute(name, color);
    const own = Number(style.getPropertyValue(`${name}-opacity`)) || 1;
    if (opacity < 1) to.setAttribute(`${name}-opacity`, String(opacity * own));
  }
}

function drawingOf(svg: Element, at: { x: number; y: number }, painter: Painter): string {
  const copy = svg.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  const from = svg.querySelectorAll('*');
  copy.querySelectorAll('*').forEach((element, index) => {
    const original = from[index];
    if (original) keepStyle(original, element, painter);
  });
  keepStyle(svg, copy, painter);
  const { width, height } = svg.getBoundingClientRect();
  const place = { x: at.x, y: at.y, width, height };
  for (const [name, value] of Object.entries(place)) copy.setAttribute(name, String(value));
  copy.setAttribute('color', painter(getComputedStyle(svg).color).color);
  return new XMLSerializer().serializeToString(copy);
}

type Origin = { readonly left: number; readonly top: number };

function boxOf(element: Element, origin: Origin, painter: Painter): Box {
  const place = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const hatched = style.backgroundImage.includes('gradient');
  const edge = Number.parseFloat(style.borderLeftWidth) > 0;
  return {
    x: place.left - origin.left,
    y: place.top - origin.top,
    width: place.width,
    height: place.height,
    fill: painter(style.backgroundColor),
    hatch: hatched ? painter(style.getPropertyValue('--band-hatch')) : null,
    edge: edge ? painter(style.borderLeftColor) : null,
  };
}

function labelOf(element: Element, origin: Origin, painter: Painter): Label {
  const place = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const size = Number.parseFloat(style.fontSize);
  return {
    x: place.left - origin.left,
    y: place.top - origin.top + place.height / 2 + size * 0.36,
    text: element.textContent ?? '',
    fill: painter(style.color),
    size,
  };
}

/** Without what is nested: the value under the cursor means nothing in a picture. */
const ownText = (element: Element) =>
  [...element.childNodes]
    .filter((node) => node.nodeType === Node.TEXT_NODE)
    .map((node) => node.textContent)
    .join('');

const all = (root: Element, selector: string) => [...root.querySelectorAll(selector)];

/** What the figure shows, read from the page: the picture is what was looked at. */
export function readFigure(
  figure: Element,
  body: Element,
  words: Pick<Picture, 'title' | 'subtitle' | 'notes'>,
): Picture {
  const painter = makePainter();
  const origin = body.getBoundingClientRect();
  const own = getComputedStyle(figure);
  const colour = (name: string) => painter(own.getPropertyValue(name));
  const svgs = all(body, '.recharts-wrapper > svg, [data-export="box"] svg');
  return {
    ...words,
    width: Math.ceil(origin.width),
    height: Math.ceil(origin.height),
    ground: colour('--surface'),
    ink: colour('--text'),
    muted: colour('--text-2'),
    legend: all(figure, '[data-export="legend"]').map((item) => ({
      text: ownText(item),
      paint: painter(getComputedStyle(item.querySelector('svg') ?? item).color),
    })),
    boxes: all(body, '[data-export="box"]').map((one) => boxOf(one, origin, painter)),
    drawings: svgs.map((svg) => {
      const place = svg.getBoundingClientRect();
      return drawingOf(svg, { x: place.left - origin.left, y: place.top - origin.top }, painter);
    }),
    labels: all(body, '[data-export="text"]').map((one) => labelOf(one, origin, painter)),
  };
}
