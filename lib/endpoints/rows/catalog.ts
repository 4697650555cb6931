import { deleteAgent, getOneAgent, patchAgent } from '../agent';
import { agentCard, upstreamCard } from '../agent-cards';
import { postAgentPreview } from '../agent-preview';
import { getAgents, postAgent } from '../agents';
import type { Row } from '../row';

export const catalogRows: Row[] = [
  { method: 'GET', path: '/api/agents', endpoint: getAgents },
  { method: 'POST', path: '/api/agents', endpoint: postAgent },
  { method: 'POST', path: '/api/agents/preview', endpoint: postAgentPreview },
  { method: 'GET', path: '/api/agents/:slug', endpoint: getOneAgent },
  { method: 'PATCH', path: '/api/agents/:slug', endpoint: patchAgent },
  { method: 'DELETE', path: '/api/agents/:slug', endpoint: deleteAgent },
  { method: 'GET', path: '/agents/:slug/.well-known/agent-card.json', endpoint: agentCard },
  { method: 'GET', path: '/agents/:slug/upstream-card.json', endpoint: upstreamCard },
];
