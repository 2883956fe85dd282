/** A contact that closes in measured steps: the product mark. */
export function Mark({ size = 18 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 18 18" aria-hidden="true" fill="none">
      <path d="M1 13.5h4" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M13 13.5h4" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <path d="M5.2 13.3 13 5.5" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      <circle cx="5" cy="13.5" r="2" fill="currentColor" />
      <circle cx="13" cy="13.5" r="1.6" stroke="currentColor" strokeWidth="1.3" />
    </svg>
  );
}
