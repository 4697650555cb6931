import { useTranslations } from 'next-intl';
import { useEffect, useRef } from 'react';
import type { ChatAgent, ThreadView } from '../../../lib/chat/schema-thread';
import { conversationPath } from '../../routes';
import type { CopiedMessage } from '../../shell/device/device-store';
import type { ComposerState } from '../composer/use-composer';
import { isRunning, textOfBlocks } from '../state/agent-item';
import type { ThreadItem } from '../state/to-items';

/** The user of the conversation on this device; null for visitors and guests, of whom nothing is kept. */
export interface DeviceUser {
  userId: string;
  /** True if the user receives notifications on some device, which are not sent for what a page displays. */
  isNotified: boolean;
}

const loadStore = () => import('../../shell/device/device-store');

/** True if the service worker is in control, and so may have copies and shared content. */
function hasWorker(): boolean {
  return 'serviceWorker' in navigator && navigator.serviceWorker.controller !== null;
}

/** Delay after the last change of the conversation until its copy is written, milliseconds. */
const COPY_DELAY_MS = 2_000;

interface ConversationOptions {
  user: DeviceUser | null;
  agent: ChatAgent;
  view: ThreadView | null;
  items: ThreadItem[];
}

/** Keeps a read-only copy of the conversation on the device, for reading without a network. */
export function useConversationCopy({ user, agent, view, items }: ConversationOptions): void {
  const userId = user?.userId ?? null;
  const id = view?.conversation.id ?? null;
  const title = view?.conversation.title ?? '';
  const { name } = agent;
  useEffect(() => {
    if (userId === null || id === null || items.length === 0) return;
    const timer = setTimeout(() => {
      if (!hasWorker()) return;
      const copy = { id, title, agent: name, messages: items.flatMap(toCopiedMessage) };
      loadStore()
        .then((store) => store.copyConversation(userId, copy))
        .catch(() => undefined);
    }, COPY_DELAY_MS);
    return () => clearTimeout(timer);
  }, [userId, id, title, name, items]);
}

function toCopiedMessage(item: ThreadItem): CopiedMessage[] {
  if (item.kind === 'agent') {
    const text = textOfBlocks(item.blocks);
    return text === '' ? [] : [{ role: 'agent', text }];
  }
  const text = item.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return text === '' || item.delivery !== 'sent' ? [] : [{ role: 'user', text }];
}

/** Reports the end of each turn that a visible page displays, so that no device is notified of it. */
export function useSeenReports({ user, view, items }: Omit<ConversationOptions, 'agent'>): void {
  const id = view?.conversation.id ?? null;
  const isNotified = user?.isNotified ?? false;
  const last = items.findLast((item) => item.kind === 'agent');
  const isEnd = last?.kind === 'agent' && (!isRunning(last.phase) || last.phase === 'needs-approval');
  const end = isEnd ? `${last.key} ${last.phase}` : null;
  const reported = useRef<string | null>(null);
  useEffect(() => {
    if (!isNotified || id === null || end === null) return;
    function report(): void {
      if (id === null || document.visibilityState !== 'visible' || reported.current === end) return;
      reported.current = end;
      import('../../shell/device/web-push')
        .then(({ reportSeen }) => reportSeen(id, conversationPath(id)))
        .catch(() => undefined);
    }
    report();
    document.addEventListener('visibilitychange', report);
    return () => document.removeEventListener('visibilitychange', report);
  }, [isNotified, id, end]);
}

/** Fills the composer of a new conversation with what another app shared on this device. Sends nothing. */
export function useSharedContent(isNew: boolean, composer: ComposerState): void {
  const t = useTranslations('chat.sharedContent');
  const latest = useRef({ composer, t });
  latest.current = { composer, t };
  useEffect(() => {
    if (!isNew || !hasWorker()) return;
    loadStore()
      .then((store) => store.takeShared())
      .then((shared) => {
        if (!shared) return;
        const { suggest, attach, explain } = latest.current.composer;
        suggest(shared.text);
        attach(shared.files);
        if (shared.isTooMuch) explain(latest.current.t('tooMuch'));
      })
      .catch(() => undefined);
  }, [isNew]);
}
