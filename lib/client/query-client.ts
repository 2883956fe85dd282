import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ApiError } from './api-error';

const RETRIES = 2;

/** An answer is final; only silence is worth asking again. Mutations are never repeated. */
function worthRetrying(failures: number, error: Error): boolean {
  return failures < RETRIES && error instanceof ApiError && error.code === 'unreachable';
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: worthRetrying, staleTime: 2_000, refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  });
}

export { QueryClientProvider };
