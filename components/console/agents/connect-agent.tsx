'use client';

import clsx from 'clsx';
import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useEffect, useRef } from 'react';
import useSWR from 'swr';
import type { AgentView, PresenceView } from '@/lib/catalog/schema';
import { readApi } from '../../forms/call-api';
import { CodeBlock } from '../../ui/display/code-block';
import { useFormat } from '../../ui/display/format';
import { ChevronDownIcon } from '../../ui/display/icons';

interface ConnectAgentProps {
  slug: string;
  /** The command that connects the agent. */
  command: string;
  /** The presence at the time of rendering. */
  presence: PresenceView;
}

/** Polling interval for the presence, milliseconds. */
const pollMs = { offline: 2_000, online: 10_000 };

/** The command that connects an agent, and its live connection state. */
export function ConnectAgent({ slug, command, presence: initial }: ConnectAgentProps): ReactNode {
  const t = useTranslations('console.connectAgent');
  const { data } = useSWR(`/api/agents/${encodeURIComponent(slug)}`, readApi<AgentView>, {
    refreshInterval: (latest) => (latest?.presence?.online ? pollMs.online : pollMs.offline),
  });
  const presence = data?.presence ?? initial;
  useRefreshedPage(presence.online);
  const block = <CodeBlock code={command} label={t('command')} wrap />;
  return (
    <div className="space-y-4">
      <PresenceLine presence={presence} />
      {presence.connectedAt === null ? (
        <>
          <p className="max-w-prose text-sm text-muted">{t('how')}</p>
          {block}
        </>
      ) : (
        <details>
          <summary className="bare-summary inline-flex min-h-8 cursor-pointer items-center gap-1.5 text-sm text-muted hover:text-ink touch:min-h-11">
            {t('again')}
            <ChevronDownIcon className="chevron" size={16} />
          </summary>
          <div className="mt-2">{block}</div>
        </details>
      )}
    </div>
  );
}

/** Renders the page again when the agent comes online, because its hello may have contained a card. */
function useRefreshedPage(online: boolean): void {
  const router = useRouter();
  const before = useRef(online);
  useEffect(() => {
    if (online && !before.current) router.refresh();
    before.current = online;
  }, [online, router]);
}

function PresenceLine({ presence: { online, workers, connectedAt } }: { presence: PresenceView }): ReactNode {
  const t = useTranslations('console.connectAgent');
  const format = useFormat();
  const state = online ? 'online' : connectedAt === null ? 'waiting' : 'offline';
  return (
    <div className={clsx('flex gap-3 rounded-lg border px-4 py-3', frames[state])} role="status">
      <span aria-hidden="true" className="relative mt-1.5 flex size-2.5 shrink-0">
        {state === 'waiting' ? (
          <span className="absolute size-full animate-ping rounded-full bg-current opacity-60 motion-reduce:hidden" />
        ) : null}
        <span
          className={clsx('size-full rounded-full', state === 'offline' ? 'border-2 border-current' : 'bg-current')}
        />
      </span>
      <p className="min-w-0 text-sm">
        <span className="block font-semibold">{t(`${state}.title`)}</span>
        <span className="block text-ink">
          {t(`${state}.text`, { workers, since: connectedAt === null ? '' : format.date(connectedAt, 'moment') })}
        </span>
      </p>
    </div>
  );
}

const frames = {
  online: 'border-good/30 bg-good-soft text-good',
  waiting: 'border-accent/30 bg-accent-soft text-accent',
  offline: 'border-line-strong bg-surface text-muted',
};
