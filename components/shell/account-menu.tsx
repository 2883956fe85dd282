'use client';

import {
  CircleUser,
  FlaskConical,
  Keyboard,
  LogOut,
  ShieldCheck,
  UserCog,
  Users,
} from 'lucide-react';
import { useRouter } from 'next/navigation';
import { signOut } from '@/lib/client/people';
import { leaveAfter } from '@/lib/client/session';
import { useMe } from '@/lib/client/people-queries';
import { runShortcut } from '../shortcuts/use-shortcut';
import { IconButton } from '../ui/button';
import { Menu, MenuItem } from '../ui/menu';
import { ThemeItem } from './theme-switch';

export function AccountMenu() {
  const router = useRouter();
  const { data: me } = useMe();
  const isAdmin = me?.person.grants.some(({ role }) => role === 'admin') ?? false;
  return (
    <Menu
      trigger={
        <IconButton label={me ? `Signed in as ${me.person.name}` : 'Account'}>
          <CircleUser aria-hidden="true" />
        </IconButton>
      }
    >
      <MenuItem icon={<UserCog size={14} />} onSelect={() => router.push('/settings/profile')}>
        Profile
      </MenuItem>
      {isAdmin && (
        <MenuItem icon={<Users size={14} />} onSelect={() => router.push('/settings/people')}>
          People
        </MenuItem>
      )}
      {isAdmin && (
        <MenuItem
          icon={<ShieldCheck size={14} />}
          onSelect={() => router.push('/settings/policies')}
        >
          Policies
        </MenuItem>
      )}
      {isAdmin && (
        <MenuItem
          icon={<FlaskConical size={14} />}
          onSelect={() => router.push('/settings/simulator')}
        >
          Simulator
        </MenuItem>
      )}
      <ThemeItem />
      <MenuItem icon={<Keyboard size={14} />} onSelect={() => runShortcut('help')}>
        Keys
      </MenuItem>
      <MenuItem icon={<LogOut size={14} />} onSelect={() => leaveAfter(signOut())}>
        Sign out
      </MenuItem>
    </Menu>
  );
}
