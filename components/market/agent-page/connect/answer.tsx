'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import type { ThreadView } from '@/lib/chat/schema-thread';
import { readThread } from '../../../chat/state/api';
import { toItems } from '../../../chat/state/to-items';
import { useThread } from '../../../chat/state/use-thread';
import { AgentTurn } from '../../../chat/thread/agent-turn';
import { useAnnouncements } from '../../../chat/thread/use-announcements';
import { conversationPath } from '../../../routes';
import { LinkButton } from '../../../ui/controls/button';
import { Alert } from '../../../ui/display/alert';

export interface AnswerProps {
  agent: { slug: string; name: string };
  conversationId: string;
  branch: string;
}

/** The agent's streamed answer to the message that started a conversation. Later messages are in the chat. */
export function Answer({ agent, conversationId, branch }: AnswerProps): ReactNode {
  const t = useTranslations('market.answer');
  const [thread, setThread] = useState<ThreadView | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    readThread(conversationId, branch).then(setThread, () => setFailed(true));
  }, [conversationId, branch]);

  return (
    <section aria-label={t('label', { name: agent.name })} className="space-y-4">
      {thread ? <LiveAnswer agent={agent} thread={thread} /> : null}
      {failed ? (
        <Alert live="assertive" title={t('notLoaded')} tone="warn">
          {t('notLoadedHint')}
        </Alert>
      ) : null}
      <LinkButton href={conversationPath(conversationId)} size="sm">
        {t('goOn')}
      </LinkButton>
    </section>
  );
}

function LiveAnswer({ agent, thread: view }: { agent: AnswerProps['agent']; thread: ThreadView }): ReactNode {
  const thread = useThread({ thread: view, agentSlug: agent.slug, onAccepted: nothing });
  const items = useMemo(() => toItems(thread.state), [thread.state]);
  useAnnouncements(items, agent.name);
  const toChat = (): void => window.location.assign(conversationPath(view.conversation.id));
  return items.map((item) =>
    item.kind === 'agent' ? (
      <AgentTurn
        agent={agent}
        answering={false}
        item={item}
        key={item.key}
        onAnswer={toChat}
        onOpenArtifact={toChat}
        onReply={toChat}
        onSendAgain={toChat}
      />
    ) : null,
  );
}

function nothing(): void {
  // The conversation is already persisted.
}
