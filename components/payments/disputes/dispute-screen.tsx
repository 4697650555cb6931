import Link from 'next/link';
import { useTranslations } from 'next-intl';
import type { ReactNode } from 'react';
import type { DisputeEvidence, DisputeView } from '@/lib/payments/schema-disputes';
import { agentPath } from '../../routes';
import { Alert } from '../../ui/display/alert';
import { Card } from '../../ui/display/card';
import { DateTime } from '../../ui/display/date-time';
import { Fact, FactList, Literal } from '../../ui/display/fact-list';
import { UntrustedText, withIndex } from '../../ui/display/untrusted-text';
import { TermsOfAcceptance } from '../offers/acceptance';
import { MoneyText } from '../offers/money';
import { DisputeActions } from './dispute-actions';
import { DisputeBadges } from './dispute-list';

interface DisputeScreenProps {
  dispute: DisputeView;
  evidence: DisputeEvidence;
}

/** One dispute as its role sees it: the facts, what was said, what can be done, and what Parley knows of the sale. */
export function DisputeScreen({ dispute, evidence }: DisputeScreenProps): ReactNode {
  const t = useTranslations('payments.disputeScreen');
  const { role, state, outcome } = dispute;
  const text = outcome === null || state === 'refunding' ? t(`next.${state}.${role}`) : t(`outcomes.${outcome}`);
  return (
    <div className="space-y-10">
      <Card className="space-y-5 p-5 sm:p-7">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h2 className="text-xl font-semibold">{t('facts')}</h2>
          <DisputeBadges dispute={dispute} />
        </div>
        {dispute.acceptance ? (
          <TermsOfAcceptance acceptance={dispute.acceptance} terms={dispute.acceptance.terms} />
        ) : null}
        <Alert tone={state === 'failed' ? 'warn' : 'info'}>{text}</Alert>
        <Facts dispute={dispute} />
      </Card>
      <Entries dispute={dispute} />
      <DisputeActions dispute={dispute} key={dispute.entries.length} />
      <Evidence evidence={evidence} />
    </div>
  );
}

function Facts({ dispute }: { dispute: DisputeView }): ReactNode {
  const t = useTranslations('payments.disputeScreen');
  const tList = useTranslations('payments.disputeList');
  const { agent, currency, paid, refunded, wanted, reason, dueAt, saleId, proposal, awarded, capturedAt } = dispute;
  const money = (minor: number): ReactNode => <MoneyText money={{ currency, minor }} />;
  return (
    <FactList>
      <Fact name={t('agent')}>
        <Link className="text-link" href={agentPath(agent.slug)} prefetch={false}>
          <UntrustedText text={agent.name} />
        </Link>
      </Fact>
      <Fact name={t('reason')}>{tList(`reasons.${reason}`)}</Fact>
      <Fact name={t('wanted')}>{money(wanted)}</Fact>
      <Fact name={t('paid')}>
        {t.rich('paidAt', { amount: () => money(paid), time: () => <DateTime at={capturedAt} /> })}
      </Fact>
      {refunded > 0 ? <Fact name={t('refunded')}>{money(refunded)}</Fact> : null}
      {proposal && awarded === null ? (
        <Fact name={t('proposal')}>
          {t.rich(`proposedBy.${proposal.by}`, { amount: () => money(proposal.amount) })}
        </Fact>
      ) : null}
      {awarded === null ? null : <Fact name={t('awarded')}>{money(awarded)}</Fact>}
      {dueAt === null ? null : (
        <Fact name={t('deadline')}>
          <DateTime at={dueAt} />
        </Fact>
      )}
      <Fact name={t('sale')}>
        <Literal>{saleId}</Literal>
      </Fact>
    </FactList>
  );
}

function Entries({ dispute: { id, entries, currency } }: { dispute: DisputeView }): ReactNode {
  const t = useTranslations('payments.disputeScreen');
  return (
    <section aria-labelledby="entries-title">
      <h2 className="text-xl font-semibold" id="entries-title">
        {t('entries')}
      </h2>
      <ol className="mt-4 space-y-4">
        {entries.map((entry) => (
          <li className="rounded-lg border border-line bg-surface p-4 text-sm" key={entry.id}>
            <p className="flex flex-wrap justify-between gap-x-4">
              <span className="font-medium">{t(`authors.${entry.author}`)}</span>
              <span className="text-muted">
                <DateTime at={entry.at} />
              </span>
            </p>
            <p className="text-muted">
              {t.rich(`kinds.${entry.kind}`, {
                amount: () => <MoneyText money={{ currency, minor: entry.amount ?? 0 }} />,
              })}
            </p>
            {entry.text ? (
              <p className="mt-2 whitespace-pre-wrap [overflow-wrap:anywhere]">
                <UntrustedText text={entry.text} />
              </p>
            ) : null}
            {entry.files.length > 0 ? (
              <ul className="mt-2 flex flex-wrap gap-x-4 gap-y-1">
                {entry.files.map((file) => (
                  <li key={file.id}>
                    <a
                      className="text-link [overflow-wrap:anywhere]"
                      download
                      href={`/api/disputes/${id}/files/${file.id}`}
                    >
                      <UntrustedText text={file.name} />
                    </a>
                  </li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** What Parley knows of the sale, which both sides and the moderator see. */
function Evidence({ evidence: { transcript, receipt, complete } }: { evidence: DisputeEvidence }): ReactNode {
  const t = useTranslations('payments.disputeEvidence');
  return (
    <section aria-labelledby="evidence-title">
      <h2 className="text-xl font-semibold" id="evidence-title">
        {t('title')}
      </h2>
      <p className="mt-1 max-w-prose text-muted">{t('lead')}</p>
      {transcript.length === 0 ? <p className="mt-4 text-sm text-muted">{t('empty')}</p> : null}
      <ol className="mt-4 space-y-3 text-sm">
        {withIndex(transcript).map(({ item: { from, kind, state, name, parts }, index }) => (
          <li className="border-b border-line pb-3" key={index}>
            <p className="text-muted">
              {t(`from.${from}`)} · {t(`kinds.${kind}`)} <UntrustedText text={name ?? state ?? ''} />
            </p>
            {withIndex(parts).map(({ item: part, index: at }) => (
              <p className="whitespace-pre-wrap [overflow-wrap:anywhere]" key={at}>
                {part.file === null ? null : <span className="text-muted">{t('file', { name: part.file })} </span>}
                <UntrustedText text={part.text ?? ''} />
              </p>
            ))}
          </li>
        ))}
      </ol>
      {complete ? null : <p className="mt-3 text-sm text-muted">{t('cut')}</p>}
      {receipt === null ? null : (
        <details className="mt-4 text-sm">
          <summary className="cursor-pointer font-medium">{t('receipt')}</summary>
          <p className="mt-2">
            <Literal>{receipt}</Literal>
          </p>
        </details>
      )}
    </section>
  );
}
