import { getAgentPage, writeMarkdown } from '../catalog';
import type { Endpoint } from '../http/endpoint';
import { publicText } from '../http/public-route';

/** `GET /agents/{slug}.md`: the page of an agent that all may see, as Markdown. */
export const agentMarkdown: Endpoint = publicText(async ({ slug = '' }) => {
  const agent = await getAgentPage({ ctx: { actor: { kind: 'anonymous' } }, input: { slug } });
  return { type: 'text/markdown; charset=utf-8', text: writeMarkdown(agent) };
});
