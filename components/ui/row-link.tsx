'use client';

import Link from 'next/link';
import { useState, type ComponentProps } from 'react';

/**
 * A link in a row of a list. Hundreds of them come into view by scrolling: the page behind one is
 * fetched ahead when the pointer is on it, and not for every row that is seen.
 */
export function RowLink(props: ComponentProps<typeof Link>) {
  const [near, setNear] = useState(false);
  return <Link {...props} prefetch={near ? null : false} onMouseEnter={() => setNear(true)} />;
}
