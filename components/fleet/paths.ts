export const breakerPath = (id: string): string => `/breakers/${encodeURIComponent(id)}`;

/** A target has the same name in every environment; mostly one of them is meant. */
export function targetPath(name: string, environment: string | null): string {
  const path = `/targets/${encodeURIComponent(name)}`;
  return environment === null ? path : `${path}?env=${encodeURIComponent(environment)}`;
}
