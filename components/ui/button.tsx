import Link from 'next/link';
import type { ButtonHTMLAttributes, ComponentProps, ReactNode, Ref } from 'react';
import { cx } from './cx';
import styles from './button.module.css';

export type ButtonKind = 'primary' | 'secondary' | 'quiet' | 'danger' | 'caution';
export type ButtonSize = 'small' | 'medium';

type Look = { kind?: ButtonKind; size?: ButtonSize };
type Props = ButtonHTMLAttributes<HTMLButtonElement> &
  Look & { icon?: ReactNode; busy?: boolean; ref?: Ref<HTMLButtonElement> };

function look({ kind = 'secondary', size = 'medium' }: Look, className?: string): string {
  return cx(styles.button, styles[kind], size === 'small' && styles.small, className);
}

/** `danger` and `caution` wear the tone of open and of forced closed, never only a colour: name them. */
export function Button({ kind, size, icon, busy, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      {...rest}
      className={look({ ...(kind && { kind }), ...(size && { size }) }, className)}
      disabled={rest.disabled === true || busy === true}
      aria-busy={busy || undefined}
    >
      {icon}
      {children}
    </button>
  );
}

type IconProps = Omit<Props, 'icon' | 'children'> & { label: string; children: ReactNode };

/** An icon alone; the label is its name for everybody who does not see it. */
export function IconButton({ label, size, kind = 'quiet', className, ...rest }: IconProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={cx(look({ kind, ...(size && { size }) }, className), styles.iconOnly)}
    />
  );
}

export function ButtonLink({
  kind,
  size,
  className,
  ...rest
}: Omit<ComponentProps<typeof Link>, 'className'> & Look & { className?: string }) {
  return (
    <Link {...rest} className={look({ ...(kind && { kind }), ...(size && { size }) }, className)} />
  );
}
