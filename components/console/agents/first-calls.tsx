import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { AgentCallView } from '@/lib/console/schema';
import type { AgentState, PublishChecklist } from '@/lib/console/schema-agents';
import { agentCallPath, agentCardPath, agentPath, agentTestPath, ownAgentPath } from '../../routes';
import { AgentMark } from '../../ui/display/agent-mark';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { useFormat } from '../../ui/display/format';
import { ArrowRightIcon } from '../../ui/display/icons';
import { Outcome } from '../calls/call-table';

/** The latest calls to all agents of the user, newest first. Each links to the call. */
export function LatestCalls({ calls }: { calls: AgentCallView[] }): ReactNode {
  const format = useFormat();
  return (
    <Card>
      <ol className="divide-y divide-line">
        {calls.map((call) => (
          <li
            className="group relative flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-3 text-sm hover:bg-sunken sm:px-5"
            key={call.id}
          >
            <AgentMark size={28} slug={call.agent.slug} />
            <Link
              className="min-w-0 flex-1 basis-40 font-medium [overflow-wrap:anywhere] group-hover:text-accent after:absolute after:inset-0"
              href={agentCallPath(call.agent.slug, call.id)}
              prefetch={false}
            >
              <bdi>{call.agent.name}</bdi>
              {call.method ? (
                <span className="block font-mono text-xs font-normal text-muted">{call.method}</span>
              ) : null}
            </Link>
            <Outcome call={call} />
            <span className="w-16 text-end text-muted tabular-nums">{format.duration(call.ms)}</span>
            <span className="w-28 text-end text-muted max-sm:w-auto">
              <DateTime at={call.at} show="relative" />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface NextStepsProps {
  /** The agent that the steps are about, and its checklist. */
  state: AgentState;
  checklist: PublishChecklist;
}

/** The next things to do with a new agent. */
export function NextSteps({ state: { agent, cardWaits, figures }, checklist }: NextStepsProps): ReactNode {
  const t = useTranslations('console.nextSteps');
  const { slug, name } = agent;
  const open = checklist.items.filter(({ done }) => !done).length;
  const steps = [
    ...(cardWaits ? [{ id: 'card', href: agentCardPath(slug) } as const] : []),
    ...(figures.current.calls === 0 ? [{ id: 'test', href: agentTestPath(slug) } as const] : []),
    ...(open > 0 ? [{ id: 'checklist', href: `${ownAgentPath(slug)}#checklist` } as const] : []),
    ...(checklist.notInSearch === null ? [{ id: 'page', href: agentPath(slug) } as const] : []),
  ];
  return (
    <Card>
      <ul className="divide-y divide-line">
        {steps.map(({ id, href }) => (
          <li className="group relative flex items-center gap-4 px-4 py-3 hover:bg-sunken sm:px-5" key={id}>
            <p className="min-w-0 flex-1">
              <Link
                className="block font-medium [overflow-wrap:anywhere] group-hover:text-accent after:absolute after:inset-0"
                href={href}
                prefetch={false}
              >
                {t.rich(`${id}.title`, { name: () => <bdi>{name}</bdi> })}
              </Link>
              <span className="mt-0.5 block text-sm text-muted">{t(`${id}.hint`, { open })}</span>
            </p>
            <ArrowRightIcon className="shrink-0 text-muted" size={16} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
