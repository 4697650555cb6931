import { getAgentPage, renderMarkdown } from '../catalog';
import { getRanking, renderRankingLines } from '../discovery';
import type { Endpoint } from '../http/endpoint';
import { cachedTextRoute } from '../http/routes/cached-document';

/** `GET /agents/{slug}.md`: the page of an agent that all may see, as Markdown. */
export const agentMarkdown: Endpoint = cachedTextRoute(async ({ slug = '' }) => {
  const ctx = { actor: { kind: 'anonymous' as const }, now: new Date() };
  const agent = await getAgentPage({ ctx, input: { slug } });
  const facts = renderRankingLines(await getRanking({ ctx, input: { slug } }));
  return { type: 'text/markdown; charset=utf-8', text: renderMarkdown(agent, facts) };
});
