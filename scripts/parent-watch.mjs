/**
 * Loaded into a child with `--import`. A parent that is killed outright cannot pass anything on;
 * the child then belongs to another process, notices, and stops the orderly way.
 */
const parent = process.ppid;

const watch = setInterval(() => {
  if (process.ppid === parent) return;
  clearInterval(watch);
  process.kill(process.pid, 'SIGTERM');
}, 500);
watch.unref();
