import { SetupView } from '@/components/people/setup-view';

export default function SetupPage() {
  return <SetupView />;
}
