/** [U-47] Which role somebody has where the page is about. */
import { describe, expect, it } from 'vitest';
import { roleText } from '@/components/shell/role';
import { rolesAt, type Grant } from '@/lib/protocol/access';

const grant = (role: Grant['role'], environment = '*', service = '*'): Grant => ({
  role,
  environment,
  service,
});

describe('[U-47] own role', () => {
  it('of a role everywhere is that role, wherever the page is', () => {
    const grants = [grant('operator')];
    expect(roleText(grants, {})).toBe('Operator');
    expect(roleText(grants, { environment: 'production', service: 'pay' })).toBe('Operator');
  });

  it('is another one in another environment', () => {
    const grants = [grant('viewer'), grant('operator', 'staging'), grant('admin', 'test*')];
    expect(roleText(grants, { environment: 'production' })).toBe('Viewer');
    expect(roleText(grants, { environment: 'staging' })).toBe('Operator');
    expect(roleText(grants, { environment: 'test-2', service: 'pay' })).toBe('Admin');
  });

  it('says where it reaches a part only', () => {
    const grants = [grant('operator', 'test', 'search*')];
    expect(roleText(grants, {})).toBe('Operator in part');
    expect(roleText(grants, { environment: 'test' })).toBe('Operator in part');
    expect(roleText(grants, { environment: 'test', service: 'search-api' })).toBe('Operator');
    expect(roleText(grants, { environment: 'production' })).toBe('No role here');
    expect(roleText([], {})).toBe('No role here');
  });

  it('names each of two that do not contain each other, and no other', () => {
    const grants = [grant('viewer'), grant('approver'), grant('operator'), grant('responder')];
    expect(rolesAt(grants, {}).roles).toEqual(['operator', 'approver']);
    expect(roleText(grants, {})).toBe('Operator, approver');
    expect(roleText([...grants, grant('admin')], {})).toBe('Admin');
  });
});
