import { contains } from '@/lib/series/domain';
import { useAnchor, useCursorAt, usePinnedAt } from './cursor-store';
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

/** Stays where it was put while the pointer looks elsewhere. */
function PinLine() {
  const { model } = useStack();
  const at = usePinnedAt();
  if (at === null || !contains(model.domain, at)) return null;
  return <div className={styles.pin} style={{ left: leftOf(model.domain, at) }} />;
}

/** The span between the anchor and the cursor, in every chart. */
function MarkedSpan() {
  const { model } = useStack();
  const anchor = useAnchor();
  const at = useCursorAt();
  if (anchor === null || at === null) return null;
  const span = { from: Math.min(anchor, at), to: Math.max(anchor, at) };
  const place = placed(model.domain, span);
  if (place === null) return null;
  return <div className={styles.brush} style={{ left: place.left, width: place.width }} />;
}

/** Takes the pointer for one chart; the keyboard has its own control on the ribbon. */
export function Overlay() {
  return (
    <div className={styles.overlay} data-plot {...usePlotPointer()}>
      <MarkedSpan />
      <PinLine />
      <CursorLine />
    </div>
  );
}
