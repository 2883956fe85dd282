'use client';

import { ErrorView } from '@/components/shell/error-view';

export default function PageError({ error, retry }: { error: Error; retry: () => void }) {
  return <ErrorView error={error} onRetry={retry} />;
}
