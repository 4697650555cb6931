import { SKILLS_EXTENSION, type SkillSchemas } from '@parley/agent';
import { comment, textLiteral, typeOf } from './schema-types.js';

/** What a client is written from: members of an agent card. */
export interface TypedCard {
  name: string;
  description: string;
  version: string;
  skills: { id: string; name: string; description: string }[];
  capabilities?: { extensions?: { uri: string; params?: Record<string, unknown> }[] };
}

const reserved = new Set(['constructor', 'send', 'stream', 'then']);

/**
 * Returns a TypeScript module with a typed client of an agent: a method for each skill that states the schema of its
 * input, and `send` and `stream` for messages.
 */
export function writeClient(slug: string, card: TypedCard): string {
  const schemas = schemasOf(card);
  const typed = card.skills.filter(({ id }) => Object.hasOwn(schemas, id));
  const names = namesOf(typed.map(({ id }) => id));
  const skills = typed.map((skill, at) => {
    const name = names[at] ?? '';
    const { input, output } = schemas[skill.id] ?? {};
    return { ...skill, name, title: skill.name, type: capital(name), input: typeOf(input), output: typeOf(output) };
  });
  const types = skills.flatMap(({ type, title, input, output }) => [
    comment(`Input of the skill “${title}”.`),
    `export type ${type}Input = ${input};`,
    '',
    comment(`Output of the skill “${title}”.`),
    `export type ${type}Output = ${output};`,
    '',
  ]);
  const methods = skills.flatMap(({ id, name, type, title, description }) => [
    `    ${comment(`${title}: ${description}`)}`,
    `    ${name}: (input: ${type}Input, options?: CallOptions): Promise<SkillResult<${type}Output>> =>`,
    `      callSkill(client, { agent, skill: ${textLiteral(id)}, input }, options),`,
  ]);
  return [
    comment(`Written by \`parley types ${slug}\`, from version ${card.version} of the card. Do not edit.`),
    `import { ${skills.length > 0 ? 'callSkill, type SkillResult, ' : ''}type CallOptions, type Client, type NewMessage, type SendOptions } from '@parley/agent';`,
    '',
    `const agent = ${textLiteral(slug)};`,
    '',
    ...types,
    comment(`${card.name}: ${card.description}`),
    `export function create${capital(toName(slug))}(client: Client) {`,
    '  return {',
    ...methods,
    '    /** Sends a message in words, and waits for the result. */',
    '    send: (message: string | NewMessage, options?: SendOptions) => client.send(agent, message, options),',
    '    /** Sends a message in words, and yields its events. */',
    '    stream: (message: string | NewMessage, options?: CallOptions) => client.stream(agent, message, options),',
    '  };',
    '}',
    '',
  ].join('\n');
}

function schemasOf({ capabilities }: TypedCard): Record<string, SkillSchemas> {
  const found = capabilities?.extensions?.find(({ uri }) => uri === SKILLS_EXTENSION)?.params?.skills;
  return typeof found === 'object' && found !== null ? (found as Record<string, SkillSchemas>) : {};
}

/** Returns a different name for each id. */
function namesOf(ids: string[]): string[] {
  const taken = new Set(reserved);
  return ids.map((id) => {
    const base = toName(id);
    let name = base;
    for (let number = 2; taken.has(name); number += 1) name = `${base}${number}`;
    taken.add(name);
    return name;
  });
}

/** Returns an id in camel case, as an identifier. */
function toName(id: string): string {
  const [first = 'skill', ...others] = id.match(/[A-Za-z0-9]+/g) ?? [];
  const name = first.charAt(0).toLowerCase() + first.slice(1) + others.map(capital).join('');
  return /^[0-9]/.test(name) ? `skill${name}` : name;
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
