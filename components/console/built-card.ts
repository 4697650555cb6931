/** What the form that builds a card asks for. */
export interface CardDraft {
  name: string;
  description: string;
  version: string;
  url: string;
  streaming: boolean;
  auth: 'none' | 'bearer';
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

/** The draft as a card of A2A 1.0 (§4.4.1), to serve as it is. */
export function builtCard(draft: CardDraft): string {
  const { name, description, version, url, streaming, auth } = draft;
  const card = {
    name: name.trim(),
    description: description.trim(),
    version: version.trim(),
    supportedInterfaces: [{ url: url.trim(), protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming, pushNotifications: false },
    ...(auth === 'bearer' && {
      securitySchemes: { parley: { httpAuthSecurityScheme: { scheme: 'bearer', bearerFormat: 'JWT' } } },
      securityRequirements: [{ schemes: { parley: { list: [] } } }],
    }),
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/plain'],
    skills: draft.skills.map(skillOf),
  };
  return `${JSON.stringify(card, null, 2)}\n`;
}

function skillOf({ name, description, tags, examples }: SkillDraft, place: number): object {
  return {
    id: slugOf(name) || `skill-${place + 1}`,
    name: name.trim(),
    description: description.trim(),
    tags: listed(tags, ','),
    examples: listed(examples, '\n'),
  };
}

function listed(text: string, between: string): string[] {
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
