import { useTranslations } from 'next-intl';
import { Fragment, type ReactNode } from 'react';
import type { Money } from '@/lib/payments/schema';
import type { ChainTaskView } from '../../../lib/tasks/schema-chains';
import { MoneyText } from '../../payments/offers/money';
import { useCountdown } from '../../payments/offers/offer-expiry';
import { Spinner } from '../../ui/controls/loading';
import { useFormat } from '../../ui/display/format';
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from '../../ui/display/icons';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';

/** The sum of payments, one amount per currency. Renders nothing if nothing was paid. */
export function ChainCostText({ cost }: { cost: readonly Money[] }): ReactNode {
  return cost.map((money, index) => (
    <Fragment key={money.currency}>
      {index > 0 ? ' + ' : null}
      <MoneyText money={money} />
    </Fragment>
  ));
}

/** Returns true if anything was paid. */
export function isPaid(cost: readonly Money[]): boolean {
  return cost.some(({ minor }) => minor > 0);
}

/** A duration, in whole seconds if it is at least one second. */
export function Duration({ ms }: { ms: number }): ReactNode {
  return useFormat().duration(ms < 1_000 ? ms : Math.floor(ms / 1_000) * 1_000);
}

/** The time since `from`, counted up; empty on the server, where the time of display is unknown. */
export function Elapsed({ from }: { from: string }): ReactNode {
  const now = useCountdown(Number.POSITIVE_INFINITY);
  return now === null ? null : <Duration ms={Math.max(0, now - Date.parse(from))} />;
}

/** The state of a delegated task as an icon and in words. */
export function ChainState({ task: { state, interrupt } }: { task: ChainTaskView }): ReactNode {
  const t = useTranslations('chat.chain');
  return (
    <span className="inline-flex items-center gap-1.5">
      <StateIcon state={state} />
      {interrupt ? t(`interrupt.${interrupt.kind}`) : t(`state.${state}`)}
    </span>
  );
}

function StateIcon({ state }: Pick<ChainTaskView, 'state'>): ReactNode {
  switch (state) {
    case 'submitted':
    case 'working':
      return <Spinner className="shrink-0" />;
    case 'completed':
      return <CheckIcon className="shrink-0 text-good" size={15} />;
    case 'failed':
    case 'rejected':
      return <WarningIcon className="shrink-0 text-danger" size={15} />;
    case 'canceled':
      return <CloseIcon className="shrink-0" size={15} />;
    default:
      return <InfoIcon className="shrink-0 text-accent" size={15} />;
  }
}

/** Several lines of third-party text, with invisible characters revealed. */
export function UntrustedLines({ text }: { text: string }): ReactNode {
  return (
    <span className="whitespace-pre-wrap [overflow-wrap:anywhere]" dir="auto">
      {withIndex(text.split(/\r?\n/)).map(({ item: line, index }) => (
        <Fragment key={index}>
          {index > 0 ? '\n' : null}
          <UntrustedText text={line} />
        </Fragment>
      ))}
    </span>
  );
}
