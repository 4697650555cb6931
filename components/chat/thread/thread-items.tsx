'use client';

import { useTranslations } from 'next-intl';
import { Fragment, memo, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import type { BranchView } from '../../../lib/chat/schema-thread';
import type { Part } from '../../../lib/protocol/a2a/core/model';
import type { ChainView } from '../../../lib/tasks/schema-chains';
import { useClock } from '../../ui/display/date-time';
import { lazyComponent } from '../../ui/overlays/lazy';
import { dayOf } from '../state/chat-time';
import type { CardReply } from '../state/message-content';
import type { ThreadItem } from '../state/to-items';
import { AgentTurn } from './agent-turn';
import { DaySeparator } from './message-time';
import { UserMessage } from './user-message';

// Most conversations have no chain.
const ChainPanel = lazyComponent(async () => (await import('../chains/chain-panel')).ChainPanel);

interface ThreadItemsProps {
  items: readonly ThreadItem[];
  agent: { slug: string; name: string };
  /** The displayed branch; null until the conversation exists. */
  branch: BranchView | null;
  /** The work of other agents, by root task. */
  chains: ReadonlyMap<string, ChainView>;
  conversationId: string | null;
  /** The task whose question the composer answers. */
  answeringTaskId: string | null;
  onAnswer: (taskId: string) => void;
  onSendAgain: (parts: Part[]) => void;
  onOpenArtifact: (id: string) => void;
  onReply: (reply: CardReply, taskId: string) => void;
  onRetry: (messageId: string) => void;
  onDiscard: (messageId: string) => void;
  /** Cancels a message that is still being uploaded. */
  onCancel: (messageId: string) => void;
}

/** Number of items at the end that are rendered immediately, which is more than fit into a window. */
const EAGER_ITEMS = 12;

/** The items of a thread. Unchanged ones are not rendered again, and those far from the viewport are not rendered. */
export const ThreadItems = memo(function ThreadItems({ items, agent, branch, ...rest }: ThreadItemsProps): ReactNode {
  const {
    chains,
    conversationId,
    answeringTaskId,
    onAnswer,
    onSendAgain,
    onOpenArtifact,
    onReply,
    onRetry,
    ...userMessageProps
  } = rest;
  const separators = separatorsOf(items, useClock().timeZone);
  const forks = new Map(branch?.forks.map((fork) => [fork.taskId, fork]));
  return items.map((item, index) => (
    <Fragment key={item.key}>
      {item.kind === 'user' && item.startsTask && item.taskId === branch?.beginsAt ? (
        <BranchStart agent={agent} />
      ) : null}
      <LazyRender eager={index >= items.length - EAGER_ITEMS} taskId={item.taskId}>
        {separators.has(index) ? <DaySeparator iso={item.at ?? ''} /> : null}
        {item.kind === 'user' ? (
          <UserMessage
            conversationId={conversationId}
            fork={(item.startsTask && item.taskId && forks.get(item.taskId)) || null}
            item={item}
            onRetry={onRetry}
            {...userMessageProps}
          />
        ) : (
          <AgentTurn
            agent={agent}
            answering={item.taskId === answeringTaskId}
            item={item}
            onAnswer={onAnswer}
            onOpenArtifact={onOpenArtifact}
            onReply={onReply}
            onSendAgain={onSendAgain}
          />
        )}
        <Chain chain={isLastOfTask(items, index) ? chains.get(item.taskId ?? '') : undefined} />
      </LazyRender>
    </Fragment>
  ));
});

/** Returns the indexes of the items that start another day. */
function separatorsOf(items: readonly ThreadItem[], timeZone: string): Set<number> {
  const found = new Set<number>();
  let previous: number | null = null;
  for (const [index, { at }] of items.entries()) {
    const time = at === null ? Number.NaN : Date.parse(at);
    if (Number.isNaN(time)) continue;
    const day = dayOf(time, timeZone);
    // An agent's clock may be behind, so days never go backwards.
    if (previous === null || day > previous) found.add(index);
    previous = Math.max(previous ?? day, day);
  }
  return found;
}

function isLastOfTask(items: readonly ThreadItem[], index: number): boolean {
  const taskId = items[index]?.taskId;
  return taskId !== null && items[index + 1]?.taskId !== taskId;
}

function Chain({ chain }: { chain: ChainView | undefined }): ReactNode {
  if (!chain) return null;
  return (
    <Suspense fallback={null}>
      <div className="mt-3 empty:hidden">
        <ChainPanel chain={chain} />
      </div>
    </Suspense>
  );
}

/** The start of a branch, and the messages that the agent has received before it. */
function BranchStart({ agent }: { agent: { name: string } }): ReactNode {
  const t = useTranslations('chat.threadItems');
  return (
    <p className="flex items-center gap-3 text-xs text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
      <span className="max-w-[40ch] text-center">{t.rich('begins', { agent: () => <bdi>{agent.name}</bdi> })}</span>
    </p>
  );
}

interface LazyRenderProps {
  /** True if it is rendered initially, regardless of its position. */
  eager: boolean;
  /** The task id, exposed for lookup in the DOM. */
  taskId: string | null;
  children: ReactNode;
}

/** Distance from the viewport at which children are rendered, and their assumed height until then. */
const margin = '1500px 0px';
const estimatedHeight = 180;

/**
 * Renders its children while they are near the viewport and keeps their height otherwise, so that the cost of a
 * conversation does not grow with its length. Children with the focus or a selection stay rendered.
 */
function LazyRender({ eager, taskId, children }: LazyRenderProps): ReactNode {
  const frame = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(eager);
  const height = useRef(estimatedHeight);

  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        if (!entry) return;
        if (entry.isIntersecting) setIsNear(true);
        else if (!isInUse(element)) {
          height.current = entry.boundingClientRect.height || height.current;
          setIsNear(false);
        }
      },
      { root: element.closest('[role="log"]'), rootMargin: margin },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  return (
    <div
      className="relative"
      data-task={taskId ?? undefined}
      ref={frame}
      style={isNear ? undefined : { height: height.current }}
    >
      {isNear ? children : null}
    </div>
  );
}

function isInUse(element: HTMLElement): boolean {
  if (element.contains(document.activeElement)) return true;
  const selection = document.getSelection();
  return selection !== null && !selection.isCollapsed && selection.containsNode(element, true);
}
