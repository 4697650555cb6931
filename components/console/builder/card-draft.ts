/** The card builder's form state. */
export interface CardDraft {
  name: string;
  description: string;
  version: string;
  url: string;
  streaming: boolean;
  /** `own` is a hand-written scheme for which the form has no option. */
  auth: 'none' | 'bearer' | 'own';
  skills: SkillDraft[];
}

export interface SkillDraft {
  key: number;
  name: string;
  description: string;
  tags: string;
  examples: string;
}

export const firstDraft: CardDraft = {
  name: '',
  description: '',
  version: '1.0.0',
  url: '',
  streaming: true,
  auth: 'bearer',
  skills: [{ key: 1, name: '', description: '', tags: '', examples: '' }],
};

/** A draft as an A2A 1.0 card (§4.4.1). */
export interface BuiltCard {
  name: string;
  description: string;
  version: string;
  supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[];
  capabilities: { streaming: boolean; pushNotifications: boolean };
  securitySchemes?: object;
  securityRequirements?: object[];
  defaultInputModes: string[];
  defaultOutputModes: string[];
  skills: BuiltSkill[];
}

export interface BuiltSkill {
  id: string;
  name: string;
  description: string;
  tags: string[];
  examples: string[];
}

/** The security members of a card that requires Parley's token. */
const parleyTokenSecurity = {
  securitySchemes: { parley: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } } },
  securityRequirements: [{ schemes: { parley: { list: [] } } }],
};

/** Returns the draft as a card. */
export function cardFromDraft({ name, description, version, url, streaming, auth, skills }: CardDraft): BuiltCard {
  return {
    name: name.trim(),
    description: description.trim(),
    version: version.trim(),
    supportedInterfaces: [{ url: url.trim(), protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming, pushNotifications: false },
    ...(auth === 'bearer' && parleyTokenSecurity),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: skills.map(skillOf),
  };
}

/** Returns the text of the draft's card, as it is served. */
export function cardText(draft: CardDraft): string {
  return `${JSON.stringify(cardFromDraft(draft), null, 2)}\n`;
}

function skillOf({ name, description, tags, examples }: SkillDraft, index: number): BuiltSkill {
  return {
    id: slugFrom(name) || `skill-${index + 1}`,
    name: name.trim(),
    description: description.trim(),
    tags: splitList(tags, ','),
    examples: splitList(examples, '\n'),
  };
}

/** Splits a text at `between`, trims the items and drops empty ones. */
function splitList(text: string, between: string): string[] {
  return text
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Returns the text as lower-case letters and digits, with hyphens between the words. */
export function slugFrom(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}

/**
 * Returns the form state of a hand-edited card; null if the text is not JSON, or a member of the form has another type.
 * Values that are equivalent to the draft `before` are kept as typed.
 */
export function draftFromCard(text: string, before: CardDraft): CardDraft | null {
  try {
    return draftOf(objectIn(JSON.parse(text)), before);
  } catch {
    return null;
  }
}

type Members = Record<string, unknown>;

function draftOf(card: Members, before: CardDraft): CardDraft {
  const [first = {}] = listIn(card.supportedInterfaces).map((each) => objectIn(each));
  const next = Math.max(0, ...before.skills.map(({ key }) => key)) + 1;
  const streaming = objectIn(card.capabilities).streaming ?? false;
  if (typeof streaming !== 'boolean') throw new NotForTheForm();
  return {
    name: keepIfEqual(before.name, card.name),
    description: keepIfEqual(before.description, card.description),
    version: keepIfEqual(before.version, card.version),
    url: keepIfEqual(before.url, first.url),
    streaming,
    auth: authOf(card),
    skills: listIn(card.skills).map((skill, index) =>
      skillDraft(objectIn(skill), before.skills[index] ?? { ...emptySkill, key: next + index }),
    ),
  };
}

const emptySkill = firstDraft.skills[0] as SkillDraft;

function skillDraft(skill: Members, before: SkillDraft): SkillDraft {
  return {
    key: before.key,
    name: keepIfEqual(before.name, skill.name),
    description: keepIfEqual(before.description, skill.description),
    tags: keepListIfEqual(before.tags, skill.tags, ', '),
    examples: keepListIfEqual(before.examples, skill.examples, '\n'),
  };
}

function keepIfEqual(typed: string, parsed: unknown): string {
  const text = textIn(parsed);
  return typed.trim() === text ? typed : text;
}

function keepListIfEqual(typed: string, parsed: unknown, between: ', ' | '\n'): string {
  const items = listIn(parsed).map((item) => textIn(item));
  return same(splitList(typed, between === ', ' ? ',' : '\n'), items) ? typed : items.join(between);
}

function authOf({ securitySchemes, securityRequirements }: Members): CardDraft['auth'] {
  if (securitySchemes === undefined && securityRequirements === undefined) return 'none';
  return same({ securitySchemes, securityRequirements }, parleyTokenSecurity) ? 'bearer' : 'own';
}

function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

class NotForTheForm extends Error {}

function objectIn(value: unknown = {}): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new NotForTheForm();
  return value as Members;
}

function listIn(value: unknown = []): unknown[] {
  if (!Array.isArray(value)) throw new NotForTheForm();
  return value;
}

function textIn(value: unknown = ''): string {
  if (typeof value !== 'string') throw new NotForTheForm();
  return value;
}
