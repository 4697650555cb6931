import Link from 'next/link';
import { useTranslations } from 'next-intl';
import { type ReactNode, useContext, useId, useState } from 'react';
import type { ChainApprovalView, ChainView } from '../../lib/gateway/schema-chains';
import { agentPath } from '../shell/routes';
import { announce } from '../ui/announcer';
import { Button } from '../ui/button';
import { WarningIcon } from '../ui/icons';
import { toast } from '../ui/toast';
import { ApiError, decideApproval } from './api';
import { ChainActionsContext } from './chain-actions';
import { UntrustedLines } from './chain-text';
import { UntrustedText } from './parts/untrusted-text';
import { useProblem } from './use-problem';

export interface ChainApprovalProps {
  chain: ChainView;
  approval: ChainApprovalView;
}

type Decision = 'allow' | 'always' | 'deny';

/** An agent asks to call another one: who, whom, why the user is asked, and what would be sent. */
export function ChainApprovalCard({ chain, approval }: ChainApprovalProps): ReactNode {
  const t = useTranslations('chat.chainApproval');
  const { pending, decide } = useDecision(chain.rootTaskId, approval);
  const id = useId();
  const { from, to, reasons, text } = approval;
  const names = {
    from: () => <UntrustedText text={from.name} />,
    to: () => (
      <Link className="text-link" href={agentPath(to.slug)}>
        <UntrustedText text={to.name} />
      </Link>
    ),
  };
  return (
    <li aria-labelledby={id} className="space-y-2.5 px-4 py-3.5 -outline-offset-2" data-waits="" tabIndex={-1}>
      <div className="flex gap-2.5">
        <WarningIcon className="mt-0.5 shrink-0 text-warn" />
        <div className="min-w-0 space-y-1 [overflow-wrap:anywhere]">
          <p className="font-semibold" id={id}>
            {t.rich('asks', names)}
          </p>
          {reasons.map((reason) => (
            <p key={reason}>{t.rich(`reason.${reason}`, { ...names, calls: chain.calls, most: chain.maxOpen })}</p>
          ))}
        </div>
      </div>
      <figure className="space-y-1">
        <figcaption className="text-xs text-muted">{t.rich('message', names)}</figcaption>
        <blockquote className="rounded-md border border-line bg-surface px-3 py-2">
          <UntrustedLines text={text} />
        </blockquote>
      </figure>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => decide('allow')} pending={pending === 'allow'} size="sm" tone="primary">
          {t('allow')}
        </Button>
        <Button onClick={() => decide('deny')} pending={pending === 'deny'} size="sm">
          {t('deny')}
        </Button>
        {reasons.includes('hire') ? (
          <Button className="max-w-full" onClick={() => decide('always')} pending={pending === 'always'} size="sm">
            <span className="relative truncate">{t.rich('always', names)}</span>
          </Button>
        ) : null}
      </div>
      <p className="text-xs text-muted">{t('hint')}</p>
    </li>
  );
}

/** Sends the user's decision once. */
function useDecision(
  rootTaskId: string,
  { id, from, to }: ChainApprovalView,
): { pending: Decision | null; decide: (decision: Decision) => void } {
  const t = useTranslations('chat.chainApproval');
  const problemOf = useProblem();
  const actions = useContext(ChainActionsContext);
  const [pending, setPending] = useState<Decision | null>(null);

  async function run(decision: Decision): Promise<void> {
    setPending(decision);
    try {
      const always = decision === 'always';
      const chain = await decideApproval(rootTaskId, id, { decision: decision === 'deny' ? 'deny' : 'allow', always });
      announce(t(`decided.${decision}`, { from: from.name, to: to.name }));
      actions?.update(chain);
    } catch (error) {
      setPending(null);
      if (error instanceof ApiError && error.status === 409) actions?.reload(rootTaskId);
      toast({ tone: 'danger', text: t('notDecided', { problem: problemOf(error) }) });
    }
  }
  return {
    pending,
    decide(decision) {
      if (pending === null) void run(decision);
    },
  };
}
