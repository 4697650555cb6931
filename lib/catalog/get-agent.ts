import type { Ctx } from '../platform/context';
import { readCard } from '../protocol/a2a/cards/read-card';
import { describeCredential } from './agent-credential';
import { refusalOf } from './check-card';
import { findAgent } from './find-agent';
import { mayReadSettings, requireVisible } from './policy';
import type { AgentRecord } from './record';
import type { AgentView, CardFault, OwnerView } from './schema';
import { selectCardBytes } from './store/agents';
import { selectWatch } from './store/card-watch';
import { toView, withWarnings } from './to-wire';

/**
 * One agent, open to everyone unless it is private. Its team also sees what is set for calls to it and how its card is kept
 * up to date.
 * @throws {ParleyError} `not_found`; `gone` when it was public once and is withdrawn
 */
export async function getAgent({
  ctx,
  input,
}: {
  ctx: Ctx;
  input: { slug: string };
}): Promise<AgentView | (AgentView & OwnerView)> {
  const agent = requireVisible(ctx.actor, await findAgent(input.slug));
  if (!mayReadSettings(ctx.actor, agent)) return toView(agent, null);
  const [watch, credential, bytes] = await Promise.all([
    selectWatch(agent.id),
    describeCredential(agent.id),
    selectCardBytes(agent.id),
  ]);
  const view = { ...toView(agent, watch), callLimits: agent.callLimits, credential };
  return withWarnings(view, bytes ? warningsOf(agent, bytes) : []);
}

/** Read again from the card: warnings are looked at rarely, and what counts as one changes. */
function warningsOf({ url, endpoints: [endpoint] }: AgentRecord, bytes: Uint8Array): CardFault[] {
  return readCard(bytes, { cardUrl: url, assumedEndpoint: endpoint.url, refusalOf }).warnings;
}
