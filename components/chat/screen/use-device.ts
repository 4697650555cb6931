import { useEffect, useRef } from 'react';
import type { ThreadView } from '../../../lib/chat/schema-thread';
import type { ComposerState } from '../composer/use-composer';
import { isRunning } from '../state/agent-item';
import type { ThreadItem } from '../state/to-items';

/** The user of the conversation on this device; null for visitors and guests, of whom nothing is kept. */
export interface DeviceUser {
  userId: string;
  /** True if the user receives notifications on some device, which are not sent for what a page displays. */
  isNotified: boolean;
}

const loadWork = () => import('./device-work');

/** Returns true if the service worker is in control, and so may have copies and shared content. */
function hasWorker(): boolean {
  return Boolean(navigator.serviceWorker?.controller);
}

/** Delay after the last change of the conversation until its copy is written, milliseconds. */
const COPY_DELAY_MS = 2_000;

interface ConversationOptions {
  user: DeviceUser | null;
  view: ThreadView | null;
  items: ThreadItem[];
}

/** Keeps a read-only copy of the conversation on the device, for reading without a network. */
export function useConversationCopy({ user, view, items }: ConversationOptions): void {
  const latest = useRef(view);
  latest.current = view;
  const userId = user?.userId;
  const title = view?.conversation.title;
  useEffect(() => {
    const shown = latest.current;
    if (!(userId && shown && title !== undefined && items.length > 0)) return;
    const timer = setTimeout(() => {
      if (hasWorker()) void loadWork().then(({ copyThread }) => copyThread(userId, shown, items));
    }, COPY_DELAY_MS);
    return () => clearTimeout(timer);
  }, [userId, title, items]);
}

/** Reports the end of each turn that a visible page displays, so that no device is notified of it. */
export function useSeenReports({ user, view, items }: ConversationOptions): void {
  const id = user?.isNotified ? view?.conversation.id : undefined;
  const last = items.findLast((item) => item.kind === 'agent');
  const isEnd = last?.kind === 'agent' && (!isRunning(last.phase) || last.phase === 'needs-approval');
  const end = isEnd ? `${last.key} ${last.phase}` : null;
  useEffect(() => {
    if (id === undefined || end === null) return;
    let isOver = false;
    void loadWork().then(({ reportWhenVisible }) => reportWhenVisible(id, () => isOver));
    return () => {
      isOver = true;
    };
  }, [id, end]);
}

/** Fills the composer of a new conversation with what another app shared on this device. Sends nothing. */
export function useSharedContent(isNew: boolean, composer: ComposerState, tooMuch: string): void {
  const latest = useRef(composer);
  latest.current = composer;
  useEffect(() => {
    if (isNew && hasWorker()) void loadWork().then(({ fillIn }) => fillIn(() => latest.current, tooMuch));
  }, [isNew, tooMuch]);
}
