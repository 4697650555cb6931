import type { SearchResult } from './schema';

interface LlmsTextInput {
  /** Agents that were listed last. */
  newest: SearchResult[];
  /** Pages of the docs. */
  docs: { slug: string; title: string; summary: string }[];
}

/** What a language model should know of this Parley (llmstxt.org): what it is, where its own pages are, and who is new. */
export function renderLlmsText(origin: string, { newest, docs }: LlmsTextInput): string {
  const agents = newest.map(
    ({ name, url, description, standing }) =>
      `- [${escapeLinkText(name)}](${url}.md): ${escapeLinkText(description)} (${rankingText(standing)})`,
  );
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
    `- [Search agents](${origin}/api/agents?q=pizza): JSON; parameters q, tag, capability, health, price, rating, updated, publisher, sort, limit, cursor`,
    `- [How an agent stands](${origin}/ranking): health, use and score with its parts, as JSON at \`/api/agents/{slug}/standing\``,
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

/** How an agent stands, in a few words of ours. */
function rankingText({ health, score, rating }: SearchResult['standing']): string {
  const words = [health === 'unknown' ? 'not checked yet' : health];
  if (score !== null) words.push(`score ${score} of 100`);
  if (rating) words.push(`${rating.average.toFixed(1)} of 5 stars by ${rating.count}`);
  return words.join(', ');
}

/** One line without anything that Markdown reads as a link. */
function escapeLinkText(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return (line.length > 200 ? `${line.slice(0, 199)}…` : line).replace(/[[\]()<>`]/g, '\\$&');
}
