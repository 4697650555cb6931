import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { ImportEntry, ImportOutcome, ImportVerdict } from '@/lib/catalog/schema-imports';
import { Checkbox } from '../../forms/inputs';
import { LookAlikeNote } from '../../market/listing/look-alike-note';
import { ownAgentPath } from '../../routes';
import { QuotedMessage } from '../../ui/display/alert';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { UntrustedText } from '../../ui/display/untrusted-text';

interface ImportEntryListProps {
  entries: ImportEntry[];
  verdicts: ReadonlyMap<string, ImportVerdict>;
  outcomes: ReadonlyMap<string, ImportOutcome>;
  chosen: ReadonlySet<string>;
  isBusy: boolean;
  onChoose: (url: string, isChosen: boolean) => void;
}

/** The entries of an import: each with its kind and, if it cannot be listed, the reason. */
export function ImportEntryList({ entries, verdicts, outcomes, ...rest }: ImportEntryListProps): ReactNode {
  const t = useTranslations('console.importEntryList');
  return (
    <Card>
      <ol aria-label={t('label')} className="divide-y divide-line">
        {entries.map((entry) => (
          <li className="p-4 sm:p-5" key={entry.number}>
            <Entry
              {...rest}
              entry={entry}
              outcome={outcomes.get(entry.url ?? '')}
              verdict={verdicts.get(entry.url ?? '')}
            />
          </li>
        ))}
      </ol>
    </Card>
  );
}

interface EntryProps extends Pick<ImportEntryListProps, 'chosen' | 'isBusy' | 'onChoose'> {
  entry: ImportEntry;
  verdict: ImportVerdict | undefined;
  outcome: ImportOutcome | undefined;
}

function Entry({ entry, verdict, outcome, chosen, isBusy, onChoose }: EntryProps): ReactNode {
  const t = useTranslations('console.importEntryList');
  const { url } = entry;
  const name = verdict?.agent?.name ?? entry.name ?? entry.identifier ?? t('unnamed', { number: entry.number });
  const slug = outcome?.agent?.slug ?? verdict?.agent?.slug;
  const isOpen = verdict?.verdict === 'ready' || verdict?.verdict === 'confirm';
  const isDone = outcome?.outcome === 'listed' || outcome?.outcome === 'unchanged';
  const problem = outcome?.problem ?? verdict?.problem ?? entry.problem;
  return (
    <div className="space-y-2">
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-1">
        {url !== null && isOpen && !isDone ? (
          <Checkbox
            checked={chosen.has(url)}
            className="min-w-0"
            disabled={isBusy}
            label={<EntryName name={name} />}
            onChange={(event) => onChoose(url, event.target.checked)}
          />
        ) : (
          <p className="min-w-0 py-1 text-sm font-medium">
            {slug ? (
              <Link className="text-link" href={ownAgentPath(slug)}>
                <EntryName name={name} />
              </Link>
            ) : (
              <EntryName name={name} />
            )}
          </p>
        )}
        <EntryState entry={entry} outcome={outcome} verdict={verdict} />
      </div>
      {verdict?.agent?.description ? (
        <p className="max-h-40 overflow-y-auto text-sm text-muted [overflow-wrap:anywhere]" dir="auto">
          <UntrustedText text={verdict.agent.description} />
        </p>
      ) : null}
      {verdict?.agent ? <p className="text-sm text-muted">{t('skills', { count: verdict.agent.skills })}</p> : null}
      <p className="font-mono text-xs text-muted [overflow-wrap:anywhere]">
        <UntrustedText text={url ?? entry.identifier ?? ''} />
      </p>
      {verdict?.otherOrigin && !isDone ? (
        <p className="text-sm">
          {t('otherOrigin', { found: verdict.otherOrigin.found, expected: verdict.otherOrigin.expected })}
        </p>
      ) : null}
      {verdict?.looksLike && !isDone ? <LookAlikeNote original={verdict.looksLike} /> : null}
      {verdict && verdict.warnings > 0 ? (
        <p className="text-sm text-muted">{t('warnings', { count: verdict.warnings })}</p>
      ) : null}
      {problem && !isDone ? (
        <p className="text-sm [overflow-wrap:anywhere]">
          <QuotedMessage message={problem.message} />
        </p>
      ) : null}
    </div>
  );
}

function EntryName({ name }: { name: string }): ReactNode {
  return (
    <span className="[overflow-wrap:anywhere]">
      <UntrustedText text={name} />
    </span>
  );
}

function EntryState({ entry, verdict, outcome }: Pick<EntryProps, 'entry' | 'verdict' | 'outcome'>): ReactNode {
  const t = useTranslations('console.importEntryList');
  if (outcome?.outcome === 'listed') return <Badge tone="good">{t('states.listed')}</Badge>;
  if (outcome?.outcome === 'unchanged' || verdict?.verdict === 'listed') return <Badge>{t('states.own')}</Badge>;
  if (outcome?.outcome === 'refused' || verdict?.verdict === 'refused')
    return <Badge tone="danger">{t('states.refused')}</Badge>;
  if (verdict?.verdict === 'confirm') return <Badge tone="warn">{t('states.confirm')}</Badge>;
  if (verdict?.verdict === 'ready') return <Badge tone="good">{t('states.ready')}</Badge>;
  if (entry.problem?.code === 'duplicate') return <Badge>{t('states.duplicate')}</Badge>;
  return entry.problem ? <Badge tone="danger">{t('states.refused')}</Badge> : <Badge>{t('states.waiting')}</Badge>;
}
