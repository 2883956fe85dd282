export type Segment = { from: number; to: number };

/** Runs of missing buckets, as indexes [from, to). */
export function gapsOf(values: readonly (number | null)[]): Segment[] {
  const gaps: Segment[] = [];
  for (let index = 0; index < values.length; index += 1) {
    if (values[index] !== null) continue;
    const open = gaps.at(-1);
    if (open?.to === index) open.to = index + 1;
    else gaps.push({ from: index, to: index + 1 });
  }
  return gaps;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** A step area on 0 to 1; a gap ends one area and begins another, nothing is drawn across. */
export function areaPath(
  values: readonly (number | null)[],
  width: number,
  height: number,
): { area: string; line: string } {
  const stepX = values.length === 0 ? 0 : width / values.length;
  let area = '';
  let line = '';
  let open = false;
  values.forEach((value, index) => {
    const left = round(index * stepX);
    const right = round((index + 1) * stepX);
    if (value === null) {
      if (open) area += `V${height}Z`;
      open = false;
      return;
    }
    const y = round(height - Math.min(1, Math.max(0, value)) * height);
    area += open ? `V${y}H${right}` : `M${left} ${height}V${y}H${right}`;
    line += open ? `V${y}H${right}` : `M${left} ${y}H${right}`;
    open = true;
  });
  return { area: open ? `${area}V${height}Z` : area, line };
}
