import { originOf } from './request.js';
import { type SkillSchemas, skillsExtension } from './skills.js';

/** A capability of an agent, with a description for users and tags for search. */
export interface Skill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples?: string[];
}

/** A skill, with the schemas that `parley types` writes clients from. The card states them by an extension. */
export interface TypedSkill extends Skill {
  schemas?: SkillSchemas;
}

export interface CardFacts {
  name: string;
  description: string;
  version: string;
  /** The A2A JSON-RPC endpoint. */
  url: string;
  /** The Parley that issues callers' tokens: `https://parley.example`. */
  parley: string;
  provider?: { organization: string; url: string };
  documentationUrl?: string;
  skills: TypedSkill[];
  /** A2A versions supported at `url`, the preferred one first; defaults to `['1.0']`. */
  protocolVersions?: string[];
  /** Defaults to true. */
  streaming?: boolean;
  extensions?: { uri: string; description?: string; required?: boolean; params?: Record<string, unknown> }[];
  /** Media types; defaults to text. */
  inputModes?: string[];
  outputModes?: string[];
}

/** An agent card of A2A 1.0 (section 4.4.1). */
export interface AgentCard {
  name: string;
  description: string;
  version: string;
  supportedInterfaces: { url: string; protocolBinding: 'JSONRPC'; protocolVersion: string }[];
  provider?: { organization: string; url: string };
  documentationUrl?: string;
  capabilities: { streaming: boolean; pushNotifications: false; extensions?: CardFacts['extensions'] };
  securitySchemes: Record<string, object>;
  securityRequirements: { schemes: Record<string, { list: string[] }> }[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: Skill[];
}

/** Creates an agent card that requires a token from Parley. Serve it at `/.well-known/agent-card.json`. */
export function createAgentCard(facts: CardFacts): AgentCard {
  const { name, description, version, url, provider, documentationUrl } = facts;
  const skills = facts.skills.map(({ schemas: _, ...skill }) => skill);
  const typed = skillsExtension(
    Object.fromEntries(facts.skills.flatMap(({ id, schemas }) => (schemas ? [[id, schemas]] : []))),
  );
  const extensions = [...(facts.extensions ?? []), ...(typed ? [typed] : [])];
  const parley = originOf(facts.parley);
  const versions = facts.protocolVersions ?? ['1.0'];
  return {
    name,
    description,
    version,
    supportedInterfaces: versions.map((protocolVersion) => ({ url, protocolBinding: 'JSONRPC', protocolVersion })),
    ...(provider && { provider }),
    ...(documentationUrl && { documentationUrl }),
    capabilities: {
      streaming: facts.streaming ?? true,
      pushNotifications: false,
      ...(extensions.length > 0 && { extensions }),
    },
    securitySchemes: {
      parley: {
        httpAuthSecurityScheme: {
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: `An agent token from ${parley}/api/auth/handshake. It is valid for 15 minutes and is checked with Parley.`,
        },
      },
    },
    securityRequirements: [{ schemes: { parley: { list: [] } } }],
    defaultInputModes: facts.inputModes ?? ['text/plain'],
    defaultOutputModes: facts.outputModes ?? ['text/plain'],
    skills,
  };
}
