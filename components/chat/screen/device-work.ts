// What a conversation does with the storage of the service worker, and reports to the server. Loaded lazily.
import type { ThreadView } from '../../../lib/chat/schema-thread';
import { conversationPath } from '../../routes';
import { type CopiedMessage, copyConversation, takeShared } from '../../shell/device/device-store';
import { reportSeen } from '../../shell/device/web-push';
import type { ComposerState } from '../composer/use-composer';
import { isRunning, textOfBlocks } from '../state/agent-item';
import type { ThreadItem } from '../state/to-items';

/** The user of the conversation on this device; null for visitors and guests, of whom nothing is kept. */
export interface DeviceUser {
  userId: string;
  /** True if the user receives notifications on some device, which are not sent for what a page displays. */
  isNotified: boolean;
}

export interface DeviceOptions {
  user: DeviceUser | null;
  /** Null until the conversation exists. */
  view: ThreadView | null;
  items: ThreadItem[];
  composer: ComposerState;
  /** The explanation for shared files that are too large. */
  tooMuch: string;
}

/** Delay after the last change of the conversation until its copy is written, milliseconds. */
const COPY_DELAY_MS = 2_000;

let copyTimer: ReturnType<typeof setTimeout> | undefined;
let displayed: DeviceOptions | null = null;
let reported = '';
let hasTaken = false;

/** Called with every change of the conversation that the page displays. Never throws: storage may be full or disabled. */
export function follow(options: DeviceOptions): void {
  displayed = options;
  clearTimeout(copyTimer);
  copyTimer = setTimeout(() => void copyThread(options).catch(() => undefined), COPY_DELAY_MS);
  report();
  if (options.view === null && !hasTaken) void fillIn(options).catch(() => undefined);
}

document.addEventListener('visibilitychange', report);

async function copyThread({ user, view, items }: DeviceOptions): Promise<void> {
  const messages = items.flatMap(toCopiedMessage);
  if (!user || !view || messages.length === 0) return;
  const { id, title } = view.conversation;
  await copyConversation(user.userId, { id, title, agent: view.agent.name, messages });
}

function toCopiedMessage(item: ThreadItem): CopiedMessage[] {
  if (item.kind === 'agent') {
    const text = textOfBlocks(item.blocks);
    return text === '' ? [] : [{ role: 'agent', text }];
  }
  const text = item.parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('\n');
  return text === '' || item.delivery !== 'sent' ? [] : [{ role: 'user', text }];
}

/** Reports the end of the latest turn as seen, once, if the page is visible and still displays the conversation. */
function report(): void {
  const { user, view, items } = displayed ?? {};
  const last = items?.findLast((item) => item.kind === 'agent');
  if (!user?.isNotified || !view || last?.kind !== 'agent') return;
  if (isRunning(last.phase) && last.phase !== 'needs-approval') return;
  const { id } = view.conversation;
  const path = conversationPath(id);
  const end = `${last.key} ${last.phase}`;
  if (end === reported || document.visibilityState !== 'visible' || window.location.pathname !== path) return;
  reported = end;
  void reportSeen(id, path).catch(() => undefined);
}

/** Writes what another app shared into the composer of a new conversation. Sends nothing. */
async function fillIn({ composer, tooMuch }: DeviceOptions): Promise<void> {
  hasTaken = true;
  const shared = await takeShared();
  if (!shared) return;
  composer.suggest(shared.text);
  composer.attach(shared.files);
  if (shared.isTooMuch) composer.explain(tooMuch);
}
