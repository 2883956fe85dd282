import { PoliciesView } from '@/components/policies/policies-view';

export default function PoliciesPage() {
  return <PoliciesView />;
}
