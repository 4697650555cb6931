'use client';

import clsx from 'clsx';
import Link, { useLinkStatus } from 'next/link';
import { usePathname } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useState } from 'react';
import type { ConversationView } from '../../lib/chat/schema';
import { AgentMark } from '../ui/agent-mark';
import { lazyComponent } from '../ui/lazy-component';
import { LazyMenu } from '../ui/lazy-menu';
import { MoreIcon } from './icons';
import { conversationPath } from './paths';

const loadMenu = () => import('./conversation-menu');
const ConversationMenu = lazyComponent(async () => (await loadMenu()).ConversationMenu);
const RenameDialog = lazyComponent(async () => (await import('./conversation-dialogs')).RenameDialog);
const DeleteDialog = lazyComponent(async () => (await import('./conversation-dialogs')).DeleteDialog);

export interface ConversationRowProps {
  conversation: ConversationView;
  onChanged: () => void;
}

/** One conversation in the list, with its actions. */
export function ConversationRow({ conversation, onChanged }: ConversationRowProps): ReactNode {
  const t = useTranslations('chat.conversationRow');
  const { id, title, agent } = conversation;
  const path = conversationPath(id);
  const isCurrent = usePathname() === path;
  const [dialog, setDialog] = useState<'rename' | 'delete' | null>(null);
  const close = (): void => setDialog(null);
  return (
    <li className={clsx('group flex items-center rounded-md', isCurrent ? 'bg-sunken' : 'hover:bg-sunken')}>
      <Link
        aria-current={isCurrent ? 'page' : undefined}
        className="flex min-h-12 min-w-0 flex-1 items-center gap-2.5 rounded-md px-2.5 py-1.5"
        href={path}
        prefetch={false}
      >
        <LoadingPulse>
          <AgentMark size={28} slug={agent.slug} />
        </LoadingPulse>
        <span className="min-w-0 flex-1">
          <span className="block truncate text-sm font-medium" dir="auto">
            {title}
          </span>
          <span className="block truncate text-xs text-muted">
            <bdi>{agent.name}</bdi>
          </span>
        </span>
      </Link>
      <LazyMenu
        button={{
          children: <MoreIcon size={18} />,
          className:
            'me-1 opacity-0 group-focus-within:opacity-100 group-hover:opacity-100 data-[state=open]:opacity-100 touch:opacity-100',
          label: t('more', { title }),
          size: 'sm',
        }}
        load={loadMenu}
      >
        {(trigger) => (
          <ConversationMenu
            onDelete={() => setDialog('delete')}
            onRename={() => setDialog('rename')}
            trigger={trigger}
          />
        )}
      </LazyMenu>
      <Suspense>
        {dialog === 'rename' ? (
          <RenameDialog conversation={conversation} isCurrent={isCurrent} onChanged={onChanged} onClose={close} />
        ) : null}
        {dialog === 'delete' ? (
          <DeleteDialog conversation={conversation} isCurrent={isCurrent} onChanged={onChanged} onClose={close} />
        ) : null}
      </Suspense>
    </li>
  );
}

/** The avatar pulses while the conversation loads. */
function LoadingPulse({ children }: { children: ReactNode }): ReactNode {
  const { pending } = useLinkStatus();
  return <span className={clsx('shrink-0', pending && 'animate-breathe')}>{children}</span>;
}
