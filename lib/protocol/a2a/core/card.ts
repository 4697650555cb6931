import type { JsonObject } from '../../json';

/** A version of A2A in which Parley can call an agent; 0.2 is called as 0.3. */
export type CallableVersion = '0.1' | '0.3' | '1.0';

/** An interface that Parley can call. */
export interface CallableInterface extends CoreInterface {
  protocolVersion: CallableVersion;
  binding: 'JSONRPC' | 'HTTP+JSON';
}

/** One address of an agent, in the order the card prefers. */
export interface CoreInterface {
  url: string;
  /** `JSONRPC`, `GRPC`, `HTTP+JSON` or the URI of a custom binding. */
  binding: string;
  /** `0.1`, `0.3`, `1.0` or whatever else the card names. */
  protocolVersion: string;
  /** What a caller of this interface must echo (A2A 1.0 multi-tenancy). */
  tenant: string | null;
  /** The card names no address, as Web42's do: this is where such agents are called. */
  assumed?: true;
}

export interface CoreExtension {
  uri: string;
  description: string;
  required: boolean;
  params: JsonObject | null;
}

export interface CoreSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
}

/** How an agent wants to be authenticated. Every variant has the card's own words in `description`. */
export type CoreSecurityScheme = { description: string } & (
  | { type: 'apiKey'; location: string; name: string }
  | { type: 'http'; scheme: string; bearerFormat: string }
  | { type: 'oauth2'; flows: string[]; scopes: string[] }
  | { type: 'openIdConnect'; url: string }
  | { type: 'mutualTLS' }
);

/** Schemes that must all be satisfied, each with the scopes it needs. */
export type CoreSecurityRequirement = Record<string, string[]>;

/**
 * An agent card without the traits of a protocol version: what Parley read in a card of 0.1 to 1.0. Plain JSON, kept in
 * the database; texts are free of control and direction characters, links are http or https.
 */
export interface CoreCard {
  name: string;
  description: string;
  version: string;
  interfaces: CoreInterface[];
  provider: { organization: string; url: string } | null;
  documentationUrl: string | null;
  iconUrl: string | null;
  capabilities: {
    streaming: boolean;
    pushNotifications: boolean;
    extendedCard: boolean;
    stateTransitionHistory: boolean;
    /** Names of the tools behind the agent, as AgentOS lists them; absent when the card names none. */
    tools?: string[];
    extensions: CoreExtension[];
  };
  securitySchemes: Record<string, CoreSecurityScheme>;
  /** Alternatives: satisfying one entry is enough. */
  security: CoreSecurityRequirement[];
  inputModes: string[];
  outputModes: string[];
  skills: CoreSkill[];
}

/**
 * Which shape of a card a caller reads: A2A 1.0 alone; 0.3 with 1.0 beside it, in JSON-RPC's JSON or in the ProtoJSON of the
 * HTTP binding; 0.1 and 0.2, as `agent.json` is.
 */
export type CardShape = '1.0' | '0.3' | '0.3-proto' | '0.1';

/** `0.3.1` is `0.3`: patch releases never change the wire. */
export function majorMinor(version: string): string {
  return /^\s*(\d{1,3}\.\d{1,3})(?:\.|\s*$)/.exec(version)?.[1] ?? version;
}

/** {@link majorMinor} of a version in a card, which may be written as `v1`, `1` or `0.3.0-beta` there. */
export function normalizeVersion(version: string): string {
  const [, major, minor = '0'] = /^\s*v?(\d{1,2})(?:\.(\d{1,3}))?(?:[.+-].*)?\s*$/i.exec(version) ?? [];
  return major === undefined ? version.trim() : `${Number(major)}.${Number(minor)}`;
}

/**
 * The binding that a card means, in the spelling of the specification: `REST` is `HTTP+JSON`, `JSON-RPC 2.0` is `JSONRPC`.
 * `HTTP` alone is read as JSON-RPC, which most agents speak. Others, and URIs of custom bindings, as they are written.
 */
export function normalizeBinding(binding: string): string {
  if (binding.includes('://')) return binding;
  const letters = binding.replace(/[^a-z]/gi, '').toUpperCase();
  if (letters.startsWith('JSONRPC') || letters === 'HTTP' || letters === 'HTTPS') return 'JSONRPC';
  if (/^(HTTP)?(JSON|REST|RESTFUL|JSONREST|RESTJSON)(API)?$/.test(letters)) return 'HTTP+JSON';
  return letters === 'GRPC' ? 'GRPC' : binding;
}

/** The interface when Parley speaks it, wherever it is: JSON-RPC in 0.1 to 1.0, HTTP+JSON in 0.3 and 1.0. */
export function toCallable(candidate: CoreInterface): CallableInterface | null {
  const binding = candidate.binding.toUpperCase();
  const protocolVersion = callableVersion(candidate.protocolVersion);
  if (binding !== 'JSONRPC' && binding !== 'HTTP+JSON') return null;
  if (protocolVersion === null || (protocolVersion === '0.1' && binding !== 'JSONRPC')) return null;
  return { ...candidate, binding, protocolVersion };
}

function callableVersion(version: string): CallableVersion | null {
  if (version === '0.2') return '0.3';
  if (/^1\.\d+$/.test(version)) return '1.0';
  return version === '0.1' || version === '0.3' ? version : null;
}

/** Most interfaces of one card that are ever called. */
const maxCallableInterfaces = 50;

/** The interfaces that Parley can call, in the card's order: those that it speaks, at absolute http and https addresses. */
export function callableInterfaces(card: Pick<CoreCard, 'interfaces'>): CallableInterface[] {
  return card.interfaces
    .flatMap((candidate) => toCallable(candidate) ?? [])
    .filter(({ url }) => /^https?:/i.test(url) && URL.canParse(url))
    .slice(0, maxCallableInterfaces);
}
