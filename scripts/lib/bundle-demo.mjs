import { join } from 'node:path';
import { root } from './paths.mjs';

/** Bundles the demo in about a tenth of a second, so that its processes start without a loader. */
export async function bundleDemo() {
  const { build, stop } = await import('esbuild');
  const outdir = join(root, 'dist/demo');
  await build({
    absWorkingDir: root,
    entryPoints: ['examples/demo/child.ts', 'examples/demo/supervisor.ts'],
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    tsconfig: 'tsconfig.json',
    // ws takes these natives when they are there and does without otherwise.
    external: ['bufferutil', 'utf-8-validate'],
    logLevel: 'warning',
  });
  await build({
    absWorkingDir: root,
    entryPoints: ['examples/demo/people.ts'],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    tsconfig: 'tsconfig.json',
    logLevel: 'warning',
  });
  // Its helper process would stay for as long as this one.
  await stop();
  return {
    childPath: join(outdir, 'child.cjs'),
    supervisorPath: join(outdir, 'supervisor.cjs'),
    peoplePath: join(outdir, 'people.mjs'),
  };
}
