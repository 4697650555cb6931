'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { ChatAgent } from '../../../lib/chat/schema-thread';
import { conversationPath, newChatPath, routes, signInPath } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { lazyComponent } from '../../ui/overlays/lazy';
import { Composer } from '../composer/composer';
import type { Viewer } from '../guests/guest';
import type { Connection } from '../state/use-thread';
import type { Chat } from './use-chat';

// Most people have an account.
const GuestNote = lazyComponent(async () => (await import('../guests/guest-note')).GuestNote);

// Few messages cause calls between agents.
const ChainNotice = lazyComponent(async () => (await import('../chains/chain-notice')).ChainNotice);

// Many agents state no price.
const ComposerPrice = lazyComponent(async () => (await import('../composer/composer-price')).ComposerPrice);

// Most messages are written when the agent has finished.
const QueuePanel = lazyComponent(async () => (await import('../composer/queue-panel')).QueuePanel);

interface ChatFooterProps {
  chat: Chat;
  agent: ChatAgent;
  viewer: Viewer;
  /** The conversation; null before it exists. */
  conversationId: string | null;
}

/** The composer: a message, or the answer to the open question. */
export function ChatFooter({ chat, agent, viewer, conversationId }: ChatFooterProps): ReactNode {
  const t = useTranslations('chat.chatFooter');
  const { thread, composer, interrupts, sending, queue, working, stop } = chat;
  const { interrupt } = interrupts;
  return (
    <div className="px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
      <ConnectionNote
        connection={thread.connection}
        path={conversationId ? conversationPath(conversationId) : newChatPath(agent.slug)}
      />
      {queue.items.length > 0 ? (
        <Suspense fallback={null}>
          <QueuePanel agentName={agent.name} field={composer.field} queue={queue} />
        </Suspense>
      ) : null}
      {viewer !== 'user' && agent.isOpenToGuests ? (
        <Suspense fallback={<p className="mb-2 h-5" />}>
          <GuestNote conversationId={conversationId} turnsLeft={chat.guestTurnsLeft} />
        </Suspense>
      ) : null}
      {agent.closed === null ? (
        <Composer
          composer={composer}
          inputModes={agent.inputModes}
          label={t(interrupt ? 'answerTo' : 'messageTo', { agent: agent.name })}
          mayBeEmpty={interrupt?.kind === 'needs-auth'}
          onStop={stop}
          onSubmit={sending.submit}
          price={
            agent.price.kind === 'unstated' ? null : (
              <Suspense fallback={null}>
                <ComposerPrice agent={agent} signedIn={viewer === 'user'} />
              </Suspense>
            )
          }
          queues={queue.mustQueue}
          sendLabel={t(`verb.${interrupt?.kind ?? 'none'}`)}
          working={working}
        >
          {interrupt ? (
            <ReplyBar
              agentName={agent.name}
              kind={interrupt.kind}
              onDecline={() => thread.stop(interrupt.taskId)}
              onDismiss={interrupts.dismiss}
            />
          ) : thread.state.chains.size > 0 ? (
            <Suspense fallback={null}>
              <ChainNotice chains={thread.state.chains} />
            </Suspense>
          ) : null}
        </Composer>
      ) : (
        <Alert className="mx-auto w-full max-w-[46rem]">{agent.closed}</Alert>
      )}
    </div>
  );
}

interface ConnectionNoteProps {
  connection: Connection;
  /** Path to return to after sign-in. */
  path: string;
}

/** Explains why no updates arrive. Displayed only while the connection is lost. */
function ConnectionNote({ connection, path }: ConnectionNoteProps): ReactNode {
  const t = useTranslations('chat.connectionNote');
  switch (connection) {
    case 'live':
      return null;
    case 'waiting':
      return <Note>{t('waiting')}</Note>;
    case 'offline':
      return <Note>{t('offline')}</Note>;
    case 'signed-out':
      return (
        <Note>
          {t.rich('signedOut', {
            link: (chunks) => (
              <a className="text-link" href={signInPath(path)}>
                {chunks}
              </a>
            ),
          })}
        </Note>
      );
    case 'gone':
      return (
        <Note>
          {t.rich('gone', {
            link: (chunks) => (
              <a className="text-link" href={routes.chat}>
                {chunks}
              </a>
            ),
          })}
        </Note>
      );
  }
}

function Note({ children }: { children: ReactNode }): ReactNode {
  return (
    <Alert className="mx-auto mb-2 w-full max-w-[46rem]" live="polite" tone="warn">
      {children}
    </Alert>
  );
}

interface ReplyBarProps {
  agentName: string;
  kind: 'asks' | 'needs-auth';
  onDecline: () => void;
  /** Called to write a message that is not an answer. */
  onDismiss: () => void;
}

/** A bar above the field which states that the composer answers a question, with a way to dismiss it. */
function ReplyBar({ agentName, kind, onDecline, onDismiss }: ReplyBarProps): ReactNode {
  const t = useTranslations('chat.answerBar');
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-t-xl border-b border-line bg-accent-soft px-4 py-2 text-sm max-sm:pt-3">
      <p className="min-w-48 flex-1">
        {t.rich(kind, {
          agent: () => <bdi className="font-medium">{agentName}</bdi>,
        })}
      </p>
      <div className="-mx-3 flex flex-wrap gap-1">
        <Button onClick={onDismiss} size="sm" tone="quiet">
          {t('leave')}
        </Button>
        <Button onClick={onDecline} size="sm" tone="quiet">
          {t('decline')}
        </Button>
      </div>
    </div>
  );
}
