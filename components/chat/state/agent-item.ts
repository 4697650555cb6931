import { createContext } from 'react';
import type { ChatLimits } from '../../../lib/chat/schema';
import type { ChatAgent } from '../../../lib/chat/schema-thread';
import type { CardReply } from './message-content';
import type { Block, Phase, ThreadItem } from './to-items';

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

/** The conversation, which an answer has to respect. */
interface ReplyRules {
  agent: Pick<ChatAgent, 'inputModes'>;
  limits: ChatLimits;
  items: readonly ThreadItem[];
  /** Sends an answer, without a task as a new message. */
  reply: (reply: CardReply, taskId?: string) => void;
}

/** Null where no answer can be given. */
export const ReplyRulesContext = createContext<ReplyRules | null>(null);
