import clsx from 'clsx';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import { isTerminal } from '../../../lib/protocol/a2a/core/model';
import { AgentMark } from '../../ui/display/agent-mark';
import { ChevronDownIcon } from '../../ui/display/icons';
import { UntrustedText } from '../../ui/display/untrusted-text';
import type { ChainNode } from '../state/chains';
import { ChainInterruptBox } from './chain-interrupt';
import { ChainCostText, ChainState, Duration, Elapsed, isPaid, UntrustedLines } from './chain-texts';

/**
 * Maximum levels that are indented on a narrow screen. Deeper levels have the same indentation and show the name of the
 * calling agent.
 */
const NARROW_LEVELS = 2;

export interface ChainTasksProps {
  nodes: readonly ChainNode[];
  rootTaskId: string;
  /** The accessible name of the top level. */
  label?: string;
  level?: number;
}

/** Delegated tasks as a nested list: below each task, those that its agent created. */
export function ChainTasks({ nodes, rootTaskId, label, level = 1 }: ChainTasksProps): ReactNode {
  if (nodes.length === 0) return null;
  const flat = level > NARROW_LEVELS && 'max-sm:ms-0 max-sm:border-s-0 max-sm:ps-0';
  return (
    <ul aria-label={label} className={clsx(level > 1 && 'ms-2.5 border-s border-line ps-3 sm:ps-5', flat)}>
      {nodes.map(({ task, children }) => (
        <li key={task.taskId}>
          <TaskRow rootTaskId={rootTaskId} task={task} />
          <ChainTasks level={level + 1} nodes={children} rootTaskId={rootTaskId} />
        </li>
      ))}
    </ul>
  );
}

function TaskRow({ task, rootTaskId }: { task: ChainNode['task']; rootTaskId: string }): ReactNode {
  const { agent, createdAt, updatedAt, state, cost, interrupt } = task;
  return (
    <div className="flex items-start gap-2.5 py-1.5">
      <AgentMark className="mt-0.5" size={22} slug={agent.slug} />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-3">
          <span className="relative min-w-0 flex-1 basis-24 truncate font-medium">
            <UntrustedText text={agent.name} />
          </span>
          <span className="flex flex-wrap items-center gap-x-2 text-xs text-muted">
            <ChainState task={task} />
            <span className="tabular-nums">
              {isTerminal(state) ? (
                <Duration ms={Math.max(0, Date.parse(updatedAt) - Date.parse(createdAt))} />
              ) : (
                <Elapsed from={createdAt} />
              )}
            </span>
            {isPaid(cost) ? (
              <span className="font-medium text-ink">
                <ChainCostText cost={cost} />
              </span>
            ) : null}
          </span>
        </div>
        <RequestText task={task} />
        {interrupt ? (
          <ChainInterruptBox interrupt={interrupt} key={updatedAt} rootTaskId={rootTaskId} task={task} />
        ) : null}
      </div>
    </div>
  );
}

/** The request and its author. Expands to the whole text. */
function RequestText({ task: { from, text } }: Pick<ChainNode, 'task'>): ReactNode {
  const t = useTranslations('chat.chain');
  return (
    <details className="group text-xs text-muted">
      <summary className="bare-summary flex min-h-6 max-w-full items-center gap-1 rounded-sm hover:text-ink touch:min-h-11">
        <span className="relative min-w-0 truncate">
          {t.rich('asked', { agent: () => <UntrustedText text={from.name} /> })}{' '}
          <span className="group-open:hidden">
            <UntrustedText text={text.replace(/\s+/g, ' ')} />
          </span>
        </span>
        <ChevronDownIcon className="chevron shrink-0" size={13} />
      </summary>
      <p className="mt-0.5 mb-1 border-s-2 border-line ps-2.5 text-sm text-ink">
        <UntrustedLines text={text} />
      </p>
    </details>
  );
}
