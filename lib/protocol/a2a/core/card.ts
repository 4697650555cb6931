import type { JsonObject } from '../../json';
import { MAX_CALLABLE_INTERFACES } from '../../limits';

/** A version of A2A that Parley uses to call agents; 0.2 is called as 0.3. */
export type CallableVersion = '0.1' | '0.3' | '1.0' | '1.1';

/** An interface that Parley can call. */
export interface CallableInterface extends CoreInterface {
  protocolVersion: CallableVersion;
  binding: 'JSONRPC' | 'HTTP+JSON' | 'GRPC' | 'MCP';
}

/** One interface of an agent, in the card's order of preference. */
export interface CoreInterface {
  url: string;
  /** `JSONRPC`, `GRPC`, `HTTP+JSON` or the URI of a custom binding. */
  binding: string;
  /** `0.1`, `0.3`, `1.0`, `1.1`, or any other value in the card. */
  protocolVersion: string;
  /** The tenant that callers of this interface must send (A2A 1.0 multi-tenancy). */
  tenant: string | null;
  /** True if the card has no URL, as on Web42, so that `url` is the assumed endpoint. */
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

/** A security scheme of an agent. `description` is the card's text. */
export type CoreSecurityScheme = { description: string } & (
  | { type: 'apiKey'; location: string; name: string }
  | { type: 'http'; scheme: string; bearerFormat: string }
  | { type: 'oauth2'; flows: string[]; scopes: string[] }
  | { type: 'openIdConnect'; url: string }
  | { type: 'mutualTLS' }
);

/** Schemes that must all be satisfied, each with its scopes. */
export type CoreSecurityRequirement = Record<string, string[]>;

/**
 * An agent card independent of its protocol version (0.1 to 1.0), stored as JSON. Its texts contain no control or
 * direction characters; its links are http or https.
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
    /** Names of the agent's tools, as in AgentOS cards; absent when the card has none. */
    tools?: string[];
    extensions: CoreExtension[];
  };
  securitySchemes: Record<string, CoreSecurityScheme>;
  /** Alternatives, of which one must be satisfied. */
  security: CoreSecurityRequirement[];
  inputModes: string[];
  outputModes: string[];
  skills: CoreSkill[];
}

/**
 * The layout of a served card: A2A 1.1 only; 1.0 only; 0.3 plus 1.0, in JSON or in the ProtoJSON of the HTTP binding; 0.1 and 0.2
 * (`agent.json`).
 */
export type CardShape = '1.1' | '1.0' | '0.3' | '0.3-proto' | '0.1';

/** Returns true for versions whose requests and results are those of A2A 1.x. */
export function isCallableV1(version: CallableVersion): version is '1.0' | '1.1' {
  return version === '1.0' || version === '1.1';
}

/** Returns true for the layouts of A2A 1.x, which are signed. */
export function isShapeV1(shape: CardShape): boolean {
  return shape === '1.0' || shape === '1.1';
}

/** Returns the major and minor version: `0.3.1` is `0.3`, because patch releases do not change the protocol. */
export function majorMinor(version: string): string {
  return /^\s*(\d{1,3}\.\d{1,3})(?:\.|\s*$)/.exec(version)?.[1] ?? version;
}

/** Returns the {@link majorMinor} of a version in a card, which may also be written as `v1`, `1` or `0.3.0-beta`. */
export function normalizeVersion(version: string): string {
  const [, major, minor = '0'] = /^\s*v?(\d{1,2})(?:\.(\d{1,3}))?(?:[.+-].*)?\s*$/i.exec(version) ?? [];
  return major === undefined ? version.trim() : `${Number(major)}.${Number(minor)}`;
}

/**
 * Returns the binding in the specification's spelling: `REST` is `HTTP+JSON`, `JSON-RPC 2.0` and `HTTP` are `JSONRPC`.
 * Others, and URIs of custom bindings, are unchanged.
 */
export function normalizeBinding(binding: string): string {
  if (binding.includes('://')) return binding;
  const letters = binding.replace(/[^a-z]/gi, '').toUpperCase();
  if (letters.startsWith('JSONRPC') || letters === 'HTTP' || letters === 'HTTPS') return 'JSONRPC';
  if (/^(HTTP)?(JSON|REST|RESTFUL|JSONREST|RESTJSON)(API)?$/.test(letters)) return 'HTTP+JSON';
  return letters === 'GRPC' ? 'GRPC' : binding;
}

/**
 * Returns the interface if Parley supports it, otherwise null. Supported are JSON-RPC in 0.1 to 1.1, HTTP+JSON in 0.3
 * to 1.1, gRPC in 1.0 and 1.1, and MCP, for the cards that Parley writes for MCP servers. Other minor versions of 1 are
 * called in 1.0.
 */
export function toCallable(candidate: CoreInterface): CallableInterface | null {
  const binding = candidate.binding.toUpperCase();
  const protocolVersion = callableVersion(candidate.protocolVersion);
  if (!isCallableBinding(binding)) return null;
  if (protocolVersion === null || !versionsOf[binding].includes(protocolVersion)) return null;
  return { ...candidate, binding, protocolVersion };
}

const versionsOf: Record<CallableInterface['binding'], CallableVersion[]> = {
  JSONRPC: ['0.1', '0.3', '1.0', '1.1'],
  'HTTP+JSON': ['0.3', '1.0', '1.1'],
  GRPC: ['1.0', '1.1'],
  MCP: ['1.0'],
};

function isCallableBinding(binding: string): binding is CallableInterface['binding'] {
  return Object.hasOwn(versionsOf, binding);
}

/**
 * Returns the URLs that an address of a gRPC interface may mean, the preferred one first: `host:port`, which is the form
 * of the specification, with TLS, or without if the rules for URLs permit that; the URL itself, without a path, which
 * gRPC does not have; null for other text.
 */
export function grpcUrlsOf(address: string): [string, ...string[]] | null {
  const [, scheme, target = ''] = /^(?:(https?|grpcs?|dns):\/*)?(.+)$/i.exec(address) ?? [];
  const [authority = ''] = target.split(/[/?#]/, 1);
  const schemes = schemesOf(scheme?.toLowerCase());
  const urls = schemes.map((name) => `${name}://${authority}`).filter((url) => URL.canParse(url));
  const [first, ...others] = urls.map((url) => new URL(url).href.replace(/\/$/, ''));
  return first === undefined ? null : [first, ...others];
}

function schemesOf(scheme: string | undefined): string[] {
  if (scheme === 'https' || scheme === 'grpcs') return ['https'];
  return scheme === 'http' || scheme === 'grpc' ? ['http'] : ['https', 'http'];
}

function callableVersion(version: string): CallableVersion | null {
  if (version === '0.2') return '0.3';
  if (/^1\.\d+$/.test(version)) return version === '1.1' ? version : '1.0';
  return version === '0.1' || version === '0.3' ? version : null;
}

/**
 * Returns the supported interfaces with absolute http and https URLs, in the card's order, at most {@link
 * MAX_CALLABLE_INTERFACES}.
 */
export function callableInterfaces(card: Pick<CoreCard, 'interfaces'>): CallableInterface[] {
  const callable = card.interfaces
    .flatMap((candidate) => toCallable(candidate) ?? [])
    .filter(({ url }) => /^https?:/i.test(url) && URL.canParse(url));
  return preferA2a(callable).slice(0, MAX_CALLABLE_INTERFACES);
}

/** Leaves out the interfaces of MCP if the agent has others: only A2A has its tasks and its words. */
export function preferA2a(interfaces: CallableInterface[]): CallableInterface[] {
  const others = interfaces.filter(({ binding }) => binding !== 'MCP');
  return others.length > 0 ? others : interfaces;
}

/** Returns true if a media type matches one of the modes, which may be ranges such as `image/*` (RFC 9110 §12.5.1). */
export function acceptsMode(modes: readonly string[], mediaType: string): boolean {
  const type = essence(mediaType);
  return modes.some((mode) => {
    const range = essence(mode);
    return (
      range === '*/*' ||
      range === '*' ||
      range === type ||
      (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
    );
  });
}

function essence(mode: string): string {
  return (mode.split(';', 1)[0] ?? '').trim().toLowerCase();
}
