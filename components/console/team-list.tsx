'use client';

import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import type { TeamMember, TeamView } from '@/lib/catalog/schema-team';
import { callApi } from '../account/call-api';
import { ConfirmDialog } from '../account/confirm-dialog';
import { routes } from '../shell/routes';
import { Badge } from '../ui/badge';
import { Button } from '../ui/button';
import { Card } from '../ui/card';
import { formatDate } from '../ui/format-date';
import { Select } from '../ui/select';
import { toast } from '../ui/toast';
import { TransferAgent } from './transfer-agent';

/** Who manages an agent; its owner changes roles and removes, everybody else may leave. */
export function TeamList({ slug, team }: { slug: string; team: TeamView }): ReactNode {
  return (
    <Card>
      <ul aria-label="Members" className="divide-y divide-line">
        {team.members.map((member) => (
          <li
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 p-5 text-sm"
            key={member.id ?? 'owner'}
          >
            <div className="min-w-0">
              <p className="flex flex-wrap items-center gap-2 font-medium">
                <bdi>{member.name}</bdi>
                {member.you ? <Badge>you</Badge> : null}
              </p>
              <p className="text-muted [overflow-wrap:anywhere]">
                {member.email} · since <time dateTime={member.since}>{formatDate(member.since)}</time>
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
  const router = useRouter();
  const { id, role, you, name } = member;
  if (id === null || (asker !== 'owner' && !you)) return <Badge tone="accent">{role}</Badge>;
  const path = `/api/agents/${encodeURIComponent(slug)}/team/${id}`;

  async function change(chosen: string): Promise<void> {
    const answer = await callApi('PATCH', path, { role: chosen });
    toast(
      answer.ok ? { tone: 'good', text: `${name} is ${chosen} now.` } : { tone: 'danger', text: answer.problem.title },
    );
    router.refresh();
  }

  function left(): void {
    toast({ tone: 'good', text: you ? 'You have left the team.' : `${name} is out of the team.` });
    if (you) router.push(routes.console);
    router.refresh();
  }

  return (
    <span className="flex flex-wrap items-center gap-2">
      {asker === 'owner' ? (
        <>
          <Select aria-label={`Role of ${name}`} onChange={(event) => void change(event.target.value)} value={role}>
            <option value="developer">developer</option>
            <option value="viewer">viewer</option>
          </Select>
          <TransferAgent memberId={id} name={name} slug={slug} />
        </>
      ) : (
        <Badge tone="accent">{role}</Badge>
      )}
      <ConfirmDialog
        action={you ? 'Leave team' : 'Remove'}
        onDone={left}
        path={path}
        title={you ? 'Leave this team?' : `Remove ${name}?`}
        trigger={<Button aria-label={you ? 'Leave team' : `Remove ${name}`}>{you ? 'Leave team' : 'Remove'}</Button>}
      >
        {you ? 'You can come back when its owner invites you again.' : 'They no longer see or change this agent.'}
      </ConfirmDialog>
    </span>
  );
}
