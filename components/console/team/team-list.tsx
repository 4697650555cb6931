'use client';

import { useRouter } from 'next/navigation';
import { useTranslations } from 'next-intl';
import { type ReactNode, useState } from 'react';
import type { TeamMember, TeamView } from '@/lib/catalog/schema-team';
import { type ApiProblem, callApi } from '../../forms/call-api';
import { ConfirmDialog } from '../../forms/confirm-dialog';
import { FormProblem } from '../../forms/form-problem';
import { Select } from '../../forms/inputs';
import { routes } from '../../routes';
import { Button } from '../../ui/controls/button';
import { Badge } from '../../ui/display/badge';
import { Card } from '../../ui/display/card';
import { useFormat } from '../../ui/display/format';
import { Dialog, DialogClose } from '../../ui/overlays/dialog';
import { toast } from '../../ui/overlays/toast';

/** The agent's team. Its owner changes roles and removes members; other members may leave. */
export function TeamList({ slug, team }: { slug: string; team: TeamView }): ReactNode {
  const t = useTranslations('console.teamList');
  const format = useFormat();
  return (
    <Card>
      <ul aria-label={t('members')} className="divide-y divide-line">
        {team.members.map((member) => (
          <li
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 text-sm"
            key={member.id ?? 'owner'}
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <bdi>{member.name}</bdi>
                {member.you ? <Badge>{t('you')}</Badge> : null}
              </p>
              <p className="text-muted [overflow-wrap:anywhere]">
                {t.rich('since', {
                  email: member.email,
                  date: format.date(member.since),
                  time: (chunks) => <time dateTime={member.since}>{chunks}</time>,
                })}
              </p>
            </div>
            <MemberActions asker={team.role} member={member} slug={slug} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ActionsProps {
  slug: string;
  member: TeamMember;
  asker: TeamView['role'];
}

function MemberActions({ slug, member, asker }: ActionsProps): ReactNode {
  const t = useTranslations('console.teamList');
  const router = useRouter();
  const { id, role, you, name } = member;
  if (id === null || (asker !== 'owner' && !you)) return <Badge tone="accent">{t(`roles.${role}`)}</Badge>;
  const path = `/api/agents/${encodeURIComponent(slug)}/team/${id}`;

  async function change(chosen: string): Promise<void> {
    const response = await callApi('PATCH', path, { role: chosen });
    toast(
      response.ok
        ? { tone: 'good', text: t('changed', { name, role: chosen }) }
        : { tone: 'danger', text: response.problem.title },
    );
    router.refresh();
  }

  function left(): void {
    toast({ tone: 'good', text: you ? t('left') : t('removed', { name }) });
    if (you) router.push(routes.console);
    router.refresh();
  }

  return (
    <span className="flex flex-wrap items-center gap-2">
      {asker === 'owner' ? (
        <>
          <Select aria-label={t('roleOf', { name })} onChange={(event) => void change(event.target.value)} value={role}>
            <option value="developer">{t('roles.developer')}</option>
            <option value="viewer">{t('roles.viewer')}</option>
          </Select>
          <TransferAgent memberId={id} name={name} slug={slug} />
        </>
      ) : (
        <Badge tone="accent">{t(`roles.${role}`)}</Badge>
      )}
      <ConfirmDialog
        action={t(you ? 'leave' : 'remove')}
        onDone={left}
        path={path}
        title={you ? t('leaveTitle') : t('removeTitle', { name })}
        trigger={
          <Button aria-label={you ? t('leave') : t('removeWhom', { name })}>{t(you ? 'leave' : 'remove')}</Button>
        }
      >
        {t(you ? 'leaveText' : 'removeText')}
      </ConfirmDialog>
    </span>
  );
}

interface TransferAgentProps {
  slug: string;
  memberId: string;
  name: string;
}

/** Transfers an agent to a member of its team, after confirmation. */
function TransferAgent({ slug, memberId, name }: TransferAgentProps): ReactNode {
  const t = useTranslations('console.transferAgent');
  const router = useRouter();
  const [open, setOpen] = useState(false);
  const [pending, setPending] = useState(false);
  const [problem, setProblem] = useState<ApiProblem | null>(null);

  async function transfer(): Promise<void> {
    setPending(true);
    setProblem(null);
    const response = await callApi('POST', `/api/agents/${encodeURIComponent(slug)}/transfer`, { memberId });
    setPending(false);
    if (!response.ok) return setProblem(response.problem);
    setOpen(false);
    toast({ tone: 'good', text: t('done', { name }) });
    router.refresh();
  }

  return (
    <Dialog
      footer={
        <>
          <DialogClose asChild>
            <Button>{t('cancel')}</Button>
          </DialogClose>
          <Button onClick={() => void transfer()} pending={pending} tone="danger">
            {t('transfer')}
          </Button>
        </>
      }
      onOpenChange={setOpen}
      open={open}
      title={t('title', { name })}
      trigger={<Button aria-label={t('transferTo', { name })}>{t('transfer')}</Button>}
    >
      <div className="space-y-4">
        <FormProblem problem={problem} />
        <p>{t('text')}</p>
      </div>
    </Dialog>
  );
}
