import type { Ctx } from '../platform/context';
import { readCard } from '../protocol/a2a/cards/read-card';
import { describeCredential } from './agent-credential';
import { refusalOf } from './check-card';
import { findAgent } from './find-agent';
import { mayReadSettings, requireVisible } from './policy';
import type { AgentRecord } from './record';
import type { AgentView, CardDiagnostic, OwnerView } from './schema';
import { selectCardBytes } from './store/agents';
import { selectRefreshState } from './store/card-refresh-state';
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
  const [refreshState, credential, bytes] = await Promise.all([
    selectRefreshState(agent.id),
    describeCredential(agent.id),
    selectCardBytes(agent.id),
  ]);
  const view = { ...toView(agent, refreshState), callLimits: agent.callLimits, credential };
  return withWarnings(view, bytes ? warningsOf(agent, bytes) : []);
}

/** Read again from the card: warnings are looked at rarely, and what counts as one changes. */
function warningsOf({ url, endpoints: [endpoint] }: AgentRecord, bytes: Uint8Array): CardDiagnostic[] {
  return readCard(bytes, { cardUrl: url, assumedEndpoint: endpoint.url, refusalOf }).warnings;
}
