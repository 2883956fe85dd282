import { ServicesView } from '@/components/services/services-view';

export default function ServicesPage() {
  return <ServicesView />;
}
