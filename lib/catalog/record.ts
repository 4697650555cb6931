import type { CallableInterface, CoreCard } from '../protocol/a2a/core/card';
import type { AgentStatus, Badge, MemberRole, Notice, OwnCallLimits, SignatureVerdict, Visibility } from './schema';
import type { SkillPrice } from './schema-prices';

/** One way to call the agent: where, in which version and binding, and what every call must echo. */
export type AgentEndpoint = Pick<CallableInterface, 'url' | 'protocolVersion' | 'binding' | 'tenant' | 'assumed'>;

/** A listed agent, as the rest of Parley knows it. */
export interface AgentRecord {
  id: string;
  slug: string;
  ownerId: string;
  /** Who else manages it, by the ids of the people; ask `roleOf`. */
  team: Record<string, MemberRole>;
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
  /** What the card's signatures prove. */
  signature: SignatureVerdict;
  /** In the card's order: the first that can be reached and speaks as the card says is called. */
  endpoints: [AgentEndpoint, ...AgentEndpoint[]];
  callLimits: OwnCallLimits;
  /** What its team says that its skills cost. */
  prices: SkillPrice[];
  notice: Notice | null;
  /** A changed card waits for the team's word. */
  holdsCards: boolean;
  /** Which picture of it Parley serves; null when it has none. */
  iconDigest: string | null;
  createdAt: Date;
  updatedAt: Date;
}
