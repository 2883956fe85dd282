/** Starts the fleet against a console, plays the scenario, and serves the panel. */
import { createToken } from './console-client';
import { Crew } from './crew';
import { fleet } from './fleet';
import { listen } from './json-server';
import { makePanel } from './panel';
import { ScenarioRunner } from './scenario-runner';
import { signIn } from './session';
import { guide } from './scenario';

export const DEMO_ENVIRONMENT = 'demo';

export type DemoOptions = {
  readonly consoleUrl: string;
  /** Of somebody who may make a token. */
  readonly admin: { readonly email: string; readonly password: string };
  /** The bundled `child.ts`. */
  readonly childPath: string;
  readonly panelPort?: number;
  /** Play the scenario from the start; otherwise the fleet is healthy until told. */
  readonly scenario?: boolean;
  readonly log?: (line: string) => void;
};

export type Demo = {
  readonly panelUrl: string;
  readonly guide: readonly string[];
  readonly processIds: readonly number[];
  stop(): Promise<void>;
};

export async function startDemo(options: DemoOptions): Promise<Demo> {
  const log = options.log ?? (() => undefined);
  const session = await signIn(options.consoleUrl, options.admin);
  const token = await createToken(session, DEMO_ENVIRONMENT);
  const crew = new Crew({
    services: fleet,
    childPath: options.childPath,
    console: { url: options.consoleUrl, token, environment: DEMO_ENVIRONMENT },
    log,
  });
  await crew.start();

  const runner = new ScenarioRunner({
    apply: (service, fault) => crew.apply(service, fault),
    log,
  });
  const panel = makePanel({ crew, runner, consoleUrl: options.consoleUrl });
  const port = await listen(panel, options.panelPort ?? 0);
  if (options.scenario ?? true) runner.play();

  return {
    panelUrl: `http://127.0.0.1:${port}`,
    guide,
    processIds: crew.processIds,
    async stop() {
      runner.pause();
      panel.close();
      panel.closeAllConnections();
      await crew.stop();
    },
  };
}
