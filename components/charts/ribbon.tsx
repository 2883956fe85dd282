import { BandStrip } from './band-strip';
import { useStack } from './stack-context';
import { Scrubber } from './scrubber';
import { useWidth } from './use-width';
import styles from './ribbon.module.css';

/** What the breaker was in, all instances together; the keyboard's hold on the charts. */
export function Ribbon() {
  const { model, geometry } = useStack();
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <div
      className={styles.row}
      style={{ paddingLeft: geometry.left, paddingRight: geometry.right }}
    >
      <div ref={ref} className={styles.strip} data-export="box">
        <BandStrip bands={model.bands} width={width} />
        <Scrubber />
      </div>
    </div>
  );
}
