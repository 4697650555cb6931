import type { JsonObject } from '../../json';

/** A version of A2A in which Parley can call an agent. */
export type CallableVersion = '0.3' | '1.0';

/** One address of an agent, in the order the card prefers. */
export interface CoreInterface {
  url: string;
  /** `JSONRPC`, `GRPC`, `HTTP+JSON` or the URI of a custom binding. */
  binding: string;
  /** `0.3`, `1.0` or whatever else the card names. */
  protocolVersion: string;
  /** What a caller of this interface must echo (A2A 1.0 multi-tenancy). */
  tenant: string | null;
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
 * An agent card without the traits of a protocol version: what Parley read in a 0.3 or 1.0 card. Plain JSON, kept in
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
    extensions: CoreExtension[];
  };
  securitySchemes: Record<string, CoreSecurityScheme>;
  /** Alternatives: satisfying one entry is enough. */
  security: CoreSecurityRequirement[];
  inputModes: string[];
  outputModes: string[];
  skills: CoreSkill[];
}

/** `0.3.1` is `0.3`: patch releases never change the wire. */
export function majorMinor(version: string): string {
  return /^\s*(\d{1,3}\.\d{1,3})(?:\.|\s*$)/.exec(version)?.[1] ?? version;
}

/** The first interface in the card's order that Parley can call: JSON-RPC in 0.3 or 1.0. */
export function callableInterface(
  card: Pick<CoreCard, 'interfaces'>,
): (CoreInterface & { protocolVersion: CallableVersion }) | null {
  for (const candidate of card.interfaces) {
    if (candidate.binding.toUpperCase() !== 'JSONRPC') continue;
    if (isCallable(candidate.protocolVersion)) return { ...candidate, protocolVersion: candidate.protocolVersion };
  }
  return null;
}

function isCallable(version: string): version is CallableVersion {
  return version === '0.3' || version === '1.0';
}
