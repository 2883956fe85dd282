import type { Ref } from 'react';
import { Field, Input } from '@/components/ui/field';
import styles from './override.module.css';

type Props = {
  name: string;
  value: string;
  inputRef?: Ref<HTMLInputElement>;
  onValue: (value: string) => void;
};

/** [U-20] What is dangerous is confirmed by its name. */
export function NameField({ name, value, inputRef, onValue }: Props) {
  return (
    <Field
      label={
        <>
          Type <b className={styles.toType}>{name}</b> to confirm
        </>
      }
    >
      {(wiring) => (
        <Input
          {...wiring}
          {...(inputRef === undefined ? {} : { ref: inputRef })}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onValue(event.target.value)}
        />
      )}
    </Field>
  );
}
