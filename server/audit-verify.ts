/** `node dist/server/audit-verify.mjs FILE [--witness FILE] [--key ID]…`: exit 0 sound, 1 bad, 2 unreadable. */
import { parseArgs } from 'node:util';
import { safeJson } from '@/lib/audit/lines';
import { describeReport, runAuditVerify } from './audit/run-verify';

const USAGE = 'usage: audit-verify FILE [--witness FILE] [--key KEY_ID]... [--json]';

function main(): number {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      witness: { type: 'string' },
      key: { type: 'string', multiple: true, default: [] },
      json: { type: 'boolean', default: false },
    },
  });
  const [databaseFile] = positionals;
  if (databaseFile === undefined || positionals.length > 1) throw new Error(USAGE);
  const report = runAuditVerify({
    databaseFile,
    trustedKeys: values.key,
    ...(values.witness === undefined ? {} : { witnessFile: values.witness }),
  });
  const text = values.json ? safeJson(report) : describeReport(report).join('\n');
  process.stdout.write(`${text}\n`);
  return report.problem === null ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exitCode = 2;
}
