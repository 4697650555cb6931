'use client';

import clsx from 'clsx';
import Link, { useLinkStatus } from 'next/link';
import { usePathname, useRouter } from 'next/navigation';
import { useLocale, useTranslations } from 'next-intl';
import { type ReactNode, Suspense, useEffect, useId, useRef, useState } from 'react';
import type { ConversationView } from '../../../lib/chat/schema';
import { conversationPath } from '../../routes';
import { MoreIcon } from '../../ui/display/action-icons';
import { AgentMark } from '../../ui/display/agent-mark';
import { useClock } from '../../ui/display/date-time';
import { LazyMenu, lazyComponent } from '../../ui/overlays/lazy';
import { type ConversationGroup, groupConversations } from '../state/chat-time';
import type { ConversationActions } from './use-conversation-actions';

interface ConversationGroupsProps {
  conversations: readonly ConversationView[];
  actions: ConversationActions;
  /** True for one list without sections, as for search results. */
  flat: boolean;
  /** Further items at the end. */
  children: ReactNode;
}

/** Conversations in sections by day. */
export function ConversationGroups({ conversations, actions, flat, children }: ConversationGroupsProps): ReactNode {
  const t = useTranslations('chat.conversationList');
  const locale = useLocale();
  const clock = useClock();
  const rowsOf = (items: readonly ConversationView[]): ReactNode =>
    items.map((conversation) => (
      <ConversationRow actions={actions} conversation={conversation} key={conversation.id} />
    ));
  return (
    <ul aria-label={t('list')} className={flat ? 'space-y-0.5' : 'space-y-3'}>
      {flat
        ? rowsOf(conversations)
        : groupConversations(conversations, clock, locale).map((group) => (
            <Section group={group} key={group.key}>
              {rowsOf(group.items)}
            </Section>
          ))}
      {children}
    </ul>
  );
}

function Section({ group, children }: { group: ConversationGroup<unknown>; children: ReactNode }): ReactNode {
  const t = useTranslations('chat.conversationList.groups');
  const id = useId();
  return (
    <li>
      <h2 className="px-2.5 pb-1 text-xs font-medium text-muted" id={id}>
        {group.heading === 'month' ? group.month : t(group.heading)}
      </h2>
      <ul aria-labelledby={id} className="space-y-0.5">
        {children}
      </ul>
    </li>
  );
}

const loadMenu = () => import('./conversation-menu');
const ConversationMenu = lazyComponent(async () => (await loadMenu()).ConversationMenu);
const TitleEditor = lazyComponent(async () => (await import('./title-editor')).TitleEditor);
const DeleteDialog = lazyComponent(async () => (await import('./delete-dialog')).DeleteDialog);

interface ConversationRowProps {
  conversation: ConversationView;
  actions: ConversationActions;
}

/** One conversation in the list, with its actions. */
function ConversationRow({ conversation, actions }: ConversationRowProps): ReactNode {
  const t = useTranslations('chat.conversationRow');
  const { id, title, agent, pinned, archived } = conversation;
  const path = conversationPath(id);
  const isCurrent = usePathname() === path;
  const router = useRouter();
  const [open, setOpen] = useState<'title' | 'delete' | null>(null);
  const row = useRef<HTMLLIElement>(null);
  const returns = useRef(false);
  useEffect(() => {
    if (open !== null || !returns.current) return;
    returns.current = false;
    row.current?.querySelector('button')?.focus();
  }, [open]);

  function onRenamed(renamed: string | null, byKey: boolean): void {
    returns.current = byKey;
    setOpen(null);
    if (renamed === null) return;
    void actions.refresh();
    if (isCurrent) router.refresh();
  }

  return (
    <li
      className={clsx('group flex items-center rounded-md', isCurrent ? 'bg-sunken' : 'hover:bg-sunken')}
      data-conversation={id}
      ref={row}
    >
      {open === 'title' ? (
        <Suspense fallback={<span className="min-h-12" />}>
          <div className="flex min-h-12 min-w-0 flex-1 items-center px-1">
            <TitleEditor conversationId={id} onDone={onRenamed} title={title} />
          </div>
        </Suspense>
      ) : (
        <>
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
                archived={archived}
                onArchive={(next) => void actions.archive(conversation, next)}
                onDelete={() => setOpen('delete')}
                onPin={(next) => void actions.pin(conversation, next)}
                onRename={() => setOpen('title')}
                pinned={pinned}
                trigger={trigger}
              />
            )}
          </LazyMenu>
        </>
      )}
      <Suspense>
        {open === 'delete' ? (
          <DeleteDialog
            conversation={conversation}
            isCurrent={isCurrent}
            onClose={() => setOpen(null)}
            onDelete={() => actions.remove(conversation)}
          />
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
