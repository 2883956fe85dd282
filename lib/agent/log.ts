import type { AgentLogger, LogDetails } from './ports';

function line(message: string, details: LogDetails = {}): string {
  const fields = Object.entries(details).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return ['recloser:', message, ...fields].join(' ');
}

function write(message: string, details?: LogDetails): void {
  process.stderr.write(`${line(message, details)}\n`);
}

/** Standard error, without debug. */
export const defaultLogger: AgentLogger = { info: write, error: write };

/** A logger that throws must not reach the host either. */
export function safeLogger(logger: AgentLogger): Required<AgentLogger> {
  const guarded =
    (level: 'debug' | 'info' | 'error') => (message: string, details?: LogDetails) => {
      try {
        logger[level]?.(message, details);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return { debug: guarded('debug'), info: guarded('info'), error: guarded('error') };
}
