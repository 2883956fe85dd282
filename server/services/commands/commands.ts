import type { Commands } from '../contract';
import type { Core } from '../core';
import { RecloserError } from '../errors';
import { createDecisions } from './decide';
import type { Issue } from './issue';
import { changeLease } from './lease';
import { checkNewInstances, checkStart, limitsOf } from './limits';
import type { OverrideRate } from './override-rate';
import { previewCommand } from './preview';
import { withRefusals } from './refusals';
import { release } from './release';
import type { SeenPreviews } from './seen-previews';
import { commandOrThrow, commandViewOf, viewOfCommand } from './view';

const LISTED = 100;

function createPreview(core: Core, previews: SeenPreviews): Commands['preview'] {
  return async (body) => {
    checkStart(body.startAt, core.clock.wall());
    checkNewInstances(body);
    const { scope, kind, includeNew, startAt = null } = body;
    const asked = { scope, kind, includeNew, startAt, ...limitsOf(body) };
    const previewed = await previewCommand(core, asked);
    previews.remember(asked, previewed);
    return previewed.preview;
  };
}

type Parts = {
  readonly issue: Issue;
  readonly previews: SeenPreviews;
  readonly rate: OverrideRate;
};

export function createCommands(core: Core, { issue, previews, rate }: Parts): Commands {
  return {
    preview: createPreview(core, previews),
    issue: async (caller, body) => {
      const { command, overrides } = await issue(caller, body);
      return commandViewOf(core, command, overrides);
    },
    get: async (id) => viewOfCommand(core, await commandOrThrow(core, id)),
    list: async (filter) => {
      const commands = await core.store.listCommands({ ...filter, limit: LISTED });
      return Promise.all(commands.map((command) => viewOfCommand(core, command)));
    },
    ...createDecisions(core),
    release: (caller, id, { reason }) =>
      core.overrideLane(() => {
        const attempt = { action: 'override.release', subject: id, details: {} };
        return withRefusals(core, caller, attempt, async () => {
          const command = await commandOrThrow(core, id);
          await release(core, caller, await core.store.overridesOfCommand(id), reason);
          return viewOfCommand(core, command);
        });
      }),
    changeLease: (caller, id, body) =>
      core.overrideLane(() => {
        const attempt = { action: 'override.change_lease', subject: id, details: {} };
        return withRefusals(core, caller, attempt, async () => {
          const command = await commandOrThrow(core, id);
          const records = await core.store.overridesOfCommand(id);
          const active = records.filter(({ endedAt }) => endedAt === null);
          if (active.length === 0) {
            throw new RecloserError('conflict', 'nothing of it is in force any more');
          }
          await changeLease(core, rate, caller, active, body);
          return viewOfCommand(core, command);
        });
      }),
  };
}
