'use client';

import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { OwnershipView } from '@/lib/catalog/schema-team';
import { callApi } from '../../forms/call-api';
import { Button } from '../../ui/controls/button';
import { Alert } from '../../ui/display/alert';
import { CodeBlock } from '../../ui/display/code-block';
import { useFormat } from '../../ui/display/format';
import { useSuccess } from '../../ui/overlays/toast';

interface OwnershipProps {
  slug: string;
  ownership: OwnershipView;
}

type Note = { tone: 'warn' | 'danger'; text: string };

/** Domain verification of the agent's host, and its state. */
export function Ownership({ slug, ownership }: OwnershipProps): ReactNode {
  const t = useTranslations('console.ownership');
  const format = useFormat();
  const succeed = useSuccess();
  const [pending, setPending] = useState(false);
  const [note, setNote] = useState<Note | null>(null);
  const { proof, proved } = ownership;

  async function check(): Promise<void> {
    setPending(true);
    setNote(null);
    const response = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/ownership`);
    setPending(false);
    if (!response.ok) return setNote({ tone: 'danger', text: response.problem.title });
    const { proved: found } = response.body as OwnershipView;
    if (!found || found.checkedAt === proved?.checkedAt) {
      return setNote({ tone: 'warn', text: t('notFound') });
    }
    succeed(t('found'));
  }

  return (
    <div className="space-y-4">
      <p className="text-sm">
        {proved
          ? t.rich('proved', {
              method: proved.method,
              at: format.date(proved.at, 'moment'),
              time: (chunks) => <time dateTime={proved.at}>{chunks}</time>,
            })
          : t.rich('unproved', {
              lines: proof.dnsName ? 2 : 1,
              host: proof.host,
              name: (chunks) => <bdi>{chunks}</bdi>,
            })}
      </p>
      {proved?.missingSince ? (
        <Alert title={t('missing')} tone="warn">
          {t.rich('missingSince', {
            at: format.date(proved.missingSince, 'moment'),
            time: (chunks) => <time dateTime={proved.missingSince ?? undefined}>{chunks}</time>,
          })}
        </Alert>
      ) : null}
      {proof.dnsName ? <CodeBlock code={`${proof.dnsName}. TXT "${proof.text}"`} label={t('record')} wrap /> : null}
      <CodeBlock code={proof.text} label={t(proof.dnsName ? 'orLine' : 'line', { url: proof.fileUrl })} wrap />
      {note ? (
        <Alert live="polite" tone={note.tone}>
          {note.text}
        </Alert>
      ) : null}
      <Button onClick={() => void check()} pending={pending}>
        {t('check')}
      </Button>
    </div>
  );
}
