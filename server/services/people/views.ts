import type { InvitationView, PersonView } from '@/lib/protocol/people';
import type { CodeRecord, PersonRecord } from '../../store/port/people';

export const personViewOf = (record: PersonRecord): PersonView => ({
  ...record,
  grants: [...record.grants],
});

export const invitationViewOf = (code: CodeRecord): InvitationView => ({
  id: code.id,
  name: code.name ?? '',
  email: code.email ?? '',
  grants: [...code.grants],
  createdAt: code.createdAt,
  expiresAt: code.expiresAt,
});
