'use client';

import { useProfile } from '@/lib/client/people-queries';
import { Page, Section } from '../shell/page';
import { PreferencesSection } from '../shell/preferences-section';
import { QueryState } from '../ui/query-state';
import { ApiTokens } from './api-tokens';
import { AuthenticatorApp } from './authenticator-app';
import { ChangePassword } from './change-password';
import { FreshProvider } from './fresh';
import { grantText } from './grant-text';
import { Passkeys } from './passkeys';
import { Sessions } from './sessions';

export function ProfileView() {
  const profile = useProfile();
  return (
    <Page
      title="Profile"
      description="How you sign in, where you are signed in, and how you like to work."
    >
      <QueryState query={profile} what="Your profile">
        {({ person, passkeys, sessions }) => (
          <FreshProvider>
            <p>
              <b>{person.name}</b>, {person.email}. {person.grants.map(grantText).join(' · ')}
            </p>
            {person.hasPassword && (
              <Section title="Password">
                <ChangePassword />
              </Section>
            )}
            <Section title="Authenticator app">
              <AuthenticatorApp hasTotp={person.hasTotp} hasPassword={person.hasPassword} />
            </Section>
            <Section title="Passkeys">
              <Passkeys passkeys={passkeys} />
            </Section>
            <Section title="Sessions">
              <Sessions sessions={sessions} />
            </Section>
            <Section title="Preferences">
              <PreferencesSection />
            </Section>
            <Section title="API tokens">
              <ApiTokens />
            </Section>
          </FreshProvider>
        )}
      </QueryState>
    </Page>
  );
}
