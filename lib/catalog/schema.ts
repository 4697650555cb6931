import { z } from 'zod';
import { cleanLine } from '../protocol/a2a/cards/clean-text';
import type { CardDiagnostic } from '../protocol/a2a/cards/diagnostics';
import type { TextEdit } from '../protocol/a2a/cards/quick-fix';
import type { SignatureReason } from '../protocol/a2a/cards/read-signatures';
import { pricesSchema, type SkillPrice } from './schema-prices';

/** Who may find and call an agent: everyone, everyone who knows the slug, or its owner alone. */
export const visibilitySchema = z.enum(['public', 'unlisted', 'private']);
export type Visibility = z.infer<typeof visibilitySchema>;

export const agentStatusSchema = z.enum(['active', 'deprecated', 'suspended', 'withdrawn']);
export type AgentStatus = z.infer<typeof agentStatusSchema>;

/**
 * What somebody may do with an agent, each role also what those before it may: a viewer sees its log and settings, a
 * developer changes them, the owner also decides on its team, its end and its money.
 */
export const teamRoles = ['viewer', 'developer', 'owner'] as const;
export type TeamRole = (typeof teamRoles)[number];
/** Roles that can be given; an agent has one owner. */
export const memberRoleSchema = z.enum(['viewer', 'developer']);
export type MemberRole = z.infer<typeof memberRoleSchema>;

/**
 * What a card promises: it asks for a token, takes payments, streams, pushes; that its signature proves it; and that its owner
 * proved to hold the host it runs on.
 */
export const badges = ['authenticated', 'payments', 'streaming', 'push-notifications', 'signed', 'verified'] as const;
export type Badge = (typeof badges)[number];

/** What the signatures of an agent's own card prove, found when it was fetched. */
export type SignatureVerdict =
  | { state: 'unsigned' }
  /** `keyThumbprint` is that of RFC 7638: the same key has it under every name. */
  | { state: 'verified'; alg: string; kid: string; keyThumbprint: string }
  | { state: 'unverified'; reason: SignatureReason };

/** One agent as lists show it; the wire object of `GET /api/agents`. Times are ISO 8601. */
export interface AgentSummary {
  slug: string;
  name: string;
  description: string;
  version: string;
  tags: string[];
  visibility: Visibility;
  status: AgentStatus;
  badges: Badge[];
  url: string;
  cardUrl: string;
  /** Its picture as Parley serves it; null when its card names none that can be shown. */
  iconUrl: string | null;
  updatedAt: string;
}

export interface SkillView {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
  inputModes: string[];
  outputModes: string[];
  /** What its team says that one use costs; null when it says nothing. */
  price: SkillPrice | null;
}

/** A security scheme of the agent's own card, in words a person can read. */
export interface SecuritySchemeView {
  name: string;
  type: 'apiKey' | 'http' | 'oauth2' | 'openIdConnect' | 'mutualTLS';
  summary: string;
  scopes: string[];
}

/** One agent; the wire object of `GET /api/agents/{slug}`. */
export interface AgentView extends AgentSummary {
  signature: SignatureVerdict;
  /** What its team says that its skills cost. */
  prices: SkillPrice[];
  /** What its team tells people about it. */
  notice: Notice | null;
  /** How the card is kept up to date; for the owner alone. */
  card?: CardState;
  /** In which points the card violates the specification without stopping calls; for the owner alone, absent when in none. */
  warnings?: CardDiagnostic[];
}

/** How Parley keeps a listed card up to date. Times are ISO 8601. */
export interface CardState {
  checkedAt: string;
  /** Set while the card cannot be fetched or read; the one that is listed stays. */
  failing: { since: string; reason: string } | null;
  /** A newer card that needs the owner's word, and why. `POST /api/agents/{slug}/card/accept` with its digest takes it. */
  waiting: { digest: string; fetchedAt: string; reasons: CardChange[] } | null;
}

/** Why a newer card does not go live by itself. */
export type CardChange =
  | { what: 'asked' }
  | { what: 'host'; found: string[]; expected: string[] }
  | { what: 'key'; found: SignatureVerdict };

/** One member of a card that is not as it was; null where it has no value. */
export interface CardDifference {
  /** Dotted: `description`, `capabilities.streaming`, `skills.translate`. */
  member: string;
  before: string | null;
  after: string | null;
}

/** One card that an agent was listed with, and what it changed of the one before; null for the first that is kept. */
export interface CardVersionView {
  version: string;
  /** SHA-256 of its bytes, hex. */
  digest: string;
  listedAt: string;
  differences: CardDifference[] | null;
  /** Differences beside these. */
  more: number;
}

/** The verified agent of somebody else for which another one could be mistaken. */
export interface Lookalike {
  slug: string;
  name: string;
}

/** The card that waits for its owner's word, beside the listed one. */
export type PendingCard = NonNullable<CardState['waiting']> & { differences: CardDifference[] };

/** Body of `POST /api/agents/{slug}/card/accept`: the digest of the card that waits, so that no other one is meant. */
export const cardDecisionSchema = z.strictObject({ digest: z.string().regex(/^[0-9a-f]{64}$/) });

/** Everything the agent page shows. Derived from the newest version of the card and the listing. */
export interface AgentDetail extends AgentSummary {
  /** Null for somebody whose account is deleted. */
  publisher: { name: string; handle: string | null; listings: number };
  /** A verified agent of somebody else for which this one could be mistaken. */
  looksLike: Lookalike | null;
  provider: { organization: string; url: string } | null;
  documentationUrl: string | null;
  protocolVersion: '0.1' | '0.3' | '1.0';
  skills: SkillView[];
  inputModes: string[];
  outputModes: string[];
  securitySchemes: SecuritySchemeView[];
  /** `unsupported`: required, and the chat and our clients cannot activate it. */
  extensions: { uri: string; description: string; required: boolean; unsupported: boolean }[];
  /** True when the owner linked a developer app, so that the agent can ask who is calling. */
  canIdentifyCallers: boolean;
  notice: Notice | null;
  /** The card as Parley re-issues it, pretty-printed JSON. */
  cardJson: string;
  createdAt: string;
}

export type { CardDiagnostic } from '../protocol/a2a/cards/diagnostics';

/** Longest card text that is read, bytes. */
export const MAX_CARD_BYTES = 1_048_576;
const MAX_TAGS = 20;

const url = z.string().trim().min(1, 'expected the address of an agent or of its card').max(2000);
const tagLength = 'expected tags of 1 to 40 characters';
const tags = z
  .array(z.string().transform(normaliseTag).pipe(z.string().min(1, tagLength).max(40, tagLength)))
  .max(MAX_TAGS, `expected at most ${MAX_TAGS} tags`)
  .transform((list) => [...new Set(list)]);
const appId = z.string().min(1).max(60).nullable();

/** Body of `POST /api/agents/preview`. */
export const previewInputSchema = z.strictObject({ url });
export type PreviewInput = z.infer<typeof previewInputSchema>;

/** Body of `POST /api/agents`. What is left out keeps its value when the same owner registers the same URL again. */
export const registerInputSchema = z.strictObject({
  url,
  slug: z.string().optional(),
  tags: tags.optional(),
  visibility: visibilitySchema.optional(),
  appId: appId.optional(),
  /** Agrees that calls go to another origin than the one the card came from. */
  confirmOrigin: z.boolean().optional(),
});
export type RegisterInput = z.infer<typeof registerInputSchema>;

/** What an owner may set for calls to their agent. */
const callLimitsSchema = z.strictObject({
  /** Tasks that the agent works on at once, of all callers. */
  maxConcurrent: z.int().min(1).max(2_000).optional(),
  /** Longest wait for a whole answer, and for the next word of a stream. */
  unaryTimeoutSeconds: z.int().min(1).max(300).optional(),
  silenceTimeoutSeconds: z.int().min(1).max(300).optional(),
});
export type OwnCallLimits = z.infer<typeof callLimitsSchema>;

const secret = z
  .string()
  .max(8_192, 'expected at most 8192 characters')
  .regex(/^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/, 'expected printable ASCII without spaces around it');
/** Headers that belong to the connection, to A2A or to Parley. */
const reservedHeaders =
  /^(host|connection|keep-alive|upgrade|expect|te|trailer|transfer-encoding|content-.*|accept.*|cookie|via|user-agent|forwarded|x-forwarded-.*|proxy-.*|a2a-.*|x-a2a-.*|parley-.*|trace(parent|state)|idempotency-key)$/i;

/** Body of `PUT /api/agents/{slug}/credentials`: how Parley authenticates to an agent, as its owner says. */
export const credentialInputSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('bearer'), token: secret }),
  z
    .strictObject({
      kind: z.literal('api-key'),
      in: z.enum(['header', 'query']),
      name: z.string().regex(/^[A-Za-z0-9_.-]{1,80}$/, 'expected 1 to 80 letters, digits, "-", "_" or "."'),
      value: secret,
    })
    .refine((key) => key.in === 'query' || !reservedHeaders.test(key.name), {
      path: ['name'],
      message: 'expected a header that neither HTTP nor A2A uses for something else, such as X-API-Key',
    }),
  z.strictObject({
    kind: z.literal('oauth-client-credentials'),
    tokenUrl: z.url('expected an absolute https address').max(2_000),
    clientId: secret,
    clientSecret: secret,
    scope: z
      .string()
      .max(2_000)
      .regex(/^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/, 'expected scopes separated by single spaces')
      .optional(),
    /** Where client id and secret travel: HTTP Basic (default), or the form (RFC 6749 §2.3.1). */
    clientAuth: z.enum(['basic', 'body']).optional(),
  }),
]);
export type CredentialInput = z.infer<typeof credentialInputSchema>;

/** What is shown of a stored credential. */
export interface CredentialView {
  kind: CredentialInput['kind'];
  setAt: string;
}

/** What the owner alone sees of an agent beside its summary. */
export interface OwnerView {
  callLimits: OwnCallLimits;
  credential: CredentialView | null;
}

/** Body of `PATCH /api/agents/{slug}`. */
export const updateInputSchema = z.strictObject({
  tags: tags.optional(),
  visibility: visibilitySchema.optional(),
  status: z.enum(['active', 'deprecated']).optional(),
  /** Replaces what was set; `{}`: the defaults. */
  callLimits: callLimitsSchema.optional(),
  appId: appId.optional(),
  /** Replaces what was named; each for a skill of the card. */
  prices: pricesSchema.optional(),
  /** What people read on its page; null: nothing. */
  notice: z
    .lazy(() => noticeSchema)
    .nullable()
    .optional(),
  /** True: a changed card waits for the team's word. */
  holdsCards: z.boolean().optional(),
});
export type UpdateInput = z.infer<typeof updateInputSchema>;

/** A tag as it is kept and searched: lower case, single spaces, nothing invisible. */
export function normaliseTag(tag: string): string {
  return cleanLine(tag).toLowerCase();
}

/** A fault, and how it can be mended in the text that was read without asking anybody; null where a person must decide. */
export type FixableFault = CardDiagnostic & { edits: TextEdit[] | null };

/** What its team tells people about an agent. */
export const noticeSchema = z
  .strictObject({
    kind: z.enum(['note', 'maintenance', 'deprecated']),
    text: z.string().transform(cleanLine).pipe(z.string().max(200, 'expected at most 200 characters')),
    /** The slug of the agent to use in its place. */
    replacement: z
      .string()
      .regex(/^[a-z0-9-]{1,60}$/, 'expected the slug of an agent')
      .optional(),
  })
  .refine(({ text, replacement }) => text !== '' || replacement !== undefined, {
    path: ['text'],
    message: 'expected a text that says what people should know',
  });
export type Notice = z.infer<typeof noticeSchema>;

/** What registering a URL would do; nothing is stored. `card` is null when `faults` is not empty. */
export interface AgentPreview {
  cardUrl: string;
  card: PreviewedCard | null;
  faults: FixableFault[];
  warnings: FixableFault[];
  /** The card's text for an editor; null when nothing is wrong with it, or it is no text. */
  source: string | null;
  /** The slug the agent would get, or has when it is listed already. */
  slug: string | null;
  /** A verified agent of somebody else for which it could be mistaken; it may be listed all the same. */
  looksLike: Lookalike | null;
  /** True when the address is listed by the same owner: registering it again updates it. */
  isListed: boolean;
  /** Set when calls would go to another origin than the card came from; registering then needs `originNotConfirmed`. */
  otherOrigin: { found: string; expected: string } | null;
}

export interface PreviewedCard {
  name: string;
  description: string;
  version: string;
  protocolVersion: '0.1' | '0.3' | '1.0';
  binding: 'JSONRPC' | 'HTTP+JSON';
  /** Where calls would go. */
  endpointUrl: string;
  badges: Badge[];
  tags: string[];
  skills: SkillView[];
}

/** A listing as its team sees it. */
export interface OwnAgent extends AgentSummary {
  id: string;
  /** The role of the person who asks. */
  role: TeamRole;
  /** The address that was registered. */
  registeredUrl: string;
  notice: Notice | null;
  /** A changed card waits for the team's word. */
  holdsCards: boolean;
  /** The developer app whose credentials may introspect this agent's tokens. */
  appId: string | null;
  createdAt: string;
}

/** What an owner publishes to prove that the host of their agent is theirs: one of both places is enough. */
export interface OwnershipProof {
  host: string;
  /** The text of the TXT record, or one line of the file. */
  text: string;
  /** Where the TXT record goes; null when the host has no name of its own. */
  dnsName: string | null;
  fileUrl: string;
}

/** `GET /api/agents/{slug}/ownership`. Times are ISO 8601. */
export interface OwnershipView {
  proof: OwnershipProof;
  /** Null until the proof was found. */
  proved: { method: 'dns' | 'file'; at: string; checkedAt: string; missingSince: string | null } | null;
}
