import { SimulatorView } from '@/components/simulator/simulator-view';

export default function SimulatorPage() {
  return <SimulatorView />;
}
