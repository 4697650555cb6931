import { isObject, type JsonObject, type JsonValue } from '../../json';
import type { CardShape, CoreCard, CoreSkill } from '../core/card';
import type { LegacySystem } from '../dialects';

/** A card that Parley publishes. */
export interface IssuedCard extends Omit<CoreCard, 'interfaces' | 'securitySchemes' | 'security'> {
  /** The JSON-RPC endpoint, which accepts every version. */
  url: string;
  /** The base URL of the HTTP+JSON binding for both versions, if offered. */
  restUrl?: string;
  /** The address of the gRPC binding, `host:port`, and the tenant that its requests name, if offered. */
  grpc?: { url: string; tenant: string };
  /** The legacy system at whose path (`url`) the card is served. */
  system?: LegacySystem;
  /** The only security scheme: a JWT bearer token, with instructions for obtaining one. */
  bearer: { name: string; description: string; scopes: string[] };
}

/** Returns the card in the requested shape. */
export function writeCard(card: IssuedCard, shape: CardShape): JsonObject {
  return writers[shape](card);
}

const writers: Record<CardShape, (card: IssuedCard) => JsonObject> = {
  // Cards of 1.0 do not announce the draft, because some of its clients use the first interface without a check.
  '1.1': (card) => writeCardV1(card, '1.1'),
  '1.0': (card) => writeCardV1(card, '1.0'),
  '0.3': writeHybridCard,
  '0.3-proto': writeProtoCardV03,
  '0.1': writeCardV01,
};

/**
 * Returns the card in A2A 1.0 or 1.1 only, for callers that send this `A2A-Version`. Omits empty members, so that all
 * canonical forms for its signature (those of A2A 1.0 §8.4.1 and of the SDKs) are equal.
 */
function writeCardV1(card: IssuedCard, version: '1.0' | '1.1'): JsonObject {
  return withoutEmpty({
    ...head(card),
    supportedInterfaces: interfacesOf(card, version),
    capabilities: capabilitiesOf(card),
    securitySchemes: wrappedSchemeOf(card),
    securityRequirements: [wrappedRequirementOf(card)],
    ...tail(card),
  });
}

/** Returns the card in A2A 0.3 plus the interfaces of 1.0, for callers without a version header. */
function writeHybridCard(card: IssuedCard): JsonObject {
  const { capabilities } = card;
  return {
    protocolVersion: '0.3.0',
    ...head(card),
    url: card.url,
    preferredTransport: 'JSONRPC',
    additionalInterfaces: [
      { url: card.url, transport: 'JSONRPC' },
      ...(card.restUrl === undefined ? [] : [{ url: card.restUrl, transport: 'HTTP+JSON' }]),
    ],
    supportedInterfaces: [...interfacesOf(card, '1.0'), ...interfacesOf(card, '0.3')],
    capabilities: {
      ...capabilitiesOf(card),
      ...(capabilities.stateTransitionHistory && { stateTransitionHistory: true }),
    },
    securitySchemes: { [card.bearer.name]: { type: 'http', ...bearerOf(card) } },
    security: [{ [card.bearer.name]: card.bearer.scopes }],
    ...extendedCardOf(card),
    ...tail(card),
  };
}

/** Returns the hybrid card in the ProtoJSON of A2A 0.3's HTTP binding, which wraps security as 1.0 does. */
function writeProtoCardV03(card: IssuedCard): JsonObject {
  return { ...writeHybridCard(card), securitySchemes: wrappedSchemeOf(card), security: [wrappedRequirementOf(card)] };
}

/**
 * Returns the card in A2A 0.1 with the security members of 0.2 (`agent.json`). Contains `capabilities.tools` for
 * AgentOS, which reads it from any card, and, at the path of a legacy system, the members of that system.
 */
function writeCardV01(card: IssuedCard): JsonObject {
  const { capabilities } = card;
  return {
    protocolVersion: '0.2.6',
    ...head(card),
    url: card.url,
    capabilities: {
      streaming: capabilities.streaming,
      pushNotifications: capabilities.pushNotifications,
      stateTransitionHistory: capabilities.stateTransitionHistory,
      tools: capabilities.tools ?? [],
    },
    authentication: { schemes: ['bearer'] },
    securitySchemes: { [card.bearer.name]: { type: 'http', ...bearerOf(card) } },
    security: [{ [card.bearer.name]: card.bearer.scopes }],
    ...extendedCardOf(card),
    ...tail(card),
    ...(card.system && legacyMembersOf(card.system, card)),
  };
}

/** Returns the flag of 0.2 and 0.3 for an extended card. */
function extendedCardOf({ capabilities }: IssuedCard): JsonObject {
  return capabilities.extendedCard ? { supportsAuthenticatedExtendedCard: true } : {};
}

function withoutEmpty(card: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(card).flatMap(([name, member]): [string, JsonValue][] => {
      const full = fullPartOf(member);
      return full === undefined ? [] : [[name, full]];
    }),
  );
}

function fullPartOf(value: JsonValue | undefined): JsonValue | undefined {
  if (value === null || value === '') return undefined;
  if (Array.isArray(value)) {
    const elements = value.map(fullPartOf).filter((element) => element !== undefined);
    return elements.length > 0 ? elements : undefined;
  }
  if (!isObject(value)) return value;
  const members = withoutEmpty(value);
  return Object.keys(members).length > 0 ? members : undefined;
}

function head(card: IssuedCard): JsonObject {
  return {
    name: card.name,
    // Required, and must not be empty in 1.0.
    description: card.description || card.name,
    version: card.version || '0',
    ...(card.provider?.url && { provider: { ...card.provider } }),
    ...(card.documentationUrl && { documentationUrl: card.documentationUrl }),
    ...(card.iconUrl && { iconUrl: card.iconUrl }),
  };
}

function tail(card: IssuedCard): JsonObject {
  return {
    defaultInputModes: modesOf(card.inputModes),
    defaultOutputModes: modesOf(card.outputModes),
    skills: (card.skills.length > 0 ? card.skills : [skillOfAgent(card)]).map(skillOf),
  };
}

function modesOf(modes: string[]): string[] {
  return modes.length > 0 ? modes : ['text/plain'];
}

/**
 * Returns the interfaces of a version. gRPC is last: clients without it use the first interface that they support, and
 * some use the first one without a check.
 */
function interfacesOf({ url, restUrl, grpc }: IssuedCard, protocolVersion: '0.3' | '1.0' | '1.1'): JsonObject[] {
  return [
    { url, protocolBinding: 'JSONRPC', protocolVersion },
    ...(restUrl === undefined ? [] : [{ url: restUrl, protocolBinding: 'HTTP+JSON', protocolVersion }]),
    ...(grpc && protocolVersion !== '0.3' ? [{ ...grpc, protocolBinding: 'GRPC', protocolVersion }] : []),
  ];
}

function wrappedSchemeOf(card: IssuedCard): JsonObject {
  return { [card.bearer.name]: { httpAuthSecurityScheme: bearerOf(card) } };
}

function wrappedRequirementOf({ bearer }: IssuedCard): JsonObject {
  return { schemes: { [bearer.name]: { list: bearer.scopes } } };
}

function bearerOf({ bearer }: IssuedCard): JsonObject {
  return { description: bearer.description, scheme: 'bearer', bearerFormat: 'JWT' };
}

function capabilitiesOf({ capabilities }: IssuedCard): JsonObject {
  const extensions = capabilities.extensions.map(({ uri, description, required, params }) => ({
    uri,
    ...(description !== '' && { description }),
    ...(required && { required }),
    ...(params && Object.keys(params).length > 0 && { params }),
  }));
  return {
    streaming: capabilities.streaming,
    pushNotifications: capabilities.pushNotifications,
    ...(capabilities.extendedCard && { extendedAgentCard: true }),
    ...(extensions.length > 0 && { extensions }),
  };
}

function skillOf(skill: CoreSkill): JsonObject {
  return {
    id: skill.id,
    name: skill.name,
    description: skill.description || skill.name,
    tags: skill.tags.length > 0 ? skill.tags : [skill.id],
    ...(skill.examples.length > 0 && { examples: skill.examples }),
    ...(skill.inputModes.length > 0 && { inputModes: skill.inputModes }),
    ...(skill.outputModes.length > 0 && { outputModes: skill.outputModes }),
  };
}

// Skills are required in both versions: a card without skills receives one for the whole agent.
function skillOfAgent({ name, description }: IssuedCard): CoreSkill {
  return { id: 'default', name, description, tags: ['general'], examples: [], inputModes: [], outputModes: [] };
}

/** Members that the clients of one legacy system read, added to a card of A2A 0.1. */
function legacyMembersOf(system: LegacySystem, card: Pick<CoreCard, 'inputModes' | 'outputModes'>): JsonObject {
  switch (system) {
    case 'society':
      return {};
    case 'societyai':
      return { authentication: { schemes: ['bearer'], credentials: null } };
    case 'orloj':
      return { protocolVersion: '0.2' };
    case 'agentos':
      return { defaultInputModes: shortModes(card.inputModes), defaultOutputModes: shortModes(card.outputModes) };
  }
}

/** Returns the media types in AgentOS's format, which uses the single word `text`. */
function shortModes(modes: string[]): string[] {
  return [...new Set(modes.map((mode) => (mode.startsWith('text/') ? 'text' : mode)))];
}
