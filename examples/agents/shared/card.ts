import { AgentCard } from '@a2a-js/sdk';
import { createAgentCard } from '@parley/agent';
import type { AgentEnvironment } from './environment';

/** Data that differs between the cards of these agents: name, description and skills. */
export interface CardFacts {
  name: string;
  description: string;
  version: string;
  organization: string;
  inputModes: string[];
  outputModes: string[];
  extensions?: { uri: string; description: string; required: boolean; params: Record<string, unknown> }[];
  skills: { id: string; name: string; description: string; tags: string[]; examples: string[] }[];
}

export const RPC_PATH = '/a2a/jsonrpc';

/**
 * Creates an A2A 1.0 agent card that also offers the 0.3 protocol at the same URL, and requires a token from Parley.
 */
export function createCard(facts: CardFacts, { publicUrl, parleyUrl }: AgentEnvironment): AgentCard {
  const { organization, ...words } = facts;
  const card = createAgentCard({
    ...words,
    url: `${publicUrl}${RPC_PATH}`,
    parley: parleyUrl,
    provider: { organization, url: parleyUrl },
    documentationUrl: `${parleyUrl}/docs/demo-agents`,
    protocolVersions: ['1.0', '0.3'],
  });
  return AgentCard.fromJSON(card);
}
