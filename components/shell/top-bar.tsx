import Link from 'next/link';
import { AccountMenu } from './account-menu';
import { ServerClock } from './clock';
import { ConnectionDot } from './connection-dot';
import { Environments } from './environments';
import { Mark } from './mark';
import { Nav } from './nav';
import { PauseButton } from './pause';
import { SearchButton } from './search-button';
import { ThemeSwitch } from './theme-switch';
import styles from './top-bar.module.css';

export function TopBar() {
  return (
    <header className={styles.bar}>
      <Link href="/" className={styles.brand} aria-label="Recloser, fleet">
        <Mark />
        <span className={styles.name}>Recloser</span>
      </Link>
      <Nav />
      <div className={styles.right}>
        <SearchButton />
        <Environments />
        <ServerClock />
        <ConnectionDot />
        <PauseButton />
        <span className={styles.wide}>
          <ThemeSwitch />
        </span>
        <AccountMenu />
      </div>
    </header>
  );
}
