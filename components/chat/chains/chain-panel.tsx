'use client';

import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useId, useState } from 'react';
import type { ChainView } from '../../../lib/tasks/schema-chains';
import { Button } from '../../ui/controls/button';
import { Spinner } from '../../ui/controls/loading';
import { StopIcon } from '../../ui/display/action-icons';
import { CheckIcon, ChevronDownIcon, CloseIcon, WarningIcon } from '../../ui/display/icons';
import { LazyDialog } from '../../ui/overlays/lazy';
import { ChainActionsContext, isOpenChain, losesPaidWork, summaryOf, toTree } from '../state/chains';
import { ChainApprovalCard } from './chain-approval';
import { ChainTasks } from './chain-task';
import { ChainCostText, Duration, isPaid } from './chain-texts';

/** Inserts a dot between the facts of a line. */
const dotted = "[&>span:not(:last-child)]:after:ms-2 [&>span:not(:last-child)]:after:content-['·']";

export interface ChainPanelProps {
  chain: ChainView;
  /** True to show the tasks of finished work too. */
  expanded?: boolean;
}

/** The work of other agents for one task of the user, live while it continues, and then as one expandable line. */
export function ChainPanel({ chain, expanded = false }: ChainPanelProps): ReactNode {
  return isOpenChain(chain) ? <OpenChain chain={chain} /> : <FinishedChain chain={chain} expanded={expanded} />;
}

function OpenChain({ chain }: ChainPanelProps): ReactNode {
  const t = useTranslations('chat.chain');
  const id = useId();
  const { approvals, calls, maxCalls, cost } = chain;
  const { openTasks } = summaryOf(chain);
  return (
    <section
      aria-labelledby={id}
      className="overflow-clip rounded-lg border border-line bg-surface text-sm shadow-card"
    >
      <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1 px-4 py-2.5">
        {openTasks > 0 ? <Spinner className="shrink-0 text-muted" /> : null}
        <h2 className="min-w-0 flex-1 font-semibold" id={id}>
          {t('title')}
        </h2>
        <ChainStop chain={chain} />
        <p className={clsx('flex basis-full flex-wrap gap-x-2 text-xs text-muted', dotted)}>
          {openTasks > 0 ? <span>{t('atWork', { count: openTasks })}</span> : null}
          <span>{t('calls', { calls, most: maxCalls })}</span>
          {isPaid(cost) ? (
            <span>{t.rich('soFar', { cost: () => <ChainCostText cost={cost} /> })}</span>
          ) : (
            <span>{t('noCost')}</span>
          )}
        </p>
      </div>
      {approvals.length > 0 ? (
        <ul aria-label={t('approvals')} className="divide-y divide-warn/35 border-t border-warn/35 bg-warn-soft">
          {approvals.map((approval) => (
            <ChainApprovalCard approval={approval} chain={chain} key={approval.id} />
          ))}
        </ul>
      ) : null}
      {chain.tasks.length > 0 ? (
        <div className="border-t border-line px-4 py-2">
          <ChainTasks label={t('tasks')} nodes={toTree(chain)} rootTaskId={chain.rootTaskId} />
        </div>
      ) : null}
    </section>
  );
}

function FinishedChain({ chain, expanded }: ChainPanelProps): ReactNode {
  const t = useTranslations('chat.chain');
  const { agents, failedTasks, durationMs } = summaryOf(chain);
  if (chain.tasks.length === 0) return null;
  const stopped = chain.state === 'stopped';
  return (
    <details className="text-sm" open={expanded}>
      <summary className="bare-summary inline-flex min-h-8 max-w-full items-center gap-2 rounded-md text-muted hover:text-ink touch:min-h-11">
        {stopped ? (
          <CloseIcon className="shrink-0" size={16} />
        ) : failedTasks > 0 ? (
          <WarningIcon className="shrink-0 text-warn" size={16} />
        ) : (
          <CheckIcon className="shrink-0 text-good" size={16} />
        )}
        <span className={clsx('inline-flex min-w-0 flex-wrap gap-x-2', dotted)}>
          <span>{t(stopped ? 'stopped' : 'helped', { count: agents })}</span>
          {failedTasks > 0 ? <span>{t('failed', { count: failedTasks })}</span> : null}
          <span className="tabular-nums">
            <Duration ms={durationMs} />
          </span>
          {isPaid(chain.cost) ? (
            <span className="text-ink">
              <ChainCostText cost={chain.cost} />
            </span>
          ) : null}
        </span>
        <ChevronDownIcon className="chevron shrink-0" size={14} />
        <span className="sr-only">{t('details')}</span>
      </summary>
      <div className="mt-1 rounded-lg border border-line bg-surface px-4 py-2">
        <ChainTasks label={t('tasks')} nodes={toTree(chain)} rootTaskId={chain.rootTaskId} />
      </div>
    </details>
  );
}

/** Stops all work of a chain. Asks for confirmation only if paid work would be lost. */
export function ChainStop({ chain }: { chain: ChainView }): ReactNode {
  const t = useTranslations('chat.chainStop');
  const actions = useContext(ChainActionsContext);
  const [asking, setAsking] = useState(false);
  const [pending, setPending] = useState(false);
  if (!actions) return null;

  async function stop(): Promise<void> {
    setPending(true);
    setAsking(false);
    if (!(await actions?.stop(chain.rootTaskId))) setPending(false);
  }

  return (
    <>
      <Button
        icon={<StopIcon className="fill-current" size={13} />}
        onClick={() => (losesPaidWork(chain) ? setAsking(true) : void stop())}
        pending={pending}
        size="sm"
      >
        {t('stopAll')}
      </Button>
      {asking ? (
        <LazyDialog
          footer={
            <>
              <Button onClick={() => setAsking(false)}>{t('goOn')}</Button>
              <Button onClick={() => void stop()} tone="danger">
                {t('stopAll')}
              </Button>
            </>
          }
          onOpenChange={setAsking}
          title={t('title')}
        >
          <p>{t.rich('lost', { cost: () => <ChainCostText cost={chain.cost} /> })}</p>
        </LazyDialog>
      ) : null}
    </>
  );
}
