import { type ReactNode, Suspense } from 'react';
import { lazyComponent } from '../ui/overlays/lazy';
import type { ThreadItem } from './to-items';
import { toMessageContent } from './to-message-content';
import type { FeedbackState } from './use-feedback';
import type { ThreadDialog } from './use-message-actions';

// Loaded on demand.
const FindDialog = lazyComponent(async () => (await import('./find-dialog')).FindDialog);
const ShareDialog = lazyComponent(async () => (await import('./share-dialog')).ShareDialog);
const Inspector = lazyComponent(async () => (await import('./inspector')).Inspector);
const FeedbackDialog = lazyComponent(async () => (await import('./feedback-dialog')).FeedbackDialog);

export interface ThreadDialogsProps {
  dialog: ThreadDialog | null;
  conversationId: string | null;
  branch: string | null;
  agent: { slug: string; name: string };
  items: readonly ThreadItem[];
  feedback: FeedbackState;
  onClose: () => void;
}

/** The requested dialog. */
export function ThreadDialogs(props: ThreadDialogsProps): ReactNode {
  return <Suspense fallback={null}>{dialogOf(props)}</Suspense>;
}

function dialogOf({ dialog, conversationId, branch, agent, items, feedback, onClose }: ThreadDialogsProps): ReactNode {
  if (dialog === null || conversationId === null || branch === null) return null;
  switch (dialog.kind) {
    case 'find':
      return <FindDialog conversationId={conversationId} onClose={onClose} />;
    case 'share':
      return (
        <ShareDialog branch={branch} conversationId={conversationId} messages={messagesOf(items)} onClose={onClose} />
      );
    case 'inspect':
      return (
        <Inspector
          agent={agent}
          conversationId={conversationId}
          onClose={onClose}
          taskId={dialog.taskId}
          text={messagesOf(items).find(({ taskId }) => taskId === dialog.taskId)?.text ?? ''}
        />
      );
    case 'feedback':
      return (
        <FeedbackDialog
          agentName={agent.name}
          onClose={onClose}
          onSend={(why) => feedback.addReason(dialog.turn, why)}
        />
      );
  }
}

/** The messages that started tasks, in order. */
function messagesOf(items: readonly ThreadItem[]): { taskId: string; text: string }[] {
  return items.flatMap((item) =>
    item.kind === 'user' && item.startsTask && item.taskId
      ? [{ taskId: item.taskId, text: toMessageContent(item.parts).text }]
      : [],
  );
}
