import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ChainTaskView } from '../../lib/tasks/schema-chains';
import { Spinner } from '../ui/controls/loading';
import { CheckIcon, CloseIcon, InfoIcon, WarningIcon } from '../ui/display/icons';

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
