'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense } from 'react';
import type { ChatAgent } from '../../lib/chat/schema-thread';
import { Alert } from '../ui/display/alert';
import { lazyComponent } from '../ui/overlays/lazy';
import { ChainNotice } from './chain-notice';
import { Composer } from './composer';
import { ConnectionNote } from './connection-note';
import { ReplyBar } from './reply-bar';
import type { Chat } from './use-chat';

// Many agents state no price.
const ComposerPrice = lazyComponent(async () => (await import('./composer-price')).ComposerPrice);

// Most messages are written when the agent has finished.
const QueuePanel = lazyComponent(async () => (await import('./queue-panel')).QueuePanel);

export interface ChatFooterProps {
  chat: Chat;
  agent: ChatAgent;
  /** Path of this conversation, to return to. */
  path: string;
  signedIn: boolean;
}

/** The composer: a message, or the answer to the open question. */
export function ChatFooter({ chat, agent, path, signedIn }: ChatFooterProps): ReactNode {
  const t = useTranslations('chat.chatFooter');
  const { thread, composer, interrupts, sending, queue, working, stop } = chat;
  const { interrupt } = interrupts;
  return (
    <div className="px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:px-6">
      <ConnectionNote connection={thread.connection} path={path} />
      {queue.items.length > 0 ? (
        <Suspense fallback={null}>
          <QueuePanel agentName={agent.name} field={composer.field} queue={queue} />
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
                <ComposerPrice agent={agent} signedIn={signedIn} />
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
          ) : (
            <ChainNotice chains={thread.state.chains} />
          )}
        </Composer>
      ) : (
        <Alert className="mx-auto w-full max-w-[46rem]">{agent.closed}</Alert>
      )}
    </div>
  );
}
