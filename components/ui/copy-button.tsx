'use client';

import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Button, IconButton } from './button';

const SHOWN_MS = 1_600;

type Props = { text: string; label?: string; compact?: boolean };

/** Says "Copied" for a moment; says so too when the browser refuses. */
export function CopyButton({ text, label = 'Copy', compact = false }: Props) {
  const [result, setResult] = useState<'copied' | 'failed' | null>(null);

  useEffect(() => {
    if (result === null) return undefined;
    const timer = setTimeout(() => setResult(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [result]);

  const copy = () => {
    navigator.clipboard.writeText(text).then(
      () => setResult('copied'),
      () => setResult('failed'),
    );
  };
  const word = { copied: 'Copied', failed: 'Select it and copy by hand' };
  const said = result === null ? label : word[result];
  const icon = result === 'copied' ? <Check size={14} /> : <Copy size={14} />;
  return compact ? (
    <IconButton size="small" label={said} onClick={copy}>
      {icon}
    </IconButton>
  ) : (
    <Button size="small" icon={icon} onClick={copy} aria-live="polite">
      {said}
    </Button>
  );
}
