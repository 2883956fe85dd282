import { Field, Input, Select } from '../ui/field';
import styles from './services.module.css';
import type { TokenDraft, TokenProblems } from './token-draft';

type Props = {
  draft: TokenDraft;
  problems: TokenProblems;
  onChange: (draft: TokenDraft) => void;
};

const EXPIRY = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
] as const;

export function TokenFields({ draft, problems, onChange }: Props) {
  const set = (part: Partial<TokenDraft>) => onChange({ ...draft, ...part });
  return (
    <>
      <Field label="Name" hint="Who will hold it, for example checkout-prod" error={problems.name}>
        {(wiring) => (
          <Input
            {...wiring}
            autoComplete="off"
            value={draft.name}
            onChange={(event) => set({ name: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Service"
        hint="An exact name, or a prefix with * at the end"
        error={problems.servicePattern}
      >
        {(wiring) => (
          <Input
            {...wiring}
            autoComplete="off"
            placeholder="checkout"
            value={draft.servicePattern}
            onChange={(event) => set({ servicePattern: event.target.value })}
          />
        )}
      </Field>
      <div className={styles.pair}>
        <Field label="Environment" error={problems.environment}>
          {(wiring) => (
            <Input
              {...wiring}
              autoComplete="off"
              value={draft.environment}
              onChange={(event) => set({ environment: event.target.value })}
            />
          )}
        </Field>
        <Field label="Expires after">
          {(wiring) => (
            <Select
              {...wiring}
              options={EXPIRY}
              value={draft.expiresInDays}
              onValue={(expiresInDays) => set({ expiresInDays })}
            />
          )}
        </Field>
      </div>
    </>
  );
}
