import { NoAgents, NoBreakers, NothingMatches, Unreachable } from '../fleet/empty';
import { ErrorView } from '../shell/error-view';
import { NotFoundView } from '../shell/not-found-view';
import styles from './design.module.css';

const ignore = () => undefined;

export function EmptySection() {
  return (
    <div className={styles.empties}>
      <NoAgents />
      <NoBreakers instances={3} />
      <NothingMatches total={132} onClear={ignore} />
      <Unreachable />
      <NotFoundView />
      <ErrorView error={new Error('cannot draw this')} onRetry={ignore} />
    </div>
  );
}
