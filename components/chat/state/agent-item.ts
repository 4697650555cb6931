import type { Message, Part } from '../../../lib/protocol/a2a/core/model';
import type { TimelineEntry } from '../../../lib/protocol/a2a/core/task-timeline';
import type { Block, Phase } from './to-items';

/** Returns true while the agent's run continues. */
export function isRunning(phase: Phase): boolean {
  return phase === 'working' || phase === 'stopping' || phase === 'needs-approval';
}

/** Returns the text of an answer as the agent wrote it, with its blocks separated; empty if it has none. */
export function textOfBlocks(blocks: Block[]): string {
  const texts = blocks.map((block) => {
    const parts = block.kind === 'message' ? block.parts : block.kind === 'artifact' ? block.artifact.parts : [];
    return parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
  });
  return texts.filter((text) => text !== '').join('\n\n');
}

/** Returns the parts of the last message in a turn of the agent. */
export function askedBy(entries: readonly TimelineEntry[] = []): Part[] {
  const last = entries.findLast((entry) => entry.kind === 'status' && entry.status.message !== undefined);
  return last?.kind === 'status' ? (last.status.message?.parts ?? []) : [];
}

/** Returns all text of a message; null if it has none. */
export function textOfMessage(message: Message | undefined): string | null {
  const text = (message?.parts ?? []).flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return text === '' ? null : text;
}
