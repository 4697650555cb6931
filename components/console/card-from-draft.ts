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
export const parleyTokenSecurity = {
  securitySchemes: { parley: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } } },
  securityRequirements: [{ schemes: { parley: { list: [] } } }],
};

/** The draft as a card. */
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

/** The text of the draft's card, as it is served. */
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
export function splitList(text: string, between: string): string[] {
  return text
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** Lower-case letters and digits, with hyphens between the words. */
export function slugFrom(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
