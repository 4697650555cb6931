import { cleanLine } from '../protocol/a2a/cards/clean-text';
import { toDecimalText } from '../protocol/ap2/money';
import type { AgentDetail, SkillView } from './schema';
import type { SkillPrice } from './schema-prices';

/**
 * The agent page as Markdown, for programs that read. What the agent says of itself stands in quotes and on lines of its own,
 * so that none of it can pass for a heading or for Parley's words. `facts` are lines of ours.
 */
export function renderMarkdown(agent: AgentDetail, facts: string[]): string {
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
    `- Speaks: A2A ${agent.protocolVersion}; Parley translates to every other version`,
    `- Takes: ${joinEscaped(agent.inputModes)}`,
    `- Answers with: ${joinEscaped(agent.outputModes)}`,
    `- Capabilities: ${joinEscaped(agent.badges)}`,
    `- Tags: ${joinEscaped(agent.tags)}`,
    `- Status: ${agent.status}`,
    `- Updated: ${agent.updatedAt}`,
    ...facts.map((fact) => `- ${fact}`),
    '',
    '## Skills',
    '',
    ...agent.skills.flatMap(renderSkill),
    '## Call it',
    '',
    `1. Create an access token at ${origin}/settings/tokens.`,
    `2. Exchange it: \`POST ${origin}/api/auth/handshake\` with \`{"agentSlug":"${agent.slug}"}\`, the access token as bearer.`,
    `3. Send an A2A message to \`POST ${agent.url}/a2a/jsonrpc\` with the token of the answer as bearer.`,
    '',
  ].join('\n');
}

function renderSkill(skill: SkillView): string[] {
  const examples = skill.examples.map((example) => `- ${escapeMarkdown(example)}`);
  return [
    `### ${escapeMarkdown(skill.name)}`,
    '',
    blockquote(skill.description),
    '',
    ...(skill.price ? [`Price, as its team says: ${priceText(skill.price)}`, ''] : []),
    ...(examples.length > 0 ? ['Examples:', '', ...examples, ''] : []),
  ];
}

function priceText({ amount, currency, from }: SkillPrice): string {
  return amount === 0 ? 'free' : `${from ? 'from ' : ''}${toDecimalText({ currency, minor: amount })} ${currency}`;
}

function blockquote(text: string): string {
  const lines = text.split('\n').map((line) => `> ${escapeMarkdown(line)}`.trimEnd());
  return lines.join('\n');
}

function joinEscaped(words: string[]): string {
  return words.length > 0 ? words.map(escapeMarkdown).join(', ') : 'none';
}

/** One line in which nothing is read as Markdown or HTML. */
function escapeMarkdown(text: string): string {
  return cleanLine(text).replace(/[\\`*_{}[\]()<>#|~]/g, '\\$&');
}
