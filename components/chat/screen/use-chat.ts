import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ChatLimits, PostedMessage } from '../../../lib/chat/schema';
import type { ChatAgent, ThreadView } from '../../../lib/chat/schema-thread';
import { conversationPath } from '../../routes';
import { isEditingElsewhere } from '../../ui/overlays/focus';
import { type ComposerState, useComposer } from '../composer/use-composer';
import { type InterruptState, useInterrupt } from '../composer/use-interrupt';
import { type QueueControls, useMessageQueue } from '../composer/use-message-queue';
import { type Sending, useSending } from '../composer/use-sending';
import type { Viewer } from '../guests/guest';
import { useRefreshConversations } from '../list/use-conversation-list';
import { isOpenChain, useChainAnnouncements } from '../state/chains';
import { draftKey, moveDraft, queueKey } from '../state/drafts';
import { type ArtifactSet, toArtifacts } from '../state/to-artifacts';
import { type ThreadItem, toItems } from '../state/to-items';
import { type Thread, useThread } from '../state/use-thread';
import { announceAnswerTo, useAnnouncements } from '../thread/use-announcements';
import type { DeviceOptions, DeviceUser } from './device-work';

export interface ChatOptions {
  agent: ChatAgent;
  limits: ChatLimits;
  /** Null until the conversation exists. */
  view: ThreadView | null;
  viewer: Viewer;
  /** Null for visitors and guests. */
  deviceUser: DeviceUser | null;
  /** Messages that a guest can still send to the agent today; null for others. */
  guestTurnsLeft: number | null;
  /** Text prefilled in the composer of a new conversation. */
  prefill: string;
  /** True if the user returns from sign-in; the pending message is then sent. */
  resume: boolean;
}

export interface Chat {
  thread: Thread;
  items: ThreadItem[];
  artifacts: ArtifactSet;
  composer: ComposerState;
  interrupts: InterruptState;
  sending: Sending;
  queue: QueueControls;
  /** Messages that a guest can still send to the agent today; null for others. */
  guestTurnsLeft: number | null;
  /** True if the viewer may send messages, as a user or as a guest. */
  maySend: boolean;
  isGuest: boolean;
  /** True while it is the agent's turn. */
  working: boolean;
  /** Stops the agent. */
  stop: () => void;
}

/** Everything a conversation page can do, combined. */
export function useChat({ agent, limits, view, viewer, deviceUser, prefill, resume, ...options }: ChatOptions): Chat {
  const t = useTranslations('chat.sharedContent');
  const id = view?.conversation.id ?? null;
  const branch = view?.branch.id ?? null;
  const isGuest = viewer === 'guest';
  const maySend = agent.closed === null && (viewer === 'user' || agent.isOpenToGuests);
  const [guestTurnsLeft, setGuestTurnsLeft] = useState(options.guestTurnsLeft);
  const goOn = useOnAccepted(agent.slug, id, branch);
  const onAccepted = useCallback(
    (posted: PostedMessage) => {
      setGuestTurnsLeft(posted.guestTurnsLeft ?? null);
      goOn(posted);
    },
    [goOn],
  );
  const thread = useThread({ thread: view, agentSlug: agent.slug, asGuest: viewer !== 'user', onAccepted });
  const items = useMemo(() => toItems(thread.state), [thread.state]);
  const artifacts = useMemo(() => toArtifacts(thread.state), [thread.state]);
  const composer = useComposer({ storageKey: draftKey(id, agent.slug), agent, limits, prefill });
  const interrupts = useInterrupt(answerableItems(items, view), composer.field);
  const { interrupt } = interrupts;
  const workingTaskId = workingTaskIdOf(items);
  const { stop: stopTask, chainActions } = thread;
  const { chains } = thread.state;
  const stop = useCallback(() => {
    if (workingTaskId === null) return;
    const chain = chains.get(workingTaskId);
    if (chain && isOpenChain(chain)) void chainActions.stop(workingTaskId);
    else stopTask(workingTaskId);
  }, [workingTaskId, stopTask, chains, chainActions]);
  const storageKey = queueKey(id, branch, agent.slug);
  const queue = useMessageQueue({ storageKey, items, thread, interrupt, stop });
  const sending = useSending({ agentSlug: agent.slug, maySend, resume, composer, thread, interrupt, queue });
  useStopKey(workingTaskId !== null, stop);
  useAnnouncements(items, agent.name);
  useChainAnnouncements(chains);
  useInitialFocus(composer.field);
  useDevice({ user: deviceUser, view, items, composer, tooMuch: t('tooMuch') });
  const working = workingTaskId !== null;
  return {
    thread,
    items,
    artifacts,
    composer,
    interrupts,
    sending,
    queue,
    guestTurnsLeft,
    maySend,
    isGuest,
    working,
    stop,
  };
}

/**
 * Returns the callback for a persisted message, after which the list has a new order, and a new conversation or branch
 * has its own page.
 */
function useOnAccepted(agentSlug: string, id: string | null, branch: string | null): (posted: PostedMessage) => void {
  const router = useRouter();
  const refresh = useRefreshConversations();
  return useCallback(
    ({ conversationId, branch: postedBranch, taskId }) => {
      void refresh();
      if (id !== null && postedBranch === branch) return;
      announceAnswerTo(taskId);
      if (id !== null) return router.push(conversationPath(id, { branch: postedBranch }));
      const queue = queueKey(conversationId, postedBranch, agentSlug);
      moveDraft({ from: draftKey(null, agentSlug), to: conversationId, queue });
      router.replace(conversationPath(conversationId));
    },
    [agentSlug, branch, id, refresh, router],
  );
}

/**
 * Returns the items that can be answered. Questions before the start of a branch are answered in the branch to which
 * they belong.
 */
function answerableItems(items: ThreadItem[], view: ThreadView | null): ThreadItem[] {
  const firstTaskId = view?.branch.beginsAt ?? null;
  const startIndex = firstTaskId === null ? 0 : items.findIndex(({ taskId }) => taskId === firstTaskId);
  return startIndex > 0 ? items.slice(startIndex) : items;
}

function workingTaskIdOf(items: ThreadItem[]): string | null {
  const turn = items.findLast(
    (item) => item.kind === 'agent' && (item.phase === 'working' || item.phase === 'needs-approval'),
  );
  return turn?.kind === 'agent' ? turn.taskId : null;
}

/** Focuses the composer when the page opens, except on touch devices, where the keyboard would cover the messages. */
function useInitialFocus(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (!window.matchMedia('(pointer: fine)').matches || isEditingElsewhere(field.current)) return;
    field.current?.focus({ preventScroll: true });
  }, [field]);
}

/** Stops the agent on Esc, regardless of the focus, unless Esc closes an open layer. */
function useStopKey(active: boolean, onStop: () => void): void {
  useEffect(() => {
    if (!active) return;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.key !== 'Escape' || event.defaultPrevented || event.isComposing) return;
      if (document.querySelector('[role="dialog"], [role="menu"], :popover-open')) return;
      onStop();
    }
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [active, onStop]);
}

/**
 * Keeps a copy of the conversation on the device, reports what the page displays, and takes what other apps share. The
 * code is loaded if the service worker is in control or the user has a device.
 */
function useDevice(options: DeviceOptions): void {
  const latest = useRef(options);
  latest.current = options;
  const { user, items } = options;
  const isNotified = user?.isNotified;
  useEffect(() => {
    if (isNotified || navigator.serviceWorker?.controller)
      void import('./device-work').then(({ follow }) => follow({ ...latest.current, items }));
  }, [items, isNotified]);
}
