import type { ReactNode, Ref } from 'react';
import { errorText } from '@/lib/client/api-error';
import { localPath } from '@/lib/protocol/local-path';
import { Mark } from '../shell/mark';
import { Callout } from '../ui/callout';
import { Field, Input } from '../ui/field';
import styles from './entrance.module.css';

/** A page for those who are not signed in: one card, one thing to do. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main id="main" className={styles.entrance}>
      <div className={styles.card}>
        <p className={styles.brand}>
          <Mark /> Recloser
        </p>
        <title>{`${title} · Recloser`}</title>
        <h1>{title}</h1>
        {children}
      </div>
    </main>
  );
}

export function Failure({ error, title }: { error: Error | null; title: string }) {
  if (error === null) return null;
  return (
    <Callout tone="danger" role="alert" title={title}>
      {errorText(error)}
    </Callout>
  );
}

type TextProps = {
  label: string;
  value: string;
  onValue: (value: string) => void;
  type?: 'text' | 'email' | 'password';
  autoComplete: string;
  hint?: string;
  inputMode?: 'numeric';
  inputRef?: Ref<HTMLInputElement>;
};

export function TextField({ label, value, onValue, hint, inputRef, ...rest }: TextProps) {
  return (
    <Field label={label} {...(hint === undefined ? {} : { hint })}>
      {(wiring) => (
        <Input
          {...wiring}
          {...rest}
          {...(inputRef === undefined ? {} : { ref: inputRef })}
          required
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}

export const PASSWORD_HINT =
  'At least 8 characters, better 15 or more: a few words that do not belong together.';

/** Where to after signing in: a path of this console only. */
export function nextPath(): string {
  return localPath(new URLSearchParams(window.location.search).get('next'));
}

/** A whole new page, so that nothing of the time before is left in memory. */
export function goOn(): void {
  window.location.assign(nextPath());
}
