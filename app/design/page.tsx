import { DesignView } from '@/components/design/design-view';

export default function DesignPage() {
  return <DesignView />;
}
