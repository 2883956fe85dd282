/** The token of an `Authorization: Bearer …` header; null for any other scheme or shape. */
export function bearerToken(header: string | undefined): string | null {
  const match = /^Bearer ([\w.~+/-]{1,256}=*)$/i.exec(header ?? '');
  return match?.[1] ?? null;
}
