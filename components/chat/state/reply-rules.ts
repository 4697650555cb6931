import { createContext } from 'react';
import type { ChatLimits } from '../../../lib/chat/schema';
import type { ChatAgent } from '../../../lib/chat/schema-thread';
import type { CardReply } from './message-content';
import type { ThreadItem } from './to-items';

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
