import { AuditView } from '@/components/audit/audit-view';

export default function AuditPage() {
  return <AuditView />;
}
