import { usePathname, useSearchParams } from 'next/navigation';
import { useEffect } from 'react';
import { settleAddress } from '@/lib/client/address';

/** Tells those who write the address which one has been drawn. */
export function useSettledAddress(): void {
  const pathname = usePathname();
  const query = useSearchParams().toString();
  useEffect(() => settleAddress(pathname, query), [pathname, query]);
}
