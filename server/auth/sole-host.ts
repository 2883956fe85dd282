/** The Host of a request that has exactly one; Node would quietly take the first of several. */
export function soleHost(rawHeaders: readonly string[]): string | undefined {
  const hosts: string[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() === 'host') hosts.push(rawHeaders[index + 1] ?? '');
  }
  return hosts.length === 1 ? hosts[0] : undefined;
}
