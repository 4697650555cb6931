'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { InvitationOffer } from '@/lib/catalog/schema-team';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { FormProblem } from '../../forms/form-problem';
import { ownAgentPath, routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Card } from '../../ui/display/card';
import { useFormat } from '../../ui/display/format';
import { toast } from '../../ui/overlays/toast';

/** An invitation and the buttons to accept or decline it. */
export function InvitationAnswer({ offer, token }: { offer: InvitationOffer; token: string }): ReactNode {
  const t = useTranslations('console.invitationAnswer');
  const format = useFormat();
  const router = useRouter();
  const [pending, setPending] = useState<'accept' | 'decline' | null>(null);
  const [problem, setProblem] = useState<ApiProblem | null>(null);
  const { agent, role, invitedBy, expiresAt } = offer;

  async function answer(choice: 'accept' | 'decline'): Promise<void> {
    setPending(choice);
    setProblem(null);
    const answered = await callApi('POST', `/api/invitations/${choice}`, { token });
    setPending(null);
    if (!answered.ok) return setProblem(answered.problem);
    toast({ tone: 'good', text: t(choice === 'accept' ? 'joined' : 'declined') });
    router.push(choice === 'accept' ? ownAgentPath(agent.slug) : routes.console);
    router.refresh();
  }

  return (
    <Card className="max-w-xl space-y-5 p-6">
      <FormProblem problem={problem} />
      <p>
        {t.rich('offer', {
          person: invitedBy,
          agent: agent.name,
          role,
          name: (name) => <bdi className="font-semibold">{name}</bdi>,
        })}{' '}
        {t(`meaning.${role}`)}
      </p>
      <p className="text-sm text-muted">
        {t.rich('openUntil', {
          end: format.date(expiresAt),
          time: (end) => <time dateTime={expiresAt}>{end}</time>,
        })}
      </p>
      <p className="flex flex-wrap gap-2">
        <Button onClick={() => void answer('accept')} pending={pending === 'accept'} tone="primary">
          {t('join')}
        </Button>
        <Button onClick={() => void answer('decline')} pending={pending === 'decline'}>
          {t('decline')}
        </Button>
      </p>
    </Card>
  );
}
