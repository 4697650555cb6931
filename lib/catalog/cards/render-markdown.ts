import { cleanLine } from '../../protocol/a2a/cards/clean-text';
import { toMoneyText } from '../../protocol/ap2/money';
import type { AgentDetail, SkillView } from '../schema';
import type { SkillPrice } from '../schema-prices';

/**
 * Renders the agent's page as Markdown, for programs. The agent's texts are escaped and quoted, so that they cannot be
 * mistaken for Parley's. `facts` are Parley's own lines; `example` is the conversation that the agent's team published.
 */
export function renderMarkdown(agent: AgentDetail, facts: string[], example: ExampleTurn[]): string {
  const { origin } = new URL(agent.url);
  return [
    `# ${escapeMarkdown(agent.name)}`,
    '',
    blockquote(agent.description),
    '',
    `- Page: ${agent.url}`,
    `- Agent card: ${agent.cardUrl}`,
    `- Version: ${escapeMarkdown(agent.version)}`,
    `- Published by: ${escapeMarkdown(agent.publisher.name)}`,
    `- Protocol: A2A ${agent.protocolVersion}; Parley translates to every other version`,
    `- Takes: ${joinEscaped(agent.inputModes)}`,
    `- Output: ${joinEscaped(agent.outputModes)}`,
    `- Capabilities: ${joinEscaped(agent.badges)}`,
    `- Tags: ${joinEscaped(agent.tags)}`,
    ...(agent.isOpenToGuests ? [`- Without an account: the first messages, in the chat of ${origin}`] : []),
    `- Status: ${agent.status}`,
    `- Updated: ${agent.updatedAt}`,
    ...facts.map((fact) => `- ${fact}`),
    '',
    ...renderExample(example),
    '## Skills',
    '',
    ...agent.skills.flatMap(renderSkill),
    '## Call it',
    '',
    `1. Create an access token at ${origin}/settings/connections#tokens.`,
    `2. Exchange it: \`POST ${origin}/api/auth/handshake\` with \`{"agentSlug":"${agent.slug}"}\`, the access token as a bearer token.`,
    `3. Send an A2A message to \`POST ${agent.url}/a2a/jsonrpc\` with the returned token as a bearer token.`,
    '',
  ].join('\n');
}

interface ExampleTurn {
  role: 'user' | 'agent';
  text: string;
}

function renderExample(turns: ExampleTurn[]): string[] {
  if (turns.length === 0) return [];
  const lines = turns.flatMap(({ role, text }) => [role === 'user' ? 'User:' : 'Agent:', '', blockquote(text), '']);
  return ['## Example conversation', '', ...lines];
}

function renderSkill(skill: SkillView): string[] {
  const examples = skill.examples.map((example) => `- ${escapeMarkdown(example)}`);
  return [
    `### ${escapeMarkdown(skill.name)}`,
    '',
    blockquote(skill.description),
    '',
    ...(skill.price ? [`Listed price: ${priceText(skill.price)}`, ''] : []),
    ...(examples.length > 0 ? ['Examples:', '', ...examples, ''] : []),
  ];
}

function priceText({ amount, currency, from }: SkillPrice): string {
  return amount === 0 ? 'free' : `${from ? 'from ' : ''}${toMoneyText({ currency, minor: amount })}`;
}

function blockquote(text: string): string {
  const lines = text.split('\n').map((line) => `> ${escapeMarkdown(line)}`.trimEnd());
  return lines.join('\n');
}

function joinEscaped(words: string[]): string {
  return words.length > 0 ? words.map(escapeMarkdown).join(', ') : 'none';
}

/** Returns the text as one line without Markdown or HTML syntax. */
function escapeMarkdown(text: string): string {
  return cleanLine(text).replace(/[\\`*_{}[\]()<>#|~]/g, '\\$&');
}
