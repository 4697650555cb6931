import { useRouter } from 'next/navigation';
import { type RefObject, useCallback, useEffect, useMemo } from 'react';
import type { ChatAgent, ChatLimits, PostedMessage, ThreadView } from '../../lib/chat/schema';
import { followDraft, placeOf } from './drafts';
import { isWritingElsewhere } from './is-writing-elsewhere';
import { conversationPath } from './paths';
import { type ArtifactSet, toArtifacts } from './to-artifacts';
import { type ThreadItem, toItems } from './to-view';
import { awaitAnswer, useAnnouncements } from './use-announcements';
import { type ComposerState, useComposer } from './use-composer';
import { useRefreshConversations } from './use-conversation-list';
import { type QuestionState, useQuestion } from './use-question';
import { type Sending, useSending } from './use-sending';
import { useStopKey } from './use-stop-key';
import { type Thread, useThread } from './use-thread';

export interface ChatOptions {
  agent: ChatAgent;
  limits: ChatLimits;
  /** Null while the conversation is only about to begin. */
  view: ThreadView | null;
  signedIn: boolean;
  /** Text that waits in the composer of a new conversation. */
  prefill: string;
  /** The person comes back from signing in: what they wrote before is sent. */
  resume: boolean;
}

export interface Chat {
  thread: Thread;
  items: ThreadItem[];
  artifacts: ArtifactSet;
  composer: ComposerState;
  questions: QuestionState;
  sending: Sending;
  /** The agent has the turn. */
  working: boolean;
  /** Stops the agent. */
  stop: () => void;
}

/** Everything that a conversation's page can do, put together. */
export function useChat({ agent, limits, view, signedIn, prefill, resume }: ChatOptions): Chat {
  const id = view?.conversation.id ?? null;
  const branch = view?.branch.id ?? null;
  const thread = useThread({ thread: view, agentSlug: agent.slug, onAccepted: useAccepted(agent.slug, id, branch) });
  const items = useMemo(() => toItems(thread.state), [thread.state]);
  const artifacts = useMemo(() => toArtifacts(thread.state), [thread.state]);
  const composer = useComposer({ place: placeOf(id, agent.slug), agent, limits, prefill });
  const questions = useQuestion(answerable(items, view), composer.field);
  const { question } = questions;
  const sending = useSending({ agentSlug: agent.slug, signedIn, resume, composer, thread, question });

  const workingTaskId = workingTaskOf(items);
  const { stop: stopTask } = thread;
  const stop = useCallback(() => {
    if (workingTaskId !== null) stopTask(workingTaskId);
  }, [workingTaskId, stopTask]);
  useStopKey(workingTaskId !== null, stop);
  useAnnouncements(items, agent.name);
  useFocusOnArrival(composer.field);
  return { thread, items, artifacts, composer, questions, sending, working: workingTaskId !== null, stop };
}

/** A message is on disk: the list has a new order, and a new conversation or version a page of its own. */
function useAccepted(agentSlug: string, id: string | null, branch: string | null): (posted: PostedMessage) => void {
  const router = useRouter();
  const refresh = useRefreshConversations();
  return useCallback(
    ({ conversationId, branch: saidIn, taskId }) => {
      refresh();
      if (id !== null && saidIn === branch) return;
      awaitAnswer(taskId);
      if (id !== null) return router.push(conversationPath(id, { branch: saidIn }));
      followDraft(placeOf(null, agentSlug), conversationId);
      router.replace(conversationPath(conversationId));
    },
    [agentSlug, branch, id, refresh, router],
  );
}

/** What stands before the beginning of a branch is answered in the version that it is of. */
function answerable(items: ThreadItem[], view: ThreadView | null): ThreadItem[] {
  const begins = view?.branch.beginsAt ?? null;
  const at = begins === null ? 0 : items.findIndex(({ taskId }) => taskId === begins);
  return at > 0 ? items.slice(at) : items;
}

function workingTaskOf(items: ThreadItem[]): string | null {
  const turn = items.findLast((item) => item.kind === 'agent' && item.phase === 'working');
  return turn?.kind === 'agent' ? turn.taskId : null;
}

/** One comes here to write. Where fingers type, the keyboard would cover what there is to read. */
function useFocusOnArrival(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (!window.matchMedia('(pointer: fine)').matches || isWritingElsewhere(field.current)) return;
    field.current?.focus({ preventScroll: true });
  }, [field]);
}
