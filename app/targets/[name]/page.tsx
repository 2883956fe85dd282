import { TargetView } from '@/components/target/target-view';

export default async function TargetRoute({ params }: { params: Promise<{ name: string }> }) {
  const { name } = await params;
  return <TargetView name={decodeURIComponent(name)} />;
}
