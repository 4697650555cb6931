/** What the form that builds a card asks for. */
export interface CardDraft {
  name: string;
  description: string;
  version: string;
  url: string;
  streaming: boolean;
  /** `own` is what somebody wrote into the card by hand and the form has no choice for. */
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

/** What the form makes of a draft: a card of A2A 1.0 (§4.4.1). */
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

/** What a card says of asking for Parley's token. */
export const asksForToken = {
  securitySchemes: { parley: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } } },
  securityRequirements: [{ schemes: { parley: { list: [] } } }],
};

/** The draft as a card. */
export function builtCard({ name, description, version, url, streaming, auth, skills }: CardDraft): BuiltCard {
  return {
    name: name.trim(),
    description: description.trim(),
    version: version.trim(),
    supportedInterfaces: [{ url: url.trim(), protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming, pushNotifications: false },
    ...(auth === 'bearer' && asksForToken),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: skills.map(skillOf),
  };
}

/** The draft's card as the text to serve. */
export function textOfCard(draft: CardDraft): string {
  return `${JSON.stringify(builtCard(draft), null, 2)}\n`;
}

function skillOf({ name, description, tags, examples }: SkillDraft, place: number): BuiltSkill {
  return {
    id: slugOf(name) || `skill-${place + 1}`,
    name: name.trim(),
    description: description.trim(),
    tags: listed(tags, ','),
    examples: listed(examples, '\n'),
  };
}

/** The items of a text that holds several. */
export function listed(text: string, between: string): string[] {
  return text
    .split(between)
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

function slugOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
}
