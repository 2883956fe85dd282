export const SNAPSHOT_VERSION = 1;
