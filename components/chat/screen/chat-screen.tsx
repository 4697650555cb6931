'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useCallback, useState } from 'react';
import type { ChatLimits } from '../../../lib/chat/schema';
import type { ChatAgent, ThreadView } from '../../../lib/chat/schema-thread';
import { mainId } from '../../shell/skip-link';
import { MoreIcon } from '../../ui/display/action-icons';
import { LazyMenu, lazyComponent } from '../../ui/overlays/lazy';
import { FileDrop } from '../composer/file-drop';
import { useKeyboardInset } from '../composer/use-keyboard-inset';
import { GuestConversationContext, type Viewer } from '../guests/guest';
import { useRename } from '../list/use-conversation-list';
import { ReplyRulesContext } from '../state/agent-item';
import { ChainActionsContext } from '../state/chains';
import { ExampleContext, type MessageActions, MessageActionsContext } from '../thread/message-actions';
import { ThreadItems } from '../thread/thread-items';
import { ThreadLog } from '../thread/thread-log';
import { ChatFooter } from './chat-footer';
import type { DeviceUser } from './device-work';
import { type ThreadDialog, ThreadDialogs, useMessageActions } from './thread-dialogs';
import { ThreadHeader } from './thread-header';
import { type Chat, useChat } from './use-chat';

const ArtifactsView = lazyComponent(async () => (await import('./artifacts-view')).ArtifactsView);

const loadMenu = () => import('./thread-menu');
const ThreadMenu = lazyComponent(async () => (await loadMenu()).ThreadMenu);

export interface ChatScreenProps {
  agent: ChatAgent;
  limits: ChatLimits;
  /** Null until the conversation exists. */
  view: ThreadView | null;
  viewer: Viewer;
  /** The user of this device; null for visitors and guests. */
  deviceUser?: DeviceUser | null;
  /** Messages that a guest can still send to the agent today; null for others. */
  guestTurnsLeft?: number | null;
  /**
   * Displayed before the first message. Passed by the page, so that an update of this
   * component does not hide it while its script is loading.
   */
  intro?: ReactNode;
  /** Text prefilled in the composer of a new conversation. */
  prefill?: string;
  /** True if the user returns from sign-in; the pending message is then sent. */
  resume?: boolean;
}

/** A conversation with an agent: history, composer and artifacts. */
export function ChatScreen(props: ChatScreenProps): ReactNode {
  const { agent, view, viewer } = props;
  const signedIn = viewer === 'user';
  const chat = useChat({ deviceUser: null, prefill: '', resume: false, guestTurnsLeft: null, ...props });
  const { items, artifacts, composer, sending } = chat;
  const [panel, setPanel] = useState<{ selectedId: string | null } | null>(null);
  const conversationId = view?.conversation.id ?? null;
  const { actions, feedback, dialog, open } = useMessageActions({
    agentName: agent.name,
    conversationId,
    initialFeedback: view?.feedback ?? [],
    sending,
  });
  const rename = useRename();
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
          conversation={view?.conversation ?? null}
          menu={
            view && signedIn ? (
              <span ref={rename.menu}>
                <Menu onOpen={open} onRename={rename.start} view={view} />
              </span>
            ) : null
          }
          maySell={agent.price.kind !== 'unstated' || chat.thread.state.chains.size > 0}
          onRenamed={rename.end}
          renaming={rename.renaming}
          signedIn={signedIn}
        />
        <ThreadBody
          agent={agent}
          chat={chat}
          rules={props}
          onOpenArtifact={openArtifact}
          actions={view && signedIn ? actions : null}
          intro={props.intro}
          view={view}
        />
        <ChatFooter agent={agent} chat={chat} conversationId={conversationId} viewer={viewer} />
      </FileDrop>
      {panel !== null && artifacts.artifacts.length > 0 ? (
        <Suspense fallback={null}>
          <ArtifactsView
            {...artifacts}
            agentName={agent.name}
            onClose={() => setPanel(null)}
            onSelect={openArtifact}
            selectedId={panel.selectedId}
          />
        </Suspense>
      ) : null}
      <ThreadDialogs
        agent={agent}
        branch={view?.branch.id ?? null}
        conversationId={conversationId}
        dialog={dialog}
        feedback={feedback}
        items={items}
        onClose={() => open(null)}
      />
    </main>
  );
}

interface MenuProps {
  view: ThreadView;
  onOpen: (dialog: ThreadDialog) => void;
  onRename: () => void;
}

function Menu({ view, onOpen, onRename }: MenuProps): ReactNode {
  const t = useTranslations('chat.chatScreen');
  return (
    <LazyMenu button={{ children: <MoreIcon size={20} />, label: t('more') }} load={loadMenu}>
      {(trigger) => (
        <ThreadMenu
          branch={view.branch.id}
          conversationId={view.conversation.id}
          onFind={() => onOpen({ kind: 'find' })}
          onRename={onRename}
          onShare={() => onOpen({ kind: 'share' })}
          trigger={trigger}
        />
      )}
    </LazyMenu>
  );
}

interface ThreadBodyProps {
  agent: ChatAgent;
  rules: Pick<ChatScreenProps, 'agent' | 'limits'>;
  view: ThreadView | null;
  chat: Chat;
  intro: ReactNode;
  /** Null if no conversation is open. */
  actions: MessageActions | null;
  onOpenArtifact: (id: string | null) => void;
}

/** The messages. */
function ThreadBody({ agent, rules, view, chat, intro, actions, onOpenArtifact }: ThreadBodyProps): ReactNode {
  const t = useTranslations('chat.chatScreen');
  const { items, composer, interrupts, sending, thread } = chat;
  return (
    <ThreadLog
      targetTaskId={view?.at ?? null}
      hasOlder={thread.hasOlder}
      label={t('conversationWith', { agent: agent.name })}
      onLoadOlder={thread.loadOlder}
      sendingIds={thread.state.outgoing.filter(({ problem }) => problem === null).map(({ messageId }) => messageId)}
    >
      {items.length === 0 ? (
        <ExampleContext value={chat.maySend ? sending.sendExample : composer.suggest}>{intro}</ExampleContext>
      ) : null}
      <GuestConversationContext value={chat.isGuest ? (view?.conversation.id ?? null) : null}>
        <MessageActionsContext value={actions}>
          <ChainActionsContext value={thread.chainActions}>
            <ReplyRulesContext value={{ ...rules, items, reply: sending.reply }}>
              <ThreadItems
                agent={agent}
                answeringTaskId={interrupts.interrupt?.taskId ?? null}
                branch={view?.branch ?? null}
                chains={thread.state.chains}
                conversationId={view?.conversation.id ?? null}
                items={items}
                onAnswer={interrupts.answer}
                onCancel={thread.cancelUpload}
                onDiscard={thread.discard}
                onOpenArtifact={onOpenArtifact}
                onReply={sending.reply}
                onRetry={sending.retry}
                onSendAgain={sending.sendAgain}
              />
            </ReplyRulesContext>
          </ChainActionsContext>
        </MessageActionsContext>
      </GuestConversationContext>
    </ThreadLog>
  );
}
