import clsx from 'clsx';
import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { CSSProperties, ReactNode } from 'react';
import { agentPath, newChatPath } from '../../routes';
import { LinkButton } from '../../ui/controls/button';
import { CheckIcon, CloseIcon } from '../../ui/display/icons';
import { scrollRegion } from '../../ui/display/scroll-region';
import { comparePath } from '../cards/compare-url';
import { AgentIcon } from '../listing/agent-icon';
import type { CompareGroup } from './compare-rows';
import type { ComparedAgent } from './fact-properties';

export interface CompareTableProps {
  agents: ComparedAgent[];
  groups: CompareGroup[];
}

/** The compared agents as columns. On phones, the name of a property is above its values. */
export function CompareTable({ agents, groups }: CompareTableProps): ReactNode {
  const t = useTranslations('market.compareView');
  const slugs = agents.map(({ detail }) => detail.slug);
  return (
    <div
      {...scrollRegion(t('table'))}
      className="relative mt-5 overflow-x-auto rounded-lg border border-line bg-surface"
    >
      <table
        className="w-full border-collapse text-start text-sm sm:table-fixed sheet:block sheet:min-w-(--frame)"
        style={
          {
            '--columns': `repeat(${agents.length}, minmax(0, 1fr))`,
            '--frame': `${9.5 * agents.length}rem`,
          } as CSSProperties
        }
      >
        <caption className="sr-only">{t('table')}</caption>
        <thead className="sheet:block">
          <tr className={clsx(row, 'sheet:border-b sheet:border-line')}>
            <td className={clsx(firstColumn, 'border-b border-line sheet:hidden')} />
            {agents.map((agent) => (
              <AgentHead agent={agent} key={agent.detail.slug} slugs={slugs} />
            ))}
          </tr>
        </thead>
        {groups.map((group) => (
          <Group columns={agents.length} group={group} key={group.key} slugs={slugs} />
        ))}
      </table>
    </div>
  );
}

/** On phones, the name of a property is above its values, so that two agents fit side by side. */
const row = 'sheet:grid sheet:grid-cols-[var(--columns)]';

/** Names of properties stay visible while the columns of the agents are scrolled. */
const firstColumn = 'sticky start-0 z-10 bg-surface px-4 py-2.5 text-start desk:w-44';

function AgentHead({ agent: { detail }, slugs }: { agent: ComparedAgent; slugs: string[] }): ReactNode {
  const t = useTranslations('market.compareView');
  const { slug, name } = detail;
  return (
    <th className="px-4 py-4 text-start align-top font-normal desk:border-b desk:border-line" scope="col">
      <span className="flex items-start justify-between gap-2">
        <AgentIcon agent={detail} size={40} />
        <Link
          aria-label={t('remove', { name })}
          className="inline-flex size-8 items-center justify-center rounded-md text-muted hover:bg-sunken hover:text-ink touch:size-11"
          href={comparePath(slugs.filter((other) => other !== slug))}
          prefetch={false}
          title={t('remove', { name })}
        >
          <CloseIcon size={16} />
        </Link>
      </span>
      <Link
        className="mt-2 block leading-snug font-semibold hover:text-accent hover:underline"
        dir="auto"
        href={agentPath(slug)}
        prefetch={false}
      >
        {name}
      </Link>
      <LinkButton className="mt-3" href={newChatPath(slug)} size="sm">
        {t('chat')}
      </LinkButton>
    </th>
  );
}

function Group({ group, slugs, columns }: { group: CompareGroup; slugs: string[]; columns: number }): ReactNode {
  const t = useTranslations('market.compareRows');
  return (
    <tbody className="sheet:block">
      <tr className="sheet:block">
        <th className="bg-sunken px-4 py-2 text-start font-semibold sheet:block" colSpan={columns + 1} scope="rowgroup">
          <span className="sticky start-4">{t(`groups.${group.key}`)}</span>
        </th>
      </tr>
      {group.rows.map(({ key, name, cells, differs, best }) => (
        <tr className={clsx('relative border-t border-line', row)} key={key}>
          <th
            className={clsx(
              firstColumn,
              'align-top font-medium sheet:col-span-full sheet:w-fit sheet:pb-0 sheet:text-xs sheet:text-muted',
              differs ? 'text-ink' : 'text-muted',
            )}
            scope="row"
          >
            {differs && columns > 1 ? (
              <span aria-hidden="true" className="absolute inset-y-1 start-0 w-1 rounded-full bg-accent" />
            ) : null}
            {name}
            {differs && columns > 1 ? <span className="sr-only"> ({t('differs')})</span> : null}
          </th>
          {cells.map((cell, index) => (
            <td
              className={clsx(
                'px-4 py-2.5 align-top tabular-nums [overflow-wrap:anywhere] sheet:pt-1',
                !differs && columns > 1 && 'text-muted',
                best[index] && 'font-semibold text-good',
              )}
              key={slugs[index]}
            >
              {best[index] ? <Best /> : null}
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  );
}

function Best(): ReactNode {
  const t = useTranslations('market.compareRows');
  return (
    <span title={t('best')}>
      <CheckIcon className="me-1 inline-block align-[-0.15em]" size={15} />
      <span className="sr-only">{t('best')}: </span>
    </span>
  );
}
