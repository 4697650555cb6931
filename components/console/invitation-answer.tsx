'use client';

import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import type { InvitationOffer } from '@/lib/catalog/schema-team';
import { type ApiProblem, callApi } from '../account/call-api';
import { FormProblem } from '../account/form-problem';
import { ownAgentPath, routes } from '../shell/routes';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { formatDate } from '../ui/format-date';
import { toast } from '../ui/toast';

const meanings = {
  viewer: 'You see its log, its charts and its settings.',
  developer: 'You see its log and charts, change its settings and card, and test it.',
};

/** What an invitation offers, and the buttons that answer it. */
export function InvitationAnswer({ offer, token }: { offer: InvitationOffer; token: string }): ReactNode {
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
    toast({ tone: 'good', text: choice === 'accept' ? 'You are in the team.' : 'The invitation is declined.' });
    router.push(choice === 'accept' ? ownAgentPath(agent.slug) : routes.console);
    router.refresh();
  }

  return (
    <Card className="max-w-xl space-y-5 p-6">
      <FormProblem problem={problem} />
      <p>
        <bdi className="font-semibold">{invitedBy}</bdi> invites you to help run{' '}
        <bdi className="font-semibold">{agent.name}</bdi> as {role}. {meanings[role]}
      </p>
      <p className="text-sm text-muted">
        Open until <time dateTime={expiresAt}>{formatDate(expiresAt)}</time>.
      </p>
      <p className="flex flex-wrap gap-2">
        <Button onClick={() => void answer('accept')} pending={pending === 'accept'} tone="primary">
          Join the team
        </Button>
        <Button onClick={() => void answer('decline')} pending={pending === 'decline'}>
          Decline
        </Button>
      </p>
    </Card>
  );
}
