import path from 'node:path';
import { converterCard } from '@/examples/agents/converter/card';
import { researcherCard } from '@/examples/agents/researcher/card';
import { starters } from '@/examples/agents/starters/starters';
import { findAgent, registerAgent } from '@/lib/catalog';
import type { Ctx } from '@/lib/platform/context';
import { env } from '@/lib/platform/runtime/env';
import { ownsApp } from '@/lib/tokens';
import { isAlive } from '../processes.mjs';
import { buildOf, startServed, stopServed } from './served-agent';
import type { DemoState } from './state';

/** The programs of the demo that connect to Parley, each with the cards of its agents by slug. */
const programs: Record<string, Record<string, object>> = {
  researcher: { researcher: researcherCard },
  converter: { converter: converterCard },
  starters: Object.fromEntries(Object.entries(starters).map(([slug, { card }]) => [slug, card])),
};

/** Lists the agents if they have changed, and ends those that a killed server has left running. */
export async function listHubAgents(state: DemoState, ctx: Ctx): Promise<void> {
  await stopHubAgents(state);
  await Promise.all(Object.keys(programs).map((name) => listProgram(state, name, ctx)));
}

async function listProgram({ app, served }: DemoState, name: string, ctx: Ctx): Promise<void> {
  const appId = app?.id ?? null;
  const build = buildOf(bundleOf(name));
  const isUnchanged = served[name]?.listedBuild === build;
  await Promise.all(
    Object.entries(programs[name] ?? {}).map(async ([slug, card]) => {
      const listed = await findAgent(slug);
      if (isUnchanged && listed?.appId === appId && listed.status === 'active') return;
      const input = { hub: true as const, slug, card: withAddresses(card), visibility: 'public' as const, appId };
      await registerAgent({ ctx, input, ownsApp });
    }),
  );
  served[name] = { mark: null, listedBuild: build };
}

/** Returns a card with the members that depend on Parley's URL. */
function withAddresses(card: object): Record<string, unknown> {
  const { APP_URL } = env();
  const provider = { organization: 'Parley demo', url: APP_URL };
  return { provider, documentationUrl: `${APP_URL}/docs/demo-agents`, ...card };
}

/** Starts the agents, which connect to the server. */
export async function startHubAgents({ app, served }: DemoState): Promise<void> {
  const { APP_URL, DATA_DIR } = env();
  const { clientId = '', clientSecret = '' } = app ?? {};
  const configFolder = path.resolve(DATA_DIR, 'cli');
  for (const [name, program] of Object.entries(served)) {
    const [slug = '', ...others] = Object.keys(programs[name] ?? {});
    const logFile = path.join(DATA_DIR, 'logs', `${name}.log`);
    const launch = { bundle: bundleOf(name), logFile, parleyUrl: APP_URL, clientId, clientSecret, configFolder };
    program.mark = await startServed({ ...launch, slug: others.length === 0 ? slug : null });
  }
}

function bundleOf(name: string): string {
  return path.join('dist', 'agents', `${name}.mjs`);
}

/** Returns false if one was started and has ended. */
export function hubAgentsRun({ served }: DemoState): boolean {
  return Object.values(served).every(({ mark }) => mark === null || isAlive(mark));
}

/** Stops the agents. They finish their runs if the server still responds. */
export async function stopHubAgents({ served }: DemoState): Promise<void> {
  await Promise.all(Object.entries(served).map(([name, { mark }]) => stopServed(name, mark)));
}
