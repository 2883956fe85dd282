import Link from 'next/link';
import { AccountMenu } from './account-menu';
import { ServerClock } from './clock';
import { ConnectionDot } from './connection-dot';
import { Environments } from './environments';
import { Mark } from './mark';
import { Nav } from './nav';
import { PauseButton } from './pause';
import { OwnRole } from './role';
import { SearchButton } from './search-button';
import { ThemeSwitch } from './theme-switch';
import styles from './top-bar.module.css';

/** [U-47] Where, when, how well heard and as whom is said on every page and at every width. */
export function TopBar() {
  return (
    <header className={styles.bar}>
      <Link href="/" className={styles.brand} aria-label="Recloser, fleet">
        <Mark />
        <span className={styles.name}>Recloser</span>
      </Link>
      <Nav />
      <div className={styles.facts}>
        <Environments />
        <ServerClock />
        <ConnectionDot />
        <OwnRole />
      </div>
      <div className={styles.right}>
        <SearchButton />
        <PauseButton />
        <ThemeSwitch />
        <AccountMenu />
      </div>
    </header>
  );
}
