import type { CallableVersion, CoreCard } from '../protocol/a2a/core/card';
import type { AgentStatus, Badge, Visibility } from './schema';

/** Where and how Parley calls the agent. */
export interface AgentEndpoint {
  url: string;
  protocolVersion: CallableVersion;
  /** The card says that the agent can stream. */
  streaming: boolean;
  /** What every call must echo (A2A 1.0 multi-tenancy). */
  tenant: string | null;
}

/** A listed agent, as the rest of Parley knows it. */
export interface AgentRecord {
  id: string;
  slug: string;
  ownerId: string;
  /** The developer app that may introspect tokens for this agent. */
  appId: string | null;
  /** The registered address, normalised. */
  url: string;
  name: string;
  description: string;
  version: string;
  tags: string[];
  badges: Badge[];
  visibility: Visibility;
  status: AgentStatus;
  /** True once it was public: when it is withdrawn, people are told so. */
  everPublic: boolean;
  card: CoreCard;
  endpoint: AgentEndpoint;
  createdAt: Date;
  updatedAt: Date;
}
