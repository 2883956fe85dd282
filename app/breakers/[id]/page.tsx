import { BreakerView } from '@/components/breaker/breaker-view';

export default async function BreakerRoute({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <BreakerView id={decodeURIComponent(id)} />;
}
