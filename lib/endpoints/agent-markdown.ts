import { getAgentPage, writeMarkdown } from '../catalog';
import { getStanding, writeStandingLines } from '../discovery';
import type { Endpoint } from '../http/endpoint';
import { publicText } from '../http/public-route';

/** `GET /agents/{slug}.md`: the page of an agent that all may see, as Markdown. */
export const agentMarkdown: Endpoint = publicText(async ({ slug = '' }) => {
  const ctx = { actor: { kind: 'anonymous' as const }, now: new Date() };
  const agent = await getAgentPage({ ctx, input: { slug } });
  const facts = writeStandingLines(await getStanding({ ctx, input: { slug } }));
  return { type: 'text/markdown; charset=utf-8', text: writeMarkdown(agent, facts) };
});
