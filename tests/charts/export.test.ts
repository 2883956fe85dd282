import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { svgOf, xmlText, type Picture } from '@/components/charts/export/picture';
import { exportName, exportSubtitle, gapNotes } from '@/components/charts/export/words';

const ink = { color: '#112233', opacity: 1 };
const clear = { color: '#000000', opacity: 0 };
const picture: Picture = {
  width: 400,
  height: 100,
  ground: { color: '#ffffff', opacity: 1 },
  ink,
  muted: ink,
  title: 'Ramp',
  subtitle: 'inventory',
  legend: [{ text: 'Allowed 100 %', paint: ink }],
  boxes: [],
  drawings: ['<svg x="0"><path d="M0 0"/></svg>'],
  labels: [],
  notes: ['Recloser'],
};
const box = { x: 1, y: 2, width: 3.456, height: 4, fill: ink, hatch: null, edge: null };

/** Every tag that opens is closed, and no text holds a sign that would open one. */
function isWellFormed(xml: string): boolean {
  const stack: string[] = [];
  for (const [, close, name = '', self] of xml.matchAll(/<(\/)?([a-zA-Z]+)[^<>]*?(\/)?>/g)) {
    if (close !== undefined && stack.pop() !== name) return false;
    if (close === undefined && self === undefined) stack.push(name);
  }
  const text = xml.replaceAll(/<[^<>]*>/g, '');
  return stack.length === 0 && !/[<>]|&(?!(amp|lt|gt|quot|#39);)/.test(text);
}

describe('a chart as a drawing', () => {
  it('stands alone: nothing in it is fetched, run or styled from outside', () => {
    const { svg, width, height } = svgOf({ ...picture, boxes: [{ ...box, hatch: ink }] });
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www.w3.org\/2000\/svg" width="400"/);
    expect(svg).not.toMatch(/<script|<style|class=|href|@import|foreignObject|var\(/);
    expect([width, height > picture.height]).toEqual([400, true]);
    expect(isWellFormed(svg)).toBe(true);
  });
  it('[S-27] takes any name for text and for nothing else', () => {
    const names = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '</text><script>alert(1)</script>',
        '" onload="x',
        ']]>',
        '&lt;',
        '\u0000\ud800',
      ),
    );
    fc.assert(
      fc.property(names, (name) => {
        const label = { x: 1, y: 1, text: name, fill: ink, size: 10 };
        const { svg } = svgOf({
          ...picture,
          title: name,
          subtitle: name,
          legend: [{ text: name, paint: { color: name, opacity: 1 } }],
          labels: [label],
          notes: [name],
        });
        expect(isWellFormed(svg)).toBe(true);
        expect(svg).not.toMatch(/<script| onload="/);
      }),
    );
    expect(xmlText('a\u0000b\ud800c')).toBe('ab\ufffdc');
  });
  it('draws boxes with their hatch and edge, one pattern for each ink', () => {
    const hatched = { ...box, fill: clear, hatch: { color: '#445566', opacity: 0.5 }, edge: ink };
    const { svg } = svgOf({ ...picture, boxes: [box, hatched, hatched] });
    expect(svg.match(/<pattern/g)).toHaveLength(1);
    expect(svg.match(/fill="url\(#hatch-0\)"/g)).toHaveLength(2);
    expect(svg).toContain('<rect x="1" y="2" width="3.46" height="4" fill="#112233"/>');
    expect(svg).toContain('stroke-opacity="0.5"');
  });
  it('gives the legend as many rows as it needs', () => {
    const legend = Array.from({ length: 9 }, () => ({ text: 'Baseline 1.2 s', paint: ink }));
    expect(svgOf({ ...picture, legend }).height).toBeGreaterThan(svgOf(picture).height);
    expect(svgOf({ ...picture, legend: [] }).height).toBeLessThan(svgOf(picture).height);
  });
});

const from = Date.UTC(2026, 2, 2, 14, 22, 30);
const domain = { from, to: from + 390_000 };

const gap = (at: number) => ({
  from: at,
  to: at + 30_000,
  reasons: ['not heard'],
  instances: 1,
  events: 0,
});

describe('the words of an export', () => {
  it('names a file so that every system takes it', () => {
    expect(exportName('Prüfung / Lager №1', 'ramp', domain, 'png')).toBe(
      'recloser-pru-fung-lager-no1-ramp-20260302T142230Z-20260302T142900Z.png',
    );
    expect(exportName('在庫', 'ramp', domain, 'csv')).toBe(
      'recloser-ramp-20260302T142230Z-20260302T142900Z.csv',
    );
    expect(exportName('x'.repeat(500), 'ramp', domain, 'svg').length).toBeLessThan(140);
  });
  it('[U-08] says the range in UTC, and the zone of the axis when it is another', () => {
    const range = '2026-03-02 14:22:30Z to 2026-03-02 14:29:00Z (6 min 30 s)';
    expect(exportSubtitle('inventory', domain, 'UTC')).toBe(`inventory · ${range}`);
    expect(exportSubtitle('inventory', domain, 'Asia/Kathmandu')).toContain(
      'axis in Asia/Kathmandu',
    );
  });
  it('[U-07] takes what is missing along', () => {
    expect(gapNotes([gap(from - 60_000)], domain)).toEqual([]);
    expect(gapNotes([gap(from + 1_000)], domain)).toEqual([
      'Data missing from 2026-03-02 14:22:31Z for 30 s: not heard',
    ]);
    const many = Array.from({ length: 5 }, (_, index) => gap(from + index * 60_000));
    expect(gapNotes(many, domain)[0]).toMatch(/ and 2 more$/);
  });
});
