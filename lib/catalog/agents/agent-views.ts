import { env } from '../../platform/runtime/env';
import { truncate } from '../../protocol/a2a/cards/clean-text';
import type { CardReading } from '../../protocol/a2a/cards/read-card';
import type { CoreCard, CoreSecurityScheme, CoreSkill } from '../../protocol/a2a/core/card';
import { isSupportedExtension } from '../../protocol/extensions';
import { isOpenToGuests } from '../authorization';
import { summaryFieldsOf, tagsOfSkills } from '../cards/card-version';
import { MAX_SHOWN_SKILL_DESCRIPTION, MAX_SHOWN_SKILL_NAME } from '../limits';
import { type AgentRecord, isBuiltInUrl, isHubUrl, priceSummaryOf } from '../record';
import type {
  AgentDetail,
  AgentSummary,
  AgentView,
  OwnAgent,
  SecuritySchemeView,
  SkillView,
  TeamRole,
} from '../schema';
import type { CardDiagnostic, CardState, SignatureVerdict } from '../schema-cards';
import type { PriceSummary } from '../schema-prices';
import type { PreviewedCard } from '../schema-registration';
import type { OwnershipProof, OwnershipView } from '../schema-team';
import type { CardRefreshState } from '../store/card-rows';
import type { OwnershipRecord } from '../store/publisher-rows';

/** The fields that {@link toSummary} requires. The search selects them without the card. */
export type SummarySource = Omit<
  AgentRecord,
  | 'card'
  | 'signature'
  | 'endpoints'
  | 'callLimits'
  | 'prices'
  | 'pricePlans'
  | 'notice'
  | 'holdsCards'
  | 'everPublic'
  | 'ownerId'
  | 'team'
  | 'appId'
  | 'createdAt'
> & { price: PriceSummary };

/** Returns the URL of the agent's page, which is also the base URL of its A2A endpoints and cards. */
export function agentUrlOf(slug: string): string {
  return `${env().APP_URL}/agents/${slug}`;
}

/** Returns the URL of an agent's icon, which changes with the icon; null for an agent without one. */
export function iconUrlOf({ slug, iconDigest }: Pick<SummarySource, 'slug' | 'iconDigest'>): string | null {
  return iconDigest && `${agentUrlOf(slug)}/icon?v=${iconDigest.slice(0, 16)}`;
}

/** Converts an agent to an item of `GET /api/agents`. */
export function toSummary(agent: SummarySource): AgentSummary {
  return {
    slug: agent.slug,
    name: agent.name,
    description: agent.description,
    version: agent.version,
    tags: agent.tags,
    visibility: agent.visibility,
    status: agent.status,
    badges: agent.badges,
    connection: connectionOf(agent.url),
    url: agentUrlOf(agent.slug),
    cardUrl: `${agentUrlOf(agent.slug)}/.well-known/agent-card.json`,
    iconUrl: iconUrlOf(agent),
    price: agent.price,
    updatedAt: agent.updatedAt.toISOString(),
  };
}

/** Like {@link toSummary}, for a stored agent. */
export function toRecordSummary(agent: AgentRecord): AgentSummary {
  return toSummary({ ...agent, price: priceSummaryOf(agent) });
}

function connectionOf(url: string): AgentSummary['connection'] {
  if (isHubUrl(url)) return 'hub';
  return isBuiltInUrl(url) ? 'built-in' : 'url';
}

/** Converts an agent to the response of `GET /api/agents/{slug}`, with `refreshState` for the agent's team. */
export function toView(agent: AgentRecord, refreshState: CardRefreshState | null): AgentView {
  return {
    ...toRecordSummary(agent),
    signature: agent.signature,
    prices: agent.prices,
    pricePlans: agent.pricePlans,
    notice: agent.notice,
    ...(refreshState && { card: toCardState(refreshState) }),
  };
}

/** Adds the card's warnings, if any. */
export function withWarnings<View extends AgentView>(view: View, warnings: CardDiagnostic[]): View {
  return warnings.length > 0 ? { ...view, warnings } : view;
}

function toCardState({ checkedAt, failingSince, failure, pending }: CardRefreshState): CardState {
  return {
    checkedAt: checkedAt.toISOString(),
    failing: failingSince && { since: failingSince.toISOString(), reason: failure ?? '' },
    waiting: pending && {
      digest: pending.digest,
      fetchedAt: pending.fetchedAt.toISOString(),
      reasons: pending.reasons,
    },
  };
}

/** Converts an agent to the listing with the fields for its team. */
export function toOwnAgent(agent: AgentRecord, role: TeamRole): OwnAgent {
  return {
    ...toRecordSummary(agent),
    id: agent.id,
    role,
    registeredUrl: agent.url,
    notice: agent.notice,
    holdsCards: agent.holdsCards,
    appId: agent.appId,
    createdAt: agent.createdAt.toISOString(),
  };
}

/** Converts an agent's ownership to the response of `GET /api/agents/{slug}/ownership`. */
export function toOwnershipView(proof: OwnershipProof, record: OwnershipRecord | null): OwnershipView {
  const proved = record && {
    method: record.method,
    at: record.provedAt.toISOString(),
    checkedAt: record.checkedAt.toISOString(),
    missingSince: record.missingSince?.toISOString() ?? null,
  };
  return { proof, proved };
}

/** Converts an agent to the content of its page. */
export function toDetail(
  agent: AgentRecord,
  { publisher, looksLike, cardJson }: Pick<AgentDetail, 'publisher' | 'looksLike' | 'cardJson'>,
): AgentDetail {
  const { card } = agent;
  return {
    ...toRecordSummary(agent),
    publisher,
    looksLike,
    provider: card.provider,
    documentationUrl: card.documentationUrl,
    protocolVersion: agent.endpoints[0].protocolVersion,
    skills: skillsOf(agent),
    inputModes: card.inputModes,
    outputModes: card.outputModes,
    securitySchemes: Object.entries(card.securitySchemes).map(([name, scheme]) => toSchemeView(name, scheme)),
    extensions: card.capabilities.extensions.map(({ uri, description, required }) => ({
      uri,
      description,
      required,
      unsupported: required && !isSupportedExtension(uri),
    })),
    canIdentifyCallers: agent.appId !== null,
    isOpenToGuests: isOpenToGuests(agent),
    notice: agent.notice,
    cardJson,
    createdAt: agent.createdAt.toISOString(),
  };
}

/** Returns an agent's skills with their prices. */
export function skillsOf({ card, prices }: Pick<AgentRecord, 'card' | 'prices'>): SkillView[] {
  return card.skills.map((skill) => ({
    ...toSkillView(skill, card),
    price: prices.find(({ skillId }) => skillId === skill.id) ?? null,
  }));
}

/** Returns a skill with truncated texts; a skill without modes has those of the card. */
function toSkillView(skill: CoreSkill, card: Pick<CoreCard, 'inputModes' | 'outputModes'>): SkillView {
  return {
    id: skill.id,
    name: truncate(skill.name, MAX_SHOWN_SKILL_NAME),
    description: truncate(skill.description, MAX_SHOWN_SKILL_DESCRIPTION),
    tags: skill.tags,
    examples: skill.examples,
    inputModes: skill.inputModes.length > 0 ? skill.inputModes : card.inputModes,
    outputModes: skill.outputModes.length > 0 ? skill.outputModes : card.outputModes,
    price: null,
  };
}

/** Returns the preview of a valid card. */
export function toPreviewedCard(
  { card, endpoints: [endpoint] }: Extract<CardReading, { ok: true }>,
  signature: SignatureVerdict,
): PreviewedCard {
  return {
    ...summaryFieldsOf({ card, signature }),
    protocolVersion: endpoint.protocolVersion,
    binding: endpoint.binding,
    endpointUrl: endpoint.url,
    tags: tagsOfSkills(card),
    skills: card.skills.map((skill) => toSkillView(skill, card)),
  };
}

function toSchemeView(name: string, scheme: CoreSecurityScheme): SecuritySchemeView {
  const scopes = scheme.type === 'oauth2' ? scheme.scopes : [];
  return { name, type: scheme.type, summary: summaryOf(scheme), scopes };
}

function summaryOf(scheme: CoreSecurityScheme): string {
  switch (scheme.type) {
    case 'apiKey':
      return `An API key${scheme.name ? ` named ${scheme.name}` : ''}${scheme.location ? ` in the ${scheme.location}` : ''}`;
    case 'http':
      return scheme.scheme.toLowerCase() === 'bearer'
        ? `A bearer token${scheme.bearerFormat ? ` (${scheme.bearerFormat})` : ''}`
        : `HTTP ${scheme.scheme} authentication`;
    case 'oauth2':
      return `OAuth 2.0${scheme.flows.length > 0 ? ` (${scheme.flows.join(', ')})` : ''}`;
    case 'openIdConnect':
      return `OpenID Connect${scheme.url ? ` at ${scheme.url}` : ''}`;
    case 'mutualTLS':
      return 'A client certificate (mutual TLS)';
  }
}
