// What a conversation does with the service worker's storage. Loaded when there is something to do.
import type { ThreadView } from '../../../lib/chat/schema-thread';
import { conversationPath } from '../../routes';
import { type CopiedMessage, copyConversation, takeShared } from '../../shell/device/device-store';
import { reportSeen } from '../../shell/device/web-push';
import type { ComposerState } from '../composer/use-composer';
import { textOfBlocks } from '../state/agent-item';
import type { ThreadItem } from '../state/to-items';

/** Writes the copy of a conversation. Never throws: storage may be full or disabled. */
export async function copyThread(
  userId: string,
  { conversation: { id, title }, agent }: ThreadView,
  items: ThreadItem[],
): Promise<void> {
  const copy = { id, title, agent: agent.name, messages: items.flatMap(toCopiedMessage) };
  await copyConversation(userId, copy).catch(() => undefined);
}

function toCopiedMessage(item: ThreadItem): CopiedMessage[] {
  if (item.kind === 'agent') {
    const text = textOfBlocks(item.blocks);
    return text === '' ? [] : [{ role: 'agent', text }];
  }
  const text = item.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return text === '' || item.delivery !== 'sent' ? [] : [{ role: 'user', text }];
}

/** Reports the conversation as seen as soon as the page is visible, unless `isOver` returns true by then. */
export function reportWhenVisible(id: string, isOver: () => boolean): void {
  function report(): void {
    if (!isOver() && document.visibilityState !== 'visible') return;
    document.removeEventListener('visibilitychange', report);
    if (!isOver()) void reportSeen(id, conversationPath(id)).catch(() => undefined);
  }
  document.addEventListener('visibilitychange', report);
  report();
}

/** Writes what another app shared into the composer, and explains if its files are too large. */
export async function fillIn(composer: () => ComposerState, tooMuch: string): Promise<void> {
  const shared = await takeShared().catch(() => null);
  if (!shared) return;
  composer().suggest(shared.text);
  composer().attach(shared.files);
  if (shared.isTooMuch) composer().explain(tooMuch);
}
