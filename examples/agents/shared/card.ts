import { AgentCard } from '@a2a-js/sdk';
import type { AgentEnvironment } from './environment';

/** What every card of these agents says alike; an agent adds its name, its words and its skills. */
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

/** An A2A 1.0 agent card that also offers the 0.3 protocol at the same address, and asks for a token from Parley. */
export function createCard(facts: CardFacts, { publicUrl, parleyUrl }: AgentEnvironment): AgentCard {
  const url = `${publicUrl}${RPC_PATH}`;
  return AgentCard.fromJSON({
    name: facts.name,
    description: facts.description,
    version: facts.version,
    supportedInterfaces: [
      { url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
    ],
    provider: { organization: facts.organization, url: parleyUrl },
    capabilities: { streaming: true, pushNotifications: false, extensions: facts.extensions },
    securitySchemes: {
      parley: {
        httpAuthSecurityScheme: {
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `An agent token from ${parleyUrl}/api/auth/handshake. It lasts 15 minutes and is checked with Parley.`,
        },
      },
    },
    securityRequirements: [{ schemes: { parley: { list: [] } } }],
    defaultInputModes: facts.inputModes,
    defaultOutputModes: facts.outputModes,
    skills: facts.skills,
  });
}
