'use client';

import { memo, type ReactNode } from 'react';
import type { Part } from '../../lib/protocol/a2a/core/model';
import { AgentTurn } from './agent-turn';
import type { ThreadItem } from './to-view';
import { UserMessage } from './user-message';

export interface ThreadItemsProps {
  items: readonly ThreadItem[];
  agent: { slug: string; name: string };
  /** The task whose question the composer answers. */
  answeringTaskId: string | null;
  onAnswer: (taskId: string) => void;
  onSendAgain: (parts: Part[]) => void;
  onOpenArtifact: (id: string) => void;
  onReply: (text: string, taskId: string) => void;
  onRetry: (messageId: string) => void;
  onDiscard: (messageId: string) => void;
}

/** The items of a thread; those that did not change are not rendered again. */
export const ThreadItems = memo(function ThreadItems({ items, agent, ...rest }: ThreadItemsProps): ReactNode {
  const { answeringTaskId, onAnswer, onSendAgain, onOpenArtifact, onReply, onRetry, onDiscard } = rest;
  return items.map((item) =>
    item.kind === 'user' ? (
      <UserMessage item={item} key={item.key} onDiscard={onDiscard} onRetry={onRetry} />
    ) : (
      <AgentTurn
        agent={agent}
        answering={item.taskId === answeringTaskId}
        item={item}
        key={item.key}
        onAnswer={onAnswer}
        onOpenArtifact={onOpenArtifact}
        onReply={onReply}
        onSendAgain={onSendAgain}
      />
    ),
  );
});
