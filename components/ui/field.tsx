import { ChevronDown } from 'lucide-react';
import {
  useId,
  type InputHTMLAttributes,
  type ReactNode,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
} from 'react';
import { cx } from './cx';
import styles from './field.module.css';

type Wiring = { id: string; 'aria-describedby'?: string; 'aria-invalid'?: true };

type FieldProps = {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  /** Gets the ids that tie the control to its label, hint and error. */
  children: (wiring: Wiring) => ReactNode;
};

export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = `${id}-note`;
  const hasNote = Boolean(error) || hint !== undefined;
  return (
    <div className={styles.field}>
      <label htmlFor={id} className={styles.label}>
        {label}
      </label>
      {children({
        id,
        ...(hasNote ? { 'aria-describedby': note } : {}),
        ...(error ? { 'aria-invalid': true } : {}),
      })}
      {hasNote && (
        <div id={note} className={cx(styles.note, Boolean(error) && styles.error)}>
          {error ? error : hint}
        </div>
      )}
    </div>
  );
}

type InputProps = InputHTMLAttributes<HTMLInputElement> & { ref?: Ref<HTMLInputElement> };

export function Input({ className, ...rest }: InputProps) {
  return <input {...rest} className={cx(styles.input, className)} />;
}

type AreaProps = TextareaHTMLAttributes<HTMLTextAreaElement> & { ref?: Ref<HTMLTextAreaElement> };

export function TextArea({ className, ...rest }: AreaProps) {
  return <textarea rows={3} {...rest} className={cx(styles.input, styles.area, className)} />;
}

export type Option<T extends string = string> = { value: T; label: string };

type SelectProps<T extends string> = Omit<
  SelectHTMLAttributes<HTMLSelectElement>,
  'onChange' | 'value'
> & { options: readonly Option<T>[]; value: T; onValue: (value: T) => void };

/** The platform's own select: it is small, and right on every phone and screen reader. */
export function Select<T extends string>({
  options,
  value,
  onValue,
  className,
  ...rest
}: SelectProps<T>) {
  return (
    <span className={cx(styles.select, className)}>
      <select
        {...rest}
        value={value}
        onChange={(event) => {
          const chosen = options.find((option) => option.value === event.target.value);
          if (chosen) onValue(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown size={14} aria-hidden="true" />
    </span>
  );
}
