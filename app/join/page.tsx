import { JoinView } from '@/components/people/join-view';

export default function JoinPage() {
  return <JoinView />;
}
