import { createInProcessBus } from '@/server/bus/in-process';
import { busContract } from './bus.contract';

busContract('The bus of one process', async () => {
  const reported: unknown[] = [];
  const bus = createInProcessBus((thrown) => reported.push(thrown));
  return { bus, reported, settled: async () => {} };
});
