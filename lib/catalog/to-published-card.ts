import { env } from '../platform/env';
import type { IssuedCard } from '../protocol/a2a/cards/write-card';
import type { LegacySystem } from '../protocol/a2a/dialects';
import type { AgentRecord } from './record';
import { agentUrlOf } from './to-wire';

/**
 * The card Parley answers for: our address and our way to authenticate instead of the agent's own. Answers can always
 * be streamed and updates pushed, because the gateway does both.
 */
export function toPublishedCard({ slug, card }: Pick<AgentRecord, 'slug' | 'card'>): IssuedCard {
  const { interfaces: _interfaces, securitySchemes: _schemes, security: _security, ...rest } = card;
  const description =
    `A token for this agent. Send a personal access token as bearer to POST ${env().APP_URL}/api/auth/handshake with ` +
    `{"agentSlug":"${slug}"}; the token in its answer is good for 15 minutes.`;
  return {
    ...rest,
    capabilities: { ...rest.capabilities, streaming: true, pushNotifications: true },
    url: `${agentUrlOf(slug)}/a2a/jsonrpc`,
    restUrl: `${agentUrlOf(slug)}/a2a/rest`,
    bearer: { name: 'parley', description, scopes: ['agent:call'] },
  };
}

/** Where the clients of four systems call an agent, each with its own card below. */
const legacyPaths: Record<LegacySystem, (slug: string) => string> = {
  society: (slug) => `${agentUrlOf(slug)}/society`,
  societyai: (slug) => `${agentUrlOf(slug)}/tasks/process`,
  agentos: (slug) => `${agentUrlOf(slug)}/a2a/rpc`,
  orloj: (slug) => `${env().APP_URL}/v1/agent-systems/${slug}`,
};

/** {@link toPublishedCard} for the clients of one system, who call the agent at that system's path. */
export function toLegacyCard(agent: Pick<AgentRecord, 'slug' | 'card'>, seed: LegacySystem): IssuedCard {
  return { ...toPublishedCard(agent), url: legacyPaths[seed](agent.slug), seed };
}

/** The card of the marketplace itself: one address for all agents, the one that is meant stands in the message. */
export function toMarketplaceCard(): IssuedCard {
  const origin = env().APP_URL;
  const description =
    `A token for the agent that is meant. Send a personal access token as bearer to POST ${origin}/api/auth/handshake ` +
    'with {"agentSlug":"…"}; the token in its answer is good for 15 minutes.';
  return {
    name: 'Parley',
    description:
      `A marketplace of agents that speak A2A. Send a message here with the agent’s slug in "metadata.agent" and it is ` +
      `handed on to that agent; find one at ${origin}/api/agents?q=… or call it at its own address.`,
    version: '1.0.0',
    provider: { organization: 'Parley', url: origin },
    documentationUrl: null,
    iconUrl: null,
    capabilities: {
      streaming: true,
      pushNotifications: true,
      extendedCard: false,
      stateTransitionHistory: false,
      extensions: [],
    },
    inputModes: ['text/plain', 'application/json', 'application/octet-stream'],
    outputModes: ['text/plain', 'text/markdown', 'application/json', 'application/octet-stream'],
    skills: [
      {
        id: 'hand-on',
        name: 'Hand a message to an agent',
        description:
          'Passes text, files and data on to a listed agent and streams what it answers, in any dialect of A2A.',
        tags: ['marketplace', 'gateway', 'routing'],
        examples: [],
        inputModes: [],
        outputModes: [],
      },
    ],
    url: `${origin}/a2a/jsonrpc`,
    bearer: { name: 'parley', description, scopes: ['agent:call'] },
  };
}
