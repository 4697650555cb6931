'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useMemo } from 'react';
import useSWR from 'swr';
import type { ChainView } from '../../../lib/tasks/schema-chains';
import { mainId } from '../../shell/skip-link';
import { readChain } from '../state/api';
import {
  type ChainActions,
  ChainActionsContext,
  isOpenChain,
  useChainAnnouncements,
  useChainStop,
} from '../state/chains';
import { ChainPanel } from './chain-panel';

/** Polling interval for the latest state while agents work, milliseconds. */
const POLL_MS = 1_000;

/** The chain of one task on its own page, for tasks of the user's API clients. */
export function ChainScreen({ first }: { first: ChainView }): ReactNode {
  const t = useTranslations('chat.chainScreen');
  const { rootTaskId } = first;
  const { data: chain = first, mutate } = useSWR(['chain', rootTaskId], () => readChain(rootTaskId), {
    fallbackData: first,
    refreshInterval: (latest = first) => (isOpenChain(latest) ? POLL_MS : 0),
  });
  const stop = useChainStop();
  const actions = useMemo((): ChainActions => {
    const reload = (): void => void mutate();
    return {
      update: (latest) => void mutate(latest, { revalidate: false }),
      reload,
      stop: async (id) => {
        const stopped = await stop(id);
        if (stopped) reload();
        return stopped;
      },
    };
  }, [mutate, stop]);
  useChainAnnouncements(useMemo(() => new Map([[rootTaskId, chain]]), [rootTaskId, chain]));
  const agent = (chain.approvals[0] ?? chain.tasks[0])?.from.name;
  return (
    <main className="min-w-0 flex-1 overflow-y-auto px-4 py-6 outline-none sm:px-6" id={mainId} tabIndex={-1}>
      <div className="mx-auto w-full max-w-[46rem] space-y-6">
        <div className="space-y-1.5">
          <h1 className="text-2xl font-semibold">{t('title')}</h1>
          {agent ? (
            <p className="text-muted">
              {t.rich(isOpenChain(chain) ? 'lead' : 'leadDone', { agent: () => <bdi>{agent}</bdi> })}
            </p>
          ) : (
            <p className="text-muted">{t('nothing')}</p>
          )}
        </div>
        <ChainActionsContext value={actions}>
          <ChainPanel chain={chain} expanded />
        </ChainActionsContext>
      </div>
    </main>
  );
}
