'use client';

import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react';
import type { ChatAgent, ChatLimits, ThreadView } from '../../lib/chat/schema';
import { newChatPath } from '../shell/routes';
import { mainId } from '../shell/skip-link';
import { ArtifactsView } from './artifacts-view';
import { ChatFooter } from './chat-footer';
import { EmptyThread } from './empty-thread';
import { FileDrop } from './file-drop';
import { conversationPath } from './paths';
import { ThreadDialogs } from './thread-dialogs';
import { ThreadHeader } from './thread-header';
import { ThreadItems } from './thread-items';
import { ThreadLog } from './thread-log';
import { ThreadToolsContext } from './thread-tools';
import { useChat } from './use-chat';
import { useKeyboardInset } from './use-keyboard-inset';
import { useThreadTools } from './use-thread-tools';

const ThreadMenu = lazy(async () => ({ default: (await import('./thread-menu')).ThreadMenu }));

export interface ChatScreenProps {
  agent: ChatAgent;
  limits: ChatLimits;
  /** Null while the conversation is only about to begin. */
  view: ThreadView | null;
  signedIn: boolean;
  /** Text that waits in the composer of a new conversation. */
  prefill?: string;
  /** The person comes back from signing in: what they wrote before is sent. */
  resume?: boolean;
  /** The task to begin reading at; none: the end. */
  at?: string | null;
}

/** A conversation with an agent: the history, the composer, and what came of it. */
export function ChatScreen({ prefill = '', resume = false, at = null, ...props }: ChatScreenProps): ReactNode {
  const { agent, view, signedIn } = props;
  const chat = useChat({ ...props, prefill, resume });
  const { items, artifacts, composer, questions, sending, thread } = chat;
  const [panel, setPanel] = useState<{ selectedId: string | null } | null>(null);
  const conversationId = view?.conversation.id ?? null;
  const branch = view?.branch ?? null;
  const { tools, feedback, dialog, open } = useThreadTools({
    agentName: agent.name,
    conversationId,
    first: view?.feedback ?? [],
    sending,
  });
  const openArtifact = useCallback((selectedId: string | null) => setPanel({ selectedId }), []);
  return (
    <main
      className="flex min-w-0 flex-1 outline-none"
      id={mainId}
      style={{ paddingBottom: useKeyboardInset() }}
      tabIndex={-1}
    >
      <FileDrop active={agent.closed === null && agent.inputModes.length > 0} onDrop={composer.attach}>
        <ThreadHeader
          agent={agent}
          artifactCount={artifacts.artifacts.length}
          artifactsOpen={panel !== null}
          onToggleArtifacts={() => setPanel(panel === null ? { selectedId: null } : null)}
          menu={
            view ? (
              <Suspense fallback={<span className="size-10 shrink-0" />}>
                <ThreadMenu
                  branch={view.branch.id}
                  conversationId={view.conversation.id}
                  onFind={() => open({ kind: 'find' })}
                  onShare={() => open({ kind: 'share' })}
                />
              </Suspense>
            ) : null
          }
          signedIn={signedIn}
          title={view?.conversation.title ?? null}
        />
        <ThreadLog
          at={at}
          hasOlder={thread.hasOlder}
          label={`Conversation with ${agent.name}`}
          onOlder={thread.loadOlder}
        >
          {items.length === 0 ? <EmptyThread agent={agent} onExample={composer.suggest} /> : null}
          <ThreadToolsContext value={view ? tools : null}>
            <ThreadItems
              agent={agent}
              answeringTaskId={questions.question?.taskId ?? null}
              branch={branch}
              conversationId={conversationId}
              items={items}
              onAnswer={questions.answer}
              onDiscard={thread.discard}
              onOpenArtifact={openArtifact}
              onReply={sending.reply}
              onRetry={sending.retry}
              onSendAgain={sending.sendAgain}
            />
          </ThreadToolsContext>
        </ThreadLog>
        <ChatFooter
          agent={agent}
          chat={chat}
          path={view ? conversationPath(view.conversation.id) : newChatPath(agent.slug)}
        />
      </FileDrop>
      <ArtifactsView
        {...artifacts}
        agentName={agent.name}
        onClose={() => setPanel(null)}
        onSelect={openArtifact}
        open={panel !== null && artifacts.artifacts.length > 0}
        selectedId={panel?.selectedId ?? null}
      />
      <ThreadDialogs
        agent={agent}
        branch={branch?.id ?? null}
        conversationId={conversationId}
        dialog={dialog}
        feedback={feedback}
        items={items}
        onClose={() => open(null)}
      />
    </main>
  );
}
