import { OverridesView } from '@/components/override/overrides-view';

export default function OverridesRoute() {
  return <OverridesView />;
}
