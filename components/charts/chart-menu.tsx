import { ClipboardCopy, Download, FileImage, FileSpreadsheet, ImageDown } from 'lucide-react';
import { useState, type RefObject } from 'react';
import { IconButton } from '@/components/ui/button';
import { Menu, MenuItem } from '@/components/ui/menu';
import { saveFile } from '@/components/ui/save-file';
import { svgOf } from './export/picture';
import { pngOf } from './export/png';
import { readFigure } from './export/read-figure';
import { exportName, exportSubtitle, gapNotes } from './export/words';
import { useStack, type ChartId } from './stack-context';
import type { DataTable } from './tables';
import styles from './chart-frame.module.css';

type Props = {
  id: ChartId;
  title: string;
  figure: RefObject<HTMLElement | null>;
  body: RefObject<HTMLElement | null>;
  /** There is no picture while the numbers are shown. */
  asTable: boolean;
  table: () => DataTable;
};

/** What can leave the page: each runs once, and says how it went. */
function useExports({ id, title, figure, body, table }: Props) {
  const { model, zone, subject } = useStack();
  const { domain } = model;
  const name = (extension: string) => exportName(subject, id, domain, extension);
  const picture = () => {
    if (figure.current === null || body.current === null) throw new Error('There is no chart.');
    const notes = [
      ...gapNotes(model.gaps, domain),
      `Recloser, ${model.resolutionMs / 1_000} s a point`,
    ];
    const subtitle = exportSubtitle(subject, domain, zone);
    return svgOf(readFigure(figure.current, body.current, { title, subtitle, notes }));
  };
  return {
    svg: async () => saveFile(new Blob([picture().svg], { type: 'image/svg+xml' }), name('svg')),
    png: async () => saveFile(await pngOf(picture()), name('png')),
    csv: async () => saveFile(new Blob([table().csv()], { type: 'text/csv' }), name('csv')),
    copy: () => navigator.clipboard.writeText(table().text()),
  };
}

export function ChartMenu(props: Props) {
  const { title, asTable } = props;
  const [said, setSaid] = useState('');
  const exports = useExports(props);
  const attempt = async (work: () => Promise<void>, word: string) => {
    try {
      await work();
      setSaid(word);
    } catch {
      setSaid('That did not work in this browser');
    }
  };
  const run = (work: () => Promise<void>, word: string) => () => void attempt(work, word);
  return (
    <>
      <output className={styles.note}>{said}</output>
      <Menu
        trigger={
          <IconButton size="small" label={`${title}: save or copy`}>
            <Download size={13} />
          </IconButton>
        }
      >
        <MenuItem
          icon={<ImageDown size={14} />}
          disabled={asTable}
          onSelect={run(exports.png, 'Picture saved')}
        >
          Picture (PNG)
        </MenuItem>
        <MenuItem
          icon={<FileImage size={14} />}
          disabled={asTable}
          onSelect={run(exports.svg, 'Drawing saved')}
        >
          Drawing (SVG)
        </MenuItem>
        <MenuItem icon={<FileSpreadsheet size={14} />} onSelect={run(exports.csv, 'Numbers saved')}>
          All numbers (CSV)
        </MenuItem>
        <MenuItem icon={<ClipboardCopy size={14} />} onSelect={run(exports.copy, 'Table copied')}>
          Copy the table
        </MenuItem>
      </Menu>
    </>
  );
}
