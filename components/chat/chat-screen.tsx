'use client';

import { type ReactNode, useCallback, useState } from 'react';
import type { ChatAgent, ChatLimits, ThreadView } from '../../lib/chat/schema';
import { newChatPath } from '../shell/routes';
import { mainId } from '../shell/skip-link';
import { ArtifactsView } from './artifacts-view';
import { ChatFooter } from './chat-footer';
import { EmptyThread } from './empty-thread';
import { FileDrop } from './file-drop';
import { conversationPath } from './paths';
import { ThreadHeader } from './thread-header';
import { ThreadItems } from './thread-items';
import { ThreadLog } from './thread-log';
import { useChat } from './use-chat';
import { useKeyboardInset } from './use-keyboard-inset';

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
}

/** A conversation with an agent: the history, the composer, and what came of it. */
export function ChatScreen({ prefill = '', resume = false, ...props }: ChatScreenProps): ReactNode {
  const { agent, view, signedIn } = props;
  const chat = useChat({ ...props, prefill, resume });
  const { items, artifacts, composer, questions, sending, thread } = chat;
  const [panel, setPanel] = useState<{ selectedId: string | null } | null>(null);
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
          signedIn={signedIn}
          title={view?.conversation.title ?? null}
        />
        <ThreadLog label={`Conversation with ${agent.name}`}>
          {items.length === 0 ? <EmptyThread agent={agent} onExample={composer.suggest} /> : null}
          <ThreadItems
            agent={agent}
            answeringTaskId={questions.question?.taskId ?? null}
            items={items}
            onAnswer={questions.answer}
            onDiscard={thread.discard}
            onOpenArtifact={openArtifact}
            onReply={sending.reply}
            onRetry={sending.retry}
            onSendAgain={sending.sendAgain}
          />
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
    </main>
  );
}
