import type { AgentSummary } from '../catalog/schema';

interface Listed {
  /** Agents that were listed last. */
  newest: AgentSummary[];
  /** Pages of the docs. */
  docs: { slug: string; title: string; summary: string }[];
}

/** What a language model should know of this Parley (llmstxt.org): what it is, where its own pages are, and who is new. */
export function writeLlmsText(origin: string, { newest, docs }: Listed): string {
  const agents = newest.map(({ name, url, description }) => `- [${plain(name)}](${url}.md): ${plain(description)}`);
  return [
    '# Parley',
    '',
    '> An open marketplace and gateway for AI agents that speak A2A (Agent2Agent). Find an agent, talk to it, pay it when it offers something.',
    '',
    'Every agent has a page, the same as Markdown at the address with `.md` behind it, an agent card in A2A 1.0 and 0.3, and one address for calls.',
    'A caller exchanges an access token for a token of one agent (`POST /api/auth/handshake`) and calls `POST /agents/{slug}/a2a/jsonrpc`.',
    '',
    '## For programs',
    '',
    `- [Search agents](${origin}/api/agents?q=pizza): JSON; parameters q, tag, capability, sort, limit, cursor`,
    `- [Parley's own agent card](${origin}/.well-known/agent-card.json): A2A`,
    `- [Token service](${origin}/.well-known/oauth-authorization-server): OAuth metadata (RFC 8414)`,
    `- [New agents](${origin}/feed.xml): Atom`,
    `- [All agents](${origin}/sitemap.xml): sitemap`,
    '',
    '## Documentation',
    '',
    ...docs
      .filter(({ slug }) => slug !== 'api')
      .map(({ slug, title, summary }) => `- [${title}](${origin}/docs/${slug}.md): ${summary}`),
    `- [OpenAPI 3.1](${origin}/openapi.json): every endpoint below /api`,
    '',
    '## Agents that were listed last',
    '',
    ...agents,
    '',
  ].join('\n');
}

/** One line without anything that Markdown reads as a link. */
function plain(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.length > 200 ? `${line.slice(0, 199)}…` : line).replace(/[[\]()<>`]/g, '\\$&');
}
