'use client';

import { Activity, Boxes, Hand, ScrollText } from 'lucide-react';
import Link from 'next/link';
import { usePathname } from 'next/navigation';
import styles from './nav.module.css';

const PAGES = [
  { href: '/', label: 'Fleet', Icon: Activity, also: '/breakers' },
  { href: '/services', label: 'Services', Icon: Boxes, also: '/services' },
  { href: '/overrides', label: 'Overrides', Icon: Hand, also: '/overrides' },
  { href: '/audit', label: 'Audit', Icon: ScrollText, also: '/audit' },
] as const;

export function Nav() {
  const pathname = usePathname();
  return (
    <nav className={styles.nav} aria-label="Main">
      {PAGES.map(({ href, label, Icon, also }) => {
        const here = pathname === href || pathname.startsWith(also);
        return (
          <Link
            key={href}
            href={href}
            className={styles.link}
            aria-current={here ? 'page' : undefined}
          >
            <Icon size={16} aria-hidden="true" className={styles.icon} />
            {label}
          </Link>
        );
      })}
    </nav>
  );
}
