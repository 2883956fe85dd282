/** Colour arithmetic for the tests of the tokens: contrast, CIEDE2000, and what other eyes see. */

type Triple = readonly [number, number, number];
export const SIGHTS = ['normal', 'protan', 'deutan', 'tritan'] as const;
export type Sight = (typeof SIGHTS)[number];

/** `#rrggbb` to linear light, 0 to 1. */
export function linear(hex: string): Triple {
  const channel = (at: number) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

const times = (rows: readonly Triple[], [r, g, b]: Triple): Triple => {
  const [x, y, z] = rows.map((row) => row[0] * r + row[1] * g + row[2] * b);
  return [x ?? 0, y ?? 0, z ?? 0];
};

/** Machado, Oliveira and Fernandes 2009, severity 1.0, on linear RGB. */
const SIMULATIONS: Record<Exclude<Sight, 'normal'>, readonly Triple[]> = {
  protan: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deutan: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritan: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

const clamp = (value: number): number => Math.min(1, Math.max(0, value));

export function seen(rgb: Triple, sight: Sight): Triple {
  if (sight === 'normal') return rgb;
  const [r, g, b] = times(SIMULATIONS[sight], rgb);
  return [clamp(r), clamp(g), clamp(b)];
}

export function luminance(hex: string): number {
  const [r, g, b] = linear(hex);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/** WCAG: 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low = 0, high = 0] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

const compress = (t: number): number =>
  t > 216 / 24_389 ? Math.cbrt(t) : (841 / 108) * t + 4 / 29;

/** CIE L*a*b* under D65. */
export function lab(rgb: Triple): Triple {
  const [x, y, z] = times(
    [
      [0.4124564, 0.3575761, 0.1804375],
      [0.2126729, 0.7151522, 0.072175],
      [0.0193339, 0.119192, 0.9503041],
    ],
    rgb,
  );
  const [fx, fy, fz] = [compress(x / 0.95047), compress(y), compress(z / 1.08883)];
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}

const DEGREE = Math.PI / 180;

function hue(a: number, b: number): number {
  if (a === 0 && b === 0) return 0;
  const angle = Math.atan2(b, a) / DEGREE;
  return angle < 0 ? angle + 360 : angle;
}

function meanHue(h1: number, h2: number, isGrey: boolean): number {
  if (isGrey) return h1 + h2;
  if (Math.abs(h1 - h2) <= 180) return (h1 + h2) / 2;
  return h1 + h2 < 360 ? (h1 + h2 + 360) / 2 : (h1 + h2 - 360) / 2;
}

function hueStep(h1: number, h2: number, isGrey: boolean): number {
  if (isGrey) return 0;
  const step = h2 - h1;
  if (Math.abs(step) <= 180) return step;
  return step > 180 ? step - 360 : step + 360;
}

/** CIEDE2000; checked against the published pairs of Sharma, Wu and Dalal. */
export function deltaE2000([l1, a1, b1]: Triple, [l2, a2, b2]: Triple): number {
  const c = (Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2;
  const g = 0.5 * (1 - Math.sqrt(c ** 7 / (c ** 7 + 25 ** 7)));
  const [x1, x2] = [a1 * (1 + g), a2 * (1 + g)];
  const [c1, c2] = [Math.hypot(x1, b1), Math.hypot(x2, b2)];
  const [h1, h2] = [hue(x1, b1), hue(x2, b2)];
  const isGrey = c1 * c2 === 0;

  const dL = l2 - l1;
  const dC = c2 - c1;
  const dH = 2 * Math.sqrt(c1 * c2) * Math.sin((hueStep(h1, h2, isGrey) / 2) * DEGREE);
  const [lBar, cBar, hBar] = [(l1 + l2) / 2, (c1 + c2) / 2, meanHue(h1, h2, isGrey)];

  const t =
    1 -
    0.17 * Math.cos((hBar - 30) * DEGREE) +
    0.24 * Math.cos(2 * hBar * DEGREE) +
    0.32 * Math.cos((3 * hBar + 6) * DEGREE) -
    0.2 * Math.cos((4 * hBar - 63) * DEGREE);
  const sL = 1 + (0.015 * (lBar - 50) ** 2) / Math.sqrt(20 + (lBar - 50) ** 2);
  const sC = 1 + 0.045 * cBar;
  const sH = 1 + 0.015 * cBar * t;
  const turn = 60 * Math.exp(-(((hBar - 275) / 25) ** 2));
  const rT = -Math.sin(turn * DEGREE) * 2 * Math.sqrt(cBar ** 7 / (cBar ** 7 + 25 ** 7));
  const [pL, pC, pH] = [dL / sL, dC / sC, dH / sH];
  return Math.sqrt(pL ** 2 + pC ** 2 + pH ** 2 + rT * pC * pH);
}

/** How far two colours are apart for such eyes. */
export const distance = (a: string, b: string, sight: Sight): number =>
  deltaE2000(lab(seen(linear(a), sight)), lab(seen(linear(b), sight)));
