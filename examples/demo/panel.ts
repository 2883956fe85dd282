import { createServer, type Server } from 'node:http';
import { z } from 'zod';
import type { Crew } from './crew';
import { fault, faultKinds } from './faults';
import { fleet } from './fleet';
import { controlDoor } from './json-server';
import { panelPage } from './panel-page';
import type { ScenarioRunner } from './scenario-runner';

const target = z.looseObject({ service: z.string(), instance: z.string().optional() });
const scenarioBody = z.strictObject({ running: z.boolean() });

type Deps = {
  readonly crew: Crew;
  readonly runner: ScenarioRunner;
  readonly consoleUrl: string;
};

/** The supervisor's own door: a page, the state of the fleet, and the switches. */
export function makePanel({ crew, runner, consoleUrl }: Deps): Server {
  const control = controlDoor({
    'GET /status': async () => ({
      scenario: runner.describe(),
      services: await crew.status(),
    }),
    'POST /fault': async (_path, body) => {
      const { service, instance, ...rest } = target.parse(body);
      const wanted = fault.parse(rest);
      // Two hands on one switch would undo each other.
      runner.pause();
      const reached = await crew.apply(service, wanted, instance);
      if (reached === 0) throw new Error(`no such service: ${service}`);
      return { service, fault: wanted, reached };
    },
    'POST /scenario': async (_path, body) => {
      const { running } = scenarioBody.parse(body);
      if (running && !runner.running) await clearAll(crew);
      if (running) runner.play();
      else runner.pause();
      return runner.describe();
    },
  });
  const page = panelPage({ consoleUrl, services: fleet.map(({ name }) => name), faultKinds });
  return createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/') return control(request, response);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page);
  });
}

async function clearAll(crew: Crew): Promise<void> {
  await Promise.all(fleet.map(({ name }) => crew.apply(name, { kind: 'clear' })));
}
