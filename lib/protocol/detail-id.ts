/** Under which one instance's detail is sent, and what stands behind `breaker:` in its topic. */
export const instanceDetailId = (breakerId: string, instanceId: string): string =>
  `${breakerId}/${instanceId}`;
