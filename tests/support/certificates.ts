/** An authority for tests, made by openssl; a machine without it skips what needs one. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const tool = 'openssl';
export const hasOpenssl = spawnSync(tool, ['version']).status === 0;
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

export type Pair = { readonly certFile: string; readonly keyFile: string };

export async function makeAuthority(name: string) {
  const folder = mkdtempSync(join(tmpdir(), 'recloser-ca-'));
  const file = (part: string) => join(folder, part);
  const ca: Pair = { certFile: file('ca.pem'), keyFile: file('ca.key') };
  const out = ({ certFile, keyFile }: Pair) => ['-keyout', keyFile, '-out', certFile];
  await run(tool, ['req', '-x509', ...KEY, '-subj', `/CN=${name}`, ...out(ca), '-days', '2']);
  /** The books of the authority, empty, and how openssl finds them. */
  const books = (): string[] => {
    writeFileSync(file('index.txt'), '');
    writeFileSync(
      file('ca.cnf'),
      `[ca]\ndefault_ca=own\n[own]\ndatabase=${file('index.txt')}\ndefault_md=sha256\n` +
        `certificate=${ca.certFile}\nprivate_key=${ca.keyFile}\ndefault_crl_days=1\n` +
        `serial=${file('serial')}\ncopy_extensions=copy\npolicy=any\n[any]\ncommonName=supplied\n`,
    );
    return ['-config', file('ca.cnf')];
  };
  return {
    ...ca,
    pem: readFileSync(ca.certFile),
    /** For so many days, with that subject alternative name. */
    async issue(label: string, altName: string, days = 1): Promise<Pair> {
      const pair = { certFile: file(`${label}.pem`), keyFile: file(`${label}.key`) };
      const by = ['-CA', ca.certFile, '-CAkey', ca.keyFile];
      const says = ['-subj', `/CN=${label}`, '-addext', `subjectAltName=${altName}`];
      const args = ['req', '-x509', ...KEY, ...by, ...says, ...out(pair), '-days', String(days)];
      await run(tool, [...args, '-addext', 'basicConstraints=critical,CA:FALSE']);
      return pair;
    },
    /** Was good for one day, years ago. */
    async issueExpired(label: string, altName: string): Promise<Pair> {
      const pair = { certFile: file(`${label}.pem`), keyFile: file(`${label}.key`) };
      const request = file(`${label}.csr`);
      const says = ['-subj', `/CN=${label}`, '-addext', `subjectAltName=${altName}`];
      await run(tool, ['req', '-new', ...KEY, ...says, '-keyout', pair.keyFile, '-out', request]);
      const dates = ['-startdate', '20200101000000Z', '-enddate', '20200102000000Z'];
      const files = ['-in', request, '-out', pair.certFile, '-outdir', folder];
      await run(tool, ['ca', ...books(), '-batch', '-notext', '-rand_serial', ...dates, ...files]);
      return pair;
    },
    /** The list of revoked certificates with these in it. */
    async revoke(...pairs: readonly Pair[]): Promise<string> {
      const config = books();
      for (const { certFile } of pairs) {
        await run(tool, ['ca', ...config, '-revoke', certFile]);
      }
      await run(tool, ['ca', ...config, '-gencrl', '-out', file('crl.pem')]);
      return file('crl.pem');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
export type Authority = Awaited<ReturnType<typeof makeAuthority>>;
