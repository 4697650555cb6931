import { publish, subscribe } from '../platform/bus';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/log';
import { processSingleton } from '../platform/singleton';
import { insertIntrospection, insertTestRun } from './store/test-runs';

/** Request ids of the console's own calls begin so; that alone proves nothing: the store knows which were given out. */
const prefix = 'run_';
/** So long after its beginning a test hears what introspection answers. */
const testWindowMs = 120_000;
const maxTestedAgents = 1_000;

/** Agents that somebody tests now, and until when (milliseconds since 1970). */
function testedAgents(): Map<string, number> {
  return processSingleton('tested-agents', () => {
    const agents = new Map<string, number>();
    subscribe('test', '*', (agentId) => {
      agents.delete(agentId);
      agents.set(agentId, Date.now() + testWindowMs);
      const oldest = agents.keys().next().value;
      if (agents.size > maxTestedAgents && oldest !== undefined) agents.delete(oldest);
    });
    return agents;
  });
}

/** Begins to hear which agents are tested, also from other nodes. */
export function syncTestedAgents(): void {
  testedAgents();
}

/** True for a request id that may be one of the console's. */
export function isFromConsole(requestId: string): boolean {
  return requestId.startsWith(prefix);
}

/**
 * Begins a call from the console: gives out its request id, by which the log knows it, and has every node note for two minutes
 * what introspection says about this caller. `replayOf` is the call that it repeats.
 */
export async function createTestRun(run: {
  agentId: string;
  caller: string;
  replayOf: string | null;
  now: Date;
}): Promise<string> {
  const { now: at, ...rest } = run;
  const requestId = newId('run');
  await insertTestRun({ ...rest, requestId, at });
  await publish('test', run.agentId);
  return requestId;
}

/** Notes what introspection said of an agent's token, while somebody tests that agent. Costs others nothing; never throws. */
export function recordIntrospection(introspection: {
  agentId: string;
  caller: string;
  active: boolean;
  now: Date;
}): void {
  const until = testedAgents().get(introspection.agentId);
  if (until === undefined || until < Date.now()) return;
  const { now: at, active, ...rest } = introspection;
  insertIntrospection({ ...rest, id: newId('itn'), active, reason: active ? null : 'other_app', at }).catch(
    (error: unknown) => log.error('observability.write_failed', errorFields(error)),
  );
}
