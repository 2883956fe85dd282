import { FleetView } from '@/components/fleet/fleet-view';

export default function FleetPage() {
  return <FleetView />;
}
