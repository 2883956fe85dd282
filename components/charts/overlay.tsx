import { contains } from '@/lib/series/domain';
import { useCursorAt } from './cursor-store';
import { leftOf, placed } from './percent';
import { useStack } from './stack-context';
import { usePlotPointer } from './use-plot-pointer';
import styles from './plot.module.css';

function CursorLine() {
  const { model } = useStack();
  const at = useCursorAt();
  if (at === null || !contains(model.domain, at)) return null;
  return <div className={styles.cursor} style={{ left: leftOf(model.domain, at) }} />;
}

/** Takes the pointer for one chart; the keyboard has its own control on the ribbon. */
export function Overlay() {
  const { model } = useStack();
  const { drag, handlers } = usePlotPointer();
  const brush = drag && placed(model.domain, drag);
  return (
    <div className={styles.overlay} {...handlers}>
      <CursorLine />
      {brush && <div className={styles.brush} style={{ left: brush.left, width: brush.width }} />}
    </div>
  );
}
