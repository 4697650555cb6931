import type { ConversationExport } from './export-schema';

type ExportedTask = ConversationExport['branches'][number]['tasks'][number];
type ExportedPart = ExportedTask['messages'][number]['parts'][number];

interface MarkdownSource {
  title: string;
  agent: { slug: string; name: string };
  exportedAt: Date;
  tasks: ExportedTask[];
}

/** A conversation as a Markdown document: one section per message, files as links that carry them. */
export function renderConversationMarkdown({ title, agent, exportedAt, tasks }: MarkdownSource): string {
  const head = `# ${oneLine(title)}\n\nA conversation with ${oneLine(agent.name)} (${agent.slug}), exported ${exportedAt.toISOString()}.`;
  return `${[head, ...tasks.flatMap((task) => sectionsOf(task, agent.name))].join('\n\n')}\n`;
}

function sectionsOf({ createdAt, state, messages, artifacts }: ExportedTask, agentName: string): string[] {
  const messageSections = messages.map(({ role, parts }, at) => {
    const time = at === 0 ? `, ${createdAt}` : '';
    return `## ${role === 'user' ? 'You' : oneLine(agentName)}${time}\n\n${parts.map(partText).join('\n\n')}`;
  });
  const artifactSections = artifacts.map(
    ({ name, parts }) =>
      `## ${oneLine(agentName)}${name ? `: ${oneLine(name)}` : ''}\n\n${parts.map(partText).join('\n\n')}`,
  );
  return [...messageSections, ...artifactSections, ...(state === 'completed' ? [] : [`*The task is ${state}.*`])];
}

function partText(part: ExportedPart): string {
  const name = oneLine(part.filename ?? 'file').replace(/[[\]]/g, '');
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'bytes':
      return `[${name}](data:${part.mediaType ?? 'application/octet-stream'};base64,${part.bytes})`;
    case 'uri':
      return `[${name}](<${part.uri.replace(/[<>\s]/g, '')}>)`;
    case 'data':
      return `\`\`\`json\n${JSON.stringify(part.data, null, 2)}\n\`\`\``;
  }
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
