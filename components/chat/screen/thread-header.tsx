'use client';

import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import { agentPath } from '../../routes';
import { Button, IconButton } from '../../ui/controls/button';
import { FilesIcon, SidebarIcon } from '../../ui/display/action-icons';
import { AgentMark } from '../../ui/display/agent-mark';
import { LazyDialog, lazyComponent } from '../../ui/overlays/lazy';
import { ConversationList } from '../list/conversation-list';

const ConversationSum = lazyComponent(async () => (await import('../chains/paid-lines')).ConversationSum);
const TitleEditor = lazyComponent(async () => (await import('../list/title-editor')).TitleEditor);

interface ThreadHeaderProps {
  agent: { slug: string; name: string };
  /** Null before the conversation exists. */
  conversation: { id: string; title: string } | null;
  /** True while the title is being edited. */
  renaming: boolean;
  onRenamed: (title: string | null, byKey: boolean) => void;
  signedIn: boolean;
  /** True if the agent, or one that it hires, may take payments. */
  maySell: boolean;
  artifactCount: number;
  artifactsOpen: boolean;
  onToggleArtifacts: () => void;
  /** Actions on the whole conversation. */
  menu: ReactNode;
}

/** The title, the agent, the amount paid, and the button that opens the artifacts. */
export function ThreadHeader({ agent, conversation, signedIn, menu, ...rest }: ThreadHeaderProps): ReactNode {
  const t = useTranslations('chat.threadHeader');
  const { artifactCount, artifactsOpen, onToggleArtifacts, renaming, onRenamed, maySell } = rest;
  return (
    <header className="flex min-h-14 items-center gap-3 border-b border-line px-3 sm:px-5">
      {signedIn ? <ConversationSheet /> : null}
      <AgentMark className={clsx(signedIn && 'max-sm:hidden')} size={32} slug={agent.slug} />
      <div className="min-w-0 flex-1">
        {renaming && conversation ? (
          <Suspense fallback={<span className="block h-10" />}>
            <TitleEditor conversationId={conversation.id} onDone={onRenamed} title={conversation.title} />
          </Suspense>
        ) : null}
        <h1 className={clsx('truncate text-sm leading-tight font-semibold', renaming && 'sr-only')} dir="auto">
          {conversation?.title ?? t.rich('newWith', { agent: () => <bdi>{agent.name}</bdi> })}
        </h1>
        <p className={clsx('text-xs text-muted', renaming ? 'hidden' : 'flex')}>
          <Link className="truncate hover:text-ink hover:underline" href={agentPath(agent.slug)} prefetch={false}>
            <bdi>{agent.name}</bdi>
          </Link>
          {conversation && maySell && signedIn ? (
            <Suspense fallback={null}>
              <ConversationSum conversationId={conversation.id} />
            </Suspense>
          ) : null}
        </p>
      </div>
      {artifactCount > 0 ? (
        <Button aria-expanded={artifactsOpen} icon={<FilesIcon size={16} />} onClick={onToggleArtifacts} size="sm">
          {t.rich('artifacts', {
            label: (chunks) => (
              <span className={maySell ? 'max-[28rem]:sr-only' : 'max-[22.4rem]:sr-only'}>{chunks}</span>
            ),
            count: artifactCount,
          })}
        </Button>
      ) : null}
      {menu}
    </header>
  );
}

/** The list of conversations in a sheet, if there is no room for a sidebar. Unmounts with its page. */
function ConversationSheet(): ReactNode {
  const t = useTranslations('chat.conversationSheet');
  const [open, setOpen] = useState(false);
  return (
    <>
      <IconButton
        aria-expanded={open}
        aria-haspopup="dialog"
        className="-ms-1 md:hidden"
        label={t('title')}
        onClick={() => setOpen(true)}
      >
        <SidebarIcon size={20} />
      </IconButton>
      {open ? (
        <LazyDialog onOpenChange={setOpen} shape="sheet-start" title={t('title')}>
          <ConversationList idPrefix="sheet" />
        </LazyDialog>
      ) : null}
    </>
  );
}
