/** A point on the screen; null where nothing is known, which breaks the line. */
export type Dot = { readonly x: number; readonly y: number | null };

const px = (value: number) => String(Math.round(value * 10) / 10);

/** `step` keeps a value until the next one; `straight` joins the points. */
export function linePath(dots: readonly Dot[], kind: 'step' | 'straight'): string {
  let path = '';
  let broken = true;
  for (const { x, y } of dots) {
    if (y === null) {
      broken = true;
      continue;
    }
    const to = kind === 'step' ? `H${px(x)}V${px(y)}` : `L${px(x)} ${px(y)}`;
    path += broken ? `M${px(x)} ${px(y)}` : to;
    broken = false;
  }
  return path;
}

/** What lies under a step line, down to `floor`. */
export function areaPath(dots: readonly Dot[], floor: number): string {
  let path = '';
  let open = false;
  let last = 0;
  for (const { x, y } of dots) {
    if (y === null) {
      if (open) path += `H${px(last)}V${px(floor)}Z`;
      open = false;
      continue;
    }
    path += open ? `H${px(x)}V${px(y)}` : `M${px(x)} ${px(floor)}V${px(y)}`;
    open = true;
    last = x;
  }
  return open ? `${path}V${px(floor)}Z` : path;
}
