'use client';

import { useMe } from '@/lib/client/people-queries';
import { rolesAt, type Grant, type Place } from '@/lib/protocol/access';
import { grantText } from '../people/grant-text';
import { NONE } from '../ui/format';
import { usePlace } from './page-place';
import styles from './top-bar.module.css';

/** "Operator", "Operator, approver in part", "No role here". */
export function roleText(grants: readonly Grant[], place: Place): string {
  const { roles, inPart } = rolesAt(grants, place);
  if (roles.length === 0) return 'No role here';
  const words = roles.join(', ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${inPart ? ' in part' : ''}`;
}

/** One's own role for what the page is about; all of them on hover, and in the profile. */
export function OwnRole() {
  const { data: me } = useMe();
  const place = usePlace();
  const grants = me?.person.grants;
  if (grants === undefined) return <span className={styles.role}>{NONE}</span>;
  return (
    <span className={styles.role} title={`Your roles: ${grants.map(grantText).join('; ')}`}>
      <span className="visually-hidden">Your role: </span>
      {roleText(grants, place)}
    </span>
  );
}
