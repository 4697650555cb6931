import path from 'node:path';
import { converterCard } from '@/examples/agents/converter/card';
import { researcherCard } from '@/examples/agents/researcher/card';
import { findAgent, registerAgent } from '@/lib/catalog';
import type { Ctx } from '@/lib/platform/context';
import { env } from '@/lib/platform/env';
import { ownsApp } from '@/lib/tokens';
import { isAlive } from '../processes.mjs';
import { buildOf, startServed, stopServed } from './served-agent';
import type { DemoState } from './state';

/** The agents of the demo that connect to Parley. */
const hubAgents = [
  { slug: 'researcher', card: researcherCard },
  { slug: 'converter', card: converterCard },
];
type HubAgent = (typeof hubAgents)[number];

/** Lists the agents, as far as that has changed, and ends those that a killed server has left running. */
export async function listHubAgents(state: DemoState, ctx: Ctx): Promise<void> {
  await stopHubAgents(state);
  await Promise.all(hubAgents.map((agent) => listHubAgent(state, agent, ctx)));
}

async function listHubAgent({ app, served }: DemoState, { slug, card }: HubAgent, ctx: Ctx): Promise<void> {
  const appId = app?.id ?? null;
  const build = buildOf(bundleOf(slug));
  const listed = await findAgent(slug);
  const isListed = listed?.appId === appId && listed?.status === 'active' && served[slug]?.listedBuild === build;
  if (!isListed) await registerAgent({ ctx, input: { hub: true, slug, card, visibility: 'public', appId }, ownsApp });
  served[slug] = { mark: null, listedBuild: build };
}

/** Starts the agents, which connect to the server. */
export async function startHubAgents({ app, served }: DemoState): Promise<void> {
  const { APP_URL, DATA_DIR } = env();
  const { clientId = '', clientSecret = '' } = app ?? {};
  const configFolder = path.resolve(DATA_DIR, 'cli');
  for (const [slug, agent] of Object.entries(served)) {
    const logFile = path.join(DATA_DIR, 'logs', `${slug}.log`);
    const launch = { slug, bundle: bundleOf(slug), logFile, parleyUrl: APP_URL, clientId, clientSecret, configFolder };
    agent.mark = await startServed(launch);
  }
}

function bundleOf(slug: string): string {
  return path.join('dist', 'agents', `${slug}.mjs`);
}

/** False if one has started and ended. */
export function hubAgentsRun({ served }: DemoState): boolean {
  return Object.values(served).every(({ mark }) => mark === null || isAlive(mark));
}

/** Stops the agents; they finish what runs, as long as the server answers. */
export async function stopHubAgents({ served }: DemoState): Promise<void> {
  await Promise.all(Object.entries(served).map(([slug, { mark }]) => stopServed(slug, mark)));
}
