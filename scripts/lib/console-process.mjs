import { ExpectedError } from './expected-error.mjs';
import { startServer } from './server-process.mjs';

const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;

/**
 * A built console on loopback with a data folder of its own, ready to answer; or, on a damaged one,
 * `degraded`.
 * @param {{ port: number, dataDir: string, logLevel?: string, awaits?: 'ready' | 'degraded' }} options
 */
export async function startConsole({ port, dataDir, logLevel = 'error', awaits = 'ready' }) {
  const child = startServer({
    env: {
      PORT: String(port),
      HOST: '127.0.0.1',
      RECLOSER_DATA_DIR: dataDir,
      RECLOSER_LOG_LEVEL: logLevel,
      // A test runner or a shell may have set another one.
      NODE_ENV: 'production',
    },
  });
  const exited = new Promise((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', () => resolve(1));
  });
  const url = `http://127.0.0.1:${port}`;
  const ready = untilHealth(`${url}/healthz`, awaits);
  const gone = exited.then((code) => {
    throw new ExpectedError(`The console ended at once (code ${code}).`);
  });
  await Promise.race([ready, gone]);
  // From here on its end is reported by `exited` alone.
  gone.catch(() => undefined);
  return { url, pid: child.pid, exited, stop: () => stop(child, exited) };
}

async function untilHealth(address, wanted) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (Date.now() < deadline) {
    try {
      const { status } = await (await fetch(address)).json();
      if (status === wanted) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new ExpectedError(`The console was not ${wanted} after ${READY_WITHIN_MS / 1000} s.`);
}

async function stop(child, exited) {
  if (child.exitCode === null) child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
  await exited;
  clearTimeout(kill);
}
