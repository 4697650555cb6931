import { LRUCache } from 'lru-cache';
import { publish, subscribe } from '../platform/bus';
import { newId } from '../platform/ids';
import { errorFields, log } from '../platform/runtime/log';
import { once } from '../platform/runtime/once';
import { MAX_TESTED_AGENTS, TEST_WINDOW_MS } from './limits';
import { insertIntrospection, insertTestRun } from './store/test-run-rows';

/** Prefix of the request ids of calls from the console. Clients can forge it, so only stored ids count. */
const prefix = 'run_';

/** Agents under test, with the end of the test window, milliseconds since 1970. */
const testedAgents = once((): LRUCache<string, number> => {
  const agents = new LRUCache<string, number>({ max: MAX_TESTED_AGENTS });
  subscribe('test', '*', (agentId) => agents.set(agentId, Date.now() + TEST_WINDOW_MS));
  return agents;
});

/** Subscribes to test runs that start on any node. */
export function syncTestedAgents(): void {
  testedAgents();
}

/** Returns true if the request id may be that of a call from the console. */
export function isFromConsole(requestId: string): boolean {
  return requestId.startsWith(prefix);
}

/**
 * Stores a test run, or a replay of the call `replayOf`, and makes every node record the agent's introspections for the
 * test window. Returns the request id that marks the call in the log.
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

/** Records an introspection result while the agent is under test. Asynchronous. Never throws. */
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
