import { badgesOf } from '@/lib/catalog/cards/card-version';
import { slugOf } from '@/lib/catalog/names/folded-text';
import { insertAgent } from '@/lib/catalog/store/change-agent';
import { newId } from '@/lib/platform/ids';
import { sha256 } from '@/lib/platform/secrets/crypto';
import type { CoreCard, CoreSkill } from '@/lib/protocol/a2a/core/card';

export interface SeededAgent {
  name: string;
  description: string;
  tags?: string[];
  skills?: (Pick<CoreSkill, 'id' | 'name' | 'description'> & Partial<CoreSkill>)[];
  streaming?: boolean;
  payments?: boolean;
  ownerId?: string;
}

/**
 * Lists public agents in this process's database without calling them, one second apart, oldest first. Returns their
 * slugs.
 */
export async function seedAgents(agents: SeededAgent[]): Promise<string[]> {
  const start = Date.now() - agents.length * 1000;
  const slugs: string[] = [];
  for (const [index, agent] of agents.entries()) slugs.push(await seed(agent, new Date(start + index * 1000)));
  return slugs;
}

async function seed(agent: SeededAgent, at: Date): Promise<string> {
  const id = newId('agt');
  const card = cardOf(agent);
  const slug = slugOf(agent.name);
  const bytes = Buffer.from(JSON.stringify(card));
  const listed = await insertAgent(
    {
      id,
      slug,
      ownerId: agent.ownerId ?? 'usr_seed',
      appId: null,
      url: `https://${id.replace('_', '-')}.example.com`,
      name: card.name,
      description: card.description,
      version: card.version,
      tags: agent.tags ?? [],
      badges: badgesOf(card, { state: 'unsigned' }),
      visibility: 'public',
      status: 'active',
      everPublic: true,
      createdAt: at,
      updatedAt: at,
    },
    {
      version: {
        id: newId('ver'),
        digest: sha256(bytes),
        cardUrl: `https://example.com/${id}.json`,
        bytes,
        card,
        signature: { state: 'unsigned' },
        fetchedAt: at,
        validators: { etag: null, lastModified: null },
      },
      audit: { at, event: 'agent.listed', subject: agent.ownerId ?? 'usr_seed', object: id },
    },
  );
  if (!listed) throw new Error(`the slug ${slug} is taken`);
  return slug;
}

function cardOf(agent: SeededAgent): CoreCard {
  const payments = {
    uri: 'https://github.com/google-agentic-commerce/ap2/tree/v0.1',
    description: '',
    required: false,
    params: null,
  };
  return {
    name: agent.name,
    description: agent.description,
    version: '1.0.0',
    interfaces: [{ url: 'https://example.com/a2a', binding: 'JSONRPC', protocolVersion: '1.0', tenant: null }],
    provider: null,
    documentationUrl: null,
    iconUrl: null,
    capabilities: {
      streaming: agent.streaming ?? false,
      pushNotifications: false,
      extendedCard: false,
      stateTransitionHistory: false,
      extensions: agent.payments ? [payments] : [],
    },
    securitySchemes: {},
    security: [],
    inputModes: ['text/plain'],
    outputModes: ['text/plain'],
    skills: (agent.skills ?? []).map((skill) => ({
      tags: [],
      examples: [],
      inputModes: [],
      outputModes: [],
      ...skill,
    })),
  };
}
