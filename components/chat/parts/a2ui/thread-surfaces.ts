import type { Part } from '../../../../lib/protocol/a2a/core/model';
import { noSurfaces, type Placement, placePart } from '../../../../lib/protocol/a2ui/messages/place-surfaces';
import { isA2uiPart } from '../../../../lib/protocol/a2ui/messages/read-messages';
import type { PartRef } from '../../../payments/offers/use-orders';
import type { AgentItem, ThreadItem } from '../../state/to-items';

/** Returns the name of a part's place in the conversation. */
export function positionOf({ taskId, kind, id, part }: PartRef): string {
  return JSON.stringify([taskId, kind, id, part]);
}

interface Step {
  before: Placement;
  after: Placement;
}

/** The result of each turn, which is the same while neither the turn nor what precedes it changes. */
const steps = new WeakMap<AgentItem, Step>();

/** Returns the surfaces of a conversation: the messages of all parts of the agent, in order. */
export function placementOf(items: readonly ThreadItem[]): Placement {
  return items.reduce((before, item) => {
    if (item.kind === 'user') return before;
    const known = steps.get(item);
    if (known?.before === before) return known.after;
    const after = placeTurn(before, item);
    steps.set(item, { before, after });
    return after;
  }, noSurfaces);
}

function placeTurn(before: Placement, { key: turn, taskId, blocks }: AgentItem): Placement {
  let placement = before;
  for (const block of blocks) {
    if (block.kind === 'replaced') continue;
    const [id, parts]: [string, Part[]] =
      block.kind === 'message' ? [block.messageId, block.parts] : [block.artifact.artifactId, block.artifact.parts];
    for (const [index, part] of parts.entries()) {
      if (part.kind !== 'data' || !isA2uiPart(part)) continue;
      const position = positionOf({ taskId, kind: block.kind, id, part: index });
      placement = placePart(placement, { turn, position, data: part.data });
    }
  }
  return placement;
}

/** Returns the turn with that key. */
export function turnOf(items: readonly ThreadItem[], key: string): AgentItem | undefined {
  return items.find((item): item is AgentItem => item.kind === 'agent' && item.key === key);
}
